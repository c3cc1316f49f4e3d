/* What every program needs of Weft: contexts, graphs, reading and writing, parameters and generators, results, devices
 * and plans.  weft.h has the rules for all functions. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0
/* For comparison: #if WEFT_VERSION_NUMBER >= 200 for 0.2.0. */
#define WEFT_VERSION_NUMBER (WEFT_VERSION_MAJOR * 10000 + WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

typedef uint32_t weft_vid; /* a vertex inside the library: 0 ... n-1 */
typedef uint64_t weft_eid; /* a position in the arc array */
#define WEFT_NO_VERTEX ((weft_vid)0xffffffffu)

/* The .size of the ..._DEFAULTS: the bytes up to the end of the last field, without padding. */
#define WEFT_SIZE_UP_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

/* The version of the linked library, "0.1.0", and the same as a WEFT_VERSION_NUMBER. */
WEFT_API const char *weft_version(void);
WEFT_API int weft_version_number(void);
WEFT_API const char *weft_build_info(void); /* how it was built, one line: compiler, CUDA or not, tuning */

/* --------------------------------------------------------------- status */

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

/* The kind of failure, for callers without a context: "out of memory". */
WEFT_API const char *weft_status_text(weft_status status);

/* -------------------------------------------------------------- context */

typedef struct weft_ctx weft_ctx;
WEFT_API weft_status weft_ctx_new(weft_ctx **out);
WEFT_API void weft_ctx_free(weft_ctx *ctx);
/* The message of the last failure, "" if none.  Valid until the next call on the context. */
WEFT_API const char *weft_ctx_message(const weft_ctx *ctx);

/* 0 = one per available core (the default; OMP_NUM_THREADS is honoured). */
WEFT_API weft_status weft_ctx_set_threads(weft_ctx *ctx, int threads);
WEFT_API int weft_ctx_threads(const weft_ctx *ctx);

/* Bytes that the context may hold at once, on the host and on the GPU; 0 = no limit. */
WEFT_API weft_status weft_ctx_set_memory_limit(weft_ctx *ctx, uint64_t bytes);
WEFT_API uint64_t weft_ctx_memory_in_use(const weft_ctx *ctx);
WEFT_API uint64_t weft_ctx_memory_peak(const weft_ctx *ctx);
WEFT_API weft_status weft_ctx_set_device_memory_limit(weft_ctx *ctx, uint64_t bytes);
WEFT_API uint64_t weft_ctx_device_memory_in_use(const weft_ctx *ctx);
WEFT_API uint64_t weft_ctx_device_memory_peak(const weft_ctx *ctx);
/* Sets both peaks to the present use, to measure one call.  Not while another call uses the context. */
WEFT_API void weft_ctx_restart_memory_peak(weft_ctx *ctx);

/* Your own allocator, set before the context allocates anything.  alloc returns memory aligned for any type, or NULL.
 * Any thread may call both functions. */
typedef void *(*weft_alloc_fn)(void *user, size_t bytes);
typedef void (*weft_free_fn)(void *user, void *block, size_t bytes);
WEFT_API weft_status weft_ctx_set_allocator(weft_ctx *ctx, weft_alloc_fn alloc, weft_free_fn release, void *user);

/* Called at most every 50 ms during long work, from the calling thread.  total = 0: unknown. */
typedef void (*weft_progress_fn)(void *user, const char *stage, uint64_t done, uint64_t total);
WEFT_API void weft_ctx_set_progress(weft_ctx *ctx, weft_progress_fn progress, void *user);

/* Polled at least every 100 ms of work, by any thread; non-zero stops the call with WEFT_ECANCELLED. */
typedef int (*weft_cancel_fn)(void *user);
WEFT_API void weft_ctx_set_cancel(weft_ctx *ctx, weft_cancel_fn cancel, void *user);
/* Polls that callback, for long loops of your own: 1 = stop; 0 = continue, or no callback.  Any thread. */
WEFT_API int weft_ctx_cancelled(const weft_ctx *ctx);

/* Warnings are no failures: "weights ignored".  Notes say how a file was interpreted, if there was a choice. */
typedef void (*weft_warning_fn)(void *user, const char *message);
WEFT_API void weft_ctx_set_warning(weft_ctx *ctx, weft_warning_fn warning, void *user);
WEFT_API void weft_ctx_set_note(weft_ctx *ctx, weft_warning_fn note, void *user);

