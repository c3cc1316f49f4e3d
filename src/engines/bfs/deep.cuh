/* Narrow levels of deep graphs, by one thread-block cluster.  Such levels are latency-bound: the chain of memory
 * accesses of a level decides.  Needs: a GPU with clusters (sm_90), and a frontier of at most DEEP_ENTER (breadth()).
 * Method: the cluster's barrier is several times cheaper than the grid's.  The frontier stays in distributed shared
 * memory: each block queues its new vertices and tells the others their number; after the barrier the cluster's warps
 * share out all queues evenly and read each other's.  Offsets of a neighbour are loaded together with its level, before
 * it is known whether they are needed; the arcs of a new vertex are prefetched during the barrier.
 * Encoding: an entry has at most STRIP arcs, a longer row several entries; four lanes take an entry, an arc each.
 * Entries that do not fit go to the queues of the wide levels, and the kernel ends. */
#ifndef WFI_BFS_DEEP_CUH
#define WFI_BFS_DEEP_CUH

#include "cuda/warp.cuh"
#include "engines/bfs/push.cuh"

#include <cooperative_groups.h>

enum {
    MOST_BLOCKS = 16,     /* blocks of a cluster */
    STRIP = 4,            /* arcs of an entry */
    ROOM = 4096,          /* entries in a block's queue */
    DEEP_ENTER = 8192,    /* short rows; with their pieces they fit in the queues of 8 blocks */
    DEEP_LEAVE = 24576,   /* entries; above, the whole grid is faster */
    DEEP_LEVELS = 1 << 14 /* levels of a launch; then the host decides whether to continue */
};

struct bfs_strip {
    weft_vid v;
    uint32_t arcs;
    weft_eid begin;
};

struct deep_memory {
    bfs_strip queue[2][ROOM];
    unsigned long long sizes[2][MOST_BLOCKS]; /* for each block: entries, and from bit 32 on the number of new
                                               * vertices */
    unsigned filled[SETS], found[SETS];
};

/* A level, as one warp sees it: the side of the queue with the frontier, the set of counters, prefix sums of the
 * blocks' entries (lane b: blocks 0 ... b), and the warp's share of the entries: from `at` on, every `step`. */
struct deep_level {
    unsigned side, set, depth;
    unsigned upto, total, at, step;
};

struct deep_tally {
    bfs_tally done, left; /* new vertices, and those without a place in this block's queue */
};

#if __CUDA_ARCH__ >= 900
/* Appends each lane's row, if it has arcs, to the block's queue: in strips, or whole to the queues in memory if the
 * block's is full.  Its strips that did fit are then emptied. */
__device__ static void keep(const bfs_state &s, const bfs_window &w, bfs_strip *queue_here, unsigned *filled,
                            bfs_strip row, bfs_tally *spilt) {
    uint32_t arcs = row.arcs;
    unsigned wanted = (arcs + STRIP - 1) / STRIP, upto = wanted, base = 0;
    upto = wfi_warp_scan(upto);
    if (lane_of() == WARP - 1 && upto) base = atomicAdd(filled, upto);
    base = __shfl_sync(~0u, base, WARP - 1) + upto - wanted;
    bool fits = base + wanted <= ROOM;
    for (unsigned i = 0; i < wanted && base + i < ROOM; i++)
        queue_here[base + i] = {row.v,
                                !fits                      ? 0
                                : arcs - i * STRIP < STRIP ? arcs - i * STRIP
                                                           : STRIP,
                                row.begin + i * STRIP};
    if (__any_sync(~0u, wanted && !fits)) queue<1>(s, w, &s.p->turned.queued, wanted && !fits, &row.v, spilt);
}

/* Loads the frontier from the queues in memory. */
__device__ static void enter(const bfs_state &s, const bfs_window &w, deep_memory *m, unsigned rank, unsigned blocks) {
    bfs_tally none = {0, 0};
    for (unsigned i = w.short_from + rank; i - lane_of() * blocks < w.short_to; i += blocks * THREADS) {
        weft_vid v = i < w.short_to ? __ldcg(&s.shorts[i]) : 0;
        weft_eid begin = s.out.offsets[v], end = s.out.offsets[v + 1];
        keep(s, w, m->queue[0], &m->filled[0], {v, i < w.short_to ? (uint32_t)(end - begin) : 0, begin}, &none);
    }
    for (unsigned i = w.piece_from + rank; i - lane_of() * blocks < w.piece_to; i += blocks * THREADS) {
        uint2 piece = i < w.piece_to ? __ldcg(&s.pieces[i]) : make_uint2(0, 0);
        weft_eid begin = s.out.offsets[piece.x] + (weft_eid)piece.y * PIECE, end = s.out.offsets[piece.x + 1];
        if (begin + PIECE < end) end = begin + PIECE;
        keep(s, w, m->queue[0], &m->filled[0], {piece.x, i < w.piece_to ? (uint32_t)(end - begin) : 0, begin}, &none);
    }
}

