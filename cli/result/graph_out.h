/* Results as a graph: the graph that was read, its attributes, and the result's columns of vertices as further
 * attributes, in any format with attributes (-o FILE.graphml, .gexf, ..., or --to FORMAT). */
#ifndef WEFT_CLI_GRAPH_OUT_H
#define WEFT_CLI_GRAPH_OUT_H

#include "result/rows.h"

/* Do the flags ask for a graph rather than for rows? */
bool graph_out_wanted(const cli_options *options);
/* Is it a format with colours and sizes of vertices? */
bool graph_out_keeps_looks(const cli_options *options);
/* Refuses mistakes that are visible before anything is read: flags about rows, formats without attributes. */
int graph_out_check(const cli_options *options);

/* Colours, sizes and positions for .gexf; NULL where they were not requested. */
typedef struct graph_looks {
    const uint32_t *colour; /* of each vertex, 0xRRGGBB */
    const double *size;     /* 0 to 1 */
    bool placed;            /* the columns x and y are positions */
} graph_looks;

/* Writes the graph with the columns of r, whose rows are all vertices; its ids and attributes among them are not added
 * again. */
int graph_out_save(weft_ctx *ctx, const cli_options *options, const rows *r, const graph_looks *looks);
/* Prints "wrote the graph with 2 columns to ..." */
void graph_out_tell(const weft_graph *g, size_t columns, const char *path);

#endif
