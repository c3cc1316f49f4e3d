/* Steps on the GPU (ops.h, bodies.h). Vertices: a thread each.  Rows: counts are added up by warps that take equal
 * spans of the arcs (cuda/walk.cuh), and what a warp has of a row goes to the row's sum by integer atomics; shares so
 * too, or by a sweep (add_rows.cu); then a thread a row finishes it, and leaves the sum 0 for the next step.  Totals:
 * over a warp by shuffles, over the block in shared memory, then to global memory. */
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
    if (to) WFI_CUDA_OR_RETURN(cudaMemsetAsync(to, 0, sizeof *to, wfi_cuda_stream(ctx)));
    if (!o->mine) return WEFT_OK;
    wfi_op_each<<<wfi_grid(o->mine, WFI_OP_THREADS, WFI_OP_BLOCKS), WFI_OP_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        op, o->mine, to);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* --- rows ------------------------------------------------------------------------------------------------ */

/* What is added up in a row, as it is taken from its place. */
struct wfi_op_fixed {
    typedef double term;
    enum { WORDS = 2 };
    __device__ static double take(wfi_word *place) {
        double value = wfi_sum<double>::from(place).value();
        place[0] = place[1] = 0;
        return value;
    }
    __device__ static double of_arcs(double share, uint64_t arcs) {
        return wfi_fixed_value(wfi_fixed_times(share, arcs));
    }
};
struct wfi_op_count {
    typedef uint64_t term;
    enum { WORDS = 1 };
    __device__ static uint64_t take(wfi_word *place) {
        uint64_t value = *place;
        *place = 0;
        return value;
    }
};

/* The walk's visitor, for counts. */
template <class Op> struct wfi_op_visitor {
    Op op;
    wfi_word *sums;

    __device__ bool wants(weft_vid) const { return true; }
    __device__ wfi_word add(const weft_vid *target, unsigned from, unsigned step, unsigned count) const {
        wfi_word mine = 0;
        for (unsigned k = from; k < count; k += WFI_OP_AHEAD * step) {
            uint64_t got[WFI_OP_AHEAD];
#pragma unroll
            for (unsigned i = 0; i < WFI_OP_AHEAD; i++)
                got[i] = k + i * step < count ? op.term(__ldcs(target + k + i * step)) : 0;
#pragma unroll
            for (unsigned i = 0; i < WFI_OP_AHEAD; i++) mine += got[i];
        }
        return mine;
    }
    __device__ void alone(weft_vid row, const weft_vid *target, unsigned count) const {
        atomicAdd(sums + row, add(target, 0, 1, count));
    }
    __device__ void together(weft_vid row, const weft_vid *target, unsigned count) const {
        wfi_word sum = wfi_warp_sum(add(target, threadIdx.x % WFI_OP_WARP, WFI_OP_WARP, count));
        if (threadIdx.x % WFI_OP_WARP == 0) atomicAdd(sums + row, sum);
    }
};

/* The end of each row, as a step over vertices.  offsets: shares are alike, and nothing was added up; else NULL. */
template <class Op, class Sum> struct wfi_op_ends {
    Op op;
    wfi_word *sums;
    const weft_eid *offsets;
    double alike;
    __device__ void each(weft_vid k, wfi_op_totals *t) const {
        if constexpr (Sum::WORDS == 2)
            if (offsets) return op.end(k, Sum::of_arcs(alike, offsets[(size_t)k + 1] - offsets[k]), t);
        op.end(k, Sum::take(sums + (size_t)k * Sum::WORDS), t);
    }
};

static inline weft_eid wfi_op_arcs(const wfi_ops *o, const wfi_view *rows) {
    return rows == o->out ? o->out_arcs : o->in_arcs;
}

template <class Op> static weft_status wfi_op_counts(wfi_ops *o, const wfi_view *rows, Op op, wfi_op_totals *to) {
    weft_ctx *ctx = o->ctx;
    weft_eid arcs = wfi_op_arcs(o, rows);
    if (arcs)
        wfi_walk<weft_eid><<<wfi_walk_blocks(arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
            rows->offsets, (const weft_vid *)NULL, (uint64_t)rows->count, rows->targets, rows->base, rows->base,
            rows->base + arcs, wfi_op_visitor<Op>{op, (wfi_word *)o->sums});
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return wfi_op_vertices(o, wfi_op_ends<Op, wfi_op_count>{op, (wfi_word *)o->sums, NULL, 0}, to);
}

