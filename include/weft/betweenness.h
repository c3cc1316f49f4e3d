/* Betweenness centrality, by hops or by weights: for each vertex, the sum over pairs s, t of other vertices of the
 * fraction of the shortest paths from s to t that pass through it; each pair of an undirected graph counts once.
 * Columns: betweenness (f64; NaN at the source if `sources` has only one, without endpoints and targets).
 * Columns of edges, with `edges`: source, target (vertex), edge_betweenness (f64; of a loop 0).
 * Scalars: sources (u64: distinct sources).  With `error` instead: samples (u64: paths drawn), error and confidence
 *   (f64: with probability `confidence` no normalised value is off by more than `error`); with `apart` also apart (u64:
 *   the number of top vertices whose order is certain with that probability). */
#ifndef WEFT_BETWEENNESS_H
#define WEFT_BETWEENNESS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_betweenness_params {
    size_t size;
    const weft_vid *sources; /* paths from these only, scaled to all sources unless there are targets; NULL = all */
    size_t source_count;
    const weft_vid *targets; /* paths to these only; NULL = all */
    size_t target_count;
    int normalized;    /* divide by the number of pairs: (n - 1)(n - 2); n (n - 1) with endpoints and for edges */
    int endpoints;     /* count paths that begin or end at the vertex; not with targets */
    int edges;         /* also values of edges, one for each of parallel edges */
    int weights;       /* the length of a path is the sum of its weights, which must be above 0 */
    double error;      /* above 0: estimate from random paths to within this error; 0 = exact */
    double confidence; /* with error: the probability that it holds */
    uint64_t seed;     /* with error: seed of the random paths */
    uint64_t apart;    /* with error: also stop once the order of this many top vertices is certain; 0 = off */
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
