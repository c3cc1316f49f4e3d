/* Which rows are shown, and in what order: --where, --top, --bottom, --by, --sort, --head, --labels. */
#ifndef WEFT_CLI_SELECT_H
#define WEFT_CLI_SELECT_H

#include "vertices/vertex_table.h"

/* --where (where.c): a condition on the cells of a row.  docs/where.md has the grammar. */
typedef struct where where;

/* Reads the text and finds its columns among those of `r`, which must outlive it.  Says what is wrong, and returns
 * EXIT_USAGE. */
int where_read(const char *text, const rows *r, where **out);
void where_free(where *w);
/* Does the row (its number in r, before any order) meet the condition?  -1: out of memory, after an error message. */
int where_holds(where *w, size_t row);

/* The first flag that chooses rows or orders them, or NULL. */
const char *select_flag(const cli_options *options);
/* Does a flag ask for more than the largest rows by one column? */
bool select_is_asked(const cli_options *options);

/* The names of the columns from the first on, cut where they are many. */
typedef char select_names[256];
const char *select_columns(const rows *r, size_t first, select_names list);
/* Prints that `whose` has no column with this name among the columns from `first` on, and their names. */
int select_no_column(const rows *r, size_t first, const char *whose, const char *wanted);

/* The default selection: the largest rows by a column, or the smallest, up to a limit. */
typedef struct select_standard {
    const rows_column *by; /* NULL: none, rows stay in their order */
    bool smallest_first;
    size_t limit; /* SIZE_MAX: all */
} select_standard;

/* Sets the order and the count of r; *order is malloc'ed, *met the number of rows that meet --where. */
int select_rows(const cli_options *options, const char *whose, const select_standard *standard, rows *r,
                weft_vid **order, size_t *met);

/* --labels FILE[:COLUMN], --label ATTRIBUTE: a column of texts of vertices. */
typedef struct select_labels {
    vertex_table table;
    const char **texts;
    rows_column column;
    bool by_itself; /* not requested by a flag */
} select_labels;
/* Without either flag: an attribute that tells the vertices apart, for a table on the screen; if there is none, or
 * `screen` is false, texts stays NULL. */
int select_labels_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, bool screen, select_labels *l);
void select_labels_close(select_labels *l);
/* Refuses mistakes that are visible before anything is read: flags that exclude each other, a table that would be
 * overwritten. */
int select_check(const cli_options *options);

#endif
