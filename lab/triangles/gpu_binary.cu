/* GPU: a thread for each vertex, binary search in the sorted row. */
#include "triangles.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK count_at(const weft_eid *offsets, const weft_vid *targets, weft_vid n, gpu_count *count) {
    uint64_t v = lab_thread();
    if (v < n) count[v] = gpu_joined_pairs(offsets, targets, (weft_vid)v, 0, 1, 0, 1);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    if (t.gpu.begin(count_at)) return t.gpu.status;
    count_at<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, t.count);
    return t.close(gpu_triangles_binary_bytes(r));
}
#endif

static const char *serves(lab_run *r) { return gpu_triangles_serves(r, 1, gpu_triangles_steps(r)); }

const lab_rung triangles_gpu_binary = {
    .name = "gpu-binary",
    .title = "GPU: a thread a vertex, binary search",
    .against = "gpu-linear",
    .changed = "The blog's first strategy: the search halves the row.",
    .wins = "Long rows: log d steps and not d.",
    .loses = "As before, everybody waits for the thread of the largest hub; and each step of a search waits for the one before it.",
    .model = TRIANGLES_BINARY_MODEL,
    .source = "lab/triangles/gpu_binary.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
