/* Weak components, GPU, of a graph whose arcs do not fit its memory.  The answer is components.c's.
 * Method: every arc is streamed once (cuda/stream.cuh) and joins the trees of its ends (trees.cuh). */
#include "algo/components/trees.cuh"
#include "algo/components/weak_cuda.h"
#include "cuda/stream.cuh"
#include "cuda/walk.cuh"

#include <stdio.h>

enum { MEASURING = 32 << 10 }; /* bytes at most that counting takes beside its arrays */

/* The walk's visitor. */
struct joining {
    weft_vid *label;

    __device__ bool wants(weft_vid) const { return true; }
    __device__ void alone(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned k = 0; k < count; k++) join(label, v, target[k]);
    }
    __device__ void together(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned k = threadIdx.x % WFI_WALK_WARP; k < count; k += WFI_WALK_WARP) join(label, v, target[k]);
    }
};

/* Offsets and labels; or, when the arcs are through, labels and sizes. */
static uint64_t state_bytes(const weft_graph *g) {
    uint64_t n = g->n;
    return wfi_max_u64(sizeof(weft_eid) * (n + 1) + sizeof(weft_vid) * n, 2 * sizeof(weft_vid) * n + MEASURING);
}

extern "C" void wfi_components_plan_stream(const weft_graph *g, uint64_t room, wfi_choice *choice) {
    choice->method = "every arc, streamed";
    snprintf(choice->reason, sizeof choice->reason, "too large for the GPU's memory: the arcs are sent once");
    choice->host_bytes = sizeof(weft_vid) * (uint64_t)g->n;
    choice->device_bytes = wfi_stream_fit(g->arcs, state_bytes(g), room, false).bytes;
}

static weft_status join_all(weft_ctx *ctx, const weft_graph *g, uint64_t room, weft_vid *label) {
    cudaStream_t stream = wfi_cuda_stream();
    wfi_buffer<weft_eid> offsets;
    wfi_stream s;
    wfi_piece piece;
    weft_status st = offsets.take(ctx, (size_t)g->n + 1);
    if (!st) st = wfi_upload(ctx, offsets.data, g->out.offsets, ((size_t)g->n + 1) * sizeof(weft_eid));
    if (!st)
        st =
            s.open(ctx, g->out.targets, g->arcs, WFI_HOMES_FIRST, wfi_stream_fit(g->arcs, state_bytes(g), room, false));
    if (st) return st;
    for (s.begin(false); !st && s.next(&piece, &st);) {
        wfi_progress(ctx, "linking", piece.begin, g->arcs);
        wfi_walk<weft_eid><<<wfi_walk_blocks(piece.end - piece.begin), WFI_WALK_THREADS, 0, stream>>>(
            offsets.data, (const weft_vid *)NULL, (uint64_t)g->n, piece.targets, piece.begin, piece.begin, piece.end,
            joining{label});
        st = s.done();
    }
    return st ? st : wfi_cuda_sync(ctx);
}

extern "C" weft_status wfi_components_weak_stream(weft_ctx *ctx, const weft_graph *g, uint64_t room, weft_vid *label,
                                                  uint64_t *count, uint64_t *largest) {
    wfi_buffer<weft_vid> device;
    weft_vid giant = 0;
    weft_status st = device.take(ctx, g->n);
    if (st) return st;
    wfi_trees_begin(device.data, g->n);
    st = join_all(ctx, g, room, device.data);
    if (st) return st;
    wfi_trees_flatten(device.data, g->n);
    st = wfi_trees_frequent(ctx, device.data, g->n, &giant);
    if (!st) st = wfi_trees_measure(ctx, device.data, g->n, giant, count, largest);
    if (!st) st = wfi_download(ctx, label, device.data, g->n * sizeof *label);
    return st;
}
