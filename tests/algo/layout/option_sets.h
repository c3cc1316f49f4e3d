/* Option sets of layout: see tests/support/variants.h.  Few steps: a run takes long for its answer. */
#include "weft/layout.h"

static inline void layout_variants(variants *list, const weft_graph *g) {
    weft_vid n = weft_graph_vertices(g), *groups = malloc((n + 1) * sizeof *groups);
    weft_layout_params *p = add_variant(list, "few steps", 0);
    p->steps = list->brief ? 1 : 2;
    p->seed = 7;
    p = add_variant(list, "groups", 0);
    p->steps = list->brief ? 1 : 2;
    for (weft_vid v = 0; groups && v < n; v++) groups[v] = v / 8;
    p->groups = groups;
    list->input = groups;
}
