/* GPU, CSR: removal in three kernels: reduce, apply, mark. */
#include "csr.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void reduce(const weft_vid *active, weft_vid count, const weft_eid *offsets, const weft_vid *targets,
                              int32_t *decrement) {
    uint64_t i = lab_thread();
    if (i >= count) return;
    for (weft_eid e = offsets[active[i]]; e < offsets[active[i] + 1]; e++) atomicAdd(&decrement[targets[e]], 1);
}

__global__ static void apply(int32_t *decrement, weft_vid n, int32_t *degree) {
    uint64_t v = lab_thread();
    if (v >= n || !decrement[v]) return;
    degree[v] -= decrement[v];
    decrement[v] = 0; /* for the next round */
}

__global__ static void mark(const weft_vid *active, weft_vid count, int32_t *degree) {
    uint64_t i = lab_thread();
    if (i < count) degree[active[i]] = -1;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn_csr k(r);
    int32_t *decrement = k.gpu.take_zeroed<int32_t>(k.n);
    if (k.gpu.begin(NULL)) return k.gpu.status;
    k.degree_by_difference(k.in_offsets);
    if (k.rounds([&](weft_vid found) {
            reduce<<<k.gpu.grid(found), r->block>>>(k.active, found, k.offsets, k.targets, decrement);
            apply<<<k.gpu.grid(k.n), r->block>>>(decrement, k.n, k.degree);
            mark<<<k.gpu.grid(found), r->block>>>(k.active, found, k.degree);
        }))
        return k.gpu.status;
    return k.finish(20.0 * k.n, 4);
}
#endif

const lab_rung kahn_gpu_two_phase = {
    .name = "gpu-csr-two-phase",
    .title = "GPU, CSR: removal in three kernels",
    .against = "gpu-csr",
    .changed = "The thesis's \"no atomic\" removal: what each vertex loses is added up in an array of its own (by as many atomics as "
               "before), then applied to all vertices, then the removed ones are marked.",
    .wins = "Nothing: atomics on another array are atomics.",
    .loses = "Two more launches and a pass over all n in each round. The thesis measured 1.5 to 1.8 times the time of its atomic "
             "removal.",
    .model = "20 n (degrees) + 4 n a round (decrements) + " KAHN_GPU_ROUNDS_MODEL,
    .source = "lab/kahn/gpu_two_phase.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = csr_serves,
    .run = LAB_ON_GPU(run),
};
