/* What the files of triangles share: CPU cores, of one machine or of ranks. */
#ifndef WFI_ALGO_TRIANGLES_H
#define WFI_ALGO_TRIANGLES_H

#include "algo/algo.h"

void wfi_triangles_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_triangles_run_cpu(wfi_job *job);

void wfi_triangles_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                              wfi_choice *choice);
weft_status wfi_triangles_run_ranks(wfi_job *job);

/* The same with what looks for triangles on GPUs; NULL: CPU cores do. */
struct wfi_rank_triangles_gpu;
void wfi_triangles_plan_ranks_with(const weft_ctx *ctx, const struct wfi_spread *spread, wfi_choice *choice,
                                   struct wfi_rank_triangles_gpu *gpu);
weft_status wfi_triangles_run_ranks_with(wfi_job *job, struct wfi_rank_triangles_gpu *gpu);

/* On the GPUs of ranks (triangles_ranks_cuda.c). */
void wfi_triangles_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                   wfi_choice *choice);
weft_status wfi_triangles_ranks_cuda(wfi_job *job);

#endif
