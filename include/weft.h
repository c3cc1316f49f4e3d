/* Weft: graph analytics on CPU cores and GPUs.  This header is the whole public API.
 *
 *   weft_ctx *ctx;    if (weft_ctx_new(&ctx)) return 1;
 *   weft_graph *g;    if (weft_read(ctx, "web.txt.gz", NULL, &g)) return puts(weft_ctx_message(ctx)), 1;
 *   weft_result *r;   if (weft_degree(ctx, g, NULL, &r)) return puts(weft_ctx_message(ctx)), 1;
 *   const uint64_t *total = weft_result_u64(r, "total");
 *
 * Rules for all functions (docs/ABI.md has the reasons, and what later versions keep):
 *   - A function that can fail returns weft_status; weft_ctx_message() is the message of the last such call.
 *     After a failure *out is NULL, counts are 0 and vertices WEFT_NO_VERTEX.
 *   - A pointer that is NULL and must not be gives WEFT_EINVAL; getters return 0, NULL or "".  _free functions accept NULL.
 *   - The library never prints, exits, aborts or installs signal handlers.
 *   - Structs that you make begin with their size.  Parameters have a ..._DEFAULTS initialiser, and NULL means the defaults; for
 *     output structs .size = sizeof works.  A program built with an older header passes shorter structs: the fields it does not know
 *     have their defaults.  Structs that the library makes are read through pointers, one at a time.
 *   - A context belongs to one thread at a time.  A graph is immutable and may be shared between threads, and so may a result.
 *     Functions without a context may be called from any thread.
 *   - Graphs and results may outlive the context that made them.  A plan keeps its graph and its context alive.
 *   - Arrays that parameters point to belong to you, and must live as long as the plan that was given them.
 *   - n is the number of vertices, m that of stored arcs; complexity is for one thread, work is shared by the
 *     context's threads, and getters take O(1) unless noted.
 *   - A forked child may continue with the same contexts, graphs and results unless another thread was using them at the fork.  If
 *     there had been a run, the thread that forked works alone (a warning says so); threads created in the child use all threads.
 *     If CUDA had been used, the child has no GPU: WEFT_DEVICE_CUDA is refused, and columns that are there are lost.
 *   - The library leaves the process as it found it: the current GPU of the calling thread, the default memory pool and streams.
 */
#ifndef WEFT_H
#define WEFT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0
/* For comparison: #if WEFT_VERSION_NUMBER >= 200 for 0.2.0.  Two digits each for minor and patch. */
#define WEFT_VERSION_NUMBER (WEFT_VERSION_MAJOR * 10000 + WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

/* May change or disappear with any release (docs/ABI.md). */
#define WEFT_EXPERIMENTAL WEFT_API

typedef uint32_t weft_vid; /* a vertex inside the library: 0 ... n-1 */
typedef uint64_t weft_eid; /* a position in the arc array */

#define WEFT_NO_VERTEX ((weft_vid)0xffffffffu)

/* What .size holds in the ..._DEFAULTS: the bytes up to the end of the last field, without padding. */
#define WEFT_SIZE_UP_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

/* "0.1.0" of the library that is linked, which may be newer than the header. */
WEFT_API const char *weft_version(void);
/* The same as a number: the library's own WEFT_VERSION_NUMBER. */
WEFT_API int weft_version_number(void);

/* How the library was built, one line: compiler, CUDA or not, tuning. */
WEFT_API const char *weft_build_info(void);

/* ---------------------------------------------------------------- status */

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_EINVAL,       /* a parameter is out of range, or the combination makes no sense */
    WEFT_EINPUT,       /* the file or its content is invalid; the message names file:line:column */
    WEFT_EIO,          /* the system refused to open, read or write */
    WEFT_ENOMEM,       /* out of memory, or over the context's limit */
    WEFT_EDEVICE,      /* no usable GPU, or the GPU failed */
    WEFT_ECANCELLED,   /* the cancel callback said stop */
    WEFT_EUNSUPPORTED, /* valid, but not supported (a complex matrix, say) */
    WEFT_ENOTFOUND     /* no such vertex, column, format or algorithm */
} weft_status;

/* "out of memory" and so on: the kind of failure, if there is no context to ask. */
WEFT_API const char *weft_status_text(weft_status status);

/* --------------------------------------------------------------- context */

typedef struct weft_ctx weft_ctx;

WEFT_API weft_status weft_ctx_new(weft_ctx **out);
WEFT_API void weft_ctx_free(weft_ctx *ctx);

/* The last failure's message on this context, "" if none.  Valid until the next call on the context. */
WEFT_API const char *weft_ctx_message(const weft_ctx *ctx);

/* 0 = one per available core (the default; OMP_NUM_THREADS is honoured). */
WEFT_API weft_status weft_ctx_set_threads(weft_ctx *ctx, int threads);
WEFT_API int weft_ctx_threads(const weft_ctx *ctx);

/* Bytes the library may hold at once through this context; 0 = no limit. */
WEFT_API weft_status weft_ctx_set_memory_limit(weft_ctx *ctx, uint64_t bytes);
WEFT_EXPERIMENTAL uint64_t weft_ctx_memory_limit(const weft_ctx *ctx);
/* The limit becomes what memory control groups (a container's, a batch job's) leave now: of this process's group and all above it the least of limit - (usage -
 * file cache that is not in use); no limit where they have none.  The ranks of a machine have equal shares, after weft_ctx_set_comm. */
WEFT_EXPERIMENTAL weft_status weft_ctx_follow_memory_group(weft_ctx *ctx);
WEFT_API uint64_t weft_ctx_memory_in_use(const weft_ctx *ctx);
WEFT_API uint64_t weft_ctx_memory_peak(const weft_ctx *ctx);
/* Restarts the peaks, here and on the GPU, with what is in use now, to see how much one call takes.  Not while
 * another call uses the context. */
WEFT_API void weft_ctx_restart_memory_peak(weft_ctx *ctx);
/* The same for memory on the GPU. */
WEFT_API weft_status weft_ctx_set_device_memory_limit(weft_ctx *ctx, uint64_t bytes);
WEFT_API uint64_t weft_ctx_device_memory_in_use(const weft_ctx *ctx);
WEFT_API uint64_t weft_ctx_device_memory_peak(const weft_ctx *ctx);

/* Your own allocator.  alloc returns memory aligned for any type or NULL; both may be called from any thread.
 * Only allowed while nothing is allocated through the context. */
typedef void *(*weft_alloc_fn)(void *user, size_t bytes);
typedef void (*weft_free_fn)(void *user, void *block, size_t bytes);
WEFT_API weft_status weft_ctx_set_allocator(weft_ctx *ctx, weft_alloc_fn alloc, weft_free_fn release, void *user);

/* Called at most every 50 ms during long work, from the calling thread.  total = 0: not known. */
typedef void (*weft_progress_fn)(void *user, const char *stage, uint64_t done, uint64_t total);
WEFT_API void weft_ctx_set_progress(weft_ctx *ctx, weft_progress_fn progress, void *user);

/* Polled at least every 100 ms of work, by any thread; non-zero stops the call with WEFT_ECANCELLED. */
typedef int (*weft_cancel_fn)(void *user);
WEFT_API void weft_ctx_set_cancel(weft_ctx *ctx, weft_cancel_fn cancel, void *user);
/* Asks that callback, for long loops of your own: 1 = stop, 0 = continue, or there is no callback. Any thread. */
WEFT_API int weft_ctx_cancelled(const weft_ctx *ctx);

/* Things worth knowing that are not failures: "weights ignored", "banner has one % instead of two". */
typedef void (*weft_warning_fn)(void *user, const char *message);
WEFT_API void weft_ctx_set_warning(weft_ctx *ctx, weft_warning_fn warning, void *user);

/* How a file was interpreted, if there was a choice: "columns: src -> dst, weight; passed over: year". */
WEFT_API void weft_ctx_set_note(weft_ctx *ctx, weft_warning_fn note, void *user);

/* ----------------------------------------------------------------- graph */

typedef struct weft_graph weft_graph;

typedef enum weft_weight_type {
    WEFT_WEIGHT_NONE = 0,
    WEFT_WEIGHT_U32, /* every weight is an integer in 0 ... 2^32-1 */
    WEFT_WEIGHT_F32,
    WEFT_WEIGHT_F64
} weft_weight_type;

typedef enum weft_id_kind {
    WEFT_IDS_DENSE = 0, /* file ids are base, base+1, ... without gaps: no map is stored */
    WEFT_IDS_SPARSE,    /* 64-bit integers with gaps; vertices are numbered in ascending id order */
    WEFT_IDS_STRING     /* names; vertices are numbered in byte order of the names */
} weft_id_kind;

typedef enum weft_duplicates {
    WEFT_DUPLICATES_DROP = 0, /* parallel edges become one, which keeps the smallest weight; in a file that is no choice: see weights_merged */
    WEFT_DUPLICATES_KEEP,
    WEFT_DUPLICATES_SUM,    /* parallel edges become one, with the sum of the weights */
    WEFT_DUPLICATES_REFUSE, /* WEFT_EINPUT if there are any, whatever their weights */
    WEFT_DUPLICATES_MIN,    /* as DROP, and a choice */
    WEFT_DUPLICATES_MAX,
    WEFT_DUPLICATES_MEAN,   /* all weights become f64 */
    WEFT_DUPLICATES_COUNT   /* the weight of an edge is how many there were, u32, of a graph without weights as well */
} weft_duplicates;

typedef enum weft_loops { WEFT_LOOPS_KEEP = 0, WEFT_LOOPS_DROP } weft_loops;

typedef enum weft_direction {
    WEFT_AS_FILE = 0, /* what the format or the file's header says; directed if neither does */
    WEFT_DIRECTED,
    WEFT_UNDIRECTED /* symmetrise: an edge listed in either direction, or in both, is one edge */
} weft_direction;

/* Who says whether edges have a direction. */
typedef enum weft_direction_from {
    WEFT_DIRECTION_FROM_FILE = 0, /* the file, its format, or the generator */
    WEFT_DIRECTION_FROM_FLAG,     /* the caller: WEFT_DIRECTED or WEFT_UNDIRECTED */
    WEFT_DIRECTION_ASSUMED        /* nobody, and so they have */
} weft_direction_from;

/* What makes it likely that a file whose direction was assumed is of an undirected graph. */
typedef enum weft_direction_doubt {
    WEFT_DOUBT_NONE = 0,
    WEFT_DOUBT_ASCENDING, /* at least 32 edges, all from a smaller to a larger id (names: in byte order) */
    WEFT_DOUBT_TWICE      /* every edge is there in both directions, with the same weight; loops do not count */
} weft_direction_doubt;

