/* GPU, dense: removal on the CPU, with the degrees copied there and back in every round. */
#include "dense.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
static void remove_on_host(gpu_kahn &k, weft_vid found) {
    k.gpu.peek_bytes(k.host.active, k.active, found * sizeof *k.active);
    k.gpu.peek_bytes(k.host.degree, k.degree, k.n * sizeof *k.degree);
    kahn_remove_cells(&k.host, found);
    k.gpu.failed("cudaMemcpy", cudaMemcpy(k.degree, k.host.degree, k.n * sizeof *k.degree, cudaMemcpyHostToDevice));
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    k.with_host(KAHN_CELLS);
    const int32_t *cells = k.gpu.bring(k.host.cells, (size_t)k.n * k.n);
    if (k.gpu.begin(NULL)) return k.gpu.status;
    dense_degree<<<k.gpu.grid(k.n), r->block>>>(cells, k.n, k.degree);
    if (k.rounds([&](weft_vid found) { remove_on_host(k, found); })) return k.gpu.status;
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(4.0 * k.n * k.n + k.bytes_of_rounds() + 8.0 * k.n * k.round + kahn_bytes_of_cells(&k.host));
}
#endif

/* The matrix is on both sides. */
static const char *serves(lab_run *r) {
    const char *here = kahn_serves(r, KAHN_CELLS, 1, 3);
    return here ? here : one_matrix_serves(r);
}

const lab_rung kahn_gpu_dense_cpu = {
    .name = "gpu-dense-cpu",
    .title = "GPU, matrix: removal on the CPU",
    .against = "gpu-dense",
    .changed = "The thesis's CPU fallback for rounds with few vertices: degrees and the list come to the host, which subtracts the "
               "rows of its own copy of the matrix, and the degrees go back. (Its threshold is left out: no round here had more "
               "than a few.)",
    .wins = "Nothing here. It saves one launch of a round's six.",
    .loses = "Three copies a round where there was one, each waited for; and the matrix travels, 4 n^2 bytes over the bus.",
    .model = KAHN_GPU_DENSE_MODEL " + 8 n a round (copies)",
    .source = "lab/kahn/gpu_dense_cpu.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
