/* Blocks on CPU cores: the steps of bicomponents.h, each over all vertices, and none by levels, so that deep graphs
 * have as much parallelism as flat ones.
 * Method: edges that join two trees of a disjoint-set forest are the spanning forest.  It is rooted from its leaves: a
 * vertex with one unfinished neighbour left hangs below it, and is finished; the thread that finishes the last but one
 * neighbour of a vertex continues with that vertex.  So when a vertex reaches its own parent, all vertices below it
 * have been counted and have their places in its range.  A number is the sum of these places up to the next ancestor
 * that already has a number.
 * The forest and the places depend on threads, the results do not. */
#include "algo/bicomponents/bicomponents.h"
#include "engines/union_find/forest.h"

enum { GRAIN = 1 << 11, SPAN = 1 << 9, POLL = 1 << 16 };

void wfi_blocks_lay_out_named(wfi_workspace *w, weft_vid n, wfi_blocks *b) {
    wfi_array(w, &b->parent, n);
    wfi_array(w, &b->pre, n);
    wfi_array(w, &b->block, n);
    wfi_array(w, &b->head, n);
}

void wfi_blocks_lay_out(wfi_workspace *w, weft_vid n, wfi_blocks *b) {
    wfi_blocks_lay_out_named(w, n, b);
    wfi_array(w, &b->size, n);
    uint64_t rooting = wfi_mark(w);
    wfi_array(w, &b->ways, n);
    wfi_array(w, &b->place, n);
    wfi_rewind(w, rooting);
    wfi_array(w, &b->bound, 2 * (uint64_t)n);
}

/* Runs body on all places of an array, in any order. */
static weft_status all(wfi_blocks *b, uint64_t count, wfi_span_body *body) {
    weft_status st = wfi_spans(b->ctx, count, SPAN, wfi_threads_for(b->ctx, count, GRAIN), body, b);
    return !st && b->stopped ? wfi_fail_cancelled(b->ctx) : st;
}

static void visit(void *state, uint64_t from, uint64_t to) {
    wfi_blocks *b = state;
    for (uint64_t v = from; v < to; v++) b->step(b, (weft_vid)v);
}

/* Runs step on every vertex. */
static weft_status everywhere(wfi_blocks *b, void (*step)(wfi_blocks *b, weft_vid v)) {
    b->step = step;
    return all(b, b->n, visit);
}

/* Polls now and then on a long path. */
static bool stops(wfi_blocks *b, uint64_t *steps) {
    if (++*steps % POLL || !wfi_cancelled(b->ctx)) return false;
    __atomic_store_n(&b->stopped, true, __ATOMIC_RELAXED);
    return true;
}

/* --- the forest -------------------------------------------------------------------------- */

static void alone(wfi_blocks *b, weft_vid v) {
    b->block[v] = b->group[v] = v;
    b->pre[v] = b->head[v] = WEFT_NO_VERTEX;
    b->ways[v] = b->count[v] = 0;
}

static uint64_t way_to(weft_vid v) { return (uint64_t)v << 32 | 1; }

/* Adds all ways of v at once: one atomic addition for a hub. */
static void join_row(wfi_blocks *b, weft_vid v) {
    const wfi_view *r = b->rows[0];
    uint64_t ways = 0;
    for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
        weft_vid u = r->targets[e];
        if ((u < v && b->sides == 1) || wfi_join(b->block, v, u) == WEFT_NO_VERTEX) continue;
        ways += way_to(u);
        __atomic_fetch_add(&b->ways[u], way_to(v), __ATOMIC_RELAXED);
    }
    if (ways) __atomic_fetch_add(&b->ways[v], ways, __ATOMIC_RELAXED);
}

/* A root is the smallest vertex of its tree.  A leaf has size 0 for now. */
static void find_roots_and_leaves(wfi_blocks *b, weft_vid v) {
    bool root = b->block[v] == v;
    b->parent[v] = root ? v : WEFT_NO_VERTEX;
    b->size[v] = root || (uint32_t)b->ways[v] > 1;
}

static void climb(wfi_blocks *b, weft_vid v) {
    if (wfi_load_relaxed(&b->size[v])) return;
    uint64_t ways = b->ways[v], steps = 0;
    for (b->size[v] = 1; (uint32_t)ways == 1 && !stops(b, &steps); v = b->parent[v]) {
        weft_vid p = b->parent[v] = (weft_vid)(ways >> 32);
        b->place[v] = __atomic_fetch_add(&b->size[p], b->size[v], __ATOMIC_RELAXED);
        if (wfi_blocks_is_root(b, p)) return;
        ways = __atomic_sub_fetch(&b->ways[p], way_to(v), __ATOMIC_ACQ_REL);
    }
}

/* --- numbers ----------------------------------------------------------------------------- */

