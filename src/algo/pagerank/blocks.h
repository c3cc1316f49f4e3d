/* Propagation blocking: shares travel to their targets through bins, one bin for each block of neighbouring targets. */
#ifndef WFI_PAGERANK_BLOCKS_H
#define WFI_PAGERANK_BLOCKS_H

#include "graph/graph.h"

typedef struct wfi_blocks {
    const weft_graph *g;
    unsigned shift; /* the block of vertex v is v >> shift; at most 16, so that a place in it takes 2 bytes */
    size_t blocks, tasks;
    weft_vid *first;  /* tasks + 1: task t sends from the vertices first[t] ... first[t+1]-1 */
    uint64_t *start;  /* [task][block]: where the task's part of the bin begins */
    uint64_t *cursor; /* the same, moving */
    uint64_t *end;    /* blocks: behind the bin */
    uint16_t *place;  /* arcs: the target within its block, bin after bin */
    float *share;     /* arcs: what travels to it in this iteration */
} wfi_blocks;

/* Bytes that the blocks of a graph take with so many threads, a block of sums for each of them included. */
uint64_t wfi_blocks_bytes(weft_vid n, weft_eid arcs, int threads);

/* Sorts the outgoing arcs into bins, once.  Free them even after a failure. */
weft_status wfi_blocks_make(weft_ctx *ctx, const weft_graph *g, wfi_blocks *b);
void wfi_blocks_free(wfi_blocks *b);

/* Puts the share of each source into the bins of its targets; WEFT_ECANCELLED on request. */
weft_status wfi_blocks_scatter(weft_ctx *ctx, wfi_blocks *b, const float *share);

/* sum[k] = sum of the shares that came to vertex k of the block, in fixed point of one limb. */
void wfi_blocks_gather(const wfi_blocks *b, size_t block, uint64_t *sum);

static inline weft_vid wfi_block_first(const wfi_blocks *b, size_t block) {
    return (weft_vid)wfi_min_u64((uint64_t)block << b->shift, b->g->n);
}

#endif
