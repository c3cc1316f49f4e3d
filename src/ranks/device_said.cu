/* See device_said.h. */
#include "core/search.h"
#include "cuda/launch.cuh"
#include "ranks/device_said.h"

/* The last rank whose range begins at v or before: empty ranges come first. */
__device__ static inline unsigned owner_of(const weft_vid *cut, unsigned ranks, weft_vid v) {
    unsigned low = 1, high = ranks;
    WFI_BISECT(low, high, middle, cut[middle] <= v);
    return low - 1;
}

weft_status wfi_said_count(weft_ctx *ctx, const weft_vid *say, uint64_t said, const weft_vid *cut, int ranks,
                           uint64_t *place) {
    unsigned size = (unsigned)ranks;
    return wfi_each(ctx, said, [=] __device__(uint64_t i) { wfi_claim(place + owner_of(cut, size, say[i])); });
}

weft_status wfi_said_sort(weft_ctx *ctx, const weft_vid *say, uint64_t said, const weft_vid *cut, int ranks,
                          uint64_t *place, unsigned words, void *of, uint64_t rest, bool keep, uint32_t *sorted) {
    unsigned size = (unsigned)ranks;
    uint32_t *narrow = (uint32_t *)of;
    uint64_t *wide = (uint64_t *)of;
    return wfi_each(ctx, said, [=] __device__(uint64_t i) {
        weft_vid v = say[i];
        uint32_t *to = sorted + words * wfi_claim(place + owner_of(cut, size, v));
        to[0] = v;
        if (words == 2) {
            to[1] = narrow[v];
            if (!keep) narrow[v] = (uint32_t)rest;
        } else {
            to[1] = (uint32_t)wide[v];
            to[2] = (uint32_t)(wide[v] >> 32);
            if (!keep) wide[v] = rest;
        }
    });
}
