/* Runs rungs and holds them to their answers.
 * Protocol: a warm-up whose answer goes through the verifier of check/, then timed runs; an answer that differs from the verified
 * one in a byte is verified as well. */
#include "answer.h"
#include "lab.h"
#include "times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
    const lab_setup *setup;
    const lab_ladder *ladder;
    const weft_algorithm_info *algorithm;
    const weft_graph *g;
    char *params; /* fitted to the graph */
    char *own;    /* params as the rung adjusted them */
    weft_csr out, in;
    weft_result *reference;
    lab_table *table;
    lab_row *row;
    uint64_t digest; /* of the last answer that was verified */
    int block;       /* threads of a block */
} bench;

/* --- answers -------------------------------------------------------------------------------------------------- */

static weft_status result_of(lab_run *r, weft_result **out) {
    *out = r->result;
    r->result = NULL;
    if (*out) return WEFT_OK;
    weft_status st = weft_result_new(r->ctx, out);
    for (size_t i = 0; i < r->column_count && !st; i++) st = weft_result_add_column(r->ctx, *out, &r->column[i]);
    for (size_t i = 0; i < r->scalar_count && !st; i++) st = weft_result_add_scalar(r->ctx, *out, &r->scalar[i]);
    return st;
}

/* --- one run -------------------------------------------------------------------------------------------------- */

static lab_run fresh_run(const bench *b) {
    const lab_setup *s = b->setup;
    return (lab_run){.ctx = s->ctx,
                     .g = b->g,
                     .out = b->out,
                     .in = b->in,
                     .params = b->own,
                     .threads = weft_ctx_threads(s->ctx),
                     .block = b->block,
                     .ranks = s->ranks ? s->ranks : LAB_RANKS,
                     .patience_s = s->patience_s,
                     .memory_limit = s->memory_limit,
                     .reference = b->reference,
                     .algorithm = b->ladder->algorithm,
                     .device = b->row->rung->device,
                     .first = !b->row->checked,
                     .setup = s};
}

static bool stopped(const bench *b) { return b->setup->stop && b->setup->stop(b->setup->user); }

static void ends(lab_row *row, lab_status status, const char *message) {
    row->status = status;
    snprintf(row->message, sizeof row->message, "%s", message);
}

/* Anything but an interruption is the row's own matter. */
static weft_status fails(const bench *b, weft_status st) {
    if (st == WEFT_ECANCELLED || stopped(b)) return WEFT_ECANCELLED;
    const char *said = weft_ctx_message(b->setup->ctx);
    ends(b->row, LAB_FAILED, st == WEFT_ENOMEM || !*said ? weft_status_text(st) : said);
    return WEFT_OK;
}

/* The rung was stopped where it asks: no answer, no time. */
static void runs_too_long(const bench *b) {
    char room[128];
    snprintf(room, sizeof room, "its first run was not done after the %g s that --patience allows",
             b->setup->patience_s);
    ends(b->row, LAB_SKIPPED, room);
    b->row->impatient = true;
}

static void say_doing(const bench *b, const char *rung, const char *what) {
    if (b->setup->doing) b->setup->doing(b->setup->user, rung, what);
}

/* Of all answers so far, the farthest from the reference. */
static void compare(bench *b, const weft_result *result) {
    lab_row *row = b->row;
    lab_apart apart = lab_difference(b->ladder->column, row->other_steps ? NULL : b->reference, result);
    if (!apart.known) return;
    row->nan_apart |= apart.nan;
    row->inf_apart |= apart.inf;
    if (isnan(row->difference) || apart.most > row->difference) row->difference = apart.most;
}

static double scalar_of(const weft_result *result, const char *name) {
    const weft_scalar *found = name ? weft_result_scalar(result, name) : NULL;
    if (!found) return NAN;
    return found->type == WEFT_F64 ? found->value.f64 : (double)found->value.u64;
}

