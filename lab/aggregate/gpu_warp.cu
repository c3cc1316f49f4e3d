/* GPU: a warp for each vertex, a neighbour for each lane. */
#include "aggregate.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_neighbours(gpu_rows a) {
    uint64_t v = lab_thread() / 32;
    unsigned lane = threadIdx.x % 32;
    if (v >= a.n) return; /* the whole warp */
    for (unsigned c = 0; c < a.width; c++) {
        double sum = 0;
        for (weft_eid e = a.offsets[v] + lane; e < a.offsets[v + 1]; e += 32)
            sum += (double)a.x[(uint64_t)a.targets[e] * a.width + c];
        sum = lab_warp_sum(sum);
        if (lane == 0) a.f[v * a.width + c] = (float)sum * a.share(v);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_aggregation a(r);
    if (a.gpu.begin(add_neighbours)) return a.gpu.status;
    add_neighbours<<<a.gpu.grid((uint64_t)a.rows.n * 32), r->block>>>(a.rows);
    return a.close(a.bytes(a.rows.width));
}
#endif

const lab_rung aggregate_gpu_warp = {
    .name = "gpu-warp",
    .title = "GPU: a warp a vertex, a lane a neighbour",
    .against = "gpu-thread",
    .changed = "The blog's cure for divergence, taken at its word: a warp shares a vertex, each lane has neighbours of its own, and a "
               "feature is summed over the warp by shuffles, one after the other.",
    .wins = "Hubs: 32 lanes, and no lane waits for another vertex's row.",
    .loses = "Lanes still read different rows at the same time, 4 bytes of a sector each; every feature costs five shuffles, and rows of "
             "fewer than 32 leave lanes without work. It balances, but it does not read in order.",
    .model = "4 m width (sources) + 4 m width (rows) + 8 n + 4 n width (result)",
    .source = "lab/aggregate/gpu_warp.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = aggregate_serves,
    .run = LAB_ON_GPU(run),
};
