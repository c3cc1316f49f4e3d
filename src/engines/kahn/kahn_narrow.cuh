/* Narrow levels, one after the other, without the rest of the grid: by one block, or by a cluster of blocks, whose
 * barrier is several times cheaper than the grid's.  Entries stay in shared memory; a cluster's warps share out the
 * queues of all its blocks evenly and read each other's.  The new state is left in memory for the other blocks. */
#ifndef WFI_KAHN_KAHN_NARROW_CUH
#define WFI_KAHN_KAHN_NARROW_CUH

#include "engines/kahn/kahn_rows.cuh"

#include <cooperative_groups.h>

namespace {

/* One block runs levels as long as they are narrow enough. */
template <bool BOTH>
__device__ void go_alone(const kahn_peel &w, number (*entry)[ROOM], kahn_state at, unsigned last, kahn_state *left) {
    __shared__ kahn_counts set[SETS];
    __shared__ filling fill[SETS];
    if (threadIdx.x < SETS) {
        set[threadIdx.x] = {0, 0, 0};
        fill[threadIdx.x].clear();
    }
    __syncthreads();
    unsigned side = 0, turn = 0, size, warp = threadIdx.x / WARP;
    kahn_level level = {{entry[0], &fill[0]}, ++at.depth, at.to, &set[0].entries};
    kahn_tally t = remove_arcs<BOTH, true>(w, from_memory{w.queue + at.from}, at.to - at.from, level, warp, WARPS);
    for (;;) {
        block_add(t, &set[turn]);
        __syncthreads();
        at.frontier = set[turn].taken;
        size = fill[turn].size();
        at.peeled += at.frontier;
        if (!size || at.peeled == w.n || set[turn].arcs > w.alone || set[turn].entries || at.depth >= last) break;
        unsigned next = (turn + 1) % SETS, third = (turn + 2) % SETS;
        if (threadIdx.x == 0) {
            set[third] = {0, 0, 0};
            fill[third].clear();
        }
        level = {{entry[side ^ 1], &fill[next]}, ++at.depth, at.to, &set[next].entries};
        t = remove_arcs<BOTH, true>(w, from_block{entry[side]}, size, level, warp, WARPS);
        side ^= 1;
        turn = next;
    }
    number spilt = set[turn].entries;
    for (unsigned i = threadIdx.x; i < size; i += THREADS) __stcg(&w.queue[at.to + spilt + i], entry[side][i]);
    if (threadIdx.x) return;
    at.from = at.to;
    at.to += spilt + size;
    at.arcs = set[turn].arcs;
    *left = at;
}

#if __CUDA_ARCH__ >= 900
/* A block's numbers of a level, for the others. */
struct kahn_news {
    unsigned size, taken, arcs, full;
};

/* The queues of all blocks of the cluster, end to end.  upto: in lane b, the entries of blocks 0 ... b. */
struct from_cluster {
    number *entry;
    unsigned upto;
    __device__ number operator()(bool there, number i) const {
        unsigned block = 0;
#pragma unroll
        for (int b = 0; b < CLUSTER - 1; b++) block += __shfl_sync(~0u, upto, b) <= (unsigned)i;
        unsigned before = __shfl_sync(~0u, upto, block ? (int)block - 1 : 0);
        number *theirs = cooperative_groups::this_cluster().map_shared_rank(entry, block);
        return there ? theirs[(unsigned)i - (block ? before : 0)] : 0;
    }
};

/* A cluster runs levels as long as they are narrow enough. */
template <bool BOTH>
__device__ void go_together(const kahn_peel &w, number (*entry)[ROOM], kahn_state at, unsigned last, kahn_state *left) {
    __shared__ kahn_counts set[SETS];
    __shared__ filling fill[SETS];
    __shared__ kahn_news table[2][CLUSTER];
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    unsigned rank = cluster.block_rank(), lane = lane_of(), warp = rank + threadIdx.x / WARP * CLUSTER;
    unsigned side = 0, turn = 0, arcs, upto, total, full;
    number *spilt = &w.p->spilt;
    if (threadIdx.x < SETS) {
        set[threadIdx.x] = {0, 0, 0};
        fill[threadIdx.x].clear();
    }
    __syncthreads();
    kahn_level level = {{entry[0], &fill[0]}, ++at.depth, at.to, spilt};
    kahn_tally t =
        remove_arcs<BOTH, true>(w, from_memory{w.queue + at.from}, at.to - at.from, level, warp, CLUSTER * WARPS);
    for (;;) {
        block_add(t, &set[turn]);
        __syncthreads();
        if (threadIdx.x < CLUSTER) {
            unsigned size = fill[turn].size(), many = set[turn].arcs < MUCH ? (unsigned)set[turn].arcs : MUCH;
            *cluster.map_shared_rank(&table[side][rank], threadIdx.x) = {size, set[turn].taken, many,
                                                                         fill[turn].asked > size};
        }
        cluster.sync();
        kahn_news of = {0, 0, 0, 0};
        if (lane < CLUSTER) of = table[side][lane];
        upto = wfi_warp_scan(of.size);
        total = __shfl_sync(~0u, upto, WARP - 1);
        at.frontier = wfi_warp_sum(of.taken);
        arcs = wfi_warp_sum(of.arcs);
        full = __any_sync(~0u, of.full);
        at.peeled += at.frontier;
        if (!total || at.peeled == w.n || arcs > 2 * w.together || arcs <= w.alone / 4 || full || at.depth >= last)
            break;
        unsigned next = (turn + 1) % SETS, third = (turn + 2) % SETS;
        if (threadIdx.x == 0) {
            set[third] = {0, 0, 0};
            fill[third].clear();
        }
        level = {{entry[side ^ 1], &fill[next]}, ++at.depth, at.to, spilt};
        t = remove_arcs<BOTH, true>(w, from_cluster{entry[side], upto}, total, level, warp, CLUSTER * WARPS);
        side ^= 1;
        turn = next;
    }
    number over = __ldcg(spilt);
    unsigned size = fill[turn].size(), before = __shfl_sync(~0u, upto, (int)rank) - size;
    for (unsigned i = threadIdx.x; i < size; i += THREADS) __stcg(&w.queue[at.to + over + before + i], entry[side][i]);
    cluster.sync();
    if (rank || threadIdx.x) return;
    w.p->spilt = 0;
    at.from = at.to;
    at.to += over + total;
    at.arcs = arcs;
    *left = at;
}
#else
template <bool BOTH>
__device__ void go_together(const kahn_peel &, number (*)[ROOM], kahn_state, unsigned, kahn_state *) {}
#endif

} // namespace

#endif
