/* Pinned memory of the host: buffers for transfers, and result blocks returned to their plan's pool.
 * Method: ordinary memory on huge pages, all of them present, is registered: 24 ms for 547 MB; cudaMallocHost takes 160
 * ms.  A forked child can read it like any other memory; CUDA is never called for it there. */
#include "core/memory.h"
#include "cuda/buffers.cuh"

#include <stdlib.h>
#include <sys/mman.h>

static const size_t HUGE_PAGE = (size_t)2 << 20;

weft_status wfi_pinned_new(weft_ctx *ctx, size_t bytes, void **pinned) {
    void *block = NULL;
    size_t size = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (posix_memalign(&block, HUGE_PAGE, size))
        return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for a transfer");
    madvise(block, size, MADV_HUGEPAGE);
    wfi_span all = {block, size};
    wfi_touch(ctx, &all, 1);
    cudaError_t error = wfi_cuda_injected_failure();
    if (error == cudaSuccess) error = cudaHostRegister(block, size, cudaHostRegisterPortable);
    if (error != cudaSuccess) {
        free(block);
        return wfi_cuda_fail(ctx, "cudaHostRegister", error);
    }
    *pinned = block;
    return WEFT_OK;
}

void wfi_pinned_free(void *pinned) {
    if (!pinned) return;
    cudaHostUnregister(pinned);
    free(pinned);
}

/* --- blocks of a pool ------------------------------------------------------------------------ */

/* Any thread may call this, whatever GPU is current there. */
static void unpin(void *by, void *start) {
    wfi_gpu *gpu = (wfi_gpu *)by;
    if (!wfi_cuda_lost()) {
        wfi_gpu_scope here(gpu);
        cudaHostUnregister(start);
        cudaGetLastError();
    }
    wfi_gpu_release(gpu);
}

/* A block that cannot be pinned stays as it is: its transfers go through staging buffers. */
static void pin(void *by, void *block) {
    wfi_gpu *gpu = (wfi_gpu *)by;
    void *start;
    size_t bytes;
    if (wfi_block_pinned(block) || !wfi_block_pages(block, &start, &bytes) || wfi_cuda_lost()) return;
    wfi_gpu_scope here(gpu);
    if (cudaHostRegister(start, bytes, cudaHostRegisterPortable) == cudaSuccess)
        wfi_block_pin(block, {unpin, wfi_gpu_keep(gpu)});
    cudaGetLastError();
}

static void drop(void *by) { wfi_gpu_release((wfi_gpu *)by); }

extern "C" wfi_pool_care wfi_cuda_care(weft_ctx *ctx) {
    if (!wfi_gpu_of(ctx)) return {NULL, NULL, NULL}; /* a GPU that a test pretends */
    return {pin, drop, wfi_gpu_keep(wfi_gpu_of(ctx))};
}
