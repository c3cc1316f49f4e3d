/* Degrees, GPU.  Out-degrees are row lengths; in-degrees of a directed graph are counted, an atomic addition for each arc, without its transpose.
 * The distribution is counted as on the CPU (graph/degrees.h): a counter for each small degree, of which the smallest are counted by each block in
 * shared memory first, and a list of the large ones. */
#include "algo/degree/degree_cuda.h"
#include "cuda/mirror.cuh"

#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 4096, TINY = 2048 };

typedef unsigned long long count;

namespace {

struct arrays {
    count *in, *out, *total;
    count *small; /* smalls */
    count *large; /* a place for each vertex that can have so large a degree */
    count *larges;
    uint64_t smalls;
};

} // namespace

__device__ static uint64_t this_thread(void) { return blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; }
__device__ static uint64_t all_threads(void) { return (uint64_t)gridDim.x * blockDim.x; }

__global__ static void count_targets(const weft_vid *targets, weft_eid arcs, count *in) {
    for (weft_eid e = this_thread(); e < arcs; e += all_threads()) atomicAdd(&in[targets[e]], 1ull);
}

__global__ static void measure_rows(const weft_eid *offsets, weft_vid n, bool directed, arrays a) {
    for (uint64_t v = this_thread(); v < n; v += all_threads()) {
        count out = offsets[v + 1] - offsets[v];
        a.out[v] = out;
        a.total[v] = directed ? out + a.in[v] : out;
        if (!directed) a.in[v] = out;
    }
}

__global__ static void count_degrees(arrays a, weft_vid n) {
    __shared__ unsigned few[TINY];
    for (unsigned d = threadIdx.x; d < TINY; d += blockDim.x) few[d] = 0;
    __syncthreads();
    for (uint64_t v = this_thread(); v < n; v += all_threads())
        if (a.total[v] < TINY)
            atomicAdd(&few[a.total[v]], 1u);
        else if (a.total[v] < a.smalls)
            atomicAdd(&a.small[a.total[v]], 1ull);
        else
            a.large[atomicAdd(a.larges, 1ull)] = a.total[v];
    __syncthreads();
    for (unsigned d = threadIdx.x; d < TINY && d < a.smalls; d += blockDim.x)
        if (few[d]) atomicAdd(&a.small[d], (count)few[d]);
}

static void lay_out(wfi_workspace *device, const weft_graph *g, const wfi_degree_counts *counts, arrays *a) {
    wfi_array(device, &a->in, g->n);
    wfi_array(device, &a->out, g->n);
    wfi_array(device, &a->total, g->n);
    wfi_array(device, &a->small, counts->smalls);
    wfi_array_within(device, &a->large, counts->most_large);
    wfi_array(device, &a->larges, 1);
    a->smalls = counts->smalls;
}

extern "C" void wfi_degree_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_degree_arrays host;
    arrays a;
    (void)ctx;
    (void)params;
    choice->method = g->directed ? "count targets" : "row lengths";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "directed: in-degrees are counted in one pass over the arcs"
                         : "undirected: the rows have both directions");
    wfi_degree_lay_out(&choice->space, g, &host);
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS);
    lay_out(&choice->device, g, &host.counts, &a);
}

static weft_status count_all(weft_ctx *ctx, const weft_graph *g, const wfi_device_rows &rows, const arrays &a) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = wfi_zero(ctx, a.small, a.smalls);
    if (!st) st = wfi_zero(ctx, a.larges, 1);
    if (!st && g->directed) st = wfi_zero(ctx, a.in, g->n);
    if (st) return st;
    if (g->directed)
        count_targets<<<wfi_grid(g->arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.targets, g->arcs, a.in);
    measure_rows<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.offsets, g->n, g->directed, a);
    count_degrees<<<wfi_grid(g->n, THREADS, 1024), THREADS, 0, stream>>>(a, g->n);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

/* The larger degrees come in any order. */
static weft_status bring_counts(weft_ctx *ctx, const arrays &a, wfi_degree_counts *counts) {
    weft_status st = wfi_download(ctx, counts->small, a.small, a.smalls * sizeof *counts->small);
    if (!st) st = wfi_download(ctx, &counts->larges, a.larges, sizeof counts->larges);
    if (!st && counts->larges) st = wfi_download(ctx, counts->large, a.large, counts->larges * sizeof *counts->large);
    if (!st) wfi_sort_large_degrees(counts);
    return st;
}

extern "C" weft_status wfi_degree_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    size_t bytes = g->n * sizeof(count);
    wfi_degree_arrays host;
    wfi_device_rows rows = {};
    arrays a;
    wfi_degree_lay_out(job->space, g, &host);
    weft_status st = job->space->status;
    if (!st) st = wfi_mirror_out(ctx, g, &rows);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, &host.counts, &a);
    st = job->device->status;
    if (!st) st = count_all(ctx, g, rows, a);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = bring_counts(ctx, a, &host.counts);
    wfi_progress(ctx, "degrees", 1, 2);
    wfi_part column[] = {{host.in, a.in, bytes}, {host.out, a.out, bytes}, {host.total, a.total, bytes}};
    if (!st) st = wfi_deliver_all(ctx, column, 3);
    return st ? st : wfi_degree_table(job, &host.counts);
}