/* ---------------------------------------------------------------- graph */

typedef struct weft_graph weft_graph;

/* The type of a value. */
typedef enum weft_type {
    WEFT_NONE = 0, /* no value, no array */
    WEFT_U32,
    WEFT_F32,
    WEFT_F64,
    WEFT_U64,
    WEFT_I64,
    WEFT_VERTEX, /* weft_vid, shown to people as the file's id; WEFT_NO_VERTEX = none */
    WEFT_F16,    /* IEEE binary16, as uint16_t */
    WEFT_BF16,   /* the upper half of an f32, as uint16_t */
    WEFT_U8,     /* from here on only in arrays of the caller's */
    WEFT_U16,
    WEFT_I8,
    WEFT_I16,
    WEFT_I32
} weft_type;
/* Bytes of a value; 0 for an unknown type. */
WEFT_API size_t weft_type_size(weft_type type);

/* The types of weights, and their numbers in .weft files. */
typedef enum weft_weight_type {
    WEFT_WEIGHT_NONE = WEFT_NONE,
    WEFT_WEIGHT_U32 = WEFT_U32, /* every weight is an integer in 0 ... 2^32-1 */
    WEFT_WEIGHT_F32 = WEFT_F32,
    WEFT_WEIGHT_F64 = WEFT_F64
} weft_weight_type;

typedef enum weft_id_kind {
    WEFT_IDS_DENSE = 0, /* file ids are base, base+1, ... without gaps: no map is stored */
    WEFT_IDS_SPARSE,    /* 64-bit integers with gaps; vertices are numbered in ascending id order */
    WEFT_IDS_STRING     /* names; vertices are numbered in byte order of the names */
} weft_id_kind;

/* What parallel edges become: one edge, except with KEEP and REFUSE. */
typedef enum weft_duplicates {
    WEFT_DUPLICATES_DROP = 0, /* it has the smallest weight; of a file see weights_merged of weft_graph_info */
    WEFT_DUPLICATES_KEEP,
    WEFT_DUPLICATES_SUM,
    WEFT_DUPLICATES_REFUSE, /* WEFT_EINPUT if there are any, whatever their weights */
    WEFT_DUPLICATES_MIN,    /* the smallest weight, by the caller's choice */
    WEFT_DUPLICATES_MAX,
    WEFT_DUPLICATES_MEAN, /* all weights become f64 */
    WEFT_DUPLICATES_COUNT /* the weight is the number of parallel edges, u32, also without weights in the input */
} weft_duplicates;

typedef enum weft_loops { WEFT_LOOPS_KEEP = 0, WEFT_LOOPS_DROP } weft_loops;
typedef enum weft_direction {
    WEFT_AS_FILE = 0, /* what the format or the file's header says; directed if neither does */
    WEFT_DIRECTED,
    WEFT_UNDIRECTED /* symmetrise: an edge listed in either direction, or in both, is one edge */
} weft_direction;

/* The source of the statement whether edges have a direction. */
typedef enum weft_direction_from {
    WEFT_DIRECTION_FROM_FILE = 0, /* the file, its format, or the generator */
    WEFT_DIRECTION_FROM_FLAG,     /* the caller: WEFT_DIRECTED or WEFT_UNDIRECTED */
    WEFT_DIRECTION_ASSUMED        /* none: assumed directed */
} weft_direction_from;
/* Evidence that a file assumed to be directed holds an undirected graph. */
typedef enum weft_direction_doubt {
    WEFT_DOUBT_NONE = 0,
    WEFT_DOUBT_ASCENDING, /* at least 32 edges, all from a smaller to a larger id (names: in byte order) */
    WEFT_DOUBT_TWICE      /* every edge is listed in both directions, with the same weight; loops do not count */
} weft_direction_doubt;

/* How a list of edges becomes a graph.  weft_graph_info counts what is dropped. */
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

