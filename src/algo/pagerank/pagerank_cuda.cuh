/* What the GPU's kernels of pagerank share: what a run works on, and what it leaves behind. */
#ifndef WFI_PAGERANK_CUDA_CUH
#define WFI_PAGERANK_CUDA_CUH

#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/pagerank_sums.cuh"
#include "engines/sliced_ellpack/sell.cuh"

namespace wfi_pagerank {

/* A share is multiplied with the weight of the arc, which is of type W: double, or uint32_t for u32 and the bits of
 * f32. */
template <class R, class W> struct weighted {
    typedef R rank;
    typedef W weight;
    typedef double share;
    typedef wfi_sum<double> came;
    typedef wfi_sum<R> total;
    static constexpr bool WEIGHTED = true;
};

enum {
    LIMBS = 2, /* of a sum */
    SETS = 3,  /* of sums */
};

/* What the kernel leaves behind. */
struct control {
    sums set[SETS], last; /* last: of the ranks as they are given out */
    double teleport, residual;
    unsigned long long iterations;
    int settled;
};

template <class K> struct job {
    const uint32_t *step, *unit_row, *degree;
    const weft_vid *cells;
    const typename K::weight *weights; /* of the cells */
    const double *give;                /* with weights, by row: 2^62 / their sum; 0 = dangling */
    const weft_vid *own;               /* the row's number as a source */
    wfi_sell_part at[WFI_MOST_PARTS];
    uint32_t unit[WFI_SELL_BLOCKS][WFI_MOST_PARTS + 1];
    uint32_t slot[WFI_MOST_PARTS + 1],
        hollow[WFI_MOST_PARTS + 1]; /* counted through the parts: long rows, empty rows that are not alone */
    unsigned long long *came;       /* for each long row: as many words as K::came has */
    const double *restart;
    typename K::rank *rank;
    typename K::share *share[2]; /* in turn; in parts: in effect, and to come */
    control *c;
    rules r;
    weft_vid n, part;
    uint32_t parts, hubs;
    wfi_sell_blocks blocks;
    bool real_weights; /* they are f32 */
};

/* A graph so small that the shared memory of a cluster of blocks holds all of it (pagerank_small.cu): each block has a
 * run of rows, whole ones, and their units.  blocks = 0: it does not fit. */
enum { SMALL_BLOCKS = 16 };

/* A unit, or of a slice some steps: steps begin ... end-1 of a row, or of 32 from there on. */
struct __align__(8) small_piece {
    uint16_t begin, end, row;
    uint16_t shared; /* it is not the only one of its row */
};

template <class S> struct small_arrays {
    uint16_t *place_of, *turns; /* on the GPU */
    small_piece *pieces;
    S *exchange;
    uint32_t *step, *unit_row; /* on the host: what is cut, and into what */
    weft_vid *own;
    uint16_t *places;
    small_piece *cut, *dealt;
};

struct small_cut {
    unsigned blocks;
    uint32_t unit[SMALL_BLOCKS + 1], row[SMALL_BLOCKS + 1], piece[SMALL_BLOCKS + 1];
    uint32_t place[SMALL_BLOCKS + 1]; /* of the shares of its rows in the table */
    uint32_t rows, pieces, steps;     /* the most of any block */
    const uint16_t *place_of;         /* of a source; this and what follows on the GPU */
    const small_piece *pieces_of;     /* by block and warp */
    const uint16_t *turns;            /* for each block and warp: where its pieces of long rows begin, and of slices */
    void *exchange;                   /* new shares by place: two sets in turn, so far apart: */
    uint32_t stride;
    size_t shared;
};

/* None for a graph that has too many vertices. */
template <class S>
void lay_out_small(wfi_workspace *space, wfi_workspace *device, const weft_graph *g, small_arrays<S> *arrays);
template <class S>
weft_status cut_small(weft_ctx *ctx, const wfi_sell *r, const small_arrays<S> &arrays, small_cut *cut);
/* Iterations number first + 1 ... first + count, or until the ranks are settled. */
template <class S>
weft_status iterate_small(weft_ctx *ctx, const job<plain<S>> &j, const small_cut &cut, uint64_t first, uint64_t count);

} // namespace wfi_pagerank

#endif