static weft_status check(const bench *b, const weft_result *result, weft_check_report *report) {
    if (b->row->rung->check) return b->row->rung->check(b->setup->ctx, b->g, b->own, result, report);
    return weft_check(b->setup->ctx, b->ladder->algorithm, b->g, b->own, result, report);
}

/* Verifies the answer unless it is, byte for byte, the one that was. */
static weft_status verify(bench *b, const weft_result *result) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    uint64_t digest;
    weft_status st = weft_result_digest(b->setup->ctx, result, &digest);
    if (st) return fails(b, st);
    if (b->row->checked && digest == b->digest) return WEFT_OK;
    say_doing(b, b->row->rung->name, "verifying");
    st = check(b, result, &report);
    if (st || stopped(b)) return fails(b, st ? st : WEFT_ECANCELLED);
    b->digest = digest;
    b->row->checked++;
    compare(b, result);
    b->row->scalar = scalar_of(result, b->ladder->scalar);
    ends(b->row, report.passed ? LAB_VERIFIED : LAB_WRONG, report.message);
    return WEFT_OK;
}

/* Offsets and targets; weights, where there are some, are no part of what rungs are compared by. */
static uint64_t bytes_of_csr(const weft_csr *csr) {
    return ((uint64_t)csr->vertices + 1) * sizeof *csr->offsets + csr->arcs * sizeof *csr->targets;
}

/* On the GPU the library keeps the graph and a pool: what a call holds of it cannot be told from outside. */
static lab_held held_by(const lab_run *r) {
    bool both = r->reads_out && r->reads_in && r->in.targets != r->out.targets;
    lab_held held = {.known = !r->resident, .host = r->taken_timed + r->library_bytes, .gpu = r->device_taken};
    if (r->reads_out || r->reads_in) held.graph = bytes_of_csr(r->reads_out ? &r->out : &r->in);
    if (both) held.graph += bytes_of_csr(&r->in);
    return held;
}

/* The kernels' time is that of the GPU's clock where it was read; the rest of their stretch is the host's. */
static void split_kernels(lab_run *r) {
    double rest_ms = r->part_ms[LAB_KERNELS] - r->event_ms;
    if (!(r->event_ms > 0) || rest_ms < 0) return;
    r->part_ms[LAB_KERNELS] = r->event_ms;
    r->part_ms[LAB_HOST] += rest_ms;
}

/* One run with its answer held to. */
static weft_status run_once(bench *b, lab_times *t) {
    lab_run r = fresh_run(b);
    weft_result *result = NULL;
    bool first = r.first;
    lab_turn(&r, LAB_ALLOCATE);
    r.part_ms[LAB_ALLOCATE] = 0; /* the clock had not begun */
    weft_status st = b->row->rung->run(&r);
    lab_turn(&r, LAB_UNTIMED);
    bool library = r.result != NULL;
    if (!st) st = result_of(&r, &result);
    lab_turn(&r, LAB_FREE);
    if (r.free_device) r.free_device(r.user);
    for (size_t i = 0; i < r.held_count; i++) free(r.held[i]);
    lab_turn(&r, LAB_UNTIMED);
    if (!stopped(b) && lab_out_of_patience(&r) && (st == WEFT_ECANCELLED || r.gave_up)) {
        runs_too_long(b);
        st = WEFT_OK;
    } else if (st)
        st = fails(b, st);
    else
        st = verify(b, result);
    b->row->edges = r.edges;
    b->row->bytes = r.bytes;
    b->row->sent = r.sent;
    b->row->resident = r.resident;
    if (first) b->row->held = held_by(&r);
    split_kernels(&r);
    lab_turn(&r, library ? LAB_FREE : LAB_UNTIMED); /* columns that a rung took are freed already, and counted */
    weft_result_free(result);
    lab_turn(&r, LAB_UNTIMED);
    *t = (lab_times){.event_ms = r.event_ms, .network_ms = r.network_ms, .occupancy = r.occupancy};
    for (size_t p = 0; p < LAB_PARTS; p++) t->whole_ms += t->part_ms[p] = r.part_ms[p];
    weft_result_free(r.result);
    return st;
}

