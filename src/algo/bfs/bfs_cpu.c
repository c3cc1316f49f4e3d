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

/* Have all targets been reached?  Never, if there are none. */
static inline bool arrived(bfs_search *s) {
    while (s->met < s->target_count && s->level[s->targets[s->met]] != WEFT_UNREACHED) s->met++;
    return s->target_count && s->met == s->target_count;
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
    } while (!s->stop && awake && s->depth < max_depth && !arrived(s) && (awake >= before || awake > s->n / BETA));
    wfi_bfs_front_to_queue(s);
}

/* One source, or several at once.  *depth is the level of the last vertex found. */
static weft_status search(bfs_search *s, const weft_vid *sources, size_t count, uint64_t max_depth, uint64_t *depth) {
    wfi_bfs_begin(s, sources, count);
    uint64_t frontier_arcs = s->found_arcs, unseen = s->arcs;
    s->reached = s->found;
    s->distances = 0;
    s->depth = 0;
    s->met = 0;
    for (uint64_t step = 0; s->to > s->from && s->depth < max_depth && !arrived(s); step++) {
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

/* The search needs parents whether or not they are asked for: they say what the step under way has found. */
static void lay_out(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, bool both_ways, bfs_search *s,
                    wfi_bfs_table *t) {
    s->words = ((size_t)n + 63) / 64;
    wfi_column(w, "level", WEFT_U32, n, &s->level);
    if (params->no_parents)
        wfi_array(w, &s->parent, n);
    else
        wfi_column(w, "parent", WEFT_VERTEX, n, &s->parent);
    wfi_bfs_table_lay_out(w, wfi_bfs_table_rows(params), t);
    wfi_array(w, &s->queue, n);
    wfi_array(w, &s->visited, s->words);
    wfi_array(w, &s->front, both_ways ? s->words : 0);
    wfi_array(w, &s->next, both_ways ? s->words : 0);
}

void wfi_bfs_space(wfi_workspace *w, weft_vid n, const weft_bfs_params *params, bool both_ways) {
    bfs_search s = {0};
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
    bfs_search s = {.ctx = ctx,
                    .n = g->n,
                    .arcs = g->arcs,
                    .out = &g->out,
                    .in = both_ways ? wfi_in_at_hand(g) : NULL,
                    .targets = params->targets,
                    .target_count = params->target_count,
                    .hub_arcs = wfi_max_u64(1 << 15, g->arcs / BFS_MOST_HUBS)};
    size_t rows = wfi_bfs_table_rows(params);
    lay_out(job->space, g->n, params, both_ways, &s, &table);
    weft_status st = job->space->status;
    weft_vid one;
    const weft_vid *sources = wfi_bfs_sources(ctx, g, params, &one);
    size_t at_once = params->together ? params->source_count : 1, searches = !g->n ? 0 : rows ? rows : 1;
    for (size_t i = 0; !st && i < searches; i++) {
        st = search(&s, sources + i, at_once, max_depth, &depth);
        if (st || !rows) continue;
        table.source[i] = sources[i];
        table.reached[i] = s.reached;
        table.depth[i] = depth;
        table.distances[i] = s.distances;
    }
    if (!st) st = wfi_result_scalar_u64(ctx, job->result, "reached", s.reached);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "depth", depth);
}
