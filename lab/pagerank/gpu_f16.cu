/* GPU: gpu-shuffle with contributions rounded to half precision.
 * The document lists it as future work ("40-60 % speedup for memory-bound cases").  A half has 11 bits and nothing below 2^-24, and
 * contributions are near 1 / (16 n): they are scaled by a power of two first.  What rounding keeps back is not lost: it counts as the rank
 * of nodes that point nowhere, and is shared out, so that ranks sum to 1.
 * Should win: graphs whose contributions fit in a cache as halves and not as floats.  Should lose: digits, always; and time where a read
 * that misses brings 32 bytes whatever the width. */
#include "pagerank.cuh"

#ifdef __CUDACC__
#include <cuda_fp16.h>

namespace {

/* The end of a row: the half that travels, and what rounding kept back. */
struct half_share {
    pagerank_rule rule;
    const uint32_t *degree;
    float scale;
    __half *share;
    float *kept, *rank;
    __device__ void pass(uint64_t v, float mine) const {
        uint32_t arcs = degree[v];
        __half half = __float2half_rn(arcs ? fminf(mine / (float)arcs * scale, 65504.0f) : 0);
        share[v] = half;
        kept[v] = (float)((double)mine - (double)arcs * ((double)__half2float(half) / (double)scale));
        if (rank) rank[v] = mine;
    }
};

/* The base: what nodes that point nowhere have, and what rounding kept back elsewhere. */
struct kept_back {
    const float *kept;
    double damping, n;
    __device__ double of(uint64_t u) const { return (double)kept[u]; }
    __device__ double end(double sum) const { return (1 - damping + damping * sum) / n; }
};

} // namespace

__global__ static void first_halves(half_share end, float start) {
    for (uint64_t v = lab_thread(); v < end.rule.n; v += lab_threads()) end.pass(v, start);
}

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_halves(const weft_eid *offsets, const weft_vid *sources, const __half *share,
                                                half_share end) {
    uint64_t v = lab_thread() / 32;
    if (v >= end.rule.n) return;
    double sum = 0;
    for (weft_eid e = offsets[v] + threadIdx.x % 32; e < offsets[v + 1]; e += 32)
        sum += (double)__half2float(share[sources[e]]);
    sum = lab_warp_sum(sum) / (double)end.scale; /* a power of two: exact */
    if (threadIdx.x % 32 == 0) end.pass(v, (float)end.rule.rank(sum));
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_pagerank<float> s(r, r->in);
    __half *share = s.gpu.take<__half>(s.n), *next_share = s.gpu.take<__half>(s.n);
    float *kept = s.gpu.take<float>(s.n);
    if (s.begin(add_halves)) return s.gpu.status;
    float scale = 32768; /* a contribution of 1, or of 16 / n in a large graph, is within a half's range */
    while (scale < (float)s.n / 16) scale *= 2;
    pagerank_rule rule = {s.n, s.damping, s.base};
    first_halves<<<s.gpu.grid_filling(s.n, PAGERANK_THREADS), PAGERANK_THREADS>>>(
        half_share{rule, s.degree, scale, share, kept, nullptr}, 1 / (float)s.n);
    s.iterate(
        [&] {
            s.sum(kept_back{kept, s.damping, (double)s.n}, s.base);
        },
        [&] {
            half_share end = {rule, s.degree, scale, next_share, kept, s.last ? s.next : nullptr};
            add_halves<<<s.gpu.grid(32ull * s.n), r->block>>>(s.offsets, s.rows, share, end);
            s.swap(share, next_share);
        });
    return s.answer(pagerank_iterations(r), 6.0 * (double)r->in.arcs + 24.0 * s.n);
}
#endif

const lab_rung pagerank_gpu_f16 = {
    .name = "gpu-f16",
    .title = "GPU, f16: contributions of two bytes",
    .against = "gpu-shuffle",
    .changed =
        "Contributions are rounded to half precision, scaled by a power of two so that they fit; sums are still in "
        "double, and what rounding keeps back is shared out, so that ranks sum to 1.",
    .wins =
        "Graphs whose contributions fit in a cache at two bytes and not at four. The document hopes for 40 to 60 %.",
    .loses = "Digits: about 1e-4 of each rank. And time on small graphs, where all fits anyway; a read that misses "
             "brings 32 "
             "bytes, however few are wanted.",
    .model =
        "an iteration: 4 m (sources) + 2 m (contributions, one by one) + 24 n (offsets, degrees, contributions, what "
        "was kept back)",
    .source = "lab/pagerank/gpu_f16.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f16,
    .serves = pagerank_gpu_serves,
    .run = LAB_ON_GPU(run),
};
