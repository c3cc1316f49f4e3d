/* GPU: the adjacency matrix; a thread adds up a row, and another a column.
 * The two differ only in the order of the subscripts, and show what coalescing is: 32 lanes that add up 32 columns read 32 neighbouring
 * cells at each step; 32 lanes that add up 32 rows read cells that lie a whole row apart.
 * Should win: nothing but plainness.  Should lose: everything sparse: 4 n^2 bytes, twice. */
#include "afford.h"
#include "degree.cuh"

#ifdef __CUDACC__
__global__ static void LAB_ANY_BLOCK draw(const weft_eid *offsets, const weft_vid *targets, weft_vid n,
                                          unsigned *cells) {
    uint64_t u = lab_thread();
    for (weft_eid e = u < n ? offsets[u] : 0; u < n && e < offsets[u + 1]; e++)
        atomicAdd(&cells[u * n + targets[e]], 1u);
}

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK sum_columns(const unsigned *cells, weft_vid n, gpu_count *in) {
    uint64_t v = lab_thread();
    gpu_count arcs = 0;
    for (uint64_t u = 0; u < n && v < n; u++) arcs += cells[u * n + v]; /* neighbours read neighbours: coalesced */
    if (v < n) in[v] = arcs;
}

__global__ static void LAB_ANY_BLOCK sum_rows(const unsigned *cells, weft_vid n, gpu_count *out) {
    uint64_t u = lab_thread();
    gpu_count arcs = 0;
    for (uint64_t v = 0; u < n && v < n; v++) arcs += cells[u * n + v]; /* a row apart: a cache line for each lane */
    if (u < n) out[u] = arcs;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_degrees s(r);
    const weft_eid *offsets = s.gpu.bring(r->out.offsets, s.n + (size_t)1);
    const weft_vid *targets = s.gpu.bring(r->out.targets, r->out.arcs);
    unsigned *cells = s.gpu.take_zeroed<unsigned>((size_t)s.n * s.n);
    if (s.gpu.status) return s.gpu.status;
    lab_turn(r, LAB_COPY_IN);
    draw<<<s.gpu.grid(s.n), r->block>>>(offsets, targets, s.n, cells);
    s.gpu.failed("cudaDeviceSynchronize", cudaDeviceSynchronize());
    if (s.gpu.begin(sum_rows)) return s.gpu.status;
    sum_columns<<<s.gpu.grid(s.n), r->block>>>(cells, s.n, s.in);
    sum_rows<<<s.gpu.grid(s.n), r->block>>>(cells, s.n, s.out);
    return s.answer(8.0 * s.n * s.n);
}
#endif

static const char *serves(lab_run *r) {
    double n = r->out.vertices;
    const char *too_large = lab_too_large_for_gpu(r, 4 * n * n);
    return too_large ? too_large : lab_too_slow(r, 1e-10 * n * n);
}

const lab_rung degree_gpu_matrix = {
    .name = "gpu-matrix",
    .title = "GPU, adjacency matrix: a thread a row, and a thread a column",
    .against = "matrix",
    .changed = "A thread adds up each column, and a thread each row. Columns are coalesced: neighbouring lanes read "
               "neighbouring "
               "cells. Rows are not: lanes read a whole row apart.",
    .wins = "Against the matrix on one core, by the speed of the GPU's memory.",
    .loses = "Everything sparse; and n threads are few: a graph of 4,096 vertices leaves most of the GPU without work.",
    .model = "8 n^2 (the matrix, twice) + 48 n (totals, distribution)",
    .source = "lab/degree/gpu_matrix.cu",
    .device = LAB_CUDA,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