typedef enum weft_weights_use {
    WEFT_WEIGHTS_AUTO = 0, /* kept if the file has them */
    WEFT_WEIGHTS_REQUIRE,  /* it is an error if the file has none */
    WEFT_WEIGHTS_IGNORE
} weft_weights_use;

/* How a list of edges becomes a graph. What is dropped is counted in weft_graph_info. */
typedef struct weft_build_params {
    size_t size;
    weft_direction direction;
    weft_duplicates duplicates;
    weft_loops loops;
} weft_build_params;
#define WEFT_BUILD_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_build_params, loops), WEFT_AS_FILE, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP }

/* A graph from `count` edges over the vertices 0 ... vertices-1.
 * `weights` is NULL (WEFT_WEIGHT_NONE), or `count` values of `weight_type`.  O(n + count), and sorting within rows. */
WEFT_API weft_status weft_graph_from_edges(weft_ctx *ctx, uint64_t vertices, uint64_t count, const weft_vid *sources,
                                           const weft_vid *targets, const void *weights, weft_weight_type weight_type,
                                           const weft_build_params *params, weft_graph **out);

/* What an array of the caller's consists of. */
typedef enum weft_array_type {
    WEFT_ARRAY_NONE = 0, /* there is no such array */
    WEFT_ARRAY_U8,
    WEFT_ARRAY_U16,
    WEFT_ARRAY_U32,
    WEFT_ARRAY_U64,
    WEFT_ARRAY_I8,
    WEFT_ARRAY_I16,
    WEFT_ARRAY_I32,
    WEFT_ARRAY_I64,
    WEFT_ARRAY_F32,
    WEFT_ARRAY_F64
} weft_array_type;

/* The graph needs the caller's arrays no longer.  Called once, by any thread. */
typedef void (*weft_release_fn)(void *user);

/* Edges in arrays of the caller's: sources and targets (COO), or rows (CSR, where offsets is given).
 * Without release they are copied.  With it the graph may keep them, and after WEFT_OK release(user) is called when it needs them no
 * longer: before the return if it keeps none.  It keeps what it can use as it is: rows of a directed graph, or symmetric ones, that
 * ascend and of which nothing is dropped; offsets of 64 bits, targets of 32, weights u32, f32 or f64.  Nobody may change them then. */
typedef struct weft_arrays {
    size_t size;
    uint64_t vertices;           /* the ids are 0 ... vertices-1; not read with any_ids */
    uint64_t edges;              /* entries of targets, and of sources and weights */
    const void *offsets;         /* CSR: vertices + 1; row v is entries offsets[v] ... offsets[v+1]-1.  NULL = COO */
    const void *sources;         /* COO */
    const void *targets;
    const void *weights;         /* NULL = none */
    weft_array_type offset_type, id_type; /* whole numbers; id_type is that of sources, targets and more_ids */
    weft_array_type weight_type; /* whole numbers become u32 if all are in 0 ... 2^32-1, else f64 */
    int any_ids;                 /* COO: any whole numbers; those that occur are vertices, in ascending order, as in a file */
    const void *more_ids;        /* any_ids: vertices that need no edge; NULL = none */
    uint64_t more_count;
    const char *names;           /* the ids are positions in a list of `vertices` different names, and the graph has string ids */
    const uint64_t *name_starts; /* name i is names[name_starts[i]] ... names[name_starts[i+1]-1] */
    int symmetric;               /* undirected: each edge is listed in both directions, which is checked, and is one */
    int on_device;               /* offsets, sources, targets and weights are in the memory of the context's GPU, written before
                                    the call, or by what is on the stream of weft_ctx_set_stream */
    weft_release_fn release;     /* NULL = the arrays are copied */
    void *user;
} weft_arrays;
#define WEFT_ARRAYS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_arrays, user), 0, 0, NULL, NULL, NULL, NULL, WEFT_ARRAY_NONE, WEFT_ARRAY_NONE, WEFT_ARRAY_NONE, 0, NULL, \
      0, NULL, NULL, 0, 0, NULL, NULL }

/* A graph from arrays.  Messages of WEFT_EINVAL name the first entry that is wrong.  O(n + edges), and sorting within rows. */
WEFT_API weft_status weft_graph_from_arrays(weft_ctx *ctx, const weft_arrays *arrays, const weft_build_params *params,
                                            weft_graph **out);

WEFT_API void weft_graph_free(weft_graph *g);

typedef enum weft_label { WEFT_LABEL_NONE = 0, WEFT_LABEL_CYCLIC, WEFT_LABEL_ACYCLIC } weft_label;

/* Everything countable about a graph.  Set .size = sizeof(weft_graph_info) before the call. */
typedef struct weft_graph_info {
    size_t size;
    uint64_t vertices;
    uint64_t records;            /* edges as listed in the file or by the caller */
    uint64_t edges;              /* after duplicates and loops were dropped or kept; an undirected edge counts once */
    uint64_t arcs;               /* entries stored in the out-CSR */
    uint64_t self_loops;         /* loops in the graph */
    uint64_t self_loops_dropped;
    uint64_t duplicates_dropped;
    uint64_t isolated;           /* vertices without any arc, in or out; a loop counts as an arc */
    uint64_t max_degree;         /* of the out-rows; for an undirected graph that is the degree */
    uint64_t max_in_degree;
    double mean_degree;          /* arcs / vertices */
    uint64_t median_degree;      /* of the out-rows */
    double density;              /* edges / possible edges, not counting loops */
    double skew;                 /* share of all arcs in the longest 1 % of the rows: 0.01 = flat */
    int directed;
    weft_weight_type weight_type;
    double min_weight, max_weight; /* 0 when unweighted */
    weft_id_kind id_kind;
    int64_t id_base;             /* first id if dense */
    weft_label label;            /* what the file claims about cycles, if anything */
    const char *format;          /* "edgelist", "mtx", ...; "memory" if no file; lives as long as the graph */
    double load_ms;              /* from open to graph */
    uint64_t bytes;              /* held by the graph now */
    /* The columns of a table that were read, as its header names them, or "1", "2", ... without one; NULL: none, or
     * the graph does not come from a table. Valid as long as the graph. */
    const char *source_column, *target_column, *weight_column;
    const char *const *passed_over_columns; /* the other ones */
    size_t passed_over_count;
    weft_direction_from direction_from;
    weft_direction_doubt direction_doubt; /* looked for when a file is read */
    /* A file was read with WEFT_DUPLICATES_DROP, and the smallest weight kept where others were there as well: so many pairs of vertices have parallel
     * edges with different weights, so many undirected edges are listed with one weight from u to v and another from v to u.  Where that changes
     * the answer (weighted runs other than shortest paths, weft_write) the graph is refused with WEFT_EINVAL. */
    uint64_t weights_merged, opposite_weights_merged;
} weft_graph_info;

/* Counts in parallel on first use, O(n + m) (isolated needs a pass over the arcs), then remembers: O(1). */
WEFT_API weft_status weft_graph_describe(weft_ctx *ctx, const weft_graph *g, weft_graph_info *info);

typedef enum weft_side { WEFT_SIDE_OUT = 0, WEFT_SIDE_IN, WEFT_SIDE_TOTAL } weft_side;

/* Rows by size: count[k] = number of vertices of degree value[k], ascending. The two arrays are freed with
 * weft_free(ctx, ...).  O(n + largest degree), and O(m) more if the transpose is not available. */
WEFT_API weft_status weft_graph_degree_distribution(weft_ctx *ctx, const weft_graph *g, weft_side side,
                                                    uint64_t **value, uint64_t **count, size_t *length);
WEFT_API void weft_free(weft_ctx *ctx, void *block);

WEFT_API weft_vid weft_graph_vertices(const weft_graph *g);
WEFT_API weft_eid weft_graph_arcs(const weft_graph *g);
WEFT_API uint64_t weft_graph_edges(const weft_graph *g);
WEFT_API int weft_graph_directed(const weft_graph *g);
WEFT_API weft_direction_from weft_graph_direction_from(const weft_graph *g);
WEFT_API weft_weight_type weft_graph_weight_type(const weft_graph *g);

/* A view of one direction.  Row v is targets[offsets[v]] ... targets[offsets[v+1]-1], ascending.
 * weights is NULL, or uint32_t, float or double values parallel to the targets, by the graph's weight type.  Valid as
 * long as the graph.
 * Set .size = sizeof(weft_csr) before the call. */
typedef struct weft_csr {
    size_t size;
    weft_vid vertices;
    weft_eid arcs;
    const weft_eid *offsets; /* vertices + 1 */
    const weft_vid *targets;
    const void *weights;
} weft_csr;

/* O(1).  A graph that was changed may first have to rebuild its rows, which can fail; they are kept. */
WEFT_API weft_status weft_graph_out(weft_ctx *ctx, const weft_graph *g, weft_csr *rows);

/* The transpose: built on first use, O(n + m), once, and kept; threads that ask at the same time wait for it.  The same
 * view as out for an undirected graph. */
WEFT_API weft_status weft_graph_in(weft_ctx *ctx, const weft_graph *g, weft_csr *rows);

/* Vertices by descending total degree, ties by vertex: order[0] is the biggest hub. Computed once, O(n + m), and kept.
 * */
WEFT_API weft_status weft_graph_degree_order(weft_ctx *ctx, const weft_graph *g, const weft_vid **order);

/* A new graph in which vertex order[k] of g is vertex k; file ids follow their vertices.  O(n + m), and
 * sorting within rows. */
WEFT_API weft_status weft_graph_relabel(weft_ctx *ctx, const weft_graph *g, const weft_vid *order, weft_graph **out);

/* Same vertices, ids, arcs and weights?  *equal is 1 or 0; the context's message says how they differ.
 * O(n + m). */
WEFT_API weft_status weft_graph_compare(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, int *equal);

/* A 64-bit fingerprint of vertices, arcs, weights and ids: equal graphs have equal fingerprints everywhere.
 * O(n + m). */
WEFT_API weft_status weft_graph_fingerprint(weft_ctx *ctx, const weft_graph *g, uint64_t *out);

/* Where searches may start: out[i] is vertex number h(i) mod c of the c vertices with out-arcs (of all, if none has
 * any), in vertex order, where h(i) is a hash of seed and i.  So a longer list begins with the shorter, and the same
 * graph and seed give the same list everywhere.  The program's random:K has seed 1.  The graph must have a vertex.  O(n
 * + count). */
WEFT_API weft_status weft_random_sources(weft_ctx *ctx, const weft_graph *g, size_t count, uint64_t seed,
                                         weft_vid *out);

/* --------------------------------------------------------- external ids */

/* The file's own id of vertex v, as text.  Writes at most `room` bytes with the final NUL (a name that does not fit
 * is truncated) and returns the full length without it, like snprintf. */
WEFT_API size_t weft_graph_id_text(const weft_graph *g, weft_vid v, char *buffer, size_t room);

