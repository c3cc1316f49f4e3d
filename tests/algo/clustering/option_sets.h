/* Option sets of clustering: see tests/support/variants.h. */
#include "weft/clustering.h"

static inline void clustering_variants(variants *list, const weft_graph *g) {
    add_variant(list, "ldbc", 0);
    weft_clustering_params *p = add_variant(list, "weights", NEEDS_WEIGHTS | CPU_ONLY);
    p->weights = 1;
    p->directed_mode = weft_graph_directed(g) ? WEFT_DIRECTED_FAGIOLO : WEFT_DIRECTED_LDBC;
    ((weft_clustering_params *)add_variant(list, "fagiolo", NEEDS_DIRECTED))->directed_mode = WEFT_DIRECTED_FAGIOLO;
}
