/* A distributed graph (1-D partition by rows): ranks that read or made it together own a range of rows each, and get
 * copies of others when rows are redistributed.
 *
 * Encoding: the arrays of g->out have the addresses of the whole graph, but memory for local rows only.  So rows lie
 * where they would lie on one machine, as in a mapped file, and arcs have the same positions on all ranks.  Rows that
 * are not local must not be touched.  Ids are whole on every rank. */
#ifndef WFI_RANKS_SHARE_H
#define WFI_RANKS_SHARE_H

#include "core/memory.h"
#include "graph/graph.h"

/* An array of which parts are there. */
typedef struct wfi_sparse {
    char *at;
    size_t bytes; /* of addresses */
    size_t each;  /* of an element; 0: there is no such array */
} wfi_sparse;

typedef struct wfi_range {
    weft_vid first, end;
} wfi_range;

struct wfi_share {
    int rank, ranks;
    weft_vid *cut; /* ranks + 1: rank r owns the rows cut[r] ... cut[r+1]-1 */
    wfi_range owned;
    wfi_sparse offsets, targets, weights;
    wfi_range *local; /* rows that have memory here: those owned, then copies */
    size_t local_count, local_room;
    wfi_memory *memory; /* counts it */
    uint64_t counted;
};

/* Makes g->share: room for g->n vertices and g->arcs arcs, nothing of which is local; cut: ranks + 1, which are
 * copied. */
weft_status wfi_share_new(weft_ctx *ctx, weft_graph *g, const weft_vid *cut);
void wfi_share_free(struct wfi_share *s);
/* Memory for the rows first ... end-1, whose arcs are first_arc ... end_arc-1; the caller fills it. */
weft_status wfi_share_open(weft_ctx *ctx, const weft_graph *g, weft_vid first, weft_vid end, weft_eid first_arc,
                           weft_eid end_arc);
/* The local range that the arc lies in. */
wfi_range wfi_share_range_of(const weft_graph *g, weft_eid arc);

/* Weights of another type take the place of those owned, while no others are local; `put` fills them.  For
 * wfi_graph_weights_as. */
typedef void (*wfi_put_weights)(const weft_graph *g, weft_eid first, weft_eid end, weft_weight_type type, void *to);
weft_status wfi_share_change_weights(weft_ctx *ctx, weft_graph *g, weft_weight_type type, wfi_put_weights put);

/* Of the rows, what a rank knows: where that of v begins, offsets[v - first] + base, for v up to end. */
typedef struct wfi_known_rows {
    weft_vid first, end;
    const weft_eid *offsets;
    weft_eid base;
} wfi_known_rows;

/* Cuts of the vertices lo ... hi-1 into ranges of about the same cost, or of as much for each rank as its weight says
 * (NULL: the same for all): rank r has cut[r] ... cut[r+1]-1.  Ranges begin at multiples of WFI_CUT_AT.  The ranks know
 * all rows between them.  All of them call it. */
enum { WFI_CUT_AT = 8 /* so that in an array of bits each rank has bytes of its own */ };
weft_status wfi_share_cut(weft_ctx *ctx, const wfi_known_rows *mine, const uint64_t *weights, weft_vid lo, weft_vid hi,
                          weft_vid *cut);
/* Those that this rank owns. */
wfi_known_rows wfi_share_known(const weft_graph *g);

/* What a rank owns of an array of g->out; those of all ranks, in their order, are the array. */
typedef struct wfi_slice {
    const char *at;
    uint64_t bytes;
} wfi_slice;
wfi_slice wfi_share_offsets(const weft_graph *g);
wfi_slice wfi_share_targets(const weft_graph *g);
wfi_slice wfi_share_weights(const weft_graph *g);
/* wfi_digest of an array of which each rank has a slice.  All ranks call it. */
weft_status wfi_share_digest(weft_ctx *ctx, const char *stage, wfi_slice mine, uint64_t seed, uint64_t *digest);

/* For weft_graph_describe, of all ranks, which all call it: the outgoing degrees that occur, ascending, and how many
 * rows have each (blocks of wfi_take); vertices without arcs, and the most arcs that enter one; the range of the
 * weights here, which is left alone if there are none. */
weft_status wfi_share_distribution(weft_ctx *ctx, const weft_graph *g, uint64_t **degree, uint64_t **rows,
                                   size_t *length);
weft_status wfi_share_incoming(weft_ctx *ctx, const weft_graph *g, uint64_t *isolated, uint64_t *most);
weft_status wfi_share_weight_range(weft_ctx *ctx, const weft_graph *g, double *min, double *max);

/* Redistributes: copies of the rows cut[r] ... cut[r+1]-1 come to rank r, unless all ranks have theirs.  Collective. */
weft_status wfi_share_redistribute(weft_ctx *ctx, const weft_graph *g, const weft_vid *cut);

#endif
