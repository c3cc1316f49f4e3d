/* aggregate, GPU, gradient of a maximum.  Argmax and order of the sums are those of aggregate_back_max.c.  Method: a
 * strip of columns at a time; winners are found along the incoming arcs and kept, then each vertex adds up the
 * gradients that it has won along its outgoing arcs.  A gradient that is not won, and the second of parallel arcs,
 * counts as +0, which changes no sum that began with +0. */
#include "algo/aggregate/aggregate_cuda.cuh"
#include "algo/aggregate/reducers.cuh"

namespace {

enum { STRIP = 64 }; /* columns whose winners are held at once */

struct way_back {
    weft_ctx *ctx;
    wfi_back_max_data m;
    uint64_t width, first, strip;
    cut_rows in, along;
    wfi_back_max_arrays a;
};

template <class N, int V> weft_status compare_as(way_back &b, uint32_t columns) {
    comparing<N, V> w = {(const typename N::raw *)b.m.forward,
                         b.width,
                         b.first,
                         b.strip,
                         0,
                         b.a.winner,
                         b.a.piece,
                         b.a.piece_winner,
                         b.m.joins};
    return take_rows(b.ctx, w, b.in, 0, columns, STRIP / V);
}

template <class N, int V> weft_status collect_as(way_back &b, uint32_t columns) {
    typedef typename N::raw raw;
    collecting<N, V> w = {(const raw *)b.m.gradient,
                          (raw *)b.m.out,
                          b.width,
                          b.first,
                          b.strip,
                          0,
                          b.a.winner,
                          b.a.piece,
                          b.m.joins,
                          b.along.rows};
    return take_rows(b.ctx, w, b.along, 0, columns, STRIP / V);
}

template <class N> weft_status compare(way_back &b, uint32_t columns) {
    bool wide = b.width % 4 == 0 && (uintptr_t)b.m.forward % (4 * sizeof(typename N::raw)) == 0;
    return wide ? compare_as<N, 4>(b, columns) : compare_as<N, 1>(b, columns);
}

template <class N> weft_status collect(way_back &b, uint32_t columns) {
    bool wide = b.width % 4 == 0 && (uintptr_t)b.m.gradient % (4 * sizeof(typename N::raw)) == 0;
    return wide ? collect_as<N, 4>(b, columns) : collect_as<N, 1>(b, columns);
}

weft_status compare_type(way_back &b, int type, uint32_t columns) {
    return type == WEFT_F32   ? compare<f32>(b, columns)
           : type == WEFT_F16 ? compare<f16>(b, columns)
                              : compare<bf16>(b, columns);
}

weft_status collect_type(way_back &b, int type, uint32_t columns) {
    return type == WEFT_F32   ? collect<f32>(b, columns)
           : type == WEFT_F16 ? collect<f16>(b, columns)
                              : collect<bf16>(b, columns);
}

} /* namespace */

void wfi_back_max_lay_out(wfi_workspace *device, weft_vid n, uint64_t width, uint64_t in, uint64_t along,
                          wfi_back_max_arrays *arrays) {
    uint64_t strip = wfi_min_u64(width, STRIP);
    wfi_array(device, &arrays->winner, n * strip);
    wfi_array_within(device, &arrays->piece_winner, in * strip);
    wfi_array_within(device, &arrays->piece, wfi_max_u64(in, along) * strip);
}

weft_status wfi_back_max_cuda(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p,
                              const wfi_back_max_arrays *arrays, const wfi_back_max_data &m) {
    uint64_t width = p->features->width, strip = wfi_min_u64(width, STRIP);
    way_back b = {ctx, m, width, 0, strip, {}, {}, *arrays};
    b.in.arcs = b.along.arcs = g->arcs;
    weft_status st = wfi_mirror_in(ctx, g, &b.in.rows);
    if (!st) st = wfi_row_chunks_of(ctx, g, true, &b.in.pieces);
    if (!st) st = wfi_mirror_out(ctx, g, &b.along.rows);
    if (!st) st = wfi_row_chunks_of(ctx, g, false, &b.along.pieces);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    for (; b.first < width && !st; b.first += STRIP) {
        uint32_t columns = (uint32_t)wfi_min_u64(strip, width - b.first);
        st = compare_type(b, p->forward->type, columns);
        if (!st) st = collect_type(b, p->features->type, columns);
    }
    return st;
}
