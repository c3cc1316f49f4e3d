/* Option sets of kcore: see tests/support/variants.h. */
#include "weft/kcore.h"

static inline void kcore_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "defaults", 0);
    ((weft_kcore_params *)add_variant(list, "k = 3", 0))->k = 3;
    static const char *const names[] = {"out", "in", "all"};
    for (int mode = WEFT_CORE_OUT; mode <= WEFT_CORE_ALL; mode++)
        ((weft_kcore_params *)add_variant(list, names[mode - WEFT_CORE_OUT], CPU_ONLY))->mode = (weft_core_mode)mode;
}
