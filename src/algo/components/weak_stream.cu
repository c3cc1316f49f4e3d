/* Weak components, GPU, of a graph whose arcs do not fit its memory.  The answer is that of components.c.
 * Method: every arc is streamed once (cuda/stream.cuh) and joins the trees of its ends (components_cuda.cuh). */
#include "algo/components/components_cuda.cuh"
#include "algo/components/components_cuda.h"
#include "cuda/stream.cuh"
#include "cuda/walk.cuh"

#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 1 << 14 };

struct joining {
    weft_vid *label;

    __device__ void operator()(weft_vid v, weft_vid u) const { wfi_join(label, v, u); }
};

__global__ static void begin(weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS)
        label[v] = (weft_vid)v;
}

namespace {

struct arrays {
    weft_eid *offsets;
    weft_vid *label;
    uint32_t *size; /* sizes of components */
    wfi_forest_tally *tally;
};

} // namespace

static void lay_out(wfi_workspace *device, const weft_graph *g, arrays *a) {
    wfi_array(device, &a->offsets, (uint64_t)g->n + 1);
    wfi_array(device, &a->label, g->n);
    wfi_array(device, &a->size, g->n);
    wfi_array(device, &a->tally, 1);
}

extern "C" void wfi_components_plan_weak_stream(const weft_graph *g, uint64_t available, wfi_choice *choice) {
    choice->method = WFI_COMPONENTS_STREAMED;
    snprintf(choice->reason, sizeof choice->reason, "too large for the GPU's memory: every arc is sent once");
    arrays a;
    wfi_stream s;
    lay_out(&choice->device, g, &a);
    choice->stream = wfi_stream_fit(g->arcs, choice->device.at + WFI_STREAM_PADDING, available, false);
    s.lay_out(&choice->device, g->arcs, choice->stream);
}

static weft_status join_all(weft_ctx *ctx, const weft_graph *g, weft_eid *offsets, wfi_stream *s, weft_vid *label) {
    wfi_kernel_scope stage(ctx, "iterations");
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_arc_window piece;
    s->begin(false);
    weft_status st = s->bring(offsets, g->out.offsets, ((size_t)g->n + 1) * sizeof *offsets);
    begin<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(label, g->n);
    while (!st && s->next(&piece, &st)) {
        wfi_progress(ctx, "linking", piece.begin, g->arcs);
        wfi_walk<weft_eid><<<wfi_walk_blocks(piece.end - piece.begin), WFI_WALK_THREADS, 0, stream>>>(
            offsets, (const weft_vid *)NULL, (uint64_t)g->n, piece.targets, piece.begin, piece.begin, piece.end,
            wfi_arc_visitor<joining>{{label}});
        st = s->done();
    }
    stage.bytes = s->bytes;
    return st;
}

extern "C" weft_status wfi_components_weak_stream(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    arrays a = {};
    wfi_stream s;
    weft_status st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, &a);
    if (!st) s.lay_out(job->device, g->arcs, job->choice->stream);
    if (!st) st = job->device->status;
    if (!st) st = wfi_zero(ctx, a.size, g->n);
    if (!st) st = wfi_zero(ctx, a.tally, 1);
    if (!st) st = s.open(ctx, g->out.targets, g->arcs, job->choice->stream);
    if (!st) s.with_threads(s.copiers(), [&] { st = join_all(ctx, g, a.offsets, &s, a.label); });
    if (!st) st = wfi_components_flatten_cuda(ctx, a.label, g->n, a.size, a.tally);
    if (!st) st = wfi_components_tally_cuda(ctx, a.tally, count, largest);
    return st ? st : wfi_deliver(ctx, label, a.label, g->n * sizeof *label);
}
