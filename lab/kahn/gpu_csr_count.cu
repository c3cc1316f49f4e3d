/* GPU, CSR: in-degrees by atomics, a thread for each row. */
#include "csr.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK count_targets(const weft_eid *offsets, const weft_vid *targets, weft_vid n,
                                                   int32_t *degree) {
    uint64_t u = lab_thread();
    if (u >= n) return;
    for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) atomicAdd(&degree[targets[e]], 1);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn_csr k(r);
    if (k.gpu.begin(count_targets)) return k.gpu.status;
    count_targets<<<k.gpu.grid(k.n), r->block>>>(k.offsets, k.targets, k.n, k.degree);
    if (k.rounds([&](weft_vid found) { k.remove_rows(found); })) return k.gpu.status;
    return k.finish(12.0 * (double)r->out.arcs, 0);
}
#endif

const lab_rung kahn_gpu_csr_count = {
    .name = "gpu-csr-count",
    .title = "GPU, CSR: in-degrees by atomics",
    .against = "gpu-dense",
    .changed = "Only arcs are stored. The thesis's calculate_in_degree_csr_atomic: a thread for each row, an atomic for each of its "
               "arcs; removal by remove_active_nodes_csr, a thread for each active vertex, an atomic for each of its arcs.",
    .wins = "Memory, and sparse graphs.",
    .loses = "At density 1/2 to the matrix: the lanes of a warp walk 32 rows at once, each read fetches a sector for 4 bytes, and in "
             "the first rows of an upper triangle everybody adds to the same counters.",
    .model = "12 m (target, counter there and back) + " KAHN_GPU_ROUNDS_MODEL,
    .source = "lab/kahn/gpu_csr_count.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = csr_serves,
    .run = LAB_ON_GPU(run),
};
