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
    wfi_parallel_edges repeated; /* with WEFT_DUPLICATES_REFUSE: all */
    /* With WEFT_DUPLICATES_DROP, different weights: of edges listed in the same direction; of an undirected edge listed
     * in both. */
    wfi_parallel_edges parallel, opposite;
} wfi_row_counts;
void wfi_parallel_edges_add(wfi_parallel_edges *to, const wfi_parallel_edges *from);

/* Which rows are made of edges: first ... end-1 of n, by the directions and rules of `build`. */
typedef struct wfi_row_plan {
    weft_vid first, end, n;
    const wfi_build *build;
    weft_weight_type type;
} wfi_row_plan;

/* All rows, sorted, from narrow pieces; frees the pieces' arrays as soon as they are copied. */
weft_status wfi_rows_from_edges(weft_ctx *ctx, wfi_edges *edges, const wfi_row_plan *plan, wfi_view *rows,
                                wfi_row_counts *counts);
/* Some rows, from pieces of arcs whose sources are counted from plan->first; loops are kept. */
weft_status wfi_rows_from_arcs(weft_ctx *ctx, wfi_edges *arcs, const wfi_row_plan *plan, wfi_view *rows,
                               wfi_row_counts *counts);
/* wfi_rows_from_edges for ranks that share the graph (share.h); sets g->arcs, and counts of all ranks. */
weft_status wfi_share_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph *g,
                           wfi_row_counts *counts);

/* Rows were made of a file with parallel edges and without a rule for them: g->ambiguous is set if their weights
 * differ.  The second: they were not to be there, so WEFT_EINPUT. */
weft_status wfi_graph_find_ambiguous(weft_ctx *ctx, weft_graph *g, const wfi_row_counts *counts);
weft_status wfi_refuse_repeated(weft_ctx *ctx, const weft_graph *g, const wfi_parallel_edges *repeated);

/* Names in byte order, the i-th at text[start[i]] ... text[start[i+1]-1]; all arrays are blocks of wfi_take. */
typedef struct wfi_name_list {
    uint64_t count;
    uint64_t *start;
    char *text;
} wfi_name_list;
/* Collective unions: bits[i] of all ranks' bits[i]; of all ranks' sorted lists without duplicates, in a fresh block
 * that takes the place of the list; of names. */
weft_status wfi_union_bits(weft_ctx *ctx, uint64_t *bits, size_t words);
weft_status wfi_union_sorted(weft_ctx *ctx, uint64_t **sorted, size_t *count);
weft_status wfi_union_names(weft_ctx *ctx, const wfi_name_list *mine, wfi_name_list *all);

#endif
