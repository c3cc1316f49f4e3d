/* Weak components one after the other, by breadth-first search (weak_parts.h).  Needs: the transpose of a directed
 * graph.
 * Searches from each unseen vertex in turn fill one list.  Loops and parallel arcs are skipped. */
#include "engines/union_find/weak_parts.h"
#include "core/poll.h"
#include "core/scan.h"
#include "graph/rows.h"

#include <string.h>

enum { ROWS = 1 << 10 };

void wfi_weak_parts_lay_out(wfi_workspace *w, const weft_graph *g, wfi_weak_parts *p) {
    wfi_array(w, &p->place, g->n);
    wfi_array(w, &p->order, g->n);
    wfi_array_within(w, &p->offsets, (uint64_t)g->n + 1);
    wfi_array_within(w, &p->targets, g->directed ? 2 * g->arcs : g->arcs);
}

/* Searches from order[first] on; returns the end of the component. */
static weft_vid flood(wfi_polling *poll, const weft_graph *g, const wfi_weak_parts *p, weft_vid first) {
    weft_vid end = first + 1;
    for (weft_vid at = first; at < end; at++)
        for (wfi_merger m = wfi_neighbours(g, p->order[at]); wfi_next_neighbour(&m);) {
            if (wfi_poll(poll, 1)) return end;
            if (p->place[m.neighbour] != WEFT_NO_VERTEX) continue;
            p->place[m.neighbour] = end - first;
            p->order[end++] = m.neighbour;
        }
    return end;
}

weft_status wfi_weak_parts_find(weft_ctx *ctx, const weft_graph *g, const wfi_weak_parts *p) {
    wfi_polling poll = {.ctx = ctx, .stop = wfi_cancelled(ctx)};
    memset(p->place, 0xff, g->n * sizeof *p->place);
    for (weft_vid v = 0, at = 0; v < g->n && !wfi_poll(&poll, 1); v++) {
        if (p->place[v] != WEFT_NO_VERTEX) continue;
        p->place[v] = 0;
        p->order[at] = v;
        at = flood(&poll, g, p, at);
    }
    return poll.stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_vid wfi_part_end(const wfi_weak_parts *p, weft_vid n, weft_vid first) {
    weft_vid end = first + 1;
    while (end < n && p->place[p->order[end]]) end++;
    return end;
}

static uint64_t walk_row(const weft_graph *g, const weft_vid *place, weft_side side, weft_vid v, weft_vid *to) {
    const wfi_view *rows = side == WEFT_SIDE_IN && g->directed ? &g->in : &g->out;
    wfi_merger m = side == WEFT_SIDE_BOTH ? wfi_neighbours(g, v) : wfi_row_neighbours(rows, NULL, v, v);
    uint64_t count = 0;
    for (; wfi_next_neighbour(&m); count++)
        if (to) to[count] = place[m.neighbour];
    return count;
}

/* Two passes over the rows: to count them, and to copy them. */
weft_status wfi_weak_parts_rows(weft_ctx *ctx, const weft_graph *g, const wfi_weak_parts *p, weft_side side,
                                weft_vid from, weft_vid n) {
    bool stop = false;
    for (int copy = 0; copy < 2; copy++) {
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : stop) num_threads(wfi_threads_for(ctx, n, ROWS))
        for (weft_vid first = 0; first < n; first += ROWS) {
            weft_vid end = n - first < ROWS ? n : first + ROWS;
            wfi_polling poll = {.ctx = ctx, .stop = stop || wfi_cancelled(ctx)};
            for (weft_vid i = first; i < end && !poll.stop; i++) {
                weft_vid *to = copy ? p->targets + p->offsets[i] : NULL;
                uint64_t count = walk_row(g, p->place, side, p->order[from + i], to);
                if (!copy) p->offsets[i] = count;
                wfi_poll(&poll, count);
            }
            stop = stop || poll.stop;
        }
        if (stop) return wfi_fail_cancelled(ctx);
        if (!copy) wfi_exclusive_scan(ctx, p->offsets, n);
    }
    return WEFT_OK;
}
