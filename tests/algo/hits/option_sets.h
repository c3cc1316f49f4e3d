/* Option sets of hits: see tests/support/variants.h. */
#include "weft/hits.h"

static inline void hits_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_hits_params *)add_variant(list, "5 iterations", 0))->iterations = 5;
    ((weft_hits_params *)add_variant(list, "weights", NEEDS_WEIGHTS))->weights = 1;
    weft_hits_params *p = add_variant(list, "weights, 3 iterations", NEEDS_WEIGHTS);
    p->weights = 1;
    p->iterations = 3;
    for (size_t i = 0; i < list->count && list->brief; i++)
        ((weft_hits_params *)(void *)list->at[i].params)->iterations = 2 + i;
}
