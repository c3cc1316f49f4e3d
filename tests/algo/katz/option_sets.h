/* Option sets of katz: see tests/support/variants.h.  An alpha that suits every graph is below 1 over the largest sum of a
 * row: over all weights. */
#include "weft/katz.h"

static inline double katz_alpha(const weft_graph *g, int weights) {
    const weft_csr out = out_rows(g);
    weft_eid arcs = out.vertices ? out.offsets[out.vertices] : 0;
    double sum = 0, widest = 1e-9;
    for (weft_vid v = 0; v<out.vertices; v++, widest = sum> widest ? sum : widest, sum = 0)
        for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++) sum += weights ? weight_at(g, &out, e) : 1;
    return arcs ? 0.5 / widest : 0.1;
}

static inline weft_katz_params *katz_variant(variants *list, const weft_graph *g, const char *name, int weights) {
    weft_katz_params *p = add_variant(list, name, weights ? NEEDS_WEIGHTS : 0);
    bool has = weft_graph_weight_type(g) != WEFT_WEIGHT_NONE;
    p->alpha = katz_alpha(g, weights && has);
    p->weights = weights;
    if (list->brief) p->tolerance = 1; /* a term or two, without a warning */
    return p;
}

static inline void katz_variants(variants *list, const weft_graph *g) {
    katz_variant(list, g, "an alpha that is small enough", 0);
    katz_variant(list, g, "not normalized", 0)->normalized = 0;
    katz_variant(list, g, "bounds", 0)->bounds = 1;
    katz_variant(list, g, "5 terms, bounds", 0)->bounds = 1;
    if (!list->brief) ((weft_katz_params *)(void *)list->at[3].params)->max_iterations = 5;
    katz_variant(list, g, "weights", 1);
    katz_variant(list, g, "weights, bounds", 1)->bounds = 1;
}
