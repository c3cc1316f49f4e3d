/* The graph inside the library. Immutable once wfi_graph_build or a reader returns it; `lock` guards the parts made
 * on first use (transpose, degree order, statistics). */
#ifndef WFI_GRAPH_H
#define WFI_GRAPH_H

#include "core/core.h"

#include <pthread.h>

WFI_C_BEGIN

/* Rows in compressed sparse row (CSR) form, in host or GPU memory: one direction of a graph, or a range of its
 * vertices. Row k belongs to vertex first + k; its targets are targets[offsets[k] - base] ... targets[offsets[k + 1]
 * - base - 1], ascending, with weights at the same indices. The view of a whole graph has base = first = 0 and count
 * = n. A view owns nothing; the maker of the arrays frees them. */
typedef struct wfi_view {
    const weft_eid *offsets; /* count + 1; NULL: no rows */
    const weft_vid *targets; /* vertices below n */
    const void *weights;     /* NULL: unweighted, or not loaded */
    weft_eid base;
    weft_vid first, count, n;
    weft_weight_type type;
} wfi_view;

/* A view of all rows of a graph; the caller sets the arrays. */
static inline wfi_view wfi_view_of(weft_vid n, weft_weight_type type) {
    wfi_view rows = {NULL, NULL, NULL, 0, 0, n, n, type};
    return rows;
}

/* Writable arrays, for their maker. */
static inline weft_eid *wfi_own_offsets(const wfi_view *rows) { return (weft_eid *)(uintptr_t)rows->offsets; }
static inline weft_vid *wfi_own_targets(const wfi_view *rows) { return (weft_vid *)(uintptr_t)rows->targets; }
static inline char *wfi_own_weights(const wfi_view *rows) { return (char *)(uintptr_t)rows->weights; }

/* File ids. dense: id = base + v. sparse: number[v]. string: bytes text[start[v]] ... text[start[v+1]-1]. by_id lists
 * the vertices in ascending id order; NULL if that is 0, 1, 2, ... */
typedef struct wfi_ids {
    weft_id_kind kind;
    int64_t base;
    int64_t *number;
    uint64_t *start; /* n + 1 */
    char *text;
    weft_vid *by_id;
} wfi_ids;

/* Columns of a table that became ends, weight or nothing. One block: the names follow the list. */
typedef struct wfi_table_columns {
    const char *source, *target, *weight;
    size_t passed_over_count;
    const char *passed_over[];
} wfi_table_columns;

/* Pairs of vertices with several edges. The example `first` is the pair with the smallest row, then the smallest
 * target. */
enum { WFI_SHOWN_WEIGHTS = 4 };
typedef struct wfi_parallel_edges {
    uint64_t pairs;
    uint64_t first; /* row << 32 | target */
    uint64_t edges; /* edges of the first pair, and their first weights in file order */
    double weight[WFI_SHOWN_WEIGHTS];
    uint64_t line[2]; /* lines of the first two edges of the first pair, or of the first one in each direction; 0:
                       * unknown */
} wfi_parallel_edges;

/* Record of parallel edges with different weights that were merged to the smallest weight without a rule, with a
 * sentence for messages. One block. */
typedef struct wfi_ambiguous {
    wfi_parallel_edges parallel, opposite;
    size_t bytes;
    char words[];
} wfi_ambiguous;

/* The caller's arrays that a graph uses; NULL for its own arrays. */
typedef struct wfi_lent {
    const void *offsets, *targets, *weights;
    weft_release_fn release;
    void *user;
} wfi_lent;

struct weft_graph {
    weft_vid n;
    weft_eid arcs;
    uint64_t edges;
    bool directed;
    weft_direction_from direction_from;
    weft_direction_doubt direction_doubt;
    weft_weight_type weight_type;
    /* Blocks of wfi_take, or arrays in `mapping`, `lent` or `share`. in.offsets is NULL until the transpose is made;
     * undirected graphs never have one. */
    wfi_view out, in;
    wfi_ids ids;
    struct wfi_vertex_data *attributes; /* of vertices (attributes.h), or NULL */
    struct wfi_sides *sides;            /* of a bipartite graph (sides.h); NULL: vertices of one kind */
    const struct weft_graph *base;      /* graph that owns the arrays other than attributes; NULL: this one does */

    uint64_t records, self_loops, self_loops_dropped, duplicates_dropped;
    weft_label label;
    const char *format; /* static text */
    double load_ms;
    wfi_ambiguous *ambiguous;          /* NULL: weights are unambiguous */
    struct wfi_table_columns *columns; /* of a table, for weft_graph_info, or NULL */

