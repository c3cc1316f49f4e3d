/* Option sets of similarity: see tests/support/variants.h. */
static inline void similarity_variants(variants *list, const weft_graph *g) {
    static const weft_vid of[] = {2, 0, 2}, pairs[] = {0, 1, 2, 0, 1, 2, 1, 0};
    weft_vid n = weft_graph_vertices(g);
    add_variant(list, "defaults", 0);
    weft_similarity_params *p = add_variant(list, "edges", 0);
    p->edges = 1;
    p = add_variant(list, "edges, Adamic-Adar", CPU_ONLY);
    p->edges = 1;
    p->measure = WEFT_SIMILARITY_ADAMIC_ADAR;
    p = add_variant(list, "3 by resource allocation", 0);
    p->measure = WEFT_SIMILARITY_RESOURCE_ALLOCATION;
    p->per_vertex = 3;
    p->unjoined = 1;
    p = add_variant(list, "without hubs", 0);
    p->most_degree = 5;
    p->measure = WEFT_SIMILARITY_COSINE;
    p->per_vertex = 1000000;
    if (n < 3) return;
    p = add_variant(list, "of some", 0);
    p->of = of;
    p->of_count = LENGTH(of);
    p = add_variant(list, "pairs", 0);
    p->pairs = pairs;
    p->pair_count = LENGTH(pairs) / 2;
    p->measure = WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT;
}
