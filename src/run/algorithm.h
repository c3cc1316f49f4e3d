/* The descriptor of an algorithm (docs/ARCHITECTURE.md: algorithms), the choice and the job that its functions receive,
 * and functions shared by all algorithms: columns, scalars, checks of parameters. */
#ifndef WFI_RUN_ALGORITHM_H
#define WFI_RUN_ALGORITHM_H

#include "core/workspace.h"
#include "cuda/stream.h"
#include "graph/graph.h"
#include "weft/registry.h"

WFI_C_BEGIN

enum { WFI_DECIDED_BYTES = 160 };

/* The plan of a run, filled in by the descriptor's plan function. */
typedef struct wfi_choice {
    const struct wfi_algorithm *algorithm; /* that runs */
    int method;                            /* an index into info.methods */
    char reason[400];
    wfi_workspace space;    /* measures the arrays, columns and growths of the run on the host */
    wfi_workspace device;   /* the same on the GPU, with what the run adds to the graph's mirror */
    uint64_t device_bytes;  /* of `device`, and of columns that stay on the GPU */
    wfi_stream_size stream; /* how a streaming run uses the GPU's memory */
    uint64_t streamed;      /* the part of device_bytes that a streaming run uses; 0 = the arcs are not streamed */
    bool counts_in;         /* on ranks: incoming arcs are counted only, without rows */
    uint64_t sends;         /* on ranks: bytes that this rank sends to others once, beside making incoming rows */
    uint64_t sends_in;      /* bytes for each arc that enters this rank's vertices */
    uint64_t sends_each;    /* bytes in each iteration */
    uint64_t iterations;    /* at most; a bound if only changes are sent; UINT64_MAX: unbounded */
    union {
        uint64_t aligned;
        char bytes[WFI_DECIDED_BYTES];
    } decided; /* by WFI_DECIDED; zeros until the plan fills it in */
} wfi_choice;

/* Further decisions of a plan that its run reads: a struct of the algorithm's own, which is kept in the choice. */
#define WFI_DECIDED(type, choice) \
    ((type *)(void *)(uintptr_t)(choice)->decided.bytes + 0 * sizeof(char[sizeof(type) <= WFI_DECIDED_BYTES ? 1 : -1]))

/* What a run function receives.  It obeys the choice, and lays out in `space` and `device` the arrays that the plan
 * laid out in those of the choice; in `device` after wfi_open_device. */
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
    struct wfi_checkpoint *checkpoint; /* run/checkpoint.h; NULL: no checkpoints */
} wfi_job;

/* Allocates the arena of a run on the GPU, unless an earlier run of the plan has.  Called when the parts of the mirror
 * that the run needs are on the GPU. */
weft_status wfi_open_device(wfi_job *job);

/* Declares a column of the result among the arrays of the run; `place` is set when there is a result. */
void wfi_column(wfi_workspace *w, const char *name, weft_type type, uint64_t vertices, void *place /* T** */);
/* The same with a value for each edge (run/edge_rows.h). */
void wfi_edge_column(wfi_workspace *w, const char *name, weft_type type, uint64_t edges, void *place);
/* The same for a column of the table, of any length. */
void wfi_table_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place);
/* The same for a matrix with a row for each of `rows` vertices. */
void wfi_column_matrix(wfi_workspace *w, const char *name, weft_type type, uint64_t rows, uint64_t width, void *place);
/* Makes a grown block a table column of `length` values. */
weft_status wfi_column_of_grown(wfi_workspace *w, const char *name, weft_type type, size_t length, void *block);
/* Grows the block, which was declared with wfi_growth, and makes it a table column before it is filled in.  *place is
 * NULL after a failure, which w->status has. */
void wfi_grown_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place /* T** */);

/* Adds the table column "cycle", a block that was grown in w. */
struct wfi_cycle;
weft_status wfi_cycle_column(wfi_workspace *w, const struct wfi_cycle *cycle);

/* Declares that the run needs the transpose.  True: it must be made, which happens before the run begins. */
bool wfi_need_in(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g);

/* The same for a run that reads both rows of a vertex; sets the choice's reason. */
void wfi_need_both(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice);

/* True if a run with these arrays stays below the memory limit. */
bool wfi_workspace_fits(const wfi_workspace *w, const weft_ctx *ctx);

/* The same for arrays that include a copy of the edges oriented by degree.  If false, the arrays are discarded, and the
 * choice becomes the method `lean`, which needs no copy. */
bool wfi_oriented_fits(const weft_ctx *ctx, wfi_choice *choice, int lean);

/* Bytes that the memory limit leaves for the arrays of a run. */
uint64_t wfi_plan_room(const weft_ctx *ctx);

/* An estimate before the run: the passes over all arcs, and the levels, which depend on one another. */
typedef struct wfi_work {
    double passes, levels;
    bool deep;          /* many levels with little work each, of which none can be skipped */
    double gpu_at_once; /* passes, with their levels, that the GPU combines into one; 0 means 1 */
    double cpu_dearer;  /* factor of the CPU's cost of an arc; 0 means 1 */
} wfi_work;

