/* Option sets of clustering: see tests/support/variants.h. */
static inline void clustering_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "ldbc", 0);
    ((weft_clustering_params *)add_variant(list, "fagiolo", NEEDS_DIRECTED))->directed_mode = WEFT_DIRECTED_FAGIOLO;
}
