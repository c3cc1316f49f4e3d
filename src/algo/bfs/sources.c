/* Where the searches start: the sources that are given, or the one that was given or that the plan chose. */
#include "algo/bfs/bfs.h"

weft_status wfi_bfs_check_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params) {
    weft_status st = wfi_check_vertices(ctx, g, "bfs", "source", params->sources, params->source_count);
    return st ? st : wfi_check_vertices(ctx, g, "bfs", "target", params->targets, params->target_count);
}

const weft_vid *wfi_bfs_sources(const weft_graph *g, const weft_bfs_params *params) {
    return params->sources || !g->n ? params->sources : &params->source;
}
