/* What may change or disappear with any release of Weft (docs/ABI.md): attributes, GPU-resident results,
 * ranks, checkpoints, partitions, several graphs, dynamic graphs.  The rules of weft.h hold here too. */
#ifndef WEFT_EXPERIMENTAL_FUNCTIONS_H
#define WEFT_EXPERIMENTAL_FUNCTIONS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The symbols have the version WEFT_EXPERIMENTAL. */
#define WEFT_EXPERIMENTAL WEFT_API

/* -------------------------------------------------------- memory, reading */

WEFT_EXPERIMENTAL uint64_t weft_ctx_memory_limit(const weft_ctx *ctx);
/* Sets the limit to what memory control groups (of a container or a batch job) leave now: the least, over this
 * process's group and all above it, of limit - (usage - unused file cache), less what the process itself needs.  No
 * limit where they have none.  After weft_ctx_set_comm the ranks of a machine get equal shares. */
WEFT_EXPERIMENTAL weft_status weft_ctx_follow_memory_group(weft_ctx *ctx);

/* The text of a file that is not a graph, such as a list of ids: decompressed, in UTF-8 without a byte-order mark.
 * path "-" is standard input.  A NUL follows, which `bytes` does not count.  Free it with weft_free. */
WEFT_EXPERIMENTAL weft_status weft_read_text(weft_ctx *ctx, const char *path, char **text, size_t *bytes);

/* -------------------------------------------------------- errors, interrupt */

/* The last failure as data: what weft_ctx_message says in words. */
typedef struct weft_error_info {
    size_t size;
    weft_status code;      /* WEFT_OK: the last call succeeded */
    const char *file;      /* the input at fault; NULL: none */
    uint64_t line, column; /* in that file, from 1; 0 = unknown */
    const char *parameter; /* the first parameter that the message names, such as "weight_col"; NULL: none */
    uint64_t bytes;        /* WEFT_ENOMEM: the size of the request that failed; 0 = unknown */
} weft_error_info;
#define WEFT_ERROR_INFO_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_error_info, bytes), WEFT_OK, NULL, 0, 0, NULL, 0 }
/* Leaves the failure and its message as they are; the texts are valid until the next call on the context. */
WEFT_EXPERIMENTAL weft_status weft_ctx_error(const weft_ctx *ctx, weft_error_info *info);

/* Ends the call in flight on the context with WEFT_ECANCELLED, within the 100 ms of a cancel callback.  Forgotten when
 * that call returns; does nothing when none is in flight.  Any thread, and async-signal-safe. */
WEFT_EXPERIMENTAL void weft_interrupt(weft_ctx *ctx);

/* ------------------------------------------------------------ attributes */

/* Columns of values for the vertices: what a file says of them beyond their ids (docs/formats.md).  Kept by weft_read,
 * weft_write where the format can, weft_subgraph and weft_graph_relabel; weft_graph_compare and weft_graph_fingerprint
 * do not look at them. */
typedef enum weft_attribute_type {
    WEFT_ATTRIBUTE_WHOLE = 1, /* int64_t */
    WEFT_ATTRIBUTE_REAL,      /* double */
    WEFT_ATTRIBUTE_BOOL,      /* uint8_t: 0 or 1 */
    WEFT_ATTRIBUTE_TEXT,      /* uint32_t: the number of a text */
    WEFT_ATTRIBUTE_TIME       /* int64_t: microseconds since 1970-01-01 */
} weft_attribute_type;

/* The form of a column of times: days; local times of an unknown zone; times in UTC. */
typedef enum weft_time_form { WEFT_TIME_DAY = 0, WEFT_TIME_LOCAL, WEFT_TIME_UTC } weft_time_form;

/* A column.  Valid as long as the graph.  Set .size before the call. */
typedef struct weft_attribute {
    size_t size;
    const char *name;
    weft_attribute_type type;
    weft_time_form form;  /* of times; else 0 */
    uint64_t count;       /* vertices */
    uint64_t missing;     /* vertices without a value; `values` has zeros for them */
    const void *values;   /* `count` values of the type above */
    const uint8_t *valid; /* vertex v has a value if bit v % 8 of valid[v / 8] is 1; NULL: all vertices */
    uint64_t text_count;  /* text i is text[text_starts[i]] ... text[text_starts[i + 1] - 1]; 0 unless of type text */
    const uint64_t *text_starts;
    const char *text;
} weft_attribute;
#define WEFT_ATTRIBUTE_DEFAULTS                                                                                      \
    {                                                                                                                \
        WEFT_SIZE_UP_TO(weft_attribute, text), NULL, WEFT_ATTRIBUTE_WHOLE, WEFT_TIME_DAY, 0, 0, NULL, NULL, 0, NULL, \
            NULL                                                                                                     \
    }

