/* Breadth-first search, CPU.  Needs: nothing; uses the transpose if it is at hand or worth making.
 * Method: direction-optimising [1].  Small frontiers push along out-arcs (top-down); if the frontier has more arcs than
 * a fraction of those still unseen, the unvisited vertices look for a parent instead (bottom-up) and stop at the first.
 * The direction of a step changes nothing in the result (steps.c), so the thresholds need no care.
 * [1] Beamer, Asanović, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "engines/bfs/search.h"

/* As in [1], but turning earlier (there ALPHA is 15): on uniform graphs of 2^20 vertices and 2^24 edges the step with a
 * thirtieth of the arcs takes 28 ms bottom-up and 36 ms top-down.  A bottom-up step passes over all vertices, so the
 * frontier's arcs must also be worth that: otherwise each step of a long path's tail, where almost no arc is unseen,
 * would cost n. */
enum { ALPHA = 40, BETA = 18, PULL_FLOOR = 16, POLL_STEPS = 256 };

static bool pull_pays(const wfi_search *s, uint64_t frontier_arcs, uint64_t unseen) {
    return s->in && frontier_arcs > unseen / ALPHA && frontier_arcs > s->n / PULL_FLOOR;
}

static inline void count_level(wfi_search *s) {
    s->reached += s->found;
    s->distances += s->found * s->depth;
}

/* True if all targets have been reached; false if there are none. */
static inline bool arrived(wfi_search *s) {
    while (s->met < s->target_count && s->level[s->targets[s->met]] != WEFT_UNREACHED) s->met++;
    return s->target_count && s->met == s->target_count;
}

/* Bottom-up until the frontier is small and shrinks, or max_depth is reached. */
static void pull_levels(wfi_search *s, uint64_t max_depth) {
    wfi_search_queue_to_front(s);
    uint64_t awake = s->to - s->from, before;
    do {
        before = awake;
        s->depth++;
        wfi_search_pull(s);
        awake = s->found;
        count_level(s);
        wfi_progress(s->ctx, s->name, s->reached, s->n);
    } while (!s->stop && awake && s->depth < max_depth && !arrived(s) && (awake >= before || awake > s->n / BETA));
    if (!s->stop) wfi_search_front_to_queue(s); /* after a stop not even the bitmap of the level is cleared */
}

weft_status wfi_search_from(wfi_search *s, const weft_vid *sources, size_t count, uint64_t max_depth, uint64_t *depth) {
    wfi_search_begin(s, sources, count);
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
            wfi_search_push(s, frontier_arcs);
            count_level(s);
        }
        frontier_arcs = s->found_arcs;
        if (step % POLL_STEPS == POLL_STEPS - 1) {
            s->stop |= wfi_cancelled(s->ctx);
            wfi_progress(s->ctx, s->name, s->reached, s->n);
        }
        if (s->stop) return wfi_fail_cancelled(s->ctx);
    }
    *depth = s->to > s->from ? s->depth : s->depth - 1;
    return WEFT_OK;
}

void wfi_search_open(wfi_search *s, weft_ctx *ctx, const weft_graph *g, bool both_ways, const char *name) {
    *s = (wfi_search){.ctx = ctx,
                      .name = name,
                      .n = g->n,
                      .arcs = g->arcs,
                      .out = &g->out,
                      .in = both_ways ? wfi_in_at_hand(g) : NULL,
                      .hub_arcs = wfi_max_u64(1 << 15, g->arcs / WFI_SEARCH_MOST_HUBS)};
}

void wfi_search_lay_out(wfi_workspace *w, weft_vid n, bool both_ways, wfi_search *s) {
    s->words = ((size_t)n + 63) / 64;
    wfi_array(w, &s->queue, n);
    wfi_array(w, &s->visited, s->words);
    wfi_array(w, &s->front, both_ways ? s->words : 0);
    wfi_array(w, &s->next, both_ways ? s->words : 0);
}
