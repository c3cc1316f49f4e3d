/* From sources on the GPU: sums along rows.
 * A warp goes along a piece: 32 arcs at a time it looks who brings anything, then adds that up arc by arc, a lane of
 * the batch in two of its threads.  Rows of few arcs with few lanes at this level have a thread each. */
#ifndef WFI_BETWEENNESS_BRANDES_ROWS_CUH
#define WFI_BETWEENNESS_BRANDES_ROWS_CUH

#include "algo/betweenness/brandes_team.cuh"

enum { LIGHT = 16 }; /* a thread takes so many arcs, each with one lane */

/* --- numbers: doubles, and far ones ------------------------------------------------------------------------ */

struct near_numbers {
    enum { FAR = 0, ABREAST = 8 };
    typedef double number;
    __device__ static number of(double x) { return x; }
    __device__ static double plain(number x) { return x; }
    __device__ static number sum(number a, number b) { return a + b; }
    __device__ static number product(number a, number b) { return a * b; }
    __device__ static number quotient(number a, number b) { return a / b; }
    __device__ static bool some(number x) { return x > 0; }
    __device__ static bool beyond(number x) { return x > WFI_FAR_FROM; }
    __device__ static number at(const wfi_lane_batch_gpu &b, uint64_t v, unsigned l) { return b.value[v][l]; }
    __device__ static void put(const wfi_lane_batch_gpu &b, uint64_t v, unsigned l, number x) { b.value[v][l] = x; }
    __device__ static number part(const wfi_lane_batch_gpu &b, uint64_t p, unsigned l) { return b.part[p][l]; }
    __device__ static void put_part(const wfi_lane_batch_gpu &b, uint64_t p, unsigned l, number x) { b.part[p][l] = x; }
};

struct far_numbers {
    enum { FAR = 1, ABREAST = 4 };
    typedef wfi_wide_double number;
    __device__ static number of(double x) { return wfi_wide_double_of(x, 0); }
    __device__ static double plain(number x) { return wfi_wide_double_value(x); }
    __device__ static number sum(number a, number b) { return wfi_wide_double_sum(a, b); }
    __device__ static number product(number a, number b) { return wfi_wide_double_product(a, b); }
    __device__ static number quotient(number a, number b) { return wfi_wide_double_quotient(a, b); }
    __device__ static bool some(number x) { return x.digits > 0; }
    __device__ static bool beyond(number x) { return false; }
    __device__ static number at(const wfi_lane_batch_gpu &b, uint64_t v, unsigned l) {
        return {b.value[v][l], b.exponent[v][l]};
    }
    __device__ static void put(const wfi_lane_batch_gpu &b, uint64_t v, unsigned l, number x) {
        b.value[v][l] = x.digits;
        b.exponent[v][l] = x.exponent;
    }
    __device__ static number part(const wfi_lane_batch_gpu &b, uint64_t p, unsigned l) {
        return {b.part[p][l], b.part_exponent[p][l]};
    }
    __device__ static void put_part(const wfi_lane_batch_gpu &b, uint64_t p, unsigned l, number x) {
        b.part[p][l] = x.digits;
        b.part_exponent[p][l] = x.exponent;
    }
};

/* --- wide sums --------------------------------------------------------------------------------------------- */

/* In any order, by any number of threads: integers. */
__device__ static inline void add_wide(wfi_wide_sum *to, wfi_wide_sum x) {
    word whole = x.whole;
    if (x.part) {
        word before = atomicAdd((word *)&to->part, (word)x.part);
        whole += before + x.part < before;
    }
    if (whole) atomicAdd((word *)&to->whole, whole);
}

/* Over the 16 lanes, which both halves of the warp have. */
__device__ static inline wfi_wide_sum over_lanes(wfi_wide_sum x) {
#pragma unroll
    for (int far = LANES / 2; far; far /= 2) {
        wfi_wide_sum other;
        other.whole = __shfl_xor_sync(~0u, x.whole, far);
        other.part = __shfl_xor_sync(~0u, x.part, far);
        wfi_wide_join(&x, other);
    }
    return x;
}

/* --- arcs on the way back ---------------------------------------------------------------------------------- */

struct no_arcs {
    template <class N> struct row {
        __device__ row(wfi_wide_sum *, const word *, typename N::number) {}
        __device__ void together(unsigned, typename N::number) const {}
        __device__ void alone(unsigned, unsigned, typename N::number) const {}
    };
};

