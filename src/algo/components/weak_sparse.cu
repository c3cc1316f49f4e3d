/* Weak components, GPU, of graphs with few arcs a vertex: ECL-CC [1] in two phases.
 * Method: each vertex begins below its first neighbour if that is smaller; a vertex without a smaller neighbour hangs
 * itself below the smallest parent of its neighbours; trees are flattened.  Then each edge is tried once, from its
 * larger end: one compare-and-swap at the larger of its two roots.  Vertices whose edges lose the race are listed,
 * trees are flattened again, and the listed edges are linked completely.  Linking every edge completely at once would
 * walk chains that are still being built.
 * Encoding: components_cuda.cuh.
 * [1] Jaiganesh, Burtscher, "A High-Performance Connected Components Implementation for GPUs", HPDC 2018. */
#include "algo/components/components_cuda.cuh"
#include "cuda/launch.cuh"

enum {
    THREADS = 256,
    MOST_BLOCKS = 1 << 14,
    LIST_BLOCKS = 1056,
    WARP = 32,
    MANY = 4,  /* vertices of a thread whose loads overlap */
    FEWER = 2, /* the same, if each has arcs to try */
    LOOK = 3,  /* arcs that a root reads */
    TRY = 2    /* arcs of a vertex that are tried together */
};

__global__ static void begin_below_first(wfi_sparse_weak w) {
    uint64_t threads = (uint64_t)gridDim.x * THREADS;
    for (uint64_t at = blockIdx.x * (uint64_t)THREADS + threadIdx.x; at < w.n; at += MANY * threads) {
        weft_eid e[MANY], end[MANY];
        weft_vid first[MANY];
#pragma unroll
        for (int k = 0; k < MANY; k++) {
            uint64_t v = at + k * threads;
            e[k] = v < w.n ? w.out.offsets[v] : 0;
            end[k] = v < w.n ? w.out.offsets[v + 1] : 0;
        }
#pragma unroll
        for (int k = 0; k < MANY; k++) first[k] = e[k] < end[k] ? w.out.targets[e[k]] : WEFT_NO_VERTEX;
#pragma unroll
        for (int k = 0; k < MANY; k++) {
            uint64_t v = at + k * threads;
            if (v >= w.n) break;
            w.label[v] = first[k] < v ? first[k] : (weft_vid)v;
            w.size[v] = 0;
            if (end[k] - e[k] > WFI_LONG_ROW) w.longs[atomicAdd(w.long_count, 1u)] = (weft_vid)v;
        }
    }
}

/* A root's neighbours are larger than the root, but their parents need not be. */
template <int AT_ONCE> __device__ static void hang_roots(const wfi_sparse_weak &w, const weft_vid (&v)[AT_ONCE]) {
    weft_eid e[AT_ONCE], end[AT_ONCE];
    weft_vid u[AT_ONCE][LOOK];
    bool root[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) root[k] = wfi_parent_of(w.label, v[k]) == v[k];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        e[k] = root[k] ? w.out.offsets[v[k]] : 0;
        end[k] = root[k] ? w.out.offsets[v[k] + 1] : 0;
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
#pragma unroll
        for (int j = 0; j < LOOK; j++) u[k][j] = e[k] + j < end[k] ? w.out.targets[e[k] + j] : v[k];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        weft_vid best = v[k];
#pragma unroll
        for (int j = 0; j < LOOK; j++)
            if (root[k]) best = min(best, wfi_parent_of(w.label, u[k][j]));
        if (best < v[k]) w.label[v[k]] = best;
    }
}

/* Before the edges are tried, and after. */
template <int AT_ONCE, bool BEFORE> __global__ static void __launch_bounds__(THREADS) flatten(wfi_sparse_weak w) {
    wfi_after_previous();
    if (!BEFORE && !*w.listed) return;
    for (uint64_t base = (uint64_t)blockIdx.x * (AT_ONCE * THREADS); base < w.n;
         base += (uint64_t)gridDim.x * (AT_ONCE * THREADS)) {
        weft_vid v[AT_ONCE], root[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            uint64_t at = base + k * THREADS + threadIdx.x;
            v[k] = at < w.n ? (weft_vid)at : 0;
        }
        if (BEFORE) hang_roots<AT_ONCE>(w, v);
        wfi_compress_paths<AT_ONCE>(w.label, v, root);
    }
}

/* True if two different roots could not be joined by one attempt. */
__device__ static bool fail_to_hook(const wfi_sparse_weak &w, weft_vid a, weft_vid b) {
    weft_vid low = a < b ? a : b, high = a < b ? b : a;
    return low != high && atomicCAS(&w.label[high], high, low) != high;
}

