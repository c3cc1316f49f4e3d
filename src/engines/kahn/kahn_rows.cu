/* Kahn's algorithm by rows, GPU.  Needs: a directed graph's rows; loops and parallel arcs are allowed.
 * Method: in-degrees are counted, or are row lengths of the transpose.  Then all levels run in one cooperative kernel:
 * the arcs out of a level decrement the counters of their targets, and the targets that reach 0 are the next level.
 * The whole grid shares a wide level, with a barrier of the grid after it; one block or a cluster of blocks runs narrow
 * levels (kahn_narrow.cuh).
 * If only the verdict is wanted and the transpose is there, sinks are peeled with the sources, in the same levels,
 * until each vertex has been taken from one end or the other.
 * Encoding: a queue of arcs (kahn_rows.cuh); blocks gather new entries, and reserve space in the queue once a level.
 * Three sets of counters take turns: one is cleared, one read, one counts. */
#include "cuda/grid.cuh"
#include "cuda/walk.cuh"
#include "engines/kahn/kahn_narrow.cuh"

namespace groups = cooperative_groups;

namespace {

enum {
    LEVELS = 1 << 14, /* levels of a launch; then the host decides whether to continue */
    COUNT_THREADS = 256
};

/* Appends the block's gathered entries to the queue behind `tail`, and clears the block's own counters. */
__device__ void hand_over(const kahn_peel &w, gathered from, kahn_counts *mine, number tail, kahn_counts *c) {
    __shared__ number base;
    __syncthreads();
    unsigned size = from.fill->size();
    if (threadIdx.x == 0) {
        base = size ? atomicAdd(&c->entries, (number)size) : 0;
        if (mine->taken) atomicAdd(&c->taken, mine->taken);
        if (mine->arcs) atomicAdd(&c->arcs, mine->arcs);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < size; i += THREADS) __stcg(&w.queue[tail + base + i], from.entry[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        from.fill->clear();
        *mine = {0, 0, 0};
    }
    __syncthreads();
}

/* The vertices without incoming arcs are level 0; with both ends, vertices without outgoing arcs are taken, too. */
template <bool BOTH> __device__ void take_sources(const kahn_peel &w, gathered to, kahn_counts *mine, kahn_counts *c) {
    for (number base = (number)blockIdx.x * THREADS; base < w.n; base += (number)gridDim.x * THREADS) {
        number v = base + threadIdx.x;
        bool there = v < w.n;
        kahn_tally t = {0, 0};
        for (int back = 0; back < (BOTH ? 2 : 1); back++) {
            bool ready = there && !(back ? w.waiting_out : w.waiting_in)[v];
            if (there && !ready && !back) w.level[v] = WEFT_UNREACHED;
            if (!__any_sync(~0u, ready)) continue;
            kahn_row row = {0, 0};
            if (ready) row = row_of(w, (weft_vid)v, back);
            take<BOTH>(w, {to, 0, 0, &c->entries}, {ready, (bool)back, (weft_vid)v, row}, &t);
        }
        block_add(t, mine);
        if (__syncthreads_or(threadIdx.x == 0 && to.fill->asked > ROOM / 2)) hand_over(w, to, mine, 0, c);
    }
    hand_over(w, to, mine, 0, c);
}

template <bool BOTH> __global__ void __launch_bounds__(THREADS, 1) peel_kernel(kahn_peel w) {
    __shared__ number entry[2][ROOM];
    __shared__ kahn_counts mine;
    __shared__ filling fill;
    groups::grid_group grid = groups::this_grid();
    kahn_progress *p = w.p;
    gathered to_block = {entry[0], &fill};
    kahn_state at = p->at;
    unsigned last = at.depth + LEVELS, narrow = 0;
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * WARPS;
    if (threadIdx.x == 0) {
        mine = {0, 0, 0};
        fill.clear();
    }
    __syncthreads();
    if (!p->begun) {
        take_sources<BOTH>(w, to_block, &mine, &p->set[0]);
        const kahn_counts seen = wfi_sync_and_broadcast(&p->set[0]);
        at.to = seen.entries;
        at.arcs = seen.arcs;
        at.peeled = at.frontier = seen.taken;
    }
    while (at.from < at.to && at.depth < last && at.peeled < w.n) {
        if (at.arcs <= w.alone || at.arcs <= w.together) {
            kahn_state *left = &p->narrow[narrow++ % 2];
            if (at.arcs <= w.alone && blockIdx.x == 0) go_alone<BOTH>(w, entry, at, last, left);
            if (at.arcs > w.alone && blockIdx.x < CLUSTER) go_together<BOTH>(w, entry, at, last, left);
            at = wfi_sync_and_broadcast(left);
            continue;
        }
        kahn_counts *c = &p->set[++at.round % SETS];
        kahn_level level = {to_block, ++at.depth, at.to, &c->entries};
        kahn_tally t = remove_arcs<BOTH, false>(w, from_memory{w.queue + at.from}, at.to - at.from, level, warp, warps);
        block_add(t, &mine);
        hand_over(w, to_block, &mine, at.to, c);
        const kahn_counts seen = wfi_sync_and_broadcast(c);
        at.from = at.to;
        at.to += seen.entries;
        at.arcs = seen.arcs;
        at.frontier = seen.taken;
        at.peeled += seen.taken;
        if (grid.thread_rank() == 0) p->set[(at.round + 2) % SETS] = {0, 0, 0};
    }
    if (grid.thread_rank()) return;
    p->at = at;
    p->begun = 1;
    p->done = at.from >= at.to || at.peeled >= w.n;
}

/* --- arcs into each vertex ------------------------------------------------------------------ */

__global__ void count_in(const weft_vid *targets, weft_eid arcs, uint32_t *count, int *overflow) {
    for (weft_eid e = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; e < arcs; e += (weft_eid)gridDim.x * blockDim.x)
        if (!overflow)
            atomicAdd(&count[targets[e]], 1u);
        else if (atomicAdd(&count[targets[e]], 1u) == UINT32_MAX)
            *overflow = 1;
}

__global__ void lengths_of(const weft_eid *offsets, weft_vid n, uint32_t *length, int *overflow) {
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) {
        weft_eid arcs = offsets[v + 1] - offsets[v];
        length[v] = (uint32_t)arcs;
        if (arcs > UINT32_MAX) *overflow = 1;
    }
}

weft_status count_arcs_in(weft_ctx *ctx, const weft_graph *g, const kahn_peel &w) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(g->n, COUNT_THREADS, 1 << 14);
    if (w.in.offsets) {
        lengths_of<<<blocks, COUNT_THREADS, 0, stream>>>(w.in.offsets, g->n, w.waiting_in, &w.p->overflow);
    } else {
        WFI_CUDA_OR_RETURN(cudaMemsetAsync(w.waiting_in, 0, g->n * sizeof *w.waiting_in, stream));
        count_in<<<wfi_grid(g->arcs, COUNT_THREADS, 1 << 14), COUNT_THREADS, 0, stream>>>(
            w.out.targets, g->arcs, w.waiting_in, g->arcs > UINT32_MAX ? &w.p->overflow : NULL);
    }
    if (!w.mark) return WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(w.mark, 0, g->n * sizeof *w.mark, stream));
    lengths_of<<<blocks, COUNT_THREADS, 0, stream>>>(w.out.offsets, g->n, w.waiting_out, &w.p->overflow);
    return WEFT_OK;
}

