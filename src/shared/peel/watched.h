/* Is a directed graph acyclic?  For dense graphs: no arc is looked at twice, and no counter is written for one. */
#ifndef WFI_WATCHED_H
#define WFI_WATCHED_H

#include "core/workspace.h"
#include "graph/graph.h"

typedef struct wfi_watched_arrays {
    uint64_t *bits;   /* n rows of bits; without places where rows are read as they are */
    uint8_t *marks;   /* a byte for each bit of a row, for each thread: scratch of their making */
    uint64_t *here;   /* the vertices that are still there, as bits ... */
    uint8_t *there;   /* ... or as bytes, which a row that is no bits looks up quicker */
    uint64_t *cursor; /* n: where the vertex stands in its row: a word, or an arc */
    weft_vid *head, *next;
} wfi_watched_arrays;

/* as_bits: the rows are turned into a bit matrix first, in parallel; else they are read as they are. */
void wfi_watched_lay_out(wfi_workspace *w, weft_vid n, bool as_bits, int threads, wfi_watched_arrays *a);
weft_status wfi_watched_acyclic(weft_ctx *ctx, const weft_graph *g, bool as_bits, const wfi_watched_arrays *a,
                                bool *acyclic);

#endif