WEFT_API weft_id_kind weft_graph_id_kind(const weft_graph *g);

/* The id as a number; 0 for string ids. */
WEFT_API int64_t weft_graph_id(const weft_graph *g, weft_vid v);

/* The vertex with the id `text` in the file; WEFT_ENOTFOUND if there is none.  O(log n); O(1) for
 * WEFT_IDS_DENSE. */
WEFT_API weft_status weft_graph_find(weft_ctx *ctx, const weft_graph *g, const char *text, weft_vid *out);

/* The vertices with these ids; WEFT_ENOTFOUND names the first that there is none for.  Not for string ids.  O(count log n). */
WEFT_API weft_status weft_graph_find_ids(weft_ctx *ctx, const weft_graph *g, size_t count, const int64_t *ids, weft_vid *out);

/* All ids at once: a view, valid as long as the graph.  Set .size = sizeof(weft_ids) before the call. */
typedef struct weft_ids {
    size_t size;
    weft_id_kind kind;
    int64_t base;           /* dense: that of vertex 0 */
    const int64_t *numbers; /* sparse: of each vertex; else NULL */
    const uint64_t *starts; /* string: the name of v is text[starts[v]] ... text[starts[v+1]-1]; else NULL */
    const char *text;
} weft_ids;
WEFT_API weft_status weft_graph_ids(weft_ctx *ctx, const weft_graph *g, weft_ids *ids);

/* Is there an arc u -> v?  *position is its position in the out-CSR (the first, if duplicates were kept).
 * O(log of the row's length). */
WEFT_API int weft_graph_has_arc(const weft_graph *g, weft_vid u, weft_vid v, weft_eid *position);

/* ------------------------------------------------------ reading, writing */

typedef enum weft_id_reading {
    WEFT_READ_IDS_AUTO = 0, /* names if the start of the file has a non-number for an id, numbers otherwise */
    WEFT_READ_IDS_INTEGER,
    WEFT_READ_IDS_STRING
} weft_id_reading;

typedef enum weft_header_use {
    WEFT_HEADER_AUTO = 0, /* detected from the first lines; refused if that is not possible */
    WEFT_HEADER_YES,      /* the first line names the columns */
    WEFT_HEADER_NO        /* the first line is data */
} weft_header_use;

typedef enum weft_comment_use {
    WEFT_COMMENTS_AUTO = 0, /* lines of a list that begin with # or %; refused if such a name is an end of an edge elsewhere */
    WEFT_COMMENTS_YES,      /* they are comments whatever they look like */
    WEFT_COMMENTS_NO        /* there are none: such lines are edges */
} weft_comment_use;

typedef enum weft_weight_reading {
    WEFT_READ_WEIGHTS_AUTO = 0, /* u32 if all are integers in 0 ... 2^32-1, else f32, rounded to nearest */
    WEFT_READ_WEIGHTS_U32,      /* it is an error if one is no such number */
    WEFT_READ_WEIGHTS_F32,
    WEFT_READ_WEIGHTS_F64
} weft_weight_reading;

typedef struct weft_read_params {
    size_t size;
    const char *format;     /* NULL = by content and extension; else a name from weft_format_at() */
    weft_weights_use weights;
    weft_id_reading ids;
    uint64_t vertices;      /* edge lists: 0 = the ids that occur; N = exactly 0 ... N-1, including isolated ones */
    int verify_checksums;   /* .weft: read and check every byte before returning */
    weft_direction direction; /* these three as in weft_build_params */
    weft_duplicates duplicates;
    weft_loops loops;
    /* Tables (edge lists, csv, JSON lines, Parquet, Arrow): a column by its name, or by its number from 1.
     * NULL = found by the header, or by position. */
    const char *source_col, *target_col, *weight_col;
    weft_header_use header; /* text tables */
    char separator;         /* text tables: between fields; ' ' = any blanks, 0 = detected from the first lines */
    const char *nodes;      /* an additional table of vertices, "FILE" or "FILE:COLUMN"; NULL = none */
    weft_weight_reading weight_type; /* what weights become, if the file has them */
    int verify_files; /* ranks: each reads all of its file first, and all compare every byte instead of a sample */
    int ordered;      /* an order is asked of the graph: that all edges ascend is no reason for a warning */
    char decimal;     /* text tables: the decimal sign of weights, '.' or ','; 0 = the column tells, or it is refused */
    weft_comment_use comments; /* text tables without a header */
} weft_read_params;
#define WEFT_READ_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_read_params, comments), NULL, WEFT_WEIGHTS_AUTO, WEFT_READ_IDS_AUTO, 0, 0, WEFT_AS_FILE, \
      WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP, NULL, NULL, NULL, WEFT_HEADER_AUTO, 0, NULL, WEFT_READ_WEIGHTS_AUTO, 0, 0, 0, WEFT_COMMENTS_AUTO }

/* path "-" is standard input.  .gz and .zst are recognised by content; a byte-order mark is skipped, and UTF-16 (with
 * its mark) is read. A plain .weft (or .sg) file may be mapped, not copied: until the graph is freed nobody may change
 * or truncate it. A missing page raises SIGBUS in the thread that accesses it, and the library handles no signals.
 * Replacing the file by rename, as weft_write does, is safe. */
WEFT_API weft_status weft_read(weft_ctx *ctx, const char *path, const weft_read_params *params, weft_graph **out);

/* The same from memory; `name` stands for the file in messages. */
WEFT_API weft_status weft_read_memory(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                                      const weft_read_params *params, weft_graph **out);

/* The text of a file that is not a graph, such as a list of ids, as weft_read would see it: decompressed, in UTF-8
 * without its mark.  path "-" is standard input.  A NUL follows, which is not counted.  Freed with weft_free. */
WEFT_EXPERIMENTAL weft_status weft_read_text(weft_ctx *ctx, const char *path, char **text, size_t *bytes);

typedef struct weft_write_params {
    size_t size;
    const char *format;    /* NULL = by extension */
    int both_directions;   /* .weft: store the transpose as well */
    int level;             /* compression level for .gz/.zst (0 = the library's default) and .npz (0 = none) */
} weft_write_params;
#define WEFT_WRITE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_write_params, level), NULL, 0, 0 }

/* Written to a temporary file next to `path` and renamed, so that a failure leaves the old file.
 * path "-" is standard output.  A .gz or .zst extension compresses. */
WEFT_API weft_status weft_write(weft_ctx *ctx, const weft_graph *g, const char *path, const weft_write_params *params);

/* Reads every byte.  Checks every section of a .weft file that was opened without verify_checksums.  WEFT_EINPUT names
 * the bad one. */
WEFT_API weft_status weft_graph_verify(weft_ctx *ctx, const weft_graph *g);

typedef struct weft_format_info {
    const char *name;       /* "edgelist": what --format takes */
    const char *title;      /* "edge list (SNAP, KONECT, csv, tsv)" */
    const char *extensions; /* space separated, without dots */
    int can_read, can_write;
    int keeps_weights; /* what is written in it has the graph's weights, or is refused */
} weft_format_info;

WEFT_API size_t weft_format_count(void);
WEFT_API const weft_format_info *weft_format_at(size_t i);

/* -------------------------------------------------------------- generate */

typedef enum weft_param_type {
    WEFT_PARAM_U64,
    WEFT_PARAM_F64,
    WEFT_PARAM_BOOL,   /* int, 0 or 1 */
    WEFT_PARAM_CHOICE, /* int, index into `choices` */
    WEFT_PARAM_TEXT,   /* const char * */
    WEFT_PARAM_VERTEX, /* weft_vid; WEFT_NO_VERTEX = not given.  Programs offer it as a file id */
    WEFT_PARAM_VERTICES, /* const weft_vid *, and right after it the size_t of how many; NULL and 0 = not given.
                            Programs offer it as a file of ids, or random ones */
    WEFT_PARAM_WEIGHTS,  /* const double *, a number of 0 or more for each vertex; NULL = not given.  Programs offer it as
                            a file of lines "id [weight]" */
    WEFT_PARAM_MATRIX  /* const weft_matrix * with a row for each vertex; NULL = not given.  Programs offer it as a .npy file */
} weft_param_type;

typedef enum weft_matrix_type {
    WEFT_MATRIX_F32 = 0,
    WEFT_MATRIX_F16, /* IEEE binary16, as uint16_t */
    WEFT_MATRIX_BF16 /* the upper half of an f32, as uint16_t */
} weft_matrix_type;

/* rows x width numbers, row by row. A plan copies the struct; the numbers belong to the caller, and must live as long
 * as the plan that was given them. */
typedef struct weft_matrix {
    size_t size;
    const void *data; /* float, or uint16_t for two-byte types */
    uint64_t rows, width;
    weft_matrix_type type;
} weft_matrix;
#define WEFT_MATRIX_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_matrix, type), NULL, 0, 0, WEFT_MATRIX_F32 }

/* One field of a parameter struct, so that programs can offer it without knowing it. */
typedef struct weft_param_info {
    const char *name;     /* "damping": the flag is --damping */
    weft_param_type type;
    size_t offset;        /* of the field in the struct */
    const char *standard; /* the default as text; NULL = must be given */
    double min, max;      /* inclusive, for U64 and F64 */
    const char *choices;  /* "redistribute|drop" */
    const char *help;
} weft_param_info;

/* Every generator takes this struct and reads the fields it lists in its weft_generator_info. */
typedef struct weft_generate_params {
    size_t size;
    uint64_t n;       /* vertices */
    uint64_t m;       /* edges */
    uint64_t scale;   /* 2^scale vertices */
    double degree;    /* average */
    double p;         /* probability or density */
    double a, b, c;   /* R-MAT quadrants */
    uint64_t k;       /* neighbours on a ring, edges per new vertex, children per node */
    uint64_t rows, columns, layers;
    int torus;
    uint64_t depth;
    uint64_t max_weight; /* > 0: whole weights 1 ... max_weight, a function of seed and edge */
    int undirected;      /* R-MAT, uniform: symmetrise */
    uint64_t seed;
    int unscrambled;     /* R-MAT: keep vertex ids in the order of the recursion, hubs first */
} weft_generate_params;
/* Everything at the generator's own default, which is 0 for integers and NaN for fractions, and the seed 42. A
 * fractional 0 is 0, and so is a seed of 0. */
#define WEFT_GENERATE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_generate_params, unscrambled), 0, 0, 0, NAN, NAN, NAN, NAN, NAN, 0, 0, 0, 0, 0, 0, 0, 0, 42, 0 }

typedef struct weft_generator_info {
    const char *name; /* "rmat" */
    const char *help;
    size_t param_count;
} weft_generator_info;

