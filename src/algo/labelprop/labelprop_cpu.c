/* Synchronous label propagation on CPU cores [1].  Needs: the transpose of a directed graph.
 * Method: every vertex takes the mode of its neighbours' labels, or, with weights, the label with the largest sum of
 * them (ops/group.h).  Once few vertices change, only their neighbours are counted again (a frontier).
 * Encoding: labels alternate between two arrays: the one that a step writes still holds the labels of two steps ago, so
 * a two-cycle is seen by comparing before writing.
 * Ranks that share a run count for their own vertices, on cores or GPU; both arrays have the labels of all, which are
 * gathered after each step.
 * [1] Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures", Phys. Rev. E 76 (2007). */
#include "algo/checkpoint.h"
#include "algo/labelprop/labelprop.h"
#include "ops/group.h"
#include "ranks/spread.h"

#include <string.h>

enum { ROWS_AT_ONCE = 128 };

enum { CHANGED, DIFFERS, VOLUME }; /* counts: against one and two steps ago; arcs at those that changed */

typedef struct spread {
    weft_vid *label, *other; /* of all vertices; they alternate.  The first is the column of a rank that has all */
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_spread *ranks;
    bool whole;             /* this rank has all vertices */
    wfi_labelprop_gpu *gpu; /* that counts; NULL: CPU cores do */
    weft_vid *column;       /* of this rank's vertices */
    weft_vid mine, first;   /* vertices of this rank, and the first of them: row k is its row first + k */
    wfi_ops o;
    wfi_row_group group;
    const weft_vid *now; /* of a step: labels of all vertices, ... */
    weft_vid *next;      /* ... and those of two steps ago, which it writes over */
    uint8_t *active;     /* whether a neighbour has changed; only valid when `sparse` */
    bool sparse;
    _Atomic bool cancelled;
} spread;

typedef struct tally {
    uint64_t changed, differs, volume; /* against one and two steps ago; arcs at those that changed */
} tally;

static uint64_t all_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

static bool should_stop(spread *s) {
    if (wfi_cancelled(s->ctx)) atomic_store(&s->cancelled, true);
    return atomic_load_explicit(&s->cancelled, memory_order_relaxed);
}

/* --- a step ---------------------------------------------------------------------- */

static inline bool vote_wants(const spread *s, weft_vid k) { return !s->sparse || s->active[k]; }
static inline weft_vid vote_key(const spread *s, weft_vid v) { return s->now[v]; }

/* Writes the new label over the one of two steps ago. */
static inline void vote_end(const spread *s, weft_vid k, weft_vid label, wfi_op_totals *t) {
    weft_vid now = s->now[s->first + k], *next = &s->next[s->first + k], fresh = label == WEFT_NO_VERTEX ? now : label;
    t->count[DIFFERS] += fresh != *next;
    t->count[CHANGED] += fresh != now;
    if (fresh != now) t->count[VOLUME] += wfi_group_degree(&s->o, k);
    *next = fresh;
}

WFI_OP_GROUP(vote)

static tally step(spread *s, const weft_vid *label, weft_vid *fill) {
    wfi_op_totals t = {.most = {0}};
    s->now = label;
    s->next = fill;
    wfi_ops_group(&s->o, &vote_op, &s->group, s, &t);
    should_stop(s);
    return (tally){t.count[CHANGED], t.count[DIFFERS], t.count[VOLUME]};
}

static void mark_row(spread *s, const wfi_view *rows, weft_vid v) {
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
        __atomic_store_n(&s->active[rows->targets[e]], 1, __ATOMIC_RELAXED);
}

/* Whoever has a neighbour that changed must be counted again; marking them costs a fraction of counting all.  Ranks
 * would have to tell each other: they count all. */