/* The warp's share of a level. */
__device__ static void push_strips(const bfs_state &s, const bfs_window &w, deep_memory *m, const deep_level &l,
                                   deep_tally *t) {
    namespace groups = cooperative_groups;
    for (unsigned at = l.at; at < l.total; at += l.step) {
        unsigned i = at + lane_of() / STRIP, block = 0;
#pragma unroll
        for (int b = 0; b < MOST_BLOCKS - 1; b++) block += __shfl_sync(~0u, l.upto, b) <= i;
        unsigned before = __shfl_sync(~0u, l.upto, block ? (int)block - 1 : 0);
        bfs_strip e = {0, 0, 0};
        if (i < l.total) e = groups::this_cluster().map_shared_rank(m->queue[l.side], block)[i - (block ? before : 0)];
        bool mine = lane_of() % STRIP < e.arcs, first = false;
        weft_vid v = mine ? s.out.targets[e.begin + lane_of() % STRIP] : 0;
        uint32_t level = mine ? __ldcg(&s.level[v]) : 0;
        weft_eid begin = mine ? s.out.offsets[v] : 0, end = mine ? s.out.offsets[v + 1] : 0;
        if (mine && level >= l.depth) first = atomicMin(&s.parent[v], e.v) == WEFT_NO_VERTEX;
        t->done.arcs += mine;
        if (first) {
            __stcg(&s.level[v], l.depth);
            if (begin < end) asm volatile("prefetch.global.L2 [%0];" ::"l"(&s.out.targets[begin]));
            t->done.found++;
        }
        unsigned finds = __ballot_sync(~0u, first);
        if (!finds) continue;
        if (lane_of() == 0) atomicAdd(&m->found[l.set], (unsigned)__popc(finds));
        keep(s, w, m->queue[l.side ^ 1], &m->filled[l.set], {v, first ? (uint32_t)(end - begin) : 0, begin}, &t->left);
    }
}

/* Tells every block of the cluster the numbers of entries and new vertices of this one, and waits for all. */
__device__ static void meet(deep_memory *m, unsigned side, unsigned set) {
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    __syncthreads();
    if (threadIdx.x < cluster.num_blocks())
        *cluster.map_shared_rank(&m->sizes[side][cluster.block_rank()], threadIdx.x) =
            (unsigned long long)m->found[set] << 32 | m->filled[set];
    cluster.sync();
}

/* Moves this block's queue to the queues in memory, each vertex once: with its first strip. */
__device__ static void leave(const bfs_state &s, const bfs_window &w, const bfs_strip *queue_here, unsigned filled,
                             bfs_tally *left) {
    unsigned size = filled < ROOM ? filled : ROOM;
    for (unsigned i = threadIdx.x; i - lane_of() < size; i += THREADS) {
        bfs_strip e = {0, 0, 0};
        if (i < size) e = queue_here[i];
        bool head = e.arcs && e.begin == s.out.offsets[e.v];
        if (__any_sync(~0u, head)) queue<1>(s, w, &s.p->turned.queued, head, &e.v, left);
    }
}

/* One thread's part of a sum over the cluster. */
__device__ static void add_to(unsigned long long *sum, unsigned long long part) {
    part = wfi_warp_sum(part);
    if (lane_of() == 0 && part) atomicAdd(sum, part);
}
#endif

static cudaLaunchConfig_t deep_launch(const weft_ctx *ctx, unsigned blocks, cudaLaunchAttribute *attribute) {
    cudaLaunchConfig_t config = {};
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = blocks;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = sizeof(deep_memory);
    config.stream = wfi_cuda_stream(ctx);
    config.attrs = attribute;
    config.numAttrs = 1;
    return config;
}

/* Runs levels from p->depth on, until none is left, or the frontier outgrows the cluster.  Leaves the same state as
 * search_kernel.  p->turned is clear before and after. */
