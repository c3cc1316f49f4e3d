/* Option sets of louvain: see tests/support/variants.h.  leiden's go through the rest of the engine. */
#include "weft/louvain.h"

static inline void louvain_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    weft_louvain_params *p = add_variant(list, "weights, levels, another seed", NEEDS_WEIGHTS);
    p->weights = 1;
    p->levels = 1;
    p->seed = 7;
}
