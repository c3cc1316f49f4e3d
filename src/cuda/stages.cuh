/* Stages of a run (core/stages.h) as scopes.
 *
 *      wfi_kernel_scope stage(ctx, "iterations");
 *
 * stands before the kernels; events time them from there to the end of the scope, which waits for them. */
#ifndef WFI_CUDA_STAGES_CUH
#define WFI_CUDA_STAGES_CUH

#include "core/stages.h"
#include "cuda/gpu.cuh"

/* While the GPU works, makes the pages of the run's columns on the host (resident.cu). */
void wfi_columns_touch(weft_ctx *ctx);

/* Time by the host's clock. */
struct wfi_stage_scope {
    uint64_t bytes = 0; /* moved bytes, set by the owner of the scope */

    wfi_stage_scope(weft_ctx *of, const char *name) : ctx(of) { wfi_stage_enter(ctx, name); }
    ~wfi_stage_scope() { wfi_stage_leave(ctx, bytes, 0); }
    wfi_stage_scope(const wfi_stage_scope &) = delete;
    wfi_stage_scope &operator=(const wfi_stage_scope &) = delete;

  private:
    weft_ctx *ctx;
};

/* Time by the host's clock and by the GPU's.  Without events the GPU's time is 0: a measurement never fails a run. */
struct wfi_kernel_scope {
    uint64_t bytes = 0;

    wfi_kernel_scope(weft_ctx *of, const char *name) : ctx(of) {
        wfi_stage_enter(ctx, name);
        good = cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess &&
               cudaEventRecord(begin, wfi_cuda_stream(ctx)) == cudaSuccess;
    }
    ~wfi_kernel_scope() {
        float ms = 0;
        wfi_columns_touch(ctx);
        if (good && (cudaEventRecord(end, wfi_cuda_stream(ctx)) != cudaSuccess ||
                     cudaEventSynchronize(end) != cudaSuccess || cudaEventElapsedTime(&ms, begin, end) != cudaSuccess))
            ms = 0;
        if (begin) cudaEventDestroy(begin);
        if (end) cudaEventDestroy(end);
        wfi_stage_leave(ctx, bytes, (double)ms);
    }
    wfi_kernel_scope(const wfi_kernel_scope &) = delete;
    wfi_kernel_scope &operator=(const wfi_kernel_scope &) = delete;

  private:
    weft_ctx *ctx;
    cudaEvent_t begin = nullptr, end = nullptr;
    bool good = false;
};

#endif
