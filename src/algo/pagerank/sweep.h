/* A run of PageRank in progress: what its sweeps read and write. */
#ifndef WFI_PAGERANK_SWEEP_H
#define WFI_PAGERANK_SWEEP_H

#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/tiles.h"
#include "shared/pull/pull.h"

typedef struct wfi_ranking {
    weft_ctx *ctx;
    const weft_graph *g;
    wfi_pulling pull; /* shares in effect; no rows with tiles */
    wfi_tiles *tiles; /* NULL = pull */
    uint64_t *sums;   /* tiles: room for one block's sums for each thread */
    bool single;      /* ranks are f32 */
    double damping, uniform;
    double *restart;     /* NULL = uniform */
    double *dangling_to; /* NULL = it restarts */
    double dangling;     /* that goes there in this iteration */
    double *give;        /* 2^62 / (out-degree, or sum of the row's weights); 0 = dangling */
    void *rank;
    void *next;    /* shares of the part that is being swept; they change places with those in effect if that is all */
    weft_vid part; /* vertices that are swept at once */
} wfi_ranking;

#endif
