/* Option sets of closeness: see tests/support/variants.h.  Few vertices where graphs are large. */
#include "weft/closeness.h"

static inline void closeness_variants(variants *list, const weft_graph *g) {
    static const weft_vid few[] = {0, 3, 17, 5, 3, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54};
    weft_vid n = weft_graph_vertices(g);
    size_t count = n > 54 ? LENGTH(few) : n > 3 ? 2 : n > 0 ? 1 : 0;
    weft_closeness_params *p;
    if (n <= 5000) {
        add_variant(list, "defaults", 0);
        p = add_variant(list, "out, not scaled", 0);
        p->direction = WEFT_SIDE_OUT;
        p->scaled = 0;
        p = add_variant(list, "estimate", 0);
        p->estimate = 1;
        p->registers = 16;
    }
    p = add_variant(list, "few vertices", NEEDS_VERTEX);
    p->of = few;
    p->of_count = count;
    p = add_variant(list, "few vertices by weights", NEEDS_VERTEX | NEEDS_WEIGHTS | CPU_ONLY);
    p->of = few;
    p->of_count = count > 4 ? 4 : count;
    p->weights = 1;
    if (n <= 5000) {
        p = add_variant(list, "the first", 0);
        p->first = 5;
        p = add_variant(list, "the first of few vertices", NEEDS_VERTEX);
        p->first = 2;
        p->of = few;
        p->of_count = count;
        p->direction = WEFT_SIDE_OUT;
    }
}
