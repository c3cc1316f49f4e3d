/* A table of vertices beside the edges (--nodes FILE[:COLUMN]): every id in its column is a vertex, also one without
 * edges. */
#ifndef WFI_NODES_H
#define WFI_NODES_H

#include "io/stream/source.h"
#include "io/table/table.h"

/* Adds the vertices that params->nodes names to a table whose edges are all there.  *distinct = how many they are;
 * *facts, which begin with zeros, are those of the text, for ranks to compare. */
weft_status wfi_nodes_add(weft_ctx *ctx, const weft_read_params *params, wfi_table *table, uint64_t *distinct,
                          wfi_file_facts *facts);

/* After the graph was made: a note with the number of vertices that only edges name, if there are any. */
void wfi_nodes_note(weft_ctx *ctx, const weft_read_params *params, const weft_graph *g, uint64_t distinct);

#endif