/* --- one rung ------------------------------------------------------------------------------------------------- */

static const char *why_not(bench *b, lab_run *r) {
    const lab_rung *rung = b->row->rung;
    const weft_machine *m = b->setup->machine;
    if (rung->device == LAB_CUDA && m->gpus == 0) return *m->gpu_reason ? m->gpu_reason : "there is no GPU";
    const char *reason = rung->serves ? rung->serves(r) : NULL;
    return reason || rung->run ? reason : "weft-lab was built without its rungs for the GPU";
}

/* A warm-up and `runs` runs with so many threads per block; fewer when one takes longer than the patience. */
static weft_status measure_at(bench *b, int block, size_t runs, lab_times *all, double *scratch) {
    const lab_setup *s = b->setup;
    lab_row *row = b->row;
    lab_times warm_up;
    b->block = block;
    if (s->progress) s->progress(s->user, row->rung->name, 0, runs);
    weft_status st = run_once(b, &warm_up);
    size_t done = 0;
    bool patient = true;
    while (done < runs && patient && !st && row->status == LAB_VERIFIED) {
        if (s->progress) s->progress(s->user, row->rung->name, done + 1, runs);
        st = stopped(b) ? WEFT_ECANCELLED : run_once(b, &all[done]);
        patient = all[done++].whole_ms <= 1e3 * s->patience_s;
    }
    if (st || row->status != LAB_VERIFIED) return st;
    if (done < runs) row->impatient = true;
    lab_summarize(row, all, done, scratch);
    return WEFT_OK;
}

/* The row stays as it was measured with LAB_BLOCK, unless an answer is wrong with another number of threads. */
static weft_status sweep_blocks(bench *b, size_t runs, lab_times *all, double *scratch) {
    lab_row usual = *b->row;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < b->setup->block_count && !st && b->row->status == LAB_VERIFIED; i++) {
        int threads = b->setup->blocks[i];
        b->row->impatient = false;
        if (threads == LAB_BLOCK)
            *b->row = usual;
        else
            st = measure_at(b, threads, runs, all, scratch);
        usual.blocks[i] = (lab_block){.threads = threads,
                                      .occupancy = b->row->occupancy,
                                      .kernels_ms = lab_kernels_ms(b->row),
                                      .median_ms = b->row->median_ms,
                                      .runs = b->row->runs,
                                      .impatient = b->row->impatient};
        usual.checked = b->row->checked;
        usual.scalar = b->row->scalar;
        usual.difference = b->row->difference;
        usual.nan_apart = b->row->nan_apart;
        usual.inf_apart = b->row->inf_apart;
    }
    if (b->row->status == LAB_VERIFIED) {
        *b->row = usual;
        b->row->block_count = b->setup->block_count;
    } else {
        b->row->median_ms = b->row->min_ms = b->row->max_ms = 0;
    }
    return st;
}

static void say_fewer_runs(lab_row *row, size_t runs) {
    size_t length = strlen(row->message);
    snprintf(row->message + length, sizeof row->message - length,
             "; run %zu time%s and not %zu: a run took longer than --patience allows", row->runs,
             row->runs == 1 ? "" : "s", runs);
}