/* The number of attributes; an attribute by its position, from 0, or by its name.  WEFT_ENOTFOUND: no such
 * attribute. */
WEFT_EXPERIMENTAL size_t weft_graph_attributes(const weft_graph *g);
WEFT_EXPERIMENTAL weft_status weft_graph_attribute_at(weft_ctx *ctx, const weft_graph *g, size_t i,
                                                      weft_attribute *attribute);
WEFT_EXPERIMENTAL weft_status weft_graph_attribute(weft_ctx *ctx, const weft_graph *g, const char *name,
                                                   weft_attribute *attribute);
/* The value of vertex v as text: 7, 0.5, true, 2024-03-01T12:30:00Z.  Like snprintf: writes at most `room` bytes with
 * the final NUL, and returns the length of the whole text.  *missing (may be NULL) is 1 if it has none: "". */
WEFT_EXPERIMENTAL size_t weft_attribute_text(const weft_attribute *attribute, uint64_t v, char *buffer, size_t room,
                                             int *missing);

/* The same graph with attributes added, those of the same name replaced; the arrays are copied, rows and ids are
 * shared.  Of each: name, type, form, count (the graph's vertices), values, valid and, for texts, their pool; `missing`
 * is counted.  A name that occurs twice, a value that is not of its type or a text that does not exist: WEFT_EINVAL. */
WEFT_EXPERIMENTAL weft_status weft_graph_with_attributes(weft_ctx *ctx, const weft_graph *g,
                                                         const weft_attribute *const *attributes, size_t count,
                                                         weft_graph **out);
/* Is the graph bipartite, with vertices of two kinds?  1 or 0; what the sides are called (both may be NULL), valid as
 * long as the graph.  And the side of a vertex: 0 the first, 1 the second, -1 there is none.  Kept as attributes are;
 * where both sides have an id, ids are names: user_id:1, item_id:1. */
WEFT_EXPERIMENTAL int weft_graph_sides(const weft_graph *g, const char **first, const char **second);
WEFT_EXPERIMENTAL int weft_graph_side(const weft_graph *g, weft_vid v);
/* The same graph with these sides in place of any: side[v] is 0 or 1, and all edges go from one side to the other, else
 * WEFT_EINVAL names one that does not.  first and second: what the sides are called; NULL: 0 and 1. */
WEFT_EXPERIMENTAL weft_status weft_graph_with_sides(weft_ctx *ctx, const weft_graph *g, const char *first,
                                                    const char *second, const uint8_t *side, weft_graph **out);
/* The same graph without attributes. */
WEFT_EXPERIMENTAL weft_status weft_graph_without_attributes(weft_ctx *ctx, const weft_graph *g, weft_graph **out);

/* Columns of edges: attributes with a value for each arc, in the order of weft_graph_out; both arcs of an undirected
 * edge have the same value.  The number of columns; a column by its position or name. */
WEFT_EXPERIMENTAL size_t weft_graph_edge_columns(const weft_graph *g);
WEFT_EXPERIMENTAL weft_status weft_graph_edge_column_at(weft_ctx *ctx, const weft_graph *g, size_t i,
                                                        weft_attribute *column);
WEFT_EXPERIMENTAL weft_status weft_graph_edge_column(weft_ctx *ctx, const weft_graph *g, const char *name,
                                                     weft_attribute *column);
/* The same graph with columns of edges added, those of the same name replaced, as weft_graph_with_attributes does.  A
 * column has a value for each edge, in the order of the rows; an undirected edge stands in the row of its smaller
 * end. */
WEFT_EXPERIMENTAL weft_status weft_graph_with_edge_columns(weft_ctx *ctx, const weft_graph *g,
                                                           const weft_attribute *const *columns, size_t count,
                                                           weft_graph **out);
/* The same graph with a column of numbers as its weights: u32 if all are whole numbers that fit, else f64.  A missing
 * value is refused.  NULL: the same graph without weights.  It shares the rest with the graph it is made of. */
WEFT_EXPERIMENTAL weft_status weft_graph_weighted_by(weft_ctx *ctx, const weft_graph *g, const char *column,
                                                     weft_graph **out);
/* All vertices, and the edges whose columns meet a condition, such as "amount > 10 and date >= 2024-03-01"
 * (docs/where.md); the weight is the column `weight`, unless there is another of that name.  rules (NULL: edges stay as
 * they are): keep, merge, direction, duplicates and loops of a reading, for the edges that are left. */
