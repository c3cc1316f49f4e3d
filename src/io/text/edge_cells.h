/* Kept columns of edges as text, until they become typed columns.
 *
 * Each parsing thread has a buffer for the cells of a block, edge by edge; a copy belongs to the piece of edges
 * (wfi_piece.cells).  When all pieces are there, each column gets the narrowest type that all of its cells fit, as
 * columns of vertices do (cells.h). */
#ifndef WFI_EDGE_CELLS_H
#define WFI_EDGE_CELLS_H

#include "attributes/edge_columns.h"
#include "io/text/edges_where.h"

typedef struct wfi_cell_run {
    uint32_t *length; /* by edge; WFI_CELL_MISSING: there is none */
    char *text;
    size_t used, room;
} wfi_cell_run;

#define WFI_CELL_MISSING UINT32_MAX

typedef struct wfi_edge_cells {
    size_t columns;
    uint64_t rows, room;
    wfi_cell_run *run;
} wfi_edge_cells;

/* Empty. */
weft_status wfi_edge_cells_reset(weft_ctx *ctx, wfi_edge_cells *c, size_t columns);
void wfi_edge_cells_free(wfi_edge_cells *c);
/* The cells of one more edge, in the order of the columns. */
weft_status wfi_edge_cells_put(weft_ctx *ctx, wfi_edge_cells *c, const wfi_cell_text *cells);
/* Copies them into a block for wfi_piece.cells. */
weft_status wfi_edge_cells_pack(weft_ctx *ctx, const wfi_edge_cells *c, void **packed);

/* The pieces' cells become edges->columns.  names: of the columns, which they take over; types: what their cells are
 * declared as, bits of cells.h, or NULL; decimal: the sign of numbers in text tables, 0 if nobody said it. */
weft_status wfi_edge_cells_settle(weft_ctx *ctx, wfi_edges *edges, wfi_names **names, size_t count,
                                  const unsigned *types, const wfi_edge_rule *rules, char decimal);

#endif
