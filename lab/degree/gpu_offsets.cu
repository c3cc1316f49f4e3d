/* GPU: both degrees are differences of offsets: the blog's computeDegrees, for both directions.
 * Should win: nothing on a GPU is more regular, every read and write is coalesced.  Should lose: as a whole, against the CPU: the offsets
 * have to cross the link once and the answer once, and the CPU needs no longer than that for all of it. */
#include "degree.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK subtract_offsets(const weft_eid *out_offsets, const weft_eid *in_offsets,
                                                      weft_vid n, gpu_count *out, gpu_count *in) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    out[v] = out_offsets[v + 1] - out_offsets[v];
    in[v] = in_offsets[v + 1] - in_offsets[v];
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_degrees s(r);
    const weft_eid *out = s.gpu.bring(r->out.offsets, s.n + (size_t)1);
    const weft_eid *in = s.gpu.bring(r->in.offsets, s.n + (size_t)1);
    if (s.gpu.begin(subtract_offsets)) return s.gpu.status;
    subtract_offsets<<<s.gpu.grid(s.n), r->block>>>(out, in, s.n, s.out, s.in);
    return s.answer(32.0 * s.n);
}
#endif

const lab_rung degree_gpu_offsets = {
    .name = "gpu-offsets",
    .title = "GPU, CSR and its transpose: differences of offsets",
    .against = "gpu-count",
    .changed = "Two subtractions a vertex, by a thread for each: no arc is copied, and none is read.",
    .wins = "The kernels: perfectly regular, at the speed of memory.",
    .loses = "As a whole, against the same two lines on the CPU: 16 n bytes go there and 24 n come back, over a link "
             "that is slower than the CPU's own memory.",
    .model = "16 n (two arrays of offsets) + 16 n (degrees) + 48 n",
    .source = "lab/degree/gpu_offsets.cu",
    .device = LAB_CUDA,
    .run = LAB_ON_GPU(run),
};
