/* Option sets of layout: see tests/support/variants.h.  Few steps: a run takes long for its answer. */
static inline void layout_variants(variants *list, const weft_graph *g) {
    (void)g;
    weft_layout_params *p = add_variant(list, "few steps", 0);
    p->steps = list->brief ? 1 : 2;
    p->seed = 7;
}
