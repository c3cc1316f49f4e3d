/* PageRank on the GPU: what stands around the steps (pagerank.cuh).  Without CUDA there is nothing here. */
#include "pagerank.cuh"

#include "afford.h"

#ifdef __CUDACC__

#include <math.h>

enum { THREADS = 256 };
static const unsigned MOST_BLOCKS = 512;

__global__ static void start_ranks(float *rank, weft_vid n) {
    for (uint64_t v = lab_thread(); v < n; v += lab_threads()) rank[v] = 1 / (float)n;
}

/* The sum over a block, in thread 0. */
__device__ static double block_sum(double value) {
    __shared__ double of_warp[32];
    value = lab_warp_sum(value);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
    return threadIdx.x < 32 ? lab_warp_sum(value) : 0;
}

/* Each block adds up its share; the block that comes last adds up the blocks, always in the same order. */
__global__ static void sum_dangling(const float *values, const uint32_t *degree, weft_vid n, double damping,
                                    double *partial, unsigned *ticket, double *base) {
    __shared__ bool am_last;
    double sum = 0;
    for (uint64_t u = lab_thread(); u < n; u += lab_threads())
        if (!degree[u]) sum += (double)values[u];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        am_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!am_last) return;
    __threadfence();
    sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += __ldcg(&partial[b]);
    sum = block_sum(sum);
    if (threadIdx.x) return;
    *base = (1 - damping + damping * sum) / (double)n;
    *ticket = 0;
}

gpu_pagerank::gpu_pagerank(lab_run *run, const weft_csr &wanted)
    : gpu(run), r(run), n(run->out.vertices), damping(pagerank_params(run)->damping) {
    uint32_t *out_degree = static_cast<uint32_t *>(lab_take(r, n * sizeof(uint32_t)));
    if (!out_degree) gpu.status = WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid u = 0; u < n && out_degree; u++)
        out_degree[u] = (uint32_t)(r->out.offsets[u + 1] - r->out.offsets[u]);
    host_degree = out_degree;
    offsets = gpu.bring(wanted.offsets, (size_t)n + 1);
    rows = gpu.bring(wanted.targets, wanted.arcs);
    degree = gpu.bring(host_degree, n);
    rank = gpu.take<float>(n);
    next = gpu.take<float>(n);
    base = gpu.take<double>(1);
    partial = gpu.take<double>(MOST_BLOCKS);
    ticket = gpu.take_zeroed<unsigned>(1);
}

weft_status gpu_pagerank::begin(const void *main_kernel, size_t shared_bytes) {
    if (gpu.begin(main_kernel, shared_bytes)) return gpu.status;
    start_ranks<<<gpu.grid_filling(n, THREADS), THREADS>>>(rank, n);
    return WEFT_OK;
}

void gpu_pagerank::make_base(const float *values) {
    unsigned blocks = gpu.grid(n, THREADS);
    sum_dangling<<<blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, THREADS>>>(values, degree, n, damping, partial, ticket,
                                                                           base);
}

weft_status gpu_pagerank::answer(uint64_t iterations, double bytes) {
    float *ranks = gpu.fetch(rank, n);
    if (gpu.status) return gpu.status;
    r->edges = (double)iterations * (double)r->out.arcs;
    r->bytes = (double)iterations * bytes;
    /* What follows is for the verifier, and in no part's time. */
    float *before = static_cast<float *>(lab_take(r, n * sizeof(float)));
    if (!before) return WEFT_ENOMEM;
    gpu.failed("cudaMemcpy", cudaMemcpy(before, next, n * sizeof(float), cudaMemcpyDeviceToHost));
    double residual = 0, sum = 0;
    for (weft_vid v = 0; v < n; v++) {
        residual += fabs((double)ranks[v] - (double)before[v]);
        sum += (double)ranks[v];
    }
    lab_column(r, "rank", WEFT_F32, ranks, n);
    lab_u64(r, "iterations", iterations);
    lab_f64(r, "residual", residual);
    lab_f64(r, "sum", sum);
    return gpu.status;
}

#endif
