/* The GPU's search, behind a door without CUDA types. */
#ifndef WFI_BFS_CUDA_H
#define WFI_BFS_CUDA_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

/* One source after the other; level and parent are those of the last. */
weft_status wfi_bfs_search_cuda(weft_ctx *ctx, const weft_graph *g, const weft_vid *sources, size_t count,
                                uint64_t max_depth, uint32_t *level, weft_vid *parent, uint64_t *reached,
                                uint64_t *depth);

#ifdef __cplusplus
}
#endif
#endif
