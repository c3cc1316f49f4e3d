/* A distributed graph (1-D partition by rows): each rank owns a range of rows and gets copies of other rows when rows
 * are redistributed.
 *
 * Encoding: the arrays of g->out have the addresses of the whole graph, but memory for local rows only. So rows lie
 * where they would lie on one machine, as in a mapped file, and arcs have the same positions on all ranks. Rows that
 * are not local must not be accessed. Ids are complete on every rank. */
#ifndef WFI_RANKS_SHARE_H
#define WFI_RANKS_SHARE_H

#include "core/memory.h"
#include "graph/graph.h"

/* An array with memory for some of its pages. */
typedef struct wfi_sparse {
    char *at;
    size_t bytes; /* reserved address range */
    size_t each;  /* per element; 0: no such array */
} wfi_sparse;

typedef struct wfi_range {
    weft_vid first, end;
} wfi_range;

struct wfi_share {
    int rank, ranks;
    weft_vid *cut; /* ranks + 1: rank r owns the rows cut[r] ... cut[r+1] - 1 */
    wfi_range owned;
    wfi_sparse offsets, targets, weights;
    wfi_range *local; /* rows with memory here: owned rows, then copies */
    size_t local_count, local_capacity;
    wfi_memory *memory; /* accounts `counted` bytes */
    uint64_t counted;
};

/* Makes g->share with addresses for g->n vertices and g->arcs arcs and no local rows. Copies `cut` (ranks + 1
 * entries). */
weft_status wfi_share_new(weft_ctx *ctx, weft_graph *g, const weft_vid *cut);
void wfi_share_free(struct wfi_share *s);
/* Makes memory for the rows first ... end - 1 with the arcs first_arc ... end_arc - 1; the caller fills it. */
weft_status wfi_share_open(weft_ctx *ctx, const weft_graph *g, weft_vid first, weft_vid end, weft_eid first_arc,
                           weft_eid end_arc);
/* The local range that contains the arc. */
wfi_range wfi_share_range_of(const weft_graph *g, weft_eid arc);

/* Replaces the owned weights by weights of another type, filled by `put`. Needs: no local copies of other rows. For
 * wfi_graph_weights_as. */
typedef void (*wfi_put_weights)(const weft_graph *g, weft_eid first, weft_eid end, weft_weight_type type, void *to);
weft_status wfi_share_change_weights(weft_ctx *ctx, weft_graph *g, weft_weight_type type, wfi_put_weights put);

/* Rows whose begin a rank knows: offsets[v - first] + base, for first <= v <= end. */
typedef struct wfi_known_rows {
    weft_vid first, end;
    const weft_eid *offsets;
    weft_eid base;
} wfi_known_rows;

/* Cuts the vertices lo ... hi - 1 into ranges of about equal cost, or of cost proportional to `weights` (NULL:
 * equal): rank r gets cut[r] ... cut[r+1] - 1. Ranges begin at multiples of WFI_CUT_AT. Needs: together the ranks
 * know all rows. Collective. */
enum { WFI_CUT_AT = 8 /* so that each rank has whole bytes of a bitmap */ };
weft_status wfi_share_cut(weft_ctx *ctx, const wfi_known_rows *mine, const uint64_t *weights, weft_vid lo, weft_vid hi,
                          weft_vid *cut);
/* The rows that this rank owns. */
wfi_known_rows wfi_share_known(const weft_graph *g);

/* A rank's part of an array of g->out; the parts in the order of ranks are the array. */
typedef struct wfi_slice {
    const char *at;
    uint64_t bytes;
} wfi_slice;
wfi_slice wfi_share_offsets(const weft_graph *g);
wfi_slice wfi_share_targets(const weft_graph *g);
wfi_slice wfi_share_weights(const weft_graph *g);
/* wfi_digest of an array from the slices of all ranks. Collective. */
weft_status wfi_share_digest(weft_ctx *ctx, const char *stage, wfi_slice mine, uint64_t seed, uint64_t *digest);

/* Statistics for weft_graph_describe, collective: distinct out-degrees, ascending, with their numbers of rows (blocks
 * of wfi_take); isolated vertices and the maximum in-degree; the range of weights. */
weft_status wfi_share_distribution(weft_ctx *ctx, const weft_graph *g, uint64_t **degree, uint64_t **rows,
                                   size_t *length);
weft_status wfi_share_incoming(weft_ctx *ctx, const weft_graph *g, uint64_t *isolated, uint64_t *most);
weft_status wfi_share_weight_range(weft_ctx *ctx, const weft_graph *g, double *min, double *max);

/* Copies the rows cut[r] ... cut[r+1] - 1 to rank r, unless all ranks have theirs already. Collective. */
weft_status wfi_share_redistribute(weft_ctx *ctx, const weft_graph *g, const weft_vid *cut);

#endif
