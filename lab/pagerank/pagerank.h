/* What the rungs of PageRank share: the equation's constants, the last lines of an answer, and the list of rungs. */
#ifndef WEFT_LAB_PAGERANK_H
#define WEFT_LAB_PAGERANK_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline const weft_pagerank_params *pagerank_params(const lab_run *r) {
    return (const weft_pagerank_params *)r->params;
}

static inline weft_eid pagerank_out_degree(const lab_run *r, weft_vid u) {
    return r->out.offsets[u + 1] - r->out.offsets[u];
}

/* Ladders' parameters with weights or restarts are the engine's only: the hand-written rungs say that they do not serve them. */
const char *pagerank_serves(lab_run *r);

/* rank[] after `iterations` steps and before[] one step earlier become the answer: rank, iterations, residual, sum.  Also
 * counts the edges: all arcs, each iteration. */
void pagerank_answer(lab_run *r, const float *rank, const float *before, uint64_t iterations);

/* The words of the byte model that rungs with a gather of ranks through the transpose share. */
#define PAGERANK_GATHER_MODEL \
    "an iteration: 8 n (offsets) + 4 m (sources) + 4 m (their ranks, one by one) + 4 n (new ranks)"

extern const lab_rung pagerank_naive;

#ifdef __cplusplus
}
#endif
#endif
