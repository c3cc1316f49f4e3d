/* See aggregate.h.  A thread has a column of a row, and goes through its neighbours as aggregate_cpu.c does; the
 * reducers are in reducers.cuh.  The lanes of a warp read adjacent columns of a neighbour. */
#include "algo/aggregate/aggregate.h"
#include "algo/aggregate/reducers.cuh"
#include "cuda/launch.cuh"

namespace {

/* Rows by their numbers, arcs by their numbers in the graph. */
wfi_view rows_of(const wfi_view &rows) {
    wfi_view own = rows;
    if (rows.targets) own.targets -= rows.base;
    own.base = 0;
    return own;
}

template <class W> struct walk {
    W w;
    wfi_view rows;
    uint64_t from, columns;

    __device__ void operator()(uint64_t i) const {
        uint32_t row = (uint32_t)(from + i / columns), column = (uint32_t)(i % columns);
        weft_eid begin = rows.offsets[row], end = rows.offsets[(uint64_t)row + 1];
        typename W::state total = w.none();
        for (weft_eid e = begin; e < end;) {
            weft_eid stop = end - e > WFI_AGGREGATE_BLOCK ? e + WFI_AGGREGATE_BLOCK : end;
            typename W::state block = w.none();
            for (; e < stop; e++) w.add(block, w.fetch(rows.targets[e], e, row, column));
            w.merge(total, block);
        }
        w.finish(total, row, end - begin, column);
    }
};

template <class W>
weft_status walk_rows(weft_ctx *ctx, const W &w, const wfi_view &rows, uint64_t from, uint64_t count,
                      uint64_t columns) {
    return wfi_each(ctx, count * columns, walk<W>{w, rows_of(rows), from, columns});
}

template <reduction K, class N>
weft_status add_as(weft_ctx *ctx, const wfi_rank_sums *s, weft_vid from, weft_vid count) {
    typedef typename N::raw raw;
    bool scaled = K == SCALED_SUM;
    uint64_t width = s->p->features->width;
    adding<K, N, 1> w = {(const raw *)s->x,
                         (raw *)s->out,
                         NULL,
                         s->scale,
                         s->joins,
                         width,
                         s->first,
                         !scaled && s->p->op == WEFT_AGGREGATE_MEAN,
                         scaled && s->p->normalize};
    return walk_rows(ctx, w, s->along, from, count, width);
}

template <reduction K> weft_status add_kind(weft_ctx *ctx, const wfi_rank_sums *s, weft_vid from, weft_vid count) {
    int type = s->p->features->type;
    return (type == WEFT_F32   ? add_as<K, f32>
            : type == WEFT_F16 ? add_as<K, f16>
                               : add_as<K, bf16>)(ctx, s, from, count);
}

template <class N> weft_status compare_as(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns) {
    comparing<N, 1> w = {(const typename N::raw *)s->forward,
                         s->p->features->width,
                         first,
                         s->strip,
                         s->first,
                         s->winner,
                         NULL,
                         NULL,
                         s->joins};
    return walk_rows(ctx, w, s->in, 0, s->in.count, columns);
}

template <class N> weft_status collect_as(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns) {
    typedef typename N::raw raw;
    collecting<N, 1> w = {
        (const raw *)s->x, (raw *)s->out,    s->p->features->width, first, s->strip, s->first, s->winner, NULL,
        s->joins,          rows_of(s->along)};
    return walk_rows(ctx, w, s->along, 0, s->along.count, columns);
}

} /* namespace */

weft_status wfi_rank_joins(weft_ctx *ctx, const wfi_rank_sums *s, uint8_t *joins) {
    wfi_view rows = rows_of(s->along);
    weft_vid first = s->first;
    return wfi_each(ctx, s->along.count,
                    [=] __device__(uint64_t k) { joins[k] = lacks_loop(rows, k, first + (weft_vid)k); });
}

weft_status wfi_rank_add(weft_ctx *ctx, const wfi_rank_sums *s, weft_vid from, weft_vid count) {
    return (wfi_aggregate_scales(s->p)       ? add_kind<SCALED_SUM>
            : s->p->op == WEFT_AGGREGATE_MAX ? add_kind<MAX>
                                             : add_kind<SUM>)(ctx, s, from, count);
}

weft_status wfi_rank_compare(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns) {
    int type = s->p->forward->type;
    return (type == WEFT_F32   ? compare_as<f32>
            : type == WEFT_F16 ? compare_as<f16>
                               : compare_as<bf16>)(ctx, s, first, columns);
}

weft_status wfi_rank_collect(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns) {
    int type = s->p->features->type;
    return (type == WEFT_F32   ? collect_as<f32>
            : type == WEFT_F16 ? collect_as<f16>
                               : collect_as<bf16>)(ctx, s, first, columns);
}
