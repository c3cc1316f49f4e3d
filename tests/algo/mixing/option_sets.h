/* Option sets of mixing: see tests/support/variants.h. */
#include "weft/mixing.h"

static inline void mixing_variants(variants *list, const weft_graph *g) {
    weft_vid n = weft_graph_vertices(g), *groups = malloc((n + 1) * sizeof *groups);
    add_variant(list, "defaults", 0);
    weft_mixing_params *p = add_variant(list, "groups, without triangles", 0);
    for (weft_vid v = 0; groups && v < n; v++) groups[v] = v / 8;
    p->groups = groups;
    p->transitivity = 0;
    list->input = groups;
}
