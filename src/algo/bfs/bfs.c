/* bfs: the number of arcs from a source to each vertex, and its predecessor on a shortest path.
 * level[v] is the least number of arcs on a path from the source to v, WEFT_UNREACHED if there is none (or none within
 * max_depth); parent[v] the smallest vertex u with an arc u -> v and level[u] + 1 = level[v], WEFT_NO_VERTEX if v is
 * not reached; the source is its own parent.  With several sources together the nearest counts; with targets no vertex
 * is reached beyond the level of the last target.  Both columns are unique, so every backend gives the same bytes.
 * Method: direction-optimising breadth-first search [1]; the search itself is engines/bfs.
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "algo/bfs/bfs.h"
#include "engines/bfs/search.h"
#include "run/method.h"

#include <stddef.h>
#include <stdio.h>

/* A transpose costs about as much as this many top-down searches. */
enum { SEARCHES_PER_TRANSPOSE = 8 };

const weft_vid *wfi_bfs_sources(const weft_graph *g, const weft_bfs_params *params) {
    return params->sources || !g->n ? params->sources : &params->source;
}

/* The search needs parents even if they are not requested: they mark the vertices found in the current step. */
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

static void declare(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params,
                    bool both_ways) {
    *w = (wfi_workspace){.notes = w->notes, .note_capacity = w->note_capacity};
    if (both_ways) w->transpose_optional = wfi_need_in(w, ctx, g);
    wfi_search s;
    wfi_bfs_table t;
    lay_out(w, g->n, params, both_ways, &s, &t);
}

/* Decides whether the run uses the transpose, and why.  Its arrays are declared in w, which is empty. */
static wfi_bfs_method pick(const weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, wfi_workspace *w,
                           const char **reason) {
    declare(w, ctx, g, params, true);
    *reason = "undirected: the rows serve both directions";
    if (!g->directed) return WFI_BFS_BOTH_WAYS;
    *reason = "the transpose is available";
    if (wfi_in_at_hand(g)) return WFI_BFS_BOTH_WAYS;
    bool few = wfi_bfs_table_rows(params) < SEARCHES_PER_TRANSPOSE;
    *reason = "directed, many sources: the transpose is built once and pays for itself";
    if (!few && wfi_workspace_fits(w, ctx)) return WFI_BFS_BOTH_WAYS;
    *reason = few ? "directed without a transpose: building it would cost more than it saves for so few sources"
                  : "the memory limit leaves no room for the transpose";
    declare(w, ctx, g, params, false);
    return WFI_BFS_TOP_DOWN;
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const char *reason;
    choice->method = (int)pick(ctx, g, params, &choice->space, &reason);
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
}

/* One source after the other. */
static weft_status run_cpu(wfi_job *job) {
    const weft_bfs_params *params = job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    bool both_ways = job->choice->method == WFI_BFS_BOTH_WAYS;
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
    return st ? st : wfi_bfs_job_end(job, s.reached, depth);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *given) {
    const weft_bfs_params *params = given;
    if (params->source != WEFT_NO_VERTEX && params->source >= g->n)
        return wfi_fail(ctx, WEFT_EINVAL, "bfs: source is vertex %u, but the graph has %u vertices", params->source,
                        g->n);
    if (params->source != WEFT_NO_VERTEX && params->sources)
        return wfi_fail(ctx, WEFT_EINVAL, "bfs: `source` and `sources` exclude each other");
    if (params->each && !params->sources) return wfi_fail(ctx, WEFT_EINVAL, "bfs: each needs sources");
    if (params->source_count > 1 && !params->each)
        wfi_note(ctx, "bfs: one search from all `sources`, levels count from the nearest; `each`: a search from each");
    weft_status st = wfi_check_vertices(ctx, g, "bfs", "sources", params->sources, params->source_count);
    return st ? st : wfi_check_vertices(ctx, g, "bfs", "targets", params->targets, params->target_count);
}

static const char *serves_cuda(const weft_graph *g, const void *given) {
    const weft_bfs_params *params = given;
    (void)g;
    if (params->sources && !params->each) return "a search from several sources runs on the CPU";
    return params->targets ? "a search up to targets runs on the CPU" : NULL;
}

void wfi_bfs_table_lay_out(wfi_workspace *w, uint64_t sources, wfi_bfs_table *table) {
    wfi_table_column(w, "source", WEFT_VERTEX, sources, &table->source);
    wfi_table_column(w, "source_reached", WEFT_U64, sources, &table->reached);
    wfi_table_column(w, "source_depth", WEFT_U64, sources, &table->depth);
    wfi_table_column(w, "source_distances", WEFT_U64, sources, &table->distances);
}

void wfi_bfs_columns(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, wfi_bfs_job *b) {
    wfi_column(w, "level", WEFT_U32, n, &b->level);
    if (params->parents) wfi_column(w, "parent", WEFT_VERTEX, n, &b->parent);
    wfi_bfs_table_lay_out(w, wfi_bfs_table_rows(params), &b->table);
}

