/* GPU: a bit matrix, a warp for each vertex: for each of its edges, two rows are ANDed and counted, 32 words at a time. */
#include "afford.h"
#include "triangles.cuh"

#ifdef __CUDACC__

__global__ static void fill(const weft_eid *offsets, const weft_vid *targets, weft_vid n, size_t words, uint32_t *bits) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) bits[v * words + targets[e] / 32] |= 1u << targets[e] % 32;
}

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK count_at(const weft_eid *offsets, const weft_vid *targets, weft_vid n, const uint32_t *bits,
                                              size_t words, gpu_count *count) {
    uint64_t v = lab_thread() / 32;
    unsigned lane = threadIdx.x % 32;
    if (v >= n) return;
    gpu_count met = 0; /* a triangle at v is met at both of its edges there */
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++)
        for (size_t w = lane; w < words; w += 32)
            met += (gpu_count)__popc(bits[v * words + w] & bits[targets[e] * words + w]);
    met = gpu_group_sum(met, 32);
    if (lane == 0) count[v] = met / 2;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    size_t words = ((size_t)t.n + 31) / 32;
    uint32_t *bits = t.gpu.take_zeroed<uint32_t>(t.n * words);
    if (t.gpu.status) return t.gpu.status;
    lab_turn(r, LAB_COPY_IN);
    fill<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, words, bits);
    if (t.gpu.begin(count_at)) return t.gpu.status;
    count_at<<<t.gpu.grid((uint64_t)t.n * 32), r->block>>>(t.offsets, t.targets, t.n, bits, words, t.count);
    return t.close(8.0 * (double)words * (double)t.s.offsets[t.n]);
}
#endif

static const char *serves(lab_run *r) {
    double n = r->out.vertices, words = n / 32;
    const char *too_large = lab_too_large_for_gpu(r, 4 * words * n);
    return too_large ? too_large : triangles_serves(r, 0, 2 * words * (double)weft_graph_edges(r->g) / 2e11);
}

const lab_rung triangles_gpu_bits = {
    .name = "gpu-bits",
    .title = "GPU: bit matrix, AND and count",
    .against = "gpu-matrix",
    .changed = "A bit for an edge, and only pairs that are edges are looked at: a warp takes two rows 1024 columns at a time.",
    .wins = "Dense graphs of some thousand vertices, where whole rows are in the L2: 32 columns a lane, no branch.",
    .loses = "Sparse graphs: n/8 bytes for each arc, nearly all of them zeros.",
    .model = "for each arc two rows of n/8 bytes",
    .source = "lab/triangles/gpu_bits.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
