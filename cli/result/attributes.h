/* Attributes of a graph in the output of commands. */
#ifndef WEFT_CLI_ATTRIBUTES_H
#define WEFT_CLI_ATTRIBUTES_H

#include "cli.h"
#include "result/json.h"

/* All attributes: name, type, number of missing values.  For people a line each, for the first ones. */
int attributes_print(weft_ctx *ctx, const weft_graph *g);
int attributes_json(json *j, const char *key, weft_ctx *ctx, const weft_graph *g);
/* The same of columns of edges. */
int edge_columns_print(weft_ctx *ctx, const weft_graph *g);
int edge_columns_json(json *j, const char *key, weft_ctx *ctx, const weft_graph *g);
/* The number of edges without a value in a column; its `missing` counts arcs, of which an undirected edge has two. */
weft_status edge_columns_missing(weft_ctx *ctx, const weft_graph *g, const weft_attribute *a, uint64_t *edges);

/* Both sides of a bipartite graph and their numbers of vertices; nothing for other graphs. */
void sides_print(const weft_graph *g);
void sides_json(json *j, const weft_graph *g);

/* The attributes of one vertex that have a value. */
int attributes_print_of(weft_ctx *ctx, const weft_graph *g, weft_vid v);
int attributes_json_of(json *j, const char *key, weft_ctx *ctx, const weft_graph *g, weft_vid v);

/* The columns of edges with a value for one arc: as ", amount 3.5, date 2024-03-01"; as members of the open object; and
 * as a text to be freed, NULL where there is none. */
int edge_columns_print_of(weft_ctx *ctx, const weft_graph *g, weft_eid arc, bool first);
int edge_columns_json_of(json *j, weft_ctx *ctx, const weft_graph *g, weft_eid arc);
int edge_columns_text(weft_ctx *ctx, const weft_graph *g, size_t i, weft_eid arc, char **text);

#endif
