/* Steps on the GPU (ops.h, bodies.h). Vertices: a thread each.  Rows: warps take equal spans of the arcs
 * (cuda/walk.cuh), and what a warp has of a row goes to the row's sum by integer atomics; then a thread a row finishes
 * it, and leaves the sum 0 for the next step.  Totals: over a warp by shuffles, over the block in shared memory, then
 * to global memory. */
#ifndef WFI_BODIES_CUH
#define WFI_BODIES_CUH

#include "cuda/buffers.cuh"
#include "cuda/fixed.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "ops/ops.h"

typedef unsigned long long wfi_word;
enum { WFI_OP_THREADS = 256, WFI_OP_BLOCKS = 1 << 12, WFI_OP_WARP = 32, WFI_OP_AHEAD = 4 };

/* --- totals ---------------------------------------------------------------------------------------------- */

/* Of all threads of the block. */
__device__ static inline void wfi_op_hand_in(wfi_op_totals t, wfi_op_totals *to) {
    __shared__ wfi_word all[WFI_OP_WORDS];
    const uint64_t *mine = (const uint64_t *)&t;
    if (threadIdx.x < WFI_OP_WORDS) all[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WFI_OP_WORDS; i++) {
        wfi_word x = mine[i];
        if (!__any_sync(~0u, x != 0)) continue;
        x = i < WFI_OP_ADDED ? wfi_warp_sum(x) : wfi_warp_max(x);
        if (threadIdx.x % WFI_OP_WARP) continue;
        if (i < WFI_OP_ADDED)
            atomicAdd(&all[i], x);
        else
            atomicMax(&all[i], x);
    }
    __syncthreads();
    if (threadIdx.x >= WFI_OP_WORDS || !all[threadIdx.x]) return;
    if (threadIdx.x < WFI_OP_ADDED)
        atomicAdd((wfi_word *)to + threadIdx.x, all[threadIdx.x]);
    else
        atomicMax((wfi_word *)to + threadIdx.x, all[threadIdx.x]);
}

/* --- vertices -------------------------------------------------------------------------------------------- */

template <class Op>
__global__ void __launch_bounds__(WFI_OP_THREADS) wfi_op_each(Op op, uint64_t count, wfi_op_totals *to) {
    wfi_op_totals t = {};
    for (uint64_t k = blockIdx.x * (uint64_t)WFI_OP_THREADS + threadIdx.x; k < count;
         k += (uint64_t)gridDim.x * WFI_OP_THREADS)
        op.each((weft_vid)k, &t);
    if (to) wfi_op_hand_in(t, to);
}

template <class Op> static weft_status wfi_op_vertices(wfi_ops *o, Op op, wfi_op_totals *to) {
    weft_ctx *ctx = o->ctx;
    if (to) WFI_CUDA(cudaMemsetAsync(to, 0, sizeof *to, wfi_cuda_stream(ctx)));
    if (!o->mine) return WEFT_OK;
    wfi_op_each<<<wfi_grid(o->mine, WFI_OP_THREADS, WFI_OP_BLOCKS), WFI_OP_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        op, o->mine, to);
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

/* --- rows ------------------------------------------------------------------------------------------------ */

/* What is added up in a row. */
struct wfi_op_fixed {
    typedef double term;
    enum { WORDS = 2 };
    wfi_sum<double> sum;
    __device__ void add(double x) { sum.add(x); }
    __device__ void add_lane(int far) { sum.add_lane(~0u, far); }
    __device__ void add_to(wfi_word *place) const { sum.add_to(place); }
    __device__ static double take(wfi_word *place) {
        double value = wfi_sum<double>::from(place).value();
        place[0] = place[1] = 0;
        return value;
    }
};
struct wfi_op_count {
    typedef uint64_t term;
    enum { WORDS = 1 };
    wfi_word sum = 0;
    __device__ void add(uint64_t x) { sum += x; }
    __device__ void add_lane(int far) { sum += __shfl_down_sync(~0u, sum, far); }
    __device__ void add_to(wfi_word *place) const { atomicAdd(place, sum); }
    __device__ static uint64_t take(wfi_word *place) {
        uint64_t value = *place;
        *place = 0;
        return value;
    }
};

/* What an arc makes of a term: nothing, or its multiple by the weight. */
struct wfi_op_alike {
    template <class T> __device__ T pass(T term, const weft_vid *) const { return term; }
};
struct wfi_op_weighted {
    const weft_vid *targets;
    const void *weights;
    weft_weight_type type;
    __device__ double pass(double term, const weft_vid *at) const {
        weft_eid e = (weft_eid)(at - targets);
        if (type == WEFT_WEIGHT_F64) return term * __ldcs((const double *)weights + e);
        uint32_t bits = __ldcs((const uint32_t *)weights + e);
        return term * (type == WEFT_WEIGHT_F32 ? (double)__uint_as_float(bits) : (double)bits);
    }
};

