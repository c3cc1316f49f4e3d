/* The GPU's search, behind a door without CUDA types. */
#ifndef WFI_BFS_CUDA_H
#define WFI_BFS_CUDA_H

#include "algo/bfs/bfs.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

/* What a search found; level and parent have n places. */
typedef struct wfi_bfs_found {
    uint32_t *level;
    weft_vid *parent;
    uint64_t reached, depth;
} wfi_bfs_found;

/* `found` is of the last source.  table: NULL, or its rows are filled, all sources of a batch searched at once.  times: NULL, or a
 * place for each source; then they are searched one after the other. */
weft_status wfi_bfs_search_cuda(weft_ctx *ctx, const weft_graph *g, const weft_vid *sources, size_t count,
                                uint64_t max_depth, wfi_bfs_found *found, const wfi_bfs_table *table,
                                wfi_bfs_time *times);

#ifdef __cplusplus
}
#endif
#endif
