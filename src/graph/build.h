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
    uint64_t loops;              /* left in the rows */
    uint64_t loops_dropped;      /* edges */
    uint64_t duplicate_arcs;     /* dropped, not counting loops */
    uint64_t duplicate_loops;
} wfi_row_counts;

/* Sorted rows from narrow pieces; frees the pieces' arrays as soon as they are copied.  `mirror`: each edge that is
 * not a loop also goes from target to source. */
weft_status wfi_rows_from_edges(weft_ctx *ctx, wfi_edges *edges, weft_vid n, bool mirror,
                                const weft_build_params *params, weft_weight_type type, wfi_rows *rows,
                                wfi_row_counts *counts);
/* Of a graph of n vertices the rows first ... end-1, from pieces of arcs whose sources are counted from `first`; loops are kept. */
weft_status wfi_rows_from_arcs(weft_ctx *ctx, wfi_edges *arcs, weft_vid first, weft_vid end, weft_vid n,
                               const weft_build_params *params, weft_weight_type type, wfi_rows *rows,
                               wfi_row_counts *counts);
/* wfi_rows_from_edges for ranks that share the graph (share.h); sets g->arcs, and counts of all ranks. */
weft_status wfi_share_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, bool mirror, weft_graph *g,
                           wfi_row_counts *counts);

/* Names in byte order, the i-th at text[start[i]] ... text[start[i+1]-1]; all arrays are blocks of wfi_take. */
typedef struct wfi_name_list {
    uint64_t count;
    uint64_t *start;
    char *text;
} wfi_name_list;
/* Of ranks: bits[i] becomes the union of all ranks' bits[i]; a sorted list without duplicates that of all ranks' lists, in a fresh block that takes its
 * place. */
weft_status wfi_unite_bits(weft_ctx *ctx, uint64_t *bits, size_t words);
weft_status wfi_unite_sorted(weft_ctx *ctx, uint64_t **sorted, size_t *count);
weft_status wfi_unite_names(weft_ctx *ctx, const wfi_name_list *mine, wfi_name_list *all);

#endif
