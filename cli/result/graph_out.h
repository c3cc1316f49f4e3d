/* Results as a graph: what was read, its attributes, and the columns of vertices as attributes beside them, in any
 * format that keeps attributes (-o FILE.graphml, .gexf, ..., or --to FORMAT). */
#ifndef WEFT_CLI_GRAPH_OUT_H
#define WEFT_CLI_GRAPH_OUT_H

#include "result/rows.h"

/* Do the flags ask for a graph rather than for rows? */
bool graph_out_wanted(const cli_options *options);
/* Is it one that says how vertices look? */
bool graph_out_keeps_looks(const cli_options *options);
/* What can be known to be wrong with that before anything is read: flags about rows, formats without attributes. */
int graph_out_check(const cli_options *options);

/* Looks for .gexf; NULL where nothing was asked. */
typedef struct graph_looks {
    const uint32_t *colour; /* of each vertex, 0xRRGGBB */
    const double *size;     /* 0 to 1 */
    bool placed;            /* the columns x and y are places */
} graph_looks;

/* Writes the graph with the columns of r, whose rows are all vertices; ids and attributes among them are there
 * already. */
int graph_out_save(weft_ctx *ctx, const cli_options *options, const rows *r, const graph_looks *looks);
/* "wrote the graph with 2 columns to ..." */
void graph_out_tell(const weft_graph *g, size_t columns, const char *path);

#endif
