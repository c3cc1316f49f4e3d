/* The neighbours of a vertex in the undirected simple view: its out-row merged with its in-row as they are read, each
 * neighbour once, loops left out.  Needs: rows that ascend; for a directed graph its transpose. */
#ifndef WFI_NEIGHBOURS_H
#define WFI_NEIGHBOURS_H

#include "graph/graph.h"

typedef struct wfi_merger {
    const weft_vid *out, *out_end, *in, *in_end;
    weft_vid self;
} wfi_merger;

/* Of row k, which is that of the vertex `self`; in may be NULL. */
static inline wfi_merger wfi_row_neighbours(const wfi_view *out, const wfi_view *in, weft_vid k, weft_vid self) {
    wfi_merger m = {out->targets + out->offsets[k], out->targets + out->offsets[k + 1], NULL, NULL, self};
    if (in) {
        m.in = in->targets + in->offsets[k];
        m.in_end = in->targets + in->offsets[k + 1];
    }
    return m;
}

static inline wfi_merger wfi_neighbours(const weft_graph *g, weft_vid v) {
    return wfi_row_neighbours(&g->out, g->directed ? &g->in : NULL, v, v);
}

/* The next neighbour that is not the vertex itself; *ways = 2 if it is in both rows.  False at the end. */
static inline bool wfi_next_neighbour(wfi_merger *m, weft_vid *neighbour, unsigned *ways) {
    while (m->out < m->out_end || m->in < m->in_end) {
        weft_vid a = m->out < m->out_end ? *m->out : WEFT_NO_VERTEX, b = m->in < m->in_end ? *m->in : WEFT_NO_VERTEX;
        weft_vid t = a < b ? a : b;
        *ways = 1 + (a == b);
        while (m->out < m->out_end && *m->out == t) m->out++;
        while (m->in < m->in_end && *m->in == t) m->in++;
        *neighbour = t;
        if (t != m->self) return true;
    }
    return false;
}

#endif
