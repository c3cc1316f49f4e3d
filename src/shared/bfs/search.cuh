/* One search on the GPU: levels and smallest parents of all vertices, by hops from a source. */
#ifndef WFI_BFS_SEARCH_CUH
#define WFI_BFS_SEARCH_CUH

#include "shared/bfs/state.cuh"

struct wfi_bfs_reach {
    uint64_t reached, depth; /* vertices with a level, and the last level that was not empty */
};

/* The arrays of a search; rows and max_depth are the caller's to set. */
void wfi_bfs_search_lay_out(wfi_workspace *device, const weft_graph *g, search *s);

/* Fills s->level and s->parent; what stood in the arrays does not matter.  name: for progress.  A stage of its own. */
weft_status wfi_bfs_search(weft_ctx *ctx, search *s, weft_vid source, const char *name, wfi_bfs_reach *reach);

#endif
