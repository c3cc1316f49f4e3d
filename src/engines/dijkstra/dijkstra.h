/* Lengths of shortest paths by weights of 0 or more: Dijkstra's algorithm [1], each search in a thread of its own.
 * A vertex waits once, in a binary heap that knows its place.  A distance is the smallest sum, over paths, of weights
 * added one after the other from where the search begins: rounding keeps the order of sums, so that this is one number,
 * as in sssp.
 * [1] Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959. */
#ifndef WFI_DIJKSTRA_H
#define WFI_DIJKSTRA_H

#include "core/heap.h"
#include "core/workspace.h"
#include "graph/graph.h"

typedef struct wfi_lengths {
    const wfi_view *rows, *also; /* to go along both; `also` may be NULL */
    weft_vid n;
    double *distance;      /* infinity: not reached */
    wfi_heap_entry *queue; /* those that wait, as a heap */
    weft_vid *place;       /* in it */
    weft_vid waiting;
    bool beyond; /* a shortest path is longer than the largest double, and its end seems not to be reached */
} wfi_lengths;

/* Room for as many searches side by side; and the i-th of them. */
void wfi_lengths_lay_out(wfi_workspace *w, weft_vid n, int searches, wfi_lengths *first);
wfi_lengths wfi_lengths_at(const wfi_lengths *first, int i);

/* False: the caller wants to stop. */
bool wfi_lengths_from(weft_ctx *ctx, wfi_lengths *s, weft_vid source);

#endif
