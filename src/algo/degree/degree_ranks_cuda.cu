/* See degree.h. */
#include "algo/degree/degree.h"
#include "cuda/launch.cuh"

weft_status wfi_degree_count_targets(weft_ctx *ctx, const weft_vid *targets, weft_eid arcs, uint64_t *in) {
    unsigned long long *to = (unsigned long long *)in;
    return wfi_each(ctx, arcs, [=] __device__(uint64_t e) { atomicAdd(to + targets[e], 1ull); });
}

weft_status wfi_degree_lengths(weft_ctx *ctx, wfi_view rows, uint64_t *length) {
    return wfi_each(ctx, rows.count, [=] __device__(uint64_t k) { length[k] = rows.offsets[k + 1] - rows.offsets[k]; });
}

weft_status wfi_degree_add(weft_ctx *ctx, weft_vid count, const uint64_t *in, const uint64_t *out, uint64_t *total) {
    return wfi_each(ctx, count, [=] __device__(uint64_t k) { total[k] = out[k] + (in ? in[k] : 0); });
}
