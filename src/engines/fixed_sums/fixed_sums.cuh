/* Sums of incoming shares, GPU: the sums of fixed_sums.h to the last bit.  Warps take equal spans of arcs
 * (cuda/walk.cuh) and add their part of a row to the row's sum by integer atomics: the parts of a row may come in any
 * order. */
#ifndef WFI_FIXED_SUMS_CUH
#define WFI_FIXED_SUMS_CUH

#include "cuda/fixed.cuh"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "engines/fixed_sums/takes.h"

/* A weight as the CPU computes with it, from the bits of a 4-byte type. */
__device__ inline double wfi_weight_value(uint32_t bits, bool real) {
    return real ? (double)__uint_as_float(bits) : (double)bits;
}
__device__ inline double wfi_weight_value(double weight, bool) { return weight; }

/* The weight of an arc. */
__device__ inline double wfi_device_weight(const void *weights, weft_weight_type type, weft_eid e) {
    if (type == WEFT_WEIGHT_F64) return __ldcs((const double *)weights + e);
    return wfi_weight_value(__ldcs((const uint32_t *)weights + e), type == WEFT_WEIGHT_F32);
}

/* The value that an arc passes on: the share, or its product with the weight. */
struct wfi_arcs_unweighted {
    template <class S> __device__ S pass(S share, const weft_vid *) const { return share; }
};
struct wfi_arcs_weighted {
    const weft_vid *targets;
    const void *weights;
    weft_weight_type type;
    __device__ double pass(double share, const weft_vid *at) const {
        return share * wfi_device_weight(weights, type, (weft_eid)(at - targets));
    }
};

/* The walk's visitor: adds incoming shares to the sum of each vertex from `first` on. */
template <class S, class Arcs = wfi_arcs_unweighted> struct wfi_pull_visitor {
    enum { WARP = 32, LIMBS = sizeof(wfi_sum<S>) / 8, AHEAD = 4 };
    const S *share;
    unsigned long long *sum; /* LIMBS words a vertex */
    weft_vid first;
    Arcs arcs;

    __device__ bool wants(weft_vid) const { return true; }

    __device__ wfi_sum<S> add(const weft_vid *target, unsigned from, unsigned step, unsigned count) const {
        wfi_sum<S> mine;
        for (unsigned k = from; k < count; k += AHEAD * step) {
            S got[AHEAD];
#pragma unroll
            for (unsigned i = 0; i < AHEAD; i++) {
                const weft_vid *at = target + k + i * step;
                got[i] = k + i * step < count ? arcs.pass(share[__ldcs(at)], at) : (S)0;
            }
#pragma unroll
            for (unsigned i = 0; i < AHEAD; i++) mine.add(got[i]);
        }
        return mine;
    }
    __device__ void alone(weft_vid v, const weft_vid *target, unsigned count) const {
        add(target, 0, 1, count).add_to(sum + (size_t)(v - first) * LIMBS);
    }
    __device__ void together(weft_vid v, const weft_vid *target, unsigned count) const {
        wfi_sum<S> mine = add(target, threadIdx.x % WARP, WARP, count);
        for (int far = WARP / 2; far; far /= 2) mine.add_lane(~0u, far);
        if (threadIdx.x % WARP == 0) mine.add_to(sum + (size_t)(v - first) * LIMBS);
    }
};

/* The sum of row v's weights, for all lanes of a warp: they load weights in parallel, and add them one by one in the
 * order of the row, as wfi_row_sum does.  *bad: the first arc with an unusable weight. */
__device__ inline double wfi_warp_row_sum(const wfi_view &rows, weft_weight_type type, weft_vid v,
                                          unsigned long long *bad) {
    enum { WARP = 32 };
    weft_eid end = rows.offsets[(uint64_t)v + 1];
    unsigned lane = threadIdx.x % WARP;
    double sum = 0;
    for (weft_eid e = rows.offsets[v]; e < end; e += WARP) {
        double mine = e + lane < end ? wfi_device_weight(rows.weights, type, e + lane - rows.base) : 0;
        if (!WFI_SHARES_TAKE(mine)) atomicMin(bad, (unsigned long long)(e + lane));
        int count = end - e < WARP ? (int)(end - e) : WARP;
        for (int k = 0; k < count; k++) sum += __shfl_sync(~0u, mine, k);
    }
    return sum;
}

#endif
