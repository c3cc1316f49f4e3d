/* Where the searches start: the sources that are given, or one vertex, or the one with most out-arcs. */
#include "algo/bfs/bfs.h"

#include <string.h>

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

weft_status wfi_bfs_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_vid **list,
                            size_t *count) {
    *count = params->sources ? params->source_count : 1;
    weft_status st = wfi_alloc(ctx, list, *count);
    if (st) return st;
    if (params->sources)
        memcpy(*list, params->sources, *count * sizeof **list);
    else
        (*list)[0] = params->source == WEFT_NO_VERTEX ? wfi_busiest(ctx, g) : params->source;
    return WEFT_OK;
}
