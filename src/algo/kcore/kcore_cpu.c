/* k-cores, CPU.  Needs: any graph; arcs are taken without direction, loops and parallel arcs are passed over.
 * Method: peeling in rounds of rising k, as PKC does it [1].  A round takes every vertex with k neighbours left; each
 * thread keeps its own stack and goes on with the neighbours that fall to k through it, so that a round has two
 * barriers however long its chains are.  The next k is the smallest count left, so no round is empty.
 * Encoding: core[v] holds the neighbours left and never falls below the k at which v was taken, so that in the end it
 * is the core number.  A count that two threads push below k is put back.  left[] lists the vertices still there, each
 * thread its own stretch, closed up as it is scanned: all scans together cost the sum of the core numbers.  A vertex
 * lies on one stack at most, so one array of links holds all stacks.
 * Directed: the neighbours of v are the union of two ascending rows, out and in, merged on the way.
 * [1] Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW 2017.
 * [2] Batagelj, Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003: the definition used here. */
#include "algo/kcore/kcore.h"

#include <omp.h>

enum { SHARE = 1 << 14, POLL = 1 << 15 };

typedef struct peel {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_rows *in; /* NULL when out has all neighbours */
    uint32_t *core;
    weft_vid *left, *link;
    uint32_t k, lowest; /* of this round; the smallest count found for the next */
    size_t taken;       /* vertices of finished rounds */
    bool over;
    atomic_bool stop;
} peel;

/* One thread's part. */
typedef struct worker {
    size_t from, to; /* its stretch of left[] */
    weft_vid top;    /* of its stack, WEFT_NO_VERTEX when empty */
    uint32_t lowest;
    size_t taken;
    uint64_t unpolled;
    bool alone; /* no other thread: plain additions will do */
} worker;

/* Neighbours in ascending order, each once, v itself not among them. */
typedef struct neighbours {
    const weft_vid *a, *a_end, *b, *b_end;
} neighbours;

static neighbours neighbours_of(const peel *p, weft_vid v) {
    const wfi_rows *out = &p->g->out;
    neighbours it = {out->targets + out->offsets[v], out->targets + out->offsets[v + 1], NULL, NULL};
    if (p->in) {
        it.b = p->in->targets + p->in->offsets[v];
        it.b_end = p->in->targets + p->in->offsets[v + 1];
    }
    return it;
}

/* WEFT_NO_VERTEX after the last.  No vertex has that number, so it also stands for the end of a row. */
static inline weft_vid next_neighbour(neighbours *it, weft_vid self) {
    for (;;) {
        weft_vid a = it->a < it->a_end ? *it->a : WEFT_NO_VERTEX, b = it->b < it->b_end ? *it->b : WEFT_NO_VERTEX;
        weft_vid u = a < b ? a : b;
        if (u == WEFT_NO_VERTEX) return u;
        while (it->a < it->a_end && *it->a == u) it->a++;
        while (it->b < it->b_end && *it->b == u) it->b++;
        if (u != self) return u;
    }
}

static inline void push(peel *p, worker *w, weft_vid v) {
    p->link[v] = w->top;
    w->top = v;
}

static void poll(peel *p, worker *w, uint64_t work) {
    w->unpolled += work;
    if (w->unpolled < POLL) return;
    w->unpolled = 0;
    if (wfi_cancelled(p->ctx)) atomic_store(&p->stop, true);
}

static void count_neighbours(peel *p) {
    const weft_graph *g = p->g;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, g->arcs + g->n, SHARE))
    {
        worker w = {0};
#pragma omp for schedule(dynamic, 512)
        for (weft_vid v = 0; v < g->n; v++) {
            if (atomic_load_explicit(&p->stop, memory_order_relaxed)) continue;
            uint32_t count = 0;
            neighbours it = neighbours_of(p, v);
            while (next_neighbour(&it, v) != WEFT_NO_VERTEX) count++;
            p->core[v] = count;
            p->left[v] = v;
            poll(p, &w, count + 1);
        }
    }
}

