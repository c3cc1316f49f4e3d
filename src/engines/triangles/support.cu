/* The support of edges, GPU: the number of triangles with each edge of the degree-ordered orientation; then of pairs of
 * vertices.
 * Method: for each edge from u to v a warp takes the shorter of the row of v and the entries of row u before v, and
 * looks its entries up in the longer one.  So a triangle is met once, at the edge of its two higher ranks, and raises
 * all three edges.  Pairs find their edge by search, some at a time, so that the columns of the result need no memory
 * of their own. */
#include "core/search.h"
#include "cuda/buffers.cuh"
#include "cuda/launch.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"

namespace {

/* EDGES: between two polls.  PAIRS: copied to the GPU and back at a time. */
enum { EDGES = 1 << 21, PAIRS = 1 << 22 };

struct find_triangles {
    const weft_eid *offsets;
    const weft_vid *targets;
    weft_vid n;
    weft_eid first;
    uint32_t *support;

    __device__ void operator()(uint64_t i, unsigned lane, unsigned lanes) const {
        weft_eid e = first + i;
        uint64_t u = wfi_row_of<weft_eid>(offsets, 0, n, e);
        weft_vid v = targets[e];
        weft_eid at = offsets[u], end = e, low = offsets[v], high = offsets[v + 1];
        uint32_t met = 0;
        if (end - at > high - low) {
            at = low, end = high;
            low = offsets[u], high = e;
        }
        for (at += lane; at < end; at += lanes) {
            weft_eid place = wfi_place_of(targets, low, high, targets[at]);
            if (place == high) continue;
            atomicAdd(&support[at], 1u);
            atomicAdd(&support[place], 1u);
            met++;
        }
        met = wfi_warp_sum(met);
        if (lane == 0 && met) atomicAdd(&support[e], met);
    }
};

struct note_rank {
    const weft_vid *vertex;
    weft_vid *rank;

    __device__ void operator()(uint64_t r) const { rank[vertex[r]] = (weft_vid)r; }
};

template <class T> struct look_up {
    const weft_eid *offsets;
    const weft_vid *targets, *rank;
    const uint32_t *support;
    const weft_vid *source, *target;
    T *value;

    __device__ void operator()(uint64_t i) const {
        weft_vid u = rank[source[i]], v = rank[target[i]], low = u < v ? u : v, high = u < v ? v : u;
        value[i] = u == v ? 0 : support[wfi_lower_bound(targets, offsets[high], offsets[high + 1], low)];
    }
};

/* value[i] = the value of the edge between source[i] and target[i]; some pairs at a time. */
template <class T>
weft_status look_up_all(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s, const weft_vid *source,
                        const weft_vid *target, uint64_t pairs, T *value) {
    look_up<T> find = {o->offsets.data, o->targets.data, s->rank, s->support, s->source, s->target, (T *)s->value};
    weft_status st = WEFT_OK;
    for (uint64_t first = 0; first < pairs && !st; first += PAIRS) {
        uint64_t some = wfi_min_u64(PAIRS, pairs - first);
        st = wfi_upload(ctx, s->source, source + first, some * sizeof *source);
        if (!st) st = wfi_upload(ctx, s->target, target + first, some * sizeof *target);
        if (!st) st = wfi_each(ctx, some, find);
        if (!st) st = wfi_download(ctx, value + first, s->value, some * sizeof *value);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}

} // namespace

void wfi_support_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t pairs, wfi_support_space *s) {
    uint64_t some = wfi_min_u64(pairs, PAIRS);
    wfi_array(device, &s->rank, n);
    wfi_array_within(device, &s->support, edges);
    wfi_array(device, &s->source, some);
    wfi_array(device, &s->target, some);
    wfi_array_within(device, &s->value, some); /* values of truss are half as wide */
}

weft_status wfi_support_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s) {
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = o->edges ? wfi_zero(ctx, s->support, o->edges) : WEFT_OK;
    if (!st) st = wfi_each(ctx, o->n, note_rank{o->vertex.data, s->rank});
    for (weft_eid first = 0; first < o->edges && !st; first += EDGES) {
        find_triangles find = {o->offsets.data, o->targets.data, o->n, first, s->support};
        wfi_progress(ctx, "counting triangles of edges", first, o->edges);
        st = wfi_each_warp(ctx, wfi_min_u64(EDGES, o->edges - first), find);
        if (!st) st = wfi_cuda_sync(ctx);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}

weft_status wfi_support_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s,
                             const weft_vid *source, const weft_vid *target, uint64_t pairs, uint64_t *support) {
    weft_status st = wfi_support_count(ctx, o, s);
    return st ? st : look_up_all(ctx, o, s, source, target, pairs, support);
}

weft_status wfi_support_values(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s,
                               const weft_vid *source, const weft_vid *target, uint64_t pairs, uint32_t *value) {
    return look_up_all(ctx, o, s, source, target, pairs, value);
}