WEFT_API size_t weft_generator_count(void);
WEFT_API const weft_generator_info *weft_generator_at(size_t i);
WEFT_API const weft_param_info *weft_generator_param_at(const weft_generator_info *generator, size_t i);
WEFT_API weft_status weft_generate(weft_ctx *ctx, const char *kind, const weft_generate_params *params,
                                   const weft_build_params *build, weft_graph **out);

/* ------------------------------------------------ algorithms and results */

typedef enum weft_type {
    WEFT_U32,
    WEFT_U64,
    WEFT_I64,
    WEFT_F32,
    WEFT_F64,
    WEFT_VERTEX, /* weft_vid, shown to people as the file's id; WEFT_NO_VERTEX = none */
    WEFT_F16,    /* uint16_t: weft_f16_value */
    WEFT_BF16    /* uint16_t: weft_bf16_value */
} weft_type;

/* Bytes of a value; 0 for an unknown type. */
WEFT_API size_t weft_type_size(weft_type type);

/* In a column of levels: the vertex was not reached.  (Distances: infinity.) */
#define WEFT_UNREACHED ((uint32_t)0xffffffffu)

typedef enum weft_shape {
    WEFT_SHAPE_SCALAR = 0, /* one value */
    WEFT_SHAPE_VERTICES,   /* a value, or a row of values, for each vertex */
    WEFT_SHAPE_TABLE       /* a column with its own length */
} weft_shape;

typedef struct weft_result weft_result;

typedef struct weft_column {
    size_t size;
    const char *name;
    weft_type type;
    weft_shape shape;  /* WEFT_SHAPE_VERTICES or WEFT_SHAPE_TABLE */
    size_t length;     /* WEFT_SHAPE_VERTICES: vertices of the graph */
    const void *data;
    size_t width;      /* 0: one value per row; else a matrix with so many values per row, row by row in data */
} weft_column;
#define WEFT_COLUMN_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_column, width), NULL, WEFT_U32, WEFT_SHAPE_TABLE, 0, NULL, 0 }

typedef struct weft_scalar {
    size_t size;
    const char *name;
    weft_type type; /* WEFT_U64, WEFT_I64 or WEFT_F64 */
    union { uint64_t u64; int64_t i64; double f64; } value;
} weft_scalar;
#define WEFT_NO_VALUE UINT64_MAX /* the value of a WEFT_U64 that has none; that of a WEFT_F64 is NaN */
#define WEFT_SCALAR_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_scalar, value), NULL, WEFT_U64, { 0 } }

WEFT_API void weft_result_free(weft_result *r);
WEFT_API size_t weft_result_column_count(const weft_result *r);
WEFT_API const weft_column *weft_result_column_at(const weft_result *r, size_t i);
WEFT_API const weft_column *weft_result_column(const weft_result *r, const char *name);
WEFT_API size_t weft_result_scalar_count(const weft_result *r);
WEFT_API const weft_scalar *weft_result_scalar_at(const weft_result *r, size_t i);
WEFT_API const weft_scalar *weft_result_scalar(const weft_result *r, const char *name);
/* Typed access; NULL if there is no such column or it has another type.  Vertices are u32, f16 and bf16 are u16. */
WEFT_API const uint16_t *weft_result_u16(const weft_result *r, const char *column);
WEFT_API const uint32_t *weft_result_u32(const weft_result *r, const char *column);
WEFT_API const uint64_t *weft_result_u64(const weft_result *r, const char *column);
WEFT_API const int64_t *weft_result_i64(const weft_result *r, const char *column);
WEFT_API const float *weft_result_f32(const weft_result *r, const char *column);
WEFT_API const double *weft_result_f64(const weft_result *r, const char *column);

/* Two-byte numbers, computed with integers and so the same everywhere. Round to nearest, ties to even; what is too
 * large becomes infinity, and every NaN 0x7e00 (f16) or 0x7fc0 (bf16). */
WEFT_API float weft_f16_value(uint16_t bits);
WEFT_API float weft_bf16_value(uint16_t bits);
WEFT_API uint16_t weft_f16_of(float x);
WEFT_API uint16_t weft_bf16_of(float x);
/* A result of your own, such as another program's answer that is to be checked or shown like one of this library's:
 * created empty, then filled.  Values are copied; names must live as long as the result.  data may not be NULL unless
 * length is 0. */
WEFT_API weft_status weft_result_new(weft_ctx *ctx, weft_result **out);
WEFT_API weft_status weft_result_add_column(weft_ctx *ctx, weft_result *r, const weft_column *column);
WEFT_API weft_status weft_result_add_scalar(weft_ctx *ctx, weft_result *r, const weft_scalar *scalar);

/* The column in the memory of the context's GPU (written when this returns), NULL if it is not there: no such column,
 * a run on the CPU, or weft_ctx_set_results_on_device was not called. Read-only; freed with the result, which
 * then waits for all work on that GPU, since any stream may still read it. The functions above copy a column to the
 * host if necessary; if the GPU fails to, they return NULL. */
WEFT_EXPERIMENTAL const void *weft_result_device_column(const weft_result *r, const char *column);

/* Column i as it is: data is NULL while the values are only on the GPU.  WEFT_ENOTFOUND: there are not so many columns. */
WEFT_EXPERIMENTAL weft_status weft_result_look_at(const weft_result *r, size_t i, weft_column *out);

typedef enum weft_order { WEFT_LARGEST_FIRST = 0, WEFT_SMALLEST_FIRST } weft_order;

/* The first k rows by a column, ties by row; for a matrix by value number `at` of each row (else 0).  Rows without a
 * value come last either way: NaN, infinity, WEFT_UNREACHED, WEFT_NO_VERTEX.  `out` has room for k; *count is k, or the
 * column's length if that is less.  O(n log k). */
WEFT_API weft_status weft_top_k(weft_ctx *ctx, const weft_column *column, size_t at, weft_order order, size_t k,
                                weft_vid *out, size_t *count);

/* How many rows have each vertex of a column of vertices, such as `component`: largest groups first, of equal ones that of the smaller vertex.
 * Rows without a vertex (WEFT_NO_VERTEX) count for none.  The two arrays are freed with weft_free(ctx, ...).  O(n). */
WEFT_EXPERIMENTAL weft_status weft_group_sizes(weft_ctx *ctx, const weft_column *column, weft_vid **group, uint64_t **size,
                                               size_t *count);

/* A hash of all columns and scalars: equal results have equal digests, on every machine and device.  O(bytes). */
WEFT_API weft_status weft_result_digest(weft_ctx *ctx, const weft_result *r, uint64_t *digest);

/* Where the time of a run went, in the order of first appearance: on the GPU context, upload, relabel, iterations,
 * download and so on, and the rest as other; on the CPU transpose and run. The first result of a plan includes the
 * time that planning took to create the GPU's context. */
typedef struct weft_stage {
    const char *name;
    double ms;        /* wall-clock time; stages do not overlap, and add up to the run */
    double kernel_ms; /* the GPU's part of it, by its events; 0 = none */
    uint64_t bytes;   /* moved between host and GPU */
} weft_stage;
WEFT_API size_t weft_result_stage_count(const weft_result *r);
WEFT_API const weft_stage *weft_result_stage_at(const weft_result *r, size_t i);

typedef struct weft_result_info {
    const char *name;
    weft_type type;
    weft_shape shape;
    const char *help;
} weft_result_info;

typedef struct weft_algorithm_info {
    const char *name;
    const char *help;
    size_t param_count;
    size_t params_size;
    const void *params_standard; /* a struct filled with the defaults, to copy and change */
    size_t result_count;
    const char *top_by;          /* the column that a list of the top vertices is sorted by */
    const char *verdict;         /* a scalar that is 0 if the answer is "no" (cycle: acyclic); NULL = no such answer */
    int on_cpu, on_cuda;         /* backends that exist in this build */
    const char *witness;         /* the table column that shows why the answer is "no": vertices of a closed walk; NULL = none */
    const char *ordinal;         /* a column that is a position in an order: lists sorted by it begin with the smallest; NULL = none */
    const char *model;           /* what weft_plan_model_bytes counts, in words; or "none: " and the reason */
    const char *const *methods;  /* that a plan may choose; later versions only add to the end */
    size_t method_count;
    int on_ranks;                /* several ranks can share a run (weft_ctx_set_comm) */
    const char *groups;          /* a column of vertices that names the group of each vertex (components: component); NULL = none */
    int checkpoints;             /* a run can be saved and gone on with (weft_ctx_set_checkpoint) */
    int on_grid;                 /* ranks can share a run in 2-D (weft_ctx_set_grid) */
} weft_algorithm_info;

WEFT_API size_t weft_algorithm_count(void);
WEFT_API const weft_algorithm_info *weft_algorithm_at(size_t i);
WEFT_API const weft_algorithm_info *weft_algorithm_find(const char *name);
WEFT_API const weft_param_info *weft_algorithm_param_at(const weft_algorithm_info *algorithm, size_t i);
WEFT_API const weft_result_info *weft_algorithm_result_at(const weft_algorithm_info *algorithm, size_t i);

typedef enum weft_device { WEFT_DEVICE_AUTO = 0, WEFT_DEVICE_CPU, WEFT_DEVICE_CUDA } weft_device;
WEFT_API weft_status weft_ctx_set_device(weft_ctx *ctx, weft_device device);

/* The GPU that WEFT_DEVICE_CUDA and WEFT_DEVICE_AUTO mean, counted from 0 as CUDA does; 0 in a new context.  Whether
 * it exists is checked on first use. What the context keeps on another one is released, and the stream is its own
 * again.  A graph is kept on the GPU that it was first used on; on another one it is refused (WEFT_EDEVICE;
 * WEFT_DEVICE_AUTO uses the CPU).
 * This function and the next two must not be called while another call uses the context. */
WEFT_API weft_status weft_ctx_set_gpu(weft_ctx *ctx, int index);

/* A cudaStream_t of yours on that GPU: runs wait for the work on it, and launch their kernels on it.  Calls still
 * return when the work is done.  NULL (as in a new context): a stream of the context's own, which waits for no other,
 * not even the default stream; that one is (void *)1, cudaStreamLegacy.  The stream must live until it is replaced, or
 * the context is freed. */
WEFT_API weft_status weft_ctx_set_stream(weft_ctx *ctx, void *cuda_stream);

/* Memory on the GPU comes from a pool of the context's own, which keeps what is freed for the next run.  This returns
 * what is not in use to the system, and pinned memory for transfers with it.  Graphs and columns on the GPU stay.  When
 * the context is freed so is the pool, except for what graphs and results still hold. */
WEFT_API weft_status weft_ctx_trim_device(weft_ctx *ctx);

/* Creates the first GPU's context, which takes some hundred milliseconds, on a separate thread: call it before reading
 * a graph that will be used there. Calls that need the context wait for it.  weft_device_settle waits until that thread
 * has ended, and must be called before the program ends. */
