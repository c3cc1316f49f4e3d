/* Attributes of the graph and the columns of results in one table, the side of each vertex of a bipartite graph first
 * among the attributes.  They come last; a result's column with the name of an attribute is named after its algorithm,
 * pagerank.rank, and a note says so. */
#ifndef WEFT_CLI_JOIN_H
#define WEFT_CLI_JOIN_H

#include "result/select.h"

typedef struct join {
    weft_attribute *attributes; /* without the attribute used as label */
    size_t count;
    void *side; /* values of the attribute of that name */
} join;

int join_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const select_labels *labels, join *j);
void join_close(join *j);
/* Is there an attribute with this name? */
bool join_has(const join *j, const char *name);
/* The name of column `name` of an algorithm's result: itself, or with the algorithm's name where an attribute has that
 * name.  *room is at least join_room(whose, name). */
void join_name(const join *j, const cli_options *options, const char *whose, const char *name, char *to,
               size_t capacity);
size_t join_room(const char *whose, const char *name);
/* The columns of the attributes, `count` of them. */
void join_columns(const join *j, rows_column *to);
/* The rows without attributes, for the screen. */
rows join_left_out(const rows *r);

#endif
