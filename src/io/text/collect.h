/* One thread's edge buffer (COO) of one block: ids are kept in 32 bits until one does not fit, weights as whole numbers
 * until one is not.  Readers of line-oriented formats fill it and hand it over as a piece. */
#ifndef WFI_COLLECT_H
#define WFI_COLLECT_H

#include "graph/edges.h"
#include "stream/numbers.h"

typedef struct wfi_collector {
    uint64_t count, room; /* edges */
    uint32_t *narrow;
    int64_t *wide; /* used instead of narrow once is_wide */
    bool is_wide;
    void *weights; /* of weight_type; NULL: none wanted */
    weft_weight_type weight_type;
    uint64_t inexact; /* integer weights that had to be rounded to floats (or doubles) */
    void *cells;      /* for the piece (edge_cells.h), or NULL */
} wfi_collector;

/* The type of weights while they are read.  Whole numbers become floats when one is not whole; doubles stay.  For u32
 * on request they are doubles, too, so that none is rounded before it is looked at (wfi_graph_weights_as). */
static inline weft_weight_type wfi_first_weight_type(const weft_read_params *params, bool weighted) {
    if (!weighted) return WEFT_WEIGHT_NONE;
    switch (params->weight_type) {
    case WEFT_WEIGHT_NONE:
    case WEFT_WEIGHT_F32: break;
    case WEFT_WEIGHT_U32:
    case WEFT_WEIGHT_F64: return WEFT_WEIGHT_F64;
    }
    return WEFT_WEIGHT_U32;
}
static inline bool wfi_reads_doubles(const weft_read_params *params) {
    return wfi_first_weight_type(params, true) == WEFT_WEIGHT_F64;
}

/* Ready for up to `room` edges, empty.  Reuses its memory: one collector per thread serves all its blocks. */
weft_status wfi_collector_reset(weft_ctx *ctx, wfi_collector *c, uint64_t room, weft_weight_type type);
void wfi_collector_free(wfi_collector *c);

/* One for each thread of the context, not yet ready: wfi_text_block.thread says which. */
weft_status wfi_collectors_new(weft_ctx *ctx, wfi_collector **out);
void wfi_collectors_free(const weft_ctx *ctx, wfi_collector *collectors);

static inline bool wfi_collects_doubles(const wfi_collector *c) { return c->weight_type == WEFT_WEIGHT_F64; }

/* Adds one edge.  `room` must not be used up. */
weft_status wfi_collect(weft_ctx *ctx, wfi_collector *c, int64_t u, int64_t v);
/* After wfi_collect: its weight. */
void wfi_collect_weight(wfi_collector *c, wfi_weight weight);

/* Copies what was collected into piece `at` of edges.  Any thread. */
weft_status wfi_collector_deliver(weft_ctx *ctx, wfi_collector *c, wfi_edges *edges, size_t at, uint32_t names);

#endif
