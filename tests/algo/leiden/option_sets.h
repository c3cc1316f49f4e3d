/* Option sets of leiden: see tests/support/variants.h. */
#include "weft/leiden.h"

static inline void leiden_variants(variants *list, const weft_graph *g) {
    add_variant(list, "defaults", 0);
    weft_leiden_params *p = add_variant(list, "cpm, one iteration, levels", 0);
    p->objective = WEFT_OBJECTIVE_CPM;
    /* So small that a hub keeps all of its arms: of many it would keep 20, where a whole class joins it at once. */
    p->resolution = weft_graph_vertices(g) > 50 ? 1e-6 : 0.05;
    p->iterations = 1;
    p->levels = 1;
    p = add_variant(list, "weights, fine", NEEDS_WEIGHTS);
    p->weights = 1;
    p->resolution = 1.5;
    if (!list->brief && weft_graph_vertices(g) < 5000) p->iterations = 0; /* until nothing improves: many of them */
}
