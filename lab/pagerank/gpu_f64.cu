/* GPU: gpu-shuffle in double.
 * Should win: digits.  Should lose: what an arc reads is twice as wide; and on GPUs for gaming a double is computed at a 32nd or
 * 64th of the speed of a float, which all rungs here feel a little, because they add in double. */
#include "pagerank.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_doubles(const weft_eid *offsets, const weft_vid *sources, const double *share,
                                                 pagerank_share<double> end) {
    uint64_t v = lab_thread() / 32;
    if (v >= end.rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v] + threadIdx.x % 32; e < offsets[v + 1]; e += 32) sum += share[sources[e]];
    sum = lab_warp_sum(sum);
    if (threadIdx.x % 32 == 0) end.put(v, sum);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_contributions<double> s(r);
    if (s.begin(add_doubles)) return s.gpu.status;
    s.iterate([&](const pagerank_share<double> &end) {
        add_doubles<<<s.gpu.grid(32ull * s.n), r->block>>>(s.offsets, s.rows, s.share, end);
    });
    return s.answer(pagerank_iterations(r), 12.0 * (double)r->in.arcs + 36.0 * s.n);
}
#endif

const lab_rung pagerank_gpu_f64 = {
    .name = "gpu-f64",
    .title = "GPU, f64: the same in double",
    .against = "gpu-shuffle",
    .changed = "Ranks and contributions are doubles. Nothing else.",
    .wins = "Digits: the difference from the reference falls from about 1e-9 to about 1e-17.",
    .loses =
        "Half as many contributions fit in the cache, and each that does not costs the same 32 bytes of memory traffic "
        "as a float. GPUs for gaming compute doubles at a 32nd or 64th of their speed; this one does not.",
    .model = "an iteration: 4 m (sources) + 8 m (contributions, one by one) + 36 n (offsets, degrees, contributions)",
    .source = "lab/pagerank/gpu_f64.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f64,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
