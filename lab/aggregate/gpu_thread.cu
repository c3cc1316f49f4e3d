/* GPU: the blog's kernel: a thread for each vertex, with a sum for each feature. */
#include "aggregate.cuh"

#ifdef __CUDACC__

enum { SUMS = 32 }; /* features in hand at a time; sums in double, as in the CPU's rungs */

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_rows(gpu_rows a) {
    uint64_t v = lab_thread();
    if (v >= a.n) return;
    for (unsigned first = 0; first < a.width; first += SUMS) {
        double sum[SUMS] = {0};
        unsigned count = a.width - first < SUMS ? a.width - first : SUMS;
        for (weft_eid e = a.offsets[v]; e < a.offsets[v + 1]; e++) {
            const float *row = a.x + (uint64_t)a.targets[e] * a.width + first;
#pragma unroll
            for (unsigned c = 0; c < SUMS; c++)
                if (c < count) sum[c] += (double)row[c];
        }
#pragma unroll
        for (unsigned c = 0; c < SUMS; c++)
            if (c < count) a.f[v * a.width + first + c] = (float)sum[c] * a.share(v);
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_aggregation a(r);
    if (a.gpu.begin(add_rows)) return a.gpu.status;
    add_rows<<<a.gpu.grid(a.rows.n), r->block>>>(a.rows);
    return a.close(a.bytes((a.rows.width + SUMS - 1) / SUMS));
}
#endif

const lab_rung aggregate_gpu_thread = {
    .name = "gpu-thread",
    .title = "GPU: a thread a vertex",
    .against = "per-node",
    .changed = "The blog's gnnAggregation: a thread adds up its neighbours' rows into sums of its own, 32 features at a time so that they "
               "stay in registers. (The blog's FEATURE_DIM is known when it is compiled, and it divides by zero neighbours.)",
    .wins = "Against one core: all vertices at once.",
    .loses = "The 32 lanes of a warp read 32 different rows: each of their reads is 4 bytes of a sector of 32 bytes, and the sector is "
             "asked for again for the next feature. A hub is one thread's.",
    .model = "4 m for each 32 features (sources) + 4 m width (rows) + 8 n + 4 n width (result)",
    .source = "lab/aggregate/gpu_thread.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = aggregate_serves,
    .run = LAB_ON_GPU(run),
};
