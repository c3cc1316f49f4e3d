/* Tools for rows (CSR) on host and GPU: cuts of equal cost, isolated edges, neighbours in the undirected simple
 * view. */
#ifndef WFI_ROWS_H
#define WFI_ROWS_H

#include "core/search.h"
#include "graph/graph.h"

/* Cost of a row in arcs: an arc costs 1, a row some more. */
enum { WFI_ROW_COST = 4 /* arcs */ };

/* Cost of the rows before v. */
static inline uint64_t wfi_cost_before(const weft_eid *offsets, weft_vid v) {
    return offsets[v] + (uint64_t)WFI_ROW_COST * v;
}

/* First vertex in low ... high with at least `cost` before it; high if there is none. */
static inline weft_vid wfi_vertex_at_cost(const weft_eid *offsets, weft_vid low, weft_vid high, uint64_t cost) {
    WFI_BISECT(low, high, middle, wfi_cost_before(offsets, middle) < cost);
    return low;
}

/* Begin of chunk c when the rows first ... end - 1 are cut into `chunks` chunks of about equal cost. */
static inline weft_vid wfi_chunk_of_rows(const weft_eid *offsets, weft_vid first, weft_vid end, uint64_t chunks,
                                         uint64_t c) {
    uint64_t before = wfi_cost_before(offsets, first), all = wfi_cost_before(offsets, end) - before;
    return wfi_vertex_at_cost(offsets, first, end, before + all / chunks * c + all % chunks * c / chunks);
}

/* True if v's component in an undirected graph is a single edge: two vertices adjacent only to each other, or one
 * with only a loop. Needs the rows of both directions. */
WFI_HOST_DEVICE static inline bool wfi_is_isolated_edge(const weft_eid *offsets, const weft_vid *targets, weft_vid v) {
    if (offsets[v + 1] - offsets[v] != 1) return false;
    weft_vid other = targets[offsets[v]];
    return offsets[other + 1] - offsets[other] == 1;
}

/* Iterates over the neighbours of a vertex in the undirected simple view: merges its out-row with its in-row, each
 * neighbour once, without loops. Needs: ascending rows; for a directed graph its transpose. */
typedef struct wfi_merger {
    const weft_vid *out, *out_end, *in, *in_end;
    weft_vid self, neighbour; /* last neighbour returned */
    unsigned ways;            /* number of rows that contain it */
} wfi_merger;

/* For row k of vertex `self`; in may be NULL. */
static inline wfi_merger wfi_row_neighbours(const wfi_view *out, const wfi_view *in, weft_vid k, weft_vid self) {
    wfi_merger m = {out->targets + out->offsets[k], out->targets + out->offsets[k + 1], NULL, NULL, self, self, 0};
    if (in) {
        m.in = in->targets + in->offsets[k];
        m.in_end = in->targets + in->offsets[k + 1];
    }
    return m;
}

static inline wfi_merger wfi_neighbours(const weft_graph *g, weft_vid v) {
    return wfi_row_neighbours(&g->out, g->directed ? &g->in : NULL, v, v);
}

/* Advances to the next neighbour other than the vertex itself; false at the end. */
static inline bool wfi_next_neighbour(wfi_merger *m) {
    while (m->out < m->out_end || m->in < m->in_end) {
        weft_vid a = m->out < m->out_end ? *m->out : WEFT_NO_VERTEX, b = m->in < m->in_end ? *m->in : WEFT_NO_VERTEX;
        weft_vid t = a < b ? a : b;
        m->ways = 1 + (a == b);
        while (m->out < m->out_end && *m->out == t) m->out++;
        while (m->in < m->in_end && *m->in == t) m->in++;
        m->neighbour = t;
        if (t != m->self) return true;
    }
    return false;
}

#endif