/* Closes up the stretch, drops what was taken, and stacks the vertices of the smallest count. */
static void scan(peel *p, worker *w, bool first) {
    size_t keep = w->from;
    w->top = WEFT_NO_VERTEX;
    w->lowest = UINT32_MAX;
    for (size_t i = w->from; i < w->to; i++) {
        weft_vid v = p->left[i];
        uint32_t count = p->core[v];
        if (!first && count <= p->k) continue;
        p->left[keep++] = v;
        if (count < w->lowest) {
            w->lowest = count;
            w->top = WEFT_NO_VERTEX;
        }
        if (count == w->lowest) push(p, w, v);
    }
    w->to = keep;
    poll(p, w, w->to - w->from);
}

static void take(peel *p, worker *w, weft_vid v) {
    uint32_t k = p->k;
    neighbours it = neighbours_of(p, v);
    for (weft_vid u; (u = next_neighbour(&it, v)) != WEFT_NO_VERTEX;) {
        uint32_t *count = &p->core[u];
        if (w->alone) {
            if (*count > k && --*count == k) push(p, w, u);
        } else if (__atomic_load_n(count, __ATOMIC_RELAXED) > k) {
            uint32_t before = __atomic_fetch_sub(count, 1, __ATOMIC_RELAXED);
            if (before == k + 1) push(p, w, u);
            if (before <= k) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
        }
    }
    poll(p, w, wfi_degree(&p->g->out, v) + 1);
}

static void drain(peel *p, worker *w) {
    while (w->top != WEFT_NO_VERTEX && !atomic_load_explicit(&p->stop, memory_order_relaxed)) {
        weft_vid v = w->top;
        w->top = p->link[v];
        w->taken++;
        take(p, w, v);
    }
}

/* Rounds until nothing is left.  Whether to go on is decided by one thread between barriers, so that all agree. */
static void rounds(peel *p, int threads) {
    weft_vid n = p->g->n;
    p->lowest = UINT32_MAX;
#pragma omp parallel num_threads(threads)
    {
        size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        worker w = {.from = n * me / team, .to = n * (me + 1) / team, .alone = team == 1};
        for (bool first = true;; first = false) {
            scan(p, &w, first);
#pragma omp critical(wfi_kcore_lowest)
            {
                if (w.lowest < p->lowest) p->lowest = w.lowest;
                p->taken += w.taken;
                w.taken = 0;
            }
#pragma omp barrier
#pragma omp master
            {
                p->over = p->lowest == UINT32_MAX || atomic_load(&p->stop);
                if (!p->over) p->k = p->lowest;
                p->lowest = UINT32_MAX;
                wfi_progress(p->ctx, "peel", p->taken, n);
            }
#pragma omp barrier
            if (p->over) break;
            if (w.lowest != p->k) w.top = WEFT_NO_VERTEX;
            drain(p, &w);
#pragma omp barrier
        }
    }
}

static weft_status add_members(weft_ctx *ctx, const peel *p, uint64_t k, weft_result *result) {
    size_t count = 0, at = 0;
    weft_vid n = p->g->n, *members;
    for (weft_vid v = 0; k && v < n; v++) count += p->core[v] >= k;
    weft_status st = wfi_result_column(ctx, result, "members", WEFT_VERTEX, count, 2, &members);
    for (weft_vid v = 0; !st && k && v < n; v++)
        if (p->core[v] >= k) members[at++] = v;
    return st;
}

weft_status wfi_kcore_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result) {
    const weft_kcore_params *given = params;
    peel p = {.ctx = ctx, .g = g};
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    weft_status st = g->directed ? wfi_graph_need_in(ctx, g) : WEFT_OK;
    p.in = g->directed ? &g->in : NULL;
    if (!st) st = wfi_result_column(ctx, result, "core", WEFT_U32, g->n, 1, &p.core);
    if (!st) st = wfi_alloc(ctx, &p.left, g->n);
    if (!st) st = wfi_alloc(ctx, &p.link, g->n);
    if (st) goto done;
    count_neighbours(&p);
    if (!atomic_load(&p.stop)) rounds(&p, wfi_threads_for(ctx, g->arcs + g->n, SHARE));
    if (atomic_load(&p.stop)) st = wfi_fail_cancelled(ctx);
    wfi_free(p.left);
    p.left = NULL;
    if (!st) st = add_members(ctx, &p, given->k, result);
    if (!st) st = wfi_result_scalar_u64(ctx, result, "degeneracy", p.k);
done:
    wfi_free(p.left);
    wfi_free(p.link);
    return st;
}
