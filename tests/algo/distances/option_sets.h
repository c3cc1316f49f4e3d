/* Option sets of distances: see tests/support/variants.h.  Few pairs: the searches from all vertices of a large graph take their time. */
static inline void distances_variants(variants *list, const weft_graph *g) {
    (void)g;
    ((weft_distances_params *)add_variant(list, "all pairs of small ones", 0))->all_pairs = list->brief ? 600 : 3000;
    weft_distances_params *p = add_variant(list, "bounds", 0);
    p->all_pairs = 0;
    p->searches = 40;
    p = add_variant(list, "few searches", 0);
    p->all_pairs = 20;
    p->searches = 3;
}
