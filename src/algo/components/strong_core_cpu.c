/* The core of the largest strong component, CPU: forward-backward search [1] with trimming [2], in parallel.  Needs:
 * out-rows only.
 * Method: a few rounds of trimming take vertices whose arcs all end in trimmed ones: components of one vertex.  Then a
 * search by levels from a pivot of high degree finds all reachable vertices; among them, sweeps over the rows find
 * those that reach the pivot: a vertex with an arc into the core joins it.  Sweeps first read only the beginning of
 * each row, because once the hubs are in, one of the first arcs nearly always hits.
 * Encoding: mark[v] is 0, or bits as in components.h.  Whatever the timing, all vertices of the core are mutually
 * reachable; its share of the component depends on the sweeps and changes no result.
 * [1] Fleischer, Hendrickson, Pinar, "On Identifying Strongly Connected Components in Parallel", IPDPS Workshops 2000.
 * [2] McLendon, Hendrickson, Plimpton, Rauchwerger, "Finding Strongly Connected Components in Distributed Graphs",
 *     JPDC 65, 2005. */
#include "algo/components/components.h"
#include "core/append_buffer.h"

enum { CHUNK = 1 << 12, LEVEL_CHUNK = 64, PIECE = 1 << 16, FEW = 1024, TRIMS = 4, SWEEPS = 8 };

typedef struct core {
    weft_ctx *ctx;
    weft_vid n;
    const weft_eid *offsets;
    const weft_vid *targets;
    uint8_t *mark;
    weft_vid *queue;
    uint64_t tail;
    weft_eid look; /* arcs of each row that a sweep reads */
    _Atomic int stopped;
} core;

static bool goes_on(core *c) {
    if (atomic_load_explicit(&c->stopped, memory_order_relaxed)) return false;
    if (!wfi_cancelled(c->ctx)) return true;
    atomic_store_explicit(&c->stopped, 1, memory_order_relaxed);
    return false;
}

static inline uint8_t seen(const core *c, weft_vid v) { return __atomic_load_n(&c->mark[v], __ATOMIC_RELAXED); }
static inline void set(core *c, weft_vid v, uint8_t m) { __atomic_store_n(&c->mark[v], m, __ATOMIC_RELAXED); }

/* The effect of a pass on vertex v; true if it changed v. */
typedef bool (*pass_fn)(core *c, weft_vid v);

static bool trim(core *c, weft_vid v) {
    if (seen(c, v)) return false;
    for (weft_eid e = c->offsets[v]; e < c->offsets[v + 1]; e++)
        if (c->targets[e] != v && !seen(c, c->targets[e])) return false;
    set(c, v, WFI_SINGLE);
    return true;
}

static bool join_core(core *c, weft_vid v) {
    if (seen(c, v) != WFI_REACHED) return false;
    weft_eid end = wfi_min_u64(c->offsets[v + 1], c->offsets[v] + c->look);
    for (weft_eid e = c->offsets[v]; e < end; e++)
        if (seen(c, c->targets[e]) & WFI_CORE) {
            set(c, v, WFI_REACHED | WFI_CORE);
            return true;
        }
    return false;
}

/* Exits are the vertices of the core from which the search has to continue. */
static bool mark_exit(core *c, weft_vid v) {
    if (!(seen(c, v) & WFI_CORE)) return false;
    for (weft_eid e = c->offsets[v]; e < c->offsets[v + 1]; e++)
        if (!(seen(c, c->targets[e]) & (WFI_CORE | WFI_SINGLE))) {
            set(c, v, WFI_REACHED | WFI_CORE | WFI_EXIT);
            return true;
        }
    return false;
}

static uint64_t pass(core *c, pass_fn change) {
    uint64_t chunks = ((uint64_t)c->n + CHUNK - 1) / CHUNK, changed = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(c->ctx, chunks, 4)) reduction(+ : changed)
    for (uint64_t k = 0; k < chunks; k++) {
        if (!goes_on(c)) continue;
        weft_vid end = (weft_vid)wfi_min_u64((k + 1) * CHUNK, c->n);
        for (weft_vid v = (weft_vid)(k * CHUNK); v < end; v++) changed += change(c, v);
    }
    return changed;
}

/* Appends new targets of row u to `found`. */
static void expand(core *c, weft_vid u, wfi_append_buffer *found) {
    for (weft_eid from = c->offsets[u], end = c->offsets[u + 1]; from < end; from += PIECE) {
        if (from > c->offsets[u] && !goes_on(c)) return;
        weft_eid to = wfi_min_u64(end, from + PIECE);
        for (weft_eid e = from; e < to; e++) {
            weft_vid w = c->targets[e];
            if (seen(c, w) || __atomic_exchange_n(&c->mark[w], WFI_REACHED, __ATOMIC_RELAXED)) continue;
            wfi_append(found, w);
        }
    }
}

static void expand_level(core *c, weft_vid head, weft_vid tail) {
#pragma omp parallel num_threads(wfi_threads_for(c->ctx, tail - head, FEW))
    {
        wfi_append_buffer found;
        wfi_append_buffer_open(&found, c->queue, &c->tail);
#pragma omp for schedule(dynamic, LEVEL_CHUNK)
        for (weft_vid i = head; i < tail; i++)
            if (i % LEVEL_CHUNK || goes_on(c)) expand(c, c->queue[i], &found);
        wfi_append_buffer_flush(&found);
    }
}

/* Marks all vertices reachable from the pivot.  Narrow levels run on one thread: deep graphs have many of them. */
static weft_vid reach(core *c, weft_vid pivot) {
    wfi_append_buffer found;
    uint64_t narrow = 0;
    wfi_append_buffer_open(&found, c->queue, &c->tail);
    c->queue[0] = pivot;
    c->tail = 1;
    for (weft_vid head = 0, tail = 1; head < tail; head = tail, tail = (weft_vid)c->tail) {
        if (tail - head >= FEW) {
            expand_level(c, head, tail);
        } else {
            for (weft_vid i = head; i < tail; i++) expand(c, c->queue[i], &found);
            wfi_append_buffer_flush(&found);
            if (++narrow % 16 == 0) goes_on(c);
        }
        if (atomic_load(&c->stopped)) break;
    }
    return (weft_vid)c->tail;
}

static void sweep(core *c, uint64_t reached) {
    uint64_t size = 1;
    c->look = 4;
    for (int i = 0; i < SWEEPS && size < reached && !atomic_load(&c->stopped); i++) {
        uint64_t joined = pass(c, join_core);
        size += joined;
        bool whole_rows = c->look == c->offsets[c->n];
        if (whole_rows && joined < size / 8 + 1) break;
        if (i < 2) continue;
        c->look = c->offsets[c->n];
    }
}

weft_status wfi_components_core(weft_ctx *ctx, const weft_graph *g, weft_vid *queue, uint8_t *mark, bool *found) {
    core c = {
        .ctx = ctx, .n = g->n, .offsets = g->out.offsets, .targets = g->out.targets, .mark = mark, .queue = queue};
    *found = false;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, 1 << 16))
    for (weft_vid v = 0; v < g->n; v++) mark[v] = 0;
    for (int i = 0; i < TRIMS && pass(&c, trim) > g->n / 64; i++) continue;
    if (g->arcs && !atomic_load(&c.stopped)) {
        weft_vid pivot = wfi_components_frequent(g->out.targets, g->arcs, g->out.offsets);
        if (!mark[pivot]) {
            mark[pivot] = WFI_REACHED | WFI_CORE;
            sweep(&c, reach(&c, pivot));
            pass(&c, mark_exit);
            *found = true;
        }
    }
    return atomic_load(&c.stopped) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
