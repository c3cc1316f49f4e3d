/* A cycle as evidence.  Needs: the leftover of wfi_kahn_peel; every leftover vertex has a leftover predecessor.
 * Method: each leftover vertex points at its smallest leftover predecessor, found in one pass over the leftover's arcs
 * without a transpose.  Following the pointers from any vertex ends in a cycle; the shortest of all these cycles is
 * kept (ties: the cycle met first, starting from vertices in ascending order).  Then breadth-first searches inside the
 * leftover from vertices of the cycle look for a shorter way back to their start, each only as deep as a shorter cycle
 * can be.  Searches stop at a cycle of two, after SEARCHES of them, or when they have read as many arcs as the graph
 * has (but at least LEAST): the cycle is the shortest found, not always the shortest of the graph.
 * The answer does not depend on the number of threads: a minimum has no order, and one thread does the rest. */
#include "core/atomic_min.h"
#include "engines/kahn/kahn.h"

#include <string.h>

enum { SHARE = 1 << 14, POLL = 1 << 16, SEARCHES = WFI_CYCLE_SEARCHES, LEAST = WFI_LEAST_SEEN };

static weft_vid smaller(weft_vid a, weft_vid b) { return a < b ? a : b; }

/* Rotates the cycle so that it begins at its smallest vertex; `scratch` has the same length. */
static void begin_at_smallest(wfi_cycle *c, weft_vid *scratch) {
    size_t first = 0;
    for (size_t i = 1; i < c->length; i++)
        if (c->vertex[i] < c->vertex[first]) first = i;
    for (size_t i = 0; i < c->length; i++) scratch[i] = c->vertex[(first + i) % c->length];
    memcpy(c->vertex, scratch, c->length * sizeof *scratch);
}

static weft_status take_cycle(wfi_workspace *w, size_t length, wfi_cycle *cycle) {
    cycle->vertex = wfi_grow(w, length, sizeof *cycle->vertex);
    cycle->length = cycle->vertex ? length : 0;
    return cycle->vertex ? WEFT_OK : WEFT_ENOMEM;
}

weft_status wfi_cycle_of_loop(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_cycle *cycle) {
    *cycle = (wfi_cycle){NULL, 0};
    if (!g->self_loops) return WEFT_OK;
    weft_vid found = WEFT_NO_VERTEX;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE)) reduction(min : found)
    for (weft_vid v = 0; v < g->n; v++)
        if (v < found && weft_graph_has_arc(g, v, v, NULL)) found = v;
    if (found == WEFT_NO_VERTEX) return WEFT_OK;
    weft_status st = take_cycle(w, 1, cycle);
    if (!st) cycle->vertex[0] = found;
    return st;
}

/* The leftover (marks[v] != gone) as bits, so that `marks` is free for other use. */
static void mark_leftover(weft_ctx *ctx, weft_vid n, const weft_vid *marks, weft_vid gone, uint64_t *bits) {
    size_t words = wfi_leftover_words(n);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, SHARE))
    for (size_t i = 0; i < words; i++) {
        uint64_t word = 0;
        for (size_t v = 64 * i; v < wfi_min_u64(64 * (i + 1), n); v++) word |= (uint64_t)(marks[v] != gone) << (v % 64);
        bits[i] = word;
    }
}

static inline bool is_left(const uint64_t *left, weft_vid v) { return left[v / 64] >> (v % 64) & 1; }

/* before[v] = smallest leftover predecessor of each leftover v. */
static weft_status point_back(weft_ctx *ctx, const weft_graph *g, const uint64_t *left, weft_vid *before) {
    const wfi_view *out = &g->out;
    atomic_bool stop = false;
    int threads = wfi_threads_for(ctx, g->arcs + g->n, SHARE);
#pragma omp parallel num_threads(threads)
    {
        uint64_t unpolled = 0;
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < g->n; v++) before[v] = WEFT_NO_VERTEX;
#pragma omp for schedule(dynamic, 256)
        for (weft_vid v = 0; v < g->n; v++) {
            if (!is_left(left, v) || atomic_load_explicit(&stop, memory_order_relaxed)) continue;
            for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1]; e++)
                wfi_atomic_min_u32(&before[out->targets[e]], v);
            unpolled += wfi_degree(out, v);
            if (unpolled < POLL) continue;
            unpolled = 0;
            if (wfi_cancelled(ctx)) atomic_store(&stop, true);
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

