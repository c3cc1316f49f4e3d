/* Measured ceilings of the GPU, the figures that bound graph kernels:
 *
 *   copy, read        streaming 1 GiB through every SM, 16 bytes a thread; a copy counts bytes read and written
 *   gather            table[index[i]] with streamed indexes: 4 MB (the L2 cache) and 512 MB (device memory)
 *   launch            an empty kernel among a thousand back to back
 *   barrier           one grid-wide barrier in a cooperative kernel that fills every SM with one block
 *   upload, download  128 MiB of pinned host memory
 *
 * Each figure is the best of several repetitions after a warm-up, timed by events on one stream.
 * A figure stays 0 if the GPU lacks the memory or the feature. */
#include "cuda/gpu.cuh"
#include "weft/machine.h"

#include <cooperative_groups.h>
#include <math.h>

enum { REPETITIONS = 7, THREADS = 512, BLOCKS_PER_SM = 16, LAUNCHES = 1000, BARRIERS = 1000, FIGURES = 8 };

static const size_t MIB = (size_t)1 << 20;
static const size_t ARRAY_MOST = 1024 * MIB; /* bytes of each of two arrays */
static const size_t TABLE_SMALL = 4 * MIB, TABLE_LARGE = 512 * MIB;
static const size_t INDEX_MOST = 256 * MIB;
static const size_t PINNED = 128 * MIB;

namespace {

struct rig {
    weft_ctx *ctx;
    uint4 *a, *b; /* two arrays of `bytes` on the device */
    size_t bytes;
    int sms;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    void *pinned;
    bool registered;
    uint64_t done;
};

} // namespace

/* --- kernels ---------------------------------------------------------------- */

__device__ static size_t first(void) { return blockIdx.x * (size_t)blockDim.x + threadIdx.x; }
__device__ static size_t stride(void) { return (size_t)gridDim.x * blockDim.x; }

__global__ static void copy_kernel(const uint4 *from, uint4 *to, size_t count) {
    for (size_t i = first(); i < count; i += stride()) to[i] = from[i];
}

/* The sum is stored only for one unlikely value: the compiler keeps the reads, and writes do not happen. */
__global__ static void read_kernel(const uint4 *from, uint32_t *sink, size_t count) {
    uint32_t sum = 0;
    for (size_t i = first(); i < count; i += stride()) {
        uint4 x = from[i];
        sum ^= x.x ^ x.y ^ x.z ^ x.w;
    }
    if (sum == 0x9e3779b9u) *sink = sum;
}

__global__ static void gather_kernel(const uint4 *index, const uint32_t *table, uint32_t *sink, size_t count) {
    uint32_t sum = 0;
    for (size_t i = first(); i < count; i += stride()) {
        uint4 at = index[i];
        sum += table[at.x] + table[at.y] + table[at.z] + table[at.w];
    }
    if (sum == 0x9e3779b9u) *sink = sum;
}

/* Pseudo-random indexes 0 ... mask. */
__global__ static void index_kernel(uint32_t *index, size_t count, uint32_t mask) {
    for (size_t i = first(); i < count; i += stride()) {
        uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
        index[i] = (uint32_t)(x >> 32) & mask;
    }
}

__global__ static void empty_kernel(void) {}

__global__ static void barrier_kernel(int times) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int i = 0; i < times; i++) grid.sync();
}

/* --- the pieces of work ----------------------------------------------------- */

static unsigned grid_of(const rig *r) { return (unsigned)(r->sms * BLOCKS_PER_SM); }
static size_t index_bytes(const rig *r) { return r->bytes < INDEX_MOST ? r->bytes : INDEX_MOST; }

static cudaError_t copy_work(rig *r) {
    copy_kernel<<<grid_of(r), THREADS, 0, r->stream>>>(r->a, r->b, r->bytes / sizeof(uint4));
    return cudaGetLastError();
}

static cudaError_t read_work(rig *r) {
    read_kernel<<<grid_of(r), THREADS, 0, r->stream>>>(r->a, (uint32_t *)r->b, r->bytes / sizeof(uint4));
    return cudaGetLastError();
}

static cudaError_t gather_work(rig *r) {
    gather_kernel<<<grid_of(r), THREADS, 0, r->stream>>>(r->a, (const uint32_t *)r->b, (uint32_t *)r->b,
                                                         index_bytes(r) / sizeof(uint4));
    return cudaGetLastError();
}

static cudaError_t launch_work(rig *r) {
    for (int i = 0; i < LAUNCHES; i++) empty_kernel<<<1, 32, 0, r->stream>>>();
    return cudaGetLastError();
}

static cudaError_t barrier_work(rig *r) {
    int times = BARRIERS;
    void *arguments[] = {&times};
    return cudaLaunchCooperativeKernel((const void *)barrier_kernel, dim3((unsigned)r->sms), dim3(THREADS), arguments,
                                       0, r->stream);
}

static cudaError_t upload_work(rig *r) {
    return cudaMemcpyAsync(r->a, r->pinned, PINNED, cudaMemcpyHostToDevice, r->stream);
}

static cudaError_t download_work(rig *r) {
    return cudaMemcpyAsync(r->pinned, r->a, PINNED, cudaMemcpyDeviceToHost, r->stream);
}

/* --- measuring -------------------------------------------------------------- */

