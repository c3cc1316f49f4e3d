/* Option sets of triangles: see tests/support/variants.h. */
static inline void triangles_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
}
