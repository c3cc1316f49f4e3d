/* Merging graphs: what the files here share. */
#ifndef WFI_GRAPHS_MERGE_H
#define WFI_GRAPHS_MERGE_H

#include "graphs/match.h"

/* Graphs in the order of their ids, and the vertices of the graph that is made of them. */
typedef struct wfi_merging {
    weft_ctx *ctx;
    const weft_graph *const *graphs;
    size_t count;
    weft_merge_mode mode;
    weft_vid n;
    weft_vid **place; /* [graph][vertex]: in the new graph, or WEFT_NO_VERTEX */
    wfi_ids ids;      /* of the new graph */
} wfi_merging;

/* Sets n, place and ids; whatever it returns, wfi_merge_free frees what there is. */
weft_status wfi_merge_ids(wfi_merging *m);
void wfi_merge_free(wfi_merging *m);

#endif
