/* Adjacency matrices as tables: a row of numbers for each vertex, with names above the columns, before the rows, both
 * or neither.  The number in row u, column v is the weight of the edge u -> v; 0 and an empty cell are no edge, and
 * where all others are 1 the graph has no weights.  Without names the vertices are 0, 1, 2, ... */
#ifndef WFI_MATRIX_H
#define WFI_MATRIX_H

#include "io/stream/source.h"
#include "io/table/csvtext.h"
#include "io/table/table.h"

typedef struct wfi_matrix {
    char separator, decimal;
    int columns;
    bool above, before; /* names */
    uint64_t rows;      /* that were seen */
    bool named;         /* those before are those above, in their order */
    bool counted;       /* those above are 0, 1, 2, ..., as programs call columns that have no names */
    bool worded;        /* those before are words */
    bool marks;         /* all cells are 0 or 1 */
    bool hollow,
        mirrored; /* all of it was seen, and the diagonal is empty; and row u, column v is as row v, column u */
} wfi_matrix;

/* What the records from `line` on are as a matrix: false if not all have as many fields, or one is no number.  The text
 * ends with a newline at `end`; cut_off: it is not the whole file. */
weft_status wfi_matrix_look(weft_ctx *ctx, const char *line, const char *end, char separator, bool comments,
                            bool cut_off, wfi_matrix *m, bool *fits);

/* The file is one.  WEFT_EINPUT at the first cell that is no number, or row that is too short or long. */
weft_status wfi_matrix_gather(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table);

#endif
