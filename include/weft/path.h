/* Shortest paths between two vertices. */
#ifndef WEFT_PATH_H
#define WEFT_PATH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_path_params {
    size_t size;
    int weights;           /* 1: by the sum of weights, none negative; 0: by hops */
    uint64_t count;        /* the most shortest simple paths */
    const weft_vid *avoid; /* vertices that no path passes; neither end is one */
    size_t avoid_count;
} weft_path_params;
#define WEFT_PATH_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_path_params, avoid_count), 0, 1, NULL, 0 }

/* The shortest paths between two vertices, shortest first: a table with columns path (u32, from 0), vertex and distance
 * (f64, from the first vertex); scalars found (paths), hops and length of the first.  It is not an error if there is
 * none: the table is empty and length infinite.
 * Method: bidirectional search; from the source alone if weights are fractional, or the graph is directed and has no
 * transpose yet (weft_graph_in).  Yen's algorithm for further paths.  O(n) memory, one thread. */
WEFT_API weft_status weft_path(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to,
                               const weft_path_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
