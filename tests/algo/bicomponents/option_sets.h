/* Option sets of bicomponents: see tests/support/variants.h. */
#include "weft/bicomponents.h"

static inline void bicomponents_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_bicomponents_params *)add_variant(list, "edges", 0))->edges = 1;
    ((weft_bicomponents_params *)add_variant(list, "block-cut tree", 0))->tree = 1;
}
