/* GPU, CSR: removal on the CPU.  The thesis's final CSR version. */
#include "csr.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
static void remove_on_host(gpu_kahn &k, weft_vid found) {
    k.gpu.peek_bytes(k.host.active, k.active, found * sizeof *k.active);
    k.gpu.peek_bytes(k.host.degree, k.degree, k.n * sizeof *k.degree);
    kahn_remove_rows(&k.host, found);
    k.gpu.failed("cudaMemcpy", cudaMemcpy(k.degree, k.host.degree, k.n * sizeof *k.degree, cudaMemcpyHostToDevice));
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn k(r);
    k.with_host(KAHN_CSR);
    const weft_eid *in_offsets = k.gpu.bring(r->in.offsets, (size_t)k.n + 1);
    if (k.gpu.begin(NULL)) return k.gpu.status;
    k.degree_by_difference(in_offsets);
    if (k.rounds([&](weft_vid found) { remove_on_host(k, found); })) return k.gpu.status;
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(20.0 * k.n + k.bytes_of_rounds() + 8.0 * k.n * k.round + kahn_bytes_of_rows(&k.host));
}
#endif

static const char *serves(lab_run *r) { return kahn_serves_gpu(r, csr_bytes(r), 60); }

const lab_rung kahn_gpu_csr_cpu = {
    .name = "gpu-csr-cpu",
    .title = "GPU, CSR: removal on the CPU",
    .against = "gpu-csr",
    .changed = "The thesis's final CSR version: flag, scan and compact on the GPU, the removal on the CPU, with the degrees copied "
               "there and back in every round. The arcs need not be on the GPU at all. (The thesis falls back to the CPU below a threshold "
               "of active vertices; here there is none, and every round goes there: those of its graphs hold two or three.)",
    .wins = "Against gpu-csr: one core walks a row of 2,500 arcs many times faster than one thread of a GPU does.",
    .loses = "Against anything that gives the row to many threads; the copies are 8 n bytes a round, for a few vertices.",
    .model = "20 n (degrees) + 8 n a round (copies) + " KAHN_GPU_ROUNDS_MODEL,
    .source = "lab/kahn/gpu_csr_cpu.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