/* Milliseconds of the fastest of REPETITIONS runs. */
static weft_status best(rig *r, const char *what, cudaError_t (*work)(rig *), double *ms) {
    weft_ctx *ctx = r->ctx;
    double fastest = HUGE_VAL;
    *ms = 0;
    wfi_progress(ctx, "measuring the GPU", r->done++, FIGURES);
    for (int i = 0; i <= REPETITIONS; i++) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        float took;
        WFI_CUDA_OR_RETURN(cudaEventRecord(r->begin, r->stream));
        cudaError_t error = work(r);
        if (error != cudaSuccess) return wfi_cuda_fail(ctx, what, error);
        WFI_CUDA_OR_RETURN(cudaEventRecord(r->end, r->stream));
        error = cudaEventSynchronize(r->end);
        if (error != cudaSuccess) return wfi_cuda_fail(ctx, what, error);
        WFI_CUDA_OR_RETURN(cudaEventElapsedTime(&took, r->begin, r->end));
        if (i > 0 && took < fastest) fastest = took;
    }
    *ms = fastest;
    return WEFT_OK;
}

static weft_status measure_streams(rig *r, weft_machine *machine) {
    weft_ctx *ctx = r->ctx;
    double ms, bytes = (double)r->bytes;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(r->a, 1, r->bytes, r->stream));
    weft_status st = best(r, "the copy kernel", copy_work, &ms);
    if (st) return st;
    machine->gpu_copy_gbs = 2 * bytes / ms * 1e-6;
    st = best(r, "the read kernel", read_work, &ms);
    if (st) return st;
    machine->gpu_read_gbs = bytes / ms * 1e-6;
    return WEFT_OK;
}

static weft_status measure_gather(rig *r, size_t table_bytes, double *gps) {
    weft_ctx *ctx = r->ctx;
    double ms;
    if (r->bytes < table_bytes) return WEFT_OK;
    size_t count = index_bytes(r) / sizeof(uint32_t);
    index_kernel<<<grid_of(r), THREADS, 0, r->stream>>>((uint32_t *)r->a, count,
                                                        (uint32_t)(table_bytes / sizeof(uint32_t)) - 1);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(r->b, 0, table_bytes, r->stream));
    weft_status st = best(r, "the gather kernel", gather_work, &ms);
    if (st) return st;
    *gps = (double)count / ms * 1e-6;
    return WEFT_OK;
}

static weft_status measure_latencies(rig *r, weft_machine *machine) {
    weft_ctx *ctx = r->ctx;
    double ms;
    int cooperative = 0;
    weft_status st = best(r, "the empty kernel", launch_work, &ms);
    if (st) return st;
    machine->gpu_launch_us = ms * 1e3 / LAUNCHES;
    WFI_CUDA_OR_RETURN(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, wfi_cuda_index(ctx)));
    if (!cooperative) return WEFT_OK;
    st = best(r, "the barrier kernel", barrier_work, &ms);
    if (st) return st;
    machine->gpu_barrier_us = ms * 1e3 / BARRIERS;
    return WEFT_OK;
}

/* Host memory comes from the context, so that the context's limit holds, and is pinned in place. */
static weft_status measure_transfers(rig *r, weft_machine *machine) {
    weft_ctx *ctx = r->ctx;
    double ms;
    if (r->bytes < PINNED) return WEFT_OK;
    r->pinned = wfi_take_zeroed(ctx, PINNED, 1);
    if (!r->pinned) return WEFT_ENOMEM;
    WFI_CUDA_OR_RETURN(cudaHostRegister(r->pinned, PINNED, cudaHostRegisterDefault));
    r->registered = true;
    weft_status st = best(r, "the upload", upload_work, &ms);
    if (st) return st;
    machine->gpu_upload_gbs = (double)PINNED / ms * 1e-6;
    st = best(r, "the download", download_work, &ms);
    if (st) return st;
    machine->gpu_download_gbs = (double)PINNED / ms * 1e-6;
    return WEFT_OK;
}

static weft_status prepare(rig *r, const weft_machine *machine) {
    weft_ctx *ctx = r->ctx;
    size_t share = (size_t)machine->gpu_memory_free_bytes / 4 / MIB * MIB;
    r->bytes = share < ARRAY_MOST ? share : ARRAY_MOST;
    r->sms = machine->gpu_sms;
    if (r->bytes < TABLE_SMALL)
        return wfi_fail(ctx, WEFT_ENOMEM, "only %.1f MB of its memory are free",
                        (double)machine->gpu_memory_free_bytes / 1e6);
    WFI_CUDA_OR_RETURN(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
    WFI_CUDA_OR_RETURN(cudaEventCreate(&r->begin));
    WFI_CUDA_OR_RETURN(cudaEventCreate(&r->end));
    WFI_CUDA_OR_RETURN(cudaMalloc(&r->a, r->bytes));
    WFI_CUDA_OR_RETURN(cudaMalloc(&r->b, r->bytes));
    return WEFT_OK;
}

static void dismantle(rig *r) {
    if (r->stream) cudaStreamSynchronize(r->stream);
    if (r->registered) cudaHostUnregister(r->pinned);
    wfi_free(r->pinned);
    cudaFree(r->b);
    cudaFree(r->a);
    if (r->end) cudaEventDestroy(r->end);
    if (r->begin) cudaEventDestroy(r->begin);
    if (r->stream) cudaStreamDestroy(r->stream);
    cudaGetLastError();
}

weft_status wfi_cuda_measure(weft_ctx *ctx, weft_machine *machine) {
    rig r = {};
    r.ctx = ctx;
    weft_status st = prepare(&r, machine);
    if (!st) st = measure_streams(&r, machine);
    if (!st) st = measure_gather(&r, TABLE_SMALL, &machine->gpu_gather_l2_gps);
    if (!st) st = measure_gather(&r, TABLE_LARGE, &machine->gpu_gather_hbm_gps);
    if (!st) st = measure_latencies(&r, machine);
    if (!st) st = measure_transfers(&r, machine);
    dismantle(&r);
    return st;
}
