/* Strided columns of an array (lanes) to edges, in pieces and in parallel.  Ids take 32 bits when all of them fit,
 * which a first pass, a parallel minimum and maximum, tells. */
#include "io/array/array.h"

enum { PIECE = 1 << 20, STRETCH = 4096 };

typedef struct job {
    weft_ctx *ctx;
    const wfi_lane *source, *target, *weight;
    weft_weight_type type;
    bool narrow;
} job;

static void fill_end(const job *j, const wfi_lane *lane, uint64_t first, wfi_piece *p, int end) {
    for (uint64_t done = 0; done < p->count; done += STRETCH) {
        int64_t id[STRETCH];
        uint64_t some = wfi_min_u64(STRETCH, p->count - done);
        wfi_lane_integers(lane, first + done, some, id);
        for (uint64_t i = 0; i < some; i++)
            if (j->narrow)
                p->narrow[2 * (done + i) + (uint64_t)end] = (uint32_t)id[i];
            else
                p->wide[2 * (done + i) + (uint64_t)end] = id[i];
    }
}

static weft_status reserve(const job *j, wfi_edges *edges, uint64_t count) {
    wfi_piece piece = {.count = count, .weight_type = j->type};
    weft_status st =
        j->narrow ? wfi_alloc(j->ctx, &piece.narrow, 2 * count) : wfi_alloc(j->ctx, &piece.wide, 2 * count);
    if (!st && j->weight) piece.weights = wfi_take(j->ctx, (size_t)count, wfi_weight_bytes(j->type));
    if (!st && j->weight && !piece.weights) st = WEFT_ENOMEM;
    if (!st) st = wfi_edges_put(j->ctx, edges, edges->count, &piece);
    if (!st) return WEFT_OK;
    wfi_free(piece.narrow);
    wfi_free(piece.wide);
    wfi_free(piece.weights);
    return st;
}

weft_status wfi_edges_from_lanes(weft_ctx *ctx, wfi_edges *edges, const wfi_lane *source, const wfi_lane *target,
                                 const wfi_lane *weight, weft_weight_type type) {
    job j = {ctx, source, target, weight, weight ? type : WEFT_WEIGHT_NONE, false};
    int64_t least[2], most[2];
    size_t before = edges->count;
    weft_status st = wfi_lane_range(ctx, source, &least[0], &most[0]);
    if (!st) st = wfi_lane_range(ctx, target, &least[1], &most[1]);
    if (st) return st;
    j.narrow = least[0] >= 0 && least[1] >= 0 && most[0] <= UINT32_MAX && most[1] <= UINT32_MAX;
    for (uint64_t first = 0; first < source->count && !st; first += PIECE)
        st = reserve(&j, edges, wfi_min_u64(PIECE, source->count - first));
    if (st) return st;
    bool stopped = false;
#pragma omp parallel for num_threads(wfi_threads_for(ctx, source->count, PIECE)) schedule(dynamic) \
    reduction(||                                                                                   \
              : stopped)
    for (size_t k = before; k < edges->count; k++) {
        wfi_piece *p = &edges->pieces[k];
        uint64_t first = (uint64_t)(k - before) * PIECE;
        stopped = stopped || wfi_cancelled(ctx);
        if (stopped) continue;
        fill_end(&j, source, first, p, 0);
        fill_end(&j, target, first, p, 1);
        if (weight) wfi_lane_weights(weight, first, p->count, type, p->weights, &p->inexact);
    }
    return stopped ? wfi_fail_cancelled(ctx) : WEFT_OK;
}