static void mark_active(spread *s, const weft_vid *before, const weft_vid *now, uint64_t volume) {
    weft_vid n = s->g->n;
    s->sparse = s->whole && !s->gpu && volume < all_arcs(s->g) / 4;
    if (!s->sparse) return;
    memset(s->active, 0, n);
#pragma omp parallel for schedule(dynamic, ROWS_AT_ONCE * 8) num_threads(s->group.threads)
    for (weft_vid v = 0; v < n; v++) {
        if (v % ROWS_AT_ONCE == 0) should_stop(s);
        if (before[v] == now[v] || atomic_load_explicit(&s->cancelled, memory_order_relaxed)) continue;
        mark_row(s, s->o.out, v);
        if (s->o.in != s->o.out) mark_row(s, s->o.in, v);
    }
}

/* --- the run ---------------------------------------------------------------------- */

static void lay_out(wfi_workspace *w, const weft_graph *g, spread *s) {
    wfi_column(w, "label", WEFT_VERTEX, s->mine, &s->column);
    s->label = s->column;
    if (!s->whole) wfi_array(w, &s->label, g->n);
    wfi_array(w, &s->other, g->n);
    if (s->gpu) return;
    wfi_array(w, &s->active, s->whole ? g->n : 0);
    wfi_group_lay_out(w, g, &s->group);
}

static wfi_row_group group_of(const weft_ctx *ctx, const weft_graph *g, const weft_labelprop_params *p) {
    return (wfi_row_group){.threads = wfi_group_threads(ctx, g), .wide = p->weights};
}

void wfi_labelprop_space(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_labelprop_params *p) {
    lay_out(w, g, &(spread){.mine = g->n, .whole = true, .group = group_of(ctx, g, p)});
}

static void plan_ranks(const wfi_spread *ranks, const weft_labelprop_params *params, spread *s, wfi_choice *choice) {
    s->whole = wfi_spread_is_whole(ranks);
    s->mine = ranks->vertices;
    choice->method = "synchronous counting";
    choice->space.needs_in = true;
    choice->sends = 0;
    choice->sends_each = sizeof(weft_vid) * wfi_spread_copies(ranks);
    choice->iterations = params->max_iterations;
    lay_out(&choice->space, ranks->g, s);
}

void wfi_labelprop_plan_ranks(const weft_ctx *ctx, const wfi_spread *ranks, const void *params, wfi_choice *choice) {
    plan_ranks(ranks, params, &(spread){.group = group_of(ctx, ranks->g, params)}, choice);
}

void wfi_labelprop_plan_counted(const wfi_spread *ranks, const weft_labelprop_params *params, wfi_choice *choice) {
    wfi_labelprop_gpu gpu = {.state = NULL};
    plan_ranks(ranks, params, &(spread){.gpu = &gpu}, choice);
}

/* Every vertex has a label of its own. */
static weft_status begin(spread *s) {
    const weft_graph *g = s->g;
    weft_status st = s->gpu ? WEFT_OK : wfi_group_begin(&s->o, "labelprop", g, &s->group);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(s->ctx, g->n, 1 << 14))
    for (weft_vid v = 0; v < g->n; v++) s->label[v] = s->other[v] = v;
    if (s->gpu) s->gpu->begin(s->gpu, s->label);
    return WEFT_OK;
}

static weft_status step_on_gpu(spread *s, uint64_t i, weft_vid *label, tally *t) {
    bool changed = false, differs = false;
    should_stop(s);
    weft_status st = s->gpu->step(s->gpu, i, label, &changed, &differs);
    *t = (tally){changed, differs, 0};
    return st;
}

/* Step i: the labels and counts of all ranks.  The request to stop, of any rank, is everybody's. */
static weft_status step_of_all(spread *s, uint64_t i, const weft_vid *now, weft_vid *label, tally *t) {
    weft_status st = WEFT_OK;
    if (s->gpu)
        st = step_on_gpu(s, i, label, t);
    else
        *t = step(s, now, label);
    uint64_t sum[] = {t->changed, t->differs, t->volume, atomic_load(&s->cancelled)};
    if (!s->gpu) st = wfi_spread_allgather(s->ctx, s->ranks, &s->ranks->part[0], label, sizeof *label);
    if (!st) st = wfi_allreduce(s->ctx, sum, 4, WFI_SUM);
    *t = (tally){sum[0], sum[1], sum[2]};
    atomic_store(&s->cancelled, sum[3] != 0);
    return st;
}

