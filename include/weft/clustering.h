/* Clustering coefficients: the fraction of pairs of neighbours that are adjacent.
 * Columns: coefficient (f64, 0 with fewer than two neighbours).
 * Scalars: average (f64, over all vertices), transitivity (f64, 3 triangles / wedges of the undirected view). */
#ifndef WEFT_CLUSTERING_H
#define WEFT_CLUSTERING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_directed_mode {
    WEFT_DIRECTED_LDBC = 0, /* arcs among the neighbours / d(d-1), d = neighbours by arcs in or out */
    WEFT_DIRECTED_FAGIOLO   /* directed triangles / possible ones with the vertex's arcs, as in NetworkX */
} weft_directed_mode;
typedef struct weft_clustering_params {
    size_t size;
    weft_directed_mode directed_mode; /* an undirected graph has only one coefficient */
    int weights; /* CPU only: a triangle counts by the geometric mean of its weights / the largest weight [Onnela] */
} weft_clustering_params;
#define WEFT_CLUSTERING_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_clustering_params, weights), WEFT_DIRECTED_LDBC, 0 }
WEFT_API weft_status weft_clustering(weft_ctx *ctx, const weft_graph *g, const weft_clustering_params *params,
                                     weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
