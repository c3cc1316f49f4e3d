/* Weak components on CPU cores: Afforest [1].  Needs: rows, which need not ascend; ascending rows are faster.
 * Method: a disjoint-set forest; two trees are linked by hooking the larger root under the smaller with
 * compare-and-swap, and paths are halved.  First each vertex is hooked under its first neighbour if that is smaller,
 * without atomics (as in [2]); then the first two arcs of each row are linked.  Nearly all vertices are then in one
 * tree, found by sampling, and arcs inside it are skipped: if every arc is stored at both ends, by whole rows; if not
 * (directed, no transpose), the rows are read but a target inside the tree costs one bit test.
 * Encoding: parent[v] <= v, so each root is the smallest vertex of its component, and the labels are unique.
 * [1] Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018.
 * [2] Jaiganesh, Burtscher, "A High-Performance Connected Components Implementation for GPUs", HPDC 2018. */
#include "algo/components/components.h"
#include "core/search.h"

enum { CHUNK = 1 << 13, PIECE = 1 << 15, AHEAD = 32, SOON = 12 };

typedef struct forest {
    weft_ctx *ctx;
    weft_vid n;
    weft_vid *parent;
    const weft_eid *offsets; /* the out-rows */
    const weft_vid *targets;
    _Atomic int stopped;
} forest;

/* The largest tree after the first arcs. */
typedef struct largest {
    weft_vid root;
    const uint64_t *set; /* its vertices as bits; NULL: arcs are stored at both ends */
} largest;

static bool goes_on(forest *f) {
    if (atomic_load_explicit(&f->stopped, memory_order_relaxed)) return false;
    if (!wfi_cancelled(f->ctx)) return true;
    atomic_store_explicit(&f->stopped, 1, memory_order_relaxed);
    return false;
}

/* One of the three stages that go vertex by vertex, for vertices from ... to-1. */
typedef void (*stage_fn)(const forest *f, weft_vid from, weft_vid to);

static void hook_under_first(const forest *f, weft_vid from, weft_vid to) {
    const weft_eid *offsets = f->offsets;
    for (weft_vid u = from; u < to; u++) {
        if (u + AHEAD < to) __builtin_prefetch(&f->targets[offsets[u + AHEAD]]);
        weft_vid first = offsets[u] < offsets[u + 1] ? f->targets[offsets[u]] : u;
        f->parent[u] = first < u ? first : u;
    }
}

static void link_first_arcs(const forest *f, weft_vid from, weft_vid to) {
    const weft_eid *offsets = f->offsets;
    for (weft_vid u = from; u < to; u++) {
        if (u + AHEAD < to) __builtin_prefetch(&f->targets[offsets[u + AHEAD]]);
        if (u + SOON < to)
            for (weft_eid e = offsets[u + SOON]; e < offsets[u + SOON + 1] && e < offsets[u + SOON] + WFI_FIRST_ARCS;
                 e++)
                __builtin_prefetch(&f->parent[f->targets[e]], 1);
        for (weft_eid e = offsets[u]; e < offsets[u + 1] && e < offsets[u] + WFI_FIRST_ARCS; e++)
            if (e > offsets[u] || f->targets[e] > u) wfi_join(f->parent, u, f->targets[e]);
    }
}

static void compress(const forest *f, weft_vid from, weft_vid to) {
    weft_vid *parent = f->parent;
    for (weft_vid u = from; u < to; u++) {
        weft_vid at = wfi_load_relaxed(&parent[u]), above = wfi_load_relaxed(&parent[at]);
        if (at == above) continue;
        for (; at != above; above = wfi_load_relaxed(&parent[at])) at = above;
        wfi_store_relaxed(&parent[u], at);
    }
}

static weft_status run_stage(forest *f, stage_fn stage) {
    uint64_t chunks = ((uint64_t)f->n + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(f->ctx, chunks, 4))
    for (uint64_t c = 0; c < chunks; c++)
        if (goes_on(f)) stage(f, (weft_vid)(c * CHUNK), (weft_vid)wfi_min_u64((c + 1) * CHUNK, f->n));
    return atomic_load(&f->stopped) ? wfi_fail_cancelled(f->ctx) : WEFT_OK;
}

/* Rows and arcs are walked in pieces of equal work; this is the row of work item t in 0 ... n + arcs - 1. */
static weft_vid row_at(const weft_eid *offsets, weft_vid n, uint64_t t) {
    weft_vid low = 1, high = n; /* behind the last row with offsets[row] + row <= t */
    WFI_BISECT(low, high, middle, offsets[middle] + middle <= t);
    return low - 1;
}

/* Links u with its neighbours at ... end-1. */
static void link_neighbours(const forest *f, weft_vid u, const weft_vid *at, const weft_vid *end, const largest *l) {
    if (l->set && wfi_in_giant(l->set, u)) {
        for (; at < end; at++)
            if (!wfi_in_giant(l->set, *at)) wfi_join(f->parent, u, *at);
    } else if (l->set || wfi_load_relaxed(&f->parent[u]) != l->root) {
        for (; at < end; at++) wfi_join(f->parent, u, *at);
    }
}

/* Links all but the first `skip` arcs of each row.  Without a set, rows of the largest tree are skipped: an arc skipped
 * at one end is met at the other, unless both ends are in the tree already. */
static weft_status link_rest(forest *f, const wfi_view *rows, weft_eid skip, const largest *l) {
    const weft_eid *offsets = rows->offsets;
    uint64_t total = f->n + offsets[f->n], pieces = (total + PIECE - 1) / PIECE;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(f->ctx, pieces, 4))
    for (uint64_t p = 0; p < pieces; p++) {
        if (!goes_on(f)) continue;
        uint64_t begin = p * PIECE, end = wfi_min_u64(begin + PIECE, total);
        for (weft_vid u = row_at(offsets, f->n, begin); u < f->n && offsets[u] + u < end; u++) {
            weft_eid from = offsets[u] + skip, to = offsets[u + 1];
            if (from + u < begin) from = begin - u;
            if (to + u > end) to = end - u;
            if (from < to) link_neighbours(f, u, rows->targets + from, rows->targets + to, l);
        }
    }
    return atomic_load(&f->stopped) ? wfi_fail_cancelled(f->ctx) : WEFT_OK;
}

void wfi_components_collect(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid giant, uint64_t *set) {
    uint64_t words = wfi_components_giant_words(n);
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, words, 1 << 10))
    for (uint64_t w = 0; w < words; w++) {
        uint64_t bits = 0, last = wfi_min_u64(64, n - w * 64);
        for (uint64_t b = 0; b < last; b++) bits |= (uint64_t)(label[w * 64 + b] == giant) << b;
        set[w] = bits;
    }
}

weft_status wfi_components_weak(weft_ctx *ctx, const weft_graph *g, weft_vid *label, uint64_t *set) {
    forest f = {.ctx = ctx, .n = g->n, .parent = label, .offsets = g->out.offsets, .targets = g->out.targets};
    weft_status st = run_stage(&f, hook_under_first);
    if (!st) st = run_stage(&f, link_first_arcs);
    if (!st) st = run_stage(&f, compress);
    if (st) return st;
    wfi_progress(ctx, "linking", 1, 2);
    largest l = {wfi_components_frequent(label, g->n, NULL), set};
    if (set) wfi_components_collect(ctx, label, g->n, l.root, set);
    st = link_rest(&f, &g->out, WFI_FIRST_ARCS, &l);
    if (!st && g->directed && !set) st = link_rest(&f, &g->in, 0, &l);
    if (!st) st = run_stage(&f, compress);
    return st;
}
