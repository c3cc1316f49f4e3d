/* A path with the smallest sum of weights: bidirectional Dijkstra [1], on the side with the smaller next distance,
 * until the sum of both next distances is at least the shortest path found. Fractional weights are added from the
 * source only, in path order, as in sssp: in the other order the same path may round to another length.
 * [1] Pohl, "Bi-directional Search", Machine Intelligence 6 (1971). */
#include "graphs/path.h"

#include <math.h>

enum { POLL = 1 << 12 };

/* Distance of the nearest unsettled vertex, infinity if there is none. Removes outdated heap entries. */
static double nearest(wfi_path_side *side) {
    while (side->heap.count && side->heap.at[0].key > side->distance[side->heap.at[0].slot]) wfi_heap_pop(&side->heap);
    return side->heap.count ? side->heap.at[0].key : (double)INFINITY;
}

/* Settles the side's nearest vertex and relaxes its arcs. *beyond: set if a path's length overflows a double. */
static weft_status settle(wfi_path_search *s, const wfi_path_bar *bar, int i, double *best, weft_vid *meeting,
                          bool *beyond) {
    wfi_path_side *side = &s->side[i], *other = &s->side[1 - i];
    weft_vid u = wfi_heap_pop(&side->heap).slot;
    for (weft_eid e = side->rows->offsets[u]; e < side->rows->offsets[u + 1]; e++) {
        weft_vid v = side->rows->targets[e];
        double w = wfi_weight_at(s->g->weight_type, side->rows->weights, e), far = side->distance[u] + w;
        if (!(w >= 0)) /* only fractional weights are negative, and these are searched along out-arcs only */
            return wfi_refuse_weight(s->ctx, "path", s->g, e);
        if ((side->seen[v] == s->number && side->distance[v] <= far) || !wfi_path_may_go(s, bar, i, u, v)) continue;
        *beyond |= isinf(far) && !isinf(w);
        if (isinf(far)) continue;
        side->seen[v] = s->number;
        side->parent[v] = u;
        side->distance[v] = far;
        if (!wfi_heap_push(s->ctx, &side->heap, far, v)) return WEFT_ENOMEM;
        if (other->seen[v] == s->number) *beyond |= isinf(far + other->distance[v]);
        if (other->seen[v] != s->number || !(far + other->distance[v] < *best)) continue;
        *best = far + other->distance[v];
        *meeting = v;
    }
    return WEFT_OK;
}

static void begin(wfi_path_search *s, int i, weft_vid end) {
    wfi_path_side *side = &s->side[i];
    side->seen[end] = s->number;
    side->parent[end] = end;
    side->distance[end] = 0;
    side->heap.count = 0;
}

static size_t steps_to_end(const wfi_path_side *side, weft_vid v) {
    size_t steps = 0;
    for (; side->parent[v] != v; v = side->parent[v]) steps++;
    return steps;
}

static weft_status join(const wfi_path_search *s, weft_vid meeting, wfi_path *path) {
    size_t before = steps_to_end(&s->side[0], meeting), after = steps_to_end(&s->side[1], meeting);
    weft_status st = wfi_path_alloc(s->ctx, before + 1 + after, path);
    if (st) return st;
    weft_vid v = meeting;
    for (size_t i = before + 1; i-- > 0; v = s->side[0].parent[v]) path->vertices[i] = v;
    v = meeting;
    for (size_t i = before + 1; i < path->count; i++) path->vertices[i] = v = s->side[1].parent[v];
    return WEFT_OK;
}

weft_status wfi_path_by_weights(wfi_path_search *s, weft_vid from, weft_vid to, const wfi_path_bar *bar,
                                wfi_path *path) {
    double best = (double)INFINITY;
    weft_vid meeting = WEFT_NO_VERTEX;
    weft_status st = WEFT_OK;
    bool beyond = false;
    begin(s, 0, from);
    begin(s, 1, to);
    if (!wfi_heap_push(s->ctx, &s->side[0].heap, 0, from) || !wfi_heap_push(s->ctx, &s->side[1].heap, 0, to))
        return WEFT_ENOMEM;
    for (uint64_t settled = 0; !st; settled++) {
        double ours = nearest(&s->side[0]), theirs = s->both ? nearest(&s->side[1]) : 0;
        if (isinf(ours) || isinf(theirs) || ours + theirs >= best) break;
        if (settled % POLL == 0 && wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
        st = settle(s, bar, s->both && theirs < ours, &best, &meeting, &beyond);
    }
    if (!st && meeting == WEFT_NO_VERTEX && beyond) return wfi_refuse_beyond(s->ctx, "path");
    return st || meeting == WEFT_NO_VERTEX ? st : join(s, meeting, path);
}
