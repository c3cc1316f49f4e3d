/* Option sets of degree: see tests/support/variants.h. */
#include "weft/degree.h"

static inline void degree_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_degree_params *)add_variant(list, "in", 0))->mode = WEFT_SIDE_IN;
    ((weft_degree_params *)add_variant(list, "out", 0))->mode = WEFT_SIDE_OUT;
    ((weft_degree_params *)add_variant(list, "strength", 0))->strength = 1;
    weft_degree_params *p = add_variant(list, "in, strength", 0);
    p->mode = WEFT_SIDE_IN;
    p->strength = 1;
}
