/* The two halves of wfi_graph_build: ids become vertices, then arcs become rows. */
#ifndef WFI_BUILD_H
#define WFI_BUILD_H

#include "graph/edges.h"

/* After this every piece is narrow and holds vertices 0 ... *n-1; *ids maps them back. */
weft_status wfi_number_vertices(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_vid *n, wfi_ids *ids);

/* The part of it for WFI_NAMES; shared: by all ranks. */
weft_status wfi_number_names(weft_ctx *ctx, wfi_edges *edges, bool shared, weft_vid *n, wfi_ids *ids);

/* What happened on the way. */
typedef struct wfi_row_counts {
    weft_eid arcs;
    uint64_t loops;          /* left in the rows */
    uint64_t loops_dropped;  /* edges */
    uint64_t duplicate_arcs; /* dropped, not counting loops */
    uint64_t duplicate_loops;
    wfi_meeting repeated; /* with WEFT_DUPLICATES_REFUSE: all */
    /* With WEFT_DUPLICATES_DROP, different weights: of edges listed in the same direction; of an undirected edge listed
     * in both. */
    wfi_meeting parallel, opposite;
} wfi_row_counts;
void wfi_meeting_add(wfi_meeting *to, const wfi_meeting *from);

/* Sorted rows from narrow pieces, by the directions and rules of `build`; frees the pieces' arrays as soon as they are
 * copied. */
weft_status wfi_rows_from_edges(weft_ctx *ctx, wfi_edges *edges, weft_vid n, const wfi_build *build,
                                weft_weight_type type, wfi_rows *rows, wfi_row_counts *counts);
/* Of a graph of n vertices the rows first ... end-1, from pieces of arcs whose sources are counted from `first`; loops
 * are kept. */
weft_status wfi_rows_from_arcs(weft_ctx *ctx, wfi_edges *arcs, weft_vid first, weft_vid end, weft_vid n,
                               const wfi_build *build, weft_weight_type type, wfi_rows *rows, wfi_row_counts *counts);
/* wfi_rows_from_edges for ranks that share the graph (share.h); sets g->arcs, and counts of all ranks. */
weft_status wfi_share_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph *g,
                           wfi_row_counts *counts);

/* Rows were made of a file whose parallel edges nobody had a word for: g->unasked is set if that makes a difference.
 * The second: they were not to be there, so WEFT_EINPUT. */
weft_status wfi_graph_unasked(weft_ctx *ctx, weft_graph *g, const wfi_row_counts *counts);
weft_status wfi_refuse_repeated(weft_ctx *ctx, const weft_graph *g, const wfi_meeting *repeated);

/* Names in byte order, the i-th at text[start[i]] ... text[start[i+1]-1]; all arrays are blocks of wfi_take. */
typedef struct wfi_name_list {
    uint64_t count;
    uint64_t *start;
    char *text;
} wfi_name_list;
/* Of ranks: bits[i] becomes the union of all ranks' bits[i]; a sorted list without duplicates that of all ranks' lists,
 * in a fresh block that takes its place. */
weft_status wfi_unite_bits(weft_ctx *ctx, uint64_t *bits, size_t words);
weft_status wfi_unite_sorted(weft_ctx *ctx, uint64_t **sorted, size_t *count);
weft_status wfi_unite_names(weft_ctx *ctx, const wfi_name_list *mine, wfi_name_list *all);

#endif
