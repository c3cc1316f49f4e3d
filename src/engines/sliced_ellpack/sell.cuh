/* The incoming rows of a graph laid out for sweeps over all of them: sliced ELLPACK (SELL-C-sigma [1], C = 32, sorted
 * within a part), with long rows apart and, in large graphs, cut into blocks of sources.
 *
 * Rows stand by part of the vertices (`part` of them in each), within a part by length, longest first.  Sources are
 * numbered by out-degree, largest first, so that the values read by many arcs lie close together; in an undirected
 * graph the vertices of isolated edges (graph/rows.h) come last among the vertices with one arc.  Ties among sources go
 * by vertex, ties among rows by their number as sources: values written by neighbouring rows lie close together, and
 * vertices without any arc come last.
 *
 * The cells of the rows lie in units of whole steps, and a step is a cell for each lane of a warp.  A long row has
 * units of its own: every lane has some of its arcs.  Shorter rows lie in slices of 32 of about the same length: every
 * lane has a row, and its k-th arc stands in the k-th step.  The threshold for long rows depends on the number of arcs:
 * a small graph has lanes enough, and a lane should not have to wait often.  Unused cells are WFI_NO_SOURCE.
 *
 * In a large graph the arcs of long rows are sorted into blocks of sources.  Near blocks, of the busiest sources, are
 * so small that their values fit into shared memory; far blocks, of all others if their values exceed the second cache,
 * so small that the values of one fit there.  Units of block k >= 1 read its sources only, units of block 0 the first
 * WFI_BLOCK sources and all that are sorted into no other block.  A row has few arcs from a block: there 32 consecutive
 * long rows are a bundle, which lies like a slice, a row to each lane.  Units stand by block, then by part.
 *
 * [1] Kreutzer, Hager, Wellein, Fehske, Bishop, "A unified sparse matrix data format for efficient general sparse
 * matrix-vector multiplication on modern processors with wide SIMD units", SIAM J. Sci. Comput. 36 (5), 2014. */
#ifndef WFI_SLICED_ELLPACK_SELL_CUH
#define WFI_SLICED_ELLPACK_SELL_CUH

#include "cuda/mirror.cuh"

enum {
    WFI_LANES = 32,
    WFI_MOST_PARTS = 8,
    WFI_MOST_STEPS = 32, /* steps of a unit of a long row */
    WFI_BLOCK = 1 << 15,
    WFI_FAR_BLOCK = 1 << 22, /* at least */
    WFI_SELL_BLOCKS = 64,
    WFI_SMALL = 1 << 15 /* vertices of a graph that may fit into the shared memory of a few SMs */
};
#define WFI_NO_SOURCE 0xffffffffu
#define WFI_LONG      0x80000000u
#define WFI_BUNDLE    0x40000000u /* only with WFI_LONG */

struct wfi_sell_part {
    uint32_t row, sliced, empty, end; /* rows row ... are long, sliced ... lie in slices, empty ... end-1 in no unit */
    uint32_t alone;                   /* rows alone ... end-1, of the empty ones, have no outgoing arcs either */
    uint32_t paired;                  /* first row of isolated edges; all later rows with an arc belong to isolated
                                       * edges */
    uint32_t slot;                    /* slot of the first long row, counted through all parts */
    uint32_t slice;                   /* the unit that is the first slice */
};

/* Block k has the sources begin(k) ... begin(k + 1) - 1; blocks near ... all-1 are far. */
struct wfi_sell_blocks {
    uint32_t near, all;
    weft_vid far; /* sources of a far block */
    __host__ __device__ weft_vid begin(uint32_t k) const {
        return k <= near ? k * WFI_BLOCK : near * WFI_BLOCK + (k - near) * far;
    }
};

/* Needs: n below 2^31. */
struct wfi_sell {
    weft_vid n, part, sinks; /* sinks: vertices without outgoing arcs; as sources they come last */
    weft_vid paired;         /* vertices of isolated edges; 0 for a directed graph */
    uint32_t parts;
    wfi_sell_blocks blocks;
    weft_eid busy_arcs; /* arcs out of the first WFI_BLOCK sources */
    wfi_sell_part at[WFI_MOST_PARTS];
    uint32_t unit[WFI_SELL_BLOCKS][WFI_MOST_PARTS + 1]; /* the first of each block and part, and the end */
    wfi_buffer<weft_vid> vertex;                        /* n: the vertex of each row */
    wfi_buffer<weft_vid> source;                        /* n: its number as a source */
    wfi_buffer<uint32_t> degree;                        /* n: its out-degree */
    wfi_buffer<uint32_t> row;     /* units: a slice's first row; a long row's slot, or a bundle's first */
    wfi_buffer<uint32_t> step;    /* units + 1: where a unit begins */
    wfi_buffer<weft_vid> cells;   /* sources, WFI_LANES a step */
    wfi_buffer<uint32_t> weights; /* weights of the cells, as in wfi_view; empty unless requested */

    void clear() {
        vertex.give();
        source.give();
        degree.give();
        row.give();
        step.give();
        cells.give();
        weights.give();
    }
};

/* Makes units from rows in their order, whose targets are sources.  n, part and degree are set. */
weft_status wfi_sell_lay_out(weft_ctx *ctx, wfi_sell *r, const wfi_view &rows, weft_eid arcs);

/* Upper bounds of the layout. */
struct wfi_sell_bounds {
    uint64_t long_rows, steps; /* a unit has at least one step */
    uint64_t units, lists;     /* bytes: of units with their cells, and of lists while they are made */
};
wfi_sell_bounds wfi_sell_within(weft_vid n, weft_eid arcs, weft_vid part, size_t weight_bytes);

/* The layout of the graph's mirror, made on first use.  `part` is the same for all runs of a graph.  A layout made with
 * weights serves both; if it was made without them first, both are kept. */
weft_status wfi_sell_of(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights, const wfi_sell **sell);
/* For the plan of a run that uses the layout, after it has declared the outgoing rows. */
void wfi_sell_declare(wfi_workspace *device, const weft_graph *g, weft_vid part, bool weights);

#endif
