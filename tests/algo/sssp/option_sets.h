/* Option sets of sssp: see tests/support/variants.h. */
#include "weft/sssp.h"

static inline void sssp_variants(variants *list, const weft_graph *g) {
    enum { MOST = 12 };
    weft_ctx *ctx = NULL;
    weft_vid *drawn = malloc(MOST * sizeof *drawn);
    bool any = weft_graph_vertices(g) > 0;
    if (!drawn || weft_ctx_new(&ctx) || (any && weft_random_sources(ctx, g, MOST, 1, drawn))) exit(1);
    weft_ctx_free(ctx);
    list->input = drawn;
    add_variant(list, "defaults", 0);
    ((weft_sssp_params *)add_variant(list, "delta", 0))->delta = 1000;
    same_as(list, 0);
    ((weft_sssp_params *)add_variant(list, "source", NEEDS_VERTEX))->source = 0;
    ((weft_sssp_params *)add_variant(list, "no-parents", 0))->parents = 0;
    weft_sssp_params *sources = add_variant(list, "sources, targets", NEEDS_VERTEX | CPU_ONLY);
    sources->sources = drawn;
    sources->source_count = 3;
    sources->targets = drawn + 5;
    sources->target_count = 2;
    weft_sssp_params *wide = add_variant(list, "sources, targets, delta", NEEDS_VERTEX | CPU_ONLY);
    *wide = *sources;
    wide->delta = 500;
    same_as(list, (int)list->count - 2);
}
