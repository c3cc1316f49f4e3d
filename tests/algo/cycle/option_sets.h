/* Option sets of cycle: see tests/support/variants.h. */
#include "weft/cycle.h"

static inline void cycle_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_cycle_params *)add_variant(list, "general", 0))->general = 1;
    same_as(list, 0);
}
