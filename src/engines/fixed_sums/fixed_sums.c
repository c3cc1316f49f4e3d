/* Sums of incoming shares, CPU (fixed_sums.h): chunks of rows of equal cost, taken dynamically. */
#include "engines/fixed_sums/fixed_sums.h"
#include "core/fixed.h"
#include "graph/rows.h"

/* A chunk is rows of about the same total cost (graph/rows.h): LARGE, or less if threads would have no chunk, but not
 * below SMALL, which a thread does in the time of a barrier or two.  A segment is the number of arcs of one row added
 * between two polls. */
enum { SMALL = 1 << 13, LARGE = 1 << 14, FOR_EACH_THREAD = 4, SEGMENT = 1 << 20 };

size_t wfi_pull_chunks(const wfi_pulling *p, weft_vid first, weft_vid end) {
    const weft_eid *offsets = p->rows->offsets;
    uint64_t cost = wfi_cost_before(offsets, end) - wfi_cost_before(offsets, first);
    uint64_t wanted = (uint64_t)wfi_threads(p->ctx) * FOR_EACH_THREAD;
    return (size_t)wfi_max_u64(cost / LARGE + 1, wfi_min_u64(cost / SMALL, wanted));
}

weft_vid wfi_pull_chunk(const wfi_pulling *p, weft_vid first, weft_vid end, size_t c) {
    return wfi_chunk_of_rows(p->rows->offsets, first, end, wfi_pull_chunks(p, first, end), c);
}

static inline void add_32(const wfi_pulling *p, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const float *share = p->share;
    const weft_vid *source = p->rows->targets;
    uint64_t whole = 0;
    for (weft_eid e = from; e < to; e++) whole += wfi_fixed_of(share[source[e]]);
    sum->whole += whole;
}

static inline void add_64(const wfi_pulling *p, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const double *share = p->share;
    const weft_vid *source = p->rows->targets;
    for (weft_eid e = from; e < to; e++) wfi_fixed_add(sum, share[source[e]]);
}

static inline void add_weighted(const wfi_pulling *p, weft_eid from, weft_eid to, wfi_fixed *sum) {
    const double *share = p->share;
    const weft_vid *source = p->rows->targets;
    const uint32_t *whole = p->rows->weights;
    const float *single = p->rows->weights;
    const double *real = p->rows->weights;
    switch (p->weight_type) {
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

/* The sum over the arcs from ... end-1 of one row. */
static inline __attribute__((always_inline)) wfi_fixed add_row(wfi_pulling *p, wfi_share_kind kind, weft_eid from,
                                                               weft_eid end) {
    wfi_fixed sum = {0, 0};
    for (weft_eid e = from; e < end;) {
        weft_eid stop = wfi_min_u64(end, e + SEGMENT);
        if (kind == WFI_SHARE_32)
            add_32(p, e, stop, &sum);
        else if (kind == WFI_SHARE_64)
            add_64(p, e, stop, &sum);
        else
            add_weighted(p, e, stop, &sum);
        wfi_fixed_carry(&sum);
        if (stop < end && wfi_cancelled(p->ctx)) atomic_store(&p->stop, true);
        e = stop;
    }
    return sum;
}

/* Sums go to `came` as doubles, or to `limbs` in fixed point. */
static inline __attribute__((always_inline)) void pull(wfi_pulling *p, wfi_share_kind kind, weft_vid first,
                                                       weft_vid count, double *came, uint64_t *limbs) {
    const weft_eid *offsets = p->rows->offsets + first;
    for (weft_vid k = 0; k < count; k++) {
        wfi_fixed sum = add_row(p, kind, offsets[k], offsets[k + 1]);
        if (came) {
            came[k] = wfi_fixed_value(sum);
        } else if (wfi_pull_limbs(kind) == 1) {
            limbs[k] = sum.whole;
        } else {
            limbs[2 * (size_t)k] = sum.whole;
            limbs[2 * (size_t)k + 1] = sum.rest;
        }
    }
}

void wfi_pull(wfi_pulling *p, weft_vid first, weft_vid count, double *came) {
    switch (p->kind) {
    case WFI_SHARE_32: pull(p, WFI_SHARE_32, first, count, came, NULL); break;
    case WFI_SHARE_64: pull(p, WFI_SHARE_64, first, count, came, NULL); break;
    case WFI_SHARE_WEIGHTED: pull(p, WFI_SHARE_WEIGHTED, first, count, came, NULL); break;
    }
}

void wfi_pull_sums(wfi_pulling *p, weft_vid first, weft_vid count, uint64_t *sum) {
    switch (p->kind) {
    case WFI_SHARE_32: pull(p, WFI_SHARE_32, first, count, NULL, sum); break;
    case WFI_SHARE_64: pull(p, WFI_SHARE_64, first, count, NULL, sum); break;
    case WFI_SHARE_WEIGHTED: pull(p, WFI_SHARE_WEIGHTED, first, count, NULL, sum); break;
    }
}

/* --- sums of weights ------------------------------------------------------------- */

/* *bad: the first arc with an unusable weight. */
double wfi_row_sum(weft_weight_type type, const wfi_view *rows, weft_vid v, _Atomic weft_eid *bad) {
    double sum = 0;
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        double w = wfi_weight_at(type, rows->weights, e);
        if (!WFI_SHARES_TAKE(w)) {
            weft_eid first = atomic_load(bad);
            while (e < first && !atomic_compare_exchange_weak(bad, &first, e)) continue;
        }
        sum += w;
    }
    return sum;
}

weft_status wfi_refuse_share(weft_ctx *ctx, const char *algorithm, const weft_graph *g, weft_eid arc) {
    bool negative = wfi_weight_at(g->weight_type, g->out.weights, arc) < 0;
    return negative ? wfi_refuse_weight(ctx, algorithm, g, arc)
                    : wfi_fail_weight(ctx, algorithm, g, arc, "weights must be 0, or from 1e-200 to 1e200");
}

weft_status wfi_row_sums(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                         weft_vid count, double *sum) {
    enum { ROWS = 1024 };
    _Atomic weft_eid bad = UINT64_MAX;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, count, 16 * ROWS))
    for (weft_vid first = 0; first < count; first += ROWS) {
        weft_vid end = count - first < ROWS ? count : first + ROWS;
        if (wfi_cancelled(ctx)) continue;
        for (weft_vid v = first; v < end; v++) sum[v] = wfi_row_sum(g->weight_type, rows, v, &bad);
    }
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    return atomic_load(&bad) == UINT64_MAX ? WEFT_OK : wfi_refuse_share(ctx, algorithm, g, atomic_load(&bad));
}
