/* See device_kernels.h. */
#include "cuda/launch.cuh"
#include "ranks/device_kernels.h"

/* The last rank whose range begins at v or before: empty ranges come first. */
__device__ static inline unsigned owner_of(const wfi_addressed &a, weft_vid v) {
    unsigned low = 0, high = (unsigned)a.ranks - 1;
    while (low < high) {
        unsigned middle = low + (high - low + 1) / 2;
        if (a.cut[middle] <= v)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

weft_status wfi_messages_count(weft_ctx *ctx, const wfi_addressed *given) {
    wfi_addressed a = *given;
    return wfi_each(ctx, a.count, [=] __device__(uint64_t i) { wfi_claim(a.place + owner_of(a, a.vertex[i])); });
}

weft_status wfi_messages_sort(weft_ctx *ctx, const wfi_addressed *given, wfi_message_values values, unsigned words,
                              uint32_t *sorted) {
    wfi_addressed a = *given;
    uint32_t *narrow = (uint32_t *)values.of;
    uint64_t *wide = (uint64_t *)values.of;
    return wfi_each(ctx, a.count, [=] __device__(uint64_t i) {
        weft_vid v = a.vertex[i];
        uint32_t *to = sorted + words * wfi_claim(a.place + owner_of(a, v));
        to[0] = v;
        if (words == 2) {
            to[1] = narrow[v];
            if (!values.keep) narrow[v] = (uint32_t)values.rest;
        } else {
            to[1] = (uint32_t)wide[v];
            to[2] = (uint32_t)(wide[v] >> 32);
            if (!values.keep) wide[v] = values.rest;
        }
    });
}
