/* Option sets of bipartite: see tests/support/variants.h. */
static inline void bipartite_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
}
