/* Declarations shared by the GPU's kernels of pagerank: the operands of a run, and its results. */
#ifndef WFI_PAGERANK_CUDA_CUH
#define WFI_PAGERANK_CUDA_CUH

#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/pagerank_sums.cuh"
#include "engines/sliced_ellpack/sell.cuh"

namespace wfi_pagerank {

/* A share is multiplied with the arc's weight of type W: double, or uint32_t for u32 and for the bits of f32. */
template <class R, class W> struct weighted {
    typedef R rank;
    typedef W weight;
    typedef double share;
    typedef wfi_sum<double> pulled;
    typedef wfi_sum<R> total;
    static constexpr bool WEIGHTED = true;
};

enum {
    LIMBS = 2, /* of a sum */
    SETS = 3,  /* of sums, used in turn */
};

/* Results of the kernel. */
struct control {
    sums set[SETS], last; /* last: of the ranks that are returned */
    double teleport, residual;
    unsigned long long iterations;
    int converged;
};

template <class K> struct job {
    const uint32_t *step, *unit_row, *degree;
    const weft_vid *cells;
    const typename K::weight *weights; /* of the cells */
    const double *give;                /* with weights, by row: 2^62 / sum of the weights; 0 for a dangling vertex */
    const weft_vid *own;               /* the row's number as a source */
    wfi_sell_part at[WFI_MOST_PARTS];
    uint32_t unit[WFI_SELL_BLOCKS][WFI_MOST_PARTS + 1];
    /* Numbers that run through all parts: of long rows; of rows that have outgoing arcs only. */
    uint32_t slot[WFI_MOST_PARTS + 1], hollow[WFI_MOST_PARTS + 1];
    unsigned long long *pulled; /* sums of long rows, as many words each as K::pulled has */
    const double *restart;
    typename K::rank *rank;
    typename K::share *share[2]; /* Jacobi: used in turn; sweeping in turn: current and new shares */
    control *c;
    rules r;
    weft_vid n, part;
    uint32_t parts, hubs;
    wfi_sell_blocks blocks;
    bool real_weights; /* weights are f32 */
};

/* The distribution of a graph small enough for the shared memory of a cluster of blocks (pagerank_small.cu): each block
 * has a range of whole rows, and their units.  blocks = 0: the graph does not fit. */
enum { SMALL_BLOCKS = 16 };

/* A piece of a unit: steps begin ... end - 1, of a long row, or of the 32 rows from `row` on. */
struct __align__(8) small_piece {
    uint16_t begin, end, row;
    uint16_t shared; /* the row has other pieces, too */
};

template <class S> struct small_arrays {
    uint16_t *place_of, *turns; /* on the GPU */
    small_piece *pieces;
    S *exchange;
    uint32_t *step, *unit_row; /* on the host: units to cut, and the pieces made of them */
    weft_vid *own;
    uint16_t *places;
    small_piece *cut, *dealt;
};

struct small_cut {
    unsigned blocks;
    uint32_t unit[SMALL_BLOCKS + 1], row[SMALL_BLOCKS + 1], piece[SMALL_BLOCKS + 1];
    uint32_t place[SMALL_BLOCKS + 1]; /* first table position of the shares of each block's rows */
    uint32_t rows, pieces, steps;     /* maximum over all blocks */
    const uint16_t *place_of;         /* of a source; this and the following arrays are on the GPU */
    const small_piece *pieces_of;     /* by block and warp */
    const uint16_t *turns;            /* for each block and warp: begin of its pieces of long rows, and of slices */
    void *exchange;                   /* new shares by table position: two sets in turn, `stride` apart */
    uint32_t stride;
    size_t shared;
};

/* Declares no arrays for a graph with too many vertices. */
template <class S>
void lay_out_small(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, small_arrays<S> *arrays);
template <class S>
weft_status cut_small(weft_ctx *ctx, const wfi_sell *r, const small_arrays<S> &arrays, small_cut *cut);
/* Iterations first + 1 ... first + count, or until convergence. */
template <class S>
weft_status iterate_small(weft_ctx *ctx, const job<plain<S>> &j, const small_cut &cut, uint64_t first, uint64_t count);

} // namespace wfi_pagerank

#endif
