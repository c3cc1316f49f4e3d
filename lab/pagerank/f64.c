/* Rung 6: rung 4 in double.
 * Should win: digits, twelve instead of six.  Should lose: the contribution that an arc reads is twice as wide, so half as many
 * fit in the cache; arcs and offsets stay as they are, so less than twice as slow.  Where all fit it may
 * win: there is no conversion before each addition. */
#include "pagerank.h"
#include "weft/pagerank.h"

#include <math.h>

typedef struct wide {
    const lab_run *run;
    double *rank, *next, *share;
} wide;

/* --- excerpt --- */
static void step(const wide *w, double damping, double base) {
    const weft_csr *in = &w->run->in, *out = &w->run->out;
#pragma omp parallel num_threads(w->run->threads)
    {
#pragma omp for
        for (weft_vid u = 0; u < in->vertices; u++) {
            double degree = (double)(out->offsets[u + 1] - out->offsets[u]);
            w->share[u] = degree > 0 ? w->rank[u] / degree : 0;
        }
#pragma omp for schedule(dynamic, 256)
        for (weft_vid v = 0; v < in->vertices; v++) {
            double sum = 0;
            for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++) sum += w->share[in->targets[e]];
            w->next[v] = base + damping * sum;
        }
    }
}
/* --- end --- */

static double dangling_of(const wide *w) {
    const weft_csr *out = &w->run->out;
    double sum = 0;
    for (weft_vid u = 0; u < out->vertices; u++)
        if (out->offsets[u] == out->offsets[u + 1]) sum += w->rank[u];
    return sum;
}

static weft_status run(lab_run *r) {
    const weft_pagerank_params *p = pagerank_params(r);
    weft_vid n = r->out.vertices;
    wide w = {r, lab_take(r, n * sizeof(double)), lab_take(r, n * sizeof(double)), lab_take(r, n * sizeof(double))};
    if (!w.rank || !w.next || !w.share) return WEFT_ENOMEM;
    lab_reads(r, &r->in);
    lab_turn(r, LAB_KERNELS);
    for (weft_vid v = 0; v < n; v++) w.rank[v] = 1 / (double)n;
    for (uint64_t i = 0; i < p->iterations; i++) {
        if (lab_stopped(r)) return WEFT_ECANCELLED;
        step(&w, p->damping, (1 - p->damping + p->damping * dangling_of(&w)) / (double)n);
        double *swap = w.rank;
        w.rank = w.next;
        w.next = swap;
    }
    lab_turn(r, LAB_UNTIMED);
    double residual = 0, sum = 0;
    for (weft_vid v = 0; v < n; v++) {
        residual += fabs(w.rank[v] - w.next[v]);
        sum += w.rank[v];
    }
    lab_column(r, "rank", WEFT_F64, w.rank, n);
    lab_u64(r, "iterations", p->iterations);
    lab_f64(r, "residual", residual);
    lab_f64(r, "sum", sum);
    r->edges = (double)p->iterations * (double)r->in.arcs;
    r->bytes = (double)p->iterations * (12.0 * (double)r->in.arcs + 48.0 * (double)n);
    return WEFT_OK;
}

const lab_rung pagerank_f64 = {
    .name = "f64",
    .title = "CPU, f64: the same in double",
    .against = "contributions",
    .changed = "Ranks and contributions are doubles. Nothing else.",
    .wins = "Digits: the difference from the reference falls from about 1e-9 to about 1e-17.",
    .loses = "What an arc reads is twice as wide, so half as many contributions fit in a cache. While they all fit "
             "it can even win: the rungs in f32 turn each addend into a double before they add it.",
    .model = "an iteration: 4 m (sources) + 8 m (contributions, one by one) + 48 n (offsets twice, ranks, "
             "contributions)",
    .source = "lab/pagerank/f64.c",
    .device = LAB_CPU,
    .adjust = pagerank_in_f64,
    .serves = pagerank_serves,
    .run = run,
};
