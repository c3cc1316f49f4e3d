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

/* The sources of a table are searched one after the other. */
weft_status wfi_bfs_stream(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