/* The graph no longer needs the caller's arrays.  Called once, by any thread. */
typedef void (*weft_release_fn)(void *user);
/* Edges in the caller's arrays: sources and targets (COO), or rows if offsets is given (CSR).
 * Without release the library copies them.  With release the graph may keep them, and calls release(user) when it no
 * longer needs them: before WEFT_OK returns if it keeps none.  It keeps ascending rows of a directed or symmetric graph
 * if nothing is dropped, offsets have 64 bits, targets 32, and weights are u32, f32 or f64; these stay const. */
typedef struct weft_arrays {
    size_t size;
    uint64_t vertices;   /* the ids are 0 ... vertices-1; ignored with any_ids */
    uint64_t edges;      /* entries of targets, and of sources and weights */
    const void *offsets; /* CSR: vertices + 1; row v is entries offsets[v] ... offsets[v+1]-1.  NULL = COO */
    const void *sources; /* COO */
    const void *targets;
    const void *weights;            /* NULL = none */
    weft_type offset_type, id_type; /* integers; id_type is that of sources, targets and more_ids */
    weft_type weight_type;          /* integers become u32 if all are in 0 ... 2^32-1, else f64 */
    int any_ids;                    /* COO: arbitrary integer ids; the ids that occur become the vertices, ascending */
    const void *more_ids;           /* any_ids: vertices that need no edge; NULL = none */
    uint64_t more_count;
    const char *names;           /* string ids: `vertices` distinct names; an id is the position of its name */
    const uint64_t *name_starts; /* name i is names[name_starts[i]] ... names[name_starts[i+1]-1] */
    int symmetric;               /* undirected: each edge is listed in both directions (checked), and is one edge */
    int on_device;           /* arrays are in the memory of the context's GPU, written there before, or by its stream */
    weft_release_fn release; /* NULL = the arrays are copied */
    void *user;
} weft_arrays;
#define WEFT_ARRAYS_DEFAULTS                                                                                           \
    {                                                                                                                  \
        WEFT_SIZE_UP_TO(weft_arrays, user), 0, 0, NULL, NULL, NULL, NULL, WEFT_NONE, WEFT_NONE, WEFT_NONE, 0, NULL, 0, \
            NULL, NULL, 0, 0, NULL, NULL                                                                               \
    }

/* A graph from arrays.  WEFT_EINVAL names the first wrong entry.  O(n + edges), and sorting within rows. */
WEFT_API weft_status weft_graph_from_arrays(weft_ctx *ctx, const weft_arrays *arrays, const weft_build_params *params,
                                            weft_graph **out);
WEFT_API void weft_graph_free(weft_graph *g);

typedef enum weft_label { WEFT_LABEL_NONE = 0, WEFT_LABEL_CYCLIC, WEFT_LABEL_ACYCLIC } weft_label;
/* All figures of a graph.  Set .size = sizeof(weft_graph_info) before the call. */
typedef struct weft_graph_info {
    size_t size;
    uint64_t vertices;
    uint64_t records; /* edges as listed in the file or by the caller */
    uint64_t edges;   /* after duplicates and loops were dropped or kept; an undirected edge counts once */
    uint64_t arcs;    /* entries stored in the out-CSR */
    uint64_t self_loops, self_loops_dropped, duplicates_dropped;
    uint64_t isolated;                  /* vertices without any arc, in or out; a loop counts as an arc */
    uint64_t max_degree, max_in_degree; /* of the rows out and in */
    double mean_degree;                 /* arcs / vertices */
    uint64_t median_degree;             /* of the rows out */
    double density;                     /* edges / possible edges, not counting loops */
    double skew;                        /* share of all arcs in the longest 1 % of the rows: 0.01 = flat */
    int directed;
    weft_weight_type weight_type;
    double min_weight, max_weight; /* 0 when unweighted */
    weft_id_kind id_kind;
    int64_t id_base;    /* first id if dense */
    weft_label label;   /* what the file claims about cycles, if anything */
    const char *format; /* "edgelist", "mtx", ...; "memory" if no file; lives as long as the graph */
    double load_ms;     /* from open to graph */
    uint64_t bytes;     /* held by the graph now */
    /* The columns of a table that were read, by header or as "1", "2", ...; NULL: none, or no table. */
    const char *source_column, *target_column, *weight_column;
    const char *const *passed_over_columns; /* columns that were not read; all texts live as long as the graph */
    size_t passed_over_count;
    weft_direction_from direction_from;
    weft_direction_doubt direction_doubt; /* of a file whose direction was assumed */
    /* A file read with WEFT_DUPLICATES_DROP: pairs whose parallel edges, or two directions, have different weights.
     * Calls that need the others too (weighted runs other than shortest paths, weft_write) fail with WEFT_EINVAL. */
    uint64_t weights_merged, opposite_weights_merged;
} weft_graph_info;
/* The first call counts, O(n + m); later ones take O(1). */
WEFT_API weft_status weft_graph_describe(weft_ctx *ctx, const weft_graph *g, weft_graph_info *info);

