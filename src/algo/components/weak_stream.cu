/* Weak components, GPU, of a graph whose arcs do not fit its memory.  The answer is components.c's.
 * Method: every arc is streamed once (cuda/stream.cuh) and joins the trees of its ends.
 * Encoding: label[v] <= v leads towards the root of v's tree, the smallest vertex in it.  Trees are joined by hanging the larger root
 * below the smaller one, so the roots in the end do not depend on the order. */
#include "algo/components/weak_stream.h"
#include "cuda/stream.cuh"
#include "cuda/walk.cuh"

#include <stdio.h>

enum { THREADS = 256, MOST_BLOCKS = 1 << 14 };

__device__ static weft_vid root_of(weft_vid *label, weft_vid v) {
    weft_vid up = __ldcg(&label[v]);
    while (up != v) {
        weft_vid above = __ldcg(&label[up]);
        if (above != up)
            label[v] = above; /* halves the way; whoever else writes here writes something above v as well */
        v = up;
        up = above;
    }
    return v;
}

__device__ static void join(weft_vid *label, weft_vid u, weft_vid v) {
    u = root_of(label, u);
    v = root_of(label, v);
    while (u != v) {
        weft_vid low = u < v ? u : v, high = u < v ? v : u;
        weft_vid was = atomicCAS(&label[high], high, low);
        if (was == high) return;
        u = root_of(label, was);
        v = low;
    }
}

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

__global__ static void begin(weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS)
        label[v] = (weft_vid)v;
}

/* Each thread writes its own vertices only: halving ways here might undo what another has finished. */
__global__ static void flatten(weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS) {
        weft_vid up = __ldcg(&label[v]), above;
        while ((above = __ldcg(&label[up])) != up) up = above;
        label[v] = up;
    }
}

/* Offsets and labels. */
static uint64_t state_bytes(const weft_graph *g) {
    return sizeof(weft_eid) * ((uint64_t)g->n + 1) + sizeof(weft_vid) * (uint64_t)g->n;
}

extern "C" void wfi_components_plan_weak_stream(const weft_graph *g, uint64_t room, wfi_choice *choice) {
    choice->method = "union of every arc, streamed";
    snprintf(choice->reason, sizeof choice->reason, "too large for the GPU's memory: every arc is sent once");
    choice->host_bytes = 2 * sizeof(weft_vid) * (uint64_t)g->n;
    choice->device_bytes = wfi_stream_fit(g->arcs, state_bytes(g), room, false).bytes;
}

extern "C" weft_status wfi_components_weak_stream(weft_ctx *ctx, const weft_graph *g, uint64_t room, weft_vid *label) {
    cudaStream_t stream = wfi_cuda_stream();
    unsigned blocks = wfi_grid(g->n, THREADS, MOST_BLOCKS);
    wfi_buffer<weft_eid> offsets;
    wfi_buffer<weft_vid> device;
    wfi_stream s;
    wfi_piece piece;
    weft_status st = offsets.take(ctx, (size_t)g->n + 1);
    if (!st) st = device.take(ctx, g->n);
    if (!st) st = wfi_upload(ctx, offsets.data, g->out.offsets, ((size_t)g->n + 1) * sizeof(weft_eid));
    if (!st)
        st =
            s.open(ctx, g->out.targets, g->arcs, WFI_HOMES_FIRST, wfi_stream_fit(g->arcs, state_bytes(g), room, false));
    if (st) return st;
    begin<<<blocks, THREADS, 0, stream>>>(device.data, g->n);
    for (s.begin(false); !st && s.next(&piece, &st);) {
        wfi_progress(ctx, "linking", piece.begin, g->arcs);
        wfi_walk<weft_eid><<<wfi_walk_blocks(piece.end - piece.begin), WFI_WALK_THREADS, 0, stream>>>(
            offsets.data, (const weft_vid *)NULL, (uint64_t)g->n, piece.targets, piece.begin, piece.begin, piece.end,
            joining{device.data});
        st = s.done();
    }
    if (st) return st;
    flatten<<<blocks, THREADS, 0, stream>>>(device.data, g->n);
    return wfi_download(ctx, label, device.data, g->n * sizeof *label);
}