WEFT_EXPERIMENTAL void weft_device_begin(void);
WEFT_EXPERIMENTAL void weft_device_settle(void);

/* Columns of runs on the GPU stay there for callers that continue there; they are copied to the host when they are
 * asked for. Off in a new context. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_results_on_device(weft_ctx *ctx, int stay);

/* A plan describes a run before it starts; it can be run many times.  It keeps its graph and its context alive, and
 * belongs to the same thread as the context.  params are copied; what they point to is not.  Creating one takes O(n) at
 * most; with WEFT_DEVICE_AUTO it looks for a GPU, and reads the file that weft_calibrate left, once in a process. */
typedef struct weft_plan weft_plan;
WEFT_API weft_status weft_plan_new(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                                   weft_plan **out);
WEFT_API void weft_plan_free(weft_plan *plan);
WEFT_API weft_device weft_plan_device(const weft_plan *plan);
typedef enum weft_device_cause {
    WEFT_CAUSE_ASKED = 0, /* the device was asked for */
    WEFT_CAUSE_ESTIMATE,  /* WEFT_DEVICE_AUTO: the faster one, by estimated times */
    WEFT_CAUSE_SMALL,     /* done before a GPU could start */
    WEFT_CAUSE_NO_GPU,    /* none is seen */
    WEFT_CAUSE_UNSERVED,  /* the GPU does not support the algorithm, these parameters or this graph */
    WEFT_CAUSE_MEMORY,    /* a memory limit, or what the GPU has */
    WEFT_CAUSE_FAILED     /* the driver or the GPU failed, while planning or in a run */
} weft_device_cause;
WEFT_API weft_device_cause weft_plan_device_cause(const weft_plan *plan);
/* 1: the graph is larger than the GPU's memory, and its arcs are sent there in each pass. */
WEFT_API int weft_plan_streamed(const weft_plan *plan);
/* Why it runs there: with WEFT_DEVICE_AUTO what decided, or how the GPU failed (after a run). */
WEFT_API const char *weft_plan_device_reason(const weft_plan *plan);
/* The parameters that it runs with, complete: a search's source is the one that was chosen, where none was given.  Valid as long as the plan. */
WEFT_API const void *weft_plan_params(const weft_plan *plan);
WEFT_API const char *weft_plan_method(const weft_plan *plan);
/* Its number in the methods of weft_algorithm_info, which stays the same from version to version; -1 = no plan. */
WEFT_API int weft_plan_method_id(const weft_plan *plan);
WEFT_API const char *weft_plan_reason(const weft_plan *plan);
WEFT_API uint64_t weft_plan_host_bytes(const weft_plan *plan);
WEFT_API uint64_t weft_plan_device_bytes(const weft_plan *plan);
WEFT_API weft_status weft_plan_run(weft_plan *plan, weft_result **out);
/* The bytes that every method of the algorithm has to move for a result of this plan, by weft_algorithm_info.model; 0 =
 * there is no model, or none for these parameters. */
WEFT_EXPERIMENTAL double weft_plan_model_bytes(const weft_plan *plan, const weft_result *r);

/* ----------------------------------------------------------------- ranks */

/* Several processes ("ranks") that share a run: each reads its part of the graph, and all get the bytes of one machine (docs/cluster.md).
 * They talk over MPI, by a plug-in that is opened at run time: libweft_mpi_openmpi.so or libweft_mpi_mpich.so.
 * With a context that has its place among ranks, weft_read, weft_generate, weft_plan_new, weft_plan_run, the functions of algorithms and those marked
 * "together" are called by all ranks, in the same order.  Of a text file or a generator each rank then has some rows of the graph: weft_graph_describe,
 * weft_graph_fingerprint and weft_write (.weft) of it are called together, and functions that want all rows say WEFT_EUNSUPPORTED.  If one rank fails all do, and the message names it.  Columns for vertices have
 * the values of this rank's vertices; scalars and tables are the same on all ranks. */

/* How many ranks a launcher (mpirun, srun, mpiexec) started this process as one of, by the environment; 1 = it is alone.  *rank may be NULL.
 * MPI is not touched. */
WEFT_EXPERIMENTAL int weft_launched_ranks(int *rank);

/* The context's place among ranks; together.  mpi_comm points to your MPI_Comm, of an MPI that you have initialised, at whatever thread
 * level: only the calling thread calls MPI, with a communicator duplicated from yours.  NULL: all ranks that the launcher started, and MPI is initialised now and
 * finalised with the context.  Only before the context is used; it stays.  WEFT_EUNSUPPORTED: there is no plug-in that fits. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_comm(weft_ctx *ctx, const void *mpi_comm);
/* Virtual ranks, for tests and experiments: contexts[r] becomes rank r of `ranks` in this process.  Each then belongs to a thread of its own, since
 * ranks wait for each other.  A message takes `delay` seconds, and its bytes over `bandwidth` (bytes a second), as on a cluster; 0 and 0: as fast as memory. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_virtual(weft_ctx *const *contexts, int ranks, double delay, double bandwidth);
/* How ranks stand in plans made from now on: in `rows` * `columns` = weft_ctx_ranks, rank r in row r / columns.  A rank has the arcs from the vertices of its column's ranks to those
 * of its row's: in one column those into its own vertices (1-D).  0 and 0, as in a new context: the plan chooses by what it takes the run to cost.  The same on all ranks.  Several columns are for algorithms
 * with weft_algorithm_info.on_grid, on CPUs. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_grid(weft_ctx *ctx, int rows, int columns);
WEFT_EXPERIMENTAL int weft_ctx_rank(const weft_ctx *ctx);  /* 0, 1, ... */
WEFT_EXPERIMENTAL int weft_ctx_ranks(const weft_ctx *ctx); /* 1 without weft_ctx_set_comm */
WEFT_EXPERIMENTAL const char *weft_ctx_transport(const weft_ctx *ctx); /* "Open MPI 4.1.4"; "" */
/* Between their GPUs: "NCCL 2.28.3", or "staged" through host memory and over the transport above; "": no run was planned on them. */
WEFT_EXPERIMENTAL const char *weft_ctx_device_transport(const weft_ctx *ctx);
/* NCCL's version, "2.28.3", in `text`; else WEFT_ENOTFOUND, and text says why. */
WEFT_EXPERIMENTAL weft_status weft_nccl_describe(char *text, size_t room);

/* Of a step that each rank did for itself; together.  0 if `code` (0 ... 255) is 0 on all ranks; else that of the first rank where it is not,
 * and weft_ctx_message is that rank's `message`, after "rank 2: " on the others. */
WEFT_EXPERIMENTAL int weft_ctx_agree(weft_ctx *ctx, int code, const char *message);
/* Each of `count` values becomes its sum over all ranks; together. */
WEFT_EXPERIMENTAL weft_status weft_ctx_sum_ranks(weft_ctx *ctx, uint64_t *values, size_t count);
/* A rank of this machine is gone (hangs = 0), or one has waited too long (1): the message names it; NULL where another rank of the machine was given it.  Called by
 * a thread of the context's, once; the job should end. */
typedef void (*weft_rank_lost_fn)(void *user, int hangs, const char *message);
/* From now on a thread looks after the ranks until the context is freed; together.  seconds: that a rank may wait for the others in a call, 0 = as long as it
 * takes.  Does nothing if there is one rank, or it is done already. */
WEFT_EXPERIMENTAL weft_status weft_ctx_watch_ranks(weft_ctx *ctx, double seconds, weft_rank_lost_fn lost, void *user);
/* Ends all ranks at once with this exit code, for failures that the others do not know of.  Does not return if there are any. */
WEFT_EXPERIMENTAL void weft_ctx_abort_ranks(weft_ctx *ctx, int code);

/* Why ranks cannot share a run of the algorithm with these parameters (NULL: the defaults), in words; NULL = they can. */
WEFT_EXPERIMENTAL const char *weft_ranks_refuse(const char *algorithm, const void *params);

/* The same for runs on their GPUs, of parameters that ranks can share. */
WEFT_EXPERIMENTAL const char *weft_ranks_refuse_gpu(const char *algorithm, const void *params);

/* The whole result on rank 0, NULL on the others; together. */
WEFT_EXPERIMENTAL weft_status weft_plan_gather(weft_plan *plan, const weft_result *r, weft_result **whole);

/* The same of vertices first ... end-1 alone, in columns of that length, without tables and scalars: for results that rank 0 has no room for; together. */
WEFT_EXPERIMENTAL weft_status weft_plan_gather_range(weft_plan *plan, const weft_result *r, weft_vid first,
                                                     weft_vid end, weft_result **part);

/* The rows of some vertices.  Each rank names `count` of its own, by their places in its columns, ascending; rank 0 gets those of all ranks in the order of
 * vertices, with tables and scalars, and in *vertices which they are (weft_free); together. */
WEFT_EXPERIMENTAL weft_status weft_plan_gather_rows(weft_plan *plan, const weft_result *r, const weft_vid *places, size_t count,
                                                    weft_vid **vertices, weft_result **rows);

/* weft_group_sizes of a column of which each rank has its part: the first `most` groups on rank 0, none on the others; *total of them on each; together.
 * A rank holds 4 bytes for each of its vertices meanwhile. */
WEFT_EXPERIMENTAL weft_status weft_plan_group_sizes(weft_plan *plan, const weft_column *column, size_t most, weft_vid **group,
                                                    uint64_t **size, size_t *count, uint64_t *total);

/* The vertices whose values this rank's columns have, in their order: as many as WEFT_RANK_VERTICES says. */
WEFT_EXPERIMENTAL weft_status weft_plan_vertices(weft_plan *plan, weft_vid *vertices);

typedef enum weft_rank_figure {
    WEFT_RANK_VERTICES, /* that the rank has */
    WEFT_RANK_ARCS,     /* outgoing ones of these */
    WEFT_RANK_BYTES,    /* of its rows, and of what the plan holds, incoming rows that have to be made included */
    WEFT_RANK_SENT,     /* bytes to other ranks in the last run: of vertices and arcs, not of the numbers that all ranks agree on */
    WEFT_RANK_SENDS     /* the same by the plan: at most before the run, and where only changes travel; UINT64_MAX = it cannot say */
} weft_rank_figure;
/* A figure of every rank; together.  values has room for weft_ctx_ranks numbers. */
WEFT_EXPERIMENTAL weft_status weft_plan_ranks(weft_plan *plan, weft_rank_figure figure, uint64_t *values);

/* Columns of the grid that the plan's ranks stand in; 1 also if there is one rank. */
WEFT_EXPERIMENTAL int weft_plan_grid_columns(const weft_plan *plan);

/* The MPI of a plug-in ("openmpi", "mpich") in a few words, in `text`; else WEFT_ENOTFOUND, and text says why. */
WEFT_EXPERIMENTAL weft_status weft_plugin_describe(const char *plugin, char *text, size_t room);

