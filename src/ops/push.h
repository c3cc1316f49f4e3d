/* Push: rows of a frontier tell vertices of any rank something, on ranks' CPU cores and on their GPUs [1].
 *
 * A kernel is an inline function of the algorithm's state and a number, compiled as C and as CUDA, which lanes share:
 *
 *     EACH(x)   void x(const S *s, uint64_t i)                                    one thread for each i
 *     WARP(x)   void x(const S *s, uint64_t i, unsigned lane, unsigned lanes)     the lanes of a warp; one of one in C
 *
 * On CPU cores a rank runs them one after another, in one thread; on its GPU all at once.  So kernels change what they
 * share by the functions below, and the order in which they do must not show in the result: sums, minima, lists in any
 * order.  WFI_KERNELS(S, LIST) makes the kernels, in the descriptor's file and in a .cu file; LIST(EACH, WARP).
 *
 * A step: kernels raise the values of vertices, and address each whose value was at rest (wfi_push_address); the values
 * go to their owners, one message a vertex and rank; and kernels take what was received.  Rules of failure as in ops.h.
 * [1] Malewicz et al., "Pregel: a system for large-scale graph processing", SIGMOD 2010. */
#ifndef WFI_OPS_PUSH_H
#define WFI_OPS_PUSH_H

#include "ops/ops.h"
#include "ranks/device.h"

#ifdef __CUDACC__
#include "core/search.h"
#include "cuda/launch.cuh"
#else
#include "graph/rows.h"
#endif

WFI_C_BEGIN

enum { WFI_PUSH_QUEUED, WFI_PUSH_COUNTS = 6 /* the others are the algorithm's */ };

/* In the state of an algorithm (run/method.h lays it out): all of it lies where the run does. */
typedef struct wfi_push {
    weft_vid first, vertices; /* of this rank: row k is that of the vertex first + k */
    weft_vid *queue, *next;   /* rows that have something to tell, and those that come to it */
    uint64_t *counts;         /* WFI_PUSH_COUNTS, 0 between steps */
    wfi_device_messages m;    /* on CPU cores without the host's arrays, go and come aside */
} wfi_push;

typedef struct wfi_kernel {
    void (*cpu)(const void *state, uint64_t i, uint64_t end);
    weft_status (*gpu)(weft_ctx *ctx, const void *state, uint64_t count);
} wfi_kernel;

/* --- of this rank alone: a failure is kept in o->status --- */

/* The kernel for i = 0 ... count-1.  On CPU cores it ends early when the run is to end. */
void wfi_ops_each(wfi_ops *o, const wfi_kernel *kernel, const void *state, uint64_t count);
void wfi_ops_fill(wfi_ops *o, void *array, int byte, size_t bytes);
/* Vertices that the caller has on the host; *there has room for them on a GPU, and becomes `from` on CPU cores. */
void wfi_ops_bring(wfi_ops *o, weft_vid **there, const weft_vid *from, size_t count);
/* A counter, which is `rest` from then on. */
uint64_t wfi_ops_count(wfi_ops *o, uint64_t *counter, uint64_t rest);
/* All counters of p, which are 0 from then on. */
void wfi_ops_counts(wfi_ops *o, wfi_push *p, uint64_t count[WFI_PUSH_COUNTS]);
/* Before the first step: no counts, no messages. */
void wfi_ops_push_begin(wfi_ops *o, wfi_push *p);
/* What came to the frontier is the frontier. */
static inline void wfi_push_swap(wfi_push *p) {
    weft_vid *queue = p->queue;
    p->queue = p->next;
    p->next = queue;
}

/* --- collective --- */

/* A bit for each vertex of the graph, of which a rank has set those of its own: now all have all. */
weft_status wfi_ops_gather_bits(wfi_ops *o, uint32_t *bits);
/* Values of addressed vertices go to their owners, and p->m.received has those of this rank's vertices: words of 32
 * bits, the vertex first.  Then no vertex is addressed. */
weft_status wfi_ops_deliver(wfi_ops *o, wfi_push *p, wfi_message_values values);
/* Up to WFI_PUSH_COUNTS numbers become the sums of all ranks'.  The step of any that failed or was stopped ends
 * here. */
weft_status wfi_ops_sum(wfi_ops *o, uint64_t *number, size_t count);