/* Arcs out of a vertex, into it, or both; AUTO is the default of a parameter. */
typedef enum weft_side { WEFT_SIDE_AUTO = 0, WEFT_SIDE_OUT = 1, WEFT_SIDE_IN = 2, WEFT_SIDE_BOTH = 3 } weft_side;
/* count[k] vertices have degree value[k], ascending; _BOTH is in + out, in an undirected graph the row, as the others.
 * Free both arrays with weft_free.  O(n + largest degree), and O(m) more if there is no transpose. */
WEFT_API weft_status weft_graph_degree_distribution(weft_ctx *ctx, const weft_graph *g, weft_side side,
                                                    uint64_t **value, uint64_t **count, size_t *length);
WEFT_API void weft_free(weft_ctx *ctx, void *block);

WEFT_API weft_vid weft_graph_vertices(const weft_graph *g);
WEFT_API weft_eid weft_graph_arcs(const weft_graph *g);
WEFT_API uint64_t weft_graph_edges(const weft_graph *g);
WEFT_API int weft_graph_directed(const weft_graph *g);
WEFT_API weft_direction_from weft_graph_direction_from(const weft_graph *g);
WEFT_API weft_weight_type weft_graph_weight_type(const weft_graph *g);

/* Compressed sparse rows.  Row v is targets[offsets[v]] ... targets[offsets[v+1]-1], ascending; weights is NULL, or
 * parallel to targets, in the graph's weight type.  Valid as long as the graph.  Set .size before the call. */
typedef struct weft_csr {
    size_t size;
    weft_vid vertices;
    weft_eid arcs;
    const weft_eid *offsets; /* vertices + 1 */
    const weft_vid *targets;
    const void *weights;
} weft_csr;
/* O(1); the first call on a snapshot of a dynamic graph packs its rows, O(n + m), and can fail. */
WEFT_API weft_status weft_graph_out(weft_ctx *ctx, const weft_graph *g, weft_csr *rows);
/* The transpose; of an undirected graph the same as out.  Built on first use, O(n + m), and kept. */
WEFT_API weft_status weft_graph_in(weft_ctx *ctx, const weft_graph *g, weft_csr *rows);
/* Vertices by descending total degree, ties by vertex: order[0] is the largest hub.  Built on first use, and kept. */
WEFT_API weft_status weft_graph_degree_order(weft_ctx *ctx, const weft_graph *g, const weft_vid **order);
/* A new graph in which vertex order[k] of g is vertex k; ids follow their vertices.  O(n + m), and sorting rows. */
WEFT_API weft_status weft_graph_relabel(weft_ctx *ctx, const weft_graph *g, const weft_vid *order, weft_graph **out);
/* Same vertices, ids, arcs and weights?  *equal is 1 or 0; the context's message says how they differ.  O(n + m). */
WEFT_API weft_status weft_graph_compare(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, int *equal);
/* A 64-bit hash of vertices, arcs, weights and ids: equal graphs have equal fingerprints everywhere.  O(n + m). */
WEFT_API weft_status weft_graph_fingerprint(weft_ctx *ctx, const weft_graph *g, uint64_t *out);
/* Random start vertices: out[i] is number hash(seed, i) mod c of the c vertices with out-arcs (of all, if there are
 * none).  The same graph and seed give the same list everywhere.  The graph must have a vertex.  O(n + count). */
WEFT_API weft_status weft_random_sources(weft_ctx *ctx, const weft_graph *g, size_t count, uint64_t seed,
                                         weft_vid *out);
