/* A graph partitioned over ranks, each of which has the rows of some vertices.
 *
 * Method: the vertices are cut into one block, or a few that are computed in turn, and each block into a range for each
 * rank, so that all ranks have about as many arcs of it.  Ranks stand in a grid of one column (1-D partition), or of
 * several (2-D, Yoo et al. [1]): rank r is in column r % columns, and the ranks of a row are neighbours.  In a grid a
 * rank has the incoming rows of all vertices of its row of ranks, restricted to arcs from vertices of its column; so it
 * needs the values of its column's vertices, which it "sees".  With one column it sees all vertices.
 *
 * Encoding: a rank's vertices are numbered through from 0 ("places"): those of its range of the first block, then of
 * the second; seen vertices block by block, rank by rank.  Targets are vertices of the whole graph.  Rows are read in
 * place: a .weft file is mapped, and a rank touches the pages of its own ranges only; rows of a graph that ranks have
 * read or made together (graph/ranks/share.h) are redistributed first.  The incoming rows of a directed graph whose
 * file lacks them are made by sending arcs to the owners of their targets.  A single rank has one range, all of the
 * graph.
 * [1] Yoo, Chow, Henderson, McLendon, Hendrickson, Catalyurek, "A scalable distributed parallel breadth-first search
 *     algorithm on BlueGene/L", SC 2005. */
#ifndef WFI_SPREAD_H
#define WFI_SPREAD_H

#include "core/comm.h"
#include "core/workspace.h"
#include "cuda/transfer.h"
#include "graph/ranks/share.h"

WFI_C_BEGIN

enum { WFI_MOST_BLOCKS = 8 };

typedef struct wfi_part {
    weft_vid lo, hi;           /* the block */
    weft_vid first, end;       /* this rank's range of it */
    weft_vid place;            /* place of the vertex `first` */
    weft_vid *cut;             /* rank r has cut[r] ... cut[r+1]-1 */
    weft_vid seen;             /* where this rank's range begins among the vertices that it sees */
    weft_vid in_first, in_end; /* the ranges of this rank's row of the grid */
    wfi_view out;              /* row k belongs to the vertex first + k */
    wfi_view in; /* row k belongs to in_first + k, its sources are seen; offsets are NULL before wfi_spread_need_in */
} wfi_part;

typedef struct wfi_spread {
    wfi_comm *comm;
    const weft_graph *g; /* figures of the whole graph: n, arcs, direction, weights, ids */
    size_t blocks;
    int columns;       /* columns of the grid */
    weft_vid vertices; /* vertices of this rank */
    weft_vid sees;     /* vertices of its column */
    weft_eid arcs;     /* out of this rank's vertices */
    uint64_t longest;  /* row of outgoing arcs, of all ranks; unknown on a single rank */
    wfi_part part[WFI_MOST_BLOCKS];
    uint64_t *start; /* size + 1 numbers, scratch for callers of collective calls */
    /* Outgoing and incoming rows that a run has left on the GPU, for the plan's next run (device.h). */
    wfi_view (*there)[WFI_MOST_BLOCKS];
    bool in_made;     /* the incoming rows are blocks of their own */
    weft_eid in_arcs; /* set by wfi_spread_expect_in: arcs into this rank's vertices, ... */
    weft_eid away;    /* ... and arcs from here to other ranks */
    bool expected;
} wfi_spread;

/* Blocks of `block` vertices; 0: all vertices in one.  Collective, with a graph that is the same everywhere.  It takes
 * one small block of memory; on a single rank it reads no row. */
weft_status wfi_spread_new(weft_ctx *ctx, const weft_graph *g, weft_vid block, wfi_spread **out);
void wfi_spread_free(wfi_spread *s);

/* True if this rank has all vertices, because it is the only one: nothing is sent, and nothing is copied. */
static inline bool wfi_spread_is_whole(const wfi_spread *s) { return s->comm->link.size == 1; }

/* Changes the grid to `columns` columns, a divisor of the ranks; a new spread has one.  Drops the incoming rows.
 * Collective. */
void wfi_spread_set_columns(wfi_spread *s, int columns);

/* Forgets the rows that runs have left on the GPU. */
static inline void wfi_spread_forget_gpu_rows(wfi_spread *s) { s->there[0][0].offsets = s->there[1][0].offsets = NULL; }

/* The part's range of the graph's rows.  A part without vertices gets the single offset 0, for the graph's offsets may
 * be on other ranks. */
wfi_view wfi_part_rows(const wfi_part *part, const wfi_view *rows);

/* The graph's own incoming rows, if the file has them and this rank's are among them; else NULL. */
static inline const wfi_view *wfi_spread_in_at_hand(const wfi_spread *s) {
    return s->columns == 1 ? wfi_in_at_hand(s->g) : NULL;
}

/* Makes the incoming rows of all parts.  Collective. */
weft_status wfi_spread_need_in(weft_ctx *ctx, wfi_spread *s);
void wfi_spread_drop_in(wfi_spread *s);
/* Counts the incoming rows before they are made.  Collective.  Then the bytes that they hold; the peak while they are
 * made, or only counted (approximate if that takes several windows); and the bytes that this rank sends for that. */
weft_status wfi_spread_expect_in(weft_ctx *ctx, wfi_spread *s);
uint64_t wfi_spread_in_arcs(const wfi_spread *s); /* also if they are at hand */
uint64_t wfi_spread_in_bytes(const wfi_spread *s);
uint64_t wfi_spread_in_making(const wfi_spread *s);
uint64_t wfi_spread_in_counting(const wfi_spread *s);
uint64_t wfi_spread_in_sends(const wfi_spread *s, bool rows);

/* in[place] = the number of arcs into each of this rank's vertices, without making their rows; in a grid, in[k] for
 * each incoming row.  Collective. */
weft_status wfi_spread_in_degrees(weft_ctx *ctx, const wfi_spread *s, uint64_t *in);

/* Gathers values of `each` bytes in `all`, which has one for each vertex that this rank sees: every rank has filled its
 * own range of the part; afterwards it has the whole block. */
weft_status wfi_spread_allgather(weft_ctx *ctx, const wfi_spread *s, const wfi_part *part, void *all, size_t each);

/* The rank that owns v, a vertex of the part's block. */
int wfi_part_owner(const wfi_part *part, int ranks, weft_vid v);

/* The vertex of the whole graph with the most outgoing arcs, ties to the smallest; the graph is in one block.
 * Collective. */
weft_status wfi_spread_max_out_degree_vertex(weft_ctx *ctx, const wfi_spread *s, weft_vid *vertex);

/* Values that this rank sends to give all ranks one for each of its vertices. */
static inline uint64_t wfi_spread_copies(const wfi_spread *s) {
    return (uint64_t)s->vertices * (uint64_t)(s->comm->link.size - 1);
}

/* True if this rank owns v, a vertex of the part's block. */
static inline bool wfi_part_has(const wfi_part *p, weft_vid v) { return v >= p->first && v < p->end; }

/* Bytes of the rows that this rank reads; of a shared graph, of all rows that it stores. */
uint64_t wfi_spread_row_bytes(const wfi_spread *s);

WFI_C_END
#endif