    void *mapping; /* a mapped .weft file, or NULL; unmapped when the graph is freed */
    size_t mapping_bytes;
    int mapping_file;        /* descriptor of the same file, or -1 */
    wfi_lent lent;           /* used by the outgoing rows */
    struct wfi_share *share; /* distribution of the rows over ranks (share.h); NULL: all rows are here */
    void *binary;            /* reader's state of the file (src/io/weft/binary.c), a block of wfi_take, or NULL */

    /* State of a dynamic graph's snapshot whose rows and ids are not made yet; read atomically, NULL once they are.
     * n, arcs and edges are valid from the beginning. */
    void *unpacked;
    weft_status (*pack)(weft_ctx *ctx, struct weft_graph *g, void *unpacked); /* ctx may be NULL */
    void (*unpacked_drop)(void *unpacked);
    /* Snapshot: changes of the batches around its version, from which its GPU mirror may be made (cuda/trail.h);
     * NULL: unknown. */
    struct wfi_trail *trail;
    void (*trail_drop)(struct wfi_trail *trail);
    uint64_t version;

    unsigned owners; /* reference count, atomic */
    pthread_mutex_t lock;
    weft_vid *degree_order;         /* NULL until made */
    weft_vid max_out_degree_vertex; /* vertex of maximum out-degree plus 1, atomic; 0: unknown */
    struct wfi_mirror *mirror;      /* copy on the GPU (cuda/mirror.cuh), or NULL */
    void (*mirror_free)(struct wfi_mirror *mirror);
    bool described;
    weft_graph_info info; /* valid when described */
};

/* Bytes of a weight: 0, 4 or 8. */
static inline size_t wfi_weight_bytes(weft_weight_type type) {
    switch (type) {
    case WEFT_WEIGHT_NONE: return 0;
    case WEFT_WEIGHT_U32: return sizeof(uint32_t);
    case WEFT_WEIGHT_F32: return sizeof(float);
    case WEFT_WEIGHT_F64: return sizeof(double);
    }
    return 0;
}

/* True for weights that may be negative or fractional. */
static inline bool wfi_weights_real(weft_weight_type type) {
    return type == WEFT_WEIGHT_F32 || type == WEFT_WEIGHT_F64;
}

/* Weight of arc e; 1 in an unweighted graph. */
WFI_HOST_DEVICE static inline double wfi_weight_at(weft_weight_type type, const void *weights, weft_eid e) {
    switch (type) {
    case WEFT_WEIGHT_NONE: return 1;
    case WEFT_WEIGHT_U32: return ((const uint32_t *)weights)[e];
    case WEFT_WEIGHT_F32: return (double)((const float *)weights)[e];
    case WEFT_WEIGHT_F64: return ((const double *)weights)[e];
    }
    return 1;
}

/* Shortest decimal text that reads back to the weight, for messages. */
typedef struct wfi_weight_text {
    char text[32];
} wfi_weight_text;
wfi_weight_text wfi_weight_as_text(const weft_graph *g, weft_eid e);

/* Makes an empty graph for the caller to fill. NULL if memory runs out. */
weft_graph *wfi_graph_new(weft_ctx *ctx);
/* Copies the fields of g that depend only on its vertices and edges; not rows, ids or anything derived. */
void wfi_graph_copy_facts(const weft_graph *g, weft_graph *fresh);
/* Makes a graph that shares the rows and ids of g and keeps it alive; without attributes, sides or ambiguous
 * weights. */
weft_graph *wfi_graph_shell(weft_ctx *ctx, const weft_graph *g);
/* Adds a reference, released by wfi_graph_drop. */
const weft_graph *wfi_graph_keep(const weft_graph *g);
void wfi_graph_drop(const weft_graph *g);

/* Ensures that rows and ids exist; every function with a graph from outside calls wfi_graph_ready. ctx may be NULL. */
weft_status wfi_graph_unpack(weft_ctx *ctx, const weft_graph *g);
static inline bool wfi_graph_is_packed(const weft_graph *g) { return !__atomic_load_n(&g->unpacked, __ATOMIC_ACQUIRE); }
static inline weft_status wfi_graph_ready(weft_ctx *ctx, const weft_graph *g) {
    return wfi_graph_is_packed(g) ? WEFT_OK : wfi_graph_unpack(ctx, g);
}
/* WFI_NEED_OR_RETURN for a graph, made ready. */
#define WFI_NEED_GRAPH_OR_RETURN(ctx, g)                  \
    do {                                                  \
        WFI_NEED_OR_RETURN(ctx, g);                       \
        weft_status ready_ = wfi_graph_ready((ctx), (g)); \
        if (ready_) return ready_;                        \
    } while (0)