/* The walk's visitor. */
template <class Op, class Sum, class Arcs> struct wfi_op_visitor {
    Op op;
    Arcs arcs;
    wfi_word *sums;

    __device__ bool wants(weft_vid) const { return true; }
    __device__ Sum add(const weft_vid *target, unsigned from, unsigned step, unsigned count) const {
        typedef typename Sum::term T;
        Sum mine;
        for (unsigned k = from; k < count; k += WFI_OP_AHEAD * step) {
            T got[WFI_OP_AHEAD];
#pragma unroll
            for (unsigned i = 0; i < WFI_OP_AHEAD; i++) {
                const weft_vid *at = target + k + i * step;
                got[i] = k + i * step < count ? arcs.pass(op.term(__ldcs(at)), at) : (T)0;
            }
#pragma unroll
            for (unsigned i = 0; i < WFI_OP_AHEAD; i++) mine.add(got[i]);
        }
        return mine;
    }
    __device__ void alone(weft_vid row, const weft_vid *target, unsigned count) const {
        add(target, 0, 1, count).add_to(sums + (size_t)row * Sum::WORDS);
    }
    __device__ void together(weft_vid row, const weft_vid *target, unsigned count) const {
        Sum mine = add(target, threadIdx.x % WFI_OP_WARP, WFI_OP_WARP, count);
        for (int far = WFI_OP_WARP / 2; far; far /= 2) mine.add_lane(far);
        if (threadIdx.x % WFI_OP_WARP == 0) mine.add_to(sums + (size_t)row * Sum::WORDS);
    }
};

/* The end of each row, as a step over vertices. */
template <class Op, class Sum> struct wfi_op_ends {
    Op op;
    wfi_word *sums;
    __device__ void each(weft_vid k, wfi_op_totals *t) const { op.end(k, Sum::take(sums + (size_t)k * Sum::WORDS), t); }
};

template <class Sum, class Op, class Arcs>
static void wfi_op_walk(wfi_ops *o, const wfi_view *rows, weft_eid arcs, Op op, Arcs pass) {
    wfi_op_visitor<Op, Sum, Arcs> visit = {op, pass, (wfi_word *)o->sums};
    wfi_walk<weft_eid><<<wfi_walk_blocks(arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(o->ctx)>>>(
        rows->offsets, (const weft_vid *)NULL, (uint64_t)rows->count, rows->targets, rows->base, rows->base,
        rows->base + arcs, visit);
}

template <class Sum, class Op>
static weft_status wfi_op_rows(wfi_ops *o, const wfi_view *rows, Op op, wfi_op_totals *to) {
    weft_ctx *ctx = o->ctx;
    weft_eid arcs = rows == o->out ? o->out_arcs : o->in_arcs;
    if constexpr (Sum::WORDS == 2) {
        if (arcs && o->weighted)
            wfi_op_walk<Sum>(o, rows, arcs, op, wfi_op_weighted{rows->targets, rows->weights, rows->type});
        else if (arcs)
            wfi_op_walk<Sum>(o, rows, arcs, op, wfi_op_alike{});
    } else if (arcs) {
        wfi_op_walk<Sum>(o, rows, arcs, op, wfi_op_alike{});
    }
    WFI_CUDA(cudaGetLastError());
    return wfi_op_vertices(o, wfi_op_ends<Op, Sum>{op, (wfi_word *)o->sums}, to);
}

/* --- from bodies ----------------------------------------------------------------------------------------- */

#define WFI_OP_HEAD(x) \
    extern "C" weft_status x##_gpu(wfi_ops *o, const void *state, const wfi_view *rows, wfi_op_totals *to)

#define WFI_OP_VERTICES(x)                                                        \
    struct x##_body : wfi_op_state {                                              \
        __device__ void each(weft_vid k, wfi_op_totals *t) const { x(&s, k, t); } \
    };                                                                            \
    WFI_OP_HEAD(x) { return (void)rows, wfi_op_vertices(o, x##_body{state}, to); }
#define WFI_OP_ROWS(x, Sum)                                                                                \
    struct x##_body : wfi_op_state {                                                                       \
        __device__ Sum::term term(weft_vid v) const { return x##_term(&s, v); }                            \
        __device__ void end(weft_vid k, Sum::term sum, wfi_op_totals *t) const { x##_end(&s, k, sum, t); } \
    };                                                                                                     \
    WFI_OP_HEAD(x) { return wfi_op_rows<Sum>(o, rows, x##_body{state}, to); }
#define WFI_OP_ROWS_FIXED(x) WFI_OP_ROWS(x, wfi_op_fixed)
#define WFI_OP_ROWS_COUNT(x) WFI_OP_ROWS(x, wfi_op_count)

#define WFI_STEPS(state_type, LIST)                                        \
    namespace {                                                            \
    struct wfi_op_state {                                                  \
        state_type s;                                                      \
        wfi_op_state(const void *state) : s(*(const state_type *)state) {} \
    };                                                                     \
    }                                                                      \
    LIST(WFI_OP_VERTICES, WFI_OP_ROWS_FIXED, WFI_OP_ROWS_COUNT)

#endif
