/* See method.h: on CPU cores, of one machine or of ranks. */
#include "run/method.h"
#include "ops/measure.h"
#include "ranks/spread.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const wfi_pull_methods[1] = {"pull"};

static size_t bytes_of(const wfi_array_info *a) {
    return a->kind == WFI_TOTALS ? sizeof(wfi_op_totals) : weft_type_size(a->type);
}

static uint64_t count_of(const wfi_layout_of *l, const wfi_array_info *a) {
    switch (a->of) {
    case WFI_OF_MINE: return l->mine;
    case WFI_OF_ALL: return l->g->n;
    case WFI_OF_ALL_BITS: return wfi_device_words(l->g->n);
    case WFI_OF_ONE: return 1;
    case WFI_OF_TWO: return 2;
    }
    return 0;
}

uint64_t wfi_method_column_bytes(const wfi_method *m, const weft_graph *g, const void *params) {
    uint64_t each = 0;
    for (size_t i = 0; i < m->array_count; i++) {
        const wfi_array_info *a = &m->arrays[i];
        if (a->kind == WFI_COLUMN && (!a->wanted || a->wanted(g, params))) each += weft_type_size(a->type);
    }
    return each * g->n;
}

void wfi_method_lay_out(wfi_layout_of *l, void *state) {
    const wfi_method *m = l->method;
    size_t columns = 0;
    for (size_t i = 0; i < m->array_count; i++) {
        const wfi_array_info *a = &m->arrays[i];
        void *at = NULL;
        if (a->wanted && !a->wanted(l->g, l->params)) continue;
        if (a->kind == WFI_COLUMN) wfi_column(l->space, a->name, a->type, l->mine, &at);
        if (a->kind == WFI_COLUMN) l->column[columns++] = at;
        if (a->kind != WFI_COLUMN || l->device || count_of(l, a) > l->mine)
            at = wfi_carve(l->device ? l->device : l->space, a->name, count_of(l, a), bytes_of(a), false);
        memcpy((char *)state + a->offset, &at, sizeof at);
    }
    if (m->more) m->more(l->space, l->device, l->params, state);
    if (m->message && !l->device) wfi_push_lay_out(l->space, l->spread, m->message, (void *)((char *)state + m->push));
    if (!m->group) return;
    wfi_row_group *group = (wfi_row_group *)(void *)((char *)state + m->group);
    *group = (wfi_row_group){.wide = m->weighted && m->weighted(l->params)};
    if (!l->device) wfi_group_lay_out(l->space, l->ctx, l->g, group);
}

/* Delivers this rank's part of columns of all vertices. */
static void take_parts(const wfi_layout_of *l, const void *state, weft_vid first) {
    size_t columns = 0;
    for (size_t i = 0; i < l->method->array_count; i++) {
        const wfi_array_info *a = &l->method->arrays[i];
        const char *at;
        if (a->kind != WFI_COLUMN || (a->wanted && !a->wanted(l->g, l->params))) continue;
        void *column = l->column[columns++];
        memcpy(&at, (const char *)state + a->offset, sizeof at);
        if (at != column && l->mine) memcpy(column, at + first * bytes_of(a), l->mine * bytes_of(a));
    }
}

typedef union state_room {
    char bytes[WFI_METHOD_STATE];
    uint64_t aligned;
} state_room;

void wfi_method_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const wfi_method *m = choice->algorithm->operators;
    wfi_layout_of l = {.ctx = ctx, .method = m, .g = g, .params = params, .mine = g->n, .space = &choice->space};
    bool transpose = m->sides & WFI_IN_ROWS && wfi_need_in(&choice->space, ctx, g);
    state_room state;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !(m->sides & WFI_IN_ROWS) ? "along outgoing arcs"
             : !g->directed            ? "undirected: the rows are their own transpose"
             : transpose               ? "the rows of incoming arcs will be made"
                                       : "the rows of incoming arcs are at hand");
    wfi_method_lay_out(&l, &state);
}

void wfi_method_choose_ranks(const wfi_spread *spread, const void *params, bool gpu, wfi_choice *choice) {
    const wfi_method *m = choice->algorithm->operators;
    choice->space.needs_in = m->sides & WFI_IN_ROWS;
    if (m->choose) {
        m->choose(spread, params, gpu, choice);
        return;
    }
    /* In each of the iterations that the result counts; or once, if it counts none. */
    uint64_t gathered = m->gathered * wfi_spread_copies(spread);
    choice->sends = m->iterations ? 0 : gathered;
    choice->sends_each = m->iterations ? gathered : 0;
    choice->iterations = m->iterations ? m->iterations(params) : 1;
}

void wfi_method_plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_layout_of l = {.ctx = ctx,
                       .method = choice->algorithm->operators,
                       .g = spread->g,
                       .params = params,
                       .spread = spread,
                       .mine = spread->vertices,
                       .space = &choice->space};
    state_room state;
    wfi_method_choose_ranks(spread, params, false, choice);
    wfi_method_lay_out(&l, &state);
}

