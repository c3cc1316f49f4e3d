/* GPU, dense: the thesis's final dense version.  In-degree: a thread for each column; removal: a thread for each pair, atomics. */
#include "dense.cuh"

#ifdef __CUDACC__
static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    int32_t *cells = k.make_cells(r->out);
    if (k.gpu.begin(dense_degree)) return k.gpu.status;
    /* --- excerpt --- */
    dense_degree<<<k.gpu.grid(k.n), r->block>>>(cells, k.n, k.degree); /* in += cells[u * n + v], a thread for each v */
    return dense_finish(k, cells, 0); /* flag, scan, compact; then a thread for each (active vertex, column) */
    /* --- end --- */
}
#endif

const lab_rung kahn_gpu_dense = {
    .name = "gpu-dense",
    .title = "GPU, matrix: a thread a column, then a thread a pair",
    .against = "matrix-columns",
    .changed = "The thesis's final dense version: calculate_in_degree gives a thread to each column, remove_active_nodes_2D one "
               "to each pair of an active vertex and a column, and flags are scanned by Blelloch's sweeps. It calls its reads "
               "non-coalesced; but lanes that lie side by side have columns that lie side by side, and a warp reads 128 bytes of "
               "a row together. That is why this kernel was the fastest it had. Here n may be any number, and nothing is "
               "padded.",
    .wins = "The in-degree: n^2 cells at the speed of the memory, once there are columns enough to fill the GPU.",
    .loses = "The rounds: five launches and a copy of 4 bytes for two or three vertices, and the host waits for each.",
    .model = KAHN_GPU_DENSE_MODEL,
    .source = "lab/kahn/gpu_dense.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = one_matrix_serves,
    .run = LAB_ON_GPU(run),
};