static weft_status measure_row(bench *b) {
    lab_row *row = b->row;
    const lab_setup *s = b->setup;
    size_t runs = s->runs ? s->runs : 1;
    memcpy(b->own, b->params, b->algorithm->params_size);
    if (row->rung->adjust) row->rung->adjust(b->own);
    row->other_work = row->rung->check || (b->ladder->same_work && !b->ladder->same_work(b->params, b->own));
    row->other_steps = b->ladder->steps && b->ladder->steps(b->params) != b->ladder->steps(b->own);
    b->block = LAB_BLOCK;
    lab_run asked = fresh_run(b);
    const char *reason = why_not(b, &asked);
    if (reason) {
        ends(row, LAB_SKIPPED, reason);
        row->impatient = asked.impatience;
        return WEFT_OK;
    }
    lab_times *all = calloc(runs, sizeof *all);
    double *scratch = calloc(runs, sizeof *scratch);
    weft_status st = all && scratch ? WEFT_OK : WEFT_ENOMEM;
    if (!st) st = measure_at(b, LAB_BLOCK, runs, all, scratch);
    if (!st && row->status == LAB_VERIFIED) {
        row->ceiling_gbs = row->rung->device == LAB_CUDA ? s->machine->gpu_read_gbs : s->machine->read_gbs;
        if (row->occupancy > 0) st = sweep_blocks(b, runs, all, scratch);
        if (row->status == LAB_VERIFIED && row->impatient) say_fewer_runs(row, runs);
    }
    free(all);
    free(scratch);
    return st;
}

/* --- the ladder ------------------------------------------------------------------------------------------------ */

static weft_status make_reference(bench *b) {
    say_doing(b, NULL, "reference");
    memcpy(b->own, b->params, b->algorithm->params_size);
    if (b->ladder->exact) b->ladder->exact(b->own);
    return lab_reference(b->setup, b->ladder->algorithm, b->g, b->own, b->table, &b->reference);
}

weft_status lab_measure(const lab_setup *setup, const lab_ladder *ladder, const weft_graph *g, const char *input,
                        const void *params, lab_table *table) {
    bench b = {
        .setup = setup, .ladder = ladder, .algorithm = weft_algorithm_find(ladder->algorithm), .g = g, .table = table};
    *table = (lab_table){.ladder = ladder, .info = {.size = sizeof table->info}};
    if (ladder->on_ranks) table->ranks = setup->ranks ? setup->ranks : LAB_RANKS;
    weft_ctx_set_cancel(setup->ctx, setup->stop, setup->user);
    table->rows = calloc(ladder->rung_count, sizeof *table->rows);
    b.params = malloc(b.algorithm->params_size);
    b.own = malloc(b.algorithm->params_size);
    weft_status st = lab_table_name(table, input, "") && table->rows && b.params && b.own ? WEFT_OK : WEFT_ENOMEM;
    if (b.params) memcpy(b.params, params, b.algorithm->params_size);
    if (!st && ladder->fit) st = ladder->fit(g, b.params);
    if (!st) st = lab_settings_make(g, b.algorithm, b.params, &table->settings, &table->setting_count);
    lab_run clock = {.part = LAB_UNTIMED};
    lab_turn(&clock, LAB_COPY_IN);
    b.out.size = b.in.size = sizeof b.in;
    if (!st) st = weft_graph_out(setup->ctx, g, &b.out);
    if (!st) st = weft_graph_in(setup->ctx, g, &b.in);
    lab_turn(&clock, LAB_UNTIMED);
    table->transpose_ms = weft_graph_directed(g) ? clock.part_ms[LAB_COPY_IN] : 0;
    if (!st) st = weft_graph_describe(setup->ctx, g, &table->info);
    if (!st) st = make_reference(&b);
    for (size_t i = 0; i < ladder->rung_count && !st; i++) {
        if (setup->chosen && !setup->chosen[i]) continue;
        b.row = &table->rows[table->row_count];
        *b.row = (lab_row){.rung = ladder->rungs[i],
                           .number = i + 1,
                           .scalar = NAN,
                           .difference = NAN,
                           .said = lab_figure_for(ladder, b.params, ladder->rungs[i], &table->info)};
        st = measure_row(&b);
        if (!st) table->row_count++;
    }
    table->complete = !st;
    if (table->rows) lab_compare(table);
    weft_result_free(b.reference);
    if (b.params && ladder->unfit) ladder->unfit(b.params, params);
    free(b.params);
    free(b.own);
    return st;
}
