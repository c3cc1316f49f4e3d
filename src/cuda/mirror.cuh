/* What of a graph lies on the GPU.  Made on first use, once, under the graph's lock, and kept with the graph. */
#ifndef WFI_CUDA_MIRROR_CUH
#define WFI_CUDA_MIRROR_CUH

#include "cuda/buffers.cuh"
#include "graph/graph.h"

/* One direction, as in wfi_rows; weights NULL when the graph has none. */
struct wfi_device_rows {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *weights; /* u32, or the bits of f32 */
};

/* The incoming rows laid out for sweeps.  Rows stand by part of the vertices (`part` of them in each), within a part by
 * length, longest first.  Sources are numbered by out-degree, most first, so that what many arcs read lies close together.
 * Ties fall by vertex.
 * Long rows lie one after the other.  Shorter ones lie in slices of 32, which are about equally long: the k-th arcs of all
 * 32 rows stand side by side, so that a lane can follow each row and the warp reads in order.  What is long depends on how
 * many arcs there are: in a small graph there are lanes enough, and a lane should not have to wait often.
 * A long row, or a slice, is a unit; its cells begin at base[unit]. */
enum { WFI_SLICE = 32, WFI_MOST_PARTS = 8 };

struct wfi_ranked_part {
    uint32_t row, sliced, end; /* rows row ... sliced-1 are long, sliced ... end-1 lie in slices */
    uint32_t unit;             /* of the first row; then one for each long row, then one for each slice */
};

struct wfi_ranked {
    weft_vid n, part, sinks; /* sinks: vertices that no arc leaves; as sources they come last */
    uint32_t parts;
    wfi_ranked_part at[WFI_MOST_PARTS];
    wfi_buffer<weft_vid> vertex; /* n: the vertex whose row this is */
    wfi_buffer<weft_vid> source; /* n: its number as a source */
    wfi_buffer<uint32_t> degree; /* n: its out-degree */
    wfi_buffer<uint32_t> length; /* n: of the row */
    wfi_buffer<weft_eid> base;   /* units + 1 */
    wfi_buffer<weft_vid> cells;  /* sources */
};

struct wfi_mirror;

/* The outgoing or incoming rows (of an undirected graph they are the same). */
weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows);
weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows);
weft_status wfi_mirror_ranked(weft_ctx *ctx, const weft_graph *g, weft_vid part, const wfi_ranked **ranked);

/* Bytes that would still have to be taken for them: kept, and at the peak of making. */
struct wfi_mirror_cost {
    uint64_t kept, peak;
};
wfi_mirror_cost wfi_mirror_out_cost(const weft_graph *g);
wfi_mirror_cost wfi_mirror_in_cost(const weft_graph *g);
wfi_mirror_cost wfi_mirror_ranked_cost(const weft_graph *g);

#endif