WEFT_EXPERIMENTAL weft_status weft_graph_filter_edges(weft_ctx *ctx, const weft_graph *g, const char *condition,
                                                      const weft_read_params *rules, weft_graph **out);

/* --------------------------------------------------------------- results */

/* Columns of vertices that runs on the GPU make stay there; the host gets a copy on the first access.  Table
 * columns are copied to the host at once.  Off in a new context. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_results_on_device(weft_ctx *ctx, int stay);
/* The column in the memory of the context's GPU, read-only; NULL if it is not there: no such column, one of rows, a run
 * on the CPU, or results do not stay on the GPU.  weft_result_free waits for all work on that GPU, since any stream may
 * still read it.  If the GPU fails to copy a column to the host, the functions of weft.h return NULL. */
WEFT_EXPERIMENTAL const void *weft_result_device_column(const weft_result *r, const char *column);
/* Column i without a copy: data is NULL while the values are only on the GPU.  WEFT_ENOTFOUND: no column i. */
WEFT_EXPERIMENTAL weft_status weft_result_look_at(const weft_result *r, size_t i, weft_column *out);

/* The sizes of the groups that a column of vertices names, such as `component`: largest first, ties by vertex.  Rows
 * with WEFT_NO_VERTEX are in no group.  Free both arrays with weft_free.  O(n). */
WEFT_EXPERIMENTAL weft_status weft_group_sizes(weft_ctx *ctx, const weft_column *column, weft_vid **group,
                                               uint64_t **size, size_t *count);

/* ------------------------------------------------------ devices */

/* Creates the first GPU's context, some hundred milliseconds, on a separate thread: call it before reading a graph.
 * Calls that need the context wait for it.  weft_device_settle waits for that thread; call it before you exit. */
WEFT_EXPERIMENTAL void weft_device_begin(void);
WEFT_EXPERIMENTAL void weft_device_settle(void);

/* The bytes that any method must move for this result, by weft_algorithm_info.model; 0 = no such model. */
WEFT_EXPERIMENTAL double weft_plan_model_bytes(const weft_plan *plan, const weft_result *r);

/* ----------------------------------------------------------------- ranks */

/* Several processes, the ranks of an MPI job, share a run: each reads its part of the graph, and the result has the
 * bytes of one machine (docs/cluster.md).  MPI comes from a plug-in that is loaded at run time: libweft_mpi_openmpi.so
 * or libweft_mpi_mpich.so.
 * After weft_ctx_set_comm, weft_read, weft_generate, weft_plan_new, weft_plan_run, the functions of algorithms and
 * those marked "collective" are collective: all ranks call them, in the same order.  If one rank fails all do, and the
 * message names it.  Of a text file or a generator each rank has some rows: weft_graph_describe, weft_graph_fingerprint
 * and weft_write (.weft) are then collective too, and functions that need all rows return WEFT_EUNSUPPORTED.
 * Columns for vertices have the values of this rank's vertices; scalars and tables are the same on all ranks. */

/* The number of ranks that a launcher (mpirun, srun, mpiexec) started, by the environment; 1 = no launcher.  *rank may
 * be NULL.  Does not call MPI. */
WEFT_EXPERIMENTAL int weft_launched_ranks(int *rank);

/* Makes the context a rank; collective; only before the context is used, and for good.  mpi_comm points to your
 * MPI_Comm of an initialised MPI, at any thread level: only the calling thread calls MPI, on a duplicate.  NULL: all
 * ranks of the launcher; initialises MPI, and weft_ctx_free finalises it.  WEFT_EUNSUPPORTED: no plug-in fits. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_comm(weft_ctx *ctx, const void *mpi_comm);
/* Virtual ranks, for tests and experiments: contexts[r] becomes rank r of `ranks` in this process.  Each needs a thread
 * of its own, since ranks wait for each other.  A message takes `delay` seconds plus its bytes / `bandwidth` (bytes a
 * second); 0 and 0: the speed of memory. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_virtual(weft_ctx *const *contexts, int ranks, double delay,
                                                   double bandwidth);
/* The grid of plans made from now on: `rows` * `columns` = weft_ctx_ranks, rank r in row r / columns.  A rank has the
 * arcs from the vertices of its column's ranks to those of its row's; one column is the 1-D partition by targets.
 * 0 and 0, as in a new context: the plan chooses by estimated cost.  The same on all ranks.  Several columns need
 * weft_algorithm_info.on_grid, and CPUs. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_grid(weft_ctx *ctx, int rows, int columns);
WEFT_EXPERIMENTAL int weft_ctx_rank(const weft_ctx *ctx);              /* 0, 1, ... */
WEFT_EXPERIMENTAL int weft_ctx_ranks(const weft_ctx *ctx);             /* 1 without weft_ctx_set_comm */
WEFT_EXPERIMENTAL const char *weft_ctx_transport(const weft_ctx *ctx); /* "Open MPI 4.1.4"; "" */
/* Between GPUs: "NCCL 2.28.3", or "staged" through host memory and the transport above; "": no run was planned. */
WEFT_EXPERIMENTAL const char *weft_ctx_device_transport(const weft_ctx *ctx);
/* NCCL's version, "2.28.3", in `text`; WEFT_ENOTFOUND: text says why there is none. */
WEFT_EXPERIMENTAL weft_status weft_nccl_describe(char *text, size_t room);
/* The MPI of a plug-in ("openmpi", "mpich") in a few words, in `text`; WEFT_ENOTFOUND: text says why there is none. */
WEFT_EXPERIMENTAL weft_status weft_plugin_describe(const char *plugin, char *text, size_t room);

