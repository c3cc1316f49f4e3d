/* An algorithm on operators (ops/ops.h): the list of its arrays, and its driver.  From the list follow the plan, the
 * memory, the columns of the result and the checkpoint: on CPU cores, on a GPU, on ranks and on their GPUs.
 *
 *     static const wfi_array_info arrays[] = {
 *         {"hub", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, offsetof(hits_state, hubs.value), .kept = true},
 *         {"share", WFI_ARRAY, WEFT_F64, WFI_OF_ALL, offsetof(hits_state, share)},
 *     };
 *     static const wfi_method method = {arrays, 2, sizeof(hits_state), WFI_OUT_ROWS | WFI_IN_ROWS, drive};
 *     const wfi_algorithm wfi_algorithm_hits = {WFI_DESCRIBE(...), WFI_ON_OPERATORS(method), ...};
 *
 * A descriptor may put a function of its own after WFI_ON_OPERATORS, for a placement on which another engine wins, and
 * says why. */
#ifndef WFI_RUN_METHOD_H
#define WFI_RUN_METHOD_H

#include "cuda/transfer.h"
#include "ops/group.h"
#include "ops/push.h"
#include "run/algorithm.h"
#include "run/checkpoint.h"

typedef enum wfi_array_kind {
    WFI_COLUMN, /* of the result: WFI_OF_MINE, or WFI_OF_ALL, where each rank delivers its part */
    WFI_ARRAY,  /* for the run */
    WFI_TOTALS  /* wfi_op_totals; `type` is ignored */
} wfi_array_kind;

/* The number of values: one for each vertex of this rank, or of the graph, or one or two; bits in words of 32. */
typedef enum wfi_array_of { WFI_OF_MINE, WFI_OF_ALL, WFI_OF_ALL_BITS, WFI_OF_ONE, WFI_OF_TWO } wfi_array_of;

typedef struct wfi_array_info {
    const char *name;
    wfi_array_kind kind;
    weft_type type;
    wfi_array_of of;
    size_t offset;                                           /* of the pointer in the state */
    bool (*wanted)(const weft_graph *g, const void *params); /* NULL: always; if false, the pointer stays NULL */
    bool kept;                                               /* a column that checkpoints save, at most two */
} wfi_array_info;

enum { WFI_METHOD_STATE = 1024 };

typedef struct wfi_method {
    const wfi_array_info *arrays;
    size_t array_count;
    size_t state_size;                              /* at most WFI_METHOD_STATE: kernels receive the state by value */
    unsigned sides;                                 /* required rows: WFI_OUT_ROWS, WFI_IN_ROWS */
    unsigned (*sides_of)(const wfi_choice *choice); /* on ranks, if the rows depend on the choice; NULL: `sides` */
    weft_status (*drive)(wfi_ops *o, void *state, wfi_job *job);
    bool (*weighted)(const void *params);       /* true if arcs count by their weights; NULL: never */
    bool brings_weights;                        /* rows on GPUs have the graph's weights, whatever the params */
    uint64_t gathered;                          /* bytes of a vertex's values that all ranks receive in an iteration */
    uint64_t (*iterations)(const void *params); /* at most; NULL: one */
    size_t group;                               /* offset of a wfi_row_group in the state; 0: none */
    bool sweeps;                                /* on a GPU incoming rows may have a layout for sweeps (ops/ops.h) */
    /* For the estimate of a run to a tolerance, if the descriptor has no `work`: each iteration multiplies the
     * residual by `factor` on typical graphs. */
    size_t tolerance; /* offset of an f64 among the params */
    double factor;
    unsigned arc_bytes,
        vertex_bytes; /* in an iteration without weights, for the model; 0: the descriptor has a model */
    /* For ops/push.h: the offset of wfi_push in the state, and bytes of a message; 0: no messages. */
    size_t push, message;
    /* On ranks: sets choice->method, sends and growths; NULL: by the fields above.  With it, `gathered` is the longest
     * value that is gathered. */
    void (*choose)(const struct wfi_spread *spread, const void *params, bool gpu, wfi_choice *choice);
    /* Declares further arrays; device: NULL on CPU cores. */
    void (*more)(wfi_workspace *host, wfi_workspace *device, const void *params, void *state);
} wfi_method;

/* Pulls shares along incoming arcs until a tolerance among the params is met: a share and a target an arc, some seven
 * numbers a vertex.  Expects `arrays`, drive, weighted and iterations before it. */
