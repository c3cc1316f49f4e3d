/* Option sets of truss: see tests/support/variants.h. */
#include "weft/truss.h"

static inline void truss_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_truss_params *)add_variant(list, "the 4-truss", 0))->k = 4;
}
