/* Strong components on CPU cores.  Needs: out-rows only; the transpose is not used.
 * Method: depth-first search, Pearce's form [1] of Tarjan's algorithm [2], with a stack of its own, so that depth costs
 * no machine stack.  In large graphs a core of the largest component is found first, in parallel (strong_core_cpu.c),
 * and counts as one vertex.
 * Encoding: low[v] is 0 before v is visited, then the smallest visit number (1, 2, ...) known to be reachable from v,
 * and in the end the class of v: n, n-1, ..., always above every visit number in use.  stack[] holds the path of the
 * search at its front and the finished vertices without a class at its back; no vertex is in both.  cursor[] holds, for
 * each vertex of the path, its next arc, and in the top bit whether an older vertex is reachable.
 * [1] Pearce, "A Space-Efficient Algorithm for Finding Strongly Connected Components", IPL 116, 2016.
 * [2] Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Computing 1, 1972. */
#include "algo/components/components.h"
#include "core/atomic_min.h"

#include <string.h>

enum { PATIENCE = 1 << 16, CHUNK = 1 << 14 };

#define NOT_ROOT ((weft_eid)1 << 63)

typedef struct search {
    weft_ctx *ctx;
    weft_vid n;
    const weft_eid *offsets;
    const weft_vid *targets;
    weft_vid *low, *stack;
    weft_eid *cursor;
    weft_vid front, back;  /* the path is stack[0 ... front-1], waiting vertices stack[back ... n-1] */
    weft_vid visit, class; /* the next visit number, the next class */
    uint64_t steps;
} search;

static void open_vertex(search *s, weft_vid v) {
    s->low[v] = s->visit++;
    s->stack[s->front] = v;
    s->cursor[s->front++] = s->offsets[v];
}

static void close_vertex(search *s, weft_vid v, bool root) {
    s->front--;
    if (!root) {
        s->stack[--s->back] = v;
        return;
    }
    s->visit--;
    for (; s->back < s->n && s->low[v] <= s->low[s->stack[s->back]]; s->back++, s->visit--)
        s->low[s->stack[s->back]] = s->class;
    s->low[v] = s->class --;
}

static bool stop_now(search *s, uint64_t steps) {
    s->steps += steps;
    if (s->steps < PATIENCE) return false;
    s->steps = 0;
    return wfi_cancelled(s->ctx);
}

/* Visits all unvisited vertices reachable from v. */
static weft_status visit_from(search *s, weft_vid v) {
    weft_vid *low = s->low, base = s->front;
    open_vertex(s, v);
    while (s->front > base) {
        v = s->stack[s->front - 1];
        weft_eid at = s->cursor[s->front - 1] & ~NOT_ROOT, flag = s->cursor[s->front - 1] & NOT_ROOT;
        weft_eid begin = at, end = s->offsets[v + 1], stop = wfi_min_u64(end, at + PATIENCE);
        weft_vid lowest = low[v], seen = 1;
        for (; at < stop; at++) {
            seen = low[s->targets[at]];
            if (!seen) break;
            if (seen < lowest) {
                lowest = seen;
                flag = NOT_ROOT;
            }
        }
        low[v] = lowest;
        s->cursor[s->front - 1] = at | flag; /* an arc to a new vertex is read again when that is closed */
        if (!seen)
            open_vertex(s, s->targets[at]);
        else if (at == end)
            close_vertex(s, v, !flag);
        if (stop_now(s, at - begin + 1)) return wfi_fail_cancelled(s->ctx);
    }
    return WEFT_OK;
}

/* Turns classes into smallest vertices; a vertex of the class `single` is a component of its own.  smallest[] is
 * scratch. */
static void name_classes(const search *s, weft_vid single, weft_vid *smallest) {
    weft_vid n = s->n, classes = n - s->class, *low = s->low;
#pragma omp parallel num_threads(wfi_threads_for(s->ctx, n, CHUNK))
    {
#pragma omp for schedule(static)
        for (weft_vid c = 0; c < classes; c++) smallest[c] = WEFT_NO_VERTEX;
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++) wfi_atomic_min_u32(&smallest[n - low[v]], v);
#pragma omp for schedule(static)
        for (weft_vid v = 0; v < n; v++) low[v] = low[v] == single ? v : smallest[n - low[v]];
    }
}

/* Visits the vertices reachable from the core.  The whole core has visit number 1, as if it were one open vertex: a
 * vertex that waits at the back of the stack reaches the core, and belongs to it. */
static weft_status visit_from_core(search *s, const uint8_t *mark) {
    weft_status st = WEFT_OK;
    s->visit = 2;
    for (weft_vid v = 0; v < s->n && !st; v++) {
        if (!(mark[v] & WFI_EXIT)) continue;
        for (weft_eid e = s->offsets[v]; e < s->offsets[v + 1] && !st; e++)
            if (!s->low[s->targets[e]]) st = visit_from(s, s->targets[e]);
        if (!st && stop_now(s, s->offsets[v + 1] - s->offsets[v])) st = wfi_fail_cancelled(s->ctx);
    }
    if (st) return st;
    for (; s->back < s->n; s->back++) s->low[s->stack[s->back]] = s->class;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(s->ctx, s->n, CHUNK))
    for (weft_vid v = 0; v < s->n; v++)
        if (mark[v] & WFI_CORE) s->low[v] = s->class;
    s->class --;
    s->visit = 1;
    return WEFT_OK;
}

/* Sets low[] from the marks; true if there are singles, which take the first class. */
static bool begin(search *s, const uint8_t *mark) {
    weft_vid singles = 0;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(s->ctx, s->n, CHUNK)) reduction(+ : singles)
    for (weft_vid v = 0; v < s->n; v++) {
        singles += mark[v] == WFI_SINGLE;
        s->low[v] = mark[v] == WFI_SINGLE ? s->n : mark[v] & WFI_CORE ? 1 : 0;
    }
    return singles > 0;
}

weft_status wfi_components_strong(weft_ctx *ctx, const weft_graph *g, weft_vid *label, weft_vid *stack,
                                  weft_eid *cursor, uint8_t *mark) {
    weft_vid n = g->n, single = 0;
    bool core = false, singles = false;
    weft_status st = mark ? wfi_components_core(ctx, g, stack, mark, &core) : WEFT_OK;
    if (st) return st;
    search s = {.ctx = ctx,
                .n = n,
                .offsets = g->out.offsets,
                .targets = g->out.targets,
                .low = label,
                .stack = stack,
                .cursor = cursor,
                .back = n,
                .visit = 1,
                .class = n};
    if (mark)
        singles = begin(&s, mark);
    else
        memset(label, 0, (size_t)n * sizeof *label);
    if (singles) single = s.class --;
    if (core) st = visit_from_core(&s, mark);
    for (weft_vid v = 0; v < n && !st; v++) {
        if (label[v]) continue;
        st = visit_from(&s, v);
        wfi_progress(ctx, "searching", v, n);
    }
    if (!st) name_classes(&s, single, stack);
    return st;
}