extern const char *const wfi_pull_methods[1];
#define WFI_PULL_METHOD(state, params)                                                                   \
    .arrays = arrays, .array_count = WFI_LENGTH(arrays), .state_size = sizeof(state),                    \
    .sides = WFI_OUT_ROWS | WFI_IN_ROWS, .drive = drive, .weighted = weighted, .iterations = iterations, \
    .tolerance = offsetof(params, tolerance), .arc_bytes = 12, .vertex_bytes = 56, .sweeps = true

/* The functions of a descriptor.  All but plan_cpu support any number of ranks. */
void wfi_method_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_method_run_cpu(wfi_job *job);
void wfi_method_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                           wfi_choice *choice);
void wfi_method_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_method_run_cuda(wfi_job *job);
void wfi_method_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                wfi_choice *choice);
weft_status wfi_method_run_ranks_cuda(wfi_job *job);

#define WFI_ON_OPERATORS(method)                                                                                     \
    .operators = &(method), WFI_ON_CPU(wfi_method_plan_cpu, wfi_method_run_cpu),                                     \
    WFI_ON_RANKS(wfi_method_plan_ranks, wfi_method_run_cpu), WFI_ON_CUDA(wfi_method_plan_cuda, wfi_method_run_cuda), \
    WFI_ON_RANKS_CUDA(wfi_method_plan_ranks_cuda, wfi_method_run_ranks_cuda)

/* --- for drivers: iterate until nothing changes any more --- */

typedef struct wfi_fixpoint {
    const char *doing; /* for the progress bar: "hubs and authorities" */
    uint64_t most;     /* iterations */
    double tolerance;  /* ends at this residual; below 0: never */
    weft_status (*step)(wfi_ops *o, void *state, double *residual);
    /* After the kept columns were loaded from a checkpoint: prepares the rest for the first step.  NULL: nothing to
     * do. */
    weft_status (*resumed)(wfi_ops *o, void *state);
    double *numbers[WFI_STATE_NUMBERS - 1]; /* saved in checkpoints beside the residual; NULL: no more */
    uint64_t done;                          /* out: iterations, and the residual of the last */
    double residual;
} wfi_fixpoint;

/* Loads the state of a checkpoint, if there is one, or calls `begin`; then iterates, with progress, cancellation and
 * checkpoints.  *converged by begin: there is nothing to iterate. */
weft_status wfi_fixpoint_run(wfi_ops *o, void *state, wfi_job *job, wfi_fixpoint *f,
                             weft_status (*begin)(wfi_ops *o, void *state, bool *converged));

/* Steps until the residual is below the tolerance, if each multiplies it by `factor`; at most `most`. */
double wfi_steps_to(double tolerance, double factor, uint64_t most);

/* --- for drivers: measures --- */

/* The largest sum of a row's weights (sums; NULL: its length), and the longest row.  totals: scratch on the run's device,
 * here and below. */
weft_status wfi_measure_rows(wfi_ops *o, const wfi_view *rows, const double *sums, wfi_op_totals *totals,
                             double *widest, double *longest);
/* The Euclidean norm of values, of which none is above `top`, a power of two; the sum of their squares over top's is at
 * most 1 / part.  1 if there are no values. */
weft_status wfi_measure_norm(wfi_ops *o, double *value, double top, double part, wfi_op_totals *totals, double *norm);
void wfi_measure_divide(wfi_ops *o, double *value, double norm);

/* Estimated work and byte model of a run. */
wfi_work wfi_method_work(const wfi_method *m, const void *params);
double wfi_method_model_bytes(const wfi_method *m, const weft_graph *g, const void *params, const weft_result *result);

/* Bytes of the columns of all vertices; for plan.c. */
uint64_t wfi_method_column_bytes(const wfi_method *m, const weft_graph *g, const void *params);

/* --- between method.c and method_cuda.c --- */

/* The layout of the arrays of a method. */
typedef struct wfi_layout_of {
    const weft_ctx *ctx;
    const wfi_method *method;
    const weft_graph *g;
    const void *params;
    const struct wfi_spread *spread; /* on ranks; NULL: the plan of a single machine */
    weft_vid mine;
    wfi_workspace *space, *device;      /* device: NULL on CPU cores */
    void *column[WFI_METHOD_STATE / 8]; /* out: the host's columns, in the order of the list */
} wfi_layout_of;
void wfi_method_lay_out(wfi_layout_of *l, void *state);
static inline unsigned wfi_method_sides(const wfi_method *m, const wfi_choice *choice) {
    return m->sides_of ? m->sides_of(choice) : m->sides;
}
/* Plans all of the run on ranks but its arrays. */
void wfi_method_choose_ranks(const struct wfi_spread *spread, const void *params, bool gpu, wfi_choice *choice);

#endif
