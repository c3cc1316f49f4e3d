/* Option sets of ppr: see tests/support/variants.h. */
#include "weft/ppr.h"

static inline void ppr_variants(variants *list, const weft_graph *g) {
    static const weft_vid many[] = {17, 3, 3, 0, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 5};
    weft_vid n = weft_graph_vertices(g);
    size_t count = n > 54 ? LENGTH(many) : n > 17 ? 4 : n > 0 ? 1 : 0;
    weft_ppr_params *p = add_variant(list, "defaults", 0);
    p = add_variant(list, "two batches of seeds", NEEDS_VERTEX);
    p->seeds = count > 1 ? many : many + 3;
    p->seed_count = count;
    p->per_seed = 100;
    if (list->brief) p->iterations = 4;
    p = add_variant(list, "weights", NEEDS_WEIGHTS | NEEDS_VERTEX);
    p->weights = 1;
    p->seeds = many + 3;
    p->seed_count = 1;
    p->damping = 0.5;
    p->tolerance = 1e-12;
    p = add_variant(list, "three iterations", 0);
    p->iterations = 3;
}