/* Agrees on the outcome of a step that each rank did alone; collective.  Returns 0 if `code` (0 ... 255) is 0 on all
 * ranks, else that of the first failed rank; weft_ctx_message is its `message`, after "rank 2: " on the others. */
WEFT_EXPERIMENTAL int weft_ctx_agree(weft_ctx *ctx, int code, const char *message);
/* Replaces each of `count` values by its sum over all ranks; collective. */
WEFT_EXPERIMENTAL weft_status weft_ctx_sum_ranks(weft_ctx *ctx, uint64_t *values, size_t count);

/* A rank of this machine has died (hangs = 0) or waited too long (1).  The message names it, and is NULL if another
 * rank of the machine got it.  The context's thread calls this once; the job should end. */
typedef void (*weft_rank_lost_fn)(void *user, int hangs, const char *message);
/* A thread watches the ranks until the context is freed; collective.  A rank may wait `seconds` for the others in a
 * call, 0 = forever.  Without effect for one rank, or the second time. */
WEFT_EXPERIMENTAL weft_status weft_ctx_watch_ranks(weft_ctx *ctx, double seconds, weft_rank_lost_fn lost, void *user);
/* Ends all ranks at once with this exit code, after a failure that the others do not know of.  Returns only if there is
 * one rank. */
WEFT_EXPERIMENTAL void weft_ctx_abort_ranks(weft_ctx *ctx, int code);

/* Why ranks cannot share a run with these parameters (NULL: the defaults), in words; NULL = they can.  On their CPUs,
 * and on their GPUs. */
WEFT_EXPERIMENTAL const char *weft_ranks_refuse(const char *algorithm, const void *params);
WEFT_EXPERIMENTAL const char *weft_ranks_refuse_gpu(const char *algorithm, const void *params);

/* The whole result on rank 0, NULL on the others; collective. */
WEFT_EXPERIMENTAL weft_status weft_plan_gather(weft_plan *plan, const weft_result *r, weft_result **whole);
/* The columns of vertices first ... end-1 alone, without tables and scalars, on rank 0; collective. */
WEFT_EXPERIMENTAL weft_status weft_plan_gather_range(weft_plan *plan, const weft_result *r, weft_vid first,
                                                     weft_vid end, weft_result **part);
/* Some rows, with tables and scalars, on rank 0; collective.  Each rank names `count` of its own by ascending positions
 * in its columns; *vertices says which vertices they are, in ascending order.  Free it with weft_free. */
WEFT_EXPERIMENTAL weft_status weft_plan_gather_rows(weft_plan *plan, const weft_result *r, const weft_vid *places,
                                                    size_t count, weft_vid **vertices, weft_result **rows);
/* weft_group_sizes of a distributed column: the first `most` groups on rank 0, none on the others, and the number of
 * all groups on each; collective. */
WEFT_EXPERIMENTAL weft_status weft_plan_group_sizes(weft_plan *plan, const weft_column *column, size_t most,
                                                    weft_vid **group, uint64_t **size, size_t *count, uint64_t *total);
/* The vertices of this rank's columns, in their order: as many as WEFT_RANK_VERTICES. */
WEFT_EXPERIMENTAL weft_status weft_plan_vertices(weft_plan *plan, weft_vid *vertices);

