/* k-core decomposition on CPU cores: parallel peeling, as in PKC [1].  Needs: any graph, and the transpose of a
 * directed one; loops and parallel arcs are skipped.
 * Method: a round removes every vertex with k neighbours left; each thread has its own stack and continues with the
 * neighbours whose count it decrements to k, so that a round has two barriers however long its chains are.  Idle
 * threads steal part of another's stack: in the last rounds one vertex may bring down most of the rest.  The next k is
 * the smallest count left, so no round is empty.
 * Encoding: core[v] holds the neighbours left and never falls below the k at which v was removed, so that in the end it
 * is the core number.  A count that two threads decrement below k is restored.  left[] lists the remaining vertices,
 * each thread its own range, compacted as it is scanned: all scans together cost the sum of the core numbers.  A vertex
 * is on at most one stack, so one array of links holds all stacks.
 * Directed: the neighbours of v are the union of two ascending rows, out and in, merged on the way.  If arcs count,
 * those of one side, or both, the vertices decremented when v is removed may differ from the vertices that count for v.
 * [1] Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW 2017.
 * [2] Batagelj, Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003: the definition used here. */
#include "algo/kcore/kcore.h"
#include "core/barrier.h"
#include "weft/kcore.h"

#include <omp.h>
#include <sched.h>

enum { SHARE = 1 << 14, POLL = 1 << 15, AHEAD = 12 };
/* The most parts of stacks on offer, vertices of each, and vertices between two offers; polls of the offers before the
 * core is yielded. */
enum { OFFERS = 64, OFFERED = 32, OFFER_EVERY = 16, SPINS = 256 };

typedef struct peel {
    weft_ctx *ctx;
    const weft_graph *g;
    /* Rows of the vertices that count for a vertex, and rows of the vertices for which it counts.  `merged` with a
     * second row: a vertex in both counts once. */
    const wfi_view *counts[2], *counted_by[2];
    bool merged;
    uint32_t *core;
    weft_vid *left, *link;
    size_t taken; /* vertices of finished rounds */
    uint32_t degeneracy;
    atomic_bool stop;
} peel;

/* Parts of stacks on offer to idle threads.  A thread that has made an offer checks here before it becomes idle itself,
 * so that no offer is lost. */
typedef struct offers {
    _Atomic int idle, count; /* idle threads, or those at the barrier; count changes in wfi_kcore_offers */
    weft_vid top[OFFERS];
} offers;

/* The values that threads exchange before a round. */
typedef struct slot {
    uint32_t lowest; /* count of neighbours left; UINT32_MAX = no vertex is left */
    bool stop;
} slot;

/* One thread's part. */
typedef struct worker {
    size_t from, to; /* its range of left[] */
    weft_vid top;    /* top of its stack, WEFT_NO_VERTEX if empty */
    uint32_t k;      /* k of this round */
    uint32_t lowest; /* count in its range */
    size_t taken;
    uint64_t unpolled;
    int team;
    bool alone; /* no other thread: plain additions suffice */
    offers *offers;
} worker;

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

/* u has one neighbour less; if it reaches k it is taken in this round. */
static inline void decrement(peel *p, worker *w, weft_vid u) {
    uint32_t *count = &p->core[u], k = w->k;
    if (w->alone) {
        if (*count > k && --*count == k) push(p, w, u);
    } else if (__atomic_load_n(count, __ATOMIC_RELAXED) > k) {
        uint32_t before = __atomic_fetch_sub(count, 1, __ATOMIC_RELAXED);
        if (before == k + 1) push(p, w, u);
        if (before <= k) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    }
}

/* Meets each vertex of the rows of v except v: rows ascend, so repetitions are adjacent.  A vertex of both rows is met
 * once if they are merged, else twice.  Returns the number of meetings, and decrements the vertices unless
 * only_count. */
