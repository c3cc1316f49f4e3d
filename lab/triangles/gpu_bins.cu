/* GPU: vertices in three bins by degree: a thread, a warp, or a block for each. */
#include "triangles.cuh"

#ifdef __CUDACC__

enum { A_THREAD = 8, A_WARP = 256, BINS = 3 }; /* degrees up to which one is enough */

/* The three lists stand behind each other, n long each; how many are in them. */
__global__ static void sort_into_bins(const weft_eid *offsets, weft_vid n, weft_vid *bins, unsigned *sizes) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    weft_eid degree = offsets[v + 1] - offsets[v];
    if (degree < 2) return;
    unsigned bin = degree <= A_THREAD ? 0 : degree <= A_WARP ? 1 : 2;
    bins[(uint64_t)bin * n + atomicAdd(&sizes[bin], 1u)] = (weft_vid)v;
}

/* --- excerpt --- */
/* `lanes` threads for each vertex of a bin: 1, 32, or more than a warp.  The lanes of a warp share a first neighbour, and the warps of a
 * block take first neighbours in turn. */
__global__ static void LAB_ANY_BLOCK count_bin(const weft_eid *offsets, const weft_vid *targets, const weft_vid *bin, unsigned size,
                                               unsigned lanes, gpu_count *count) {
    uint64_t i = lab_thread() / lanes;
    unsigned within = lanes < 32 ? lanes : 32, me = threadIdx.x % lanes;
    gpu_count found = 0;
    if (i < size)
        found = gpu_joined_pairs(offsets, targets, bin[i], me % within, within, me / within, lanes / within);
    found = gpu_group_sum(found, within);
    if (i < size && me % within == 0) atomicAdd(&count[bin[i]], found);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    weft_vid *bins = t.gpu.take<weft_vid>((size_t)t.n * BINS);
    unsigned *sizes = t.gpu.take_zeroed<unsigned>(BINS), size[BINS];
    const unsigned lanes[BINS] = {1, 32, (unsigned)r->block};
    if (t.gpu.begin(count_bin)) return t.gpu.status;
    sort_into_bins<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.n, bins, sizes);
    t.gpu.peek_bytes(size, sizes, sizeof size);
    for (int b = BINS - 1; b >= 0 && !t.gpu.status; b--)
        if (size[b])
            count_bin<<<t.gpu.grid((uint64_t)size[b] * lanes[b]), r->block>>>(t.offsets, t.targets, bins + (size_t)b * t.n,
                                                                              size[b], lanes[b], t.count);
    return t.close(gpu_triangles_binary_bytes(r) + 16.0 * t.n);
}
#endif

static const char *serves(lab_run *r) { return gpu_triangles_serves(r, 256, gpu_triangles_steps(r)); }

const lab_rung triangles_gpu_bins = {
    .name = "gpu-bins",
    .title = "GPU: bins by degree: a thread, a warp or a block",
    .against = "gpu-warp",
    .changed = "The blog's second strategy, second way: a kernel sorts vertices into lists by degree, and each list has a launch of "
               "its own: a thread for degrees up to 8, a warp up to 256, a block above.",
    .wins = "Graphs with hubs and many short rows: everybody gets as many threads as it has pairs for.",
    .loses = "Flat graphs: the lists are made for nothing. And the number of pairs is what it was.",
    .model = TRIANGLES_BINARY_MODEL ", + 16 n (lists)",
    .source = "lab/triangles/gpu_bins.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