/* ----------------------------------------------------------- checkpoints */

/* From now on plans of this context save the state of a run in `folder`, in a file NAME.checkpoint for the algorithm of that name: after a whole iteration, once
 * `seconds` have passed since the last time (0: after each).  The folder is made if only its last part is not there, and all ranks must see it.  A run begins
 * with the state that it finds there, if that is of the same graph and parameters, on whatever number of ranks it was saved: the result has the bytes of a run that was never
 * stopped.  A state of another run, or a damaged one, is refused (WEFT_EINPUT).  The file stays when the run is done: see weft_plan_forget_checkpoint.
 * stop (or NULL) is asked after each iteration: if it is not 0, on any rank, the state is saved and the run ends with WEFT_ECANCELLED.
 * Of algorithms with weft_algorithm_info.checkpoints, on the CPU; others are refused by weft_plan_new (WEFT_EUNSUPPORTED).  One run at a time may use a folder.
 * folder NULL: no checkpoints, as in a new context. */
WEFT_EXPERIMENTAL weft_status weft_ctx_set_checkpoint(weft_ctx *ctx, const char *folder, double seconds, weft_cancel_fn stop,
                                                      void *user);

/* Of the plan's last run.  Set .size before the call. */
typedef struct weft_checkpoint_info {
    size_t size;
    uint64_t resumed_from; /* the iteration whose state it began with; 0 = it began anew */
    uint64_t written;      /* how often the state was saved ... */
    uint64_t iteration;    /* ... and after which iteration the last time; 0 = never */
    int stopped;           /* it was asked to stop, and did after that iteration */
} weft_checkpoint_info;
/* All 0 if the context had no folder when the plan was made. */
WEFT_EXPERIMENTAL weft_status weft_plan_checkpoint(weft_plan *plan, weft_checkpoint_info *info);
/* Removes the file, once its result is where it should be; none is no failure.  Of several ranks the first does it. */
WEFT_EXPERIMENTAL weft_status weft_plan_forget_checkpoint(weft_plan *plan);

/* degree: columns in, out, total (u64, per vertex), or with `mode` one of the first two alone; with `strength` also in_strength, out_strength,
 * strength (f64: sums of weights, added in the order of the row; without weights an arc counts 1), or the one of `mode`; table columns
 * degree, count (distribution of total, or of the one column); scalar max_degree.  Of an undirected graph in, out and total are the same. */
typedef enum weft_degree_mode {
    WEFT_DEGREE_ALL = 0,
    WEFT_DEGREE_IN,
    WEFT_DEGREE_OUT
} weft_degree_mode;
typedef struct weft_degree_params {
    size_t size;
    weft_degree_mode mode;
    int strength;
} weft_degree_params;
#define WEFT_DEGREE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_degree_params, strength), WEFT_DEGREE_ALL, 0 }
WEFT_API weft_status weft_degree(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *params,
                                 weft_result **out);

/* sssp: shortest paths from one vertex, or from the nearest of several.  Weights must not be negative; without weights every arc counts 1.
 * Columns distance (f64, infinity = not reached) and parent (vertex; the source is its own); scalars reached (u64),
 * max_distance (f64).  docs/algo/sssp.md says which parent it is if several are possible.  With no_parents there is no
 * column parent. */
typedef struct weft_sssp_params {
    size_t size;
    weft_vid source; /* WEFT_NO_VERTEX = the vertex with the most out-arcs; the first of several */
    double delta;    /* width of a bucket of distances; 0 = chosen from the weights.  Never changes the answer */
    int no_parents;  /* they are not looked for, and the column is left out */
    const weft_vid *sources; /* instead of source: each is at distance 0 and its own parent; NULL = none */
    size_t source_count;
    const weft_vid *targets; /* go no further than the farthest of them; if one has no path, as if there were none; NULL = none */
    size_t target_count;
    int weights; /* fail if the graph has none; 0: then every arc counts 1 */
} weft_sssp_params;
#define WEFT_SSSP_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_sssp_params, weights), WEFT_NO_VERTEX, 0, 0, NULL, 0, NULL, 0, 0 }
WEFT_API weft_status weft_sssp(weft_ctx *ctx, const weft_graph *g, const weft_sssp_params *params, weft_result **out);

/* labelprop: communities by synchronous label propagation (LDBC's CDLP): ties go to the smallest label, both directions
 * of a directed graph count.  Column label (vertex); scalars communities, iterations (u64). */
typedef struct weft_labelprop_params {
    size_t size;
    uint64_t max_iterations; /* the labels are those after so many steps */
} weft_labelprop_params;
#define WEFT_LABELPROP_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_labelprop_params, max_iterations), 10 }
WEFT_API weft_status weft_labelprop(weft_ctx *ctx, const weft_graph *g, const weft_labelprop_params *params,
                                    weft_result **out);

/* triangles: column triangles (u64, per vertex: those it is part of); scalar triangles (u64, of the graph).
 * Directions, loops and parallel edges do not count. */
typedef struct weft_triangles_params {
    size_t size;
} weft_triangles_params;
#define WEFT_TRIANGLES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_triangles_params, size) }
WEFT_API weft_status weft_triangles(weft_ctx *ctx, const weft_graph *g, const weft_triangles_params *params,
                                    weft_result **out);

/* clustering: column coefficient (f64, per vertex: the share of pairs of neighbours that are joined, 0 with fewer than
 * two); scalars average (f64, over all vertices) and transitivity (f64, 3 triangles / wedges of the undirected view).
 * */
typedef enum weft_directed_mode {
    WEFT_DIRECTED_LDBC = 0, /* arcs among the neighbours / d(d-1), d = neighbours by arcs in or out */
    WEFT_DIRECTED_FAGIOLO   /* directed triangles / those possible with the vertex's arcs, as in NetworkX */
} weft_directed_mode;
typedef struct weft_clustering_params {
    size_t size;
    weft_directed_mode directed_mode; /* an undirected graph has only one coefficient */
} weft_clustering_params;
#define WEFT_CLUSTERING_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_clustering_params, directed_mode), WEFT_DIRECTED_LDBC }
WEFT_API weft_status weft_clustering(weft_ctx *ctx, const weft_graph *g, const weft_clustering_params *params,
                                     weft_result **out);

/* pagerank: column rank (f32 or f64, per vertex); scalars iterations, residual (L1 of the last change), sum. rank = (1
 * - damping) restart + damping (sum over arcs u -> v of rank[u] / out-degree[u] + dangling restart), where dangling is
 * the rank of the vertices without outgoing arcs; solved to a tolerance, or iterated from 1/n so many times. */
typedef enum weft_dangling {
    WEFT_DANGLING_REDISTRIBUTE = 0, /* it restarts: ranks sum to 1 */
    WEFT_DANGLING_DROP              /* it is lost */
} weft_dangling;

typedef enum weft_precision {
    WEFT_PRECISION_F32 = 0,
    WEFT_PRECISION_F64,
    WEFT_PRECISION_F16 /* refused: half precision does not converge on some graphs */
} weft_precision;

typedef struct weft_pagerank_params {
    size_t size;
    double damping;           /* 0 ... 1 */
    double tolerance;         /* stop when the L1 norm of the change is at most this */
    uint64_t max_iterations;  /* stop at the latest after so many */
    uint64_t iterations;      /* > 0: exactly so many, whatever the tolerance */
    const double *restart;    /* n weights: where restarts go, in proportion; NULL = uniformly everywhere.  Read when the
                                 plan is run: it must live as long as the plan */
    int weights;              /* rank leaves along arcs in proportion to their weights */
    weft_dangling dangling;
    weft_precision precision; /* of ranks and of contributions; sums are in fixed point */
    const double *nstart;     /* n weights: the ranks to begin with, in proportion; NULL = those of a uniform start */
    const double *dangling_to; /* n weights: where the rank of vertices without outgoing arcs goes, in proportion; NULL = where
                                  restarts go.  Not with WEFT_DANGLING_DROP.  Both are read when the plan is run */
} weft_pagerank_params;
#define WEFT_PAGERANK_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_pagerank_params, dangling_to), 0.85, 1e-6, 100, 0, NULL, 0, WEFT_DANGLING_REDISTRIBUTE, \
      WEFT_PRECISION_F32, NULL, NULL }
WEFT_API weft_status weft_pagerank(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                   weft_result **out);

/* hits: hubs and authorities (Kleinberg): columns hub and authority (f64, per vertex); scalars iterations, residual (L1 of the
 * last change, of hubs or of authorities).  authority = sum of hub over incoming arcs, hub = sum of authority over outgoing
 * ones, each scaled to sum to 1; iterated from 1/n to a tolerance, or so many times.  In the limit they are the singular vectors
 * of the adjacency matrix for its largest singular value; where several are largest, the part of 1/n that lies in their space.
 * All are 0 when no arc counts. */
typedef struct weft_hits_params {
    size_t size;
    double tolerance;        /* stop when neither changes by more than it (L1 norm) */
    uint64_t max_iterations; /* but not later than this */
    uint64_t iterations;     /* > 0: exactly so many, whatever the tolerance */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
} weft_hits_params;
#define WEFT_HITS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_hits_params, weights), 1e-8, 100, 0, 0 }
WEFT_API weft_status weft_hits(weft_ctx *ctx, const weft_graph *g, const weft_hits_params *params, weft_result **out);

/* bfs: columns level (u32, WEFT_UNREACHED = not reached) and parent (vertex: the smallest one level closer with an arc
 * to this one; the source is its own); scalars reached, depth.  With sources they are those of the last one, and the
 * table has a row for each: source (vertex), source_reached, source_depth, source_distances (u64: vertices reached, the
 * largest level, the sum of the levels); otherwise it is empty.  With no_parents there is no column parent. */
typedef struct weft_bfs_params {
    size_t size;
    weft_vid source;     /* WEFT_NO_VERTEX: the vertex with the most out-arcs; the smallest of several */
    const weft_vid *sources; /* instead of source; NULL = none. Must live as long as the plan */
    size_t source_count;
    uint64_t max_depth; /* largest level; 0 = no limit */
    int no_parents;     /* the column is left out: from the GPU, half as much comes back */
    const weft_vid *targets; /* go no further than the level at which the last of them is reached; NULL = none */
    size_t target_count;
    int together; /* one search from all sources at once: levels count from the nearest, and the table is empty */
} weft_bfs_params;
#define WEFT_BFS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bfs_params, together), WEFT_NO_VERTEX, NULL, 0, 0, 0, NULL, 0, 0 }
WEFT_API weft_status weft_bfs(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_result **out);

/* components: column component (vertex: the smallest of the component); scalars count, largest (its vertices).
 * Weak components ignore direction; strong ones are joined by paths in both directions (undirected: the same).
 * Table column order (with `order`, else empty): the smallest vertices of all components, by descending length of the longest way of
 * components that leads there, then by vertex.  So strong ones are in a reverse topological order: arcs between them lead to earlier ones. */
