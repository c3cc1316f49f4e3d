/* Similarity of two vertices by their common neighbours: for each vertex the most similar vertices that share a
 * neighbour with it, or for given pairs, or for all edges.  The graph is treated as undirected and simple.  With a and
 * b neighbours, c of them common, the measures are c / (a + b - c), c, c / min(a, b), c / sqrt(a b), 2 c / (a + b), the
 * sum of 1 / ln d or of 1 / d over the common neighbours, d being the degree of each, and a b; 0 for 0 / 0.
 * Table: source, target (vertex), similarity (f64).  Rows follow `of`, or vertices, then descending similarity, then
 *   ascending target; or the order of `pairs`; or that of edges, one for each of parallel edges, 0 for a loop.
 * Scalars: pairs (u64: rows), hubs (u64: vertices with more than most_degree neighbours); without pairs and edges also
 *   wedges (u64: walks over two edges that were examined), left_out (u64: walks through hubs). */
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
    const weft_vid *of; /* rows of these only, a repeated vertex repeats them; NULL: all vertices */
    size_t of_count;
    const weft_vid *pairs; /* 2 pair_count vertices: the similarity of these pairs; NULL: none */
    size_t pair_count;
    int edges;            /* the similarity of all edges */
    int measure;          /* weft_similarity_measure */
    uint64_t per_vertex;  /* the most rows of a vertex.  Not with pairs and edges */
    int unjoined;         /* leave out adjacent vertices.  Not with pairs and edges */
    uint64_t most_degree; /* ignore common neighbours of higher degree; 0 = no limit */
} weft_similarity_params;
#define WEFT_SIMILARITY_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_similarity_params, most_degree), NULL, 0, NULL, 0, 0, WEFT_SIMILARITY_JACCARD, 10, 0, 0 }
WEFT_API weft_status weft_similarity(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *params,
                                     weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
