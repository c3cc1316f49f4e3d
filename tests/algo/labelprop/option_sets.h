/* Option sets of labelprop: see tests/support/variants.h. */
#include "weft/labelprop.h"

static inline void labelprop_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_labelprop_params *)add_variant(list, "3 iterations", 0))->max_iterations = 3;
    ((weft_labelprop_params *)add_variant(list, "weights", NEEDS_WEIGHTS))->weights = 1;
}
