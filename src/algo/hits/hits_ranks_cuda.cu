/* See hits_ranks_cuda.h.  A warp a row; the bits are those of hits_cpu.c. */
#include "algo/hits/hits_ranks_cuda.h"
#include "cuda/fixed.cuh"
#include "cuda/launch.cuh"
#include "graph/graph.h"

template <bool WEIGHTED> struct wfi_hits_row {
    typedef wfi_sum<double> sum;
    struct total {
        wfi_sum<double> change, given;
    };
    wfi_hits_half h;

    __device__ sum part(uint64_t row, unsigned lane, unsigned lanes) const {
        sum s;
        for (weft_eid e = h.rows.offsets[row] - h.rows.base + lane, end = h.rows.offsets[row + 1] - h.rows.base;
             e < end; e += lanes) {
            double came = h.share[h.rows.targets[e]];
            if constexpr (WEIGHTED) came *= wfi_weight_at(h.weight_type, h.rows.weights, e);
            s.add(came);
        }
        return s;
    }

    __device__ void finish(uint64_t row, const sum &s, total &t) const {
        double came = s.value(), old = h.value[row];
        double length = h.sums ? h.sums[row] : __ull2double_rn(h.rows.offsets[row + 1] - h.rows.offsets[row]);
        h.value[row] = came;
        t.change.add_part(fabs(came - old));
        t.given.add(came * (length * h.unit));
    }

    __device__ void hand_in(const total &t) const {
        unsigned long long *to = (unsigned long long *)h.totals;
        t.change.add_to(to);
        t.given.add_to(to + 2);
    }
};

weft_status wfi_hits_share(weft_ctx *ctx, weft_vid count, const double *value, double factor, double *share) {
    return wfi_each(ctx, count, [=] __device__(uint64_t k) { share[k] = value[k] * factor; });
}

weft_status wfi_hits_pull(weft_ctx *ctx, const wfi_hits_half *h) {
    if (h->weighted) return wfi_each_sum(ctx, h->rows.count, wfi_hits_row<true>{*h});
    return wfi_each_sum(ctx, h->rows.count, wfi_hits_row<false>{*h});
}
