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
 * The cells of the rows lie in units of whole steps, and a step is a cell for each lane of a warp.  A long row is cut into
 * units of its own: every lane has some of its arcs.  Shorter rows lie in slices of 32 about equally long: every lane has a
 * row, and its k-th arc stands in the k-th step.  What is long depends on how many arcs there are: in a small graph there
 * are lanes enough, and a lane should not have to wait often.  Cells that are left over are WFI_NO_SOURCE.
 * Needs: fewer than 2^31 vertices. */
enum { WFI_LANES = 32, WFI_MOST_PARTS = 8, WFI_MOST_STEPS = 32 /* of a unit of a long row */ };
#define WFI_NO_SOURCE 0xffffffffu
#define WFI_LONG 0x80000000u

struct wfi_ranked_part {
    uint32_t row, sliced, empty, end; /* rows row ... are long, sliced ... lie in slices, empty ... end-1 in no unit */
    uint32_t slot;                    /* of the first long row, counted through all parts */
    uint32_t unit, slice, last;       /* units unit ... are of long rows, slice ... last-1 are slices */
};

struct wfi_ranked {
    weft_vid n, part, sinks; /* sinks: vertices that no arc leaves; as sources they come last */
    uint32_t parts;
    wfi_ranked_part at[WFI_MOST_PARTS];
    wfi_buffer<weft_vid> vertex; /* n: the vertex whose row this is */
    wfi_buffer<weft_vid> source; /* n: its number as a source */
    wfi_buffer<uint32_t> degree; /* n: its out-degree */
    wfi_buffer<uint32_t> row;    /* units: the first row of a slice; WFI_LONG and the slot of a long row */
    wfi_buffer<uint32_t> step;   /* units + 1: where a unit begins */
    wfi_buffer<weft_vid> cells;  /* sources, WFI_LANES a step */
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
