/* Sweep: y = A x on the GPU over the incoming rows in SELL-C-sigma form (sell.cuh), for drivers in C.  x are f64 shares
 * times 2^62, and sums have two limbs (core/fixed.h): they equal those of engines/fixed_sums to the last bit, and are
 * faster for graphs whose layout exists or will serve many sweeps. */
#ifndef WFI_SLICED_ELLPACK_SWEEP_H
#define WFI_SLICED_ELLPACK_SWEEP_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

struct wfi_sell;

/* Vertices of a part of the layout, the same for all runs of a graph: an eighth of n, rounded up to whole
 * WFI_SELL_PART. */
enum { WFI_SELL_PART = 1 << 16, WFI_SELL_PARTS = 8 };
static inline weft_vid wfi_sell_part_size(weft_vid n) {
    uint64_t eighth = ((uint64_t)n + WFI_SELL_PARTS - 1) / WFI_SELL_PARTS;
    uint64_t size = (eighth + WFI_SELL_PART - 1) / WFI_SELL_PART * WFI_SELL_PART;
    return (weft_vid)wfi_min_u64(n, wfi_max_u64(size, WFI_SELL_PART));
}

/* The layout, made on first use and kept with the graph's mirror; and its declaration in the plan of a run, after the
 * outgoing rows. */
weft_status wfi_sweep_layout(weft_ctx *ctx, const weft_graph *g, bool weighted, const struct wfi_sell **layout);
void wfi_sweep_declare(wfi_workspace *device, const weft_graph *g, bool weighted);

/* sum[2 v] and sum[2 v + 1] = the sum of vertex v, for vertices with incoming arcs; the others are not written, and all
 * are 0 before.  share: by vertex; moved: scratch of the same size. */
weft_status wfi_sweep(weft_ctx *ctx, const struct wfi_sell *layout, bool weighted, weft_weight_type type,
                      const double *share, double *moved, uint64_t *sum);

WFI_C_END
#endif
