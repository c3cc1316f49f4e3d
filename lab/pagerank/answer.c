/* The last lines of every rung's answer. */
#include "pagerank.h"

#include <math.h>

const char *pagerank_serves(lab_run *r) {
    const weft_pagerank_params *p = pagerank_params(r);
    if (p->weights) return "this rung counts every arc alike; only the engine follows weights";
    if (p->restart || (p->personalize && *p->personalize))
        return "this rung restarts everywhere alike; only the engine restarts where you say";
    if (p->dangling != WEFT_DANGLING_REDISTRIBUTE)
        return "this rung redistributes dangling rank; only the engine drops it";
    return NULL;
}

void pagerank_answer(lab_run *r, const float *rank, const float *before, uint64_t iterations) {
    double residual = 0, sum = 0;
    weft_vid n = r->out.vertices;
    for (weft_vid v = 0; v < n; v++) {
        residual += fabs((double)rank[v] - (double)before[v]);
        sum += (double)rank[v];
    }
    lab_column(r, "rank", WEFT_F32, rank, n);
    lab_u64(r, "iterations", iterations);
    lab_f64(r, "residual", residual);
    lab_f64(r, "sum", sum);
    r->edges = (double)iterations * (double)r->out.arcs;
}
