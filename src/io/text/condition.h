/* Conditions on edges: the language of docs/where.md, with times, over the columns of a table or of a graph. */
#ifndef WFI_CONDITION_H
#define WFI_CONDITION_H

#include "attributes/attributes.h"
#include "graph/edges.h"

typedef struct wfi_condition wfi_condition;

/* Columns are numbered in `names` as they are met, after those that it has.  WEFT_EINVAL for a slip, with its place.
 * columns: the table has a column called true or false, so that these words are columns; they are as well where the
 * condition makes no sense otherwise. */
weft_status wfi_condition_read(weft_ctx *ctx, const char *text, wfi_names *names, bool columns, wfi_condition **out);
/* Was true or false read as a truth value? */
bool wfi_condition_has_truths(const wfi_condition *c);
void wfi_condition_free(wfi_condition *c);

/* A cell as it stands in a file. */
typedef struct wfi_cell_text {
    const char *text; /* NULL: it has no value */
    size_t length;
} wfi_cell_text;

/* Does a record with these cells, by the numbers of their columns, meet the condition?  -1: a cell is not of the kind
 * that its column is compared with: *column, and *kind, such as "a number". */
int wfi_condition_meets_text(const wfi_condition *c, const wfi_cell_text *cells, int *column, const char **kind);

/* The cells are of a text table, which tells no types: one that is a number or a time is not ordered as a text.
 * decimal: the sign of numbers, 0 if nobody said it. */
void wfi_condition_of_text_table(wfi_condition *c, char decimal);

/* The same of typed columns, by number, rows: how many there are.  The first checks that they are of these kinds. */
weft_status wfi_condition_bind(weft_ctx *ctx, const wfi_condition *c, const wfi_column_source *columns, uint64_t rows);
bool wfi_condition_meets(const wfi_condition *c, const wfi_column_source *columns, uint64_t row);

#endif
