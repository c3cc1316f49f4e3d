/* A graph spread over ranks, each of which has the rows of some vertices: 1-D.
 *
 * The vertices are cut into one block, or a few that are computed in turn, and each block into a range for each rank, so that all ranks have
 * about as many arcs of it.  A rank's vertices are numbered through from 0 ("places"): those of its range of the first block, then of
 * the second.  Targets are vertices of the whole graph.
 *
 * Rows are read where they lie: a .weft file is mapped, and a rank touches the pages of its own ranges only.  The incoming rows of a directed
 * graph whose file lacks them are made by sending arcs to the ranks of their targets. */
#ifndef WFI_SPREAD_H
#define WFI_SPREAD_H

#include "core/workspace.h"
#include "graph/graph.h"
#include "ranks/comm.h"

/* Ranges begin at multiples of 8, so that in an array of bits each rank has bytes of its own. */
enum { WFI_MOST_BLOCKS = 8, WFI_CUT_AT = 8 };

typedef struct wfi_part {
    weft_vid lo, hi;     /* the block */
    weft_vid first, end; /* this rank's range of it */
    weft_vid place;      /* of the vertex `first` */
    weft_vid *cut;       /* rank r has cut[r] ... cut[r+1]-1 */
    wfi_rows out, in;    /* row k is that of the vertex first + k; in.offsets is NULL until it was asked for */
} wfi_part;

typedef struct wfi_spread {
    wfi_comm *comm;
    const weft_graph *g; /* what is known of the whole: n, arcs, direction, weights, ids */
    size_t blocks;
    weft_vid vertices; /* of this rank */
    weft_eid arcs;     /* outgoing ones of these */
    wfi_part part[WFI_MOST_BLOCKS];
    weft_vid *cuts;    /* of all parts */
    uint64_t *start;   /* room for size + 1 numbers, for callers of collective calls */
    bool in_made;      /* the incoming rows are blocks of their own */
    uint64_t in_bytes; /* that they hold */
} wfi_spread;

/* Blocks of `block` vertices; 0: all of them in one.  All ranks call it, with a graph that is the same everywhere. */
weft_status wfi_spread_new(weft_ctx *ctx, wfi_comm *comm, const weft_graph *g, weft_vid block, wfi_spread **out);
void wfi_spread_free(wfi_spread *s);

/* Rows of the vertices from `first` on. */
wfi_rows wfi_rows_from(const wfi_rows *rows, weft_vid first);

/* The incoming rows of all parts; all ranks call it. */
weft_status wfi_spread_need_in(weft_ctx *ctx, wfi_spread *s);
void wfi_spread_drop_in(wfi_spread *s);

/* in[place] = arcs that enter each of this rank's vertices, without making their rows; all ranks call it. */
weft_status wfi_spread_in_degrees(weft_ctx *ctx, const wfi_spread *s, uint64_t *in);

/* Every rank has values of `each` bytes for its range of the part, in its place of `all`, which has a value for each vertex of the graph: now it
 * has all of the block. */
weft_status wfi_spread_allgather(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, void *all, size_t each);

/* The rank that has v, which lies in the part's block. */
int wfi_part_owner(const wfi_part *part, int ranks, weft_vid v);

/* Bytes of the rows that this rank reads. */
uint64_t wfi_spread_row_bytes(const wfi_spread *s);

#endif