/* The file's own id of vertex v as text.  Like snprintf: at most `room` bytes with the NUL; returns the full length. */
WEFT_API size_t weft_graph_id_text(const weft_graph *g, weft_vid v, char *buffer, size_t room);
WEFT_API weft_id_kind weft_graph_id_kind(const weft_graph *g);
/* The id as a number; 0 for string ids. */
WEFT_API int64_t weft_graph_id(const weft_graph *g, weft_vid v);
/* The vertex with this id; WEFT_ENOTFOUND if there is none.  O(log n); O(1) for WEFT_IDS_DENSE. */
WEFT_API weft_status weft_graph_find(weft_ctx *ctx, const weft_graph *g, const char *text, weft_vid *out);
/* The same for many integer ids; the message names the first unknown id.  O(count log n). */
WEFT_API weft_status weft_graph_find_ids(weft_ctx *ctx, const weft_graph *g, size_t count, const int64_t *ids,
                                         weft_vid *out);

/* All ids at once.  Valid as long as the graph.  Set .size before the call. */
typedef struct weft_ids {
    size_t size;
    weft_id_kind kind;
    int64_t base;           /* dense: that of vertex 0 */
    const int64_t *numbers; /* sparse: of each vertex; else NULL */
    const uint64_t *starts; /* string: the name of v is text[starts[v]] ... text[starts[v+1]-1]; else NULL */
    const char *text;
} weft_ids;
WEFT_API weft_status weft_graph_ids(weft_ctx *ctx, const weft_graph *g, weft_ids *ids);
/* Is there an arc u -> v?  *position is that of the first in the out-CSR.  O(log of the row's length). */
WEFT_API int weft_graph_has_arc(const weft_graph *g, weft_vid u, weft_vid v, weft_eid *position);

/* ----------------------------------------------------- reading, writing */

/* Weights: kept if the file has them; WEFT_EINPUT if it has none; ignored. */
typedef enum weft_weights_use { WEFT_WEIGHTS_AUTO = 0, WEFT_WEIGHTS_REQUIRE, WEFT_WEIGHTS_IGNORE } weft_weights_use;
/* Ids: names if one at the start of the file is not a number, else numbers. */
typedef enum weft_id_reading { WEFT_READ_IDS_AUTO = 0, WEFT_READ_IDS_INTEGER, WEFT_READ_IDS_STRING } weft_id_reading;
/* Does the first line name the columns?  Detected from the first lines; WEFT_EINPUT if that is not possible. */
typedef enum weft_header_use { WEFT_HEADER_AUTO = 0, WEFT_HEADER_YES, WEFT_HEADER_NO } weft_header_use;
/* Are lines that begin with # or % comments?  Detected; WEFT_EINPUT if such a line may be an edge or a vertex. */
typedef enum weft_comment_use { WEFT_COMMENTS_AUTO = 0, WEFT_COMMENTS_YES, WEFT_COMMENTS_NO } weft_comment_use;

typedef struct weft_read_params {
    size_t size;
    const char *format; /* NULL = by content and extension; else a name from weft_format_at() */
    weft_weights_use weights;
    weft_id_reading ids;
    uint64_t vertices;        /* edge lists: 0 = the ids that occur; N = exactly 0 ... N-1, including isolated ones */
    int verify_checksums;     /* .weft: read and check every byte before returning */
    weft_direction direction; /* these three as in weft_build_params */
    weft_duplicates duplicates;
    weft_loops loops;
    /* Tables: a column by its name, or by its number from 1.  NULL = found by the header, or by position. */
    const char *source_col, *target_col, *weight_col;
    weft_header_use header;       /* text tables */
    char separator;               /* text tables: between fields; ' ' = any blanks, 0 = detected */
    const char *nodes;            /* tables of vertices: "FILE" or "FILE:COLUMN", newlines between; NULL = none */
    weft_weight_type weight_type; /* what weights become; NONE = u32 if all are integers in 0 ... 2^32-1, else f32 */
    int verify_files; /* ranks: each reads all of its file first, and all compare every byte instead of a sample */
    int ordered;      /* the caller needs an order: do not warn if all edges ascend */
    char decimal;     /* text tables: the decimal sign of numbers, '.' or ','; 0 = detected, or WEFT_EINPUT */
    weft_comment_use comments;              /* text tables */
    const char *keep, *merge, *edges_where; /* columns of edges (docs/attributes.md); NULL: none */
    int sides; /* vertices of two kinds, a bipartite graph: 0 = as the file says, or WEFT_EINPUT; 1 = yes; 2 = no */
} weft_read_params;
#define WEFT_READ_DEFAULTS                                                                                           \
    {                                                                                                                \
        WEFT_SIZE_UP_TO(weft_read_params, sides), NULL, WEFT_WEIGHTS_AUTO, WEFT_READ_IDS_AUTO, 0, 0, WEFT_AS_FILE,   \
            WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP, NULL, NULL, NULL, WEFT_HEADER_AUTO, 0, NULL, WEFT_WEIGHT_NONE, 0, \
            0, 0, WEFT_COMMENTS_AUTO, NULL, NULL, NULL, 0                                                            \
    }

