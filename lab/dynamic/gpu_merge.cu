/* GPU: only the batch is sorted; then it is merged with the arcs into the other side.
 * Should win: one pass over the graph, not eight.  Should lose: to a CPU's groups on small batches, which touch only what changes. */
#include "afford.h"
#include "dynamic.cuh"

#ifdef __CUDACC__
enum { EACH = 16 };

/* --- excerpt --- */
/* Merge path: of the first `out` keys of the result, how many are from a. */
__device__ static uint64_t from_a(const uint64_t *a, uint64_t as, const uint64_t *b, uint64_t bs, uint64_t out) {
    uint64_t low = out > bs ? out - bs : 0, high = out < as ? out : as;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (a[middle] < b[out - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A thread makes EACH keys of the result. */
__global__ static void LAB_ANY_BLOCK merge(const uint64_t *a, uint64_t as, const uint64_t *b, uint64_t bs, uint64_t *to) {
    uint64_t out = lab_thread() * EACH, end = out + EACH < as + bs ? out + EACH : as + bs;
    if (out >= end) return;
    uint64_t i = from_a(a, as, b, bs, out), k = out - i;
    for (; out < end; out++) to[out] = k == bs || (i < as && a[i] < b[k]) ? a[i++] : b[k++];
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_stream g(r);
    if (g.gpu.status) return g.gpu.status;
    uint64_t *sorted = g.gpu.take<uint64_t>(CHANGING_BATCH);
    g.make_room(CHANGING_BATCH);
    if (g.gpu.begin(merge)) return g.gpu.status;
    for (size_t first = 0, end; first < g.s.count && !g.gpu.status && !lab_stopped(r); first = end) {
        end = changing_batch_end(&g.s, first);
        uint64_t threads = (g.arcs + end - first + EACH - 1) / EACH;
        g.sort(g.more + first, sorted, end - first);
        merge<<<g.gpu.grid(threads), r->block>>>(g.side[g.now], g.arcs, sorted, end - first, g.side[!g.now]);
        g.arcs += end - first;
        g.now = !g.now;
        g.index();
    }
    g.index(); /* also where no arc comes */
    return g.close();
}
#endif

static const char *serves(lab_run *r) {
    const char *why = changing_serves(r);
    return why ? why : lab_too_large_for_gpu(r, 24.0 * (double)r->out.arcs + 40.0 * r->out.vertices);
}

const lab_rung changing_gpu_merge = {
    .name = "gpu-merge",
    .title = "GPU: the batch sorted, then merged into a second CSR",
    .against = "gpu-rebuild",
    .changed = "CUB sorts only the batch. Then the result is cut into equal pieces, each thread finds by bisection what of the arcs and of the "
               "batch belongs to its piece (merge path), and merges that. The old side is the last snapshot.",
    .wins = "The graph is read and written once, at the speed of memory, whatever rows the batch touches. Large batches.",
    .loses = "Small batches still move all arcs: 1,000 arcs cost what a million do.",
    .source = "lab/dynamic/gpu_merge.cu",
    .device = LAB_CUDA,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
