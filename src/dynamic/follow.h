/* Answers that follow a dynamic graph.  A tracker has a state, by slot, which stands for the graph as it is now.  Each
 * change of a batch is made in the links, one after the other, and then told to every tracker whose state stands.  A
 * tracker that gives up, or whose turn would cost more than starting anew, says why; the next result is then computed
 * from scratch on a snapshot, and the state is loaded from it.  A batch that fails is taken back change by change, in
 * the same way. */
#ifndef WFI_DYNAMIC_FOLLOW_H
#define WFI_DYNAMIC_FOLLOW_H

#include "dynamic/dynamic.h"
#include "dynamic/links.h"

typedef struct wfi_link_change {
    weft_change what; /* INSERT, DELETE or WEIGHT of an edge */
    weft_vid u, v;
    double before, after; /* weights; 1 without any */
} wfi_link_change;

/* Numbers of vertices: both NULL if slots are vertices. */
typedef struct wfi_numbering {
    weft_vid *vertex, *order;
} wfi_numbering;

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
    bool stands;
    bool passed;      /* it has no answer to this graph, though it stands */
    uint64_t spent;   /* arcs looked at in this batch */
    uint64_t budget;  /* more are not worth it */
    bool incremental; /* the last result */
    uint64_t version, followed, recomputed;
    double error_bound;
    char reason[256];
};

/* How one algorithm is followed. */
typedef struct wfi_follower {
    uint64_t change_cost; /* arcs of a run from scratch that take as long as one change */
    /* Why this graph and these params are not followed, in words; NULL = they are.  The function may be NULL. */
    const char *(*declines)(const weft_tracker *t);
    /* The state of the graph as it is, from a result on a snapshot of it.  Sets `reason` and returns WEFT_OK without
     * `stands` when it cannot be followed. */
    weft_status (*load)(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_numbering *number);
    /* So many slots. */
    weft_status (*grow)(weft_ctx *ctx, weft_tracker *t, weft_vid slots);
    /* A change that the links show already; wfi_lose when it cannot be followed. */
    void (*change)(weft_ctx *ctx, weft_tracker *t, const wfi_link_change *c);
    /* The answer, equal to that of a run; a state that does not stand afterwards, or passed, gave none. */
    weft_status (*answer)(weft_ctx *ctx, weft_tracker *t, const wfi_numbering *number, weft_result *r);
    /* Instead of a run from scratch; may be NULL. */
    weft_status (*run)(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const wfi_numbering *number,
                       weft_result **r);
    /* Must a change not be made?  Before the links show it; the message says why.  May be NULL. */
    bool (*refuses)(weft_ctx *ctx, weft_tracker *t, const wfi_link_change *c);
    void (*end)(void *state);
    bool warms; /* a run may begin with the last result (weft_track_params.warm) */
} wfi_follower;

/* That of the algorithm's descriptor (algo/params.c).  NULL: there is none. */
const wfi_follower *wfi_follower_of(const weft_algorithm_info *algorithm);

/* What a dynamic graph with trackers keeps. */
typedef struct wfi_following {
    weft_tracker *trackers;
    wfi_links links; /* out is NULL: to be loaded */
    wfi_numbering number;
    bool numbered;
    wfi_link_change *made; /* in this batch */
    size_t count, room;
} wfi_following;

static inline const wfi_links *wfi_links_of(const weft_tracker *t) { return &t->d->following->links; }
static inline weft_vid wfi_vertex_of(const wfi_numbering *n, weft_vid slot) {
    return n->vertex ? n->vertex[slot] : slot;
}
static inline weft_vid wfi_slot_of(const wfi_numbering *n, weft_vid vertex) {
    return n->order ? n->order[vertex] : vertex;
}

/* The state no longer stands. */
void wfi_lose(weft_tracker *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Counts arcs looked at; false: it was too much, and the state no longer stands. */
bool wfi_spend(weft_tracker *t, uint64_t arcs);

/* True: the edge that changed is one without regard to direction too, and no loop. */
static inline bool wfi_is_simple(const wfi_links *l, const wfi_link_change *c) {
    double weight;
    return c->what != WEFT_CHANGE_WEIGHT && c->u != c->v && !(l->directed && wfi_links_has(l, c->v, c->u, &weight));
}

/* Incremental or from scratch: a pure function of figures, with its reason. */
bool wfi_follow_pays(uint64_t change_cost, uint64_t changes, uint64_t vertices, uint64_t arcs, char reason[256]);

/* Parts of a result; values are copied. */
weft_status wfi_add_column(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, weft_shape shape,
                           size_t length, const void *data);
weft_status wfi_add_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value);
weft_status wfi_add_f64(weft_ctx *ctx, weft_result *r, const char *name, double value);

/* --- for weft_dynamic_apply --- */
struct wfi_batch;
/* The batch, resolved, reaches the links and the trackers.  WEFT_EINVAL: a tracker refuses it. */
weft_status wfi_follow_batch(struct wfi_batch *b);
/* It failed after all; or it is done. */
void wfi_follow_undo(weft_ctx *ctx, weft_dynamic *d);
void wfi_follow_settle(weft_dynamic *d);
void wfi_follow_end(weft_dynamic *d);
/* A result from scratch, and the state from it. */
weft_status wfi_tracker_refresh(weft_ctx *ctx, weft_tracker *t, weft_result **out);
/* The state of one that refuses stands when this returns. */
weft_status wfi_tracker_guards(weft_ctx *ctx, weft_tracker *t);
/* Links, numbers: there when this returns.  g is a snapshot of the graph as it is. */
weft_status wfi_follow_links(weft_ctx *ctx, weft_dynamic *d, const weft_graph *g);
weft_status wfi_follow_number(weft_ctx *ctx, weft_dynamic *d);

#endif
