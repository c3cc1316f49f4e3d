/* Merging of graphs: declarations shared by merge.c and merge_ids.c. */
#ifndef WFI_GRAPHS_MERGE_H
#define WFI_GRAPHS_MERGE_H

#include "graphs/match.h"

/* Graphs in the order of their ids, and the vertices of the merged graph. */
typedef struct wfi_merging {
    weft_ctx *ctx;
    const weft_graph *const *graphs;
    size_t count;
    weft_merge_mode mode;
    weft_vid n;
    weft_vid **place; /* [graph][vertex]: vertex in the merged graph, or WEFT_NO_VERTEX */
    wfi_ids ids;      /* of the merged graph */
} wfi_merging;

/* Sets n, place and ids. wfi_merge_free frees them, also after a failure. */
weft_status wfi_merge_ids(wfi_merging *m);
void wfi_merge_free(wfi_merging *m);

#endif
