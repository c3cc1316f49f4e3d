/* Degrees, GPU.  Out-degrees are row lengths; in-degrees of a directed graph are counted, an atomic addition for each
 * arc, without its transpose.  The distribution is counted as on the CPU (graph/degrees.h): a counter for each small
 * degree, of which the smallest are counted by each block in shared memory first, and a list of the large ones.
 * Weights are added in the order of the row, as on the CPU, a warp a row. */
#include "algo/degree/degree.h"
#include "cuda/mirror.cuh"
#include "shared/pull/pull.cuh"

#include <stdio.h>

enum { WARP = 32, THREADS = 256, MOST_BLOCKS = 4096, TINY = 2048 };

typedef unsigned long long count;

namespace {

struct arrays {
    count *in, *out, *total;
    double *in_strength, *out_strength, *strength; /* with `strength` */
    count *unused;                                 /* arcs that other algorithms would refuse for their weight */
    count *small;                                  /* smalls */
    count *large;                                  /* a place for each vertex that can have so large a degree */
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

__global__ static void sum_weights(wfi_view rows, weft_weight_type type, weft_vid n, double *sums, count *unused) {
    for (uint64_t v = this_thread() / WARP; v < n; v += all_threads() / WARP) {
        double sum = wfi_warp_row_sum(rows, type, (weft_vid)v, unused);
        if (threadIdx.x % WARP == 0) sums[v] = sum;
    }
}

/* Without weights the degrees are the strengths; in_strength of an undirected graph is out_strength. */
__global__ static void complete_strengths(arrays a, weft_vid n, bool directed, bool weights, bool in) {
    for (uint64_t v = this_thread(); v < n; v += all_threads()) {
        if (!weights) a.out_strength[v] = __ull2double_rn(a.out[v]);
        if (!directed || !in)
            a.in_strength[v] = a.out_strength[v];
        else if (!weights)
            a.in_strength[v] = __ull2double_rn(a.in[v]);
        a.strength[v] = directed ? a.in_strength[v] + a.out_strength[v] : a.out_strength[v];
    }
}

__global__ static void count_degrees(arrays a, const count *of, weft_vid n) {
    __shared__ unsigned few[TINY];
    for (unsigned d = threadIdx.x; d < TINY; d += blockDim.x) few[d] = 0;
    __syncthreads();
    for (uint64_t v = this_thread(); v < n; v += all_threads())
        if (of[v] < TINY)
            atomicAdd(&few[of[v]], 1u);
        else if (of[v] < a.smalls)
            atomicAdd(&a.small[of[v]], 1ull);
        else
            a.large[atomicAdd(a.larges, 1ull)] = of[v];
    __syncthreads();
    for (unsigned d = threadIdx.x; d < TINY && d < a.smalls; d += blockDim.x)
        if (few[d]) atomicAdd(&a.small[d], (count)few[d]);
}

static void lay_out(wfi_workspace *device, const weft_graph *g, const weft_degree_params *p,
                    const wfi_degree_counts *counts, arrays *a) {
    *a = {};
    wfi_array(device, &a->in, g->n);
    wfi_array(device, &a->out, g->n);
    wfi_array(device, &a->total, g->n);
    wfi_array(device, &a->small, counts->smalls);
    wfi_array_within(device, &a->large, counts->most_large);
    wfi_array(device, &a->larges, 1);
    a->smalls = counts->smalls;
    if (!p->strength) return;
    wfi_array(device, &a->in_strength, g->n);
    wfi_array(device, &a->out_strength, g->n);
    wfi_array(device, &a->strength, g->n);
    wfi_array(device, &a->unused, 1);
}

extern "C" void wfi_degree_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_degree_arrays host;
    arrays a;
    const weft_degree_params *p = (const weft_degree_params *)params;
    (void)ctx;
    choice->method = wfi_degree_sums(g, p) ? "row sums" : g->directed ? "count targets" : "row lengths";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             wfi_degree_sums_in(g, p) ? "directed: weights are summed in the rows of both directions"
             : g->directed            ? "directed: in-degrees are counted in one pass over the arcs"
                                      : "undirected: the rows have both directions");
    wfi_degree_lay_out(&choice->space, g, p, &host);
    wfi_mirror_declare(&choice->device, g, wfi_degree_sums_in(g, p) ? WFI_OUT_ROWS | WFI_IN_ROWS : WFI_OUT_ROWS);
    lay_out(&choice->device, g, p, &host.counts, &a);
}

