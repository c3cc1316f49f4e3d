/* Option sets of sssp: see tests/support/variants.h. */
static inline void sssp_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_sssp_params *)add_variant(list, "delta", 0))->delta = 1000;
    same_as(list, 0);
    ((weft_sssp_params *)add_variant(list, "source", NEEDS_VERTEX))->source = 0;
    ((weft_sssp_params *)add_variant(list, "no-parents", 0))->no_parents = 1;
}
