/* GPU, dense, with both phases laid out as the memory is: strips of rows for the in-degree, a thread for each column in the removal. */
#include "dense.cuh"

#ifdef __CUDACC__

enum { STRIP = 256 }; /* rows that a block adds up */

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK add_strip(const int32_t *cells, weft_vid n, int32_t *degree) {
    uint64_t v = lab_thread(), first = blockIdx.y * (uint64_t)STRIP;
    uint64_t end = first + STRIP < n ? first + STRIP : n;
    if (v >= n) return;
    int32_t in = 0;
#pragma unroll 8
    for (uint64_t u = first; u < end; u++) in += cells[u * n + v];
    if (in) atomicAdd(&degree[v], in);
}

__global__ static void LAB_ANY_BLOCK remove_by_columns(const int32_t *cells, weft_vid n, const weft_vid *active,
                                                       weft_vid count, int32_t *degree) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    int32_t left = degree[v], lost = 0;
    for (weft_vid i = 0; i < count; i++) {
        lost += cells[(uint64_t)active[i] * n + v];
        if (active[i] == v) left = -1;
    }
    degree[v] = left - lost; /* nothing but this thread has column v */
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    int32_t *cells = k.make_cells(r->out);
    if (k.gpu.begin(add_strip)) return k.gpu.status;
    add_strip<<<dim3(k.gpu.grid(k.n), k.n / STRIP + 1), r->block>>>(cells, k.n, k.degree);
    if (k.rounds([&](weft_vid found) {
            remove_by_columns<<<k.gpu.grid(k.n), r->block>>>(cells, k.n, k.active, found, k.degree);
        }))
        return k.gpu.status;
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(4.0 * k.n * k.n + k.bytes_of_rounds() + 8.0 * k.n * k.round + kahn_bytes_of_cells(&k.host) / 3);
}
#endif

const lab_rung kahn_gpu_dense_columns = {
    .name = "gpu-dense-columns",
    .title = "GPU, matrix: strips of rows, and no atomics in the removal",
    .against = "gpu-dense",
    .changed = "Both phases along the rows: a block adds up 256 rows of its columns, so that there are threads enough for any n; and "
               "in the removal a thread has a column, takes every active vertex's cell of it, and writes its degree alone.",
    .wins = "Against every dense rung before: whole lines, a full GPU, one write for a column and none contested.",
    .loses = "The launches and the wait of a round stay, and they are what a round costs.",
    .model = "4 n^2 (the matrix) + 4 n a vertex removed (its row) + 8 n a round (degrees) + 32 n a round (flag, scan, compact)",
    .source = "lab/kahn/gpu_dense_columns.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = one_matrix_serves,
    .run = LAB_ON_GPU(run),
};
