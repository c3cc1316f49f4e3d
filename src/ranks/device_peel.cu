/* See device_kernels.h. */
#include "cuda/launch.cuh"
#include "ranks/device_kernels.h"

typedef unsigned long long word;

/* Row k is decremented, by arcs that lead to this level.  Whoever brings it to 0 queues it: its level is read by the
 * next kernel, after all decrements. */
__device__ static inline void decrement(const wfi_kahn_gpu &p, weft_vid k, uint32_t by, uint32_t level,
                                        weft_vid *list) {
    atomicMax(p.level + k, level);
    if (atomicAdd((word *)p.waiting + k, (word)0 - by) == by) list[wfi_claim(p.queued)] = k;
}

weft_status wfi_kahn_begin(weft_ctx *ctx, const wfi_kahn_gpu *given) {
    wfi_kahn_gpu p = *given;
    return wfi_each(ctx, p.out.count, [=] __device__(uint64_t k) {
        if (!p.waiting[k]) p.queue[wfi_claim(p.queued)] = (weft_vid)k;
    });
}

weft_status wfi_kahn_decrement(weft_ctx *ctx, const wfi_kahn_gpu *given, uint64_t queued) {
    wfi_kahn_gpu p = *given;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = p.queue[i];
        uint32_t level = p.level[k] + 1;
        weft_eid e = p.out.offsets[k] - p.out.base + lane, end = p.out.offsets[k + (uint64_t)1] - p.out.base;
        for (; e < end; e += lanes) {
            weft_vid v = p.out.targets[e];
            if (v >= p.first && v - p.first < p.out.count) {
                decrement(p, v - p.first, 1, level, p.next);
                continue;
            }
            uint32_t *half = (uint32_t *)(p.decrement + v);
            atomicMax(half, level);
            if (!atomicAdd(half + 1, 1u)) p.addressed[wfi_claim(p.addressed_count)] = v;
        }
    });
}

weft_status wfi_kahn_receive(weft_ctx *ctx, const wfi_kahn_gpu *given, const uint32_t *received, uint64_t count) {
    wfi_kahn_gpu p = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        const uint32_t *it = received + 3 * i;
        decrement(p, it[0] - p.first, it[2], it[1], p.queue);
    });
}

weft_status wfi_kahn_predecessors(weft_ctx *ctx, const wfi_kahn_gpu *given, uint64_t *before) {
    wfi_kahn_gpu p = *given;
    return wfi_each_warp(ctx, p.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        weft_eid e = p.out.offsets[k] - p.out.base + lane, end = p.out.offsets[k + 1] - p.out.base;
        if (!p.waiting[k]) return;
        for (; e < end; e += lanes) atomicMin((word *)before + p.out.targets[e], (word)(p.first + k));
    });
}
