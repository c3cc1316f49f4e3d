/* Option sets of mst: see tests/support/variants.h. */
#include "weft/mst.h"

static inline void mst_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_mst_params *)add_variant(list, "maximum", 0))->maximum = 1;
}
