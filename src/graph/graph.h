/* The graph inside the library.  Immutable once wfi_graph_build or a reader returns it; the parts made on first use
 * (transpose, degree order, statistics) are guarded by `lock`. */
#ifndef WFI_GRAPH_H
#define WFI_GRAPH_H

#include "core/core.h"

#include <pthread.h>

WFI_C_BEGIN

/* Rows in compressed sparse row (CSR) form, in the host's memory or the GPU's: one direction of a graph, or a range of
 * its vertices.  Row k is that of the vertex first + k, and has targets[offsets[k] - base] ... targets[offsets[k + 1] -
 * base - 1], ascending, and as many weights.  A view of a whole graph has base and first 0 and count n.
 * A view owns nothing; whoever made the arrays frees them. */
typedef struct wfi_view {
    const weft_eid *offsets; /* count + 1; NULL: there are no such rows */
    const weft_vid *targets; /* vertices below n */
    const void *weights;     /* NULL: there are none, or they are not here */
    weft_eid base;
    weft_vid first, count, n;
    weft_weight_type type;
} wfi_view;

/* All rows of a graph, whose arrays are still to come. */
static inline wfi_view wfi_view_of(weft_vid n, weft_weight_type type) {
    wfi_view rows = {NULL, NULL, NULL, 0, 0, n, n, type};
    return rows;
}

/* For whoever made the arrays: to fill them. */
static inline weft_eid *wfi_own_offsets(const wfi_view *rows) { return (weft_eid *)(uintptr_t)rows->offsets; }
static inline weft_vid *wfi_own_targets(const wfi_view *rows) { return (weft_vid *)(uintptr_t)rows->targets; }
static inline char *wfi_own_weights(const wfi_view *rows) { return (char *)(uintptr_t)rows->weights; }

/* File ids.  dense: id = base + v.  sparse: number[v].  string: bytes text[start[v]] ... text[start[v+1]-1].
 * by_id lists the vertices in ascending id order; NULL when that is 0, 1, 2, ... */
typedef struct wfi_ids {
    weft_id_kind kind;
    int64_t base;
    int64_t *number;
    uint64_t *start; /* n + 1 */
    char *text;
    weft_vid *by_id;
} wfi_ids;

/* One block: the names lie after the list. */
typedef struct wfi_table_columns {
    const char *source, *target, *weight;
    size_t passed_over_count;
    const char *passed_over[];
} wfi_table_columns;

/* Pairs of vertices with several edges, of some kind.  The first pair is that of the smallest row, then target. */
enum { WFI_SHOWN_WEIGHTS = 4 };
typedef struct wfi_parallel_edges {
    uint64_t pairs;
    uint64_t first; /* row << 32 | target */
    uint64_t edges; /* between these two, and the weights of the first ones in the order of the file */
    double weight[WFI_SHOWN_WEIGHTS];
    uint64_t line[2]; /* of the first two in the file, or of the first each way; 0: not known */
} wfi_parallel_edges;

/* Parallel edges of a file with different weights became one, with the smallest, without a rule for that: how many, and
 * a sentence about them.  One block. */
typedef struct wfi_ambiguous {
    wfi_parallel_edges parallel, opposite;
    size_t bytes;
    char words[];
} wfi_ambiguous;

