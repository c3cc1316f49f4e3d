/* Blocks on CPU cores: the steps of bicomponents.h, each over all vertices or over the levels of the forest in turn.
 * Sums, minima and maxima go up the levels with atomics on integers; numbers go down, each vertex taking its share of
 * its parent's range.  Which share depends on threads, and shows in nothing that is returned. */
#include "algo/bicomponents/bicomponents.h"
#include "shared/parts/forest.h"


enum { GRAIN = 1 << 11, ROWS = 64, FOUND = 64 };

typedef void (*at_vertex)(wfi_blocks *b, weft_vid v);

void wfi_blocks_lay_out_named(wfi_workspace *w, weft_vid n, wfi_blocks *b) {
    wfi_array(w, &b->parent, n);
    wfi_array(w, &b->pre, n);
    wfi_array(w, &b->block, n);
    wfi_array(w, &b->head, n);
}

void wfi_blocks_lay_out(wfi_workspace *w, weft_vid n, wfi_blocks *b) {
    wfi_blocks_lay_out_named(w, n, b);
    wfi_array(w, &b->queue, n);
    wfi_array(w, &b->level, (uint64_t)n + 1);
    wfi_array(w, &b->size, n);
    wfi_array(w, &b->low, n);
    wfi_array(w, &b->high, n);
    wfi_array(w, &b->twice, n);
}

