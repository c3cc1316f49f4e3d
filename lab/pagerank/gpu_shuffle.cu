/* GPU: gpu-contributions with a warp for every row, summed by shuffles.
 * The thesis, 7.1.2, has the sum (listing 7.1): it wants a block for each row and at most 1024 arcs, adds the last n mod 32 of them
 * one by one, and joins warps by an atomic addition of floats, in whatever order they come.  Here a warp takes a row of any length
 * in strides of 32, and the order is fixed.
 * Should win: long rows, whose arcs are now read side by side.  Should lose: graphs of mean degree 5, where 27 lanes of 32 idle. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_by_warps(const weft_eid *offsets, const weft_vid *sources, const float *share,
                                                  pagerank_share<float> end) {
    uint64_t v = lab_thread() / 32; /* the same for all lanes of a warp: they stay and go together */
    if (v >= end.rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v] + threadIdx.x % 32; e < offsets[v + 1]; e += 32) sum += (double)share[sources[e]];
    for (int far = 16; far; far /= 2) sum += __shfl_down_sync(~0u, sum, far);
    if (threadIdx.x % 32 == 0) end.put(v, sum);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_contributions<float> s(r);
    if (s.begin(add_by_warps)) return s.gpu.status;
    s.iterate([&](const pagerank_share<float> &end) {
        add_by_warps<<<s.gpu.grid(32ull * s.n), r->block>>>(s.offsets, s.rows, s.share, end);
    });
    return s.answer(pagerank_iterations(r), pagerank_contributions_bytes(r));
}
#endif

const lab_rung pagerank_gpu_shuffle = {
    .name = "gpu-shuffle",
    .title = "GPU, shuffle: a warp for every row",
    .against = "gpu-contributions",
    .changed =
        "A warp reads each row in strides of 32 and adds it up by shuffles. The thesis's sum takes rows of up to 1024 "
        "arcs, does the last of them one by one and joins warps by atomics; this one takes any row and always adds "
        "in the same order.",
    .wins = "Graphs with hubs or of high degree: arcs of a row are coalesced, and no thread walks alone.",
    .loses = "Graphs of low degree: of a row of 5 arcs, 27 lanes see nothing, and there are 32 times as many threads.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL,
    .source = "lab/pagerank/gpu_shuffle.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
