/* The two steps of wfi_graph_build: ids to vertices, arcs to rows. */
#ifndef WFI_BUILD_H
#define WFI_BUILD_H

#include "graph/edges.h"

/* Rewrites every piece to narrow vertices 0 ... *n - 1; *ids maps them back to ids. */
weft_status wfi_number_vertices(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_vid *n, wfi_ids *ids);

/* wfi_number_vertices for WFI_NAMES; shared: collective. */
weft_status wfi_number_names(weft_ctx *ctx, wfi_edges *edges, bool shared, weft_vid *n, wfi_ids *ids);

/* Counts of a build. */
typedef struct wfi_row_counts {
    weft_eid arcs;
    uint64_t loops;          /* kept in the rows */
    uint64_t loops_dropped;  /* edges */
    uint64_t duplicate_arcs; /* dropped, without loops */
    uint64_t duplicate_loops;
    wfi_parallel_edges repeated; /* with WEFT_DUPLICATES_REFUSE: all parallel edges */
    /* With WEFT_DUPLICATES_DROP, pairs with different weights: of edges listed in the same direction; of undirected
     * edges listed in both directions. */
    wfi_parallel_edges parallel, opposite;
} wfi_row_counts;
void wfi_parallel_edges_add(wfi_parallel_edges *to, const wfi_parallel_edges *from);

/* Rows to make: first ... end - 1 of n, by the directions and rules of `build`. */
typedef struct wfi_row_plan {
    weft_vid first, end, n;
    const wfi_build *build;
    weft_weight_type type;
} wfi_row_plan;

/* Makes all rows, sorted, from narrow pieces; frees a piece's arrays once they are copied. */
weft_status wfi_rows_from_edges(weft_ctx *ctx, wfi_edges *edges, const wfi_row_plan *plan, wfi_view *rows,
                                wfi_row_counts *counts);
/* Makes some rows from pieces of arcs, with sources relative to plan->first; keeps loops. */
weft_status wfi_rows_from_arcs(weft_ctx *ctx, wfi_edges *arcs, const wfi_row_plan *plan, wfi_view *rows,
                               wfi_row_counts *counts);
/* Collective wfi_rows_from_edges of a distributed graph (share.h); sets g->arcs and the counts of all ranks. */
weft_status wfi_share_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph *g,
                           wfi_row_counts *counts);

/* wfi_graph_find_ambiguous sets g->ambiguous if parallel edges with different weights were merged without a rule.
 * wfi_refuse_repeated fails with WEFT_EINPUT for WEFT_DUPLICATES_REFUSE. */
weft_status wfi_graph_find_ambiguous(weft_ctx *ctx, weft_graph *g, const wfi_row_counts *counts);
weft_status wfi_refuse_repeated(weft_ctx *ctx, const weft_graph *g, const wfi_parallel_edges *repeated);

/* Names in byte order: name i is text[start[i]] ... text[start[i+1]-1]. The arrays are blocks of wfi_take. */
typedef struct wfi_name_list {
    uint64_t count;
    uint64_t *start;
    char *text;
} wfi_name_list;
/* Collective unions: of bitmaps; of sorted lists without duplicates (a fresh block replaces the list); of lists of
 * names. */
weft_status wfi_union_bits(weft_ctx *ctx, uint64_t *bits, size_t words);
weft_status wfi_union_sorted(weft_ctx *ctx, uint64_t **sorted, size_t *count);
weft_status wfi_union_names(weft_ctx *ctx, const wfi_name_list *mine, wfi_name_list *all);

#endif
