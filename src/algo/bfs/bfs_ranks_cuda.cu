/* See bfs_ranks_cuda.h. */
#include "algo/bfs/bfs_ranks_cuda.h"
#include "cuda/launch.cuh"

__device__ static inline bool has(const uint32_t *bits, weft_vid v) { return bits[v / 32] >> (v % 32) & 1; }
__device__ static inline void put(uint32_t *bits, weft_vid v) { atomicOr(bits + v / 32, 1u << (v % 32)); }

/* Row k was found. */
__device__ static inline void enqueue(const wfi_rank_search &b, weft_vid k) {
    b.queue[wfi_claim(b.counts + WFI_SEARCH_QUEUED)] = k;
    atomicAdd((unsigned long long *)b.counts + WFI_SEARCH_ARCS,
              (unsigned long long)(b.out.offsets[k + (uint64_t)1] - b.out.offsets[k]));
    put(b.seen, b.first + k);
}

weft_status wfi_rank_search_seed(weft_ctx *ctx, const wfi_rank_search *given, const weft_vid *sources, uint64_t count) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid v = sources[i], k = v - b.first;
        put(b.seen, v);
        if (v < b.first || k >= b.out.count) return;
        if (atomicCAS(b.level + k, WEFT_UNREACHED, 0u) != WEFT_UNREACHED) return;
        b.parent[k] = v;
        enqueue(b, k);
    });
}

weft_status wfi_rank_search_push(weft_ctx *ctx, const wfi_rank_search *given, uint64_t queued) {
    wfi_rank_search b = *given;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = b.queue[i], u = b.first + k;
        weft_eid e = b.out.offsets[k] - b.out.base + lane, end = b.out.offsets[k + (uint64_t)1] - b.out.base;
        for (; e < end; e += lanes) {
            weft_vid v = b.out.targets[e];
            if (has(b.seen, v)) continue; /* which no thread changes meanwhile */
            if (atomicMin(b.offer + v, u) == WEFT_NO_VERTEX) b.addressed[wfi_claim(b.addressed_count)] = v;
        }
    });
}

weft_status wfi_rank_search_see(weft_ctx *ctx, const wfi_rank_search *given, uint64_t count) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) { put(b.seen, b.addressed[i]); });
}

weft_status wfi_rank_search_take(weft_ctx *ctx, const wfi_rank_search *given, const uint32_t *received, uint64_t count,
                                 uint32_t depth) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid k = received[2 * i] - b.first;
        uint32_t was = atomicCAS(b.level + k, WEFT_UNREACHED, depth);
        if (was == WEFT_UNREACHED) enqueue(b, k);
        if (was == WEFT_UNREACHED || was == depth) atomicMin(b.parent + k, received[2 * i + 1]);
    });
}

weft_status wfi_rank_search_show(weft_ctx *ctx, const wfi_rank_search *given, uint64_t queued) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, queued, [=] __device__(uint64_t i) { put(b.front, b.first + b.queue[i]); });
}

weft_status wfi_rank_search_join(weft_ctx *ctx, const wfi_rank_search *given, uint64_t words) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, words, [=] __device__(uint64_t i) { b.seen[i] |= b.front[i]; });
}

weft_status wfi_rank_search_pull(weft_ctx *ctx, const wfi_rank_search *given, uint32_t depth) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t i) {
        weft_vid k = (weft_vid)i;
        if (b.level[k] != WEFT_UNREACHED) return;
        for (weft_eid e = b.in.offsets[i] - b.in.base, end = b.in.offsets[i + 1] - b.in.base; e < end; e++) {
            if (!has(b.front, b.in.targets[e])) continue;
            b.level[k] = depth;
            b.parent[k] = b.in.targets[e]; /* rows ascend: it is the smallest */
            enqueue(b, k);
            return;
        }
    });
}

weft_status wfi_rank_search_unmet(weft_ctx *ctx, const wfi_rank_search *given, const weft_vid *targets,
                                  uint64_t count) {
    wfi_rank_search b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid v = targets[i], k = v - b.first;
        if (v >= b.first && k < b.out.count && b.level[k] == WEFT_UNREACHED) wfi_claim(b.counts + WFI_SEARCH_UNMET);
    });
}
