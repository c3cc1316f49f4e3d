/* The context's part of the GPU (gpu.cuh): made on first use, and reference-counted, as blocks outlive the context. */
#include "core/gpu_binding.h"
#include "cuda/gpu.cuh"
#include "cuda/stages.cuh"

#include <new>

wfi_gpu *wfi_gpu_of(const weft_ctx *ctx) { return wfi_ctx_gpu_binding((weft_ctx *)(uintptr_t)ctx)->gpu; }

cudaStream_t wfi_cuda_stream(const weft_ctx *ctx) { return wfi_gpu_of(ctx)->stream; }

int wfi_cuda_index(const weft_ctx *ctx) { return wfi_ctx_gpu_binding((weft_ctx *)(uintptr_t)ctx)->index; }

/* --- life time ------------------------------------------------------------------------ */

wfi_gpu *wfi_gpu_keep(wfi_gpu *gpu) {
    __atomic_fetch_add(&gpu->users, 1, __ATOMIC_RELAXED);
    return gpu;
}

/* The driver waits for frees in flight, and then ends pool and stream. */
static void end(wfi_gpu *gpu) {
    if (!wfi_cuda_lost()) {
        wfi_gpu_scope here(gpu);
        if (gpu->places) wfi_places_free(gpu->places);
        if (gpu->pool) cudaMemPoolDestroy(gpu->pool);
        if (gpu->own) cudaStreamDestroy(gpu->own);
        cudaGetLastError();
    }
    delete gpu;
}

void wfi_gpu_release(wfi_gpu *gpu) {
    if (__atomic_sub_fetch(&gpu->users, 1, __ATOMIC_ACQ_REL) == 0) end(gpu);
}

static void set_stream(wfi_gpu *gpu, void *callers) {
    __atomic_store_n(&gpu->stream, callers ? (cudaStream_t)callers : gpu->own, __ATOMIC_RELEASE);
}

/* Leaves the context: its caller may destroy the stream after this, and the pool keeps only the blocks of graphs and
 * results. */
static void detach(wfi_gpu *gpu) {
    uint64_t none = 0;
    set_stream(gpu, NULL);
    if (!wfi_cuda_lost()) {
        wfi_gpu_scope here(gpu);
        cudaMemPoolSetAttribute(gpu->pool, cudaMemPoolAttrReleaseThreshold, &none);
        cudaMemPoolTrimTo(gpu->pool, 0);
        cudaGetLastError();
    }
    wfi_gpu_release(gpu);
}

/* A stream of another GPU would fail later with an error that does not name it.  No fault is found if the driver cannot
 * tell; it is not asked about the default streams (1 and 2). */
static weft_status check_stream(weft_ctx *ctx, const wfi_gpu_binding *binding) {
    int where = binding->index;
#if CUDART_VERSION >= 12080
    if ((uintptr_t)binding->stream > 2 && cudaStreamGetDevice((cudaStream_t)binding->stream, &where) != cudaSuccess) {
        where = binding->index;
        cudaGetLastError();
    }
#endif
    if (where == binding->index) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EDEVICE, "the given stream belongs to GPU %d, but the context is for GPU %d", where,
                    binding->index);
}

/* The first block of the first pool takes the driver about 10 ms, whatever its size: this time belongs to making the
 * context, not to a run. */
static weft_status use_once(weft_ctx *ctx, wfi_gpu *gpu) {
    void *block = NULL;
    WFI_CUDA_OR_RETURN(cudaMallocFromPoolAsync(&block, 1, gpu->pool, gpu->own));
    WFI_CUDA_OR_RETURN(cudaFreeAsync(block, gpu->own));
    return WEFT_OK;
}

static weft_status fill(weft_ctx *ctx, const wfi_gpu_binding *binding, wfi_gpu *gpu) {
    int major = 0, minor = 0, clusters = 0;
    cudaMemPoolProps of = {};
    uint64_t all = UINT64_MAX; /* released blocks stay in the pool for the next run */
    of.allocType = cudaMemAllocationTypePinned;
    of.location.type = cudaMemLocationTypeDevice;
    of.location.id = gpu->index;
    weft_status st = check_stream(ctx, binding);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu->index));
    WFI_CUDA_OR_RETURN(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, gpu->index));
    WFI_CUDA_OR_RETURN(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, gpu->index));
    WFI_CUDA_OR_RETURN(cudaDeviceGetAttribute(&gpu->sms, cudaDevAttrMultiProcessorCount, gpu->index));
    WFI_CUDA_OR_RETURN(
        cudaDeviceGetAttribute(&gpu->shared_memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu->index));
    WFI_CUDA_OR_RETURN(cudaStreamCreateWithFlags(&gpu->own, cudaStreamNonBlocking));
    WFI_CUDA_OR_RETURN(cudaMemPoolCreate(&gpu->pool, &of));
    WFI_CUDA_OR_RETURN(cudaMemPoolSetAttribute(gpu->pool, cudaMemPoolAttrReleaseThreshold, &all));
    gpu->arch = 100 * major + 10 * minor;
    gpu->clusters = clusters != 0;
    set_stream(gpu, binding->stream);
    return use_once(ctx, gpu);
}

