/* The descriptor of an algorithm (docs/ARCHITECTURE.md: algorithms), the plan and the job that its functions are given,
 * and what all algorithms share: columns, scalars, checks of parameters. */
#ifndef WFI_RUN_ALGORITHM_H
#define WFI_RUN_ALGORITHM_H

#include "core/workspace.h"
#include "cuda/stream.h"
#include "graph/graph.h"

WFI_C_BEGIN

enum { WFI_DECIDED_BYTES = 160 };

/* How a run will go: filled by the descriptor's plan function. */
typedef struct wfi_choice {
    const struct wfi_algorithm *algorithm; /* whose run it is */
    int method;                            /* an index into info.methods */
    char reason[400];
    wfi_workspace space;    /* measures: the arrays, columns and growths of the run on the host */
    wfi_workspace device;   /* the same on the GPU, with what it adds to the graph's mirror */
    uint64_t device_bytes;  /* of `device`, and of columns that stay there */
    wfi_stream_size stream; /* how a run that streams uses the GPU's memory */
    uint64_t streamed;      /* of device_bytes: those of a run that streams its arcs; 0 = it does not */
    bool counts_in;         /* on ranks: arcs that enter each vertex are counted, and have no rows */
    uint64_t sends;         /* on ranks: bytes that this rank sends to others, apart from making incoming rows; ... */
    uint64_t sends_in;      /* ... for each arc that enters this rank's vertices; ... */
    uint64_t sends_each;    /* ... and in an iteration, of which there are no more than ... */
    uint64_t iterations;    /* ... these.  Where only changes travel it is a bound; UINT64_MAX: there is none */
    union {
        uint64_t aligned;
        char bytes[WFI_DECIDED_BYTES];
    } decided; /* what else the run needs to know: WFI_DECIDED; zeros until the plan fills it */
} wfi_choice;

/* What a plan decided, for its run: a struct of the algorithm's own that is kept in the choice. */
#define WFI_DECIDED(type, choice) \
    ((type *)(void *)(uintptr_t)(choice)->decided.bytes + 0 * sizeof(char[sizeof(type) <= WFI_DECIDED_BYTES ? 1 : -1]))

/* A run as its method sees it.  It obeys the choice, and lays out in `space` and `device` what the plan laid out in
 * those of the choice: on the GPU after wfi_open_device. */
typedef struct wfi_job {
    weft_ctx *ctx;
    const weft_graph *g;
    const void *params;
    const wfi_choice *choice;
    wfi_workspace *space;
    wfi_workspace *device;
    weft_result *result;
    struct wfi_device_block **arena;   /* the plan's, on the GPU */
    struct wfi_spread *spread;         /* this rank's part of the graph (ranks/spread.h); all of it on one rank */
    struct wfi_checkpoint *checkpoint; /* run/checkpoint.h; NULL: none is asked for */
} wfi_job;

/* For runs on the GPU, once what they need of the graph's mirror is there: the arena is there as well, unless a run
 * before has taken it. */
weft_status wfi_open_device(wfi_job *job);

/* A column of the result, with its place among the arrays of the run: `place` is set when there is a result to put it
 * in. */
void wfi_column(wfi_workspace *w, const char *name, weft_type type, uint64_t vertices, void *place /* T** */);
/* The same with a value for each edge (run/edge_rows.h has the edges). */
void wfi_edge_column(wfi_workspace *w, const char *name, weft_type type, uint64_t edges, void *place);
/* The same for a column of the table, of any length. */
void wfi_table_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place);
/* The same for a matrix with a row for each of `rows` vertices. */
void wfi_column_matrix(wfi_workspace *w, const char *name, weft_type type, uint64_t rows, uint64_t width, void *place);
/* A grown block becomes a table column of so many values. */
weft_status wfi_column_of_grown(wfi_workspace *w, const char *name, weft_type type, size_t length, void *block);
/* The same at once, where the run knows the length before it fills the block, which was declared with wfi_growth.
 * *place is NULL after a failure, which w->status tells. */
void wfi_grown_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place /* T** */);

/* The table column "cycle", of a block that was grown in w. */
struct wfi_cycle;
weft_status wfi_cycle_column(wfi_workspace *w, const struct wfi_cycle *cycle);

