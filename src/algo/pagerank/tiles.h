/* Tiles: the arcs of a graph cut by blocks of sources and blocks of targets, so that a sweep stays inside a core's
 * cache. */
#ifndef WFI_PAGERANK_TILES_H
#define WFI_PAGERANK_TILES_H

#include "core/workspace.h"
#include "graph/graph.h"

typedef struct wfi_tiles {
    const weft_graph *g;
    unsigned from_shift, to_shift; /* the block of sources of u is u >> from_shift; both at most 16 */
    size_t froms, tos;             /* blocks of sources, blocks of targets */
    uint64_t *start;               /* [to][from], and the end: where a tile's arcs begin */
    uint32_t *arcs; /* source within its block << 16 | target within its block; by source within a tile */
} wfi_tiles;

/* Scratch of their making: counters and places, for each thread. */
typedef struct wfi_tiles_scratch {
    uint32_t *counts, **cursors;
} wfi_tiles_scratch;

/* The tiles' arrays, and after the making of them, where its scratch lay, a block of sums for each thread. */
void wfi_tiles_lay_out(wfi_workspace *w, weft_vid n, weft_eid arcs, int threads, wfi_tiles *tiles,
                       wfi_tiles_scratch *scratch, uint64_t **sums);

/* Sorts the outgoing arcs into tiles. */
weft_status wfi_tiles_make(weft_ctx *ctx, const weft_graph *g, const wfi_tiles_scratch *scratch, wfi_tiles *tiles);

/* sum[k] = sum of the shares of all arcs to vertex k of the block of targets, in fixed point of one limb.  False when
 * the caller of the library wants no more. */
bool wfi_tiles_add(weft_ctx *ctx, const wfi_tiles *tiles, size_t to, const float *share, uint64_t *sum);

#endif
