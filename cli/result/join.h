/* Attributes of the graph beside the columns of results, in one table, and first of all the side of each vertex of a
 * bipartite graph.  They stand last; a result's column that has the
 * name of one is called after its algorithm, pagerank.rank, which is said. */
#ifndef WEFT_CLI_JOIN_H
#define WEFT_CLI_JOIN_H

#include "result/select.h"

typedef struct join {
    weft_attribute *attributes; /* but for the one that vertices are labelled by */
    size_t count;
    void *side; /* values of the attribute of that name */
} join;

int join_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const select_labels *labels, join *j);
void join_close(join *j);
/* Is an attribute called so? */
bool join_has(const join *j, const char *name);
/* What the column `name` of an algorithm's result is called: itself, or with the algorithm's name where an attribute
 * has that one.  *room is at least join_room(whose, name). */
void join_name(const join *j, const cli_options *options, const char *whose, const char *name, char *to, size_t room);
size_t join_room(const char *whose, const char *name);
/* The columns of the attributes, `count` of them. */
void join_columns(const join *j, rows_column *to);
/* Without them: what a screen shows. */
rows join_left_out(const rows *r);

#endif