/* path "-" is standard input.  Recognises .gz and .zst by content, skips a byte-order mark, and decodes UTF-16.
 * May map a plain .weft or .sg file: while the graph lives do not change or truncate it (a missing page raises SIGBUS);
 * replacing it by rename, as weft_write does, is safe. */
WEFT_API weft_status weft_read(weft_ctx *ctx, const char *path, const weft_read_params *params, weft_graph **out);
/* The same from memory; `name` stands for the file in messages. */
WEFT_API weft_status weft_read_memory(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                                      const weft_read_params *params, weft_graph **out);

typedef struct weft_write_params {
    size_t size;
    const char *format;  /* NULL = by extension */
    int both_directions; /* .weft: store the transpose as well */
    int level;           /* compression level for .gz/.zst (0 = the library's default) and .npz (0 = none) */
} weft_write_params;
#define WEFT_WRITE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_write_params, level), NULL, 0, 0 }
/* Replaces the file at once, or not at all.  path "-" is standard output.  A .gz or .zst extension compresses. */
WEFT_API weft_status weft_write(weft_ctx *ctx, const weft_graph *g, const char *path, const weft_write_params *params);
/* Reads every byte of a .weft file that was opened without verify_checksums.  WEFT_EINPUT names the bad section. */
WEFT_API weft_status weft_graph_verify(weft_ctx *ctx, const weft_graph *g);

typedef struct weft_format_info {
    const char *name;       /* "edgelist": what --format takes */
    const char *title;      /* "edge list (SNAP, KONECT, csv, tsv)" */
    const char *extensions; /* space separated, without dots */
    int can_read, can_write;
    int keeps_weights; /* a file has the graph's weights, or weft_write fails */
} weft_format_info;
WEFT_API size_t weft_format_count(void);
WEFT_API const weft_format_info *weft_format_at(size_t i);

/* ----------------------------------------------- parameters, generators */

/* The C type of a parameter, and how programs offer it. */
typedef enum weft_param_type {
    WEFT_PARAM_U64,
    WEFT_PARAM_F64,
    WEFT_PARAM_BOOL,     /* int, 0 or 1 */
    WEFT_PARAM_CHOICE,   /* int, index into `choices` */
    WEFT_PARAM_TEXT,     /* const char * */
    WEFT_PARAM_VERTEX,   /* weft_vid; WEFT_NO_VERTEX = not given.  Offered as a file id */
    WEFT_PARAM_VERTICES, /* const weft_vid *, followed by a size_t count; NULL and 0 = not given.  A list of ids */
    WEFT_PARAM_WEIGHTS,  /* const double *, 0 or more for each vertex; NULL = not given.  A file of "id [weight]" */
    WEFT_PARAM_MATRIX,   /* const weft_matrix *, a row for each vertex; NULL = not given.  A .npy file */
    WEFT_PARAM_LABELS,   /* const weft_vid *, a label below their number for each vertex.  A file of "id label" */
    WEFT_PARAM_PAIRS     /* const weft_vid *, followed by a size_t count: twice as many vertices.  A file of "id id" */
} weft_param_type;

/* rows x width numbers, row by row.  A plan copies the struct, not the numbers. */
typedef struct weft_matrix {
    size_t size;
    const void *data; /* float, or uint16_t for two-byte types */
    uint64_t rows, width;
    weft_type type; /* WEFT_F32, WEFT_F16 or WEFT_BF16 */
} weft_matrix;
#define WEFT_MATRIX_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_matrix, type), NULL, 0, 0, WEFT_F32 }