/* Gives the trees consecutive ranges of numbers. */
static void number_roots(void *state, uint64_t from, uint64_t to) {
    wfi_blocks *b = state;
    weft_vid sum = 0;
    for (uint64_t v = from; v < to; v++) sum += b->parent[v] == v ? b->size[v] : 0;
    weft_vid next = __atomic_fetch_add(&b->numbered, sum, __ATOMIC_RELAXED);
    for (uint64_t v = from; v < to; v++) {
        b->block[v] = (weft_vid)v;
        if (b->parent[v] != v) continue;
        b->pre[v] = next;
        next += b->size[v];
    }
}

/* Threads that share a part of the path write the same values there. */
static void number(wfi_blocks *b, weft_vid v) {
    uint64_t steps = 0;
    weft_vid at = v, sum = 0;
    for (; wfi_load_relaxed(&b->pre[at]) == WEFT_NO_VERTEX && !stops(b, &steps); at = b->parent[at])
        sum += b->place[at];
    sum += wfi_load_relaxed(&b->pre[at]);
    for (; wfi_load_relaxed(&b->pre[v]) == WEFT_NO_VERTEX && !stops(b, &steps); v = b->parent[v]) {
        wfi_store_relaxed(&b->pre[v], sum);
        sum -= b->place[v];
    }
}

/* --- bounds ------------------------------------------------------------------------------ */

/* The bounds of v's neighbours, without one edge to its parent. */
static void look_around(wfi_blocks *b, weft_vid v) {
    wfi_bounds is = {b->pre[v], b->pre[v]};
    bool up = false;
    for (int side = 0; side < b->sides; side++) {
        const wfi_view *r = b->rows[side];
        for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
            weft_vid u = r->targets[e], at = b->pre[u];
            if (u != b->parent[v] || up) is = wfi_bounds_both(is, (wfi_bounds){at, at});
            up |= u == b->parent[v];
        }
    }
    b->bound[(uint64_t)b->n + b->pre[v]] = is;
}

static void span_two(void *state, uint64_t from, uint64_t to) {
    wfi_blocks *b = state;
    for (uint64_t i = b->low + from; i < b->low + to; i++)
        b->bound[i] = wfi_bounds_both(b->bound[2 * i], b->bound[2 * i + 1]);
}

/* Places high ... 2n - 1 are done; makes those from half of `high` on. */
static weft_status span_all(wfi_blocks *b) {
    weft_status st = WEFT_OK;
    for (uint64_t high = b->n; high > 1 && !st; high = b->low) {
        b->low = (high + 1) / 2;
        st = all(b, high - b->low, span_two);
    }
    return st;
}

/* --- blocks ------------------------------------------------------------------------------ */

static void join_branches(wfi_blocks *b, weft_vid v) {
    const wfi_view *r = b->rows[0];
    weft_vid p = b->parent[v];
    if (p == v) return;
    wfi_bounds is = wfi_bounds_of(b->bound, b->n, b->pre[v], b->size[v]);
    if (!wfi_bounds_within(is, b->pre[p], b->size[p])) wfi_join(b->block, v, p);
    if (!wfi_bounds_within(is, b->pre[v], b->size[v])) wfi_join(b->group, v, p);
    for (weft_eid e = r->offsets[v]; e < r->offsets[v + 1]; e++) {
        weft_vid u = r->targets[e];
        if (!wfi_blocks_is_below(b, u, v) && !wfi_blocks_is_below(b, v, u)) wfi_join(b->block, u, v);
    }
}

static void flatten_vertex(wfi_blocks *b, weft_vid v) {
    wfi_compress_path(b->block, v);
    wfi_compress_path(b->group, v);
}

/* The head of a block is the vertex above it that is in another block, or in none: all vertices that find one find the
 * same. */
static void find_head(wfi_blocks *b, weft_vid v) {
    weft_vid p = b->parent[v];
    if (p != v && b->block[p] != b->block[v]) wfi_store_relaxed(&b->head[b->block[v]], p);
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
    wfi_progress(job->ctx, "spanning forest", 0, 0);
    weft_status st = everywhere(b, alone);
    if (!st) st = everywhere(b, join_row);
    if (!st) st = everywhere(b, find_roots_and_leaves);
    if (!st) st = everywhere(b, climb);
    if (!st) st = all(b, b->n, number_roots);
    if (!st) st = everywhere(b, number);
    wfi_progress(job->ctx, "blocks", 0, 0);
    if (!st) st = everywhere(b, look_around);
    if (!st) st = span_all(b);
    if (!st) st = everywhere(b, join_branches);
    if (!st) st = everywhere(b, flatten_vertex);
    if (!st) st = everywhere(b, find_head);
    if (!st) st = everywhere(b, count_blocks);
    if (!st) count_all(b);
    return st;
}
