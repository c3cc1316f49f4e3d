/* GPU: feature-parallel with four features a lane, one read of 16 bytes, and sums in f32 by blocks of 256 neighbours. */
#include "aggregate.cuh"

#ifdef __CUDACC__

enum { BLOCK = 256 }; /* neighbours: the error grows with the block and the number of blocks, not with the row */

__device__ static inline void add(float4 *sum, float4 more) {
    sum->x += more.x;
    sum->y += more.y;
    sum->z += more.z;
    sum->w += more.w;
}

/* --- excerpt --- */
/* A row has `lanes` = width / 4 lanes, and rows follow each other within a warp: 64 features are two rows a warp. */
__global__ static void LAB_ANY_BLOCK add_quads(gpu_rows a, unsigned lanes) {
    uint64_t v = lab_thread() / lanes;
    unsigned lane = (unsigned)(lab_thread() % lanes);
    if (v >= a.n) return;
    const float4 *x = reinterpret_cast<const float4 *>(a.x) + lane;
    float4 total = {0, 0, 0, 0};
    weft_eid end = a.offsets[v + 1];
    for (weft_eid from = a.offsets[v]; from < end; from += BLOCK) {
        weft_eid to = end - from < BLOCK ? end : from + BLOCK;
        float4 sum = {0, 0, 0, 0};
#pragma unroll 4
        for (weft_eid e = from; e < to; e++) add(&sum, x[(uint64_t)a.targets[e] * lanes]);
        add(&total, sum);
    }
    float share = a.share(v);
    reinterpret_cast<float4 *>(a.f)[v * lanes + lane] =
        make_float4(total.x * share, total.y * share, total.z * share, total.w * share);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_aggregation a(r);
    unsigned lanes = a.rows.width / 4;
    if (a.gpu.begin(add_quads)) return a.gpu.status;
    add_quads<<<a.gpu.grid((uint64_t)a.rows.n * lanes), r->block>>>(a.rows, lanes);
    return a.close(a.bytes(1));
}
#endif

static const char *serves(lab_run *r) {
    const char *other = aggregate_serves(r);
    return other ? other : aggregate_width(r) % 4 || !aggregate_width(r) ? "this rung takes features by fours" : NULL;
}

const lab_rung aggregate_gpu_vectorised = {
    .name = "gpu-vectorised",
    .title = "GPU: four features a lane, in one read",
    .against = "gpu-features",
    .changed = "A lane reads four features at once, 16 bytes, and a row takes as many lanes as it has fours. Sums are f32 in blocks of "
               "256 neighbours, which keeps a hub's sum good.",
    .wins = "A quarter of the instructions, more bytes under way for each of them, and the sources are read once.",
    .loses = "A hub is still one group's. Widths that fours do not divide are not served.",
    .model = "4 m (sources) + 4 m width (rows) + 8 n + 4 n width (result)",
    .source = "lab/aggregate/gpu_vectorised.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