/* --- between run/method.c and push.c: the arrays on CPU cores --- */
void wfi_push_lay_out(wfi_workspace *w, const wfi_spread *s, size_t each, wfi_push *p);

WFI_C_END

/* --- for kernels: the value before ----------------------------------------------------------------------- */

WFI_HOST_DEVICE static inline uint64_t wfi_push_claim(uint64_t *counter) {
#ifdef __CUDA_ARCH__
    return wfi_claim(counter);
#else
    return (*counter)++;
#endif
}
WFI_HOST_DEVICE static inline uint32_t wfi_push_add(uint32_t *to, uint32_t x) {
#ifdef __CUDA_ARCH__
    return atomicAdd(to, x);
#else
    uint32_t was = *to;
    *to += x;
    return was;
#endif
}
WFI_HOST_DEVICE static inline uint32_t wfi_push_least(uint32_t *to, uint32_t x) {
#ifdef __CUDA_ARCH__
    return atomicMin(to, x);
#else
    uint32_t was = *to;
    if (x < was) *to = x;
    return was;
#endif
}
WFI_HOST_DEVICE static inline uint32_t wfi_push_set(uint32_t *to, uint32_t bits) {
#ifdef __CUDA_ARCH__
    return atomicOr(to, bits);
#else
    uint32_t was = *to;
    *to |= bits;
    return was;
#endif
}
/* `next` is put where `was` is: the value that was there. */
WFI_HOST_DEVICE static inline uint32_t wfi_push_replace(uint32_t *at, uint32_t was, uint32_t next) {
#ifdef __CUDA_ARCH__
    return atomicCAS(at, was, next);
#else
    uint32_t found = *at;
    if (found == was) *at = next;
    return found;
#endif
}
WFI_HOST_DEVICE static inline uint32_t wfi_push_swap_in(uint32_t *at, uint32_t x) {
#ifdef __CUDA_ARCH__
    return atomicExch(at, x);
#else
    uint32_t was = *at;
    *at = x;
    return was;
#endif
}
WFI_HOST_DEVICE static inline uint64_t wfi_push_least_wide(uint64_t *to, uint64_t x) {
#ifdef __CUDA_ARCH__
    return atomicMin((unsigned long long *)to, (unsigned long long)x);
#else
    uint64_t was = *to;
    if (x < was) *to = x;
    return was;
#endif
}
WFI_HOST_DEVICE static inline void wfi_push_add_wide(uint64_t *to, uint64_t x) {
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)to, (unsigned long long)x);
#else
    *to += x;
#endif
}
/* Of a counter, which many look at before one changes it. */
WFI_HOST_DEVICE static inline void wfi_push_lower(uint64_t *to, uint64_t x) {
    if (x >= *(volatile uint64_t *)to) return;
#ifdef __CUDA_ARCH__
    atomicMin((unsigned long long *)to, (unsigned long long)x);
#else
    *to = x;
#endif
}
WFI_HOST_DEVICE static inline void wfi_push_raise(uint64_t *to, uint64_t x) {
    if (x <= *(volatile uint64_t *)to) return;
#ifdef __CUDA_ARCH__
    atomicMax((unsigned long long *)to, (unsigned long long)x);
#else
    *to = x;
#endif
}

WFI_HOST_DEVICE static inline bool wfi_push_owns(const wfi_push *p, weft_vid v) {
    return v >= p->first && v - p->first < p->vertices;
}
WFI_HOST_DEVICE static inline void wfi_push_put(const wfi_push *p, weft_vid *list, weft_vid k) {
    list[wfi_push_claim(p->counts + WFI_PUSH_QUEUED)] = k;
}
/* Once in a step. */
WFI_HOST_DEVICE static inline void wfi_push_address(const wfi_push *p, weft_vid v) {
    p->m.addressed[wfi_push_claim(p->m.addressed_count)] = v;
}

/* The arcs of row k that a lane takes, e += lanes. */
WFI_HOST_DEVICE static inline weft_eid wfi_push_from(const wfi_view *rows, uint64_t k, unsigned lane) {
    return rows->offsets[k] - rows->base + lane;
}
WFI_HOST_DEVICE static inline weft_eid wfi_push_end(const wfi_view *rows, uint64_t k) {
    return rows->offsets[k + 1] - rows->base;
}

