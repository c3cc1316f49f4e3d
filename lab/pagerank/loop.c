/* The loop around every rung's step. */
#include "afford.h"
#include "pagerank.h"
#include "weft/pagerank.h"

#include <math.h>

uint64_t pagerank_iterations(const lab_run *r) { return pagerank_params(r)->iterations; }
double pagerank_damping(const lab_run *r) { return pagerank_params(r)->damping; }

const char *pagerank_serves_any(lab_run *r) {
    const weft_pagerank_params *p = pagerank_params(r);
    if (p->weights) return "this rung counts every arc alike; only the engine follows weights";
    if (p->restart) return "this rung restarts everywhere alike; only the engine restarts where you say";
    if (p->dangling != WEFT_DANGLING_REDISTRIBUTE)
        return "this rung shares out the rank of nodes that point nowhere; only the engine can drop it";
    return NULL;
}

const char *pagerank_serves(lab_run *r) {
    if (!pagerank_iterations(r)) return "this rung does a fixed number of iterations, and none is given";
    return pagerank_serves_any(r);
}

/* Pairs of 8 bytes an arc beside the row itself is the most that a rung takes. */
const char *pagerank_gpu_serves_any(lab_run *r) {
    const char *other = pagerank_serves_any(r);
    return other ? other : lab_too_large_for_gpu(r, 12.0 * (double)r->in.arcs + 64.0 * r->in.vertices);
}

/* A launch takes some microseconds, an arc on a GPU of any kind less than a nanosecond. */
const char *pagerank_gpu_serves(lab_run *r) {
    if (pagerank_serves(r)) return pagerank_serves(r);
    const char *other = pagerank_gpu_serves_any(r);
    double seconds = (double)pagerank_iterations(r) * (2e-5 + 1e-9 * (double)r->in.arcs);
    return other ? other : lab_too_slow(r, seconds);
}

void pagerank_in_f32(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F32; }
void pagerank_in_f64(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F64; }
void pagerank_in_f16(void *params) { ((weft_pagerank_params *)params)->precision = WEFT_PRECISION_F16; }

weft_status pagerank_begin(lab_run *r, pagerank_state *s, int threads) {
    weft_vid n = r->out.vertices;
    *s = (pagerank_state){.run = r, .n = n, .damping = pagerank_damping(r), .threads = threads};
    s->degree = lab_take(r, n * sizeof *s->degree);
    s->rank = lab_take(r, n * sizeof *s->rank);
    s->next = lab_take(r, n * sizeof *s->next);
    s->share = lab_take(r, n * sizeof *s->share);
    if (!s->degree || !s->rank || !s->next || !s->share) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid u = 0; u < n; u++) s->degree[u] = (uint32_t)(r->out.offsets[u + 1] - r->out.offsets[u]);
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < n; v++) s->rank[v] = 1 / (float)n;
    return WEFT_OK;
}

void pagerank_advance(pagerank_state *s, void (*step)(const pagerank_state *s)) {
    double dangling = 0;
#pragma omp parallel for num_threads(s->threads) reduction(+ : dangling) if (s->threads > 1)
    for (weft_vid u = 0; u < s->n; u++)
        if (!s->degree[u]) dangling += (double)s->rank[u];
    s->base = (1 - s->damping + s->damping * dangling) / (double)s->n;
    step(s);
    float *swap = s->rank;
    s->rank = s->next;
    s->next = swap;
}

weft_status pagerank_iterate(pagerank_state *s, void (*step)(const pagerank_state *s)) {
    uint64_t iterations = pagerank_params(s->run)->iterations;
    for (uint64_t i = 0; i < iterations; i++) {
        if (lab_stopped(s->run)) return WEFT_ECANCELLED;
        pagerank_advance(s, step);
    }
    if (lab_stopped(s->run)) return WEFT_ECANCELLED; /* within a step */
    lab_turn(s->run, LAB_UNTIMED);
    pagerank_answer(s, iterations);
    return WEFT_OK;
}

void pagerank_answer(pagerank_state *s, uint64_t iterations) {
    lab_run *r = s->run;
    double residual = 0, sum = 0;
    for (weft_vid v = 0; v < s->n; v++) {
        residual += fabs((double)s->rank[v] - (double)s->next[v]);
        sum += (double)s->rank[v];
    }
    lab_column(r, "rank", WEFT_F32, s->rank, s->n);
    lab_u64(r, "iterations", iterations);
    lab_f64(r, "residual", residual);
    lab_f64(r, "sum", sum);
    r->edges = (double)iterations * (double)r->out.arcs;
}
