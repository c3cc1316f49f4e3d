/* The GPU's search, behind a door without CUDA types. */
#ifndef WFI_BFS_CUDA_H
#define WFI_BFS_CUDA_H

#include "algo/bfs/bfs.h"

#ifdef __cplusplus
extern "C" {
#endif

void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

weft_status wfi_bfs_cuda(wfi_job *job);

#ifdef __cplusplus
}
#endif
#endif
