/* GPU: virtual warps: eight threads for each vertex. */
#include "triangles.cuh"

enum { LANES = 8 };

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK count_at(const weft_eid *offsets, const weft_vid *targets, weft_vid n, gpu_count *count) {
    uint64_t v = lab_thread() / LANES;
    unsigned lane = threadIdx.x % LANES;
    gpu_count found = v < n ? gpu_joined_pairs(offsets, targets, (weft_vid)v, lane, LANES, 0, 1) : 0;
    found = gpu_group_sum(found, LANES); /* all lanes of the warp are here */
    if (lane == 0 && v < n) count[v] = found;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    if (t.gpu.begin(count_at)) return t.gpu.status;
    count_at<<<t.gpu.grid((uint64_t)t.n * LANES), r->block>>>(t.offsets, t.targets, t.n, t.count);
    return t.close(gpu_triangles_binary_bytes(r));
}
#endif

static const char *serves(lab_run *r) { return gpu_triangles_serves(r, LANES, gpu_triangles_steps(r)); }

const lab_rung triangles_gpu_virtual = {
    .name = "gpu-virtual-warps",
    .title = "GPU: virtual warps, eight threads a vertex",
    .against = "gpu-binary",
    .changed = "The blog's second strategy, first way: a group of eight lanes shares a vertex. They take one first neighbour together "
               "and a second neighbour each, so that all eight search the same row.",
    .wins = "Rows of about eight and more: the group reads side by side, and a hub is done eight times sooner.",
    .loses = "Rows of two or three, where most lanes have no pair.",
    .model = TRIANGLES_BINARY_MODEL,
    .source = "lab/triangles/gpu_virtual.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