static weft_status sum_all(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *p, const wfi_view &out,
                           const wfi_view &in, const arrays &a) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_kernel_scope stage(ctx, "weights");
    unsigned warps = wfi_grid((uint64_t)g->n * WARP, THREADS, 1 << 16), grid = wfi_grid(g->n, THREADS, MOST_BLOCKS);
    bool weights = wfi_degree_sums(g, p), both = wfi_degree_sums_in(g, p);
    weft_status st = wfi_zero(ctx, a.unused, 1);
    if (st) return st;
    if (weights) sum_weights<<<warps, THREADS, 0, stream>>>(out, g->weight_type, g->n, a.out_strength, a.unused);
    if (both) sum_weights<<<warps, THREADS, 0, stream>>>(in, g->weight_type, g->n, a.in_strength, a.unused);
    complete_strengths<<<grid, THREADS, 0, stream>>>(a, g->n, g->directed, weights, both || !weights);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

static weft_status count_all(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *p, const wfi_view &rows,
                             const arrays &a) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = wfi_zero(ctx, a.small, a.smalls);
    if (!st) st = wfi_zero(ctx, a.larges, 1);
    if (!st && g->directed) st = wfi_zero(ctx, a.in, g->n);
    if (st) return st;
    if (g->directed)
        count_targets<<<wfi_grid(g->arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.targets, g->arcs, a.in);
    measure_rows<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.offsets, g->n, g->directed, a);
    const count *of = p->mode == WEFT_SIDE_IN ? a.in : p->mode == WEFT_SIDE_OUT ? a.out : a.total;
    count_degrees<<<wfi_grid(g->n, THREADS, 1024), THREADS, 0, stream>>>(a, of, g->n);
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

/* The columns that there are. */
static weft_status deliver(weft_ctx *ctx, weft_vid n, const wfi_degree_arrays &host, const arrays &a) {
    size_t bytes = n * (size_t)8, columns = 0;
    const wfi_copy all[] = {
        {host.in, a.in, bytes},
        {host.out, a.out, bytes},
        {host.total, a.total, bytes},
        {host.in_strength, a.in_strength, bytes},
        {host.out_strength, a.out_strength, bytes},
        {host.strength, a.strength, bytes},
    };
    wfi_copy column[sizeof all / sizeof *all];
    for (const wfi_copy &part : all)
        if (part.to) column[columns++] = part;
    return wfi_deliver_all(ctx, column, columns);
}

extern "C" weft_status wfi_degree_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_degree_params *p = (const weft_degree_params *)job->params;
    wfi_degree_arrays host;
    wfi_view rows = {}, in = {};
    arrays a;
    wfi_degree_lay_out(job->space, g, p, &host);
    weft_status st = job->space->status;
    if (!st) st = wfi_mirror_out(ctx, g, &rows);
    if (!st && wfi_degree_sums_in(g, p)) st = wfi_mirror_in(ctx, g, &in);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, p, &host.counts, &a);
    st = job->device->status;
    if (!st) st = count_all(ctx, g, p, rows, a);
    if (!st && p->strength) st = sum_all(ctx, g, p, rows, in, a);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = bring_counts(ctx, a, &host.counts);
    wfi_progress(ctx, "degrees", 1, 2);
    if (!st) st = deliver(ctx, g->n, host, a);
    return st ? st : wfi_degree_table(job, &host.counts);
}
