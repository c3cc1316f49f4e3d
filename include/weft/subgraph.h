/* The part of a graph that meets conditions. */
#ifndef WEFT_SUBGRAPH_H
#define WEFT_SUBGRAPH_H

#include "base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_component_kind { WEFT_COMPONENT_ANY, WEFT_COMPONENT_WEAK, WEFT_COMPONENT_STRONG } weft_component_kind;
/* Conditions in the order in which they are applied, each to what remains after the previous one. */
typedef struct weft_subgraph_params {
    size_t size;
    double min_weight, max_weight; /* of edges, inclusive; rounded to f32 if the weights are f32 */
    double sample_edges;           /* keep each edge with this probability */
    const weft_vid *vertices;      /* keep these only; NULL = all, and an empty list is one */
    size_t vertex_count;
    double sample_vertices; /* keep each vertex with this probability */
    uint64_t seed;          /* of both samples */
    const weft_vid *ego;    /* within `radius` hops, along the arcs, of one of these; NULL = no condition */
    size_t ego_count;
    uint64_t radius;
    uint64_t min_degree, max_degree;       /* total degree, evaluated once */
    uint64_t core;                         /* the k-core; 0 = no condition */
    weft_component_kind largest_component; /* ties by smallest vertex; ANY = no condition */
    uint64_t truss; /* applied before largest_component: the edges of the k-truss and their ends; 0 = no condition */
} weft_subgraph_params;
#define WEFT_SUBGRAPH_DEFAULTS                                                                              \
    {                                                                                                       \
        WEFT_SIZE_UP_TO(weft_subgraph_params, truss), -INFINITY, INFINITY, 1, NULL, 0, 1, 1, NULL, 0, 1, 0, \
            UINT64_MAX, 0, WEFT_COMPONENT_ANY, 0                                                            \
    }

/* What was left out, and by which condition.  Set .size before the call. */
typedef struct weft_subgraph_info {
    size_t size;
    uint64_t vertices, edges;                    /* in all */
    uint64_t edges_by_weight, edges_by_sampling; /* the other edges lost an end */
    uint64_t vertices_by_list, vertices_by_sampling, vertices_by_ego, vertices_by_degree, vertices_by_core,
        vertices_by_component, edges_by_truss, vertices_by_truss;
} weft_subgraph_info;
/* A new graph of the vertices that meet all conditions, in their order and with their ids, and the edges between them
 * that do.  Samples depend on the seed and on g alone.  left_out may be NULL.  O(n + m) for each condition. */
WEFT_API weft_status weft_subgraph(weft_ctx *ctx, const weft_graph *g, const weft_subgraph_params *params,
                                   weft_graph **out, weft_subgraph_info *left_out);

#ifdef __cplusplus
}
#endif
#endif
