/* A BV-compressed graph in its two files: its properties, and an iterator over the rows in its bits. */
#ifndef WFI_WEBGRAPH_H
#define WFI_WEBGRAPH_H

#include "graph/graph.h"
#include "io/adjacency/bitcodes.h"
#include "io/stream/source.h"

/* --- properties -------------------------------------------------------------------------- */

typedef struct wfi_webgraph_facts {
    uint64_t nodes, arcs;
    uint64_t window, shortest_interval; /* 0: no references; 0: no intervals */
    bool little;
    wfi_coding outdegree, reference, block_count, block, interval, residual;
} wfi_webgraph_facts;

/* Parses a text in the syntax of Java properties; `source` is for messages.  WEFT_EUNSUPPORTED for graphs in other
 * encodings. */
weft_status wfi_webgraph_facts_read(weft_ctx *ctx, const wfi_source *source, const char *text, size_t bytes,
                                    wfi_webgraph_facts *facts);

/* Does a line name a graph class? */
bool wfi_webgraph_has_class(const char *text, size_t bytes);

/* --- rows ---------------------------------------------------------------------------------- */

typedef struct wfi_webgraph_row {
    uint32_t *target; /* ascending */
    uint64_t count, room;
} wfi_webgraph_row;

typedef struct wfi_webgraph_rows {
    weft_ctx *ctx;
    const char *name; /* of the file, for messages */
    const wfi_webgraph_facts *facts;
    wfi_bits_in bits;
    uint64_t node; /* the node of the next row */

    wfi_webgraph_row *ring; /* the last rows; the row of node x is at x % slots */
    uint64_t slots;
    wfi_webgraph_row copied, listed, spans, blocks; /* scratch: parts of a row */
} wfi_webgraph_rows;

/* Starts at the first row.  Facts and data must stay valid.  wfi_webgraph_rows_close may be called after a failure. */
weft_status wfi_webgraph_rows_open(wfi_webgraph_rows *r, weft_ctx *ctx, const char *name,
                                   const wfi_webgraph_facts *facts, const void *data, size_t bytes);
void wfi_webgraph_rows_close(wfi_webgraph_rows *r);

/* The targets of the next node, ascending and distinct, valid until the next call.  There must be a next node. */
weft_status wfi_webgraph_next(wfi_webgraph_rows *r, const uint32_t **targets, uint64_t *count);

/* After the last row: WEFT_EINPUT if more than padding zeros follows. */
weft_status wfi_webgraph_end(const wfi_webgraph_rows *r);

/* --- all together --------------------------------------------------------------------------- */

/* Builds the graph of these bits; `name` is for messages. */
weft_status wfi_webgraph_build(weft_ctx *ctx, const char *name, const wfi_webgraph_facts *facts,
                               const wfi_content *bits, const weft_read_params *params, weft_graph **out);

#endif
