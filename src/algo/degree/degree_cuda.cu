/* Degrees, GPU.  Out-degrees are row lengths; in-degrees of a directed graph are counted, an atomic addition for each
 * arc, without its transpose.  The distribution is that of cuda/degree_counts.cuh.
 * Weights are added in the order of the row, as on the CPU, a warp a row. */
#include "algo/degree/degree.h"
#include "cuda/degree_counts.cuh"
#include "cuda/mirror.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"

#include <stdio.h>

enum { WARP = 32, THREADS = 256, MOST_BLOCKS = 4096 };

typedef unsigned long long count;

namespace {

struct arrays {
    count *in, *out, *total;
    double *in_strength, *out_strength, *strength; /* with `strength` */
    count *unused;                                 /* arcs that other algorithms would refuse for their weight */
    wfi_degree_counting counting;
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

static void lay_out(wfi_workspace *device, const weft_graph *g, const weft_degree_params *p,
                    const wfi_degree_counts *counts, arrays *a) {
    *a = {};
    wfi_array(device, &a->in, g->n);
    wfi_array(device, &a->out, g->n);
    wfi_array(device, &a->total, g->n);
    wfi_degree_counting_lay_out(device, counts, &a->counting);
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
    choice->method = wfi_degree_sums(g, p) ? WFI_DEGREE_SUMS : g->directed ? WFI_DEGREE_COUNT : WFI_DEGREE_LENGTHS;
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
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

static weft_status count_all(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *p, const wfi_view &rows,
                             const wfi_degree_counts *counts, const arrays &a) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = g->directed ? wfi_zero(ctx, a.in, g->n) : WEFT_OK;
    if (st) return st;
    if (g->directed)
        count_targets<<<wfi_grid(g->arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.targets, g->arcs, a.in);
    measure_rows<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.offsets, g->n, g->directed, a);
    const count *of = p->mode == WEFT_SIDE_IN ? a.in : p->mode == WEFT_SIDE_OUT ? a.out : a.total;
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return wfi_degree_counting_run(ctx, of, g->n, counts, &a.counting);
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
    if (!st) st = count_all(ctx, g, p, rows, &host.counts, a);
    if (!st && p->strength) st = sum_all(ctx, g, p, rows, in, a);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = wfi_degree_counting_download(ctx, &a.counting, &host.counts);
    wfi_progress(ctx, "degrees", 1, 2);
    if (!st) st = deliver(ctx, g->n, host, a);
    return st ? st : wfi_degree_table(job, &host.counts);
}
