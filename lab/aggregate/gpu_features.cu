/* GPU: a warp for each vertex, a feature for each lane: the neighbours go by, and a row is read side by side. */
#include "aggregate.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_features(gpu_rows a) {
    uint64_t v = lab_thread() / 32;
    if (v >= a.n) return;
    for (unsigned c = threadIdx.x % 32; c < a.width; c += 32) {
        double sum = 0;
#pragma unroll 4
        for (weft_eid e = a.offsets[v]; e < a.offsets[v + 1]; e++)
            sum += (double)a.x[(uint64_t)a.targets[e] * a.width + c];
        a.f[v * a.width + c] = (float)sum * a.share(v);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_aggregation a(r);
    if (a.gpu.begin(add_features)) return a.gpu.status;
    add_features<<<a.gpu.grid((uint64_t)a.rows.n * 32), r->block>>>(a.rows);
    return a.close(a.bytes((a.rows.width + 31) / 32));
}
#endif

const lab_rung aggregate_gpu_features = {
    .name = "gpu-features",
    .title = "GPU: feature-parallel, a lane a feature",
    .against = "gpu-warp",
    .changed = "The two loops change places: lanes have features and not neighbours. A neighbour is the same for all lanes, and 32 of its "
               "features are one read of 128 bytes. No sums are exchanged.",
    .wins = "Whole lines: every byte that comes is used. Rows of any length keep all lanes busy.",
    .loses = "A hub is one warp's, neighbour after neighbour; 4 bytes a lane is a small read; and sums in double cost more than they must.",
    .model = "4 m for each 32 features (sources) + 4 m width (rows) + 8 n + 4 n width (result)",
    .source = "lab/aggregate/gpu_features.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = aggregate_serves,
    .run = LAB_ON_GPU(run),
};