/* WEFT_EUNSUPPORTED for a distributed graph, for functions that need all rows. ctx may be NULL. */
weft_status wfi_graph_whole(weft_ctx *ctx, const weft_graph *g);
/* WFI_NEED_GRAPH_OR_RETURN for a graph that is not distributed. */
#define WFI_NEED_ROWS_OR_RETURN(ctx, g)                   \
    do {                                                  \
        WFI_NEED_GRAPH_OR_RETURN(ctx, g);                 \
        weft_status whole_ = wfi_graph_whole((ctx), (g)); \
        if (whole_) return whole_;                        \
    } while (0)

/* Incoming rows if they exist (always in an undirected graph), else NULL. Needs no lock: in.offsets is set last, and
 * once. */
static inline const wfi_view *wfi_in_at_hand(const weft_graph *g) {
    if (!g->directed) return &g->out;
    return __atomic_load_n(&g->in.offsets, __ATOMIC_ACQUIRE) ? &g->in : NULL;
}

/* Makes g->in unless it exists or the graph is undirected. */
weft_status wfi_graph_need_in(weft_ctx *ctx, const weft_graph *g);

/* Transposes `rows` of n vertices; the new rows ascend because sources are visited in order. */
weft_status wfi_transpose(weft_ctx *ctx, weft_vid n, weft_eid arcs, weft_weight_type type, const wfi_view *rows,
                          wfi_view *out);
/* Bytes of rows as wfi_memory counts them; peak bytes of wfi_transpose with the context's threads, including its
 * result. */
uint64_t wfi_rows_bytes(weft_vid n, weft_eid arcs, weft_weight_type type);
uint64_t wfi_transpose_bytes(const weft_ctx *ctx, weft_vid n, weft_eid arcs, weft_weight_type type);

static inline uint64_t wfi_degree(const wfi_view *rows, weft_vid v) { return rows->offsets[v + 1] - rows->offsets[v]; }

/* Smallest vertex of maximum out-degree. Needs a graph with vertices. */
weft_vid wfi_max_out_degree_vertex(weft_ctx *ctx, const weft_graph *g);

/* WEFT_EINPUT for an outgoing arc with an unusable weight; the message names its ends, the weight and the rule.
 * wfi_refuse_weight: for algorithms that need weights >= 0. */
weft_status wfi_fail_weight(weft_ctx *ctx, const char *where, const weft_graph *g, weft_eid arc, const char *rule);
weft_status wfi_refuse_weight(weft_ctx *ctx, const char *algorithm, const weft_graph *g, weft_eid arc);
/* WEFT_EINPUT for a sum of weights, or a function of sums, that overflows a double. */
weft_status wfi_refuse_beyond(weft_ctx *ctx, const char *algorithm);

/* True if the array lies in a mapped file, in the caller's memory or in the base graph. */
bool wfi_graph_lent(const weft_graph *g, const void *block);
/* Frees an array of the graph unless it is lent. */
void wfi_graph_free_array(const weft_graph *g, const void *block);

/* Warns if integer weights were rounded to f32 or f64. */
void wfi_warn_rounded(weft_ctx *ctx, uint64_t count, weft_weight_type type);
/* Converts the weights of a graph to the requested type; `where` begins the messages. Does nothing for an unweighted
 * graph. */
weft_status wfi_graph_weights_as(weft_ctx *ctx, const char *where, weft_graph *g, weft_weight_type type);

/* wfi_graph_refuse_ambiguous: WEFT_EINVAL if the weights that `what` depends on are ambiguous.
 * wfi_graph_copy_ambiguous: copies the record of ambiguous weights. */
weft_status wfi_graph_refuse_ambiguous(weft_ctx *ctx, const char *what, const weft_graph *g);
weft_status wfi_graph_copy_ambiguous(weft_ctx *ctx, const weft_graph *g, weft_graph *fresh);
/* Shortest decimal text that reads back to a weight of this type. */
wfi_weight_text wfi_weight_value_text(weft_weight_type type, double w);

/* Sets g->direction_doubt if a graph of assumed direction looks undirected. Collective for a distributed graph. */
weft_status wfi_graph_doubt_direction(weft_ctx *ctx, weft_graph *g);

/* Vertex with this id, as text; WEFT_NO_VERTEX if there is none. */
weft_vid wfi_graph_find_id(const weft_graph *g, const char *text, size_t length);

/* Frees the arrays of the id map. */
void wfi_ids_free(wfi_ids *ids);

WFI_C_END
#endif
