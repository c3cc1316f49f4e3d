/* Breadth-first search, CPU.  Needs: nothing; uses the transpose when it is at hand or worth making.
 * Method: direction-optimising [1].  Small frontiers push along out-arcs; when the frontier has more arcs than a
 * fraction of those still unseen, the unvisited vertices look for a parent instead and stop at the first.
 * The way of a step changes nothing in the result (bfs_steps.c), so the figures that decide need no care.
 * [1] Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "algo/bfs/bfs.h"

/* As in [1], but turning earlier (there ALPHA is 15): on uniform graphs of 2^20 vertices and 2^24 edges the step with
 * a thirtieth of the arcs takes 28 ms bottom-up and 36 top-down.  A bottom-up step passes over all vertices, so the
 * frontier's arcs must also be worth that: otherwise the tail of a long path, where hardly an arc is unseen, would pay
 * n for each step. */
enum { ALPHA = 40, BETA = 18, PULL_FLOOR = 16, POLL_STEPS = 256 };

static bool pull_pays(const bfs_search *s, uint64_t frontier_arcs, uint64_t unseen) {
    return s->in && frontier_arcs > unseen / ALPHA && frontier_arcs > s->n / PULL_FLOOR;
}

static inline void count_level(bfs_search *s) {
    s->reached += s->found;
    s->distances += s->found * s->depth;
}

/* Bottom-up until the frontier is small and shrinks, or max_depth is reached. */
static void pull_levels(bfs_search *s, uint64_t max_depth) {
    wfi_bfs_queue_to_front(s);
    uint64_t awake = s->to - s->from, before;
    do {
        before = awake;
        s->depth++;
        wfi_bfs_pull(s);
        awake = s->found;
        count_level(s);
        wfi_progress(s->ctx, "bfs", s->reached, s->n);
    } while (!s->stop && awake && s->depth < max_depth && (awake >= before || awake > s->n / BETA));
    wfi_bfs_front_to_queue(s);
}

/* One source.  *depth is the level of the last vertex found. */
static weft_status search(bfs_search *s, weft_vid source, uint64_t max_depth, uint64_t *depth) {
    wfi_bfs_begin(s, source);
    uint64_t frontier_arcs = wfi_degree(s->out, source), unseen = s->arcs;
    s->reached = 1;
    s->distances = 0;
    s->depth = 0;
    for (uint64_t step = 0; s->to > s->from && s->depth < max_depth; step++) {
        if (pull_pays(s, frontier_arcs, unseen)) {
            pull_levels(s, max_depth);
        } else {
            unseen -= frontier_arcs;
            s->depth++;
            wfi_bfs_push(s, frontier_arcs);
            count_level(s);
        }
        frontier_arcs = s->found_arcs;
        if (step % POLL_STEPS == POLL_STEPS - 1) {
            s->stop |= wfi_cancelled(s->ctx);
            wfi_progress(s->ctx, "bfs", s->reached, s->n);
        }
        if (s->stop) return wfi_fail_cancelled(s->ctx);
    }
    *depth = s->to > s->from ? s->depth : s->depth - 1;
    return WEFT_OK;
}

static void free_scratch(bfs_search *s) {
    wfi_free(s->queue);
    wfi_free(s->visited);
    wfi_free(s->front);
    wfi_free(s->next);
}

static weft_status take_scratch(weft_ctx *ctx, const weft_graph *g, bool both_ways, bfs_search *s) {
    *s = (bfs_search){.ctx = ctx, .n = g->n, .arcs = g->arcs, .out = &g->out};
    s->words = ((size_t)g->n + 63) / 64;
    s->hub_arcs = wfi_max_u64(1 << 15, g->arcs / BFS_MOST_HUBS);
    weft_status st = wfi_alloc(ctx, &s->queue, g->n);
    if (!st) st = wfi_alloc(ctx, &s->visited, s->words);
    if (!st && both_ways) st = wfi_alloc(ctx, &s->front, s->words);
    if (!st && both_ways) st = wfi_alloc(ctx, &s->next, s->words);
    return st;
}

/* When the system has less memory than the limit allows, the search still works, top-down. */
static weft_status get_transpose(weft_ctx *ctx, const weft_graph *g, bfs_search *s) {
    weft_status st = wfi_graph_need_in(ctx, g);
    if (st == WEFT_ENOMEM) {
        wfi_warn(ctx, "bfs: no memory for the transpose, so every step goes top-down");
        return WEFT_OK;
    }
    if (!st) s->in = wfi_in_at_hand(g);
    return st;
}

weft_status wfi_bfs_cpu(weft_ctx *ctx, const weft_graph *g, const void *given, weft_result *result) {
    const weft_bfs_params *params = given;
    bool both_ways = wfi_bfs_pick(ctx, g, params).both_ways;
    uint64_t depth = 0, max_depth = params->max_depth ? params->max_depth : UINT64_MAX;
    weft_vid *sources = NULL;
    size_t count = 0;
    bfs_search s;
    wfi_bfs_table table = {0};
    weft_status st = take_scratch(ctx, g, both_ways, &s);
    if (!st) st = wfi_result_column(ctx, result, "level", WEFT_U32, g->n, 1, &s.level);
    if (!st) st = wfi_result_column(ctx, result, "parent", WEFT_VERTEX, g->n, 1, &s.parent);
    if (!st && g->n) st = wfi_bfs_sources(ctx, g, params, &sources, &count);
    if (!st && both_ways) st = get_transpose(ctx, g, &s);
    if (!st) st = wfi_bfs_table_new(ctx, result, sources, params->sources ? count : 0, &table);
    for (size_t i = 0; !st && i < count; i++) {
        st = search(&s, sources[i], max_depth, &depth);
        if (st || !params->sources) continue;
        table.reached[i] = s.reached;
        table.depth[i] = depth;
        table.distances[i] = s.distances;
    }
    if (!st) st = wfi_result_scalar_u64(ctx, result, "reached", s.reached);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "depth", depth);
    wfi_free(sources);
    free_scratch(&s);
    return st;
}