typedef enum weft_rank_figure {
    WEFT_RANK_VERTICES, /* of the rank */
    WEFT_RANK_ARCS,     /* out of these */
    WEFT_RANK_BYTES,    /* of its rows and of the plan, including incoming rows to be made */
    WEFT_RANK_SENT,     /* bytes of vertices and arcs sent to other ranks in the last run */
    WEFT_RANK_SENDS     /* the same by the plan, an upper bound where only changes are sent; UINT64_MAX = unknown */
} weft_rank_figure;
/* A figure of every rank; collective.  values has room for weft_ctx_ranks numbers. */
WEFT_EXPERIMENTAL weft_status weft_plan_ranks(weft_plan *plan, weft_rank_figure figure, uint64_t *values);
/* Columns of the plan's grid; 1 also if there is one rank. */
WEFT_EXPERIMENTAL int weft_plan_grid_columns(const weft_plan *plan);

/* ----------------------------------------------------------- checkpoints */

/* Plans made from now on save the state of a run in folder/NAME.checkpoint, NAME being the algorithm: after a whole
 * iteration, once `seconds` have passed since the last time (0: after each).  A run resumes from a state of the same
 * graph and parameters, on any number of ranks; the result has the bytes of an uninterrupted run.  Another state, or a
 * damaged one, is WEFT_EINPUT.  The file stays after the run: weft_plan_forget_checkpoint.
 * stop (or NULL) is polled after each iteration: non-zero, on any rank, saves the state and ends with WEFT_ECANCELLED.
 * Creates the last part of the folder's path; all ranks must see it, and one run at a time may use it.
 * For algorithms with weft_algorithm_info.checkpoints, on the CPU; otherwise weft_plan_new returns WEFT_EUNSUPPORTED.
 * folder NULL, as in a new context: no checkpoints. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_checkpoint(weft_ctx *ctx, const char *folder, double seconds,
                                                      weft_cancel_fn stop, void *user);

/* The checkpoints of the plan's last run.  Set .size before the call. */
typedef struct weft_checkpoint_info {
    size_t size;
    uint64_t resumed_from; /* the iteration whose state it resumed from; 0 = it started anew */
    uint64_t written;      /* number of states saved */
    uint64_t iteration;    /* after which the last state was saved; 0 = never */
    int stopped;           /* the stop callback ended the run after that iteration */
} weft_checkpoint_info;
/* All 0 if the context had no folder when the plan was made. */
WEFT_EXPERIMENTAL weft_status weft_plan_checkpoint(weft_plan *plan, weft_checkpoint_info *info);
/* Removes the file; not an error if there is none.  Of several ranks the first does it. */
WEFT_EXPERIMENTAL weft_status weft_plan_forget_checkpoint(weft_plan *plan);

/* ------------------------------------------------------------ partitions */

/* A partition is a label for each vertex, any numbers: vertices with the same label are a community. */

typedef struct weft_quality_params {
    size_t size;
    double resolution; /* of modularity and CPM, above 0 */
    int weights;       /* sums of the weights, which are 0 or more, in place of numbers of edges */
} weft_quality_params;
#define WEFT_QUALITY_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_quality_params, weights), 1, 0 }

struct weft_generate_params; /* weft/generate.h */
/* The communities, 0 ... communities-1, of the vertices of the graph that weft_generate makes of kind "planted" with
 * these parameters (NULL: the defaults); count is its number of vertices. */
WEFT_EXPERIMENTAL weft_status weft_planted_communities(weft_ctx *ctx, const struct weft_generate_params *params,
                                                       uint64_t count, uint32_t *community);

/* How good a partition of the n vertices is (docs/communities.md): scalars modularity, cpm (the constant Potts model's
 * quality), coverage (f64), communities, largest and disconnected (u64); and a table, largest community first, ties by
 * label: community (u32, its label), size (u64), internal, cut, conductance (f64) and pieces (u64, weakly connected
 * parts).  Where edges weigh nothing, all of them are 0 but cpm.  O(n + m); builds the transpose of a directed
 * graph. */
WEFT_EXPERIMENTAL weft_status weft_partition_quality(weft_ctx *ctx, const weft_graph *g, const uint32_t *labels,
                                                     const weft_quality_params *params, weft_result **out);

/* How far two partitions of the same `count` things agree: scalars nmi, ami, ari, homogeneity, completeness, v_measure
 * (f64; 1 = the same partition), vi (variation of information), mutual_information, entropy_a, entropy_b (f64, natural
 * logarithms), communities_a and communities_b (u64).  For homogeneity and completeness `a` is the truth.
 * O(count), and for ami O(s * t * w): s and t different sizes of communities, w overlaps that may occur by chance. */
