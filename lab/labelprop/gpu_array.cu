/* GPU: the blog's kernel: a thread for each vertex with a counter for every label, cleared and searched from end to end. */
#include "afford.h"
#include "labelprop.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
/* Counter l of thread t stands at l * threads + t: lanes that clear or search their l-th counter together do it side by side. */
__global__ static void LAB_ANY_BLOCK most_frequent(const weft_eid *offsets, const weft_vid *targets, const weft_vid *now,
                                                   weft_vid *next, weft_vid n, uint32_t *counters) {
    uint64_t threads = lab_threads();
    uint32_t *count = counters + lab_thread();
    for (uint64_t v = lab_thread(); v < n; v += threads) {
        for (uint64_t l = 0; l < n; l++) count[l * threads] = 0;
        for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) count[now[targets[e]] * threads]++;
        uint32_t most = 0;
        weft_vid best = now[v];
        for (uint64_t l = 0; l < n; l++)
            if (count[l * threads] > most) most = count[l * threads], best = (weft_vid)l;
        next[v] = best;
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_labels q(r);
    uint64_t most = ((uint64_t)4 << 30) / (4 * ((uint64_t)q.n + 1)); /* threads, by 4 GB of counters */
    unsigned blocks = q.gpu.grid_filling(q.n < most ? q.n : most);
    uint32_t *counters = q.gpu.take<uint32_t>((size_t)q.n * blocks * (size_t)r->block);
    if (q.gpu.begin(most_frequent)) return q.gpu.status;
    return q.run([&] { most_frequent<<<blocks, r->block>>>(q.offsets, q.targets, q.now, q.next, q.n, counters); }, 16,
                 12 + 8.0 * q.n);
}
#endif

static const char *serves(lab_run *r) {
    double n = r->out.vertices, steps = (double)((const weft_labelprop_params *)r->params)->max_iterations;
    return lab_too_slow(r, steps * n * n * 8 / 1e12);
}

const lab_rung labelprop_gpu_array = {
    .name = "gpu-array",
    .title = "GPU: a thread a vertex, a counter for every label",
    .against = "array",
    .changed = "The blog's kernel: label_count[MAX_LABELS] for each thread. With n labels that is no array in registers but n counters a "
               "thread in memory; they are laid out so that the lanes of a warp have theirs side by side.",
    .wins = "Against one core, by the bandwidth: clearing and searching n counters is done at the memory's speed.",
    .loses = "n^2 counters a step, whatever the arcs; and only so many threads as there is memory for n counters each.",
    .model = "a step: 8 n^2 (counters cleared and searched) + 16 an arc (target, label, counter there and back) + 12 n",
    .source = "lab/labelprop/gpu_array.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