__attribute__((always_inline)) static inline uint32_t meet_rows(peel *p, worker *w, weft_vid v,
                                                                const wfi_view *const rows[2], bool only_count) {
    const weft_vid *a = rows[0]->targets + rows[0]->offsets[v], *a_end = rows[0]->targets + rows[0]->offsets[v + 1];
    const weft_vid *b = a_end, *b_end = a_end; /* no row, and no null pointer to add to */
    if (rows[1]) {
        b = rows[1]->targets + rows[1]->offsets[v];
        b_end = rows[1]->targets + rows[1]->offsets[v + 1];
    }
    weft_vid last = v;
    uint32_t met = 0;
    while (a < a_end || b < b_end) {
        weft_vid x = a < a_end ? *a : WEFT_NO_VERTEX, y = b < b_end ? *b : WEFT_NO_VERTEX, u = x < y ? x : y;
        bool both = x == y && !p->merged;
        a += x == u;
        b += y == u;
        /* the branch on u's count is hard to predict: the sooner the count is loaded, the cheaper a misprediction (20 %
         * in all) */
        if (!only_count && a_end - a > AHEAD) __builtin_prefetch(&p->core[a[AHEAD]], 1);
        if (u == last || u == v) continue;
        last = u;
        met += 1 + both;
        if (!only_count) decrement(p, w, u);
        if (!only_count && both) decrement(p, w, u);
    }
    return met;
}

static uint32_t meet(peel *p, worker *w, weft_vid v) { return meet_rows(p, w, v, p->counted_by, false); }

static void count_neighbours(peel *p) {
    const weft_graph *g = p->g;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, g->arcs + g->n, SHARE))
    {
        worker w = {0};
#pragma omp for schedule(dynamic, 512)
        for (weft_vid v = 0; v < g->n; v++) {
            if (atomic_load_explicit(&p->stop, memory_order_relaxed)) continue;
            p->core[v] = meet_rows(p, &w, v, p->counts, true);
            p->left[v] = v;
            poll(p, &w, p->core[v] + 1);
        }
    }
}

