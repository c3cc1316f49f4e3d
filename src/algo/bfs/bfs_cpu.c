/* bfs on CPU cores: direction-optimising breadth-first search [1], one source after the other.  The search itself is
 * shared/bfs; the definition of levels and parents, which makes the result unique, stands in bfs.c.
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "algo/bfs/bfs.h"
#include "shared/bfs/search.h"

/* The search needs parents whether or not they are asked for: they say what the step under way has found. */
static void lay_out(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, bool both_ways, wfi_search *s,
                    wfi_bfs_table *t) {
    wfi_column(w, "level", WEFT_U32, n, &s->level);
    if (!params->parents)
        wfi_array(w, &s->parent, n);
    else
        wfi_column(w, "parent", WEFT_VERTEX, n, &s->parent);
    wfi_bfs_table_lay_out(w, wfi_bfs_table_rows(params), t);
    wfi_search_lay_out(w, n, both_ways, s);
}

void wfi_bfs_space(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, bool both_ways) {
    wfi_search s;
    wfi_bfs_table t;
    lay_out(w, n, params, both_ways, &s, &t);
}

weft_status wfi_bfs_cpu(wfi_job *job) {
    const weft_bfs_params *params = job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    bool both_ways = job->choice->variant == WFI_BFS_BOTH_WAYS;
    uint64_t depth = 0, max_depth = params->max_depth ? params->max_depth : UINT64_MAX;
    wfi_bfs_table table;
    wfi_search s;
    wfi_search_open(&s, ctx, g, both_ways, "bfs");
    s.targets = params->targets;
    s.target_count = params->target_count;
    size_t rows = wfi_bfs_table_rows(params);
    lay_out(job->space, g->n, params, both_ways, &s, &table);
    weft_status st = job->space->status;
    const weft_vid *sources = wfi_bfs_sources(g, params);
    size_t at_once = params->sources && !params->each ? params->source_count : 1;
    size_t searches = !g->n ? 0 : rows ? rows : 1;
    for (size_t i = 0; !st && i < searches; i++) {
        st = wfi_search_from(&s, sources + i, at_once, max_depth, &depth);
        if (st || !rows) continue;
        table.source[i] = sources[i];
        table.reached[i] = s.reached;
        table.depth[i] = depth;
        table.distances[i] = s.distances;
    }
    if (!st) st = wfi_result_scalar_u64(ctx, job->result, "reached", s.reached);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "depth", depth);
}
