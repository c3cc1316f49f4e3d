/* Option sets of similarity: see tests/support/variants.h.  Hubs are left out of all but the smallest graphs: wedges grow
 * with the squares of degrees. */
#include "weft/similarity.h"

static inline weft_similarity_params *similarity_variant(variants *list, const weft_graph *g, const char *name,
                                                         unsigned needs) {
    weft_similarity_params *p = add_variant(list, name, needs);
    if (weft_graph_vertices(g) > 1000) p->most_degree = 40;
    return p;
}

static inline void similarity_variants(variants *list, const weft_graph *g) {
    static const weft_vid of[] = {2, 0, 2}, pairs[] = {0, 1, 2, 0, 1, 2, 1, 0};
    weft_similarity_params *p = add_variant(list, "edges", 0);
    p->edges = 1;
    p = add_variant(list, "edges, cosine", 0);
    p->edges = 1;
    p->measure = WEFT_SIMILARITY_COSINE;
    similarity_variant(list, g, "defaults", 0);
    p = similarity_variant(list, g, "edges, Adamic-Adar", 0);
    p->edges = 1;
    p->measure = WEFT_SIMILARITY_ADAMIC_ADAR;
    p = similarity_variant(list, g, "3 by resource allocation", 0);
    p->measure = WEFT_SIMILARITY_RESOURCE_ALLOCATION;
    p->per_vertex = 3;
    p->unjoined = 1;
    p = add_variant(list, "without hubs", CPU_ONLY); /* so many rows; the GPU has 512 */
    p->most_degree = 5;
    p->measure = WEFT_SIMILARITY_COSINE;
    p->per_vertex = 1000000;
    p = add_variant(list, "edges without hubs", 0);
    p->edges = 1;
    p->most_degree = 9;
    if (weft_graph_vertices(g) < 3) return;
    p = add_variant(list, "of some", 0);
    p->of = of;
    p->of_count = LENGTH(of);
    p = add_variant(list, "pairs", 0);
    p->pairs = pairs;
    p->pair_count = LENGTH(pairs) / 2;
    p->measure = WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT;
}
