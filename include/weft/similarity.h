/* How much the neighbours of two vertices have in common: of each vertex the most similar ones that it shares a
 * neighbour with, or of given pairs, or of all edges.  The graph is seen as undirected and simple.  With a and b
 * neighbours, c of them in common, the measures are c / (a + b - c), c, c / min(a, b), c / sqrt(a b), 2 c / (a + b),
 * the sum over those in common of 1 / ln d or of 1 / d, d being how many neighbours these have, and a b; 0 for 0 / 0.
 * Table: source, target (vertex), similarity (f64): in the order of `of`, or of vertices, then the most similar first,
 *   and of equals the smallest; or in that of pairs; or of edges, parallel ones each, a loop having 0.
 * Scalars: pairs (u64: rows), hubs (u64: vertices with more than most_degree neighbours); unless it is about pairs or
 *   edges wedges (u64: walks over two edges that were looked at), left_out (u64: those over hubs). */
#ifndef WEFT_SIMILARITY_H
#define WEFT_SIMILARITY_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_similarity_measure {
    WEFT_SIMILARITY_JACCARD = 0,
    WEFT_SIMILARITY_COMMON,
    WEFT_SIMILARITY_OVERLAP,
    WEFT_SIMILARITY_COSINE,
    WEFT_SIMILARITY_SORENSEN,
    WEFT_SIMILARITY_ADAMIC_ADAR,
    WEFT_SIMILARITY_RESOURCE_ALLOCATION,
    WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT
} weft_similarity_measure;
typedef struct weft_similarity_params {
    size_t size;
    const weft_vid *of; /* rows of these only; one that stands there twice has them twice; NULL: of all vertices */
    size_t of_count;
    const weft_vid *pairs; /* 2 pair_count vertices: of these pairs instead; NULL: not */
    size_t pair_count;
    int edges;            /* of all edges instead */
    int measure;          /* weft_similarity_measure */
    uint64_t per_vertex;  /* rows of a vertex, at most.  Not with pairs and edges */
    int unjoined;         /* no rows of vertices that an edge joins.  Not with pairs and edges */
    uint64_t most_degree; /* vertices with more neighbours do not count as any vertex's; 0: all do */
} weft_similarity_params;
#define WEFT_SIMILARITY_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_similarity_params, most_degree), NULL, 0, NULL, 0, 0, WEFT_SIMILARITY_JACCARD, 10, 0, 0 }
WEFT_API weft_status weft_similarity(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *params,
                                     weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
