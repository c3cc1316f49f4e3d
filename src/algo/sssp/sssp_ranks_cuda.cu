/* See sssp_ranks_cuda.h. */
#include "algo/sssp/sssp_ranks_cuda.h"
#include "cuda/launch.cuh"
#include "graph/graph.h"

typedef unsigned long long word;

enum { IDLE = 0, NEAR, FAR };          /* where a vertex waits */
enum { ORPHAN = 0, HAS_ONE, ADOPTED }; /* hops: what it has, or was given in this one */

static const uint64_t INFINITE = 0x7ff0000000000000ull; /* the bits of infinity */

__device__ static inline double number(uint64_t bits) { return __longlong_as_double((long long)bits); }
__device__ static inline uint64_t bits_of(double number) { return (uint64_t)__double_as_longlong(number); }

__device__ static inline bool owns(const wfi_paths_gpu &b, weft_vid v) {
    return v >= b.first && v - b.first < b.out.count;
}

/* Arcs of row k: f(arc, target), by the lanes of a warp. */
template <class F>
__device__ static inline void each_arc(const wfi_view &rows, weft_vid k, unsigned lane, unsigned lanes, F f) {
    weft_eid e = rows.offsets[k] - rows.base + lane, end = rows.offsets[k + (uint64_t)1] - rows.base;
    for (; e < end; e += lanes) f(e, rows.targets[e]);
}

/* Row k has a shorter way, and waits where it belongs. */
__device__ static inline void reach(const wfi_paths_gpu &b, weft_vid k, double length, weft_vid *list) {
    uint64_t bits = bits_of(length);
    if (atomicMin((word *)b.best + b.first + k, (word)bits) <= bits) return;
    if (length >= b.bound)
        atomicCAS(b.state + k, (uint32_t)IDLE, (uint32_t)FAR);
    else if (atomicExch(b.state + k, (uint32_t)NEAR) != NEAR)
        list[wfi_claim(b.counts + WFI_PATHS_QUEUED)] = k;
}

weft_status wfi_paths_begin(weft_ctx *ctx, const wfi_paths_gpu *given, weft_vid n, const weft_vid *sources,
                            uint64_t count) {
    wfi_paths_gpu b = *given;
    weft_status st = wfi_each(ctx, n, [=] __device__(uint64_t v) { b.best[v] = INFINITE; });
    if (st) return st;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        if (owns(b, sources[i])) reach(b, sources[i] - b.first, 0, b.near);
    });
}

weft_status wfi_paths_nearest(weft_ctx *ctx, const wfi_paths_gpu *given) {
    wfi_paths_gpu b = *given;
    volatile uint64_t *least = b.counts + WFI_PATHS_LEAST;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t k) {
        uint64_t here = b.best[b.first + k];
        if (b.state[k] == FAR && here < *least) atomicMin((word *)b.counts + WFI_PATHS_LEAST, (word)here);
    });
}

weft_status wfi_paths_fill(weft_ctx *ctx, const wfi_paths_gpu *given) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t k) {
        if (b.state[k] != FAR || !(number(b.best[b.first + k]) < b.bound)) return;
        b.state[k] = NEAR;
        b.near[wfi_claim(b.counts + WFI_PATHS_QUEUED)] = (weft_vid)k;
    });
}

/* Whoever falls while its arcs are relaxed comes near again: so all are idle before the first is. */
weft_status wfi_paths_relax(weft_ctx *ctx, const wfi_paths_gpu *given, uint64_t queued) {
    wfi_paths_gpu b = *given;
    weft_status st = wfi_each(ctx, queued, [=] __device__(uint64_t i) { b.state[b.near[i]] = IDLE; });
    if (st) return st;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        weft_vid k = b.near[i];
        double distance = number(*(volatile uint64_t *)(b.best + b.first + k));
        each_arc(b.out, k, lane, lanes, [&](weft_eid e, weft_vid v) {
            double length = distance + wfi_weight_at(b.weight_type, b.out.weights, e);
            if (!(length < number(*(volatile uint64_t *)(b.best + v)))) return;
            if (owns(b, v)) {
                reach(b, v - b.first, length, b.next);
                return;
            }
            uint64_t bits = bits_of(length);
            uint32_t bit = 1u << v % 32;
            if (atomicMin((word *)b.best + v, (word)bits) <= bits) return;
            if (!(atomicOr(b.is_addressed + v / 32, bit) & bit)) b.addressed[wfi_claim(b.addressed_count)] = v;
        });
    });
}

weft_status wfi_paths_clear_addressed(weft_ctx *ctx, const wfi_paths_gpu *given, uint64_t count) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) { b.is_addressed[b.addressed[i] / 32] = 0; });
}

weft_status wfi_paths_take(weft_ctx *ctx, const wfi_paths_gpu *given, const uint32_t *received, uint64_t count) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        const uint32_t *it = received + 3 * i;
        reach(b, it[0] - b.first, number((uint64_t)it[2] << 32 | it[1]), b.near);
    });
}