template <class Op>
static weft_status wfi_op_shares(wfi_ops *o, const wfi_view *rows, Op op, const double *share, wfi_op_totals *to) {
    bool alike = wfi_ops_alike(o);
    weft_status st = alike ? WEFT_OK : o->gpu->add_rows(o, rows, share);
    if (st) return st;
    return wfi_op_vertices(
        o, wfi_op_ends<Op, wfi_op_fixed>{op, (wfi_word *)o->sums, alike ? rows->offsets : NULL, o->alike}, to);
}

/* --- pushes ---------------------------------------------------------------------------------------------- */

template <class Op> __global__ void __launch_bounds__(WFI_OP_THREADS) wfi_op_push_rows(Op op, wfi_view rows) {
    for (uint64_t from = blockIdx.x * (uint64_t)WFI_OP_THREADS; from < rows.count;
         from += (uint64_t)gridDim.x * WFI_OP_THREADS) {
        uint64_t k = from + threadIdx.x;
        bool wanted = k < rows.count && op.wants((weft_vid)k);
        weft_eid e = wanted ? rows.offsets[k] - rows.base : 0, end = wanted ? rows.offsets[k + 1] - rows.base : 0;
        wfi_expand_rows<WFI_OP_THREADS>(rows.targets, (weft_vid)k, e, end, [=](weft_vid, weft_vid u) { op.tell(u); });
    }
}

template <class Op> static weft_status wfi_op_push(wfi_ops *o, const wfi_view *rows, Op op) {
    weft_ctx *ctx = o->ctx;
    if (rows->count)
        wfi_op_push_rows<<<wfi_grid(rows->count, WFI_OP_THREADS, WFI_OP_BLOCKS), WFI_OP_THREADS, 0,
                           wfi_cuda_stream(ctx)>>>(op, *rows);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* --- from bodies ----------------------------------------------------------------------------------------- */

#define WFI_OP_HEAD(x) \
    extern "C" weft_status x##_gpu(wfi_ops *o, const void *state, const wfi_view *rows, wfi_op_totals *to)

#define WFI_OP_VERTICES(x)                                                        \
    struct x##_body : wfi_op_state {                                              \
        __device__ void each(weft_vid k, wfi_op_totals *t) const { x(&s, k, t); } \
    };                                                                            \
    WFI_OP_HEAD(x) { return (void)rows, wfi_op_vertices(o, x##_body{state}, to); }
#define WFI_OP_ROWS_FIXED(x)                                                                            \
    struct x##_body : wfi_op_state {                                                                    \
        __device__ void end(weft_vid k, double sum, wfi_op_totals *t) const { x##_end(&s, k, sum, t); } \
    };                                                                                                  \
    WFI_OP_HEAD(x) {                                                                                    \
        x##_body body{state};                                                                           \
        return wfi_op_shares(o, rows, body, body.s.share, to);                                          \
    }
#define WFI_OP_ROWS_COUNT(x)                                                                              \
    struct x##_body : wfi_op_state {                                                                      \
        __device__ uint64_t term(weft_vid v) const { return x##_term(&s, v); }                            \
        __device__ void end(weft_vid k, uint64_t sum, wfi_op_totals *t) const { x##_end(&s, k, sum, t); } \
    };                                                                                                    \
    WFI_OP_HEAD(x) { return wfi_op_counts(o, rows, x##_body{state}, to); }

#define WFI_OP_PUSH(x)                                                       \
    namespace {                                                              \
    struct x##_push : wfi_op_state {                                         \
        x##_push(const void *state) : wfi_op_state(state) {}                 \
        __device__ bool wants(weft_vid k) const { return x##_wants(&s, k); } \
        __device__ void tell(weft_vid v) const { x##_tell(&s, v); }          \
    };                                                                       \
    }                                                                        \
    WFI_OP_HEAD(x) { return (void)to, wfi_op_push(o, rows, x##_push(state)); }

#define WFI_STEPS(state_type, LIST)                                        \
    namespace {                                                            \
    struct wfi_op_state {                                                  \
        state_type s;                                                      \
        wfi_op_state(const void *state) : s(*(const state_type *)state) {} \
    };                                                                     \
    }                                                                      \
    LIST(WFI_OP_VERTICES, WFI_OP_ROWS_FIXED, WFI_OP_ROWS_COUNT)

#endif