/* The launch of the kernel: in clusters if the GPU has them. */
struct launching {
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute[2];
    bool clusters;
};

weft_status prepare(weft_ctx *ctx, void *kernel, launching *l) {
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    cudaFuncAttributes compiled;
    WFI_CUDA_OR_RETURN(cudaFuncGetAttributes(&compiled, kernel)); /* code of an older architecture cannot use
                                                                   * clusters */
    l->attribute[0].id = cudaLaunchAttributeCooperative;
    l->attribute[0].val.cooperative = 1;
    l->attribute[1].id = cudaLaunchAttributeClusterDimension;
    l->attribute[1].val.clusterDim.x = CLUSTER;
    l->attribute[1].val.clusterDim.y = l->attribute[1].val.clusterDim.z = 1;
    l->config = {};
    l->config.gridDim = dim3((unsigned)sms / CLUSTER * CLUSTER);
    l->config.blockDim = dim3(THREADS);
    l->config.stream = wfi_cuda_stream(ctx);
    l->config.attrs = l->attribute;
    l->config.numAttrs = 2;
    WFI_CUDA_OR_RETURN(cudaGetLastError()); /* an earlier error is reported, and not cleared below */
    l->clusters = wfi_gpu_of(ctx)->clusters && compiled.ptxVersion >= 90 &&
                  cudaOccupancyMaxActiveClusters(&fit, kernel, &l->config) == cudaSuccess && fit > 0;
    cudaGetLastError(); /* the failure of the query is an answer */
    if (l->clusters) {
        unsigned blocks = (unsigned)fit * CLUSTER;
        if (blocks < l->config.gridDim.x) l->config.gridDim = dim3(blocks);
    } else {
        l->config.gridDim = dim3((unsigned)sms);
        l->config.numAttrs = 1;
    }
    return WEFT_OK;
}

} // namespace

