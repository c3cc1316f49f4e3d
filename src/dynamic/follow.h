/* Incremental algorithms on a dynamic graph.  A tracker keeps a state, by slot, that is valid for the graph as it is.
 * Method: each change of a batch is made in the adjacency lists, one after the other, and then passed to every tracker
 * whose state is valid.  A tracker that gives up, or for which the batch costs more than a run from scratch, becomes
 * invalid and says why; its next result is computed from scratch on a snapshot, and the state is loaded from it.  An
 * undo log takes a failed batch back, change by change, through the same functions. */
#ifndef WFI_DYNAMIC_FOLLOW_H
#define WFI_DYNAMIC_FOLLOW_H

#include "dynamic/adjacency.h"
#include "dynamic/dynamic.h"

typedef struct wfi_edge_change {
    weft_change what; /* INSERT, DELETE or WEIGHT of an edge */
    weft_vid u, v;
    double before, after; /* weights; 1 without any */
} wfi_edge_change;

/* Between slots and the vertices of the newest version: both NULL if slots are vertices. */
typedef struct wfi_slot_map {
    weft_vid *vertex, *order; /* of each slot; of each vertex */
} wfi_slot_map;

struct wfi_follower;

struct weft_tracker {
    weft_dynamic *d; /* NULL: it is gone */
    weft_tracker *next;
    const weft_algorithm_info *algorithm;
    const struct wfi_follower *kind; /* NULL: always from scratch */
    void *params;                    /* own */
    weft_track_params how;
    weft_vid source; /* slot of the params' source, WEFT_NO_VERTEX = there is none */
    bool chosen;     /* nobody gave it: it is the vertex with the most edges */
    void *state;
    bool valid;
    bool unanswered;  /* the state is valid, but has no answer for this graph */
    uint64_t spent;   /* arcs looked at in this batch */
    uint64_t budget;  /* more are not worth it */
    bool incremental; /* the last result */
    uint64_t version, followed, recomputed;
    double error_bound;
    char reason[256];
};

/* What a state begins with; all zero before its first slots. */
typedef struct wfi_by_slot {
    weft_vid slots;
    uint64_t room; /* of its arrays */
} wfi_by_slot;

/* An array of the state: where its pointer lies, and bytes for each slot; 0: it grows otherwise, and is only freed. */
typedef struct wfi_slot_array {
    size_t at, each;
} wfi_slot_array;
#define WFI_BY_SLOT(field) \
    { offsetof(state, field), sizeof *((state *)0)->field }
#define WFI_OWN(field) \
    { offsetof(state, field), 0 }
/* In a follower: its state, and `arrays` of that. */
#define WFI_STATE .state_bytes = sizeof(state), .arrays = arrays, .array_count = sizeof arrays / sizeof *arrays

/* How one algorithm is followed. */
typedef struct wfi_follower {
    uint64_t change_cost; /* arcs of a run from scratch that take as long as one change */
    size_t state_bytes;   /* 0: the adjacency lists are all that it needs */
    const wfi_slot_array *arrays;
    size_t array_count;
    /* Why this graph and these params are not followed, in words; NULL = they are.  The function may be NULL. */
    const char *(*declines)(const weft_tracker *t);
    /* The state of the graph as it is, from a result on a snapshot of it; its slots are new.  Where it cannot be
     * followed: WEFT_OK, and not `valid`.  May be NULL. */
    weft_status (*load)(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map);
    /* Slots from ... to-1 are new: their places in the arrays are not initialised. */
    weft_status (*grown)(weft_ctx *ctx, void *state, weft_vid from, weft_vid to);
    /* A change that the adjacency lists show already; wfi_invalidate when it cannot be followed.  May be NULL. */
    void (*change)(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c);
    /* The answer, equal to that of a run; none if the state is not valid afterwards, or `unanswered`.  NULL: nothing
     * is followed. */
    weft_status (*answer)(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r);
    /* Instead of a run from scratch; may be NULL. */
    weft_status (*run)(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const wfi_slot_map *map, weft_result **r);
    /* Asked before a change is made: true refuses it, and the message says why.  May be NULL. */
    bool (*refuses)(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c);
    bool warms; /* a run may begin with the last result (weft_track_params.warm) */
} wfi_follower;

/* That of the algorithm's descriptor (run/params.c).  NULL: there is none. */
const wfi_follower *wfi_follower_of(const weft_algorithm_info *algorithm);

/* What a dynamic graph with trackers keeps. */
typedef struct wfi_following {
    weft_tracker *trackers;
    wfi_adjacency adjacency; /* out is NULL: to be loaded */
    wfi_slot_map map;
    bool mapped;
    wfi_edge_change *undo; /* log of this batch's changes */
    size_t count, room;
} wfi_following;

static inline const wfi_adjacency *wfi_adjacency_of(const weft_tracker *t) { return &t->d->following->adjacency; }
static inline weft_vid wfi_vertex_of(const wfi_slot_map *n, weft_vid slot) {
    return n->vertex ? n->vertex[slot] : slot;
}
static inline weft_vid wfi_slot_of(const wfi_slot_map *n, weft_vid vertex) {
    return n->order ? n->order[vertex] : vertex;
}

/* The state is no longer valid. */
void wfi_invalidate(weft_tracker *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A state with all slots of the adjacency lists instead of the one that there may be; and none. */
weft_status wfi_state_begin(weft_ctx *ctx, weft_tracker *t);
void wfi_state_end(weft_tracker *t);
/* Counts arcs looked at; false: they were too many, and the state is no longer valid. */
bool wfi_spend(weft_tracker *t, uint64_t arcs);

/* True: the edge that changed is one without regard to direction too, and no loop. */
static inline bool wfi_is_simple(const wfi_adjacency *l, const wfi_edge_change *c) {
    double weight;
    return c->what != WEFT_CHANGE_WEIGHT && c->u != c->v && !(l->directed && wfi_adjacency_has(l, c->v, c->u, &weight));
}

/* Columns and scalars of a result; values are copied. */
weft_status wfi_add_column(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, weft_vid n,
                           const void *data);
weft_status wfi_add_table(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, size_t length,
                          const void *data);
weft_status wfi_add_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value);
weft_status wfi_add_f64(weft_ctx *ctx, weft_result *r, const char *name, double value);

/* --- for weft_dynamic_apply --- */
struct wfi_batch;
/* The resolved batch reaches the adjacency lists and the trackers.  WEFT_EINVAL: a tracker refuses it. */
weft_status wfi_follow_batch(struct wfi_batch *b);
/* It failed after all; or it is published. */
void wfi_follow_rollback(weft_ctx *ctx, weft_dynamic *d);
void wfi_follow_commit(weft_dynamic *d);
void wfi_follow_end(weft_dynamic *d);
/* The state of a tracker that refuses changes is valid when this returns. */
weft_status wfi_tracker_guards(weft_ctx *ctx, weft_tracker *t);

#endif
