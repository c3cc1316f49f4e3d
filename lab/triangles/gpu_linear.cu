/* GPU: the blog's kernel: a thread for each vertex, each pair of its neighbours looked for by a walk through a row. */
#include "triangles.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK count_at(const weft_eid *offsets, const weft_vid *targets, weft_vid n, gpu_count *count) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    gpu_count found = 0;
    for (weft_eid i = offsets[v]; i < offsets[v + 1]; i++)
        for (weft_eid k = i + 1; k < offsets[v + 1]; k++)
            found += gpu_walk(targets, offsets[targets[i]], offsets[targets[i] + 1], targets[k]);
    count[v] = found;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    if (t.gpu.begin(count_at)) return t.gpu.status;
    count_at<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, t.count);
    return t.close(4 * triangles_searched(r));
}
#endif

static const char *serves(lab_run *r) {
    double pairs = triangles_pairs(r);
    return gpu_triangles_serves(r, 1, pairs > 0 ? triangles_searched(r) / pairs : 1);
}

const lab_rung triangles_gpu_linear = {
    .name = "gpu-linear",
    .title = "GPU: a thread a vertex, linear search",
    .against = "linear",
    .changed = "The blog's countTriangles with its thread for each vertex.",
    .wins = "Flat graphs: thousands of vertices at once, all with about as much to do.",
    .loses = "Hubs: the GPU waits for the one thread that has the largest of them, and a warp for its longest lane.",
    .model = "4 bytes for each entry of a row walked: for each pair, up to the degree of the smaller neighbour (an upper bound)",
    .source = "lab/triangles/gpu_linear.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