/* Compacts the range, drops taken vertices, and stacks the vertices of the smallest count. */
static void scan(peel *p, worker *w, bool first) {
    size_t keep = w->from;
    w->top = WEFT_NO_VERTEX;
    w->lowest = UINT32_MAX;
    for (size_t i = w->from; i < w->to; i++) {
        weft_vid v = p->left[i];
        uint32_t count = p->core[v];
        if (!first && count <= w->k) continue;
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

/* Offers the top of the stack, up to OFFERED vertices but not the last one, if a thread is idle. */
static void offer(peel *p, worker *w) {
    offers *o = w->offers;
    weft_vid last = w->top;
    if (atomic_load_explicit(&o->idle, memory_order_relaxed) <= atomic_load_explicit(&o->count, memory_order_relaxed))
        return;
    if (last == WEFT_NO_VERTEX || p->link[last] == WEFT_NO_VERTEX) return;
    for (int i = 1; i < OFFERED && p->link[p->link[last]] != WEFT_NO_VERTEX; i++) last = p->link[last];
#pragma omp critical(wfi_kcore_offers)
    if (o->count < OFFERS) {
        o->top[o->count] = w->top;
        w->top = p->link[last];
        p->link[last] = WEFT_NO_VERTEX;
        atomic_fetch_add(&o->count, 1);
    }
}

/* Waits for an offer; false: no thread has anything to do. */
static bool steal(peel *p, worker *w) {
    offers *o = w->offers;
    atomic_fetch_add(&o->idle, 1);
    for (unsigned spins = 0; !atomic_load_explicit(&p->stop, memory_order_relaxed); spins++) {
        if (atomic_load(&o->count)) {
#pragma omp critical(wfi_kcore_offers)
            if (o->count) {
                w->top = o->top[o->count - 1];
                atomic_fetch_sub(&o->count, 1);
                atomic_fetch_sub(&o->idle, 1);
            }
            if (w->top != WEFT_NO_VERTEX) return true;
        }
        if (atomic_load(&o->idle) == w->team) return false;
        if (spins > SPINS) sched_yield();
    }
    return false;
}

__attribute__((always_inline)) static inline void work_off(peel *p, worker *w, bool shares) {
    for (unsigned done = 1; w->top != WEFT_NO_VERTEX; done++) {
        if (atomic_load_explicit(&p->stop, memory_order_relaxed)) return;
        weft_vid v = w->top;
        w->top = p->link[v];
        w->taken++;
        poll(p, w, (uint64_t)meet(p, w, v) + 1);
        if (shares && done % OFFER_EVERY == 0) offer(p, w);
    }
}

static void drain(peel *p, worker *w) {
    if (w->alone) {
        work_off(p, w, false);
        return;
    }
    do work_off(p, w, true);
    while (steal(p, w));
}

/* Rounds until no vertex is left.  Each thread puts its part of the common decisions (k, whether to go on) into the
 * round's slot before the first barrier and reads them after it; the other slot is prepared in between. */
static void rounds(peel *p, int threads) {
    weft_vid n = p->g->n;
    slot slots[2] = {{UINT32_MAX, false}, {UINT32_MAX, false}};
    wfi_barrier barrier;
    offers waiting = {0, 0, {0}};
#pragma omp parallel num_threads(threads)
    {
#pragma omp single
        wfi_barrier_open(&barrier, omp_get_num_threads());
        size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        worker w = {.from = n * me / team,
                    .to = n * (me + 1) / team,
                    .team = (int)team,
                    .alone = team == 1,
                    .offers = &waiting};
        for (size_t round = 0;; round++) {
            slot *now = &slots[round % 2];
            if (me == 0) atomic_store(&waiting.idle, 0);
            scan(p, &w, round == 0);
#pragma omp critical(wfi_kcore_slot)
            {
                if (w.lowest < now->lowest) now->lowest = w.lowest;
                now->stop |= atomic_load(&p->stop);
                p->taken += w.taken;
                w.taken = 0;
            }
            wfi_barrier_wait(&barrier);
            if (now->stop || now->lowest == UINT32_MAX) break;
            if (me == 0) {
                slots[(round + 1) % 2] = (slot){UINT32_MAX, false};
                wfi_progress(p->ctx, "peel", p->taken, n);
            }
            w.k = now->lowest;
            if (w.lowest != w.k) w.top = WEFT_NO_VERTEX;
            drain(p, &w);
            wfi_barrier_wait(&barrier);
        }
        if (me == 0) p->degeneracy = w.k;
    }
    wfi_barrier_close(&barrier);
}

static weft_status add_members(const wfi_job *job, const peel *p, uint64_t k) {
    size_t count = 0, at = 0;
    weft_vid n = p->g->n;
    for (weft_vid v = 0; k && v < n; v++) count += p->core[v] >= k;
    weft_vid *members = wfi_grow(job->space, count, sizeof *members);
    if (!members) return WEFT_ENOMEM;
    for (weft_vid v = 0; k && v < n; v++)
        if (p->core[v] >= k) members[at++] = v;
    return wfi_column_of_grown(job->space, "members", WEFT_VERTEX, count, members);
}

void wfi_kcore_columns(wfi_workspace *w, weft_vid n, uint64_t k, uint32_t **core) {
    wfi_column(w, "core", WEFT_U32, n, core);
    wfi_growth(w, k ? sizeof(weft_vid) * (uint64_t)n : 0); /* members */
}

static void lay_out(wfi_workspace *w, weft_vid n, uint64_t k, peel *p) {
    wfi_kcore_columns(w, n, k, &p->core);
    wfi_array(w, &p->left, n);
    wfi_array(w, &p->link, n);
}

void wfi_kcore_space(wfi_workspace *w, weft_vid n, uint64_t k) { lay_out(w, n, k, &(peel){0}); }

static void choose_rows(peel *p, weft_core_mode mode) {
    const wfi_view *out = &p->g->out, *in = p->g->directed ? &p->g->in : NULL;
    bool one = in && (mode == WEFT_CORE_IN || mode == WEFT_CORE_OUT);
    p->merged = mode != WEFT_CORE_ALL;
    p->counts[0] = one && mode == WEFT_CORE_IN ? in : out;
    p->counted_by[0] = one && mode == WEFT_CORE_OUT ? in : out;
    p->counts[1] = p->counted_by[1] = one ? NULL : in;
}

weft_status wfi_kcore_cpu(wfi_job *job) {
    const weft_kcore_params *given = job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    peel p = {.ctx = ctx, .g = g};
    choose_rows(&p, given->mode);
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    lay_out(job->space, g->n, given->k, &p);
    if (job->space->status) return job->space->status;
    count_neighbours(&p);
    if (!atomic_load(&p.stop)) rounds(&p, wfi_threads_for(ctx, g->arcs + g->n, SHARE));
    if (atomic_load(&p.stop)) return wfi_fail_cancelled(ctx);
    weft_status st = add_members(job, &p, given->k);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "degeneracy", p.degeneracy);
}
