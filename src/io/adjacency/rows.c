/* CSR to a list of edges (COO), in pieces of 2^20 arcs and in parallel: the row of the first arc of a piece is found by
 * binary search in the offsets.  Also the words shared by the text formats csr and dense. */
#include "io/adjacency/rows.h"
#include "core/search.h"

enum { PIECE = 1 << 20 }; /* arcs */

/* The row that contains arc `arc`: the last non-empty row that begins at or before it. */
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

weft_status wfi_edges_from_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_arc_rows *rows, uint64_t *bad) {
    uint64_t arcs = rows->offsets[rows->n], first_bad = arcs;
    for (uint64_t first = 0; first < arcs; first += PIECE) {
        wfi_piece *piece;
        weft_status st = wfi_edges_add(ctx, edges, wfi_min_u64(PIECE, arcs - first), rows->type, &piece);
        if (st) return st;
    }
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic) reduction(min : first_bad)
    for (size_t k = 0; k < edges->count; k++) {
        wfi_piece *p = &edges->pieces[k];
        uint64_t first = (uint64_t)k * PIECE;
        fill_sources(rows->offsets, rows->n, first, p);
        uint64_t took = rows->take(rows->user, first, p->count, p->narrow, p->weights);
        if (took < p->count) first_bad = wfi_min_u64(first_bad, first + took);
    }
    *bad = first_bad;
    return WEFT_OK;
}

/* --- the formats csr and dense --------------------------------------------------------- */

const char *const wfi_label_words[] = {"ciclica", "aciclica", "cyclic", "acyclic", NULL};

void wfi_write_label(const weft_graph *g, wfi_sink *sink) {
    if (g->label == WEFT_LABEL_CYCLIC) wfi_sink_print(sink, "%s\n", wfi_label_words[0]);
    if (g->label == WEFT_LABEL_ACYCLIC) wfi_sink_print(sink, "%s\n", wfi_label_words[1]);
}

void wfi_warn_plain(weft_ctx *ctx, const weft_graph *g, const char *format) {
    if (g->weight_type) wfi_warn(ctx, "weights are not stored in the %s format", format);
    if (g->ids.kind != WEFT_IDS_DENSE || (g->ids.base != 0 && g->n))
        wfi_warn(ctx, "the %s format cannot store ids: the vertices become 0 ... %ld", format, (long)g->n - 1);
    if (!g->directed) wfi_warn(ctx, "the %s format is directed: each edge is stored in both directions", format);
}
