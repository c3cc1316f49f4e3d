/* GPU: gpu-transposed, but a row of more than 32 arcs is read by the whole warp.
 * The document's version 6, made right.  Its kernel gives each lane a node of its own (pageId = thread), and then lets the lane read
 * every 32nd arc of that node's row, beginning at its own number:
 *
 *     for (i = start + laneId; i < end; i += 32) sum += ...;       start and end are those of THIS lane's node
 *     for (offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, offset);
 *     if (laneId == 0) newRank[pageId] = ...;
 *
 * So with 32 long rows side by side lane 0 writes the sum of 32 pieces of 32 different rows as the rank of its own node, and the
 * other 31 nodes are written by nobody and keep the rank of two steps ago.  Where only some of the rows are long, the shuffle's
 * mask names lanes that took the other branch, which CUDA leaves undefined.  On the document's own graphs no row has more than 32
 * arcs (the mean is 5), so its tables never show it.
 * Here start and end come from ONE lane at a time, by a shuffle, and all 32 lanes read that row together.
 * Should win: graphs with hubs.  Should lose: nothing much; a ballot a warp on graphs without. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK pull_by_warps(const weft_eid *offsets, const weft_vid *sources,
                                                   const uint32_t *degree, const float *rank, float *next,
                                                   pagerank_rule rule) {
    uint64_t v = lab_thread();
    unsigned lane = threadIdx.x % 32;
    weft_eid from = v < rule.n ? offsets[v] : 0,
             to = v < rule.n ? offsets[v + 1] : 0; /* nobody leaves: all must shuffle */
    bool is_long = to - from > 32;
    double sum = 0;
    for (weft_eid e = from; e < to && !is_long; e++) sum += (double)(rank[sources[e]] / (float)degree[sources[e]]);
    for (unsigned left = __ballot_sync(~0u, is_long); left; left &= left - 1) {
        int who = __ffs((int)left) - 1; /* one long row after the other, each by the whole warp */
        weft_eid first = __shfl_sync(~0u, from, who), last = __shfl_sync(~0u, to, who);
        double part = 0;
        for (weft_eid e = first + lane; e < last; e += 32)
            part += (double)(rank[sources[e]] / (float)degree[sources[e]]);
        part = __shfl_sync(~0u, lab_warp_sum(part), 0);
        if ((int)lane == who) sum = part;
    }
    if (v < rule.n) next[v] = (float)rule.rank(sum);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_pagerank<float> s(r, r->in);
    if (s.begin(pull_by_warps)) return s.gpu.status;
    pagerank_rule rule = {s.n, s.damping, s.base};
    s.iterate([&] { pull_by_warps<<<s.gpu.grid(s.n), r->block>>>(s.offsets, s.rows, s.degree, s.rank, s.next, rule); });
    return s.answer(pagerank_iterations(r), 12.0 * (double)r->in.arcs + 16.0 * s.n);
}
#endif

const lab_rung pagerank_gpu_warp = {
    .name = "gpu-warp",
    .title = "GPU, warp: long rows are read by 32 lanes together",
    .against = "gpu-transposed",
    .changed =
        "A row of more than 32 arcs is read by the whole warp, one such row after the other. The document's kernel "
        "mixes rows: each lane has a node of its own, takes every 32nd arc of its own row, and the sum of 32 "
        "different rows is written as the rank of lane 0's node. Here one lane's row is read by all.",
    .wins =
        "Graphs with hubs: a row of 10,000 arcs takes 313 steps in the place of 10,000, and its arcs are coalesced.",
    .loses = "Little: a ballot a warp where no row is long. A hub of a million arcs still keeps one warp busy alone.",
    .model = "an iteration: 4 m (sources) + 4 m (ranks, one by one) + 4 m (degrees, one by one) + 16 n (offsets, "
             "ranks)",
    .source = "lab/pagerank/gpu_warp.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
