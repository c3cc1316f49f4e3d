/* Labels of vertices from a file: a table with a column of ids and one of labels, or a .npy with an integer for each
 * vertex in turn.  Labels are any texts; where all of them are integers, they are kept as such. */
#ifndef WEFT_CLI_LABELS_H
#define WEFT_CLI_LABELS_H

#include "vertices/vertex_table.h"

/* Either texts or numbers; the other pointer is NULL. */
typedef struct keys {
    const char **texts;
    int64_t *numbers;
} keys;
/* first[i] becomes the first of the `count` keys that equals key i.  count < 2^32 - 1. */
int keys_first_alike(const keys *k, size_t count, uint32_t *first);

typedef struct vertex_labels {
    char *path;
    vertex_table table; /* of a text file; the labels begin at its row first_row */
    size_t first_row;
    keys of; /* by row; after matching, by vertex or by the rows of the other file */
    size_t count;
    uint32_t *group; /* the first place with the same label */
} vertex_labels;

/* word: FILE or FILE:COLUMN.  g, or NULL: a first line that begins with one of its vertices is no header. */
int labels_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const char *word, vertex_labels *l);
/* Orders labels by vertex, with their groups: exactly the vertices of the graph must have labels. */
int labels_match(vertex_labels *l, const weft_graph *g, const char *graph_path);
/* The groups of an attribute of the graph, by vertex; each vertex must have a value.  free() them. */
int labels_of_attribute(const weft_graph *g, const weft_attribute *a, uint32_t **group);
/* Orders the labels of b as those of a, with their groups: both files must be about the same vertices; .npy files are
 * matched by place. */
int labels_pair(vertex_labels *a, vertex_labels *b);
void labels_close(vertex_labels *l);

/* The labels at these places as a column; free() *data. */
int labels_column(const vertex_labels *l, const uint32_t *places, size_t count, rows_column *to, void **data);

/* labels_npy.c: integers of one dimension. */
int labels_read_npy(const char *path, int64_t **numbers, size_t *count);

#endif