/* The transpose, which is there before the run begins.  True: it will have to be made. */
bool wfi_need_in(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g);

/* The same for a run that reads both rows of a vertex, as the choice's reason says. */
void wfi_need_both(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice);

/* Does the memory limit leave room for a run with these arrays? */
bool wfi_workspace_fits(const wfi_workspace *w, const weft_ctx *ctx);

/* The same of arrays with a copy of the edges oriented by degree.  False: they are forgotten, and the choice says that
 * the run goes without, by the method `lean`. */
bool wfi_oriented_fits(const weft_ctx *ctx, wfi_choice *choice, int lean);

/* Bytes that the limit leaves to the arrays of a run: a method fits when it needs no more. */
uint64_t wfi_plan_room(const weft_ctx *ctx);

/* How often a run goes over all arcs, and in how many steps that must wait for each other; guessed before the run. */
typedef struct wfi_work {
    double passes, levels;
    bool deep;          /* so many levels that each has little to do, and nothing can be skipped */
    double gpu_at_once; /* passes, with their levels, that the GPU makes as one; 0 is 1 */
    double cpu_dearer;  /* what an arc costs the CPU, against its figure; 0 is 1 */
} wfi_work;

struct wfi_grid_load;
struct wfi_follower;
typedef struct wfi_algorithm {
    weft_algorithm_info info; /* first: what the public accessors are given */
    const weft_param_info *params;
    const weft_result_info *results;
    /* Why an undirected graph has no answer, in words.  NULL = it has one. */
    const char *directed_only;
    /* Names of columns that a run with the standard params does not make, up to a NULL.  NULL = it makes all. */
    const char *const *on_request;
    /* How a tracker keeps its result up to date (dynamic/follow.h).  NULL = it always runs from scratch. */
    const struct wfi_follower *follower;
    /* Tells apart algorithms that share their functions, which know its type.  NULL = this one shares none. */
    const void *kind;
    /* Its arrays and its driver, where the functions below are those of WFI_ON_OPERATORS (run/method.h). */
    const struct wfi_method *operators;
    /* Checks params against the graph. NULL = nothing to check beyond the ranges in info. */
    weft_status (*validate)(weft_ctx *ctx, const weft_graph *g, const void *params);
    void (*plan_cpu)(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
    weft_status (*run_cpu)(wfi_job *job);
    /* Why the GPU cannot serve this graph and these params, in words; NULL = it can.  The function may be NULL: it
     * always can. */
    const char *(*serves_cuda)(const weft_graph *g, const void *params);
    void (*plan_cuda)(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
    weft_status (*run_cuda)(wfi_job *job);
    /* For graphs of which plan_cuda would hold more than there is room for on the GPU: a run that streams the arcs,
     * within `room` bytes; if even that does not fit, the choice is for the least that would.  False: not with these
     * params.  May be NULL. */
    bool (*plan_streamed)(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t room,
                          wfi_choice *choice);
    weft_status (*run_streamed)(wfi_job *job);
    /* A run shared by ranks, on the CPU: columns have the values of this rank's vertices, scalars and tables are the
     * same on all.  When one rank fails all do (wfi_agree).  NULL: there is none. */
    void (*plan_ranks)(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params, wfi_choice *choice);
    weft_status (*run_ranks)(wfi_job *job);
    /* The same on the GPUs of ranks.  plan_ranks_cuda is asked twice where incoming rows have to be made: before and
     * after their number is known. */
    void (*plan_ranks_cuda)(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                            wfi_choice *choice);
    weft_status (*run_ranks_cuda)(wfi_job *job);
    /* Vertices of a block, where blocks are computed in turn; NULL: all are one block. */
    weft_vid (*rank_block)(const weft_graph *g, const void *params);
    /* What a run on a grid of ranks sends, on CPUs (ranks/grid.h); NULL: ranks stand in one column. */
    void (*grid_load)(const weft_graph *g, const void *params, struct wfi_grid_load *load);
    /* Why ranks cannot share a run with these params, in words; NULL = they can.  The function may be NULL: they always
     * can. */
    const char *(*serves_ranks)(const void *params);
    const char *(*serves_ranks_cuda)(const void *params); /* the same for their GPUs */
    /* Bytes of a vertex's values in all columns, where params decide them; NULL = as results says. */
    uint64_t (*bytes_a_vertex)(const void *params);
    /* For --device auto (run/costs.h).  NULL = one pass, one level. */
    void (*work)(const weft_graph *g, const void *params, wfi_work *work);
    /* info.model in figures: bytes of this run.  NULL = there is no model, and info.model says why. */
    double (*model_bytes)(const weft_graph *g, const void *params, const weft_result *result);
    bool least_weights; /* of parallel arcs the one with the smallest weight decides: shortest paths */
    bool sends_exactly; /* ranks send the bytes that the plan says; else no more than these */
} wfi_algorithm;

/* Fields of a descriptor: name, defaults of the params, results and methods; then the table of its params, if any. */
#define WFI_LENGTH(table) (sizeof(table) / sizeof *(table))
#define WFI_DESCRIBE(title, standard, result_table, method_table)                                             \
    .info.name = #title, .info.params_size = sizeof(standard), .info.params_standard = &(standard),           \
    .info.result_count = WFI_LENGTH(result_table), .results = (result_table), .info.methods = (method_table), \
    .info.method_count = WFI_LENGTH(method_table), .info.on_cpu = 1
#define WFI_PARAMS(param_table) .info.param_count = WFI_LENGTH(param_table), .params = (param_table)

/* Functions of the GPU: NULL in a build without CUDA. */
#ifdef WEFT_HAVE_CUDA
#define WFI_HAVE_CUDA           1
#define WFI_WITH_CUDA(function) (function)
#else
#define WFI_HAVE_CUDA           0
#define WFI_WITH_CUDA(function) NULL
#endif

/* Its plan and its run on CPU cores, and on each other placement that it has. */
#define WFI_ON_CPU(plan, run)   .plan_cpu = (plan), .run_cpu = (run)
#define WFI_ON_RANKS(plan, run) .info.on_ranks = 1, .plan_ranks = (plan), .run_ranks = (run)
#define WFI_ON_CUDA(plan, run) \
    .info.on_cuda = WFI_HAVE_CUDA, .plan_cuda = WFI_WITH_CUDA(plan), .run_cuda = WFI_WITH_CUDA(run)
#define WFI_ON_RANKS_CUDA(plan, run) .plan_ranks_cuda = WFI_WITH_CUDA(plan), .run_ranks_cuda = WFI_WITH_CUDA(run)
#define WFI_STREAMED(plan, run)      .plan_streamed = WFI_WITH_CUDA(plan), .run_streamed = WFI_WITH_CUDA(run)

/* The work of a search from one source. */
void wfi_work_of_search(const weft_graph *g, const void *params, wfi_work *work);
/* Of one that looks for triangles. */
void wfi_work_of_triangles(const weft_graph *g, const void *params, wfi_work *work);
wfi_work wfi_work_of(const wfi_algorithm *a, const weft_graph *g, const void *params);

/* Bytes of the columns with a value, or a row, for each vertex. */
uint64_t wfi_column_bytes(const wfi_algorithm *a, const weft_graph *g, const void *params);

/* The table of descriptors, in the order of `weft help` (algo/registry.h): the program, Python, trackers, predictions
 * and tests go through it. */
extern const wfi_algorithm *const wfi_algorithms[];
extern const size_t wfi_algorithm_total;
const wfi_algorithm *wfi_algorithm_find(const char *name); /* NULL = there is none */
/* What src/dynamic asks of a descriptor; dynamic/follow.h declares it too. */
const struct wfi_follower *wfi_follower_of(const weft_algorithm_info *algorithm);
extern const struct wfi_follower wfi_follow_bfs, wfi_follow_clustering, wfi_follow_components, wfi_follow_cycle,
    wfi_follow_degree, wfi_follow_kcore, wfi_follow_pagerank, wfi_follow_sssp, wfi_follow_toposort,
    wfi_follow_triangles;

/* A new column of the result, uninitialised; its data is freed with the result.  name is static text. */
weft_column wfi_new_column(const char *name, weft_type type, weft_shape shape, size_t length);
weft_status wfi_result_column(weft_ctx *ctx, weft_result *r, weft_column column, void *data_out /* T** */);
/* Another one like `like`, but of so many values and uninitialised. */
weft_status wfi_result_column_like(weft_ctx *ctx, weft_result *r, const weft_column *like, size_t length);
weft_status wfi_result_scalar_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value);
weft_status wfi_result_scalar_f64(weft_ctx *ctx, weft_result *r, const char *name, double value);
/* All scalars, in C: WFI_TELL(ctx, result, WFI_U64("edges", edges), WFI_F64("weight", sum)). */
weft_status wfi_result_scalars(weft_ctx *ctx, weft_result *r, const weft_scalar *scalars, size_t count);
#define WFI_U64(name, number)                                      \
    {                                                              \
        sizeof(weft_scalar), (name), WEFT_U64, { .u64 = (number) } \
    }
#define WFI_F64(name, number)                                      \
    {                                                              \
        sizeof(weft_scalar), (name), WEFT_F64, { .f64 = (number) } \
    }
#define WFI_TELL(ctx, result, ...)                                          \
    wfi_result_scalars((ctx), (result), (const weft_scalar[]){__VA_ARGS__}, \
                       WFI_LENGTH(((const weft_scalar[]){__VA_ARGS__})))
/* Its memory comes from the pool, and returns there; NULL = from the context's allocator. */
weft_result *wfi_result_new(weft_ctx *ctx, wfi_pool *pool);
double wfi_iterations_of(const weft_result *r); /* the scalar of that name, 0 if there is none */
uint64_t wfi_result_bytes(void);                /* of a result without columns, as the memory counts it */

/* The structs that params point at become the plan's own, completed as their sizes say: `own` has room for them. */
enum { WFI_MOST_MATRICES = 4 };
weft_status wfi_params_own(weft_ctx *ctx, const wfi_algorithm *a, void *params, weft_matrix own[WFI_MOST_MATRICES]);
/* The ranges of info, labels, weights that are asked for, a graph that has to be directed, then validate. */
weft_status wfi_params_check(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params);
/* Do the weights of the graph count, by info.weights? */
bool wfi_params_weigh(const wfi_algorithm *a, const void *params);
/* The parameter `source`, where neither it nor `sources` is given; else NULL. */
weft_vid *wfi_params_open_source(const wfi_algorithm *a, void *params);
/* A parameter `weights` that is set: fails if the graph has none.  One that is not: says once in a context that they
 * are not used. */
weft_status wfi_check_weights(weft_ctx *ctx, const weft_graph *g, const char *algorithm, int wanted);
/* For distances: names the first arc whose weight is negative. */
weft_status wfi_check_not_negative(weft_ctx *ctx, const weft_graph *g, const char *algorithm);
void wfi_note_weights_unused(weft_ctx *ctx, const weft_graph *g, const char *algorithm);
/* A list of vertices among the params: are there as many as are said, and are they vertices of the graph? */
weft_status wfi_check_vertices(weft_ctx *ctx, const weft_graph *g, const char *algorithm, const char *name,
                               const weft_vid *list, size_t count);
/* Around a run: with them, columns stay on the GPU if the caller wants that.  After a failure r is NULL. */
void wfi_result_residents_begin(weft_ctx *ctx, bool on_gpu);
void wfi_result_residents_end(weft_ctx *ctx, weft_result *r);
/* The stages that the context has recorded; once. */
void wfi_result_stages(weft_ctx *ctx, weft_result *r);

weft_ctx *wfi_plan_ctx(const weft_plan *plan);
const struct wfi_spread *wfi_plan_spread(const weft_plan *plan);
/* Bytes that this rank sent to others in the last run; and by the plan, UINT64_MAX: it cannot say. */
uint64_t wfi_plan_sent(const weft_plan *plan);
uint64_t wfi_plan_sends(const weft_plan *plan);

/* For tests: what the plan measured, with names; and the arena of its last run, of choice->space.peak bytes. */
const wfi_choice *wfi_plan_choice(const weft_plan *plan);
void *wfi_plan_arena(const weft_plan *plan);
/* The same on the GPU, NULL when there is none. */
struct wfi_device_block *wfi_plan_device_arena(const weft_plan *plan);
/* Its arrays as they are laid out on the host or on the GPU, up to `room`; returns how many there are. */
size_t wfi_plan_notes(const weft_plan *plan, bool on_device, wfi_array_note *notes, size_t room);

/* weft_NAME(): plan, run, free. */
weft_status wfi_run(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params, weft_result **out);

WFI_C_END
#endif
