/* See kcore.h. */
#include "algo/kcore/kcore.h"
#include "cuda/launch.cuh"
#include "cuda/walk.cuh"

__device__ static inline void put(const wfi_peel_gpu &p, weft_vid k) {
    p.taken[k] = 1;
    p.queue[wfi_claim(p.counts_of + WFI_PEEL_QUEUED)] = k;
}

weft_status wfi_peel_begin(weft_ctx *ctx, const wfi_peel_gpu *given) {
    wfi_peel_gpu p = *given;
    return wfi_each_warp(ctx, p.vertices, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        uint32_t count = 0;
        wfi_each_neighbour(p.counts[0], p.counts[1], k, lane, lanes,
                           [&](weft_vid, unsigned ways) { count += p.merged ? 1 : ways; });
        if (count) atomicAdd(p.core + k, count);
    });
}

weft_status wfi_peel_lowest(weft_ctx *ctx, const wfi_peel_gpu *given) {
    wfi_peel_gpu p = *given;
    volatile uint64_t *least = p.counts_of + WFI_PEEL_LEAST;
    return wfi_each(ctx, p.vertices, [=] __device__(uint64_t k) {
        if (p.taken[k] || p.core[k] >= *least) return;
        atomicMin((unsigned long long *)p.counts_of + WFI_PEEL_LEAST, (unsigned long long)p.core[k]);
    });
}

weft_status wfi_peel_take(weft_ctx *ctx, const wfi_peel_gpu *given, uint32_t k) {
    wfi_peel_gpu p = *given;
    return wfi_each(ctx, p.vertices, [=] __device__(uint64_t at) {
        if (!p.taken[at] && p.core[at] == k) put(p, (weft_vid)at);
    });
}

weft_status wfi_peel_decrement(weft_ctx *ctx, const wfi_peel_gpu *given, uint64_t queued) {
    wfi_peel_gpu p = *given;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = p.queue[i];
        wfi_each_neighbour(p.counted_by[0], p.counted_by[1], k, lane, lanes, [&](weft_vid u, unsigned ways) {
            uint32_t by = p.merged ? 1 : ways;
            if (!atomicAdd(p.decrement + u, by)) p.addressed[wfi_claim(p.addressed_count)] = u;
        });
    });
}

/* Several ranks may tell of a vertex: whoever brings it down to k takes it. */
weft_status wfi_peel_receive(weft_ctx *ctx, const wfi_peel_gpu *given, const uint32_t *received, uint64_t count,
                             uint32_t k) {
    wfi_peel_gpu p = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid at = received[2 * i] - p.first;
        uint32_t by = received[2 * i + 1], left = p.core[at], next;
        for (;;) {
            if (left <= k) return; /* taken */
            next = left - k > by ? left - by : k;
            uint32_t was = atomicCAS(p.core + at, left, next);
            if (was == left) break;
            left = was;
        }
        if (next == k) put(p, at);
    });
}