/* --- neighbours in two rows that ascend, each once, without the vertex itself: while (wfi_push_next(&m)) --- */
#ifdef __CUDACC__
/* Lanes share the arcs, and look each up in the other row. */
typedef struct wfi_push_near {
    const weft_vid *row[2];
    uint64_t length[2], at;
    unsigned side, lane, lanes;
    weft_vid self, neighbour;
    unsigned ways; /* rows that it is in */
} wfi_push_near;

WFI_HOST_DEVICE static inline wfi_push_near wfi_push_near_of(const wfi_view side[2], uint64_t k, weft_vid self,
                                                             unsigned lane, unsigned lanes) {
    wfi_push_near m = {{NULL, NULL}, {0, 0}, lane, 0, lane, lanes, self, self, 0};
    for (int i = 0; i < 2; i++) {
        if (!side[i].offsets) continue;
        m.row[i] = side[i].targets + wfi_push_from(&side[i], k, 0);
        m.length[i] = side[i].offsets[k + 1] - side[i].offsets[k];
    }
    return m;
}

WFI_HOST_DEVICE static inline bool wfi_push_next(wfi_push_near *m) {
    for (; m->side < 2; m->side++, m->at = m->lane)
        while (m->at < m->length[m->side]) {
            const weft_vid *row = m->row[m->side];
            uint64_t at = m->at, other = 1 - m->side;
            m->at += m->lanes;
            if (row[at] == m->self || (at && row[at - 1] == row[at])) continue;
            m->neighbour = row[at];
            m->ways = 1 + (wfi_place_of(m->row[other], (uint64_t)0, m->length[other], row[at]) < m->length[other]);
            if (m->side == 0 || m->ways == 1) return true;
        }
    return false;
}
#else
/* The rows are merged. */
typedef wfi_merger wfi_push_near;
static inline wfi_push_near wfi_push_near_of(const wfi_view side[2], uint64_t k, weft_vid self, unsigned lane,
                                             unsigned lanes) {
    (void)lane, (void)lanes;
    return wfi_row_neighbours(&side[0], side[1].offsets ? &side[1] : NULL, (weft_vid)k, self);
}
static inline bool wfi_push_next(wfi_push_near *m) { return wfi_next_neighbour(m); }
#endif

/* --- from kernels ----------------------------------------------------------------------------------------- */

#ifdef __CUDACC__
#define WFI_KERNEL_EACH(x)                                                             \
    extern "C" weft_status x##_gpu(weft_ctx *ctx, const void *state, uint64_t count) { \
        wfi_kernel_state s(state);                                                     \
        return wfi_each(ctx, count, [=] __device__(uint64_t i) { x(&s.of, i); });      \
    }
#define WFI_KERNEL_WARP(x)                                                                                             \
    extern "C" weft_status x##_gpu(weft_ctx *ctx, const void *state, uint64_t count) {                                 \
        wfi_kernel_state s(state);                                                                                     \
        return wfi_each_warp(ctx, count,                                                                               \
                             [=] __device__(uint64_t i, unsigned lane, unsigned lanes) { x(&s.of, i, lane, lanes); }); \
    }
#define WFI_KERNELS(state_type, LIST)                                           \
    namespace {                                                                 \
    struct wfi_kernel_state {                                                   \
        state_type of;                                                          \
        wfi_kernel_state(const void *state) : of(*(const state_type *)state) {} \
    };                                                                          \
    }                                                                           \
    LIST(WFI_KERNEL_EACH, WFI_KERNEL_WARP)
#else
#define WFI_KERNEL_HEAD(x)                                                        \
    extern weft_status x##_gpu(weft_ctx *ctx, const void *state, uint64_t count); \
    static void x##_cpu(const void *s, uint64_t i, uint64_t end)
#define WFI_KERNEL_STEP(x) static const wfi_kernel x##_kernel = {x##_cpu, WFI_WITH_CUDA(x##_gpu)};
#define WFI_KERNEL_EACH(x)            \
    WFI_KERNEL_HEAD(x) {              \
        for (; i < end; i++) x(s, i); \
    }                                 \
    WFI_KERNEL_STEP(x)
#define WFI_KERNEL_WARP(x)                  \
    WFI_KERNEL_HEAD(x) {                    \
        for (; i < end; i++) x(s, i, 0, 1); \
    }                                       \
    WFI_KERNEL_STEP(x)
#define WFI_KERNELS(state, LIST) LIST(WFI_KERNEL_EACH, WFI_KERNEL_WARP)
#endif
#endif
