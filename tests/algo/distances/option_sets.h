/* Option sets of distances: see tests/support/variants.h.  Few pairs and searches: all take long. */
#include "weft/distances.h"

static inline void distances_variants(variants *list, const weft_graph *g) {
    weft_distances_params *p = add_variant(list, "all pairs of small ones", 0);
    p->all_pairs = list->brief ? 300 : 600;
    p->searches = 64;
    p = add_variant(list, "bounds", 0);
    p->all_pairs = 20;
    p->searches = 8;
    p = add_variant(list, "bounds, regardless of direction", 0);
    p->all_pairs = 20;
    p->searches = 8;
    p->direction = WEFT_SIDE_BOTH;
    if (weft_graph_vertices(g) <= 600) {
        p = add_variant(list, "weights", NEEDS_WEIGHTS);
        p->weights = 1;
    }
    if (list->brief) return;
    p = add_variant(list, "all pairs of small ones, backwards", 0);
    p->all_pairs = 600;
    p->searches = 64;
    p->direction = WEFT_SIDE_IN;
}