/* What arcs have of the paths of their row's vertex, of which `count` are there. */
struct all_arcs {
    template <class N> struct row {
        wfi_wide_sum *at;
        const word *times;
        typename N::number count;
        __device__ row(wfi_wide_sum *first, const word *t, typename N::number c) : at(first), times(t), count(c) {}
        __device__ wfi_wide_sum part(unsigned l, typename N::number share) const {
            return wfi_wide_times(N::plain(N::product(count, share)), times[l]);
        }
        __device__ void together(unsigned i, typename N::number share) const {
            wfi_wide_sum sum = over_lanes(part(lane_of() % LANES, share));
            if (lane_of() == 0) add_wide(&at[i], sum);
        }
        __device__ void alone(unsigned i, unsigned l, typename N::number share) const {
            add_wide(&at[i], part(l, share));
        }
    };
};

/* --- sums -------------------------------------------------------------------------------------------------- */

/* By a warp, along up to PIECE arcs, of the lanes `want`: that of lane l in the threads l and l + 16. */
template <class N, class R>
__device__ static typename N::number sum_together(const wfi_lane_batch_gpu &b, const weft_vid *target, unsigned count,
                                                  const wfi_lane_set *front, unsigned want, const R &row) {
    unsigned lane = lane_of(), l = lane % LANES;
    typename N::number sum = N::of(0);
    weft_vid next = lane < count ? target[lane] : 0;
    for (unsigned from = 0; from < count; from += WARP) {
        weft_vid u = next;
        unsigned has = from + lane < count ? front[u] & want : 0;
        if (from + WARP + lane < count) next = target[from + WARP + lane];
        unsigned found = __ballot_sync(~0u, has != 0);
        while (found) {
            typename N::number x[N::ABREAST];
            int who[N::ABREAST];
#pragma unroll
            for (int k = 0; k < N::ABREAST; k++) {
                who[k] = __ffs((int)found) - 1;
                x[k] = N::of(0);
                if (!found) continue;
                found &= found - 1;
                weft_vid v = __shfl_sync(~0u, u, who[k]);
                if (__shfl_sync(~0u, has, who[k]) >> l & 1) x[k] = N::at(b, v, l);
            }
#pragma unroll
            for (int k = 0; k < N::ABREAST; k++) {
                if (who[k] < 0) continue;
                sum = N::sum(sum, x[k]);
                row.together(from + (unsigned)who[k], x[k]);
            }
        }
    }
    return sum;
}

/* By a thread, along up to LIGHT arcs, of lane l. */
template <class N, class R>
__device__ static typename N::number sum_alone(const wfi_lane_batch_gpu &b, const weft_vid *target, unsigned count,
                                               const wfi_lane_set *front, unsigned l, const R &row) {
    enum { FOUR = 4 };
    typename N::number sum = N::of(0);
    for (unsigned from = 0; from < count; from += FOUR) {
        weft_vid u[FOUR];
        bool has[FOUR];
        typename N::number x[FOUR];
#pragma unroll
        for (int k = 0; k < FOUR; k++) u[k] = from + k < count ? target[from + k] : 0;
#pragma unroll
        for (int k = 0; k < FOUR; k++) has[k] = from + k < count && front[u[k]] >> l & 1;
#pragma unroll
        for (int k = 0; k < FOUR; k++) x[k] = has[k] ? N::at(b, u[k], l) : N::of(0);
#pragma unroll
        for (int k = 0; k < FOUR; k++) {
            if (!has[k]) continue;
            sum = N::sum(sum, x[k]);
            row.alone(from + k, l, x[k]);
        }
    }
    return sum;
}

/* Of the pieces from `first` on. */
template <class N>
__device__ static typename N::number sum_parts(const wfi_lane_batch_gpu &b, unsigned first, unsigned count) {
    unsigned l = lane_of() % LANES;
    typename N::number sum = N::of(0);
    for (unsigned from = 0; from < count; from += N::ABREAST) {
        typename N::number x[N::ABREAST];
#pragma unroll
        for (int k = 0; k < N::ABREAST; k++) x[k] = from + k < count ? N::part(b, first + from + k, l) : N::of(0);
#pragma unroll
        for (int k = 0; k < N::ABREAST; k++) sum = N::sum(sum, x[k]);
    }
    return sum;
}

#endif
