/* GPU: the CSR: out-degrees by offsets, in-degrees by an atomic addition for each arc.
 * Should win: no transpose is needed, and additions to different counters do not wait for each other.  Should lose: hubs, where all additions
 * to one counter queue up. */
#include "afford.h"
#include "degree.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK row_lengths(const weft_eid *offsets, weft_vid n, gpu_count *out) {
    uint64_t v = lab_thread();
    if (v < n) out[v] = offsets[v + 1] - offsets[v];
}

__global__ static void LAB_ANY_BLOCK count_targets(const weft_vid *targets, weft_eid arcs, gpu_count *in) {
    for (weft_eid e = lab_thread(); e < arcs; e += lab_threads()) atomicAdd(&in[targets[e]], 1ull);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_degrees s(r);
    const weft_eid *offsets = s.gpu.bring(r->out.offsets, s.n + (size_t)1);
    const weft_vid *targets = s.gpu.bring(r->out.targets, r->out.arcs);
    if (s.gpu.begin(count_targets)) return s.gpu.status;
    row_lengths<<<s.gpu.grid(s.n), r->block>>>(offsets, s.n, s.out);
    count_targets<<<s.gpu.grid_filling(r->out.arcs), r->block>>>(targets, r->out.arcs, s.in);
    return s.answer(16.0 * s.n + 20.0 * (double)r->out.arcs);
}
#endif

static const char *serves(lab_run *r) {
    return lab_too_large_for_gpu(r, 40.0 * r->out.vertices + 4.0 * (double)r->out.arcs);
}

const lab_rung degree_gpu_count = {
    .name = "gpu-count",
    .title = "GPU, CSR: out-degrees by offsets, in-degrees by atomics",
    .against = "gpu-list",
    .changed =
        "The lists laid end to end. An out-degree is a difference of two offsets; for in-degrees all arcs are read in "
        "order, side by side, each with an atomic addition to its target's counter.",
    .wins = "Arcs are coalesced, whatever rows they belong to. Additions happen in the cache, billions a second.",
    .loses = "Hubs: additions to one counter come one after the other. And the targets must be copied in, which takes "
             "longer "
             "than everything else.",
    .model = "16 n (offsets, out-degrees) + 4 m (targets) + 16 m (counters there and back) + 48 n",
    .source = "lab/degree/gpu_count.cu",
    .device = LAB_CUDA,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
