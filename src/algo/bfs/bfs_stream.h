/* The GPU's search of graphs that do not fit its memory, behind a door without CUDA types. */
#ifndef WFI_BFS_STREAM_H
#define WFI_BFS_STREAM_H

#include "algo/bfs/bfs_cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As in the descriptor. */
bool wfi_bfs_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t room,
                         wfi_choice *choice);

/* As wfi_bfs_search_cuda, within `room` bytes on the GPU; the sources of a table are searched one after the other. */
weft_status wfi_bfs_search_stream(weft_ctx *ctx, const weft_graph *g, uint64_t room, const weft_vid *sources,
                                  size_t count, uint64_t max_depth, wfi_bfs_found *found, const wfi_bfs_table *table);

#ifdef __cplusplus
}
#endif
#endif