__global__ void __launch_bounds__(THREADS, 1) deep_kernel(bfs_state s) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ char bytes[];
    deep_memory *m = (deep_memory *)bytes;
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    unsigned blocks = cluster.num_blocks(), rank = threadIdx.x * blocks + cluster.block_rank(), lane = lane_of();
    bfs_progress *p = s.p;
    bfs_window w = {__ldcg(&p->w.short_from), __ldcg(&p->w.short_to), __ldcg(&p->w.piece_from), __ldcg(&p->w.piece_to)};
    unsigned depth = __ldcg(&p->depth), side = 0, set = 0;
    unsigned last = s.max_depth - depth > DEEP_LEVELS ? depth + DEEP_LEVELS : s.max_depth;
    unsigned long long there;
    deep_tally t = {{0, 0}, {0, 0}};
    if (threadIdx.x < SETS) m->filled[threadIdx.x] = m->found[threadIdx.x] = 0;
    if (threadIdx.x < 2 * MOST_BLOCKS) m->sizes[threadIdx.x / MOST_BLOCKS][threadIdx.x % MOST_BLOCKS] = 0;
    if (rank == 0) m->found[0] = __ldcg(&p->frontier);
    cluster.sync();
    enter(s, w, m, rank, blocks);
    for (;;) {
        meet(m, side, set);
        there = lane < MOST_BLOCKS ? m->sizes[side][lane] : 0;
        unsigned upto = (unsigned)there;
        bool spilt = __any_sync(~0u, upto > ROOM), found = __any_sync(~0u, there >> 32 != 0);
        if (upto > ROOM) upto = ROOM;
        for (int far = 1; far < MOST_BLOCKS; far *= 2) {
            unsigned before = __shfl_up_sync(~0u, upto, far);
            if ((int)lane >= far) upto += before;
        }
        unsigned total = __shfl_sync(~0u, upto, MOST_BLOCKS - 1);
        if (!found || depth >= last || spilt || total > DEEP_LEAVE) break;
        depth++;
        set = (set + 1) % SETS;
        if (threadIdx.x == 0) m->filled[(set + 1) % SETS] = m->found[(set + 1) % SETS] = 0;
        unsigned share = WARP / STRIP, warp = threadIdx.x / WARP * blocks + cluster.block_rank();
        push_strips(s, w, m, {side, set, depth, upto, total, warp * share, blocks * WARPS * share}, &t);
        side ^= 1;
    }
    leave(s, w, m->queue[side], m->filled[set], &t.left);
    add_to(&p->reached, t.done.found);
    add_to(&p->unseen, 0 - t.done.arcs);
    add_to(&p->turned.arcs, t.left.arcs);
    cluster.sync();
    unsigned frontier = (unsigned)(there >> 32);
    frontier = wfi_warp_sum(frontier);
    if (rank) return;
    advance(&w, __ldcg(&p->turned.queued));
    p->w = w;
    p->frontier = frontier;
    p->frontier_arcs = __ldcg(&p->turned.arcs);
    p->depth = depth;
    p->done = !frontier || depth >= s.max_depth;
    p->deep = 0;
    clear(&p->turned);
#else
    (void)s;
#endif
}

/* The blocks of the cluster that this GPU gives deep_kernel; 0 if it gives none. */
static weft_status find_deep_blocks(weft_ctx *ctx, unsigned *found) {
    *found = 0;
    WFI_CUDA_OR_RETURN(cudaGetLastError()); /* an earlier error is reported, and not cleared below */
    if (!wfi_gpu_of(ctx)->clusters) return WEFT_OK;
    int wanted = (int)sizeof(deep_memory);
    if (cudaFuncSetAttribute(deep_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, wanted) == cudaSuccess &&
        cudaFuncSetAttribute(deep_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess)
        for (unsigned blocks = MOST_BLOCKS; blocks >= MOST_BLOCKS / 2 && !*found; blocks /= 2) {
            cudaLaunchAttribute attribute;
            cudaLaunchConfig_t config = deep_launch(ctx, blocks, &attribute);
            int fit = 0;
            if (cudaOccupancyMaxActiveClusters(&fit, deep_kernel, &config) == cudaSuccess && fit > 0) *found = blocks;
        }
    cudaGetLastError(); /* the failure of the queries is an answer */
    return WEFT_OK;
}

#endif
