/* Option sets of betweenness: see tests/support/variants.h.  Few sources where graphs are large, and fewer random paths: their number grows
 * with the square of 1 over the error. */
#include "graph/graph.h"
#include "weft/betweenness.h"

static inline bool betweenness_has_lengths(const weft_graph *g) {
    bool positive = g->weight_type != WEFT_WEIGHT_NONE && g->out.weights;
    for (weft_eid e = 0; e < g->arcs && positive; e++) positive = wfi_weight_at(g->weight_type, g->out.weights, e) > 0;
    return positive;
}

static inline void betweenness_variants(variants *list, const weft_graph *g) {
    static const weft_vid few[] = {0, 3, 17, 5, 3, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54};
    weft_vid n = weft_graph_vertices(g);
    size_t count = n > 54 ? LENGTH(few) : n > 3 ? 2 : n > 0 ? 1 : 0;
    weft_betweenness_params *p;
    if (n <= 600) {
        add_variant(list, "defaults", 0);
        p = add_variant(list, "edges, normalized", 0);
        p->edges = p->normalized = 1;
        ((weft_betweenness_params *)add_variant(list, "endpoints", 0))->endpoints = 1;
    }
    p = add_variant(list, "few sources", NEEDS_VERTEX);
    p->sources = few;
    p->source_count = count;
    p->edges = !list->brief;
    p = add_variant(list, "few sources and targets", NEEDS_VERTEX);
    p->sources = p->targets = few;
    p->source_count = count;
    p->target_count = count > 1 ? count / 2 : count;
    p = add_variant(list, "random paths", CPU_ONLY | SLOW_VERIFIER);
    p->error = n > 5000 ? 0.3 : 0.1;
    if (!list->brief) {
        p = add_variant(list, "random paths, the first apart", CPU_ONLY | SLOW_VERIFIER);
        p->error = n > 5000 ? 0.2 : 0.05;
        p->apart = 2;
        p->seed = 7;
        p->confidence = 0.9;
        p->normalized = 1;
    }
    if (!betweenness_has_lengths(g)) return;
    p = add_variant(list, "weights, few sources", NEEDS_WEIGHTS | NEEDS_VERTEX | CPU_ONLY);
    p->weights = 1;
    p->sources = few;
    p->source_count = count;
    p->edges = !list->brief;
}