WEFT_EXPERIMENTAL weft_status weft_partition_agreement(weft_ctx *ctx, const uint32_t *a, const uint32_t *b,
                                                       uint64_t count, weft_result **out);

/* ----------------------------------------------------------- projections */

/* What an edge of a projection weighs; d are numbers of neighbours. */
typedef enum weft_project_weights {
    WEFT_PROJECT_COUNT = 0, /* neighbours that both ends have in common, u32 */
    WEFT_PROJECT_JACCARD,   /* these over the neighbours of either, f64 */
    WEFT_PROJECT_NEWMAN     /* the sum over these of 1 / (d - 1), f64 */
} weft_project_weights;
typedef struct weft_project_params {
    size_t size;
    int side; /* the side that is projected: 0 the first, 1 the second */
    weft_project_weights weights;
    const uint32_t *sides; /* 0 or 1 for each vertex; NULL: the graph's, or else those of weft_bipartite */
} weft_project_params;
#define WEFT_PROJECT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_project_params, sides), 0, WEFT_PROJECT_COUNT, NULL }

typedef struct weft_project_info {
    size_t size;
    uint64_t vertices, edges; /* of the projection */
    uint64_t others;          /* vertices of the other side */
    uint64_t wedges;          /* paths from one vertex of the side over another one to a third: the work */
    uint64_t bytes;           /* of memory that the projection takes while it is made, itself included */
} weft_project_info;

/* The projection of one side of a bipartite graph: its vertices, with their ids and attributes, and an undirected edge
 * between any two that have a neighbour in common.  Directions, weights and parallel edges of g do not count.
 * WEFT_EINVAL: an edge within a side, or the graph has an odd cycle, which the message shows.  projection may be NULL:
 * it only counts.  counted may be NULL.  O(n + m + wedges). */
WEFT_EXPERIMENTAL weft_status weft_graph_project(weft_ctx *ctx, const weft_graph *g, const weft_project_params *params,
                                                 weft_graph **projection, weft_project_info *counted);

/* -------------------------------------------------------- several graphs */

/* Vertices are matched by their ids, edges by the ids of their ends: numbers of vertices do not count.  WEFT_EINVAL if
 * one graph is directed and another is not, or if the ids are numbers in one and names in another. */

typedef struct weft_changes_params {
    size_t size;
    int weights; /* edges are compared with their weights, if both graphs have some; 0: their ends alone count */
} weft_changes_params;
#define WEFT_CHANGES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_changes_params, weights), 1 }

/* What changed from `a` to `b`.  Of edges between the same vertices, which may be several, those of equal weights are
 * the same; others are paired from the smallest on, and their weight has changed; the rest was removed or added.
 * Columns: match (of each vertex of a its number in b, or WEFT_NO_VERTEX); tables, in the order of ids:
 *   removed_vertex, removed_source, removed_target, changed_source, changed_target: vertices of a;
 *   added_vertex, added_source, added_target: vertices of b;
 *   removed_weight, added_weight, weight_before, weight_after: of the edges in these tables, if the graph has weights.
 *   Of an undirected edge the source is the end with the smaller id.
 * Scalars (u64): equal (1 or 0), vertices_a, vertices_b, vertices_removed, vertices_added, edges_a, edges_b,
 *   edges_removed, edges_added, weights_changed, weights_compared (1 or 0).  Graphs of which one has weights and the
 *   other has none are not equal, unless `weights` is 0; a note says so.
 * O(n + m); 4 bytes for each vertex of both graphs, and the tables. */
WEFT_EXPERIMENTAL weft_status weft_graph_changes(weft_ctx *ctx, const weft_graph *a, const weft_graph *b,
                                                 const weft_changes_params *params, weft_result **out);

typedef enum weft_merge_mode {
    WEFT_MERGE_UNION = 0,    /* every vertex and every edge of any graph */
    WEFT_MERGE_INTERSECTION, /* those of all graphs */
    WEFT_MERGE_DIFFERENCE    /* all vertices of the first, and its edges that no other graph has */
} weft_merge_mode;
typedef struct weft_merge_params {
    size_t size;
    weft_merge_mode mode;
    /* What edges between the same vertices become, whichever graphs they are from, in the order of the graphs.
     * WEFT_DUPLICATES_DROP: one edge if all weigh the same, otherwise WEFT_EINVAL. */
    weft_duplicates duplicates;
} weft_merge_params;
#define WEFT_MERGE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_merge_params, duplicates), WEFT_MERGE_UNION, WEFT_DUPLICATES_DROP }

