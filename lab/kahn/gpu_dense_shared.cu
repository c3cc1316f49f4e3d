/* GPU, dense: removal with the counts of a tile of 16 x 16 added up in shared memory before the atomics. */
#include "dense.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void remove_by_tiles(const int32_t *cells, weft_vid n, const weft_vid *active, weft_vid count,
                                       int32_t *degree) {
    __shared__ int32_t tile[DENSE_SIDE][DENSE_SIDE];
    uint64_t i = lab_thread(), v = blockIdx.y * (uint64_t)blockDim.y + threadIdx.y;
    bool inside = i < count && v < n;
    tile[threadIdx.y][threadIdx.x] = inside ? cells[(uint64_t)active[i] * n + v] : 0;
    if (inside && v == 0) degree[active[i]] = -1;
    __syncthreads();
    if (threadIdx.x || v >= n) return;
    int32_t sum = 0;
    for (int x = 0; x < DENSE_SIDE; x++) sum += tile[threadIdx.y][x];
    if (sum) atomicSub(&degree[v], sum);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    int32_t *cells = k.make_cells(r->out);
    if (k.gpu.begin(NULL)) return k.gpu.status;
    dense_degree<<<k.gpu.grid(k.n), r->block>>>(cells, k.n, k.degree);
    if (k.rounds([&](weft_vid found) {
            remove_by_tiles<<<dense_pairs_grid(found, k.n), dense_pairs_block()>>>(cells, k.n, k.active, found, k.degree);
        }))
        return k.gpu.status;
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(4.0 * k.n * k.n + k.bytes_of_rounds() + kahn_bytes_of_cells(&k.host));
}
#endif

const lab_rung kahn_gpu_dense_shared = {
    .name = "gpu-dense-shared",
    .title = "GPU, matrix: removal through tiles in shared memory",
    .against = "gpu-dense",
    .changed = "The thesis's remove_active_nodes_2D_sm: a block adds up its 16 active vertices for each column in shared memory, and "
               "one thread a column makes one atomic of up to sixteen.",
    .wins = "Rounds in which many vertices go at once.",
    .loses = "Rounds of two or three: a tile has nothing to add up, and pays for filling it and for the barrier. The thesis "
             "measured 1.5 times the time of the plain kernel; on an H200 it is 1.1 (2.75 and 2.51 us).",
    .model = KAHN_GPU_DENSE_MODEL,
    .source = "lab/kahn/gpu_dense_shared.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = one_matrix_serves,
    .run = LAB_ON_GPU(run),
};