/* Every vertex, in any order. */
static weft_status everywhere(wfi_blocks *b, at_vertex body) {
    uint64_t chunks = ((uint64_t)b->n + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(dynamic, 8) num_threads(wfi_threads_for(b->ctx, b->n, GRAIN))
    for (uint64_t c = 0; c < chunks; c++) {
        if (wfi_cancelled(b->ctx)) continue;
        for (uint64_t v = c * ROWS; v < wfi_min_u64((c + 1) * ROWS, b->n); v++) body(b, (weft_vid)v);
    }
    return wfi_cancelled(b->ctx) ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

/* The vertices of one level, in any order. */
static void at_level(wfi_blocks *b, weft_vid d, at_vertex body) {
    weft_vid from = b->level[d], to = b->level[d + 1];
    b->alone = to - from < GRAIN;
    if (b->alone) {
        for (weft_vid i = from; i < to; i++) body(b, b->queue[i]);
        return;
    }
    uint64_t chunks = ((uint64_t)to - from + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(dynamic, 4) num_threads(wfi_threads_for(b->ctx, to - from, GRAIN))
    for (uint64_t c = 0; c < chunks; c++) {
        if (wfi_cancelled(b->ctx)) continue;
        for (uint64_t i = from + c * ROWS; i < wfi_min_u64(from + (c + 1) * ROWS, to); i++) body(b, b->queue[i]);
    }
}

static bool polls(weft_vid d) { return d % ROWS == 0; }

static weft_status upwards(wfi_blocks *b, at_vertex body) {
    for (weft_vid d = b->levels; d-- > 1;) {
        if (polls(d) && wfi_cancelled(b->ctx)) break;
        at_level(b, d, body);
    }
    return wfi_cancelled(b->ctx) ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

static weft_status downwards(wfi_blocks *b, at_vertex body) {
    for (weft_vid d = 0; d < b->levels; d++) {
        if (polls(d) && wfi_cancelled(b->ctx)) break;
        at_level(b, d, body);
    }
    return wfi_cancelled(b->ctx) ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

static inline weft_vid take(const wfi_blocks *b, weft_vid *place, weft_vid share) {
    if (!b->alone) return __atomic_fetch_add(place, share, __ATOMIC_RELAXED);
    *place += share;
    return *place - share;
}

/* Puts `value` in the place of `seen`, or finds what is there. */
static inline bool replace(const wfi_blocks *b, weft_vid *place, weft_vid *seen, weft_vid value) {
    if (!b->alone)
        return __atomic_compare_exchange_n(place, seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *place = value;
    return true;
}

static void lower(const wfi_blocks *b, weft_vid *place, weft_vid value) {
    weft_vid seen = wfi_peek(place);
    while (value < seen && !replace(b, place, &seen, value)) {}
}

static void raise(const wfi_blocks *b, weft_vid *place, weft_vid value) {
    weft_vid seen = wfi_peek(place);
    while (value > seen && !replace(b, place, &seen, value)) {}
}

/* --- the forest -------------------------------------------------------------------------- */

static void alone(wfi_blocks *b, weft_vid v) {
    b->block[v] = b->group[v] = v;
    b->parent[v] = b->head[v] = WEFT_NO_VERTEX;
    b->size[v] = 1;
    b->count[v] = 0;
    b->twice[v] = 0;
}

static void join_row(wfi_blocks *b, weft_vid v) {
    const wfi_view *r = b->rows[0];
    for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) wfi_join(b->block, v, r->targets[e]);
}

static inline void append(wfi_blocks *b, const weft_vid *found, weft_vid count) {
    weft_vid *to = count ? b->queue + take(b, &b->tail, count) : NULL;
    for (weft_vid i = 0; i < count; i++) to[i] = found[i];
}

static void reach(wfi_blocks *b, weft_vid v) {
    weft_vid found[FOUND], count = 0;
    for (int side = 0; side < b->sides; side++) {
        const wfi_view *r = b->rows[side];
        for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
            weft_vid u = r->targets[e], none = WEFT_NO_VERTEX;
            if (wfi_peek(&b->parent[u]) != none || !replace(b, &b->parent[u], &none, v)) continue;
            found[count++] = u;
            if (count < FOUND) continue;
            append(b, found, count);
            count = 0;
        }
    }
    append(b, found, count);
}

/* Levels of all trees together: a root is the smallest vertex of its component. */
static weft_status grow(wfi_blocks *b) {
    weft_status st = everywhere(b, alone);
    if (!st) st = everywhere(b, join_row);
    if (st) return st;
    b->levels = b->tail = 0;
    for (weft_vid v = 0; v < b->n; v++) {
        if (wfi_root_of(b->block, v) != v) continue;
        b->parent[v] = v;
        b->queue[b->tail++] = v;
    }
    for (b->level[0] = 0; b->level[b->levels] < b->tail; b->levels++) {
        b->level[b->levels + 1] = b->tail;
        if (polls(b->levels)) {
            wfi_progress(b->ctx, "spanning forest", b->tail, b->n);
            if (wfi_cancelled(b->ctx)) break;
        }
        at_level(b, b->levels, reach);
    }
    return wfi_cancelled(b->ctx) ? wfi_fail_cancelled(b->ctx) : WEFT_OK;
}

/* --- numbers ----------------------------------------------------------------------------- */

static void give_size(wfi_blocks *b, weft_vid v) { take(b, &b->size[b->parent[v]], b->size[v]); }

/* Until a vertex is numbered, low counts what its children have taken of its range. */
static void number(wfi_blocks *b, weft_vid v) {
    weft_vid p = b->parent[v];
    b->pre[v] = take(b, p == v ? &b->tail : &b->low[p], b->size[v]);
    b->low[v] = b->pre[v] + 1;
}

/* The least and the largest number beside v, but for one edge to its parent. */
static void look_around(wfi_blocks *b, weft_vid v) {
    weft_vid low = b->pre[v], high = low, up = 0;
    for (int side = 0; side < b->sides; side++) {
        const wfi_view *r = b->rows[side];
        for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
            weft_vid u = r->targets[e], at = b->pre[u];
            if (u == b->parent[v] && u != v) {
                up++;
                continue;
            }
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
    }
    b->twice[v] = up > 1;
    b->low[v] = low;
    b->high[v] = high;
}

static void give_bounds(wfi_blocks *b, weft_vid v) {
    lower(b, &b->low[b->parent[v]], b->low[v]);
    raise(b, &b->high[b->parent[v]], b->high[v]);
}

/* --- blocks ------------------------------------------------------------------------------ */

static bool is_fence(const wfi_blocks *b, weft_vid v) {
    weft_vid p = b->parent[v];
    return b->low[v] >= b->pre[p] && b->high[v] - b->pre[p] < b->size[p];
}

/* The edge to the parent: does nothing else lead out of the subtree of v? */
static bool is_bridge(const wfi_blocks *b, weft_vid v) {
    return !b->twice[v] && b->low[v] >= b->pre[v] && b->high[v] - b->pre[v] < b->size[v];
}

static void own_block(wfi_blocks *b, weft_vid v) { b->block[v] = v; }

static void join_branches(wfi_blocks *b, weft_vid v) {
    const wfi_view *r = b->rows[0];
    if (wfi_blocks_is_root(b, v)) return;
    if (!is_fence(b, v)) wfi_join(b->block, v, b->parent[v]);
    if (!is_bridge(b, v)) wfi_join(b->group, v, b->parent[v]);
    for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
        weft_vid u = r->targets[e];
        if (!wfi_blocks_is_below(b, u, v) && !wfi_blocks_is_below(b, v, u)) wfi_join(b->block, u, v);
    }
}

static void settle(wfi_blocks *b, weft_vid v) {
    wfi_hang_below_root(b->block, v);
    wfi_hang_below_root(b->group, v);
}

/* The head of a block is above it and in another, or in none: all that find one find the same. */
static void find_head(wfi_blocks *b, weft_vid v) {
    weft_vid p = b->parent[v];
    if (p != v && b->block[p] != b->block[v]) wfi_poke(&b->head[b->block[v]], p);
}

static void count_blocks(wfi_blocks *b, weft_vid v) {
    if (b->head[v] != WEFT_NO_VERTEX) __atomic_fetch_add(&b->count[b->head[v]], 1, __ATOMIC_RELAXED);
    if (!wfi_blocks_is_root(b, v)) __atomic_fetch_add(&b->count[v], 1, __ATOMIC_RELAXED);
}

static void count_all(wfi_blocks *b) {
    uint64_t blocks = 0, bridges = 0, points = 0, groups = 0;
    int threads = wfi_threads_for(b->ctx, b->n, GRAIN);
#pragma omp parallel for reduction(+ : blocks, bridges, points, groups) num_threads(threads)
    for (weft_vid v = 0; v < b->n; v++) {
        blocks += b->head[v] != WEFT_NO_VERTEX;
        bridges += b->group[v] != b->group[b->parent[v]];
        points += b->count[v] > 1;
        groups += b->group[v] == v;
    }
    b->blocks = blocks;
    b->bridges = bridges;
    b->points = points;
    b->groups = groups;
}

weft_status wfi_blocks_find(wfi_job *job, wfi_blocks *b) {
    weft_status st = grow(b);
    if (!st) st = upwards(b, give_size);
    b->tail = 0;
    if (!st) st = downwards(b, number);
    wfi_progress(job->ctx, "blocks", 0, 0);
    if (!st) st = everywhere(b, look_around);
    if (!st) st = upwards(b, give_bounds);
    if (!st) st = everywhere(b, own_block);
    if (!st) st = everywhere(b, join_branches);
    if (!st) st = everywhere(b, settle);
    if (!st) st = everywhere(b, find_head);
    if (!st) st = everywhere(b, count_blocks);
    if (!st) count_all(b);
    return st;
}
