/* How bodies become a step (ops.h).  The list of an algorithm's steps stands in its header of bodies,
 *
 *     #define HITS_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) VERTICES(hits_share) ROWS_FIXED(hits_pull)
 *
 * and WFI_STEPS(hits_state, HITS_STEPS) makes of it, in the descriptor's file, steps for CPU cores, named
 * hits_share_op and hits_pull_op; in a .cu file, that of the GPU (bodies.cuh).  A step has these bodies, of which `t`
 * collects totals:
 *
 *     VERTICES     void x(const S *s, weft_vid k, wfi_op_totals *t)
 *     ROWS_FIXED   void x_end(const S *s, weft_vid k, double sum, t)       of shares: the state has double *share, of
 *     all
 *                                                                          vertices, 0 ... 2^62, and the sum is that of
 *                                                                          s->share[target] * 2^-62, by the arcs'
 *                                                                          weights if o->weighted; it is below 4
 *     ROWS_COUNT   uint64_t x_term(const S *s, weft_vid target)            integers, added
 *                  void x_end(const S *s, weft_vid k, uint64_t sum, t)
 *
 * A push, WFI_OP_PUSH(x) after WFI_STEPS, is a step over rows that tells targets something:
 *
 *     bool x_wants(const S *s, weft_vid k)         does row k tell its targets?
 *     void x_tell(const S *s, weft_vid target)     many may at once (wfi_op_mark)
 *
 * k counts this rank's vertices, targets are vertices of the graph.  Whether there is a GPU is the descriptor's to
 * know (WFI_WITH_CUDA of run/algorithm.h). */
#ifndef WFI_BODIES_H
#define WFI_BODIES_H

#include "ops/ops.h"

/* *flag = 1, whoever else does. */
WFI_HOST_DEVICE static inline void wfi_op_mark(uint8_t *flag) {
#ifdef __CUDA_ARCH__
    *flag = 1;
#else
    __atomic_store_n(flag, (uint8_t)1, __ATOMIC_RELAXED);
#endif
}

#ifdef __CUDACC__
#include "ops/bodies.cuh"
#else

/* Arcs of one row that are added between two looks at the request to stop; rows whose sums are kept for their ends. */
enum { WFI_OP_SEGMENT = 1 << 20, WFI_OP_BATCH = 128 };

#define WFI_INLINE static inline __attribute__((always_inline))

typedef uint64_t wfi_op_count_term(const void *state, weft_vid target);

/* The arcs from ... to-1 of a row. */
WFI_INLINE void wfi_op_add_fixed(const wfi_view *rows, bool weighted, weft_eid from, weft_eid to, const double *share,
                                 wfi_fixed *sum) {
    const weft_vid *target = rows->targets;
    const uint32_t *whole = rows->weights;
    const float *single = rows->weights;
    const double *real = rows->weights;
    if (!weighted)
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[target[e]]);
    else if (rows->type == WEFT_WEIGHT_U32)
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[target[e]] * (double)whole[e]);
    else if (rows->type == WEFT_WEIGHT_F32)
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[target[e]] * (double)single[e]);
    else
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[target[e]] * real[e]);
    wfi_fixed_carry(sum);
}

WFI_INLINE double wfi_op_row_fixed(wfi_ops *o, const wfi_view *rows, weft_vid k, const double *share) {
    weft_eid e = rows->offsets[k], end = rows->offsets[k + 1];
    wfi_fixed sum = {0, 0};
    if (wfi_ops_alike(o)) return wfi_fixed_value(wfi_fixed_times(o->alike, end - e));
    for (; end - e > WFI_OP_SEGMENT && !wfi_ops_stops(o); e += WFI_OP_SEGMENT)
        wfi_op_add_fixed(rows, o->weighted, e, e + WFI_OP_SEGMENT, share, &sum);
    wfi_op_add_fixed(rows, o->weighted, e, end, share, &sum);
    return wfi_fixed_value(sum);
}

WFI_INLINE uint64_t wfi_op_row_count(wfi_ops *o, const wfi_view *rows, weft_vid k, const void *state,
                                     wfi_op_count_term *term) {
    uint64_t sum = 0;
    for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
        if (e % WFI_OP_SEGMENT == 0 && wfi_ops_stops(o)) break;
        sum += term(state, rows->targets[e]);
    }
    return sum;
}

/* Of each a function over a chunk, in which the bodies are inlined, and the step. */
#define WFI_OP_HEAD(x)                                                                                  \
    extern weft_status x##_gpu(wfi_ops *o, const void *state, const wfi_view *rows, wfi_op_totals *to); \
    static void x##_cpu(wfi_ops *o, const void *s, const wfi_view *rows, weft_vid k, weft_vid to, wfi_op_totals *t)
#define WFI_OP_STEP(x) static const wfi_op x##_op = {x##_cpu, WFI_WITH_CUDA(x##_gpu)};

#define WFI_OP_VERTICES(x)              \
    WFI_OP_HEAD(x) {                    \
        (void)o, (void)rows;            \
        for (; k < to; k++) x(s, k, t); \
    }                                   \
    WFI_OP_STEP(x)
/* Sums of some rows, then their ends: each of the two loops by itself is done with vectors. */
#define WFI_OP_ROWS_FIXED(x)                                                                              \
    WFI_OP_HEAD(x) {                                                                                      \
        const wfi_op_state state = *(const wfi_op_state *)s;                                              \
        wfi_op_totals mine = *t;                                                                          \
        for (; k < to; k += WFI_OP_BATCH) {                                                               \
            double came[WFI_OP_BATCH];                                                                    \
            weft_vid count = to - k < WFI_OP_BATCH ? to - k : WFI_OP_BATCH;                               \
            for (weft_vid i = 0; i < count; i++) came[i] = wfi_op_row_fixed(o, rows, k + i, state.share); \
            for (weft_vid i = 0; i < count; i++) x##_end(&state, k + i, came[i], &mine);                  \
        }                                                                                                 \
        *t = mine;                                                                                        \
    }                                                                                                     \
    WFI_OP_STEP(x)
#define WFI_OP_ROWS_COUNT(x)                                                           \
    WFI_INLINE uint64_t x##_of(const void *s, weft_vid v) { return x##_term(s, v); }   \
    WFI_OP_HEAD(x) {                                                                   \
        for (; k < to; k++) x##_end(s, k, wfi_op_row_count(o, rows, k, s, x##_of), t); \
    }                                                                                  \
    WFI_OP_STEP(x)
#define WFI_OP_PUSH(x)                                                           \
    WFI_OP_HEAD(x) {                                                             \
        (void)t;                                                                 \
        for (; k < to; k++) {                                                    \
            if (!x##_wants(s, k)) continue;                                      \
            for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) { \
                if (e % WFI_OP_SEGMENT == 0 && wfi_ops_stops(o)) break;          \
                x##_tell(s, rows->targets[e]);                                   \
            }                                                                    \
        }                                                                        \
    }                                                                            \
    WFI_OP_STEP(x)

#define WFI_STEPS(state, LIST)  \
    typedef state wfi_op_state; \
    LIST(WFI_OP_VERTICES, WFI_OP_ROWS_FIXED, WFI_OP_ROWS_COUNT)
#endif
#endif
