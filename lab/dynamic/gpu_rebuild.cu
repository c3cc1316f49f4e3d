/* GPU: after each batch all arcs are sorted again.
 * Should win: one call of CUB, and large batches.  Should lose: small ones, which sort the whole graph. */
#include "afford.h"
#include "dynamic.cuh"

#ifdef __CUDACC__
static weft_status run(lab_run *r) {
    gpu_stream g(r);
    if (g.gpu.status) return g.gpu.status;
    g.make_room(r->out.arcs);
    if (g.gpu.begin(changing_offsets)) return g.gpu.status;
    /* --- excerpt --- */
    for (size_t first = 0, end; first < g.s.count && !g.gpu.status && !lab_stopped(r); first = end) {
        end = changing_batch_end(&g.s, first);
        g.gpu.failed("cudaMemcpyAsync", cudaMemcpyAsync(g.side[g.now] + g.arcs, g.more + first, (end - first) * sizeof *g.more,
                                                        cudaMemcpyDeviceToDevice));
        g.arcs += end - first;
        g.sort(g.side[g.now], g.side[!g.now], g.arcs); /* the batch, and all that was sorted before */
        g.now = !g.now;
        g.index();
    }
    /* --- end --- */
    g.index(); /* also where no arc comes */
    return g.close();
}
#endif

static const char *serves(lab_run *r) {
    const char *why = changing_serves(r);
    return why ? why : lab_too_large_for_gpu(r, 40.0 * (double)r->out.arcs + 40.0 * r->out.vertices);
}

const lab_rung changing_gpu_rebuild = {
    .name = "gpu-rebuild",
    .title = "GPU: all arcs sorted anew after each batch",
    .against = "rebuild",
    .changed = "The batch is put behind the arcs, CUB's radix sort sorts all of them by row and target, and a kernel finds where rows begin.",
    .wins = "Billions of keys a second, and one call. Nothing is simpler.",
    .loses = "Small batches: eight passes over the whole graph for 1,000 arcs.",
    .source = "lab/dynamic/gpu_rebuild.cu",
    .device = LAB_CUDA,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