void wfi_peel_rows_lay_out(wfi_workspace *device, const weft_graph *g, bool both_ends, wfi_row_peel *peel) {
    peel->both_ends = both_ends;
    wfi_array(device, &peel->waiting, (both_ends ? 3 : 1) * (uint64_t)g->n);
    kahn_progress *state;
    wfi_array(device, &state, 1);
    peel->state = state;
    wfi_array_within(device, &peel->queue, (both_ends ? 2 : 1) * (g->n + g->arcs / WFI_KAHN_PIECE));
}

weft_status wfi_peel_rows(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_row_peel *arrays,
                          uint32_t *level, wfi_peeled *peeled) {
    bool both = arrays->both_ends;
    launching l;
    kahn_progress seen = {};
    void *kernel = both ? (void *)peel_kernel<true> : (void *)peel_kernel<false>;
    kahn_peel w = {};
    weft_status st = wfi_mirror_has_in(g) ? wfi_mirror_in(ctx, g, &w.in) : WEFT_OK;
    kahn_progress *state = (kahn_progress *)arrays->state;
    if (!st) st = wfi_zero(ctx, state, 1);
    if (!st) st = prepare(ctx, kernel, &l);
    if (st) return st;
    w.out = *out;
    w.n = g->n;
    w.waiting_in = arrays->waiting;
    if (both) w.waiting_out = w.waiting_in + g->n;
    if (both) w.mark = w.waiting_out + g->n;
    w.level = level;
    w.queue = arrays->queue;
    w.p = state;
    w.alone = ALONE;
    w.together = l.clusters ? TOGETHER : 0;
    wfi_kernel_scope stage(ctx, "iterations");
    st = count_arcs_in(ctx, g, w);
    while (!st && !seen.done) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        void *args[] = {&w};
        WFI_CUDA_OR_RETURN(cudaLaunchKernelExC(&l.config, kernel, args));
        st = wfi_download(ctx, &seen, state, sizeof seen);
        wfi_progress(ctx, "peel", seen.at.peeled, g->n);
    }
    if (!st && seen.overflow)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a vertex has 2^32 or more incoming arcs; remove parallel arcs");
    peeled->acyclic = seen.at.peeled == g->n;
    /* the last level may have arcs only into vertices that stay */
    peeled->levels = seen.at.depth + (seen.at.frontier > 0);
    return st;
}

/* --- the leftover ---------------------------------------------------------------------------- */

namespace {

struct pointing {
    const uint32_t *level;
    weft_vid *before;
    __device__ bool wants(weft_vid v) const { return level[v] == WEFT_UNREACHED; }
    __device__ void point(weft_vid at, weft_vid v) const {
        if (__ldcg(&before[at]) > v) atomicMin(&before[at], v);
    }
    __device__ void alone(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned i = 0; i < count; i++) point(target[i], v);
    }
    __device__ void together(weft_vid v, const weft_vid *target, unsigned count) const {
        for (unsigned i = threadIdx.x % WARP; i < count; i += WARP) point(target[i], v);
    }
};

} // namespace

weft_status wfi_point_back_rows(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const uint32_t *level,
                                weft_vid *before) {
    wfi_kernel_scope stage(ctx, "iterations");
    pointing visit = {level, before};
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(before, 0xff, g->n * sizeof *before, wfi_cuda_stream(ctx)));
    wfi_walk<weft_eid><<<wfi_walk_blocks(g->arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        out->offsets, NULL, g->n, out->targets, (weft_eid)0, (weft_eid)0, g->arcs, visit);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}