/* Rows ascend, and a vertex already hangs below its first neighbour. */
__global__ static void __launch_bounds__(THREADS) hook(wfi_sparse_weak w) {
    __shared__ weft_vid failed[FEWER * THREADS];
    __shared__ unsigned failures, place;
    wfi_after_previous();
    for (uint64_t base = (uint64_t)blockIdx.x * (FEWER * THREADS); base < w.n;
         base += (uint64_t)gridDim.x * (FEWER * THREADS)) {
        weft_eid e[FEWER], end[FEWER];
        weft_vid v[FEWER], u[FEWER][TRY], mine[FEWER], other[FEWER][TRY];
        bool fails[FEWER];
        if (threadIdx.x == 0) failures = 0;
#pragma unroll
        for (int k = 0; k < FEWER; k++) {
            uint64_t at = base + k * THREADS + threadIdx.x;
            v[k] = at < w.n ? (weft_vid)at : 0;
            e[k] = w.out.offsets[v[k]] + 1;
            end[k] = w.out.offsets[v[k] + 1];
            if (end[k] > e[k] + (WFI_LONG_ROW - 1)) end[k] = 0;
        }
#pragma unroll
        for (int k = 0; k < FEWER; k++)
#pragma unroll
            for (int j = 0; j < TRY; j++) u[k][j] = e[k] + j < end[k] ? w.out.targets[e[k] + j] : WEFT_NO_VERTEX;
#pragma unroll
        for (int k = 0; k < FEWER; k++) {
            mine[k] = u[k][0] < v[k] ? wfi_parent_of(w.label, v[k]) : 0;
#pragma unroll
            for (int j = 0; j < TRY; j++) other[k][j] = u[k][j] < v[k] ? wfi_parent_of(w.label, u[k][j]) : mine[k];
        }
#pragma unroll
        for (int k = 0; k < FEWER; k++) {
            fails[k] = false;
#pragma unroll
            for (int j = 0; j < TRY; j++) fails[k] |= fail_to_hook(w, mine[k], other[k][j]);
        }
#pragma unroll
        for (int k = 0; k < FEWER; k++)
            if (u[k][TRY - 1] < v[k])
                for (weft_eid at = e[k] + TRY; at < end[k] && w.out.targets[at] < v[k]; at++)
                    fails[k] |= fail_to_hook(w, mine[k], wfi_parent_of(w.label, w.out.targets[at]));
        __syncthreads();
#pragma unroll
        for (int k = 0; k < FEWER; k++) {
            unsigned owner = __ballot_sync(~0u, fails[k]), lane = threadIdx.x % WARP, at = 0;
            if (!owner) continue;
            if (lane == 0) at = atomicAdd(&failures, (unsigned)__popc(owner));
            at = __shfl_sync(~0u, at, 0) + (unsigned)__popc(owner & ((1u << lane) - 1));
            if (fails[k]) failed[at] = v[k];
        }
        __syncthreads();
        if (threadIdx.x == 0 && failures) place = atomicAdd(w.listed, failures);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < failures; i += THREADS) w.size[place + i] = failed[i];
        __syncthreads();
    }
}

/* Joins the listed vertices, and long rows by all threads. */
__global__ static void join_listed(wfi_sparse_weak w) {
    wfi_after_previous();
    unsigned count = *w.listed;
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < count; i += (uint64_t)gridDim.x * THREADS) {
        weft_vid v = w.size[i];
        w.size[i] = 0;
        for (weft_eid e = w.out.offsets[v] + 1, end = w.out.offsets[v + 1]; e < end && w.out.targets[e] < v; e++)
            wfi_join(w.label, v, w.out.targets[e]);
    }
    for (unsigned i = 0; i < *w.long_count; i++) {
        weft_vid v = w.longs[i];
        for (weft_eid e = w.out.offsets[v] + blockIdx.x * THREADS + threadIdx.x; e < w.out.offsets[v + 1];
             e += gridDim.x * THREADS)
            wfi_join(w.label, v, w.out.targets[e]);
    }
}

weft_status wfi_components_join_sparse_cuda(weft_ctx *ctx, const wfi_sparse_weak *w) {
    unsigned by_many = wfi_grid(w->n, MANY * THREADS, MOST_BLOCKS);
    unsigned by_fewer = wfi_grid(w->n, FEWER * THREADS, MOST_BLOCKS);
    begin_below_first<<<by_many, THREADS, 0, wfi_cuda_stream(ctx)>>>(*w);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    WFI_CUDA_OR_RETURN(wfi_launch_next(ctx, flatten<MANY, true>, by_many, THREADS, *w));
    WFI_CUDA_OR_RETURN(wfi_launch_next(ctx, hook, by_fewer, THREADS, *w));
    WFI_CUDA_OR_RETURN(wfi_launch_next(ctx, flatten<MANY, false>, by_many, THREADS, *w));
    WFI_CUDA_OR_RETURN(wfi_launch_next(ctx, join_listed, wfi_grid(w->n, THREADS, LIST_BLOCKS), THREADS, *w));
    return WEFT_OK;
}
