/* One thread's edges of one block: ids are kept in 32 bits until one does not fit, weights as whole numbers until one
 * is not.  Readers of line-oriented formats fill it and hand it over as a piece. */
#ifndef WFI_COLLECT_H
#define WFI_COLLECT_H

#include "graph/edges.h"

typedef struct wfi_collector {
    uint64_t count, room; /* edges */
    uint32_t *narrow;
    int64_t *wide; /* used instead of narrow once is_wide */
    bool is_wide;
    uint32_t *weights; /* NULL: none wanted */
    weft_weight_type weight_type;
    uint64_t inexact; /* integer weights above 2^24 that had to become floats */
} wfi_collector;

/* Ready for up to `room` edges, empty.  Reuses its memory: one collector per thread serves all its blocks. */
weft_status wfi_collector_reset(weft_ctx *ctx, wfi_collector *c, uint64_t room, bool weighted);
void wfi_collector_free(wfi_collector *c);

/* One for each thread of the context, not yet ready: wfi_block.thread says which. */
weft_status wfi_collectors_new(weft_ctx *ctx, wfi_collector **out);
void wfi_collectors_free(const weft_ctx *ctx, wfi_collector *collectors);

/* Adds one edge.  `room` must not be used up. */
weft_status wfi_collect(weft_ctx *ctx, wfi_collector *c, int64_t u, int64_t v);
/* After wfi_collect: its weight. */
void wfi_collect_weight(wfi_collector *c, float value, bool whole, uint32_t integer);

/* Copies what was collected into piece `at` of edges.  Any thread. */
weft_status wfi_collector_deliver(weft_ctx *ctx, const wfi_collector *c, wfi_edges *edges, size_t at, uint32_t names);

#endif
