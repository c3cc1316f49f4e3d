/* Where the searches start: the sources that are given, or one vertex, or the one with most out-arcs. */
#include "algo/bfs/bfs.h"

weft_status wfi_bfs_check_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params) {
    if (!params->sources != !params->source_count)
        return wfi_fail(ctx, WEFT_EINVAL, "bfs: sources and source_count go together: %zu of them, but %s array",
                        params->source_count, params->sources ? "an" : "no");
    for (size_t i = 0; i < params->source_count; i++)
        if (params->sources[i] >= g->n)
            return wfi_fail(ctx, WEFT_EINVAL, "bfs: sources[%zu] is vertex %u, but the graph has %u vertices", i,
                            params->sources[i], g->n);
    return WEFT_OK;
}

const weft_vid *wfi_bfs_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_vid *one) {
    if (params->sources || !g->n) return params->sources;
    *one = params->source == WEFT_NO_VERTEX ? wfi_busiest(ctx, g) : params->source;
    return one;
}
