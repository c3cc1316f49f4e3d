/* The list of algorithms, in the order of `weft help`.  A new algorithm is a line here and a parameter struct in the
 * public header; everything else reads the table that registry.c makes of this list. */
#ifndef WFI_REGISTRY_H
#define WFI_REGISTRY_H

#define WFI_ALGORITHMS(X) \
    X(pagerank)           \
    X(ppr)                \
    X(hits)               \
    X(eigenvector)        \
    X(katz)               \
    X(betweenness)        \
    X(closeness)          \
    X(harmonic)           \
    X(bfs)                \
    X(sssp)               \
    X(components)         \
    X(mst)                \
    X(bicomponents)       \
    X(triangles)          \
    X(clustering)         \
    X(similarity)         \
    X(leiden)             \
    X(louvain)            \
    X(labelprop)          \
    X(toposort)           \
    X(cycle)              \
    X(bipartite)          \
    X(kcore)              \
    X(truss)              \
    X(degree)             \
    X(mixing)             \
    X(distances)          \
    X(layout)             \
    X(aggregate)

#endif
