/* Kernels of pagerank_ranks_cuda.c (pagerank.h).  One warp a row; the bits are those of pagerank_sweep.c and
 * engines/fixed_sums. */
#include "algo/pagerank/pagerank.h"
#include "cuda/fixed.cuh"
#include "cuda/launch.cuh"
#include "graph/graph.h"

/* R: type of ranks; S: type of shares. */
template <class R, class S, bool WEIGHTED> struct wfi_sweep_row {
    typedef wfi_sum<S> sum;
    struct total {
        wfi_sum<R> change, dangling, sum;
    };
    wfi_rank_sweep w;

    __device__ sum part(uint64_t row, unsigned lane, unsigned lanes) const {
        const S *share = (const S *)w.share;
        sum s;
        for (weft_eid e = w.in.offsets[row] - w.in.base + lane, end = w.in.offsets[row + 1] - w.in.base; e < end;
             e += lanes) {
            S pulled = share[w.in.targets[e]];
            if constexpr (WEIGHTED) pulled *= wfi_weight_at(w.weight_type, w.in.weights, e);
            s.add(pulled);
        }
        return s;
    }

    __device__ void finish(uint64_t row, const sum &s, total &t) const {
        R *place = (R *)w.rank + row;
        double jumped = w.restart ? w.restart[row] * w.teleport : w.uniform * w.teleport, give = w.give[row];
        if (w.dangling_to) jumped += w.dangling_to[row] * w.dangling;
        R stored = (R)(jumped + w.damping * s.value());
        double rank = (double)stored;
        t.change.add_part(fabs(rank - (double)*place));
        t.sum.add_part(rank);
        t.dangling.add_part(rank * (double)(give == 0));
        *place = stored;
        ((S *)w.next)[row] = (S)(rank * give);
    }

    __device__ void hand_in(const total &t) const {
        unsigned long long *to = (unsigned long long *)w.totals;
        t.change.add_to(to);
        t.dangling.add_to(to + 2);
        t.sum.add_to(to + 4);
    }
};

template <class R, class S, bool WEIGHTED> static weft_status sweep(weft_ctx *ctx, const wfi_rank_sweep *w) {
    return wfi_each_sum(ctx, w->in.count, wfi_sweep_row<R, S, WEIGHTED>{*w});
}

weft_status wfi_rank_sweep_rows(weft_ctx *ctx, const wfi_rank_sweep *w) {
    if (w->weighted) return (w->single ? sweep<float, double, true> : sweep<double, double, true>)(ctx, w);
    return (w->single ? sweep<float, float, false> : sweep<double, double, false>)(ctx, w);
}

weft_status wfi_rank_scale(weft_ctx *ctx, void *array, bool narrow, uint64_t count, double scale) {
    float *singles = (float *)array;
    double *doubles = (double *)array;
    return wfi_each(ctx, count, [=] __device__(uint64_t i) {
        if (narrow)
            singles[i] = (float)((double)singles[i] * scale);
        else
            doubles[i] *= scale;
    });
}
