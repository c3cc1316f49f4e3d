/* Option sets of bfs: see tests/support/variants.h. */
#include "weft/bfs.h"

static inline void bfs_variants(variants *list, const weft_graph *g) {
    enum { MOST = 70 };
    weft_ctx *ctx = NULL;
    weft_vid *drawn = malloc(MOST * sizeof *drawn);
    bool any = weft_graph_vertices(g) > 0;
    if (!drawn || weft_ctx_new(&ctx) || (any && weft_random_sources(ctx, g, MOST, 1, drawn))) exit(1);
    weft_ctx_free(ctx);
    list->input = drawn;
    add_variant(list, "defaults", 0);
    ((weft_bfs_params *)add_variant(list, "source", NEEDS_VERTEX))->source = 0;
    weft_bfs_params *many = add_variant(list, "many sources", NEEDS_VERTEX);
    many->sources = drawn;
    many->source_count = 9;
    many->each = 1;
    ((weft_bfs_params *)add_variant(list, "max-depth", 0))->max_depth = 3;
    weft_bfs_params *several = add_variant(list, "several sources, max-depth", NEEDS_VERTEX);
    several->sources = drawn;
    several->source_count = 3;
    several->each = 1;
    several->max_depth = 4;
    ((weft_bfs_params *)add_variant(list, "no-parents", 0))->parents = 0;
    weft_bfs_params *together = add_variant(list, "together", NEEDS_VERTEX | CPU_ONLY);
    together->sources = drawn;
    together->source_count = 9;
    weft_bfs_params *targets = add_variant(list, "several sources, targets", NEEDS_VERTEX | CPU_ONLY);
    targets->sources = drawn;
    targets->source_count = 2;
    targets->each = 1;
    targets->targets = drawn + 9;
    targets->target_count = 2;
    if (list->brief) return;
    weft_bfs_params *batches = add_variant(list, "two batches of sources", NEEDS_VERTEX);
    batches->sources = drawn;
    batches->source_count = MOST;
    batches->each = 1;
    batches->max_depth = 300; /* paths have thousands of levels */
}