weft_status wfi_bfs_job_begin(wfi_job *job, wfi_bfs_job *b) {
    const weft_bfs_params *params = job->params;
    b->max_depth = params->max_depth ? params->max_depth : UINT64_MAX;
    b->sources = wfi_bfs_sources(job->g, params);
    b->count = !job->g->n ? 0 : params->sources ? params->source_count : 1;
    b->many = params->each;
    wfi_bfs_columns(job->space, job->g->n, params, b);
    for (size_t i = 0; !job->space->status && b->many && i < b->count; i++) b->table.source[i] = b->sources[i];
    return job->space->status;
}

weft_status wfi_bfs_job_end(wfi_job *job, uint64_t reached, uint64_t depth) {
    return WFI_TELL(job->ctx, job->result, WFI_U64("reached", reached), WFI_U64("depth", depth));
}

/* Sources that the GPU searches at once (bfs_cuda.cu); the last one is searched again on its own. */
enum { GPU_BATCH = 64 };

/* The work of all searches. */
static void work(const weft_graph *g, const void *given, wfi_work *to) {
    const weft_bfs_params *params = given;
    wfi_work_of_search(g, given, to);
    if (!wfi_bfs_table_rows(params)) return;
    uint64_t searches = params->source_count, batches = (searches + GPU_BATCH - 1) / GPU_BATCH;
    to->passes *= (double)searches;
    to->levels *= (double)searches;
    to->gpu_at_once = (double)searches / (double)(batches + 1);
}

static const weft_param_info params[] = {
    {"source", WEFT_PARAM_VERTEX, offsetof(weft_bfs_params, source), "", 0, 0, NULL,
     "source of the search [the vertex with the most out-arcs]"},
    {"sources", WEFT_PARAM_VERTICES, offsetof(weft_bfs_params, sources), "", 0, 0, NULL,
     "levels from the nearest of these, ids in a file or K random vertices"},
    {"max-depth", WEFT_PARAM_U64, offsetof(weft_bfs_params, max_depth), "0", 0, 4294967294.0, NULL,
     "largest number of arcs from the source; 0 = no limit"},
    {"parents", WEFT_PARAM_BOOL, offsetof(weft_bfs_params, parents), "yes", 0, 1, NULL, "the column parent"},
    {"targets", WEFT_PARAM_VERTICES, offsetof(weft_bfs_params, targets), "", 0, 0, NULL,
     "stop at the level that reaches the last of these, ids in a file or K random vertices"},
    {"each", WEFT_PARAM_BOOL, offsetof(weft_bfs_params, each), "no", 0, 0, NULL,
     "a search from each of `sources`: the table has a row for each, the columns belong to the last"},
};
static const weft_result_info results[] = {
    {"level", WEFT_U32, WEFT_SHAPE_VERTICES, "number of arcs from the source; 4294967295 = not reached"},
    {"parent", WEFT_VERTEX, WEFT_SHAPE_VERTICES,
     "the smallest vertex one level closer with an arc to this one; the source is its own"},
    {"reached", WEFT_U64, WEFT_SHAPE_SCALAR, "number of vertices with a level, including the source"},
    {"depth", WEFT_U64, WEFT_SHAPE_SCALAR, "the largest level"},
    {"source", WEFT_VERTEX, WEFT_SHAPE_TABLE, "the sources in order, with `each`"},
    {"source_reached", WEFT_U64, WEFT_SHAPE_TABLE, "number of vertices that its search reached, including itself"},
    {"source_depth", WEFT_U64, WEFT_SHAPE_TABLE, "the largest level of its search"},
    {"source_distances", WEFT_U64, WEFT_SHAPE_TABLE, "the sum of all levels of its search"},
};

static const char *const methods[] = {
    "top-down",
    "direction-optimising",
    "direction-optimising, one kernel",
    "top-down, arcs streamed",
    "direction-optimising, arcs streamed",
};

const wfi_algorithm wfi_algorithm_bfs = {
    WFI_DESCRIBE(bfs, (const weft_bfs_params)WEFT_BFS_DEFAULTS, results, methods),
    WFI_PARAMS(params),
    .info.help = "levels and parents of a breadth-first search",
    .info.formerly = "no_parents parents=no|together each=no",
    .info.top_by = "level",
    .info.model = "none: the number of arcs read depends on the graph and on the method",
    .validate = validate,
    WFI_ON_CPU(plan_cpu, run_cpu),
    .operators = &wfi_bfs_on_ranks,
    WFI_ON_RANKS(wfi_method_plan_ranks, wfi_method_run_cpu),
    .work = work,
    .serves_cuda = serves_cuda,
    WFI_ON_CUDA(wfi_bfs_plan_cuda, wfi_bfs_cuda),
    WFI_ON_RANKS_CUDA(wfi_method_plan_ranks_cuda, wfi_method_run_ranks_cuda),
    WFI_STREAMED(wfi_bfs_plan_stream, wfi_bfs_stream),
    .follower = &wfi_follow_bfs,
};