typedef struct weft_components_params {
    size_t size;
    int strong;
    int order;
} weft_components_params;
#define WEFT_COMPONENTS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_components_params, order), 0, 0 }
WEFT_API weft_status weft_components(weft_ctx *ctx, const weft_graph *g, const weft_components_params *params,
                                     weft_result **out);

/* toposort, of a directed graph: columns level (u32: longest path from a source) and position (u32: place in the order
 * by level, then vertex), WEFT_UNREACHED on or after a cycle; table column cycle (vertices of one cycle in order, empty
 * if there is none); scalars acyclic (0 or 1), levels.  Neither flag, or both: both columns. */
typedef struct weft_toposort_params {
    size_t size;
    int levels; /* alone: no column position */
    int order;  /* alone: no column level */
} weft_toposort_params;
#define WEFT_TOPOSORT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_toposort_params, order), 0, 0 }
WEFT_API weft_status weft_toposort(weft_ctx *ctx, const weft_graph *g, const weft_toposort_params *params,
                                   weft_result **out);

/* cycle, of a directed graph: table column cycle (vertices of the shortest cycle found, in order, the smallest first;
 * a loop is a cycle of one), empty if there is none; scalars acyclic (0 or 1), length. */
typedef struct weft_cycle_params {
    size_t size;
    int general; /* no shortcut by a loop or by the order of the ids; the answer is the same */
} weft_cycle_params;
#define WEFT_CYCLE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_cycle_params, general), 0 }
WEFT_API weft_status weft_cycle(weft_ctx *ctx, const weft_graph *g, const weft_cycle_params *params,
                                weft_result **out);

/* kcore, loops and parallel edges ignored: column core (u32: the largest k for which the vertex is in the k-core, the
 * largest set in which each vertex has k neighbours, or arcs, as `mode` says); table column members (vertices of the k-core
 * asked for, in ascending order; empty if k is 0); scalar degeneracy (the largest core number). */
typedef enum weft_core_mode {
    WEFT_CORE_NEIGHBOURS = 0, /* vertices with an arc to or from it, each once */
    WEFT_CORE_IN,             /* arcs to it */
    WEFT_CORE_OUT,            /* arcs from it */
    WEFT_CORE_ALL             /* the sum of both, as NetworkX's core_number of a directed graph */
} weft_core_mode;
typedef struct weft_kcore_params {
    size_t size;
    uint64_t k;          /* 0 = none */
    weft_core_mode mode; /* of directed graphs: what counts within the core */
} weft_kcore_params;
#define WEFT_KCORE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_kcore_params, mode), 0, WEFT_CORE_NEIGHBOURS }
WEFT_API weft_status weft_kcore(weft_ctx *ctx, const weft_graph *g, const weft_kcore_params *params,
                                weft_result **out);

/* distances, by hops, of the largest weak component (the one with the smallest vertex, of equals): columns eccentricity (the largest
 * distance to a vertex that is reached) and at_most (u32; WEFT_UNREACHED outside of the component), which are equal where the eccentricity is
 * known, and else bound it; table columns distance (u32) and pairs (u64: pairs of vertices so far apart, each once; where direction counts,
 * ordered pairs); scalars diameter, diameter_at_most, radius and radius_at_least (over the vertices that reach all others; WEFT_NO_VALUE if
 * none does), open (vertices whose eccentricity is not known exactly), vertices (of the component), searches, unreachable_pairs (ordered
 * pairs without a path; WEFT_NO_VALUE if not counted), effective_diameter (f64: nine in ten pairs with a path are this near or nearer, on
 * a line between whole distances), mean_distance (f64, of pairs with a path).
 * Beyond all_pairs vertices the table is empty and the last two are NaN; diameter and radius are exact unless searches runs out. */
typedef enum weft_distances_direction {
    WEFT_DISTANCES_AUTO = 0, /* along the arcs of a directed graph */
    WEFT_DISTANCES_OUT,      /* along the arcs: an eccentricity is the largest distance from the vertex */
    WEFT_DISTANCES_IN,       /* against them: the largest distance to it */
    WEFT_DISTANCES_BOTH      /* regardless of direction */
} weft_distances_direction;
typedef struct weft_distances_params {
    size_t size;
    uint64_t all_pairs; /* components of up to so many vertices are searched from every one */
    uint64_t searches;  /* in larger ones: give up after so many, and tell the bounds */
    weft_distances_direction direction;
} weft_distances_params;
#define WEFT_DISTANCES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_distances_params, direction), 50000, 1000, WEFT_DISTANCES_AUTO }
WEFT_API weft_status weft_distances(weft_ctx *ctx, const weft_graph *g, const weft_distances_params *params,
                                    weft_result **out);

/* layout: places in the plane for a drawing, neighbours near each other: columns x and y (f32; x to the right, y upwards); scalar components
 * (u64).  Weak components are laid out apart, neighbours about 1 from each other, and stand side by side, the largest around 0, 0; vertices without
 * neighbours are a block below.  Directions, loops, parallel arcs and weights do not count. */
typedef struct weft_layout_params {
    size_t size;
    uint64_t steps; /* how often the vertices of each level are moved */
    uint64_t seed;
} weft_layout_params;
#define WEFT_LAYOUT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_layout_params, seed), 75, 1 }
WEFT_API weft_status weft_layout(weft_ctx *ctx, const weft_graph *g, const weft_layout_params *params, weft_result **out);

/* aggregate: for each vertex the mean, sum or maximum of the feature vectors of its in-neighbours (the neighbours, if
 * undirected); each arc counts once and weights are ignored: the sparse part of a layer of a graph neural network.
 * Row v of the features belongs to vertex v.  No neighbours give zeros; a NaN among the values gives NaN.
 * backward: the features are the gradient with respect to a result, and the answer is the gradient with respect to
 * its input: backwards along each arc, times the arc's factor; for a maximum, to the first neighbour that has it.
 * Column f (per vertex, a matrix as wide as the features and of their type); scalars rows, width. */
typedef enum weft_aggregate_op { WEFT_AGGREGATE_SUM = 0, WEFT_AGGREGATE_MEAN, WEFT_AGGREGATE_MAX } weft_aggregate_op;
typedef enum weft_normalize {
    WEFT_NORMALIZE_NONE = 0,
    WEFT_NORMALIZE_GCN /* instead of the mean, the sum of x[u] / sqrt(d[u] d[v]), d = in-neighbours (Kipf, Welling) */
} weft_normalize;
typedef struct weft_aggregate_params {
    size_t size;
    weft_aggregate_op op;
    weft_normalize normalize;    /* not for the maximum */
    int self_loop;               /* a vertex without a loop counts among its own neighbours, once */
    const weft_matrix *features; /* required: as many rows as the graph has vertices, one column or more */
    const weft_matrix *forward;  /* backward through a maximum: the features that it was taken of, of the same shape */
    int backward;
    int features_on_device; /* features (and forward) are in the memory of the context's GPU, written before the call, or by what
                               is on the stream of weft_ctx_set_stream; not with WEFT_DEVICE_AUTO or _CPU */
} weft_aggregate_params;
#define WEFT_AGGREGATE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_aggregate_params, features_on_device), WEFT_AGGREGATE_MEAN, WEFT_NORMALIZE_NONE, 0, NULL, \
      NULL, 0, 0 }
WEFT_API weft_status weft_aggregate(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *params,
                                    weft_result **out);

/* ----------------------------------------------------------------- paths */

typedef struct weft_path_params {
    size_t size;
    int weights;           /* shortest by the sum of the weights, which are 0 or more; else by hops */
    uint64_t count;        /* so many shortest paths without a vertex twice, if there are as many */
    const weft_vid *avoid; /* vertices that no path passes; neither end is one */
    size_t avoid_count;
} weft_path_params;
#define WEFT_PATH_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_path_params, avoid_count), 0, 1, NULL, 0 }

/* Shortest paths from one vertex to another, shortest first, as a table with the columns path (u32, from 0), vertex and distance (f64, from
 * the path's first vertex); the scalars found, hops and length are the number of paths and the figures of the first.  None is no
 * failure: the table is empty, and length infinite.
 * A search from both ends, which sees a small part of most graphs; from the source alone if the graph is directed and its incoming rows
 * are not there yet (weft_graph_in), or weights are fractional.  Further paths take a search for each vertex of the one before (Yen's
 * algorithm).  Memory O(n).  One thread; any number of threads may call it with contexts of their own. */
WEFT_EXPERIMENTAL weft_status weft_path(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to,
                                        const weft_path_params *params, weft_result **out);

/* ------------------------------------------------------------- subgraphs */

typedef enum weft_component_kind {
    WEFT_COMPONENT_ANY = 0, /* no condition */
    WEFT_COMPONENT_WEAK,
    WEFT_COMPONENT_STRONG
} weft_component_kind;

/* Conditions, in the order in which they are applied, each to what those before it left. */
typedef struct weft_subgraph_params {
    size_t size;
    double min_weight, max_weight; /* edges, both bounds included; of f32 weights the bounds are rounded to f32 */
    double sample_edges;           /* each edge with this probability */
    const weft_vid *vertices;      /* these only; NULL = all, and an empty list is one */
    size_t vertex_count;
    double sample_vertices;        /* each vertex with this probability */
    uint64_t seed;                 /* of both samples */
    const weft_vid *ego;           /* within `radius` hops, along the arcs, of one of these; NULL = no condition */
    size_t ego_count;
    uint64_t radius;
    uint64_t min_degree, max_degree;       /* in and out together, judged once: weft_degree's total */
    uint64_t core;                         /* the k-core: each has k neighbours in it.  0 = no condition */
    weft_component_kind largest_component; /* of equals, that of the smallest vertex */
} weft_subgraph_params;
#define WEFT_SUBGRAPH_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_subgraph_params, largest_component), -INFINITY, INFINITY, 1, NULL, 0, 1, 1, NULL, 0, 1, 0, UINT64_MAX, 0, \
      WEFT_COMPONENT_ANY }

/* What was left out.  Set .size before the call. */
typedef struct weft_subgraph_info {
    size_t size;
    uint64_t vertices, edges;                    /* in all */
    uint64_t edges_by_weight, edges_by_sampling; /* the other edges had an end that is left out */
    uint64_t vertices_by_list, vertices_by_sampling, vertices_by_ego, vertices_by_degree, vertices_by_core, vertices_by_component;
} weft_subgraph_info;

/* A new graph of the vertices that meet all conditions, in their order and with their ids, and of the edges between them that do.  Whether
 * a vertex or an edge is sampled depends on the seed and on g alone.  left_out may be NULL.  O(n + m) for each condition. */