/* One field of a parameter struct, so that programs can offer it without knowing it. */
typedef struct weft_param_info {
    const char *name; /* "damping": the flag is --damping */
    weft_param_type type;
    size_t offset;        /* of the field in the struct */
    const char *standard; /* the default as text; NULL = must be given */
    double min, max;      /* inclusive, for U64 and F64 */
    const char *choices;  /* "redistribute|drop" */
    const char *help;
} weft_param_info;

/* -------------------------------------------------------------- results */

/* In a column of levels: the vertex was not reached.  (Distances: infinity.) */
#define WEFT_UNREACHED ((uint32_t)0xffffffffu)

typedef struct weft_result weft_result;

/* One value; a value, or a row of values, for each vertex; a column with its own length; a value for each edge.
 * Edges ascend by source, target and place among parallel ones.  Each of an undirected graph is there once, with
 * source <= target.  Columns `source` and `target` (WEFT_VERTEX) of the same result have the ends. */
typedef enum weft_shape { WEFT_SHAPE_SCALAR = 0, WEFT_SHAPE_VERTICES, WEFT_SHAPE_TABLE, WEFT_SHAPE_EDGES } weft_shape;
typedef struct weft_column {
    size_t size;
    const char *name;
    weft_type type;
    weft_shape shape; /* all but WEFT_SHAPE_SCALAR */
    size_t length;    /* WEFT_SHAPE_VERTICES, WEFT_SHAPE_EDGES: vertices, edges of the graph */
    const void *data;
    size_t width; /* 0: one value per row; otherwise a matrix of `width` values per row, row by row */
} weft_column;
#define WEFT_COLUMN_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_column, width), NULL, WEFT_U32, WEFT_SHAPE_TABLE, 0, NULL, 0 }

typedef struct weft_scalar {
    size_t size;
    const char *name;
    weft_type type; /* WEFT_U64, WEFT_I64 or WEFT_F64 */
    union {
        uint64_t u64;
        int64_t i64;
        double f64;
    } value;
} weft_scalar;
#define WEFT_NO_VALUE UINT64_MAX /* a WEFT_U64 without a value; a WEFT_F64 without one is NaN */
#define WEFT_SCALAR_DEFAULTS                                       \
    {                                                              \
        WEFT_SIZE_UP_TO(weft_scalar, value), NULL, WEFT_U64, { 0 } \
    }

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

/* Two-byte numbers: round half to even, overflow to infinity; NaN is 0x7e00 (f16) or 0x7fc0 (bf16). */
WEFT_API float weft_f16_value(uint16_t bits);
WEFT_API float weft_bf16_value(uint16_t bits);
WEFT_API uint16_t weft_f16_of(float x);
WEFT_API uint16_t weft_bf16_of(float x);

/* A result of your own, such as another program's answer to verify or to show.  Values are copied; names must live as
 * long as the result.  data may be NULL only if length is 0. */
WEFT_API weft_status weft_result_new(weft_ctx *ctx, weft_result **out);
WEFT_API weft_status weft_result_add_column(weft_ctx *ctx, weft_result *r, const weft_column *column);
WEFT_API weft_status weft_result_add_scalar(weft_ctx *ctx, weft_result *r, const weft_scalar *scalar);

typedef enum weft_order { WEFT_LARGEST_FIRST = 0, WEFT_SMALLEST_FIRST } weft_order;
/* The first k rows by a column, ties by row; for a matrix by value number `at` of each row (else 0).  Rows without a
 * value (NaN, infinity, WEFT_UNREACHED, WEFT_NO_VERTEX) come last either way.  `out` has room for k; *count is the
 * smaller of k and the column's length, which is below 2^32 - 1.  O(n log k). */
WEFT_API weft_status weft_top_k(weft_ctx *ctx, const weft_column *column, size_t at, weft_order order, size_t k,
                                weft_vid *out, size_t *count);

/* A hash of all columns and scalars: equal results have equal digests, on every machine and device.  O(bytes). */
WEFT_API weft_status weft_result_digest(weft_ctx *ctx, const weft_result *r, uint64_t *digest);

