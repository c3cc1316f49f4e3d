/* GPU, bit matrix: a bit for an arc.  A warp has 32 columns, and all its lanes read one word, each its own bit. */
#include "dense.cuh"

#ifdef __CUDACC__

enum { STRIP = 256 };

/* A warp for each row; the bits go in with atomics, as several lanes may have the same word. */
__global__ static void fill_bits(const weft_eid *offsets, const weft_vid *targets, weft_vid n, size_t words, uint32_t *bits) {
    for (uint64_t u = lab_thread() / 32; u < n; u += lab_threads() / 32)
        for (weft_eid e = offsets[u] + threadIdx.x % 32; e < offsets[u + 1]; e += 32)
            atomicOr(&bits[u * words + targets[e] / 32], 1u << targets[e] % 32);
}

/* --- excerpt --- */
__device__ static inline int32_t bit_of(const uint32_t *bits, size_t words, uint64_t u, uint64_t v) {
    return (int32_t)(bits[u * words + v / 32] >> v % 32 & 1);
}

__global__ static void LAB_ANY_BLOCK add_strip(const uint32_t *bits, size_t words, weft_vid n, int32_t *degree) {
    uint64_t v = lab_thread(), first = blockIdx.y * (uint64_t)STRIP;
    uint64_t end = first + STRIP < n ? first + STRIP : n;
    if (v >= n) return;
    int32_t in = 0;
#pragma unroll 8
    for (uint64_t u = first; u < end; u++) in += bit_of(bits, words, u, v);
    if (in) atomicAdd(&degree[v], in);
}
/* --- end --- */

__global__ static void LAB_ANY_BLOCK remove_by_columns(const uint32_t *bits, size_t words, weft_vid n,
                                                       const weft_vid *active, weft_vid count, int32_t *degree) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    int32_t left = degree[v], lost = 0;
    for (weft_vid i = 0; i < count; i++) {
        lost += bit_of(bits, words, active[i], v);
        if (active[i] == v) left = -1;
    }
    degree[v] = left - lost;
}

static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    size_t words = ((size_t)k.n + 31) / 32;
    uint32_t *bits = k.gpu.take_zeroed<uint32_t>(k.n * words);
    k.bring_rows();
    if (k.gpu.status) return k.gpu.status;
    fill_bits<<<k.gpu.grid_filling(32 * (uint64_t)k.n), r->block>>>(k.offsets, k.targets, k.n, words, bits);
    k.gpu.failed("filling the matrix", cudaDeviceSynchronize());
    if (k.gpu.begin(add_strip)) return k.gpu.status;
    add_strip<<<dim3(k.gpu.grid(k.n), k.n / STRIP + 1), r->block>>>(bits, words, k.n, k.degree);
    if (k.rounds([&](weft_vid found) {
            remove_by_columns<<<k.gpu.grid(k.n), r->block>>>(bits, words, k.n, k.active, found, k.degree);
        }))
        return k.gpu.status;
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close((double)k.n * k.n / 8 + k.bytes_of_rounds() + 8.0 * k.n * k.round + kahn_bytes_of_cells(&k.host) / 96);
}
#endif

static const char *serves(lab_run *r) { return dense_serves(r, 1.0 / 32); }

const lab_rung kahn_gpu_bits = {
    .name = "gpu-bits",
    .title = "GPU, bit matrix",
    .against = "gpu-dense-columns",
    .changed = "A bit for an arc in the place of 4 bytes. The 32 lanes of a warp have 32 columns side by side, which are one word: "
               "they read it together, and each takes its bit.",
    .wins = "Memory, 32 times, and with it the time of the in-degree up to the instructions that take a bit out. At density "
            "1/2 the CPU had to pick bits one by one; here every lane has one.",
    .loses = "The rounds cost what they cost.",
    .model = "n^2/8 (the matrix) + n/8 a vertex removed + 8 n a round (degrees) + 32 n a round (flag, scan, compact)",
    .source = "lab/kahn/gpu_bits.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
