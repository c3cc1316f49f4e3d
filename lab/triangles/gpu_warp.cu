/* GPU: a warp for each vertex. */
#include "triangles.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK count_at(const weft_eid *offsets, const weft_vid *targets, weft_vid n, gpu_count *count) {
    uint64_t v = lab_thread() / 32;
    unsigned lane = threadIdx.x % 32;
    if (v >= n) return; /* the whole warp */
    gpu_count found = gpu_group_sum(gpu_joined_pairs(offsets, targets, (weft_vid)v, lane, 32, 0, 1), 32);
    if (lane == 0) count[v] = found;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    if (t.gpu.begin(count_at)) return t.gpu.status;
    count_at<<<t.gpu.grid((uint64_t)t.n * 32), r->block>>>(t.offsets, t.targets, t.n, t.count);
    return t.close(gpu_triangles_binary_bytes(r));
}
#endif

static const char *serves(lab_run *r) { return gpu_triangles_serves(r, 32, gpu_triangles_steps(r)); }

const lab_rung triangles_gpu_warp = {
    .name = "gpu-warp",
    .title = "GPU: a warp a vertex",
    .against = "gpu-virtual-warps",
    .changed = "The blog's fifth strategy: 32 lanes share a vertex. (The blog writes node = threadIdx.x / 32, which leaves out the "
               "block: every block would do the same few vertices.)",
    .wins = "Hubs, four times more than eight lanes do.",
    .loses = "Short rows: of 32 lanes, a row of nine keeps eight at the first neighbour, seven at the second.",
    .model = TRIANGLES_BINARY_MODEL,
    .source = "lab/triangles/gpu_warp.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
