/* A run of PageRank in progress: what its sweeps read and write. */
#ifndef WFI_PAGERANK_SWEEP_H
#define WFI_PAGERANK_SWEEP_H

#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/tiles.h"

/* What travels along an arc: a share in f32, one in f64, one in f64 times the weight of the arc, or one in f16. */
typedef enum wfi_travels { WFI_SHARE_32, WFI_SHARE_64, WFI_SHARE_WEIGHTED, WFI_SHARE_16 } wfi_travels;

typedef struct wfi_ranking {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_rows *in; /* pulled from; NULL with tiles */
    wfi_tiles *tiles;   /* NULL = pull */
    uint64_t *sums;     /* tiles: room for one block's sums for each thread */
    wfi_travels travels;
    bool single; /* ranks are f32 */
    double damping, uniform;
    double *restart; /* NULL = uniform */
    double *give;    /* 2^62 / (out-degree, or sum of the row's weights); 0 = dangling */
    int half_scale;  /* f16: a share of 1 is stored as 2^this */
    void *rank;
    void *share, *next; /* in effect, and those of the part that is being swept; they change places if that is all */
    weft_vid part;      /* vertices that are swept at once */
    _Atomic bool stop;
} wfi_ranking;

/* came[k] = what comes in to vertex first + k. */
void wfi_pull(wfi_ranking *r, weft_vid first, weft_vid count, double *came);

/* Chunks of rows that cost about the same: chunk c of the vertices first ... end-1 begins at the vertex returned. */
size_t wfi_pull_chunks(const wfi_ranking *r, weft_vid first, weft_vid end);
weft_vid wfi_pull_chunk(const wfi_ranking *r, weft_vid first, weft_vid end, size_t c);

#endif
