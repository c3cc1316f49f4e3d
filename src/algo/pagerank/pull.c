/* Pulling: each row of incoming arcs adds up the shares of its sources.  Needs: incoming rows.
 * Sums are in fixed point (core/fixed.h): one limb over f16 and f32 shares, two over f64 ones. */
#include "algo/pagerank/sweep.h"
#include "core/fixed.h"
#include "core/half.h"

/* A chunk is rows that cost about the same, an arc costing 1: LARGE, or less where that leaves threads without any, but not below SMALL,
 * which a thread has done in the time of a barrier or two.  A segment is as many arcs of one row as are added between two looks at the
 * cancel callback. */
enum { SMALL = 1 << 13, LARGE = 1 << 16, FOR_EACH_THREAD = 4, ROW_COST = 4, SEGMENT = 1 << 20 };

static uint64_t cost_before(const wfi_ranking *r, weft_vid v) { return r->in->offsets[v] + (uint64_t)ROW_COST * v; }

size_t wfi_pull_chunks(const wfi_ranking *r, weft_vid first, weft_vid end) {
    uint64_t cost = cost_before(r, end) - cost_before(r, first);
    uint64_t wanted = (uint64_t)wfi_threads(r->ctx) * FOR_EACH_THREAD;
    return (size_t)wfi_max_u64(cost / LARGE + 1, wfi_min_u64(cost / SMALL, wanted));
}

weft_vid wfi_pull_chunk(const wfi_ranking *r, weft_vid first, weft_vid end, size_t c) {
    uint64_t all = cost_before(r, end) - cost_before(r, first), chunks = wfi_pull_chunks(r, first, end);
    uint64_t cost = cost_before(r, first) + all / chunks * c + all % chunks * c / chunks;
    weft_vid low = first, high = end;
    while (low < high) {
        weft_vid middle = low + (high - low) / 2;
        if (cost_before(r, middle) < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline void add_32(const wfi_ranking *r, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const float *share = r->share;
    const weft_vid *source = r->in->targets;
    uint64_t whole = 0;
    for (weft_eid e = from; e < to; e++) whole += wfi_fixed_of(share[source[e]]);
    sum->whole += whole;
}

/* Halves are whole multiples of a unit that is above 2^-62. */
static inline void add_16(const wfi_ranking *r, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const uint16_t *share = r->share;
    const weft_vid *source = r->in->targets;
    uint64_t units = 0;
    for (weft_eid e = from; e < to; e++) units += wfi_half_units(share[source[e]]);
    sum->whole += units << (62 - WFI_HALF_UNIT - r->half_scale);
}

static inline void add_64(const wfi_ranking *r, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const double *share = r->share;
    const weft_vid *source = r->in->targets;
    for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]]);
}

static inline void add_weighted(const wfi_ranking *r, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const double *share = r->share;
    const weft_vid *source = r->in->targets;
    const uint32_t *whole = r->in->weights;
    const float *single = r->in->weights;
    const double *real = r->in->weights;
    switch (r->g->weight_type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32:
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]] * (double)whole[e]);
        break;
    case WEFT_WEIGHT_F32:
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]] * (double)single[e]);
        break;
    case WEFT_WEIGHT_F64:
        for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]] * real[e]);
        break;
    }
}

static inline __attribute__((always_inline)) void pull(wfi_ranking *r, wfi_travels travels, weft_vid first,
                                                       weft_vid count, double *came) {
    const weft_eid *offsets = r->in->offsets + first;
    for (weft_vid k = 0; k < count; k++) {
        wfi_fixed sum = {0, 0};
        for (weft_eid e = offsets[k], end = offsets[k + 1]; e < end;) {
            weft_eid stop = wfi_min_u64(end, e + SEGMENT);
            if (travels == WFI_SHARE_32)
                add_32(r, e, stop, &sum);
            else if (travels == WFI_SHARE_64)
                add_64(r, e, stop, &sum);
            else if (travels == WFI_SHARE_16)
                add_16(r, e, stop, &sum);
            else
                add_weighted(r, e, stop, &sum);
            wfi_fixed_settle(&sum);
            if (stop < end && wfi_cancelled(r->ctx)) atomic_store(&r->stop, true);
            e = stop;
        }
        came[k] = wfi_fixed_value(sum);
    }
}

void wfi_pull(wfi_ranking *r, weft_vid first, weft_vid count, double *came) {
    switch (r->travels) {
    case WFI_SHARE_32: pull(r, WFI_SHARE_32, first, count, came); break;
    case WFI_SHARE_64: pull(r, WFI_SHARE_64, first, count, came); break;
    case WFI_SHARE_16: pull(r, WFI_SHARE_16, first, count, came); break;
    case WFI_SHARE_WEIGHTED: pull(r, WFI_SHARE_WEIGHTED, first, count, came); break;
    }
}
