/* Declarations shared by the files of pagerank. */
#ifndef WFI_PAGERANK_H
#define WFI_PAGERANK_H

#include "core/machine.h"
#include "engines/sliced_ellpack/sweep.h"
#include "run/algorithm.h"

WFI_C_BEGIN

struct weft_pagerank_params;

/* Number of vertices that are swept at once: all of them, or a part. */
static inline weft_vid wfi_pagerank_part(weft_vid n, bool whole) { return whole ? n : wfi_sell_part_size(n); }

/* Initial ranks: `paired` for the vertices of pairs (graph/rows.h) if it is above 0, flat + slope * degree for all
 * others. */
typedef struct wfi_pagerank_beginning {
    double flat, slope, paired;
} wfi_pagerank_beginning;

/* Do initial ranks depend on the degrees?  So they do for an undirected graph without weights, with a tolerance and
 * uniform restarts. */
bool wfi_pagerank_by_degree(const weft_graph *g, const struct weft_pagerank_params *params);
/* alone: number of vertices without arcs; paired: number of vertices in pairs, used if ranks begin by degree. */
wfi_pagerank_beginning wfi_pagerank_begin(const weft_graph *g, const struct weft_pagerank_params *params,
                                          weft_vid alone, weft_vid paired);

/* Adds the scalars of the result; warns if the tolerance was not met. */
weft_status wfi_pagerank_scalars(weft_ctx *ctx, const struct weft_pagerank_params *params, uint64_t iterations,
                                 double residual, double sum, weft_result *result);

/* Fills the distribution of restarts over the n vertices, of sum 1, from the weights in the parameters. */
weft_status wfi_pagerank_fill_restart(weft_ctx *ctx, const weft_graph *g, const struct weft_pagerank_params *params,
                                      double *restart);
/* The sum of a vector of weights, which must be above 0; `name` is for messages. */
weft_status wfi_pagerank_sum(weft_ctx *ctx, const weft_graph *g, const char *name, const double *weight, double *sum);
/* Declares the column and the restart vector; *restart is NULL if restarts are uniform. */
void wfi_pagerank_columns(wfi_workspace *w, weft_vid n, const struct weft_pagerank_params *params, void *rank /* T** */,
                          double **restart);

typedef enum wfi_pagerank_method { WFI_PULL, WFI_TILED, WFI_PULL_BY_DEGREE, WFI_PULL_STREAMED } wfi_pagerank_method;

/* Femtoseconds that an arc takes one thread: pulled while the values are in the last cache, from tiles, and to be sorted
 * into tiles. */
typedef struct wfi_sweep_costs {
    uint64_t pull_fs, tile_fs, sort_fs;
} wfi_sweep_costs;

typedef struct wfi_pagerank_machine {
    const wfi_caches *caches;
    wfi_sweep_costs costs;
    int threads;
    uint64_t bytes_left; /* memory that a run may use */
} wfi_pagerank_machine;
/* The method of a run on `machine`; the ranks are the same bits either way.  Reads only size and direction of the
 * graph.  *why is static text. */
wfi_pagerank_method wfi_pagerank_pick(const wfi_pagerank_machine *machine, const weft_graph *g,
                                      const struct weft_pagerank_params *params, const char **why);
/* The costs of this family of processors with that number of threads. */
wfi_sweep_costs wfi_sweep_costs_of(int threads);

/* Declares the arrays of a run.  WFI_TILED only without weights and in f32. */
void wfi_pagerank_space(wfi_workspace *w, const weft_graph *g, const struct weft_pagerank_params *params, int threads,
                        wfi_pagerank_method method);
weft_status wfi_pagerank_cpu(wfi_job *job);
void wfi_pagerank_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                             wfi_choice *choice);

/* Sizes of a share and of a sum in messages between ranks. */
struct wfi_grid_load;
void wfi_pagerank_load(const struct weft_pagerank_params *params, struct wfi_grid_load *load);

/* pagerank_cuda.cu */
void wfi_pagerank_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_pagerank_cuda(wfi_job *job);
/* For graphs that do not fit the GPU's memory: pagerank_stream.cu. */
bool wfi_pagerank_plan_stream(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t memory,
                              wfi_choice *choice);
weft_status wfi_pagerank_stream(wfi_job *job);

/* The GPUs of ranks: pagerank_ranks_cuda.c, and its kernels. */
void wfi_pagerank_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                  wfi_choice *choice);
weft_status wfi_pagerank_ranks_cuda(wfi_job *job);
/* The operands of a sweep of one stretch on the GPU.  Arrays of this rank's vertices begin with the stretch's first. */
typedef struct wfi_rank_sweep {
    wfi_view in;
    weft_weight_type weight_type; /* of the arcs' weights; WEFT_WEIGHT_NONE: shares are not multiplied */
    bool weighted;
    bool single;       /* ranks are f32 */
    const void *share; /* by vertex of the graph: f32 if single and not weighted, else f64 */
    void *next, *rank;
    const double *give, *restart, *dangling_to; /* the last two may be NULL */
    double teleport, damping, uniform, dangling;
    uint64_t *totals; /* change, dangling and sum, two limbs each */
} wfi_rank_sweep;
weft_status wfi_rank_sweep_rows(weft_ctx *ctx, const wfi_rank_sweep *w);
weft_status wfi_rank_scale(weft_ctx *ctx, void *array, bool narrow, uint64_t count, double scale);

WFI_C_END
#endif
