/* Peeling by levels.  Needs: a directed graph; loops and parallel arcs are allowed.
 * Method: counts the arcs into each vertex, takes all vertices without any, removes their arcs, and takes the vertices
 * that have none left; again until none is taken [1].  A vertex is taken one level after its last predecessor, so its
 * level is the longest path from a source.  A vertex that is never taken has a predecessor that is never taken: it is
 * on or behind a cycle.
 * Encoding: order[] is both the queue and the list of levels; threads append to it in small batches.  The calling
 * thread does levels of little work alone, without atomics, so that a path costs no more than a loop over it.
 * [1] Kahn, "Topological sorting of large networks", CACM 5(11), 1962. */
#include "engines/kahn/kahn.h"
#include "core/append_buffer.h"
#include "core/search.h"

#include <string.h>

enum { SHARE = 1 << 14, POLL = 1 << 16, CHUNK = 32, DENSE_SHARE = 64 };

typedef struct peel {
    weft_ctx *ctx;
    const weft_graph *g;
    wfi_kahn *k;
    uint64_t end;      /* length of order[] so far */
    uint64_t arcs;     /* out of the vertices of the next level */
    uint32_t depth;    /* depth of the next level */
    uint64_t unpolled; /* arcs removed by the calling thread since its last poll */
    atomic_bool stop;
} peel;

/* Newly taken vertices of one thread. */
typedef struct batch {
    wfi_append_buffer finds;
    uint64_t arcs;
} batch;

static void begin(peel *p, batch *b) {
    wfi_append_buffer_open(&b->finds, p->k->order, &p->end);
    b->arcs = 0;
}

static void take(peel *p, batch *b, weft_vid v) {
    if (p->k->level) p->k->level[v] = p->depth;
    b->arcs += wfi_degree(&p->g->out, v);
    wfi_append(&b->finds, v);
}

static void finish(peel *p, batch *b) {
    wfi_append_buffer_flush(&b->finds);
    __atomic_fetch_add(&p->arcs, b->arcs, __ATOMIC_RELAXED);
}

/* Dense graphs: each thread counts the targets of a range of its own, found in sorted rows by binary search, so that no
 * two threads write the same counter.  With so few counters atomics would be slower than one thread without. */
static int count_by_range(peel *p, int threads) {
    const wfi_view *out = &p->g->out;
    weft_vid n = p->g->n, *waiting = p->k->waiting;
    size_t ranges = (size_t)threads * 4;
    int overflow = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(| : overflow)
    for (size_t r = 0; r < ranges; r++) {
        weft_vid from = (weft_vid)(n * r / ranges), to = (weft_vid)(n * (r + 1) / ranges);
        uint64_t unpolled = 0;
        for (weft_vid v = 0; v < n && !atomic_load_explicit(&p->stop, memory_order_relaxed); v++) {
            weft_eid e = out->offsets[v], end = out->offsets[v + 1];
            weft_eid first = e = wfi_lower_bound_u32(out->targets, e, end, from);
            for (; e < end && out->targets[e] < to; e++) overflow |= ++waiting[out->targets[e]] == 0;
            unpolled += e - first + 16;
            if (unpolled < POLL) continue;
            unpolled = 0;
            if (wfi_cancelled(p->ctx)) atomic_store(&p->stop, true);
        }
    }
    return overflow;
}

static int count_by_arc(peel *p, int threads) {
    const weft_graph *g = p->g;
    const weft_vid *targets = g->out.targets;
    weft_vid *waiting = p->k->waiting;
    int overflow = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(| : overflow)
    for (weft_eid from = 0; from < g->arcs; from += POLL) {
        if (atomic_load_explicit(&p->stop, memory_order_relaxed)) continue;
        if (wfi_cancelled(p->ctx)) atomic_store(&p->stop, true);
        weft_eid to = from + POLL < g->arcs ? from + POLL : g->arcs;
        if (threads == 1)
            for (weft_eid e = from; e < to; e++) overflow |= ++waiting[targets[e]] == 0;
        else
            for (weft_eid e = from; e < to; e++)
                overflow |= __atomic_add_fetch(&waiting[targets[e]], 1, __ATOMIC_RELAXED) == 0;
    }
    return overflow;
}

