/* GPU: gpu-transposed, with the out-degree of a source beside its number in the array of columns.
 * The thesis "GPU programming", chapter 4: col_idx[2 j] is the source, col_idx[2 j + 1] its out-degree.  Should win: where reading
 * degree[u] is a miss of its own.  Should lose: where the degrees fit in a cache, because every arc now brings its own copy; the thesis
 * itself names it a drawback.  A pair is read as one word of 8 bytes here, not as two of 4. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK pull_pairs(const weft_eid *offsets, const uint2 *pairs, const float *rank,
                                                float *next, pagerank_rule rule) {
    uint64_t v = lab_thread();
    if (v >= rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) {
        uint2 pair = pairs[e]; /* x: the source, y: its out-degree */
        sum += (double)(rank[pair.x] / (float)pair.y);
    }
    next[v] = (float)rule.rank(sum);
}

__global__ static void interleave(const weft_vid *sources, const uint32_t *degree, weft_eid arcs, uint2 *pairs) {
    for (weft_eid e = lab_thread(); e < arcs; e += lab_threads()) pairs[e] = {sources[e], degree[sources[e]]};
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_pagerank<float> s(r, r->in);
    uint2 *pairs = s.gpu.take<uint2>(r->in.arcs);
    if (s.gpu.status) return s.gpu.status;
    lab_turn(r, LAB_COPY_IN); /* another form of the graph */
    interleave<<<s.gpu.grid_filling(r->in.arcs, PAGERANK_THREADS), PAGERANK_THREADS>>>(s.rows, s.degree, r->in.arcs,
                                                                                       pairs);
    s.gpu.failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
    if (s.begin(pull_pairs)) return s.gpu.status;
    pagerank_rule rule = {s.n, s.damping, s.base};
    s.iterate([&] { pull_pairs<<<s.gpu.grid(s.n), r->block>>>(s.offsets, pairs, s.rank, s.next, rule); });
    return s.answer(pagerank_iterations(r), 12.0 * (double)r->in.arcs + 16.0 * s.n);
}
#endif

const lab_rung pagerank_gpu_interleaved = {
    .name = "gpu-interleaved",
    .title = "GPU, interleaved: an arc carries its source's degree",
    .against = "gpu-transposed",
    .changed =
        "The array of columns holds pairs: a source and its out-degree, as in the thesis (chapter 4). One read that "
        "lands anywhere in the place of two, and a second that comes with the arc.",
    .wins = "Graphs whose degrees do not fit in the cache: 4 m bytes in order cost less than 4 m one by one.",
    .loses =
        "Graphs whose degrees do fit: each arc brings a copy of what lay there already, and lanes that read rows far "
        "apart use half of what each fetch brings.",
    .model = "an iteration: 8 m (pairs) + 4 m (ranks, one by one) + 16 n (offsets, ranks)",
    .source = "lab/pagerank/gpu_interleaved.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
