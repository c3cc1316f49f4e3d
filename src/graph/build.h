/* The two halves of wfi_graph_build: ids become vertices, then arcs become rows. */
#ifndef WFI_BUILD_H
#define WFI_BUILD_H

#include "graph/edges.h"

/* After this every piece is narrow and holds vertices 0 ... *n-1; *ids maps them back. */
weft_status wfi_number_vertices(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_vid *n, wfi_ids *ids);

/* The part of it for WFI_NAMES. */
weft_status wfi_number_names(weft_ctx *ctx, wfi_edges *edges, weft_vid *n, wfi_ids *ids);

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

#endif
