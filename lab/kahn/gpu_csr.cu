/* GPU, CSR: in-degrees as differences of the transpose's offsets; removal by atomics, a thread for each active vertex. */
#include "csr.cuh"

#ifdef __CUDACC__
static weft_status run(lab_run *r) {
    gpu_kahn_csr k(r);
    if (k.gpu.begin(NULL)) return k.gpu.status;
    /* --- excerpt --- */
    k.degree_by_difference(k.in_offsets); /* degree[v] = offsets[v + 1] - offsets[v], of the transpose */
    weft_status st = k.rounds([&](weft_vid found) { k.remove_rows(found); });
    /* --- end --- */
    return st ? st : k.finish(20.0 * k.n, 0);
}
#endif

const lab_rung kahn_gpu_csr = {
    .name = "gpu-csr",
    .title = "GPU, CSR: in-degrees from the transpose's offsets",
    .against = "gpu-csr-count",
    .changed = "The thesis's calculate_in_degree_csc: the transpose's offsets are there, and an in-degree is a difference. (The "
               "thesis builds its transpose outside of its times, and so do we.)",
    .wins = "The in-degree is gone: 20 n bytes and not 12 m.",
    .loses = "The removal has two or three threads, which walk rows of thousands of arcs one by one, while everything else waits. With "
             "10,000 vertices of density 1/2 a row has 2,500 arcs on average and some 5,000 in the first rounds, and those take an "
             "H200 0.53 ms a round, where the matrix takes 0.003.",
    .model = "20 n (degrees) + " KAHN_GPU_ROUNDS_MODEL,
    .source = "lab/kahn/gpu_csr.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = csr_serves,
    .run = LAB_ON_GPU(run),
};
