/* Lengths of shortest paths by weights of 0 or more: Dijkstra's algorithm [1], each search in a thread of its own.
 * A vertex has at most one entry in a binary heap, and knows its place there.  A distance is the smallest sum, over
 * paths, of weights added one after the other from the source: rounding is monotone, so that this is one number, as in
 * sssp.
 * [1] Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959. */
#ifndef WFI_DIJKSTRA_H
#define WFI_DIJKSTRA_H

#include "core/heap.h"
#include "core/workspace.h"
#include "graph/graph.h"

typedef struct wfi_lengths {
    const wfi_view *rows, *also; /* rows of both are followed; `also` may be NULL */
    weft_vid n;
    double *distance;      /* infinity: not reached */
    wfi_heap_entry *queue; /* a binary heap */
    weft_vid *place;       /* position of each vertex in the heap */
    weft_vid waiting;
    bool beyond; /* a shortest path is longer than the largest double, so that its end seems unreached */
} wfi_lengths;

/* Declares the arrays of `searches` simultaneous searches; wfi_lengths_at returns the i-th search. */
void wfi_lengths_lay_out(wfi_workspace *w, weft_vid n, int searches, wfi_lengths *first);
wfi_lengths wfi_lengths_at(const wfi_lengths *first, int i);

/* False: the caller wants to stop. */
bool wfi_lengths_from(weft_ctx *ctx, wfi_lengths *s, weft_vid source);

#endif
