/* GPU: a thread for each node, which reads its row of in-neighbours.
 * The document's version 4, which it calls coalesced.  Should win: n times less work than asking everybody.  Should lose: a warp
 * waits for the longest of its 32 rows, and hardly anything is coalesced.
 * What is: offsets[v] and next[v], 32 neighbours in one go.  What is not: rows[e], because neighbouring lanes read rows that begin
 * far apart (a cache line serves one lane's next arcs, if it is still there by then); rank[u] and degree[u], which land anywhere. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK pull(const weft_eid *offsets, const weft_vid *sources, const uint32_t *degree,
                                          const float *rank, float *next, pagerank_rule rule) {
    uint64_t v = lab_thread();
    if (v >= rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) { /* offsets: coalesced */
        weft_vid u = sources[e];                             /* each lane in its own row: not */
        sum += (double)(rank[u] / (float)degree[u]);         /* anywhere: not */
    }
    next[v] = (float)rule.rank(sum); /* coalesced */
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_pagerank<float> s(r, r->in);
    if (s.begin(pull)) return s.gpu.status;
    pagerank_rule rule = {s.n, s.damping, s.base};
    s.iterate([&] { pull<<<s.gpu.grid(s.n), r->block>>>(s.offsets, s.rows, s.degree, s.rank, s.next, rule); });
    return s.answer(pagerank_iterations(r), 12.0 * (double)r->in.arcs + 16.0 * s.n);
}
#endif

const lab_rung pagerank_gpu_transposed = {
    .name = "gpu-transposed",
    .title = "GPU, transposed: a thread a node reads its in-neighbours",
    .against = "gpu-naive",
    .changed =
        "Row v lists who points to v, as in rung 2, and a thread reads it. The document calls this "
        "\"coalesced\": offsets and new ranks are, but the row is not (32 lanes read 32 rows that begin far apart), "
        "and ranks and degrees land anywhere. What wins is that an arc is read once, not n times.",
    .wins = "By a factor that grows with n; the document says 5.7 times, at 1,000 nodes and at 10,000.",
    .loses =
        "Graphs with hubs: a warp takes as long as the longest of its 32 rows, and one thread walks a hub's row alone.",
    .model = "an iteration: 4 m (sources) + 4 m (ranks, one by one) + 4 m (degrees, one by one) + 16 n (offsets, "
             "ranks)",
    .source = "lab/pagerank/gpu_transposed.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
