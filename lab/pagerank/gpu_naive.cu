/* GPU rung 1: a thread for each node, and each asks every node whether it points here.
 * The document's version 3 (PageRank in six versions, 4.3).  Should win: against the same scan on one core, by about the number
 * of lanes that run at once.  Should lose: against anything that does not look at every arc n times.
 * It says of this kernel that its reads are "uncoalesced (30 %)".  They are not: all lanes of a warp read the same offset and the
 * same target at the same time, one word for 32 lanes, out of a cache.  What is wrong with it is the work, n m steps for m. */
#include "afford.h"
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK scan_all(const weft_eid *offsets, const weft_vid *targets, const uint32_t *degree,
                                              const float *rank, float *next, pagerank_rule rule) {
    uint64_t v = lab_thread();
    if (v >= rule.n) return;
    double sum = 0;
    for (weft_vid u = 0; u < rule.n; u++) {
        uint32_t arcs = 0;
        for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) arcs += targets[e] == v;
        if (arcs) sum += arcs * ((double)rank[u] / (double)degree[u]);
    }
    next[v] = (float)rule.rank(sum);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_pagerank<float> s(r, r->out);
    if (s.begin(scan_all)) return s.gpu.status;
    pagerank_rule rule = {s.n, s.damping, s.base};
    double n = s.n, arcs = (double)r->out.arcs;
    bool takes_long = n * arcs > 1e9; /* milliseconds: whoever wants to stop must not wait for all that were launched */
    s.iterate([&] {
        scan_all<<<s.gpu.grid(s.n), r->block>>>(s.offsets, s.rows, s.degree, s.rank, s.next, rule);
        if (takes_long) s.gpu.wait();
    });
    return s.answer(pagerank_iterations(r), n * (8 * n + 4 * arcs));
}
#endif

/* A warp takes 32 nodes through all arcs; about 20 warps a nanosecond take a step when the GPU is full. */
static const char *serves(lab_run *r) {
    const char *other = pagerank_serves(r);
    double n = r->out.vertices, arcs = (double)r->out.arcs;
    double warps = n / 32 < 2000 ? 2000 : n / 32;
    double seconds = warps * (n + arcs) / 2e10 * (double)pagerank_iterations(r);
    return other ? other : lab_too_slow_for(r, seconds, "every arc for every node, every iteration");
}

const lab_rung pagerank_gpu_naive = {
    .name = "gpu-naive",
    .title = "GPU, naive: a thread a node, and each asks every node",
    .against = "naive",
    .changed =
        "The first rung, word for word, with a thread for each node in the place of the outer loop. The document "
        "calls its reads uncoalesced; but all lanes of a warp read the same word at the same time, which is one "
        "read for 32 lanes. The fault is the work.",
    .wins = "Against the naive rung on one core: thousands of nodes ask at the same time.",
    .loses = "Against every rung that reads an arc once: n m steps for m, however many at a time. And graphs of a few "
             "nodes: a launch takes longer than the loop.",
    .model = "an iteration: n (8 n (offsets) + 4 m (targets)), nearly all of it out of caches: above 100 % of the "
             "ceiling is no mistake",
    .source = "lab/pagerank/gpu_naive.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
