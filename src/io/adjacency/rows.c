/* Rows to edges, a piece at a time, in parallel. */
#include "io/adjacency/rows.h"
#include "core/search.h"

enum { PIECE = 1 << 20 }; /* arcs */

/* The row that holds arc `arc`: the last that begins at or before it and is not empty. */
static uint64_t row_of(const uint64_t *offsets, uint64_t n, uint64_t arc) {
    uint64_t low = 1, high = n;
    WFI_BISECT(low, high, middle, offsets[middle] <= arc);
    return low - 1;
}

static void fill_sources(const uint64_t *offsets, uint64_t n, uint64_t first, wfi_piece *p) {
    if (!p->count) return;
    uint64_t row = row_of(offsets, n, first);
    for (uint64_t i = 0; i < p->count; i++) {
        while (offsets[row + 1] <= first + i) row++;
        p->narrow[2 * i] = (uint32_t)row;
    }
}

weft_status wfi_edges_from_rows(weft_ctx *ctx, wfi_edges *edges, uint64_t n, const uint64_t *offsets,
                                weft_weight_type type, wfi_take_arcs take, void *user, uint64_t *bad) {
    uint64_t arcs = offsets[n], first_bad = arcs;
    for (uint64_t first = 0; first < arcs; first += PIECE) {
        wfi_piece *piece;
        weft_status st = wfi_edges_add(ctx, edges, wfi_min_u64(PIECE, arcs - first), type, &piece);
        if (st) return st;
    }
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic) reduction(min : first_bad)
    for (size_t k = 0; k < edges->count; k++) {
        wfi_piece *p = &edges->pieces[k];
        uint64_t first = (uint64_t)k * PIECE;
        fill_sources(offsets, n, first, p);
        uint64_t took = take(user, first, p->count, p->narrow, p->weights);
        if (took < p->count) first_bad = wfi_min_u64(first_bad, first + took);
    }
    *bad = first_bad;
    return WEFT_OK;
}
