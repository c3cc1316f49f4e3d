/* What of a graph lies on the GPU.  Made on first use, once, under the graph's lock, and kept with the graph. */
#ifndef WFI_CUDA_MIRROR_CUH
#define WFI_CUDA_MIRROR_CUH

#include "cuda/pieces.cuh"
#include "cuda/ranked.cuh"
#include "cuda/shorts.cuh"
#include "graph/graph.h"

/* One direction, as in wfi_rows; weights NULL when the graph has none. */
struct wfi_device_rows {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *weights; /* u32, or the bits of f32 */
};

struct wfi_mirror;

/* The outgoing or incoming rows (of an undirected graph they are the same). */
weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows);
weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows);
/* `part` is the same for all runs of a graph.  Once made with weights it serves both; made without them first, it is kept beside. */
weft_status wfi_mirror_ranked(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights,
                              const wfi_ranked **ranked);
/* The outgoing or incoming rows in pieces; the rows are there then. */
weft_status wfi_mirror_pieces(weft_ctx *ctx, const weft_graph *g, bool incoming, const wfi_pieces **pieces);
/* Of the outgoing rows the arcs shorter than `below`, which has to be the same for every call with a graph; the rows are there then.
 * *shorts = NULL: they are a larger share of the arcs than was planned with, by more than a plan may miss. */
weft_status wfi_mirror_shorts(weft_ctx *ctx, const weft_graph *g, double below, double share,
                              const wfi_short_rows **shorts);

/* Bytes that would still have to be taken for them: kept, and at the peak of making. */
struct wfi_mirror_cost {
    uint64_t kept, peak;
};
wfi_mirror_cost wfi_mirror_out_cost(const weft_graph *g);
wfi_mirror_cost wfi_mirror_in_cost(const weft_graph *g);
wfi_mirror_cost wfi_mirror_ranked_cost(const weft_graph *g, bool weights);
/* Without the rows.  *places: of pieces of long rows.  A guess for incoming rows that the host does not have. */
wfi_mirror_cost wfi_mirror_pieces_cost(const weft_ctx *ctx, const weft_graph *g, bool incoming, uint64_t *places);
/* Without the rows.  share: of the arcs that are so short. */
wfi_mirror_cost wfi_mirror_shorts_cost(const weft_graph *g, double share);

#endif
