/* The phases that several dense rungs on the GPU share, as the thesis has them: in-degrees by a thread for each column, and removal by
 * a thread for each pair of an active vertex and a column. */
#ifndef WEFT_LAB_KAHN_DENSE_CUH
#define WEFT_LAB_KAHN_DENSE_CUH

#include "kahn.cuh"

#define KAHN_GPU_DENSE_MODEL \
    "4 n^2 (the matrix) + 12 n a vertex removed (its row, the degrees there and back) + 32 n a round (flag, scan, compact)"

/* 4 n^2 bytes, so many times; a round of five launches and a copy takes some 25 us. */
static inline const char *dense_serves(lab_run *r, double matrices) {
    double n = r->out.vertices;
    return kahn_serves_gpu(r, matrices * 4 * n * n, 40);
}
static inline const char *one_matrix_serves(lab_run *r) { return dense_serves(r, 1); }

#ifdef __CUDACC__

enum { DENSE_SIDE = 16 }; /* blocks of 16 x 16, the thesis's lws2 */

/* calculate_in_degree of the thesis.  Neighbouring threads have neighbouring columns: a warp reads 128 bytes of a row at a time. */
__global__ static void LAB_ANY_BLOCK dense_degree(const int32_t *cells, weft_vid n, int32_t *degree) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    int32_t in = 0;
    for (uint64_t u = 0; u < n; u++) in += cells[u * n + v];
    degree[v] = in;
}

/* remove_active_nodes_2D.  The thesis has the active vertices along x: of the 16 lanes that lie side by side two or three have a
 * vertex, and those read 4n bytes apart. */
__global__ static void dense_remove_pairs(const int32_t *cells, weft_vid n, const weft_vid *active, weft_vid count,
                                          int32_t *degree) {
    uint64_t i = lab_thread(), v = blockIdx.y * (uint64_t)blockDim.y + threadIdx.y;
    if (i >= count || v >= n) return;
    weft_vid u = active[i];
    if (v == 0) degree[u] = -1;
    int32_t arcs = cells[(uint64_t)u * n + v];
    if (arcs) atomicSub(&degree[v], arcs);
}

static inline dim3 dense_pairs_grid(weft_vid count, weft_vid n) {
    return dim3((count + DENSE_SIDE - 1) / DENSE_SIDE, (n + DENSE_SIDE - 1) / DENSE_SIDE);
}
static inline dim3 dense_pairs_block(void) { return dim3(DENSE_SIDE, DENSE_SIDE); }

/* Rounds with the removal above, and the answer. */
static inline weft_status dense_finish(gpu_kahn &k, const int32_t *cells, double bytes_beside) {
    if (k.rounds([&](weft_vid found) {
            dense_remove_pairs<<<dense_pairs_grid(found, k.n), dense_pairs_block()>>>(cells, k.n, k.active, found, k.degree);
        }))
        return k.gpu.status;
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(4.0 * k.n * k.n + bytes_beside + k.bytes_of_rounds() + kahn_bytes_of_cells(&k.host));
}

#endif
#endif
