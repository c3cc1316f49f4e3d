/* GPU, dense: in-degrees from a transposed matrix, a warp for each of its rows. */
#include "dense.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_row(const int32_t *turned, weft_vid n, int32_t *degree) {
    uint64_t v = lab_thread() / 32;
    if (v >= n) return; /* the whole warp */
    int32_t sum = 0;
    for (uint64_t u = threadIdx.x % 32; u < n; u += 32) sum += turned[v * n + u];
    sum = lab_warp_sum(sum);
    if (threadIdx.x % 32 == 0) degree[v] = sum;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    int32_t *cells = k.make_cells(r->out), *turned = k.make_cells(r->in);
    if (k.gpu.begin(add_row)) return k.gpu.status;
    add_row<<<k.gpu.grid(32 * (uint64_t)k.n), r->block>>>(turned, k.n, k.degree);
    return dense_finish(k, cells, 0);
}
#endif

static const char *serves(lab_run *r) { return dense_serves(r, 2); }

const lab_rung kahn_gpu_dense_transposed = {
    .name = "gpu-dense-transposed",
    .title = "GPU, matrix and its transpose: a warp a row",
    .against = "gpu-dense",
    .changed = "A second matrix, transposed, for which the thesis had no room: an in-degree is the sum of a row. The thesis says that "
               "the transpose makes its kernel coalesced. It is the other way round: a thread for each row would read 4n bytes "
               "from its neighbour. A warp for each row does read side by side.",
    .wins = "Smaller n than gpu-dense: 32 n threads and not n, all of them reading in order.",
    .loses = "Twice the memory, and the matrix must be turned. Removal still needs the rows of the first one.",
    .model = KAHN_GPU_DENSE_MODEL,
    .source = "lab/kahn/gpu_dense_transposed.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