weft_status wfi_method_run_cpu(wfi_job *job) {
    const wfi_method *m = job->choice->algorithm->operators;
    const wfi_spread *s = job->spread;
    const wfi_part *part = &s->part[0];
    unsigned sides = wfi_method_sides(m, job->choice);
    wfi_layout_of l = {.ctx = job->ctx,
                       .method = m,
                       .g = job->g,
                       .params = job->params,
                       .spread = s,
                       .mine = s->vertices,
                       .space = job->space};
    state_room state;
    wfi_ops o = {.ctx = job->ctx,
                 .spread = s,
                 .weighted = m->weighted && m->weighted(job->params),
                 .n = job->g->n,
                 .mine = s->vertices,
                 .first = part->first,
                 .out = sides & WFI_OUT_ROWS || !job->g->directed ? &part->out : NULL,
                 .in = !(sides & WFI_IN_ROWS) ? NULL
                       : job->g->directed     ? &part->in
                                              : &part->out,
                 .column = l.column};
    memset(&state, 0, sizeof state);
    wfi_method_lay_out(&l, &state);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (!st) st = wfi_ops_end(&o, m->drive(&o, &state, job));
    if (!st) take_parts(&l, &state, part->first);
    return st;
}

/* --- measures -------------------------------------------------------------------------------------------- */

WFI_STEPS(wfi_measure, MEASURE_STEPS)

weft_status wfi_measure_rows(wfi_ops *o, const wfi_view *rows, const double *sums, wfi_op_totals *totals,
                             double *widest, double *longest) {
    wfi_op_totals t = {.most = {0}};
    wfi_measure m = {.offsets = rows->offsets, .sums = sums};
    wfi_ops_vertices(o, &measure_rows_op, &m, totals);
    weft_status st = wfi_ops_total(o, totals, &t);
    *widest = wfi_op_real(t.most[WFI_MEASURE_WIDEST]);
    *longest = wfi_op_real(t.most[WFI_MEASURE_LONGEST]);
    return st;
}

weft_status wfi_measure_norm(wfi_ops *o, double *value, double top, double part, wfi_op_totals *totals, double *norm) {
    wfi_op_totals t = {.most = {0}};
    wfi_measure m = {.value = value, .top = top, .part = part};
    wfi_ops_vertices(o, &measure_squares_op, &m, totals);
    weft_status st = wfi_ops_total(o, totals, &t);
    *norm = o->n ? sqrt(wfi_op_value(&t, WFI_MEASURE_SQUARES) / part) * top : 1;
    return st;
}

void wfi_measure_divide(wfi_ops *o, double *value, double norm) {
    wfi_measure m = {.value = value, .norm = norm};
    wfi_ops_vertices(o, &measure_divide_op, &m, NULL);
}

double wfi_steps_to(double tolerance, double factor, uint64_t most) {
    bool ends = tolerance > 0 && tolerance < 1;
    return fmin(ends ? 1 + log(tolerance) / log(factor) : INFINITY, (double)most);
}

wfi_work wfi_method_work(const wfi_method *m, const void *params) {
    double tolerance;
    memcpy(&tolerance, (const char *)params + m->tolerance, sizeof tolerance);
    double passes = wfi_steps_to(tolerance, m->factor, m->iterations(params));
    return (wfi_work){.passes = passes, .levels = passes};
}

double wfi_method_model_bytes(const wfi_method *m, const weft_graph *g, const void *params, const weft_result *result) {
    if (m->weighted && m->weighted(params)) return 0;
    return wfi_iterations_of(result) * (m->arc_bytes * (double)g->arcs + m->vertex_bytes * (double)g->n);
}

/* --- fixpoint -------------------------------------------------------------------------------------------- */

/* The columns that are kept, the residual, and what the driver names. */
static wfi_state state_of(const wfi_method *m, void *state, const wfi_fixpoint *f) {
    wfi_state s = {.number = {f->residual}};
    size_t kept = 0;
    for (size_t i = 0; i < m->array_count && kept < WFI_STATE_COLUMNS; i++)
        if (m->arrays[i].kept) {
            wfi_state_column *column = &s.column[kept++];
            memcpy(&column->values, (char *)state + m->arrays[i].offset, sizeof column->values);
            column->each = weft_type_size(m->arrays[i].type);
        }
    for (int i = 1; i < WFI_STATE_NUMBERS && f->numbers[i - 1]; i++) s.number[i] = *f->numbers[i - 1];
    return s;
}

weft_status wfi_fixpoint_run(wfi_ops *o, void *state, wfi_job *job, wfi_fixpoint *f,
                             weft_status (*begin)(wfi_ops *o, void *state, bool *converged)) {
    const wfi_method *m = job->choice->algorithm->operators;
    wfi_state saved = state_of(m, state, f);
    bool converged = false;
    weft_status st = wfi_checkpoint_resume(job->checkpoint, &saved, &f->done);
    f->residual = saved.number[0];
    if (!st && f->done) {
        for (int i = 1; i < WFI_STATE_NUMBERS && f->numbers[i - 1]; i++) *f->numbers[i - 1] = saved.number[i];
        converged = f->residual <= f->tolerance;
        st = f->resumed ? f->resumed(o, state) : WEFT_OK;
    } else if (!st) {
        st = begin(o, state, &converged);
    }
    while (!st && !converged && f->done < f->most) {
        wfi_progress(o->ctx, f->doing, f->done, f->most);
        st = f->step(o, state, &f->residual);
        converged = f->residual <= f->tolerance;
        f->done++;
        saved = state_of(m, state, f);
        if (!st) st = wfi_checkpoint_reached(job->checkpoint, &saved, f->done);
    }
    return st;
}
