/* Lanes: personalised PageRank of a few seeds side by side.
 *
 * rank = (1 - d) e + d (P rank + D e), where e is 1 at the seed and 0 elsewhere, and d is the damping; P passes the
 * rank of a vertex along its arcs, in equal parts or by weight; D is the total rank of vertices without outgoing arcs.
 * Method: power iteration from e [1].  A vertex has a row with a value for each lane, so that one read of an arc serves
 * all lanes.  A finished lane may start another seed while the others go on: the iteration that starts it turns the
 * lane's old values into e, and is not counted.  CPU cores visit the vertices that the seeds have reached
 * (lanes_cpu.c), the GPU visits all (ppr_cuda.cu): vertices that are not reached have the value 0 and add nothing.
 * Encoding: a value is the vertex's share, rank / out-degree (rank / sum of weights), in f64; the rank itself if the
 * vertex has no outgoing arcs; 0 before the vertex is reached.
 * Bits: a sum along a row adds the values of WFI_PPR_PIECE arcs in their order, and then these partial sums in theirs;
 * sums over vertices are of integers.  So the bits of a lane do not depend on other lanes or on threads.
 * Error: an iteration is a contraction by the factor d in L1.  So the distance to the solution is at most d / (1 - d)
 * times the last change; error_after of ppr.c adds the rounding errors.
 * [1] Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the Web", Stanford 1999. */
#ifndef WFI_PPR_H
#define WFI_PPR_H

#include "run/algorithm.h"
#include "weft/ppr.h"

WFI_C_BEGIN

enum { WFI_PPR_LANES = 16, WFI_PPR_PIECE = 256 };

/* Sums over vertices are integers, in units of 2^-62. */
#define WFI_PPR_ONE 0x1p62

typedef double wfi_ppr_row[WFI_PPR_LANES];

/* Sums over all vertices in an iteration: change of ranks, and rank of vertices without outgoing arcs. */
typedef struct wfi_ppr_totals {
    uint64_t change[WFI_PPR_LANES], dangling[WFI_PPR_LANES];
} wfi_ppr_totals;

/* The `most` best vertices of a lane, by rank and then by vertex, among those of positive rank. */
typedef struct wfi_ppr_best {
    unsigned lane;
    uint64_t most, found;
    weft_vid *vertex; /* capacity `most`, host memory */
    double *rank;
} wfi_ppr_best;

struct wfi_ppr_lanes;

/* The functions of an engine, CPU or GPU. */
typedef struct wfi_ppr_engine {
    weft_status (*open)(struct wfi_ppr_lanes *b);                 /* the first call; makes all values 0 */
    weft_status (*start)(struct wfi_ppr_lanes *b, weft_vid seed); /* `seed` was given to a lane */
    weft_status (*iterate)(struct wfi_ppr_lanes *b, wfi_ppr_totals *t);
    weft_status (*best)(struct wfi_ppr_lanes *b, wfi_ppr_best *list, unsigned count);
    /* Do seeds wait until all lanes are idle?  Then `forget` resets the reached vertices. */
    bool (*waits)(const struct wfi_ppr_lanes *b);
    void (*forget)(struct wfi_ppr_lanes *b);
} wfi_ppr_engine;

typedef struct wfi_ppr_lanes {
    const wfi_ppr_engine *engine;
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_ppr_params *p;
    weft_vid seed[WFI_PPR_LANES]; /* WEFT_NO_VERTEX: the lane is idle */
    wfi_ppr_row damping;          /* of each lane: d, or 0 if it starts or is idle */
    wfi_ppr_row returns;          /* to the seed: 1 - d + d D, or 1 if it starts */
    wfi_ppr_row residual;         /* the last change */
    uint64_t iterations[WFI_PPR_LANES];
    bool starts[WFI_PPR_LANES]; /* in the next iteration */
} wfi_ppr_lanes;

/* The table as it fills: found[i] rows of seed i, from i * most on. */
typedef struct wfi_ppr_table {
    weft_vid *seed, *vertex;
    double *rank;
    uint64_t *found, most;
} wfi_ppr_table;

/* Declares the host arrays; the engine's own follow. */
void wfi_ppr_lay_out(wfi_workspace *w, const weft_graph *g, const weft_ppr_params *p, wfi_ppr_table *t);
void wfi_ppr_describe_plan(const weft_graph *g, const weft_ppr_params *p, const char *rows, wfi_choice *choice);
/* Computes all seeds, then the result.  The engine's arrays are laid out. */
weft_status wfi_ppr_drive(wfi_job *job, wfi_ppr_lanes *b, wfi_ppr_table *t);

void wfi_ppr_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_ppr_run_cpu(wfi_job *job);
void wfi_ppr_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_ppr_run_cuda(wfi_job *job);

WFI_C_END
#endif
