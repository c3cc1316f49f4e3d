/* A table with a row for some vertices, from a text file: tabs or commas, ids in the column `id`, or else in the
 * first. */
#ifndef WEFT_CLI_VERTEX_TABLE_H
#define WEFT_CLI_VERTEX_TABLE_H

#include "result/rows.h"

typedef struct vertex_table {
    const char *path;
    char *text;    /* the file, cut into fields */
    weft_ctx *ctx; /* of the block that text points into */
    char **fields; /* row by row */
    size_t *lines; /* the line of each row, from 1 */
    size_t columns, rows;
    bool header; /* row 0 names the columns */
    size_t id_column;
    weft_vid *vertex; /* of each row; WEFT_NO_VERTEX: the header, or no vertex of the graph */
    size_t strangers; /* rows of vertices that the graph does not have */
} vertex_table;

/* Splits a word FILE:COLUMN: the file, to be free()d, NULL if memory is out (after a message), and the column's name,
 * NULL if the word has none, or a file has the whole word as its name. */
char *vertex_table_file(const char *word);
const char *vertex_table_column_name(const char *word);

/* Prints an error about a line, or about the table (0), and returns EXIT_INPUT. */
int vertex_table_wrong(const vertex_table *t, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Cuts the file into fields.  The caller sets t->header and t->id_column. */
int vertex_table_read(weft_ctx *ctx, const char *path, vertex_table *t);
/* The same for the file's text, which the table then owns. */
int vertex_table_of_text(weft_ctx *ctx, const char *path, char *text, size_t bytes, vertex_table *t);
/* Is the first line of the text a header with a column `id`? */
bool vertex_table_has_id(const char *text);
/* The vertices of the column `id`, in the order of the rows; all must be the graph's.  free() them. */
int vertex_table_list(vertex_table *t, const weft_graph *g, weft_vid **list, size_t *count);
/* Fills t->vertex; no vertex may occur twice. */
int vertex_table_match(vertex_table *t, const weft_graph *g);
/* Cuts the file and finds its vertices; the first line is a header if it must be (`named`), or if its first field is no
 * vertex. */
int vertex_table_open(weft_ctx *ctx, const weft_graph *g, const char *path, bool named, vertex_table *t);
void vertex_table_close(vertex_table *t);
/* The column with a name or a number from 1; prints an error if there is none. */
int vertex_table_find(const vertex_table *t, const char *name, size_t *column);
/* The field of a column for each vertex of the graph; NULL where there is none, or it is empty.  free() them. */
const char **vertex_table_texts(const vertex_table *t, const weft_graph *g, size_t column);
/* The column as cells: f64 (NaN = none) if every field is a number, else text.  free() *data. */
int vertex_table_column(const vertex_table *t, const weft_graph *g, size_t column, rows_column *to, void **data);

#endif
