/* What the files of pagerank share. */
#ifndef WFI_PAGERANK_H
#define WFI_PAGERANK_H

#include "core/machine.h"
#include "engines/sliced_ellpack/sweep.h"
#include "run/algorithm.h"
#include "run/auto.h"

WFI_C_BEGIN

/* Vertices that are swept at once: all of them, or a part. */
static inline weft_vid wfi_pagerank_part(weft_vid n, bool whole) { return whole ? n : wfi_sell_part_size(n); }

/* Where a run begins: `paired` for the vertices of pairs (graph/rows.h) if that is above 0, flat + slope * degree for
 * all others. */
typedef struct wfi_pagerank_beginning {
    double flat, slope, paired;
} wfi_pagerank_beginning;

/* Does it depend on the degrees?  Of an undirected graph without weights, to a tolerance, with restarts everywhere. */
bool wfi_pagerank_by_degree(const weft_graph *g, const weft_pagerank_params *params);
/* For a run of g with so many vertices without arcs and, if it is by degree, so many of pairs. */
wfi_pagerank_beginning wfi_pagerank_begin(const weft_graph *g, const weft_pagerank_params *params, weft_vid alone,
                                          weft_vid paired);

/* The scalars of the result; warns when the tolerance was not met. */
weft_status wfi_pagerank_scalars(weft_ctx *ctx, const weft_pagerank_params *params, uint64_t iterations,
                                 double residual, double sum, weft_result *result);

/* Where a surfer who jumps comes down: a distribution over the n vertices that sums to 1, from the weights in the
 * parameters. */
weft_status wfi_pagerank_fill_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                      double *restart);
/* The sum of a vector of weights, which must be above 0; `name` is for messages. */
weft_status wfi_pagerank_sum(weft_ctx *ctx, const weft_graph *g, const char *name, const double *weight, double *sum);
/* The column, and where the restart vector goes; NULL when restarts go everywhere alike. */
void wfi_pagerank_columns(wfi_workspace *w, weft_vid n, const weft_pagerank_params *params, void *rank /* T** */,
                          double **restart);

typedef enum wfi_pagerank_method { WFI_PULL, WFI_TILED } wfi_pagerank_method;

typedef struct wfi_pagerank_machine {
    const wfi_caches *caches;
    wfi_sweep_costs costs;
    int threads;
    uint64_t bytes_left; /* that a run may take */
} wfi_pagerank_machine;
/* Which method a run takes there; the ranks are the same bits either way.  Of the graph it needs size and direction.
 * *why is static text. */
wfi_pagerank_method wfi_pagerank_pick(const wfi_pagerank_machine *machine, const weft_graph *g,
                                      const weft_pagerank_params *params, const char **why);
/* Those of machines of this one's family, with so many threads. */
wfi_sweep_costs wfi_sweep_costs_usual(int threads);
/* Those that were measured here if they were, else the usual ones. */
wfi_sweep_costs wfi_sweep_costs_here(int threads);

/* From ms[method][0] and [1], of few and of many iterations.  None is below 0. */
wfi_sweep_costs wfi_sweep_costs_of(const double ms[2][2], double arcs, int threads);

/* The arrays of a run.  WFI_TILED only without weights and in f32. */
void wfi_pagerank_space(wfi_workspace *w, const weft_graph *g, const weft_pagerank_params *params, int threads,
                        wfi_pagerank_method method);
weft_status wfi_pagerank_cpu(wfi_job *job);
void wfi_pagerank_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                             wfi_choice *choice);

/* Bytes of a share, and of a sum, as ranks tell them. */
struct wfi_grid_load;
void wfi_pagerank_load(const weft_pagerank_params *params, struct wfi_grid_load *load);

/* pagerank_cuda.cu */
void wfi_pagerank_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_pagerank_cuda(wfi_job *job);
/* Of graphs that do not fit the GPU's memory: pagerank_stream.cu */
bool wfi_pagerank_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t room,
                              wfi_choice *choice);
weft_status wfi_pagerank_stream(wfi_job *job);

/* The GPUs of ranks: pagerank_ranks_cuda.c, and its kernels. */
void wfi_pagerank_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                  wfi_choice *choice);
weft_status wfi_pagerank_ranks_cuda(wfi_job *job);
/* One stretch, on the GPU: what it reads and writes.  Arrays of this rank's vertices begin with the stretch's. */
typedef struct wfi_rank_sweep {
    wfi_view in;
    weft_weight_type weight_type; /* of shares that are multiplied by weights; WEFT_WEIGHT_NONE: they are not */
    bool weighted;
    bool single;       /* ranks are f32 */
    const void *share; /* of all vertices: f32 if single and not weighted, else f64 */
    void *next, *rank;
    const double *give, *restart, *dangling_to; /* the last two may be NULL */
    double teleport, damping, uniform, dangling;
    uint64_t *totals; /* change, dangling and sum, two limbs each */
} wfi_rank_sweep;
weft_status wfi_rank_sweep_rows(weft_ctx *ctx, const wfi_rank_sweep *w);
weft_status wfi_rank_scale(weft_ctx *ctx, void *array, bool narrow, uint64_t count, double scale);

WFI_C_END
#endif
