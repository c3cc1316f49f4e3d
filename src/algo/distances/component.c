/* The largest weak component as a graph of its own.  Needs: the transpose of a directed graph.
 * Method: searches from each vertex in turn fill one queue, component after component; the longest stretch of it is the component, in the
 * order of its search, which is its new numbering.  Loops and parallel arcs are passed over. */
#include "algo/distances/distances.h"
#include "core/scan.h"
#include "graph/neighbours.h"

#include <string.h>

enum { ROWS = 1 << 10, POLL = 1 << 12 };

void wfi_component_lay_out(wfi_workspace *w, const weft_graph *g, wfi_component_arrays *a) {
    wfi_array(w, &a->place, g->n);
    wfi_array(w, &a->order, g->n);
    wfi_array_within(w, &a->offsets, (uint64_t)g->n + 1);
    wfi_array_within(w, &a->targets, g->directed ? 2 * g->arcs : g->arcs);
}

/* From `first` on; returns the end of the component in the queue. */
static weft_vid flood(weft_ctx *ctx, const weft_graph *g, const wfi_component_arrays *a, weft_vid first, bool *stop) {
    weft_vid end = first + 1;
    for (weft_vid at = first; at < end; at++) {
        wfi_merger m = wfi_neighbours(g, a->order[at]);
        weft_vid u;
        unsigned ways;
        if (at % POLL == 0 && wfi_cancelled(ctx)) *stop = true;
        if (*stop) return end;
        while (wfi_next_neighbour(&m, &u, &ways)) {
            if (a->place[u] != WEFT_NO_VERTEX) continue;
            a->place[u] = 0;
            a->order[end++] = u;
        }
    }
    return end;
}

static uint64_t walk_row(const weft_graph *g, const weft_vid *place, weft_vid v, weft_vid *to) {
    wfi_merger m = wfi_neighbours(g, v);
    uint64_t count = 0;
    weft_vid u;
    unsigned ways;
    for (; wfi_next_neighbour(&m, &u, &ways); count++)
        if (to) to[count] = place[u];
    return count;
}

/* Twice over the rows: to count them, and to copy them. */
static weft_status copy_rows(weft_ctx *ctx, const weft_graph *g, const wfi_component_arrays *a, wfi_component *c,
                             bool copy) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, c->n, ROWS))
    for (weft_vid first = 0; first < c->n; first += ROWS) {
        weft_vid end = c->n - first < ROWS ? c->n : first + ROWS;
        for (weft_vid i = first; i < end && !wfi_cancelled(ctx); i++) {
            uint64_t count = walk_row(g, a->place, c->vertex[i], copy ? c->targets + c->offsets[i] : NULL);
            if (!copy) c->offsets[i] = count;
        }
    }
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_largest_component(weft_ctx *ctx, const weft_graph *g, const wfi_component_arrays *a, wfi_component *c) {
    weft_vid begin = 0, longest = 0;
    bool stop = false;
    memset(a->place, 0xff, g->n * sizeof *a->place);
    for (weft_vid v = 0, at = 0; v < g->n && !stop; v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) stop = true;
        if (a->place[v] != WEFT_NO_VERTEX) continue;
        a->place[v] = 0;
        a->order[at] = v;
        weft_vid end = flood(ctx, g, a, at, &stop);
        if (end - at > longest) {
            begin = at;
            longest = end - at;
        }
        at = end;
    }
    if (stop) return wfi_fail_cancelled(ctx);
    *c = (wfi_component){longest, a->order + begin, a->offsets, a->targets};
    for (weft_vid i = 0; i < longest; i++) a->place[c->vertex[i]] = i;
    weft_status st = copy_rows(ctx, g, a, c, false);
    if (st) return st;
    wfi_exclusive_scan(ctx, c->offsets, c->n);
    return copy_rows(ctx, g, a, c, true);
}
