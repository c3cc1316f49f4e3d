/* GPU: the dense product A * A by tiles in shared memory, with the sum over the edges of each row taken at once. */
#include "afford.h"
#include "triangles.cuh"

#ifdef __CUDACC__

enum { SIDE = 32 };

__global__ static void fill(const weft_eid *offsets, const weft_vid *targets, weft_vid n, float *a) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) a[v * n + targets[e]] = 1;
}

/* --- excerpt --- */
/* Block (x, y) has the tile of the product with rows from 32 y and columns from 32 x.  A is its own transpose. */
__global__ static void __launch_bounds__(SIDE *SIDE) multiply(const float *a, weft_vid n, gpu_count *twice) {
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    uint64_t row = blockIdx.y * (uint64_t)SIDE + threadIdx.y, column = blockIdx.x * (uint64_t)SIDE + threadIdx.x;
    float ways = 0; /* whole numbers: exact up to 2^24 */
    for (uint64_t k = 0; k < n; k += SIDE) {
        uint64_t x = k + threadIdx.x, y = k + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = row < n && x < n ? a[row * n + x] : 0;
        right[threadIdx.y][threadIdx.x] = column < n && y < n ? a[y * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < SIDE; i++) ways += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    float closed = row < n && column < n ? ways * a[row * n + column] : 0;
    gpu_count sum = gpu_group_sum((gpu_count)closed, 32); /* a warp has one row of the tile */
    if (threadIdx.x == 0 && row < n && sum) atomicAdd(&twice[row], sum);
}
/* --- end --- */

__global__ static void halve(gpu_count *count, weft_vid n) {
    uint64_t v = lab_thread();
    if (v < n) count[v] /= 2;
}

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    float *a = t.gpu.take_zeroed<float>((size_t)t.n * t.n);
    unsigned tiles = (t.n + SIDE - 1) / SIDE;
    if (t.gpu.status) return t.gpu.status;
    lab_turn(r, LAB_COPY_IN);
    fill<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, a);
    t.gpu.wait();
    if (t.gpu.begin(NULL)) return t.gpu.status;
    if (tiles) multiply<<<dim3(tiles, tiles), dim3(SIDE, SIDE)>>>(a, t.n, t.count);
    halve<<<t.gpu.grid(t.n), r->block>>>(t.count, t.n);
    return t.close(8.0 * t.n * t.n * tiles);
}
#endif

static const char *serves(lab_run *r) {
    double n = r->out.vertices;
    const char *too_large = lab_too_large_for_gpu(r, 4 * n * n);
    return too_large ? too_large : n > 2e6 ? "a matrix of more rows than a grid has" : triangles_serves(r, 0, n * n * n / 4e12);
}

const lab_rung triangles_gpu_matrix = {
    .name = "gpu-matrix",
    .title = "GPU: dense matrix product by tiles",
    .against = "matrix",
    .changed = "The blog's fourth strategy, with a tiled product written by hand: a block of 32 x 32 threads takes a tile of A A, "
               "multiplies it by A's own tile cell by cell, and adds up the rows, so that the product is never stored.",
    .wins = "Small dense graphs: n^3 multiplications without a branch, each number read from memory once for 32 uses.",
    .loses = "Everything sparse, and already from some thousand vertices on: n^3 whatever the edges. Ones and zeros are multiplied as "
             "floats, one pair of reads from shared memory for each.",
    .model = "8 n^3 / 32 (two tiles for each step of each tile)",
    .source = "lab/triangles/gpu_matrix.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
