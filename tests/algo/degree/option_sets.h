/* Option sets of degree: see tests/support/variants.h. */
static inline void degree_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
}
