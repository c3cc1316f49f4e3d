/* Incremental algorithms on a dynamic graph. A tracker has a state by slot that is valid for the current graph.
 * Method: the changes of a batch are made one by one in the adjacency lists, and each change is passed to every
 * tracker with a valid state. A tracker that gives up, or for which the batch would cost more than a run from
 * scratch, becomes invalid with a reason; its next result is computed from scratch on a snapshot, and its state is
 * loaded from that. An undo log reverts a failed batch, change by change, through the same functions. */
#ifndef WFI_DYNAMIC_FOLLOW_H
#define WFI_DYNAMIC_FOLLOW_H

#include "dynamic/adjacency.h"
#include "dynamic/dynamic.h"
#include "weft/registry.h"

typedef struct wfi_edge_change {
    weft_change what; /* INSERT, DELETE or WEIGHT */
    weft_vid u, v;
    double before, after; /* weights; 1 in an unweighted graph */
} wfi_edge_change;

/* Map between slots and the vertices of the newest version; both arrays are NULL if slots equal vertices. */
typedef struct wfi_slot_map {
    weft_vid *vertex, *order; /* by slot; by vertex */
} wfi_slot_map;

struct wfi_follower;

struct weft_tracker {
    weft_dynamic *d; /* NULL once the dynamic graph is freed */
    weft_tracker *next;
    const weft_algorithm_info *algorithm;
    const struct wfi_follower *kind; /* NULL: always from scratch */
    void *params;                    /* owned */
    weft_track_params how;
    weft_vid source; /* slot of the parameters' source, or WEFT_NO_VERTEX */
    bool chosen;     /* the source was not given: it is the vertex of maximum out-degree */
    void *state;
    bool valid;
    bool unanswered;  /* the state is valid but gives no result for this graph */
    uint64_t spent;   /* arcs visited in this batch */
    uint64_t budget;  /* limit of `spent`, beyond which following does not pay */
    bool incremental; /* the last result was incremental */
    uint64_t version, followed, recomputed;
    double error_bound;
    char reason[256];
};

/* First member of a state; all zero before the first slot is added. */
typedef struct wfi_by_slot {
    weft_vid slots;
    uint64_t capacity; /* capacity of the arrays in slots */
} wfi_by_slot;

/* An array of the state: offset of its pointer, and bytes per slot; 0: it grows by other means and is only freed. */
typedef struct wfi_slot_array {
    size_t at, each;
} wfi_slot_array;
#define WFI_BY_SLOT(field) \
    { offsetof(state, field), sizeof *((state *)0)->field }
#define WFI_OWN(field) \
    { offsetof(state, field), 0 }
/* Initialisers of a follower with a `state` and its `arrays`. */
#define WFI_STATE .state_bytes = sizeof(state), .arrays = arrays, .array_count = sizeof arrays / sizeof *arrays

/* How an algorithm is followed. */
typedef struct wfi_follower {
    uint64_t change_cost; /* cost of one change in visited arcs of a run from scratch */
    size_t state_bytes;   /* 0: no state beside the adjacency lists */
    const wfi_slot_array *arrays;
    size_t array_count;
    /* Returns why this graph or these parameters are not followed, NULL if they are. May be NULL. */
    const char *(*declines)(const weft_tracker *t);
    /* Loads the state of the current graph from a result on a snapshot; its slots are new. If the graph cannot be
     * followed, returns WEFT_OK with `valid` unset. May be NULL. */
    weft_status (*load)(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map);
    /* Initialises the array elements of new slots from ... to - 1. */
    weft_status (*grown)(weft_ctx *ctx, void *state, weft_vid from, weft_vid to);
    /* Follows a change that was already made in the adjacency lists, or calls wfi_invalidate. May be NULL. */
    void (*change)(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c);
    /* Makes the result, equal to that of a run; there is none if afterwards the state is invalid or `unanswered` is
     * set. NULL: nothing is followed. */
    weft_status (*answer)(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r);
    /* Instead of a run from scratch; may be NULL. */
    weft_status (*run)(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const wfi_slot_map *map, weft_result **r);
    /* Called before a change is made: true refuses it, with a message. May be NULL. */
    bool (*refuses)(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c);
    bool warms; /* a run can begin with the last result (weft_track_params.warm) */
} wfi_follower;

/* The follower in the algorithm's descriptor (run/params.c), or NULL. */
const wfi_follower *wfi_follower_of(const weft_algorithm_info *algorithm);

/* State of a dynamic graph with trackers. */
typedef struct wfi_following {
    weft_tracker *trackers;
    wfi_adjacency adjacency; /* out is NULL until loaded */
    wfi_slot_map map;
    bool mapped;
    wfi_edge_change *undo; /* changes of this batch */
    size_t count, capacity;
} wfi_following;

static inline const wfi_adjacency *wfi_adjacency_of(const weft_tracker *t) { return &t->d->following->adjacency; }
static inline weft_vid wfi_vertex_of(const wfi_slot_map *n, weft_vid slot) {
    return n->vertex ? n->vertex[slot] : slot;
}
static inline weft_vid wfi_slot_of(const wfi_slot_map *n, weft_vid vertex) {
    return n->order ? n->order[vertex] : vertex;
}

/* Marks the state as invalid, with a reason. */
void wfi_invalidate(weft_tracker *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* wfi_state_begin replaces the state by a new one with all slots of the adjacency lists; wfi_state_end frees it. */
weft_status wfi_state_begin(weft_ctx *ctx, weft_tracker *t);
void wfi_state_end(weft_tracker *t);
/* Counts visited arcs; false, with the state invalidated, beyond the budget. */
bool wfi_spend(weft_tracker *t, uint64_t arcs);

/* True if the undirected simple graph changes. */
static inline bool wfi_is_simple(const wfi_adjacency *l, const wfi_edge_change *c) {
    double weight;
    return c->what != WEFT_CHANGE_WEIGHT && c->u != c->v && !(l->directed && wfi_adjacency_has(l, c->v, c->u, &weight));
}

/* Add columns and scalars to a result; values are copied. */
weft_status wfi_add_column(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, weft_vid n,
                           const void *data);
weft_status wfi_add_table(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, size_t length,
                          const void *data);
weft_status wfi_add_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value);
weft_status wfi_add_f64(weft_ctx *ctx, weft_result *r, const char *name, double value);

/* --- for weft_dynamic_apply --- */
struct wfi_batch;
/* Passes the resolved batch to the adjacency lists and the trackers. WEFT_EINVAL if a tracker refuses it. */
weft_status wfi_follow_batch(struct wfi_batch *b);
/* End of a failed, or of a published, batch. */
void wfi_follow_rollback(weft_ctx *ctx, weft_dynamic *d);
void wfi_follow_commit(weft_dynamic *d);
void wfi_follow_end(weft_dynamic *d);
/* Ensures a valid state of a tracker that refuses changes. */
weft_status wfi_tracker_guards(weft_ctx *ctx, weft_tracker *t);

#endif