static weft_status make(weft_ctx *ctx, wfi_gpu_binding *binding) {
    wfi_gpu *gpu = new (std::nothrow) wfi_gpu;
    if (!gpu) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for the GPU's part of the context");
    gpu->index = binding->index;
    cudaError_t error = wfi_driver_context(gpu->index, &gpu->context);
    weft_status st = error == cudaSuccess ? WEFT_OK : wfi_cuda_fail(ctx, "cuDevicePrimaryCtxRetain", error);
    if (!st) {
        wfi_gpu_scope here(gpu);
        st = fill(ctx, binding, gpu);
    }
    if (st) {
        wfi_gpu_release(gpu);
        return st;
    }
    binding->gpu = gpu;
    binding->detach = detach;
    return WEFT_OK;
}

weft_status wfi_cuda_ready(weft_ctx *ctx) {
    wfi_stage_scope stage(ctx, "context");
    wfi_gpu_binding *binding = wfi_ctx_gpu_binding(ctx);
    double ms;
    weft_status st = wfi_cuda_start(ctx, &ms);
    if (st || binding->gpu || wfi_cuda_pretended()) return st;
    return make(ctx, binding);
}

/* --- entering and leaving --------------------------------------------------------------- */

wfi_gpu_scope::wfi_gpu_scope(const wfi_gpu *gpu) { wfi_driver_move(gpu->context, &visit); }

weft_status wfi_cuda_enter(weft_ctx *ctx, wfi_visit *visit) {
    *visit = {NULL, false};
    weft_status st = wfi_cuda_ready(ctx);
    if (!st && wfi_gpu_of(ctx)) wfi_driver_move(wfi_gpu_of(ctx)->context, visit);
    return st;
}

weft_status wfi_cuda_read(weft_ctx *ctx, void *to, const void *there, size_t bytes) {
    WFI_CUDA_OR_RETURN(cudaMemcpyAsync(to, there, bytes, cudaMemcpyDefault, wfi_cuda_stream(ctx)));
    WFI_CUDA_OR_RETURN(cudaStreamSynchronize(wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* The kernels that a failed run left may read memory that is freed next. */
void wfi_cuda_drain(weft_ctx *ctx) {
    wfi_gpu *gpu = wfi_gpu_of(ctx);
    if (!gpu || wfi_cuda_lost()) return;
    wfi_gpu_scope here(gpu);
    cudaStreamSynchronize(gpu->stream);
    cudaGetLastError();
}

weft_status wfi_cuda_use_stream(weft_ctx *ctx) {
    wfi_gpu_binding *binding = wfi_ctx_gpu_binding(ctx);
    if (!binding->gpu || wfi_cuda_lost()) return WEFT_OK;
    wfi_gpu_scope here(binding->gpu);
    weft_status st = check_stream(ctx, binding);
    if (st) binding->stream = NULL;
    set_stream(binding->gpu, binding->stream);
    return st;
}

weft_status wfi_cuda_trim(weft_ctx *ctx) {
    wfi_gpu *gpu = wfi_gpu_of(ctx);
    if (!gpu || wfi_cuda_lost()) return WEFT_OK;
    wfi_gpu_scope here(gpu);
    if (gpu->places) wfi_places_free(gpu->places);
    gpu->places = NULL;
    wfi_carriers_drop(gpu->index);
    WFI_CUDA_OR_RETURN(cudaStreamSynchronize(gpu->stream)); /* makes the pool see all frees on the stream */
    WFI_CUDA_OR_RETURN(cudaMemPoolTrimTo(gpu->pool, 0));
    return WEFT_OK;
}

/* --- blocks ----------------------------------------------------------------------------- */

cudaError_t wfi_gpu_alloc(wfi_gpu *gpu, size_t bytes, void **block) {
    cudaError_t error = cudaMallocFromPoolAsync(block, bytes ? bytes : 1, gpu->pool, gpu->stream);
    if (error == cudaSuccess) wfi_gpu_keep(gpu);
    return error;
}

/* Any thread may call this, whatever GPU is current there. */
void wfi_gpu_free(wfi_gpu *gpu, void *block) {
    if (!wfi_cuda_lost()) {
        wfi_gpu_scope here(gpu);
        cudaFreeAsync(block, __atomic_load_n(&gpu->stream, __ATOMIC_ACQUIRE));
    }
    wfi_gpu_release(gpu);
}