/* Arrays of a caller's that a graph keeps.  NULL where it has its own. */
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
    /* Blocks of wfi_take, or in `mapping`, `lent` or `share`.  in.offsets is NULL until the transpose is made; it is
     * never made for undirected graphs. */
    wfi_view out, in;
    wfi_ids ids;
    struct wfi_vertex_data *attributes; /* of vertices (attributes.h); NULL: there are none */
    struct wfi_sides *sides;            /* of a bipartite graph (sides.h); NULL: its vertices are of one kind */
    const struct weft_graph *base;      /* whose arrays these are, attributes apart; NULL: its own */

    uint64_t records, self_loops, self_loops_dropped, duplicates_dropped;
    weft_label label;
    const char *format; /* static text */
    double load_ms;
    wfi_ambiguous *ambiguous;          /* NULL: weights are not */
    struct wfi_table_columns *columns; /* of a table: what weft_graph_info tells of them, or NULL */

    void *mapping; /* a .weft file, or NULL; munmap'ed at the end */
    size_t mapping_bytes;
    int mapping_file;        /* the same file to read from, or -1 */
    wfi_lent lent;           /* of the outgoing rows */
    struct wfi_share *share; /* ranks have the rows between them (share.h); NULL: all are here */
    void *binary;            /* what src/io/weft/binary.c must remember of the file (a block of wfi_take), or NULL */

    /* A snapshot of a dynamic graph whose rows and ids are not here yet; atomically, NULL = they are.  n, arcs and
     * edges are right from the beginning. */
    void *unpacked;
    weft_status (*pack)(weft_ctx *ctx, struct weft_graph *g, void *unpacked); /* ctx may be NULL */
    void (*unpacked_drop)(void *unpacked);
    /* A snapshot's: what the batches before and after its version changed, from which its mirror may be made
     * (cuda/trail.h); NULL: it is not known. */
    struct wfi_trail *trail;
    void (*trail_drop)(struct wfi_trail *trail);
    uint64_t version;

    unsigned owners; /* atomically */
    pthread_mutex_t lock;
    weft_vid *degree_order;    /* NULL until made */
    weft_vid busiest;          /* and 1 more, atomically; 0 until it was looked for */
    struct wfi_mirror *mirror; /* what lies on the GPU (cuda/mirror.cuh), or NULL */
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

/* Weights that may be negative or have a fraction. */
static inline bool wfi_weights_real(weft_weight_type type) {
    return type == WEFT_WEIGHT_F32 || type == WEFT_WEIGHT_F64;
}

/* Without weights every arc counts 1. */
WFI_HOST_DEVICE static inline double wfi_weight_at(weft_weight_type type, const void *weights, weft_eid e) {
    switch (type) {
    case WEFT_WEIGHT_NONE: return 1;
    case WEFT_WEIGHT_U32: return ((const uint32_t *)weights)[e];
    case WEFT_WEIGHT_F32: return (double)((const float *)weights)[e];
    case WEFT_WEIGHT_F64: return ((const double *)weights)[e];
    }
    return 1;
}

/* For a message: the fewest digits that read back to the weight. */
typedef struct wfi_weight_text {
    char text[32];
} wfi_weight_text;
wfi_weight_text wfi_weight_as_text(const weft_graph *g, weft_eid e);

/* An empty shell with its lock; the caller fills it.  NULL when out of memory. */
weft_graph *wfi_graph_new(weft_ctx *ctx);
/* Everything but rows, ids and what hangs on them; for a graph of the same vertices and edges. */
void wfi_graph_copy_facts(const weft_graph *g, weft_graph *fresh);
/* Another graph with the rows and ids of g, which it keeps; it has no attributes, sides or ambiguous weights. */
weft_graph *wfi_graph_shell(weft_ctx *ctx, const weft_graph *g);
/* Adds an owner of a graph, which releases it with wfi_graph_drop. */
const weft_graph *wfi_graph_keep(const weft_graph *g);
void wfi_graph_drop(const weft_graph *g);

/* Rows and ids are here: what every function asks for that is given a graph from outside.  ctx may be NULL. */
weft_status wfi_graph_unpack(weft_ctx *ctx, const weft_graph *g);
static inline bool wfi_graph_is_packed(const weft_graph *g) { return !__atomic_load_n(&g->unpacked, __ATOMIC_ACQUIRE); }
static inline weft_status wfi_graph_ready(weft_ctx *ctx, const weft_graph *g) {
    return wfi_graph_is_packed(g) ? WEFT_OK : wfi_graph_unpack(ctx, g);
}
/* WFI_NEED_OR_RETURN for a graph. */
#define WFI_NEED_GRAPH_OR_RETURN(ctx, g)                  \
    do {                                                  \
        WFI_NEED_OR_RETURN(ctx, g);                       \
        weft_status ready_ = wfi_graph_ready((ctx), (g)); \
        if (ready_) return ready_;                        \
    } while (0)