/* A new graph of 1 to 65535 graphs, with their ids.  The mode says between which vertices there are edges.  Graphs with
 * edges must all have weights or all have none, except with WEFT_DUPLICATES_COUNT, and but for those that a difference
 * takes away.  O(n + m), and sorting within rows; beside the new graph 16 bytes for each vertex, and 9 for each arc of
 * all graphs, and their weights. */
WEFT_EXPERIMENTAL weft_status weft_graph_merge(weft_ctx *ctx, const weft_graph *const *graphs, size_t count,
                                               const weft_merge_params *params, weft_graph **out);

/* --------------------------------------------------------------- dynamic */

/* A graph that changes in batches.  Snapshots are ordinary graphs, which later batches leave alone (docs/dynamic.md).
 * One thread at a time applies batches; any thread may take a snapshot meanwhile, with a context of its own, and gets
 * the state after the last complete batch.  Vertices are named by their ids.  At most one edge joins two vertices (in
 * each direction, if directed). */
typedef struct weft_dynamic weft_dynamic;

/* What weft_dynamic_apply waits for where a file keeps the batches. */
typedef enum weft_durable {
    WEFT_DURABLE_BATCH = 0, /* the batch is on the disk: it survives a power failure */
    WEFT_DURABLE_NEVER      /* the system has it: it survives the end of the program, however that ends */
} weft_durable;

#define WEFT_LAST_BATCH UINT64_MAX

/* The first three are those of an empty graph, the last five those of a file. */
typedef struct weft_dynamic_params {
    size_t size;
    weft_direction direction; /* WEFT_AS_FILE = directed */
    weft_weight_type weight_type;
    int names;            /* ids are names, not integers */
    weft_loops loops;     /* inserted loops: keep, or drop and count */
    weft_durable durable; /* file */
    int read_only;        /* file: do not change it; others may write to it meanwhile */
    uint64_t at;          /* file, read only: its state after batch `at`; WEFT_LAST_BATCH = the present state */
    weft_device device;   /* WEFT_DEVICE_CUDA: rows are kept and merged on the context's GPU; else on the host */
    double wait;          /* file: seconds to wait for another writer to end */
} weft_dynamic_params;
#define WEFT_DYNAMIC_DEFAULTS                                                                           \
    {                                                                                                   \
        WEFT_SIZE_UP_TO(weft_dynamic_params, wait), WEFT_AS_FILE, WEFT_WEIGHT_NONE, 0, WEFT_LOOPS_KEEP, \
            WEFT_DURABLE_BATCH, 0, WEFT_LAST_BATCH, WEFT_DEVICE_AUTO, 0                                 \
    }

/* An empty graph (base = NULL), or a copy of a graph without parallel edges and attributes.  O(n + m). */
WEFT_EXPERIMENTAL weft_status weft_dynamic_new(weft_ctx *ctx, const weft_graph *base, const weft_dynamic_params *params,
                                               weft_dynamic **out);
/* A graph that a .weft file keeps: any such file without parallel edges.  The first batch adds a log, to which batches
 * are appended; weft_read reads the graph after the last whole one.  After a crash every acknowledged batch is
 * recovered, and none in part.  WEFT_EIO: another program is writing. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_open(weft_ctx *ctx, const char *path, const weft_dynamic_params *params,
                                                weft_dynamic **out);
/* Waits until all batches are on the disk, whatever `durable` is. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_sync(weft_ctx *ctx, weft_dynamic *d);
/* Replaces the file by one with the present graph and an empty log, once that is on the disk. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_compact(weft_ctx *ctx, weft_dynamic *d);
/* Read only: applies the next batch that another program appended, if there is one. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_follow(weft_ctx *ctx, weft_dynamic *d, int *more);
/* Snapshots stay. */
WEFT_EXPERIMENTAL void weft_dynamic_free(weft_dynamic *d);

typedef enum weft_change {
    WEFT_CHANGE_INSERT = 0,   /* an edge and its ends, where they are new; an existing edge gets the weight */
    WEFT_CHANGE_DELETE,       /* an edge; its ends stay */
    WEFT_CHANGE_WEIGHT,       /* the weight of an existing edge */
    WEFT_CHANGE_ADD_VERTEX,   /* the source; the target is ignored */
    WEFT_CHANGE_REMOVE_VERTEX /* the source and all its edges */
} weft_change;

