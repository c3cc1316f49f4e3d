/* Trimming for strong components, GPU: removes, layer by layer, vertices without an arc from, or without an arc to,
 * other remaining vertices [1].  Needs: rows of both directions, each vertex's kind; arcs between kinds do not count.
 * Method: each vertex's arcs from and to its kind are counted.  A vertex with none of one sort is queued; the
 * neighbours of a layer of the queue are decremented, and those that reach 0 are the next layer.  All layers run in one
 * cooperative kernel.  A layer costs a barrier and a wait for memory, however thin it is: if layers are thin on average
 * the kernel ends, because split_cuda.cu takes a long thin graph in far fewer steps.
 * [1] McLendon, Hendrickson, Plimpton, Rauchwerger, "Finding Strongly Connected Components in Distributed Graphs",
 *     JPDC 65, 2005. */
#include "algo/components/components_cuda.cuh"
#include "cuda/grid.cuh"
#include "cuda/walk.cuh"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 512,
    WARP = 32,
    SURE_LAYERS = 32,    /* made however thin they are */
    MOST_LAYERS = 16384, /* about a tenth of a second */
    THIN = 64            /* vertices of a layer, on average */
};

/* Queues v behind `tail`, if it is not queued yet. */
__device__ static void put(const wfi_trim &w, weft_vid v, unsigned tail, unsigned turn) {
    uint32_t bit = 1u << v % WARP;
    if (atomicOr(&w.queued[v / WARP], bit) & bit) return;
    groups::coalesced_group with = groups::coalesced_threads();
    unsigned at = 0;
    if (with.thread_rank() == 0) at = atomicAdd(&w.found[turn % WFI_PEEL_SETS], with.size());
    w.queue[tail + with.shfl(at, 0) + with.thread_rank()] = v;
}

__device__ static unsigned turn_over(const wfi_trim &w, unsigned tail, unsigned turn) {
    tail += wfi_sync_and_broadcast(&w.found[turn % WFI_PEEL_SETS]);
    if (blockIdx.x == 0 && threadIdx.x == 0) w.found[(turn + 2) % WFI_PEEL_SETS] = 0;
    return tail;
}

__device__ static void count_arcs(const wfi_trim &w) {
    groups::grid_group grid = groups::this_grid();
    for (uint64_t v = grid.thread_rank(); v < w.n; v += grid.size()) w.ahead[v] = w.back[v] = 0;
    for (uint64_t i = grid.thread_rank(); i < (w.n + WARP - 1) / WARP; i += grid.size()) w.queued[i] = 0;
    grid.sync();
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < w.n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        bool open = v < w.n && w.kind[v];
        weft_eid e = open ? w.out.offsets[v] : 0, end = open ? w.out.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(w.out.targets, (weft_vid)v, e, end, [&](weft_vid u, weft_vid to) {
            if (u == to || w.kind[u] != w.kind[to]) return;
            atomicAdd(&w.ahead[u], 1u);
            atomicAdd(&w.back[to], 1u);
        });
    }
    grid.sync();
}

__device__ static void take_layer(const wfi_trim &w, unsigned head, unsigned tail, unsigned turn) {
    for (uint64_t base = head + (uint64_t)blockIdx.x * THREADS; base < tail; base += (uint64_t)gridDim.x * THREADS) {
        bool mine = base + threadIdx.x < tail;
        weft_vid v = mine ? __ldcg(&w.queue[base + threadIdx.x]) : 0;
        weft_eid e = mine ? w.out.offsets[v] : 0, end = mine ? w.out.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(w.out.targets, v, e, end, [&](weft_vid u, weft_vid to) {
            if (u != to && w.kind[u] == w.kind[to] && atomicSub(&w.back[to], 1u) == 1) put(w, to, tail, turn);
        });
        e = mine ? w.in.offsets[v] : 0;
        end = mine ? w.in.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(w.in.targets, v, e, end, [&](weft_vid u, weft_vid from) {
            if (u != from && w.kind[u] == w.kind[from] && atomicSub(&w.ahead[from], 1u) == 1) put(w, from, tail, turn);
        });
    }
}

__global__ static void __launch_bounds__(THREADS) peel_kernel(wfi_trim w) {
    groups::grid_group grid = groups::this_grid();
    if (!*w.wanted) return;
    count_arcs(w);
    for (uint64_t v = grid.thread_rank(); v < w.n; v += grid.size())
        if (w.kind[v] && (!__ldcg(&w.ahead[v]) || !__ldcg(&w.back[v]))) put(w, (weft_vid)v, 0, 0);
    unsigned head = 0, tail = turn_over(w, 0, 0);
    for (unsigned turn = 1; head < tail && turn < MOST_LAYERS && (turn < SURE_LAYERS || tail / turn >= THIN); turn++) {
        take_layer(w, head, tail, turn);
        head = tail;
        tail = turn_over(w, tail, turn);
    }
    for (uint64_t i = grid.thread_rank(); i < tail; i += grid.size()) w.kind[__ldcg(&w.queue[i])] = 0;
}

weft_status wfi_components_peel_cuda(weft_ctx *ctx, wfi_trim w) {
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, peel_kernel, THREADS, 0));
    void *args[] = {&w};
    WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel((void *)peel_kernel,
                                                   dim3(wfi_grid(w.n, THREADS, (unsigned)(sms * fit))), dim3(THREADS),
                                                   args, 0, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}