/* 1 if some vertex has 2^32 or more incoming arcs, so that its counter overflowed. */
static int count_arcs_in(peel *p) {
    const weft_graph *g = p->g;
    weft_vid *waiting = p->k->waiting;
    const wfi_view *in = wfi_in_at_hand(g);
    int overflow = 0;
    if (!in) {
        int threads = wfi_threads_for(p->ctx, g->arcs, SHARE);
        bool dense = threads > 1 && g->arcs / DENSE_SHARE / (uint64_t)threads >= g->n;
        memset(waiting, 0, (size_t)g->n * sizeof *waiting);
        return dense ? count_by_range(p, threads) : count_by_arc(p, threads);
    }
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(p->ctx, g->n, SHARE)) reduction(| : overflow)
    for (weft_vid v = 0; v < g->n; v++) {
        overflow |= wfi_degree(in, v) > UINT32_MAX;
        waiting[v] = (weft_vid)wfi_degree(in, v);
    }
    return overflow;
}

static void take_sources(peel *p) {
    weft_vid n = p->g->n;
#pragma omp parallel num_threads(wfi_threads_for(p->ctx, n, SHARE))
    {
        batch b;
        begin(p, &b);
#pragma omp for schedule(static) nowait
        for (weft_vid v = 0; v < n; v++) {
            if (p->k->level) p->k->level[v] = WEFT_UNREACHED;
            if (!p->k->waiting[v]) take(p, &b, v);
        }
        finish(p, &b);
    }
}

static void remove_alone(peel *p, size_t from, size_t to) {
    const wfi_view *out = &p->g->out;
    wfi_kahn *k = p->k;
    for (size_t i = from; i < to; i++) {
        weft_vid v = k->order[i];
        for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
            weft_vid u = out->targets[e];
            if (--k->waiting[u]) continue;
            if (k->level) k->level[u] = p->depth;
            k->order[p->end++] = u;
            p->arcs += wfi_degree(out, u);
        }
        p->unpolled += wfi_degree(out, v) + 1;
        if (p->unpolled < POLL) continue;
        p->unpolled = 0;
        if (wfi_cancelled(p->ctx)) atomic_store(&p->stop, true);
        if (atomic_load_explicit(&p->stop, memory_order_relaxed)) return;
    }
}

static void remove_together(peel *p, size_t from, size_t to, int threads) {
    const wfi_view *out = &p->g->out;
    wfi_kahn *k = p->k;
#pragma omp parallel num_threads(threads)
    {
        batch b;
        begin(p, &b);
        uint64_t unpolled = 0;
#pragma omp for schedule(dynamic, CHUNK) nowait
        for (size_t i = from; i < to; i++) {
            if (atomic_load_explicit(&p->stop, memory_order_relaxed)) continue;
            weft_vid v = k->order[i];
            for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1]; e++) {
                weft_vid u = out->targets[e];
                if (!__atomic_sub_fetch(&k->waiting[u], 1, __ATOMIC_RELAXED)) take(p, &b, u);
            }
            unpolled += wfi_degree(out, v) + 1;
            if (unpolled < POLL) continue;
            unpolled = 0;
            if (wfi_cancelled(p->ctx)) atomic_store(&p->stop, true);
        }
        finish(p, &b);
    }
}

weft_status wfi_kahn_peel(weft_ctx *ctx, const weft_graph *g, wfi_kahn *k) {
    peel p = {.ctx = ctx, .g = g, .k = k};
    k->peeled = 0;
    k->levels = 0;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    if (count_arcs_in(&p))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a vertex has 2^32 or more incoming arcs; remove parallel arcs");
    if (!atomic_load(&p.stop)) take_sources(&p);
    for (size_t from = 0; from < p.end && !atomic_load(&p.stop);) {
        size_t to = p.end;
        int threads = wfi_threads_for(ctx, p.arcs + (to - from), SHARE);
        if ((to - from) / CHUNK < (size_t)threads)
            threads = 1; /* too few to share: the threads would contend for
                                                                 * counters */
        p.arcs = 0;
        p.depth++;
        k->levels++;
        if (threads == 1)
            remove_alone(&p, from, to);
        else
            remove_together(&p, from, to, threads);
        from = to;
        wfi_progress(ctx, "peel", p.end, g->n);
    }
    k->peeled = (weft_vid)p.end;
    return atomic_load(&p.stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

wfi_id_order wfi_ids_along_arcs(const weft_ctx *ctx, const weft_graph *g) {
    const wfi_view *out = &g->out;
    int falls = 0, rises = 0; /* some arc does */
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE)) reduction(| : falls, rises)
    for (weft_vid v = 0; v < g->n; v++) {
        if (!wfi_degree(out, v)) continue;
        falls |= out->targets[out->offsets[v]] <= v;
        rises |= out->targets[out->offsets[v + 1] - 1] >= v;
    }
    return !falls ? WFI_IDS_RISE : !rises ? WFI_IDS_FALL : WFI_IDS_MIXED;
}
