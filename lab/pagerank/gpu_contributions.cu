/* GPU: gpu-transposed with the division taken out of the inner loop: what travels along arcs are contributions.
 * The thesis, chapter 5, listing 5.2: a step reads contributions and writes contributions, and ranks are made in the last step only.
 * Should win: one read that lands anywhere in the place of two, no division an arc.  Should lose: nothing; but long rows are still
 * one thread's.  The thesis divides by an out-degree of zero, and launches some of its kernels with num_nodes blocks of 256 threads,
 * 256 times as many as there are nodes. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_contributions(const weft_eid *offsets, const weft_vid *sources,
                                                       const float *share, pagerank_share<float> end) {
    uint64_t v = lab_thread();
    if (v >= end.rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) sum += (double)share[sources[e]];
    end.put(v, sum); /* divides once, for the next step */
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_contributions<float> s(r);
    if (s.begin(add_contributions)) return s.gpu.status;
    s.iterate([&](const pagerank_share<float> &end) {
        add_contributions<<<s.gpu.grid(s.n), r->block>>>(s.offsets, s.rows, s.share, end);
    });
    return s.answer(pagerank_iterations(r), pagerank_contributions_bytes(r));
}
#endif

const lab_rung pagerank_gpu_contributions = {
    .name = "gpu-contributions",
    .title = "GPU, contributions: divide once a node, not once an arc",
    .against = "gpu-transposed",
    .changed = "A step reads contributions and writes contributions; ranks are made in the last step only (the thesis, "
               "chapter 5). The thesis divides by zero where a node points nowhere; here its rank is kept there, and "
               "shared out.",
    .wins = "An arc is one read that lands anywhere, not two, and one addition: a third of the bytes less. The thesis "
            "has 1.25 "
            "times against pairs.",
    .loses = "Graphs with hubs: one thread still walks a row alone.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL,
    .source = "lab/pagerank/gpu_contributions.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
