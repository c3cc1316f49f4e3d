/* GPU: gpu-shuffle that stops when the ranks no longer move, instead of after a fixed number of iterations.
 * The document's future work 12.2, with a sum of all changes in the place of its loop over them on the host.  The host must read the
 * sum back before it knows whether to go on: until then it cannot launch the next step.
 * Should win: whenever it stops before the fixed number.  Should lose: a round trip to the host an iteration, which on a small graph is
 * more than the step; and ranks are written in every step, not only in the last. */
#include "pagerank.cuh"
#include "weft/pagerank.h"

#ifdef __CUDACC__
__global__ static void LAB_ANY_BLOCK add_by_warps(const weft_eid *offsets, const weft_vid *sources, const float *share,
                                                  pagerank_share<float> end) {
    uint64_t v = lab_thread() / 32;
    if (v >= end.rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v] + threadIdx.x % 32; e < offsets[v + 1]; e += 32) sum += (double)share[sources[e]];
    sum = lab_warp_sum(sum);
    if (threadIdx.x % 32 == 0) end.put(v, sum);
}

/* --- excerpt --- */
namespace {
struct change {
    const float *rank, *next;
    __device__ double of(uint64_t v) const { return fabs((double)rank[v] - (double)next[v]); }
    __device__ double end(double sum) const { return sum; }
};
} // namespace

static uint64_t iterate(gpu_contributions<float> &s, double *moved, double tolerance, uint64_t most) {
    uint64_t done = 0;
    double change_of_all = INFINITY;
    while (done < most && change_of_all > tolerance && !s.gpu.status && !lab_stopped(s.r)) {
        s.sum(s.dangling_of(s.share), s.base);
        add_by_warps<<<s.gpu.grid(32ull * s.n), s.r->block>>>(s.offsets, s.rows, s.share, s.end_of_row(true));
        s.sum(change{s.rank, s.next}, moved);
        s.swap(s.share, s.next_share);
        s.swap(s.rank, s.next);
        change_of_all = s.gpu.peek(moved); /* the GPU idles until the host has seen it */
        done++;
    }
    return done;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    const weft_pagerank_params *p = pagerank_params(r);
    gpu_contributions<float> s(r);
    double *moved = s.gpu.take<double>(1);
    if (s.begin(add_by_warps)) return s.gpu.status;
    uint64_t done = iterate(s, moved, p->tolerance, p->max_iterations);
    if (lab_stopped(r)) return WEFT_ECANCELLED;
    s.gpu.end();
    return s.answer(done, pagerank_contributions_bytes(r) + 12.0 * s.n);
}
#endif

static void adjust(void *params) {
    pagerank_in_f32(params);
    ((weft_pagerank_params *)params)->iterations = 0;
}

const lab_rung pagerank_gpu_early_stop = {
    .name = "gpu-early-stop",
    .title = "GPU, early stop: until the ranks no longer move",
    .against = "gpu-shuffle",
    .changed =
        "After each iteration the change is added up on the GPU (L1 norm) and read by the host, which goes on only "
        "while "
        "it is above the tolerance. The rungs before do a fixed number of iterations, and the host need not wait.",
    .wins =
        "Whenever the ranks settle before the fixed number; the document expects 30 to 50 % of a hundred iterations.",
    .loses =
        "The round trip: the next step is launched only when the last one's sum has arrived. Where an iteration takes "
        "microseconds that doubles it; testing every tenth iteration would not.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL " + 12 n (ranks written, old and new ones read for the test)",
    .source = "lab/pagerank/gpu_early_stop.cu",
    .device = LAB_CUDA,
    .adjust = adjust,
    .serves = pagerank_gpu_serves_any,
    .run = LAB_ON_GPU(run),
};