/* WEFT_EUNSUPPORTED if rows of the graph are on other ranks: for functions that want all of them.  ctx may be NULL. */
weft_status wfi_graph_whole(weft_ctx *ctx, const weft_graph *g);
/* WFI_NEED_GRAPH_OR_RETURN for these. */
#define WFI_NEED_ROWS_OR_RETURN(ctx, g)                   \
    do {                                                  \
        WFI_NEED_GRAPH_OR_RETURN(ctx, g);                 \
        weft_status whole_ = wfi_graph_whole((ctx), (g)); \
        if (whole_) return whole_;                        \
    } while (0)

/* The rows of incoming arcs if they are available (those of an undirected graph always are), else NULL.  Needs no lock:
 * in.offsets is set last, and once. */
static inline const wfi_view *wfi_in_at_hand(const weft_graph *g) {
    if (!g->directed) return &g->out;
    return __atomic_load_n(&g->in.offsets, __ATOMIC_ACQUIRE) ? &g->in : NULL;
}

/* Builds g->in if it does not exist and the graph is directed. */
weft_status wfi_graph_need_in(weft_ctx *ctx, const weft_graph *g);

/* The transpose of `rows` over n vertices: rows ascend because sources are visited in order. */
weft_status wfi_transpose(weft_ctx *ctx, weft_vid n, weft_eid arcs, weft_weight_type type, const wfi_view *rows,
                          wfi_view *out);
/* What rows hold, as the memory counts it; and what wfi_transpose holds at most with the context's threads, its result
 * included. */
uint64_t wfi_rows_bytes(weft_vid n, weft_eid arcs, weft_weight_type type);
uint64_t wfi_transpose_bytes(const weft_ctx *ctx, weft_vid n, weft_eid arcs, weft_weight_type type);

static inline uint64_t wfi_degree(const wfi_view *rows, weft_vid v) { return rows->offsets[v + 1] - rows->offsets[v]; }

/* The vertex with the most outgoing arcs, the smallest of several; the graph has vertices. */
weft_vid wfi_max_out_degree_vertex(weft_ctx *ctx, const weft_graph *g);

/* WEFT_EINPUT for an outgoing arc whose weight cannot be used: names its ends, the weight and the rule.  The second: of
 * algorithms that take weights of 0 or more. */
weft_status wfi_fail_weight(weft_ctx *ctx, const char *where, const weft_graph *g, weft_eid arc, const char *rule);
weft_status wfi_refuse_weight(weft_ctx *ctx, const char *algorithm, const weft_graph *g, weft_eid arc);
/* A sum of weights, or what is made of sums, has no double. */
weft_status wfi_refuse_beyond(weft_ctx *ctx, const char *algorithm);

/* Does the array lie in a mapped file, or in the memory of a caller? */
bool wfi_graph_lent(const weft_graph *g, const void *block);
/* An array of the graph, which is not freed if it does. */
void wfi_graph_free_array(const weft_graph *g, const void *block);

/* Warns if integers were rounded on their way to f32 or f64. */
void wfi_warn_rounded(weft_ctx *ctx, uint64_t count, weft_weight_type type);
/* Weights that were read become what was asked for; `where` is for messages.  Nothing is done to a graph without
 * weights. */
weft_status wfi_graph_weights_as(weft_ctx *ctx, const char *where, weft_graph *g, weft_weight_type type);

/* WEFT_EINVAL if the weights are ambiguous, which `what` depends on.  The second: the fresh graph's are as g's. */
weft_status wfi_graph_refuse_ambiguous(weft_ctx *ctx, const char *what, const weft_graph *g);
weft_status wfi_graph_copy_ambiguous(weft_ctx *ctx, const weft_graph *g, weft_graph *fresh);
/* A weight of that type, for a message: the fewest digits that read back to it. */
wfi_weight_text wfi_weight_value_text(weft_weight_type type, double w);

/* Looks for signs that a graph whose direction was assumed is undirected: sets g->direction_doubt.  Ranks that share
 * the graph all call it. */
weft_status wfi_graph_doubt_direction(weft_ctx *ctx, weft_graph *g);

/* The vertex with this id, as text; WEFT_NO_VERTEX: there is none. */
weft_vid wfi_graph_find_id(const weft_graph *g, const char *text, size_t length);

/* Frees what the id map owns. */
void wfi_ids_free(wfi_ids *ids);

WFI_C_END
#endif