/* The stages of a run in order of first appearance, such as upload, iterations, download.  The first result of a plan
 * includes the time to create the GPU's context. */
typedef struct weft_stage {
    const char *name;
    double ms;        /* wall-clock time; stages do not overlap, and add up to the run */
    double kernel_ms; /* the GPU's part of it, by its events; 0 = none */
    uint64_t bytes;   /* moved between host and GPU */
} weft_stage;
WEFT_API size_t weft_result_stage_count(const weft_result *r);
WEFT_API const weft_stage *weft_result_stage_at(const weft_result *r, size_t i);

/* ------------------------------------------------------- devices, plans */

typedef enum weft_device { WEFT_DEVICE_AUTO = 0, WEFT_DEVICE_CPU, WEFT_DEVICE_CUDA } weft_device;
WEFT_API weft_status weft_ctx_set_device(weft_ctx *ctx, weft_device device);
/* The GPU of this context, numbered as by CUDA; 0 in a new context.  The first use checks that it exists.  Releases
 * what the context keeps on another GPU, and resets the stream.  A graph stays on the GPU of its first use: on another
 * one it is refused with WEFT_EDEVICE (WEFT_DEVICE_AUTO then uses the CPU).
 * Call this function and the next two only while no other call uses the context. */
WEFT_API weft_status weft_ctx_set_gpu(weft_ctx *ctx, int index);
/* A cudaStream_t of yours on that GPU: runs launch their kernels on it, after the work that is already there.  Calls
 * still return when their work is done.  NULL, as in a new context: the context's own stream, which waits for no other;
 * (void *)1, cudaStreamLegacy, is the default stream.  It must live until it is replaced, or the context freed. */
WEFT_API weft_status weft_ctx_set_stream(weft_ctx *ctx, void *cuda_stream);
/* Returns unused memory of the context's GPU pool, and pinned memory, to the system.  Graphs and columns stay. */
WEFT_API weft_status weft_ctx_trim_device(weft_ctx *ctx);

/* A plan describes a run before it starts, and can run many times.  It belongs to the context's thread, and copies
 * params, but not the arrays in them.  weft_plan_new takes O(n) at most. */
typedef struct weft_plan weft_plan;
WEFT_API weft_status weft_plan_new(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                                   weft_plan **out);
WEFT_API void weft_plan_free(weft_plan *plan);
WEFT_API weft_status weft_plan_run(weft_plan *plan, weft_result **out);

typedef enum weft_device_cause {
    WEFT_CAUSE_ASKED = 0, /* the caller set the device */
    WEFT_CAUSE_ESTIMATE,  /* WEFT_DEVICE_AUTO: the faster one, by estimated times */
    WEFT_CAUSE_SMALL,     /* done before a GPU could start */
    WEFT_CAUSE_NO_GPU,    /* no GPU is visible */
    WEFT_CAUSE_UNSERVED,  /* the algorithm, these parameters or this graph are not supported on the GPU */
    WEFT_CAUSE_MEMORY,    /* a memory limit, or the GPU's memory */
    WEFT_CAUSE_FAILED     /* the driver or the GPU failed, while planning or in a run */
} weft_device_cause;
WEFT_API weft_device weft_plan_device(const weft_plan *plan);
WEFT_API weft_device_cause weft_plan_device_cause(const weft_plan *plan);
/* The cause in words; after a run also how the GPU failed. */
WEFT_API const char *weft_plan_device_reason(const weft_plan *plan);
/* 1: the graph is larger than the GPU's memory, and every pass streams its arcs. */
WEFT_API int weft_plan_streamed(const weft_plan *plan);
/* The complete parameters, with the source that was chosen if none was given.  Valid as long as the plan. */
WEFT_API const void *weft_plan_params(const weft_plan *plan);
WEFT_API const char *weft_plan_method(const weft_plan *plan);
/* The method's index in weft_algorithm_info.methods, the same in every version; -1 = no plan. */
WEFT_API int weft_plan_method_id(const weft_plan *plan);
WEFT_API const char *weft_plan_reason(const weft_plan *plan);
WEFT_API uint64_t weft_plan_host_bytes(const weft_plan *plan);
WEFT_API uint64_t weft_plan_device_bytes(const weft_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
