/* GPU: gpu-transposed, with the ranks and degrees of the block's own nodes in shared memory.
 * The document's version 5.  Should win: graphs whose arcs mostly stay within runs of 256 numbers (it assumes 30 % and expects
 * 1.38 times).  Should lose: everywhere else.  In a random graph of n nodes one arc in n / 256 finds its source in the tile; all pay
 * for filling it, for a barrier, and for two comparisons an arc. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK pull_tiled(const weft_eid *offsets, const weft_vid *sources,
                                                const uint32_t *degree, const float *rank, float *next,
                                                pagerank_rule rule) {
    extern __shared__ float tile_rank[];
    uint32_t *tile_degree = reinterpret_cast<uint32_t *>(tile_rank + blockDim.x);
    uint64_t v = lab_thread(), first = blockIdx.x * (uint64_t)blockDim.x;
    if (v < rule.n) {
        tile_rank[threadIdx.x] = rank[v];
        tile_degree[threadIdx.x] = degree[v];
    }
    __syncthreads(); /* everybody comes here, also those beyond the last node */
    if (v >= rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) {
        weft_vid u = sources[e];
        if (u >= first && u < first + blockDim.x)
            sum += (double)(tile_rank[u - first] / (float)tile_degree[u - first]);
        else
            sum += (double)(rank[u] / (float)degree[u]);
    }
    next[v] = (float)rule.rank(sum);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_pagerank<float> s(r, r->in);
    size_t shared = (size_t)r->block * (sizeof(float) + sizeof(uint32_t));
    if (s.begin(pull_tiled, shared)) return s.gpu.status;
    pagerank_rule rule = {s.n, s.damping, s.base};
    s.iterate(
        [&] { pull_tiled<<<s.gpu.grid(s.n), r->block, shared>>>(s.offsets, s.rows, s.degree, s.rank, s.next, rule); });
    return s.answer(pagerank_iterations(r), 12.0 * (double)r->in.arcs + 24.0 * s.n);
}
#endif

const lab_rung pagerank_gpu_tile = {
    .name = "gpu-tile",
    .title = "GPU, tile: the block's own nodes in shared memory",
    .against = "gpu-transposed",
    .changed =
        "A block first copies the ranks and degrees of its own nodes into shared memory, and an arc from one of them "
        "reads there. All other arcs read as before.",
    .wins = "Graphs numbered so that neighbours are close: grids, and communities in order. The document reports 20 to "
            "35 %.",
    .loses =
        "Graphs whose arcs lead anywhere, which are those of the document's own tables: of 10,000 nodes 256 are in "
        "the tile, so one arc in 40 gains, and every arc is asked. A cache holds the tile anyway, and more.",
    .model = "an iteration: 12 m (sources, ranks, degrees) + 16 n (offsets, ranks) + 8 n (the tiles)",
    .source = "lab/pagerank/gpu_tile.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
