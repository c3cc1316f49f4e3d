/* Betweenness centrality, by hops or by weights: for each vertex, the sum over pairs s, t of other vertices of the part
 * of the shortest paths from s to t that leads through it; of an undirected graph each pair once.
 * Columns: betweenness (f64; NaN for the only one of `sources`, without endpoints and targets).
 * Columns of edges, with `edges`: source, target (vertex), edge_betweenness (f64; of a loop 0).
 * Scalars: sources (u64: distinct ones).  With `error` instead of it: samples (u64: paths that were drawn), error,
 *   confidence (f64: with this probability no normalised value is off by more than that), and with `apart` also apart
 *   (u64: of the first so many the order is certain, likewise). */
#ifndef WEFT_BETWEENNESS_H
#define WEFT_BETWEENNESS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_betweenness_params {
    size_t size;
    const weft_vid *sources; /* paths from these only, scaled up to all unless there are targets; NULL = from all */
    size_t source_count;
    const weft_vid *targets; /* paths to these only; NULL = to all */
    size_t target_count;
    int normalized;    /* divided by the number of pairs: (n - 1)(n - 2), with endpoints and of edges n (n - 1) */
    int endpoints;     /* paths that begin or end at the vertex count too; not with targets */
    int edges;         /* values of edges, parallel ones each */
    int weights;       /* paths are as long as the sum of their weights, all above 0 */
    double error;      /* above 0: from random paths, until no normalised value is off by more; 0 = from all paths */
    double confidence; /* with error: how probable that is */
    uint64_t seed;     /* with error: another one, other paths */
    uint64_t apart;    /* with error: ends too once the order of the first so many is certain; 0 = only by the error */
    int exact;         /* runs from all vertices that are expected to take more than 10 minutes are begun */
} weft_betweenness_params;
#define WEFT_BETWEENNESS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_betweenness_params, exact), NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0.99, 1, 0, 0 }
WEFT_API weft_status weft_betweenness(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *params,
                                      weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