/* Changes, as if applied one after the other.  Ids are numbers or names, as in the graph. */
typedef struct weft_batch {
    size_t size;
    uint64_t count;         /* at most 2^30 */
    const uint8_t *changes; /* a weft_change each; NULL = all insert */
    const int64_t *sources, *targets;
    const char *const *source_names;
    const char *const *target_names;
    const void *weights; /* of the graph's type, finite; may be NULL where no change needs them */
} weft_batch;
#define WEFT_BATCH_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_batch, weights), 0, NULL, NULL, NULL, NULL, NULL, NULL }

/* What a batch did.  Set .size before the call. */
typedef struct weft_batch_stats {
    size_t size;
    uint64_t version;                            /* number of batches so far, with this one */
    uint64_t inserted, deleted, weights_changed; /* edges; those of removed vertices count as deleted */
    uint64_t already_there;                      /* inserted or weighted as they were */
    uint64_t absent;                             /* to delete, to weight or to remove, but not there */
    uint64_t superseded;                         /* by a later change in the batch */
    uint64_t loops_dropped;
    uint64_t vertices_added, vertices_removed;
    double gpu_ms; /* time of the merge on the GPU; 0 if rows are on the host */
} weft_batch_stats;

/* All of a batch or, after a failure, nothing of it.  stats may be NULL.  O(b log b) for b changes, and a copy of the
 * groups of 64 rows that they touch; removing vertices of a directed graph takes O(m).  With rows on a GPU each batch
 * rebuilds them there, O(n + m); the context must use that GPU. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch,
                                                 weft_batch_stats *stats);

/* The present graph.  O(1); the first call that needs its rows or ids packs them, O(n + m).  Functions without a
 * context do so too, and answer as for NULL if memory does not suffice. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_snapshot(weft_ctx *ctx, weft_dynamic *d, weft_graph **out);

/* Batch `number` from the log, as it was given.  Its arrays are valid until the next such call, or
 * weft_dynamic_free. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_logged(weft_ctx *ctx, weft_dynamic *d, uint64_t number, weft_batch *batch);

typedef struct weft_dynamic_info {
    size_t size;
    uint64_t version;
    uint64_t vertices, edges, arcs;
    uint64_t bytes;    /* of the rows, including those that only snapshots need */
    uint64_t versions; /* in memory: the last one, and those of snapshots that are not packed */
    int directed;
    weft_weight_type weight_type;
    int names;             /* ids are names */
    uint64_t logged_after; /* a file: the log holds the batches after this one */
    uint64_t log_bytes;
    uint64_t bytes_left_out; /* after the last whole batch, when the file was opened */
} weft_dynamic_info;
WEFT_EXPERIMENTAL weft_status weft_dynamic_describe(weft_ctx *ctx, weft_dynamic *d, weft_dynamic_info *info);

/* A tracker keeps an algorithm's result up to date: after each batch it is, to the bit, that of a run on a snapshot.
 * It is updated from the changes where that is possible and cheaper, otherwise recomputed (docs/dynamic.md).  params
 * are the algorithm's, NULL = its defaults; a source is a present vertex, and stays the one with that id.  A tracker
 * belongs to the thread that applies batches, and makes them slower. */
typedef struct weft_tracker weft_tracker;
typedef struct weft_track_params {
    size_t size;
    int warm;   /* pagerank: start with the last ranks; exact within error_bound, not to the bit */
    int refuse; /* cycle: a batch that closes a cycle fails with WEFT_EINVAL, and the message shows the cycle */
} weft_track_params;
#define WEFT_TRACK_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_track_params, refuse), 0, 0 }
WEFT_EXPERIMENTAL weft_status weft_dynamic_track(weft_ctx *ctx, weft_dynamic *d, const char *algorithm,
                                                 const void *params, const weft_track_params *how, weft_tracker **out);
WEFT_EXPERIMENTAL void weft_tracker_free(weft_tracker *t);
/* For the present graph; vertices are those of a snapshot taken now. */
WEFT_EXPERIMENTAL weft_status weft_tracker_result(weft_ctx *ctx, weft_tracker *t, weft_result **out);

typedef struct weft_tracker_info {
    size_t size;
    uint64_t version;    /* of the last result */
    int incremental;     /* it was updated from the changes */
    uint64_t followed;   /* results updated from changes */
    uint64_t recomputed; /* results from scratch */
    double error_bound;  /* with warm: L1 distance from the exact ranks, at most; otherwise 0 */
    char reason[256];    /* why the last result was updated or recomputed */
} weft_tracker_info;
WEFT_EXPERIMENTAL weft_status weft_tracker_describe(weft_ctx *ctx, weft_tracker *t, weft_tracker_info *info);

#ifdef __cplusplus
}
#endif
#endif
