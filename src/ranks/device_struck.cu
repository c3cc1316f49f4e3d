/* See device_struck.h. */
#include "cuda/launch.cuh"
#include "ranks/device_struck.h"

typedef unsigned long long word;

/* So many arcs into row k are struck, from vertices up to below that level.  Who strikes the last one queues it: its
 * level is read by the next kernel, after all have been struck. */
__device__ static inline void fall(const wfi_struck &p, weft_vid k, uint32_t by, uint32_t level, weft_vid *list) {
    atomicMax(p.level + k, level);
    if (atomicAdd((word *)p.waiting + k, (word)0 - by) == by) list[wfi_claim(p.queued)] = k;
}

weft_status wfi_struck_begin(weft_ctx *ctx, const wfi_struck *given) {
    wfi_struck p = *given;
    return wfi_each(ctx, p.out.count, [=] __device__(uint64_t k) {
        if (!p.waiting[k]) p.queue[wfi_claim(p.queued)] = (weft_vid)k;
    });
}

weft_status wfi_strike(weft_ctx *ctx, const wfi_struck *given, uint64_t queued) {
    wfi_struck p = *given;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = p.queue[i];
        uint32_t level = p.level[k] + 1;
        weft_eid e = p.out.offsets[k] - p.out.base + lane, end = p.out.offsets[k + (uint64_t)1] - p.out.base;
        for (; e < end; e += lanes) {
            weft_vid v = p.out.targets[e];
            if (v >= p.first && v - p.first < p.out.count) {
                fall(p, v - p.first, 1, level, p.next);
                continue;
            }
            uint32_t *half = (uint32_t *)(p.falls + v);
            atomicMax(half, level);
            if (!atomicAdd(half + 1, 1u)) p.say[wfi_claim(p.said)] = v;
        }
    });
}

weft_status wfi_struck_hear(weft_ctx *ctx, const wfi_struck *given, const uint32_t *heard, uint64_t count) {
    wfi_struck p = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        const uint32_t *it = heard + 3 * i;
        fall(p, it[0] - p.first, it[2], it[1], p.queue);
    });
}

weft_status wfi_struck_point_back(weft_ctx *ctx, const wfi_struck *given, uint64_t *before) {
    wfi_struck p = *given;
    return wfi_each_warp(ctx, p.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        weft_eid e = p.out.offsets[k] - p.out.base + lane, end = p.out.offsets[k + 1] - p.out.base;
        if (!p.waiting[k]) return;
        for (; e < end; e += lanes) atomicMin((word *)before + p.out.targets[e], (word)(p.first + k));
    });
}