weft_status wfi_paths_farthest(weft_ctx *ctx, const wfi_paths_gpu *given, const weft_vid *targets, uint64_t count) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        if (owns(b, targets[i])) atomicMax((word *)b.counts + WFI_PATHS_FOUND, (word)b.best[targets[i]]);
    });
}

weft_status wfi_paths_cut(weft_ctx *ctx, const wfi_paths_gpu *given, double beyond) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t k) {
        if (number(b.best[b.first + k]) > beyond) b.best[b.first + k] = INFINITE;
    });
}

/* --- parents --------------------------------------------------------------------------------- */

__device__ static inline void offer_row(const wfi_paths_gpu &b, weft_vid k, bool same, unsigned lane, unsigned lanes) {
    weft_vid u = b.first + k;
    double here = number(b.best[u]);
    if (b.best[u] == INFINITE) return;
    each_arc(b.out, k, lane, lanes, [&](weft_eid e, weft_vid v) {
        double there = number(b.best[v]);
        if (b.best[v] == INFINITE || (same ? here != there : !(here < there))) return;
        if (here + wfi_weight_at(b.weight_type, b.out.weights, e) != there) return;
        if (atomicMin(b.offer + v, u) == WEFT_NO_VERTEX) b.addressed[wfi_claim(b.addressed_count)] = v;
    });
}

weft_status wfi_paths_offer(weft_ctx *ctx, const wfi_paths_gpu *given) {
    wfi_paths_gpu b = *given;
    return wfi_each_warp(ctx, b.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        offer_row(b, (weft_vid)k, false, lane, lanes);
    });
}

weft_status wfi_paths_offer_same(weft_ctx *ctx, const wfi_paths_gpu *given, uint64_t queued) {
    wfi_paths_gpu b = *given;
    return wfi_each_warp(ctx, queued, [=] __device__(uint64_t i, unsigned lane, unsigned lanes) {
        offer_row(b, b.near[i], true, lane, lanes);
    });
}

weft_status wfi_paths_adopt(weft_ctx *ctx, const wfi_paths_gpu *given, const uint32_t *received, uint64_t count) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        atomicMin(b.parent + (received[2 * i] - b.first), received[2 * i + 1]);
    });
}

weft_status wfi_paths_orphans(weft_ctx *ctx, const wfi_paths_gpu *given, const weft_vid *sources, uint64_t count) {
    wfi_paths_gpu b = *given;
    weft_status st = wfi_each(ctx, count, [=] __device__(uint64_t i) {
        if (owns(b, sources[i])) b.parent[sources[i] - b.first] = sources[i];
    });
    if (st) return st;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t k) {
        if (b.parent[k] == WEFT_NO_VERTEX && b.best[b.first + k] != INFINITE) wfi_claim(b.counts + WFI_PATHS_FOUND);
    });
}

weft_status wfi_paths_hop_begin(weft_ctx *ctx, const wfi_paths_gpu *given) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, b.out.count, [=] __device__(uint64_t k) {
        bool has = b.parent[k] != WEFT_NO_VERTEX;
        b.state[k] = has ? HAS_ONE : ORPHAN;
        if (has) b.near[wfi_claim(b.counts + WFI_PATHS_QUEUED)] = (weft_vid)k;
    });
}

weft_status wfi_paths_hop_take(weft_ctx *ctx, const wfi_paths_gpu *given, const uint32_t *received, uint64_t count) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        weft_vid k = received[2 * i] - b.first;
        uint32_t was = atomicCAS(b.state + k, (uint32_t)ORPHAN, (uint32_t)ADOPTED);
        if (was == HAS_ONE) return;
        if (was == ORPHAN) b.near[wfi_claim(b.counts + WFI_PATHS_QUEUED)] = k;
        atomicMin(b.parent + k, received[2 * i + 1]);
    });
}

weft_status wfi_paths_hop_end(weft_ctx *ctx, const wfi_paths_gpu *given, uint64_t queued) {
    wfi_paths_gpu b = *given;
    return wfi_each(ctx, queued, [=] __device__(uint64_t i) { b.state[b.near[i]] = HAS_ONE; });
}

weft_status wfi_paths_beyond(weft_ctx *ctx, const wfi_paths_gpu *given) {
    wfi_paths_gpu b = *given;
    return wfi_each_warp(ctx, b.out.count, [=] __device__(uint64_t k, unsigned lane, unsigned lanes) {
        uint64_t here = b.best[b.first + k];
        if (here == INFINITE) return;
        each_arc(b.out, (weft_vid)k, lane, lanes, [&](weft_eid e, weft_vid v) {
            double length = number(here) + wfi_weight_at(b.weight_type, b.out.weights, e);
            if (bits_of(length) == INFINITE && b.best[v] == INFINITE) b.counts[WFI_PATHS_FOUND] = 1;
        });
    });
}
