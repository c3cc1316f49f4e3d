/* What the rungs of PageRank share: the loop around a step, the last lines of an answer, and the list of rungs.
 * A step computes next[] from rank[]; a rung is its step. */
#ifndef WEFT_LAB_PAGERANK_H
#define WEFT_LAB_PAGERANK_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pagerank_state {
    lab_run *run;
    weft_vid n;
    double damping;
    double base;      /* what everybody gets in this step: restarts, and the rank of nodes that point nowhere */
    uint32_t *degree; /* out-degrees */
    float *rank, *next, *share;
    int threads; /* of the loop's own sums; the step has its own mind */
} pagerank_state;

struct weft_pagerank_params; /* a rung that uses its fields includes weft/pagerank.h */
static inline const struct weft_pagerank_params *pagerank_params(const lab_run *r) {
    return (const struct weft_pagerank_params *)r->params;
}

/* What the parameters ask for. */
uint64_t pagerank_iterations(const lab_run *r);
double pagerank_damping(const lab_run *r);

/* Why a hand-written rung does not serve these parameters (weights, restarts, dropped rank: only the engine does); else NULL. */
const char *pagerank_serves_any(lab_run *r);
/* The same for one that needs a number of iterations. */
const char *pagerank_serves(lab_run *r);

/* The same two for rungs on the GPU: it must fit there as well. */
const char *pagerank_gpu_serves_any(lab_run *r);
const char *pagerank_gpu_serves(lab_run *r);

/* adjust(): the precision of a rung, whichever was asked for. */
void pagerank_in_f32(void *params);
void pagerank_in_f64(void *params);
void pagerank_in_f16(void *params);

/* Allocates, copies the out-degrees in, and starts every rank at 1/n. */
weft_status pagerank_begin(lab_run *r, pagerank_state *s, int threads);
/* So many iterations as the parameters say; the answer; edges.  A long step may end early when lab_stopped says so. */
weft_status pagerank_iterate(pagerank_state *s, void (*step)(const pagerank_state *s));
/* One iteration: the base, the step, and rank and next change places. */
void pagerank_advance(pagerank_state *s, void (*step)(const pagerank_state *s));
/* rank[] after `iterations` steps and next[], one step earlier, become the answer: rank, iterations, residual, sum. */
void pagerank_answer(pagerank_state *s, uint64_t iterations);

/* The step of the rung "contributions", which later ones start from, and its bytes an iteration. */
void pagerank_contributions_step(const pagerank_state *s);
double pagerank_contributions_bytes(const lab_run *r);
#define PAGERANK_CONTRIBUTIONS_MODEL                                                                        \
    "an iteration: 4 m (sources) + 4 m (their contributions, one by one) + 24 n (offsets, ranks, degrees, " \
    "contributions)"

extern const lab_rung pagerank_naive, pagerank_transposed, pagerank_threaded, pagerank_contributions,
    pagerank_early_stop, pagerank_f64, pagerank_engine, pagerank_gpu_naive, pagerank_gpu_transposed, pagerank_gpu_tile,
    pagerank_gpu_warp, pagerank_gpu_interleaved, pagerank_gpu_contributions, pagerank_gpu_dynamic, pagerank_gpu_shuffle,
    pagerank_gpu_f16, pagerank_gpu_f64, pagerank_gpu_early_stop, pagerank_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