/* What a step needs of those before: the labels after one and two of them, and whether they repeat. */
static wfi_state state_of(weft_vid *now, weft_vid *before, bool repeats) {
    return (wfi_state){.column = {{now, sizeof *now, true}, {before, sizeof *before, true}}, .number = {repeats}};
}

/* *done: steps that were computed. */
static weft_status spread_labels(spread *s, wfi_checkpoint *checkpoint, uint64_t steps, uint64_t *done) {
    weft_vid *now = s->label, *next = s->other;
    uint64_t i;
    wfi_state state = state_of(now, next, false);
    weft_status st = wfi_checkpoint_resume(checkpoint, &state, &i);
    if (st) return st;
    bool repeats = state.number[0] != 0;
    while (i < steps && !repeats && !atomic_load(&s->cancelled)) {
        wfi_progress(s->ctx, "spreading labels", i, steps);
        tally t;
        st = step_of_all(s, i, now, next, &t);
        if (st) return st;
        weft_vid *before = now;
        now = next;
        next = before;
        i++;
        repeats = !t.changed || (i > 1 && !t.differs);
        state = state_of(now, next, repeats);
        if (!atomic_load(&s->cancelled)) st = wfi_checkpoint_reached(checkpoint, &state, i);
        if (st) return st;
        if (i < steps && !repeats) mark_active(s, before, now, t.volume);
    }
    if (atomic_load(&s->cancelled)) return wfi_fail_cancelled(s->ctx);
    /* now holds step i, next step i - 1; from here on they would alternate, so the asked-for step is one of them. */
    bool before = repeats && (steps - i) % 2;
    weft_vid *last = before ? next : now;
    if (s->gpu) st = s->gpu->end(s->gpu, before ? i - 1 : i, last);
    if (st) return st;
    if (last != s->label) memcpy(s->label, last, (size_t)s->g->n * sizeof *last);
    if (s->column != s->label && s->mine) memcpy(s->column, s->label + s->first, (size_t)s->mine * sizeof *last);
    *done = i;
    return WEFT_OK;
}

/* Labels are vertices: each that occurs is marked once. */
static uint64_t count_communities(weft_ctx *ctx, const weft_vid *label, weft_vid *mark, weft_vid n) {
    int threads = wfi_threads_for(ctx, n, 1 << 14);
    uint64_t count = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++) mark[v] = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (weft_vid v = 0; v < n; v++)
        if (!__atomic_load_n(&mark[label[v]], __ATOMIC_RELAXED)) __atomic_store_n(&mark[label[v]], 1, __ATOMIC_RELAXED);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : count)
    for (weft_vid v = 0; v < n; v++) count += mark[v];
    return count;
}

/* For this rank's part of the vertices. */
weft_status wfi_labelprop_with(wfi_job *job, wfi_labelprop_gpu *gpu) {
    const weft_labelprop_params *p = job->params;
    const weft_graph *g = job->g;
    const wfi_part *part = &job->spread->part[0];
    spread s = {.ctx = job->ctx,
                .g = g,
                .ranks = job->spread,
                .whole = wfi_spread_is_whole(job->spread),
                .gpu = gpu,
                .mine = job->spread->vertices,
                .first = part->first,
                .group = group_of(job->ctx, g, p)};
    s.o = (wfi_ops){.ctx = job->ctx,
                    .spread = job->spread,
                    .n = g->n,
                    .mine = s.mine,
                    .first = s.first,
                    .out = &part->out,
                    .in = g->directed ? &part->in : &part->out};
    uint64_t done = 0;
    lay_out(job->space, g, &s);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (!st) st = begin(&s);
    if (!st) st = spread_labels(&s, job->checkpoint, p->max_iterations, &done);
    if (!st)
        st = wfi_result_scalar_u64(job->ctx, job->result, "communities",
                                   count_communities(job->ctx, s.label, s.other, g->n));
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "iterations", done);
}

weft_status wfi_labelprop_cpu(wfi_job *job) { return wfi_labelprop_with(job, NULL); }
