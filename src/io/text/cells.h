/* Attributes of vertices between a file and a graph: rows of vertices with cells of text.
 *
 * A reader adds columns, each with the type that the file declares, that the notation of a value implies, or none;
 * it names the vertex of a row and puts the cells of the row.  When the graph is made, each column
 * gets the narrowest type that all of its cells fit (docs/formats.md, "Types of attributes"), and rows are matched with
 * their vertices.  A cell that is not put is missing, and so is an empty one unless it is a text. */
#ifndef WFI_CELLS_H
#define WFI_CELLS_H

#include "graph/edges.h"
#include "weft/experimental.h"

/* The type of a cell: a weft_attribute_type, or 0 if its content decides. */
enum { WFI_CELL_BY_CONTENT = 0, WFI_CELL_TYPES = WEFT_ATTRIBUTE_TIME + 1 };

typedef struct wfi_cells wfi_cells;

/* `where` is for messages, and stays as long as the cells. */
weft_status wfi_cells_open(weft_ctx *ctx, const char *where, wfi_cells **out);
void wfi_cells_free(wfi_cells *c);

/* The column of that title, new or known; *column is WFI_NO_COLUMN if it cannot be one: the title is empty, too long or
 * has a NUL in it. */
#define WFI_NO_COLUMN SIZE_MAX
weft_status wfi_cells_column(wfi_cells *c, const char *title, size_t length, size_t *column);
/* From now on columns and cells are of another table, whose name is for messages while it is read.  A vertex that a
 * table before has may not have another value there (WEFT_EINPUT). */
void wfi_cells_table(wfi_cells *c, const char *name);
/* False: the table has claimed the column before. */
bool wfi_cells_claim(wfi_cells *c, size_t column);
/* Declares the type of the cells of a column.  The column is kept even if it has no cells. */
void wfi_cells_declare(wfi_cells *c, size_t column, int type);
/* After all rows: the column of that title is called `to`, if that can be a name and no other has it. */
weft_status wfi_cells_rename(wfi_cells *c, const char *title, size_t length, const char *to, size_t to_length);
/* After all rows: the column of that title is none if each of its cells is the id of its vertex, or what the other
 * column (NULL: none) has for it. */
weft_status wfi_cells_drop_copy(wfi_cells *c, const char *title, const char *other);

/* The decimal sign of numbers, as the caller gives it. */
void wfi_cells_decimal(wfi_cells *c, char decimal);

/* Begins the row of a vertex. */
weft_status wfi_cells_row(wfi_cells *c, const char *id, size_t length);
/* A cell of the row; the first of several in one place of a table holds.  WFI_NO_COLUMN is passed over. */
weft_status wfi_cells_put(wfi_cells *c, size_t column, int type, const char *text, size_t length);

/* Does the row have a cell in this column? */
bool wfi_cells_has(const wfi_cells *c, size_t column);
/* Data of that title was passed over: a note will list it. */
typedef enum wfi_lost { WFI_LOST_LISTS, WFI_LOST_SECONDS, WFI_LOST_OF_EDGES, WFI_LOST_KINDS } wfi_lost;
weft_status wfi_cells_lose(wfi_cells *c, wfi_lost kind, const char *title, size_t length);

/* Gives the columns to the graph, unless there are none; a failure frees it.  Of several values of a vertex the first
 * one holds; rows of vertices that the graph does not have are passed over.  Notes name columns whose cells do not fit
 * the type that was declared, and what was lost. */
weft_status wfi_cells_attach(wfi_cells *c, weft_graph **g);

#endif