typedef struct search {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_row_feed *feed; /* or NULL: rows are those of g */
    const uint64_t *left;
    weft_vid *parent, *queue; /* parent is WEFT_NO_VERTEX everywhere between searches; before them, the pointers */
    size_t first, brought;    /* places of the queue whose rows were fed */
    uint64_t budget;          /* arcs that may still be read */
    uint64_t unpolled;
    weft_status status;
} search;

/* The shortest cycle of the pointers: a vertex of it and its length. */
static weft_status follow_back(const search *s, weft_vid *on, size_t *length) {
    const weft_vid *before = s->parent;
    weft_vid n = s->g->n, *walk = s->queue; /* the start + 1 of the first walk through the vertex; 0: none */
    uint64_t unpolled = 0;
    *length = SIZE_MAX;
    memset(walk, 0, (size_t)n * sizeof *walk);
    for (weft_vid start = 0; start < n; start++) {
        if (unpolled++ >= POLL) {
            unpolled = 0;
            if (wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
        }
        if (!is_left(s->left, start) || walk[start]) continue;
        weft_vid v = start;
        for (; !walk[v]; v = before[v], unpolled++) walk[v] = start + 1;
        if (walk[v] != start + 1) continue;
        size_t around = 1;
        for (weft_vid u = before[v]; u != v && around < *length; u = before[u]) around++;
        if (around >= *length) continue;
        *length = around;
        *on = v;
    }
    return WEFT_OK;
}

/* The row of queue[at], of a level that ends before `end`; NULL: bringing it failed. */
static const weft_vid *row_at(search *s, size_t at, size_t end, uint64_t *length) {
    const wfi_view *out = &s->g->out;
    weft_vid v = s->queue[at];
    if (!s->feed) {
        *length = wfi_degree(out, v);
        return out->targets + out->offsets[v];
    }
    if (at >= s->first + s->brought || at < s->first) {
        s->first = at;
        s->status = s->feed->bring(s->feed->user, s->queue + at, end - at, &s->brought);
    }
    *length = 0;
    return s->status ? NULL : s->feed->row(s->feed->user, at - s->first, v, length);
}

/* Takes a row of `arcs` arcs from the budget; false if the search must end. */
static bool afford(search *s, uint64_t arcs) {
    uint64_t cost = arcs + 1;
    s->budget = cost < s->budget ? s->budget - cost : 0;
    s->unpolled += cost;
    if (s->unpolled >= POLL) {
        s->unpolled = 0;
        if (wfi_cancelled(s->ctx)) s->status = wfi_fail_cancelled(s->ctx);
    }
    return s->budget && !s->status;
}

/* Breadth-first search from `source` over at most `depth` arcs, for an arc back to it.  Returns the last vertex of the
 * cycle, or WEFT_NO_VERTEX; queue[0 ... *seen - 1] have parents to clear. */
static weft_vid way_back(search *s, weft_vid source, size_t depth, size_t *seen) {
    size_t from = 0, to = 1;
    s->first = s->brought = 0;
    s->queue[0] = source;
    s->parent[source] = source;
    weft_vid last = WEFT_NO_VERTEX;
    for (size_t step = 1; step <= depth && from < to && last == WEFT_NO_VERTEX; step++) {
        size_t end = to;
        for (; from < end && last == WEFT_NO_VERTEX; from++) {
            uint64_t length;
            const weft_vid *row = row_at(s, from, end, &length);
            weft_vid v = s->queue[from];
            if (s->status || !afford(s, length)) {
                *seen = to;
                return WEFT_NO_VERTEX;
            }
            for (uint64_t e = 0; e < length; e++) {
                weft_vid u = row[e];
                if (u == source) last = v;
                if (s->parent[u] != WEFT_NO_VERTEX || !is_left(s->left, u) || step == depth) continue;
                s->parent[u] = v;
                s->queue[to++] = u;
            }
        }
    }
    *seen = to;
    return last;
}

static weft_status shorten(search *s, wfi_cycle *c) {
    for (size_t tries = 0, at = 0; tries < SEARCHES && at < c->length && c->length > 2 && s->budget; tries++, at++) {
        size_t seen, length = 0;
        weft_vid source = c->vertex[at], last = way_back(s, source, c->length - 1, &seen);
        if (last != WEFT_NO_VERTEX) {
            for (weft_vid v = last; v != source; v = s->parent[v]) length++;
            c->length = length + 1;
            for (weft_vid v = last; v != source; v = s->parent[v]) c->vertex[length--] = v;
            c->vertex[0] = source;
            at = 0; /* position 0 is the vertex of this search */
        }
        for (size_t i = 0; i < seen; i++) s->parent[s->queue[i]] = WEFT_NO_VERTEX;
        if (s->status) return s->status;
    }
    return WEFT_OK;
}

/* The cycle of the pointers, then the searches. */
static weft_status cycle_of(search *s, wfi_workspace *w, wfi_cycle *cycle) {
    weft_vid on = WEFT_NO_VERTEX, *before = s->parent;
    size_t length;
    weft_status st = follow_back(s, &on, &length);
    if (!st) st = take_cycle(w, length, cycle);
    if (st) return st;
    weft_vid first = on;
    for (weft_vid v = before[on]; v != on; v = before[v]) first = smaller(first, v);
    for (weft_vid v = first; length > 0; v = before[v]) cycle->vertex[length-- % cycle->length] = v;
    for (weft_vid v = 0; v < s->g->n; v++) s->parent[v] = WEFT_NO_VERTEX;
    s->budget = wfi_max_u64(s->g->arcs, LEAST);
    st = shorten(s, cycle);
    begin_at_smallest(cycle, s->queue);
    return st;
}

static weft_status search_leftover(search *s, wfi_workspace *w, wfi_cycle *cycle) {
    weft_status st = cycle_of(s, w, cycle);
    if (!st) return WEFT_OK;
    if (!w) wfi_free(cycle->vertex);
    *cycle = (wfi_cycle){NULL, 0};
    return st;
}

weft_status wfi_cycle_in_leftover(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_kahn *k, uint64_t *left,
                                  wfi_cycle *cycle) {
    search s = {.ctx = ctx, .g = g, .left = left, .parent = k->waiting, .queue = k->order};
    *cycle = (wfi_cycle){NULL, 0};
    mark_leftover(ctx, g->n, k->waiting, 0, left);
    weft_status st = point_back(ctx, g, left, k->waiting);
    return st ? st : search_leftover(&s, w, cycle);
}

weft_status wfi_cycle_by_pointers(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, const wfi_row_feed *feed,
                                  const wfi_leftover *l, wfi_cycle *cycle) {
    search s = {.ctx = ctx, .g = g, .feed = feed, .left = l->left, .parent = l->before, .queue = l->scratch};
    *cycle = (wfi_cycle){NULL, 0};
    mark_leftover(ctx, g->n, l->before, WEFT_NO_VERTEX, l->left);
    return search_leftover(&s, w, cycle);
}

void wfi_cycle_compare_label(weft_ctx *ctx, const weft_graph *g, bool acyclic) {
    if (g->label == WEFT_LABEL_ACYCLIC && !acyclic)
        wfi_warn(ctx, "the file calls the graph acyclic, but it has a cycle");
    if (g->label == WEFT_LABEL_CYCLIC && acyclic) wfi_warn(ctx, "the file calls the graph cyclic, but it has no cycle");
}

weft_status wfi_kahn_or_cycle(weft_ctx *ctx, wfi_workspace *w, const weft_graph *g, wfi_kahn *k, uint64_t *left,
                              wfi_cycle *cycle) {
    weft_status st = wfi_kahn_peel(ctx, g, k);
    if (st || k->peeled == g->n) return st;
    st = wfi_cycle_of_loop(ctx, w, g, cycle);
    return st || cycle->length ? st : wfi_cycle_in_leftover(ctx, w, g, k, left, cycle);
}