struct wfi_grid_load;
struct wfi_follower;
typedef struct wfi_algorithm {
    weft_algorithm_info info; /* first, since public accessors receive a pointer to it */
    const weft_param_info *params;
    const weft_result_info *results;
    /* Why an undirected graph is refused, in words.  NULL = it is not. */
    const char *directed_only;
    /* Names of columns that a run with the standard params does not make, ended by NULL.  NULL = it makes all
     * columns. */
    const char *const *on_request;
    /* How a tracker keeps the result up to date (dynamic/follow.h).  NULL = it runs the algorithm again. */
    const struct wfi_follower *follower;
    /* Distinguishes algorithms that share plan and run functions, which know its type.  NULL = nothing is shared. */
    const void *kind;
    /* Arrays and driver, if the functions below are those of WFI_ON_OPERATORS (run/method.h). */
    const struct wfi_method *operators;
    /* Checks params against the graph. NULL = nothing to check beyond the ranges in info. */
    weft_status (*validate)(weft_ctx *ctx, const weft_graph *g, const void *params);
    void (*plan_cpu)(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
    weft_status (*run_cpu)(wfi_job *job);
    /* Why the GPU does not support this graph or these params, in words; NULL = it does.  The function may be NULL: it
     * always does. */
    const char *(*serves_cuda)(const weft_graph *g, const void *params);
    void (*plan_cuda)(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
    weft_status (*run_cuda)(wfi_job *job);
    /* A run that streams the arcs and stays within `room` bytes on the GPU, if the plan of plan_cuda does not fit
     * there; if no run fits, the choice is the smallest.  False: not supported with these params.  May be NULL. */
    bool (*plan_streamed)(const weft_ctx *ctx, const weft_graph *g, const void *params, uint64_t room,
                          wfi_choice *choice);
    weft_status (*run_streamed)(wfi_job *job);
    /* A run on the CPUs of several ranks: columns have the values of this rank's vertices, scalars and tables are the
     * same on all ranks.  If one rank fails, all fail (wfi_agree).  NULL: not supported. */
    void (*plan_ranks)(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params, wfi_choice *choice);
    weft_status (*run_ranks)(wfi_job *job);
    /* The same on the GPUs of ranks.  If incoming rows have to be made, plan_ranks_cuda is called twice: before and
     * after their number is known. */
    void (*plan_ranks_cuda)(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                            wfi_choice *choice);
    weft_status (*run_ranks_cuda)(wfi_job *job);
    /* Vertices of a block, if blocks are computed one after another; NULL: all vertices are one block. */
    weft_vid (*rank_block)(const weft_graph *g, const void *params);
    /* The load of a run on a grid of ranks, on CPUs (ranks/grid.h); NULL: only grids of one column. */
    void (*grid_load)(const weft_graph *g, const void *params, struct wfi_grid_load *load);
    /* Why several ranks do not support these params, in words; NULL = they do.  The function may be NULL: they always
     * do. */
    const char *(*serves_ranks)(const void *params);
    const char *(*serves_ranks_cuda)(const void *params); /* the same for their GPUs */
    /* Bytes of a vertex's values in all columns, if they depend on params; NULL = by the table of results. */
    uint64_t (*bytes_a_vertex)(const void *params);
    /* For --device auto (run/costs.h).  NULL = one pass, one level. */
    void (*work)(const weft_graph *g, const void *params, wfi_work *work);
    /* The bytes of this run by info.model.  NULL = there is no model; info.model says why. */
    double (*model_bytes)(const weft_graph *g, const void *params, const weft_result *result);
    bool least_weights; /* only the smallest weight of parallel arcs counts, as for shortest paths */
    bool sends_exactly; /* ranks send exactly the bytes of the plan; otherwise at most these */
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

/* Plan and run on CPU cores, and on every other supported placement. */
#define WFI_ON_CPU(plan, run)   .plan_cpu = (plan), .run_cpu = (run)
#define WFI_ON_RANKS(plan, run) .info.on_ranks = 1, .plan_ranks = (plan), .run_ranks = (run)
#define WFI_ON_CUDA(plan, run) \
    .info.on_cuda = WFI_HAVE_CUDA, .plan_cuda = WFI_WITH_CUDA(plan), .run_cuda = WFI_WITH_CUDA(run)
#define WFI_ON_RANKS_CUDA(plan, run) .plan_ranks_cuda = WFI_WITH_CUDA(plan), .run_ranks_cuda = WFI_WITH_CUDA(run)
#define WFI_STREAMED(plan, run)      .plan_streamed = WFI_WITH_CUDA(plan), .run_streamed = WFI_WITH_CUDA(run)

/* The work of a search from one source. */
void wfi_work_of_search(const weft_graph *g, const void *params, wfi_work *work);
/* The work of an algorithm that finds triangles. */
void wfi_work_of_triangles(const weft_graph *g, const void *params, wfi_work *work);
wfi_work wfi_work_of(const wfi_algorithm *a, const weft_graph *g, const void *params);

/* Bytes of all columns that have a value, or a row, for each vertex. */
uint64_t wfi_column_bytes(const wfi_algorithm *a, const weft_graph *g, const void *params);

/* The table of descriptors, in the order of `weft help` (algo/registry.h). */
extern const wfi_algorithm *const wfi_algorithms[];
extern const size_t wfi_algorithm_total;
const wfi_algorithm *wfi_algorithm_find(const char *name); /* NULL = there is none */
/* Accessors of a descriptor for src/dynamic; dynamic/follow.h declares them too. */
const struct wfi_follower *wfi_follower_of(const weft_algorithm_info *algorithm);
extern const struct wfi_follower wfi_follow_bfs, wfi_follow_clustering, wfi_follow_components, wfi_follow_cycle,
    wfi_follow_degree, wfi_follow_kcore, wfi_follow_pagerank, wfi_follow_sssp, wfi_follow_toposort,
    wfi_follow_triangles;

/* A new column of the result, uninitialised; its data is freed with the result.  name is static text. */
weft_column wfi_new_column(const char *name, weft_type type, weft_shape shape, size_t length);
weft_status wfi_result_column(weft_ctx *ctx, weft_result *r, weft_column column, void *data_out /* T** */);
/* A column with like's name, type and shape, and `length` uninitialised values. */
weft_status wfi_result_column_like(weft_ctx *ctx, weft_result *r, const weft_column *like, size_t length);
weft_status wfi_result_scalar_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value);
weft_status wfi_result_scalar_f64(weft_ctx *ctx, weft_result *r, const char *name, double value);
/* All scalars.  In C: WFI_TELL(ctx, result, WFI_U64("edges", edges), WFI_F64("weight", sum)). */
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
/* The result's memory comes from the pool and returns to it; NULL = from the context's allocator. */
weft_result *wfi_result_new(weft_ctx *ctx, wfi_pool *pool);
double wfi_iterations_of(const weft_result *r); /* the scalar of that name, 0 if there is none */
uint64_t wfi_result_bytes(void);                /* of a result without columns, as the memory counts it */

/* Copies the structs that params point at into `own`, completed by their sizes. */
enum { WFI_MOST_MATRICES = 4 };
weft_status wfi_params_own(weft_ctx *ctx, const wfi_algorithm *a, void *params, weft_matrix own[WFI_MOST_MATRICES]);
/* Checks the ranges in info, labels, weights, whether the graph must be directed; then calls validate. */
weft_status wfi_params_check(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params);
/* True if the weights of the graph count, by info.weights. */
bool wfi_params_weigh(const wfi_algorithm *a, const void *params);
/* The parameter `source` if neither it nor `sources` is given; otherwise NULL. */
weft_vid *wfi_params_open_source(const wfi_algorithm *a, void *params);
/* If wanted, fails if the graph has no weights.  If not, notes once per context that the weights are not used. */
weft_status wfi_check_weights(weft_ctx *ctx, const weft_graph *g, const char *algorithm, int wanted);
/* For distances: fails at the first arc with a negative weight, and names it. */
weft_status wfi_check_not_negative(weft_ctx *ctx, const weft_graph *g, const char *algorithm);
void wfi_note_weights_unused(weft_ctx *ctx, const weft_graph *g, const char *algorithm);
/* Checks a list of vertices among the params: its count, and that all are vertices of the graph. */
weft_status wfi_check_vertices(weft_ctx *ctx, const weft_graph *g, const char *algorithm, const char *name,
                               const weft_vid *list, size_t count);
/* Called around a run; between them, columns stay on the GPU if the caller asks for that.  After a failure r is
 * NULL. */
void wfi_result_residents_begin(weft_ctx *ctx, bool on_gpu);
void wfi_result_residents_end(weft_ctx *ctx, weft_result *r);
/* Moves the stages that the context has recorded into the result. */
void wfi_result_stages(weft_ctx *ctx, weft_result *r);

weft_ctx *wfi_plan_ctx(const weft_plan *plan);
const struct wfi_spread *wfi_plan_spread(const weft_plan *plan);
/* Bytes that this rank sent to others in the last run; and by the plan, UINT64_MAX: unknown. */
uint64_t wfi_plan_sent(const weft_plan *plan);
uint64_t wfi_plan_sends(const weft_plan *plan);

/* For tests: the choice, and the arena of the last run, of choice->space.peak bytes. */
const wfi_choice *wfi_plan_choice(const weft_plan *plan);
void *wfi_plan_arena(const weft_plan *plan);
/* The same on the GPU, NULL when there is none. */
struct wfi_device_block *wfi_plan_device_arena(const weft_plan *plan);
/* Writes up to `capacity` arrays as they are laid out on the host or on the GPU; returns their number. */
size_t wfi_plan_notes(const weft_plan *plan, bool on_device, wfi_array_note *notes, size_t capacity);

/* weft_NAME(): plan, run, free. */
weft_status wfi_run(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params, weft_result **out);

WFI_C_END
#endif
