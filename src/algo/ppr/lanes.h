/* Lanes: personalised PageRank of a few seeds side by side.
 *
 * rank = (1 - d) e + d (P rank + D e), where e is 1 at the seed and 0 elsewhere, and d the damping; P hands on what a
 * vertex has along its arcs, in equal parts or by their weights; D is the rank of vertices without arcs to hand it on.
 * Method: power iteration from e [1].  A vertex has a row with a value for each lane, so that one look at an arc serves
 * all of them.  Only vertices that the seeds have reached are gone through: within k arcs in iteration k.  A lane that
 * is done may start with another seed beside the others: the iteration that starts it makes e of what was there.
 * Encoding: a value is the vertex's share, rank / out-degree (rank / sum of weights), in f64; where nothing leaves, the
 * rank itself; 0 before it is reached.
 * Bits: a sum along a row adds what WFI_PPR_PIECE arcs bring, in their order, and the sums of these pieces, in theirs;
 * sums over vertices are of integers.  So a lane has its own bits, whatever lanes and threads there are beside it.
 * Error: an iteration brings two vectors nearer to each other by the factor d, in L1.  So what is left to the solution
 * is at most d / (1 - d) of the last change; wfi_ppr_error adds what is rounded.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999. */
#ifndef WFI_PPR_LANES_H
#define WFI_PPR_LANES_H

#include "algo/algo.h"

enum { WFI_PPR_LANES = 16, WFI_PPR_PIECE = 1 << 12 };

typedef double wfi_ppr_row[WFI_PPR_LANES];

typedef struct wfi_ppr_lanes {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_ppr_params *p;
    wfi_ppr_row *share, *next;
    double *out_weight;   /* sums of rows; NULL: arcs are counted */
    weft_vid *reached;    /* vertices, in the order in which they were, or of the rows */
    uint8_t *mark;        /* of these 1, of seeds 2 */
    uint64_t known;       /* of reached */
    uint64_t fresh;       /* from here on nobody has looked where their arcs lead */
    _Atomic uint64_t end; /* of reached, while an iteration finds more */
    bool sorted;
    weft_vid seed[WFI_PPR_LANES]; /* WEFT_NO_VERTEX: the lane is idle */
    wfi_ppr_row damping;          /* of each lane: d, and 0 where it starts or is idle */
    wfi_ppr_row returns;          /* to the seed: 1 - d + d D, and 1 where it starts */
    wfi_ppr_row residual;         /* the last change */
    uint64_t iterations[WFI_PPR_LANES];
    bool starts[WFI_PPR_LANES]; /* in the next iteration */
    _Atomic bool stop;
} wfi_ppr_lanes;

void wfi_ppr_lanes_lay_out(wfi_workspace *w, const weft_graph *g, const weft_ppr_params *p, wfi_ppr_lanes *b);

/* Before anything else: all lanes are idle, and nothing is reached. */
weft_status wfi_ppr_lanes_open(wfi_ppr_lanes *b);
/* An idle lane gets a seed; the next iteration starts it, and counts as none. */
void wfi_ppr_start(wfi_ppr_lanes *b, unsigned lane, weft_vid seed);
weft_status wfi_ppr_iterate(wfi_ppr_lanes *b);
void wfi_ppr_stop(wfi_ppr_lanes *b, unsigned lane);
/* All lanes are idle: what they have reached need not be gone through by others. */
void wfi_ppr_forget(wfi_ppr_lanes *b);

/* Arcs that leave v, or the sum of their weights; and its rank. */
static inline double wfi_ppr_leaves(const wfi_ppr_lanes *b, weft_vid v) {
    const weft_eid *row = b->g->out.offsets + v;
    return b->out_weight ? b->out_weight[v] : (double)(row[1] - row[0]);
}
static inline double wfi_ppr_rank(const wfi_ppr_lanes *b, weft_vid v, unsigned lane) {
    double leaves = wfi_ppr_leaves(b, v);
    return b->share[v][lane] * (leaves > 0 ? leaves : 1);
}

/* No rank is off by more, after a change of `residual`. */
double wfi_ppr_error(const wfi_ppr_lanes *b, double residual);

/* The `most` best of the vertices that a lane's seed has reached, by rank and then by vertex; returns how many there
 * are. */
uint64_t wfi_ppr_best(wfi_ppr_lanes *b, unsigned lane, uint64_t most, weft_vid *vertex, double *rank);

#endif
