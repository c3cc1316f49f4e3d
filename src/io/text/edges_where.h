/* Conditions on edges (`edges_where`): stream/condition.h over the cells of a table or the columns of a graph. */
#ifndef WFI_EDGES_WHERE_H
#define WFI_EDGES_WHERE_H

#include "attributes/attributes.h"
#include "graph/edges.h"
#include "stream/condition.h"

/* Columns are numbered in `names` as they are met, after the names that are there.  WEFT_EINVAL for a slip, with its
 * place.  columns: the table has a column called true or false, so that these words are columns; they are as well where
 * the condition makes no sense otherwise.  The condition is freed with wfi_free. */
weft_status wfi_edges_where_read(weft_ctx *ctx, const char *text, wfi_names *names, bool columns, wfi_condition **out);

/* A cell as it stands in a file. */
typedef struct wfi_cell_text {
    const char *text; /* NULL: it has no value */
    size_t length;
} wfi_cell_text;

/* The cells of a record, by the numbers of their columns. */
typedef struct wfi_cell_row {
    const wfi_cell_text *cell;
    bool text_table;  /* no cell tells its type: a number or a time is not ordered as a text */
    char decimal;     /* the sign of numbers in a text table; 0: nobody said it */
    int column;       /* of a cell that is not of the kind that it is compared with, and */
    const char *kind; /* what is expected, such as "a number" */
} wfi_cell_row;
/* Does the record meet the condition?  -1: a cell is not of the right kind. */
int wfi_edges_where_cells(const wfi_condition *c, wfi_cell_row *row);

/* The same of typed columns, by number.  The first checks that they are of the right kinds in all rows. */
weft_status wfi_edges_where_bind(weft_ctx *ctx, wfi_condition *c, const wfi_column_source *columns, uint64_t rows);
bool wfi_edges_where_holds(const wfi_condition *c, const wfi_column_source *columns, uint64_t row);

#endif