WEFT_EXPERIMENTAL weft_status weft_subgraph(weft_ctx *ctx, const weft_graph *g, const weft_subgraph_params *params,
                                            weft_graph **out, weft_subgraph_info *left_out);

/* --------------------------------------------------------------- dynamic */

/* A graph that changes: batches of changes go in, snapshots come out, each an ordinary graph that later batches leave alone
 * (docs/dynamic.md).  One thread at a time applies; any thread may take a snapshot meanwhile, each with a context of its own, and
 * gets the state after the last batch that was complete.  Vertices are called by their ids.  One edge at most joins two vertices
 * (in each direction, if directed). */
typedef struct weft_dynamic weft_dynamic;

/* What weft_dynamic_apply waits for where a file keeps the batches. */
typedef enum weft_durable {
    WEFT_DURABLE_BATCH = 0, /* the batch is on the disk: it survives a power failure */
    WEFT_DURABLE_NEVER      /* the system has it: it survives the end of the program, however that ends */
} weft_durable;

#define WEFT_LAST_BATCH UINT64_MAX

/* What a dynamic graph is like, where no graph says so. */
typedef struct weft_dynamic_params {
    size_t size;
    weft_direction direction;     /* of an empty one; WEFT_AS_FILE = directed */
    weft_weight_type weight_type; /* of an empty one */
    int names;                    /* of an empty one: ids are names, not whole numbers */
    weft_loops loops;             /* loops that are inserted: keep, or drop and count */
    weft_durable durable;         /* of a file */
    int read_only;                /* of a file: it is left alone, and others may write to it meanwhile */
    uint64_t at; /* of a file that is read only: as it was after batch `at`; WEFT_LAST_BATCH = as it is */
    weft_device device; /* where rows lie, and batches are merged: WEFT_DEVICE_CUDA on the context's GPU, else in the host's memory */
    double wait; /* of a file: seconds to wait for another writer to end */
} weft_dynamic_params;
#define WEFT_DYNAMIC_DEFAULTS                                                                             \
    {                                                                                                     \
        WEFT_SIZE_UP_TO(weft_dynamic_params, wait), WEFT_AS_FILE, WEFT_WEIGHT_NONE, 0, WEFT_LOOPS_KEEP,   \
            WEFT_DURABLE_BATCH, 0, WEFT_LAST_BATCH, WEFT_DEVICE_AUTO, 0                                   \
    }

/* An empty one (base = NULL), or one that begins as a graph without parallel edges, whose direction, weights and ids it has.  O(n + m). */
WEFT_EXPERIMENTAL weft_status weft_dynamic_new(weft_ctx *ctx, const weft_graph *base, const weft_dynamic_params *params,
                                               weft_dynamic **out);
/* One that a .weft file keeps: any such file of a graph without parallel edges.  The first batch makes it a file with a log, to which
 * batches are appended; weft_read reads the graph after the last whole one.  Recovers what a program that ended early left: all
 * batches that were acknowledged, and none in part.  One program at a time may write; WEFT_EIO says if another does. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_open(weft_ctx *ctx, const char *path, const weft_dynamic_params *params,
                                                weft_dynamic **out);
/* Waits until all batches are on the disk, whatever `durable` is. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_sync(weft_ctx *ctx, weft_dynamic *d);
/* Writes the file anew, with the graph as it is now and an empty log; it takes the place of the old one when it is on the disk. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_compact(weft_ctx *ctx, weft_dynamic *d);
/* Of one that is read only: takes over the next batch that another program appended, if there is one. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_follow(weft_ctx *ctx, weft_dynamic *d, int *more);
/* Snapshots stay. */
WEFT_EXPERIMENTAL void weft_dynamic_free(weft_dynamic *d);

typedef enum weft_change {
    WEFT_CHANGE_INSERT = 0,   /* an edge, and its ends where they are new; an edge that is there gets the weight */
    WEFT_CHANGE_DELETE,       /* an edge; its ends stay */
    WEFT_CHANGE_WEIGHT,       /* the weight of an edge that is there */
    WEFT_CHANGE_ADD_VERTEX,   /* the source; the target does not count */
    WEFT_CHANGE_REMOVE_VERTEX /* the source and all its edges */
} weft_change;

/* Changes, as if applied one after the other.  Of the ids either the numbers or the names are given, as the graph has them. */
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

/* What became of a batch.  Set .size before the call. */
typedef struct weft_batch_stats {
    size_t size;
    uint64_t version;                            /* how many batches the graph has seen, this one included */
    uint64_t inserted, deleted, weights_changed; /* edges; those of removed vertices count as deleted */
    uint64_t already_there;                      /* inserted or weighted as they were */
    uint64_t absent;                             /* to delete, to weight or to remove, but not there */
    uint64_t superseded;                         /* by a later change in the batch */
    uint64_t loops_dropped;
    uint64_t vertices_added, vertices_removed;
    double gpu_ms; /* rows on a GPU: what merging took there, once the batch had arrived; otherwise 0 */
} weft_batch_stats;

/* All of a batch, or, after a failure, nothing of it.  stats may be NULL.  O(b log b) for b changes, and a copy of the groups of 64 rows
 * that they touch; removing vertices of a directed graph takes O(m).  Where rows lie on a GPU, each batch makes them anew there, O(n + m), and the
 * context must be for that GPU. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch,
                                                 weft_batch_stats *stats);

/* The graph as it is now.  O(1): the first call that needs its rows or ids packs them, O(n + m), once; plans say so.  Functions
 * without a context do that too, and answer as for NULL if memory does not suffice. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_snapshot(weft_ctx *ctx, weft_dynamic *d, weft_graph **out);

/* Batch `number` as it was given, from the log; its arrays live until the next such call, or the end of d. */
WEFT_EXPERIMENTAL weft_status weft_dynamic_logged(weft_ctx *ctx, weft_dynamic *d, uint64_t number, weft_batch *batch);

typedef struct weft_dynamic_info {
    size_t size;
    uint64_t version;
    uint64_t vertices, edges, arcs;
    uint64_t bytes;    /* of the rows, those that only snapshots need included */
    uint64_t versions; /* that are held: the last one, and those of snapshots that are not packed */
    int directed;
    weft_weight_type weight_type;
    int names;             /* ids are names */
    uint64_t logged_after; /* a file: the log holds the batches after this one */
    uint64_t log_bytes;
    uint64_t bytes_left_out; /* after the last whole batch, when the file was opened */
} weft_dynamic_info;
WEFT_EXPERIMENTAL weft_status weft_dynamic_describe(weft_ctx *ctx, weft_dynamic *d, weft_dynamic_info *info);

/* An answer that follows a dynamic graph: after each batch the result that the algorithm would give on a snapshot, to the bit.  It is
 * found from the changes where that is known how and costs less than a run, and by a run where not (docs/dynamic.md).  params are those
 * of the algorithm, NULL = its defaults; a source is a vertex of the graph as it is now, and stays the one with that id.  A tracker
 * belongs to the thread that applies batches, which take longer for it. */
typedef struct weft_tracker weft_tracker;
typedef struct weft_track_params {
    size_t size;
    int warm;   /* pagerank: begin with the last ranks, so not to the bit: within the error bound */
    int refuse; /* cycle: a batch with an edge that closes a cycle is refused (WEFT_EINVAL), and the message shows the cycle */
} weft_track_params;
#define WEFT_TRACK_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_track_params, refuse), 0, 0 }
WEFT_EXPERIMENTAL weft_status weft_dynamic_track(weft_ctx *ctx, weft_dynamic *d, const char *algorithm, const void *params,
                                                 const weft_track_params *how, weft_tracker **out);
WEFT_EXPERIMENTAL void weft_tracker_free(weft_tracker *t);
/* For the graph as it is now; vertices are those of a snapshot taken now. */
WEFT_EXPERIMENTAL weft_status weft_tracker_result(weft_ctx *ctx, weft_tracker *t, weft_result **out);

typedef struct weft_tracker_info {
    size_t size;
    uint64_t version;     /* of the last result */
    int incremental;      /* it came from the changes */
    uint64_t followed;    /* results that did */
    uint64_t recomputed;  /* and those from scratch */
    double error_bound;   /* with warm: how far the ranks are at most from the exact ones (L1 norm); otherwise 0 */
    char reason[256];     /* why it was found as it was */
} weft_tracker_info;
WEFT_EXPERIMENTAL weft_status weft_tracker_describe(weft_ctx *ctx, weft_tracker *t, weft_tracker_info *info);

/* --------------------------------------------------------------- machine */

/* This machine and its limits, measured here and now; the GPU is the context's.  Set .size before the call. */
typedef struct weft_machine {
    size_t size;
    char cpu[128];
    int cores;
    uint64_t memory_bytes, memory_free_bytes;
    uint64_t l1_bytes, l2_bytes, l3_bytes; /* 0 = unknown */
    double read_gbs, copy_gbs;             /* all threads; copy counts bytes read + written */
    double gather_gps;                     /* random 4-byte reads from 64 MB, 10^9 per second, all threads */
    double parse_gbs;                      /* a bare integer parser over text in memory, one thread */
    int gpus;                              /* 0: none visible */
    char gpu_reason[256];                  /* why there is none, or "" */
    char gpu[128];
    int gpu_sms, gpu_major, gpu_minor, gpu_driver, gpu_runtime;
    uint64_t gpu_memory_bytes, gpu_memory_free_bytes, gpu_l2_bytes;
    double gpu_copy_gbs, gpu_read_gbs;
    double gpu_gather_l2_gps, gpu_gather_hbm_gps; /* from a 4 MB and from a 512 MB table */
    double gpu_launch_us, gpu_barrier_us, gpu_context_ms;
    double gpu_upload_gbs, gpu_download_gbs;      /* pinned */
} weft_machine;

/* measure = 0: only what can be looked up (milliseconds); 1: CPU and GPU ceilings are measured (a few seconds). */
WEFT_API weft_status weft_machine_describe(weft_ctx *ctx, int measure, weft_machine *out);

/* Measures what PageRank's choice of method goes by and, with a GPU, the figures that WEFT_DEVICE_AUTO goes by, with the
 * context's threads (about ten seconds), and saves them for this program and later ones in $XDG_CACHE_HOME/weft/figures.tsv, or ~/.cache/...; path receives its
 * name. */
WEFT_EXPERIMENTAL weft_status weft_calibrate(weft_ctx *ctx, char *path, size_t room);

/* According to the figures in use, the number of arcs from which on the GPU is faster with default parameters;
 * UINT64_MAX = never. warm: the graph is on the GPU from an earlier run; else the GPU's context and the upload count.
 * */
WEFT_EXPERIMENTAL weft_status weft_break_even(weft_ctx *ctx, const char *algorithm, int warm, uint64_t *arcs);

#ifdef __cplusplus
}
#endif
#endif
