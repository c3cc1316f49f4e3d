/* See sweeps.h. */
#include "sweeps.h"

#include "afford.h"
#include "weft/pagerank.h"

#include <math.h>

static const weft_pagerank_params *params_of(const lab_run *r) { return r->params; }

const char *sweeps_serve(lab_run *r) {
    const weft_pagerank_params *p = params_of(r);
    if (p->weights) return "this rung counts every arc alike; only the engine follows weights";
    if (p->restart || p->nstart || p->dangling_to)
        return "this rung starts and restarts everywhere alike; only the engine does so where you say";
    if (p->dangling != WEFT_DANGLING_REDISTRIBUTE)
        return "this rung shares out the rank of nodes that point nowhere; only the engine can drop it";
    if (!p->iterations) return "this rung does a fixed number of iterations, and none is given";
    /* Ranks share cores, and wait for each other some four times an iteration. */
    double step = 6e-9 * (double)r->in.arcs + 2e-5 * crew_ranks(r);
    return lab_too_slow(r, (double)p->iterations * step);
}

void sweeps_in_f32(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F32; }

weft_status sweeps_open(lab_run *r, crew_grid grid, int parts, sweeps *s) {
    size_t n = r->out.vertices;
    *s = (sweeps){
        .r = r, .n = r->out.vertices, .iterations = params_of(r)->iterations, .damping = params_of(r)->damping};
    s->rank = lab_take(r, n * sizeof *s->rank);
    s->before = lab_take(r, n * sizeof *s->before);
    s->share = lab_take(r, n * sizeof *s->share);
    s->sum = lab_take(r, n * sizeof *s->sum);
    if (!s->rank || !s->before || !s->share || !s->sum) return WEFT_ENOMEM;
    cut_vertices(r, grid, parts, &s->cut);
    return WEFT_OK;
}

/* --- what loops are made of --------------------------------------------------------------- */

static uint64_t degree(const sweeps *s, weft_vid v) { return s->r->out.offsets[v + 1] - s->r->out.offsets[v]; }

void sweeps_begin(const sweeps *s, weft_vid first, weft_vid end) {
    for (weft_vid v = first; v < end; v++) s->rank[v] = s->before[v] = 1 / (float)s->n;
}

uint64_t sweeps_lost(const sweeps *s, weft_vid first, weft_vid end) {
    uint64_t lost = 0;
    for (weft_vid v = first; v < end; v++)
        if (!degree(s, v)) lost += sweeps_fixed(s->rank[v]);
    return lost;
}

void sweeps_share(const sweeps *s, weft_vid first, weft_vid end) {
    for (weft_vid v = first; v < end; v++) s->share[v] = degree(s, v) ? s->rank[v] / (float)degree(s, v) : 0;
}

double sweeps_base(const sweeps *s, uint64_t lost) {
    return (1 - s->damping + s->damping * ((double)lost * 0x1p-62)) / (double)s->n;
}

void sweeps_advance(const sweeps *s, double base, weft_vid first, weft_vid end) {
    for (weft_vid v = first; v < end; v++) {
        s->before[v] = s->rank[v];
        s->rank[v] = (float)(base + s->damping * ((double)s->sum[v] * 0x1p-62));
    }
}

void sweeps_loop(crew_rank *me, const sweeps *s, void (*step)(crew_rank *me, void *state), void *state) {
    weft_vid first = cut_first(&s->cut, me->rank), end = first + cut_count(&s->cut, me->rank);
    sweeps_begin(s, first, end);
    for (uint64_t i = 0; i < s->iterations; i++) {
        uint64_t lost = sweeps_lost(s, first, end);
        if (!crew_sum(me, &lost, 1)) return;
        sweeps_share(s, first, end);
        step(me, state);
        sweeps_advance(s, sweeps_base(s, lost), first, end);
    }
}

/* --- the answer ------------------------------------------------------------------------------ */

crew_answer sweeps_answer(const sweeps *s) {
    return (crew_answer){{s->rank, s->before}, {s->n * sizeof *s->rank, s->n * sizeof *s->before}};
}

weft_status sweeps_close(sweeps *s, weft_status st) {
    lab_run *r = s->r;
    double residual = 0, sum = 0;
    if (st) return st;
    for (weft_vid v = 0; v < s->n; v++) {
        residual += fabs((double)s->rank[v] - (double)s->before[v]);
        sum += (double)s->rank[v];
    }
    lab_column(r, "rank", WEFT_F32, s->rank, s->n);
    lab_u64(r, "iterations", s->iterations);
    lab_f64(r, "residual", residual);
    lab_f64(r, "sum", sum);
    r->edges = (double)s->iterations * (double)r->in.arcs;
    return WEFT_OK;
}
