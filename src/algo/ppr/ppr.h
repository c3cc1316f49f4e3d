/* Lanes: personalised PageRank of a few seeds side by side.
 *
 * rank = (1 - d) e + d (P rank + D e), where e is 1 at the seed and 0 elsewhere, and d the damping; P hands on what a
 * vertex has along its arcs, in equal parts or by their weights; D is the rank of vertices without arcs to hand it on.
 * Method: power iteration from e [1].  A vertex has a row with a value for each lane, so that one look at an arc serves
 * all of them.  A lane that is done may start with another seed beside the others: the iteration that starts it makes e
 * of what was there, and counts as none.  CPU cores go through vertices that the seeds have reached (lanes_cpu.c), the
 * GPU through all of them (ppr_cuda.cu): what is not reached has 0, and adds nothing.
 * Encoding: a value is the vertex's share, rank / out-degree (rank / sum of weights), in f64; where nothing leaves, the
 * rank itself; 0 before it is reached.
 * Bits: a sum along a row adds what WFI_PPR_PIECE arcs bring, in their order, and the sums of these pieces, in theirs;
 * sums over vertices are of integers.  So a lane has its own bits, whatever lanes and threads there are beside it.
 * Error: an iteration brings two vectors nearer to each other by the factor d, in L1.  So what is left to the solution
 * is at most d / (1 - d) of the last change; wfi_ppr_error adds what is rounded.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999. */
#ifndef WFI_PPR_H
#define WFI_PPR_H

#include "run/algorithm.h"

WFI_C_BEGIN

enum { WFI_PPR_LANES = 16, WFI_PPR_PIECE = 256 };

/* Sums over vertices are of whole 2^-62. */
#define WFI_PPR_ONE 0x1p62

typedef double wfi_ppr_row[WFI_PPR_LANES];

/* Of an iteration, over all vertices: how far ranks moved, and those of vertices that no arc leaves. */
typedef struct wfi_ppr_totals {
    uint64_t change[WFI_PPR_LANES], dangling[WFI_PPR_LANES];
} wfi_ppr_totals;

/* The `most` best vertices of a lane, by rank and then by vertex, of those with a rank above 0. */
typedef struct wfi_ppr_best {
    unsigned lane;
    uint64_t most, found;
    weft_vid *vertex; /* room for `most`; on the host */
    double *rank;
} wfi_ppr_best;

struct wfi_ppr_lanes;

/* Where lanes are computed. */
typedef struct wfi_ppr_engine {
    weft_status (*open)(struct wfi_ppr_lanes *b);                 /* before anything else: all values are 0 */
    weft_status (*start)(struct wfi_ppr_lanes *b, weft_vid seed); /* which a lane has been given */
    weft_status (*iterate)(struct wfi_ppr_lanes *b, wfi_ppr_totals *t);
    weft_status (*best)(struct wfi_ppr_lanes *b, wfi_ppr_best *list, unsigned count);
    /* Should seeds wait until all lanes are idle?  Then what was reached is forgotten. */
    bool (*waits)(const struct wfi_ppr_lanes *b);
    void (*forget)(struct wfi_ppr_lanes *b);
} wfi_ppr_engine;

typedef struct wfi_ppr_lanes {
    const wfi_ppr_engine *engine;
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_ppr_params *p;
    weft_vid seed[WFI_PPR_LANES]; /* WEFT_NO_VERTEX: the lane is idle */
    wfi_ppr_row damping;          /* of each lane: d, and 0 where it starts or is idle */
    wfi_ppr_row returns;          /* to the seed: 1 - d + d D, and 1 where it starts */
    wfi_ppr_row residual;         /* the last change */
    uint64_t iterations[WFI_PPR_LANES];
    bool starts[WFI_PPR_LANES]; /* in the next iteration */
} wfi_ppr_lanes;

/* The table as it fills: of seed i, found[i] rows from i * most on. */
typedef struct wfi_ppr_table {
    weft_vid *seed, *vertex;
    double *rank;
    uint64_t *found, most;
} wfi_ppr_table;

/* On the host, before the engine's own arrays. */
void wfi_ppr_lay_out(wfi_workspace *w, const weft_graph *g, const weft_ppr_params *p, wfi_ppr_table *t);
void wfi_ppr_tell_plan(const weft_graph *g, const weft_ppr_params *p, const char *rows, wfi_choice *choice);
/* All seeds, then the result.  The engine's arrays are there. */
weft_status wfi_ppr_drive(wfi_job *job, wfi_ppr_lanes *b, wfi_ppr_table *t);

void wfi_ppr_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_ppr_run_cpu(wfi_job *job);
void wfi_ppr_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_ppr_run_cuda(wfi_job *job);

WFI_C_END
#endif
