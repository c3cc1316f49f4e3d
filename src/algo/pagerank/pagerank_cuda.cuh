/* What the GPU's kernels of pagerank share: what a run works on, and what it leaves behind. */
#ifndef WFI_PAGERANK_CUDA_CUH
#define WFI_PAGERANK_CUDA_CUH

#include "algo/pagerank/pagerank.h"
#include "cuda/fixed.cuh"
#include "cuda/mirror.cuh"

/* What a run computes with: ranks, shares, and the sums of each.  `came` adds up shares, `total` ranks and their changes. */
template <class S> struct plain {
    typedef S rank, share;
    typedef wfi_sum<S> came, total;
    static constexpr bool HALF = false, WEIGHTED = false;
};

struct halves {
    typedef float rank;
    typedef __half share;
    typedef wfi_sum<__half> came;
    typedef wfi_sum<float> total;
    static constexpr bool HALF = true, WEIGHTED = false;
};

/* A share is multiplied with the weight of the arc. */
template <class R> struct weighted {
    typedef R rank;
    typedef double share;
    typedef wfi_sum<double> came;
    typedef wfi_sum<R> total;
    static constexpr bool HALF = false, WEIGHTED = true;
};

enum {
    WARP = 32,
    LIMBS = 2, /* of a sum */
    SETS = 3,  /* of sums */
};

struct sums {
    unsigned long long change[2], dangling[2], sum[2];
};

/* What the kernel leaves behind. */
struct control {
    sums set[SETS], last; /* last: of the ranks as they are given out */
    double teleport, residual;
    unsigned long long iterations;
    int settled;
};

struct rules {
    double damping, uniform, tolerance;
    bool by_tolerance, drop, in_turn; /* in_turn: parts one after the other, and all scaled after an iteration */
};

template <class K> struct job {
    const uint32_t *step, *unit_row, *degree;
    const weft_vid *cells;
    const uint32_t *weights; /* of the cells: u32, or the bits of f32 */
    const double *give;      /* with weights, by row: 2^62 / their sum; 0 = dangling */
    const weft_vid *own;     /* the row's number as a source */
    wfi_ranked_part at[WFI_MOST_PARTS];
    uint32_t unit[WFI_MOST_BLOCKS][WFI_MOST_PARTS + 1];
    uint32_t slot[WFI_MOST_PARTS + 1],
        hollow[WFI_MOST_PARTS + 1]; /* counted through the parts: long rows, empty rows */
    unsigned long long *came;       /* for each long row: LIMBS */
    const double *restart;
    typename K::rank *rank;
    typename K::share *share[2]; /* in turn; in parts: in effect, and to come */
    control *c;
    rules r;
    weft_vid n, part;
    uint32_t parts, blocks, hubs;
    bool passing;           /* shares and states are too many for the second cache */
    bool real_weights;      /* they are f32 */
    float narrow;           /* halves: from a share times 2^62 to what is stored */
    double of_half, of_sum; /* halves: what a stored 1 is worth, and the value of a sum of them */
};

template <class K> struct totals { typename K::total change, dangling, sum; };

/* A graph so small that the shared memory of a cluster of blocks holds all of it (pagerank_small.cu): each block has a run
 * of rows, whole ones, and their units.  blocks = 0: it does not fit. */
enum { SMALL_BLOCKS = 16 };

struct small_cut {
    unsigned blocks;
    uint32_t unit[SMALL_BLOCKS + 1], row[SMALL_BLOCKS + 1];
    uint32_t place[SMALL_BLOCKS + 1]; /* of the shares of its rows in the table */
    uint32_t rows, units, steps;      /* the most of any block */
    const uint16_t *place_of;         /* of a source, on the GPU */
    void *exchange;                   /* new shares by place: two sets in turn, so far apart: */
    uint32_t stride;
    size_t shared;
};

template <class S>
weft_status cut_small(weft_ctx *ctx, const wfi_ranked *r, wfi_buffer<uint16_t> *place_of, wfi_buffer<S> *exchange,
                      small_cut *cut);
/* Iterations number first + 1 ... first + count, or until the ranks are settled. */
template <class S>
weft_status iterate_small(weft_ctx *ctx, const job<plain<S>> &j, const small_cut &cut, uint64_t first, uint64_t count);

#endif
