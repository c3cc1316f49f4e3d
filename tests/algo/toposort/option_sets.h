/* Option sets of toposort: see tests/support/variants.h. */
#include "weft/toposort.h"

static inline void toposort_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_toposort_params *)add_variant(list, "levels", 0))->levels = 1;
    ((weft_toposort_params *)add_variant(list, "order", 0))->order = 1;
}
