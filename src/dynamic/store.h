/* The store of a dynamic graph: a copy-on-write radix tree with multiversion concurrency control (MVCC).
 *
 * Encoding: rows are those of slots, vertices numbered in order of arrival.  64 consecutive rows are a group, one
 * block; a row of more than WFI_LONG_ROW arcs is long: leaves under a list.  Groups are the leaves of a radix tree of
 * fan-out 256.
 * Method: blocks are never written once a version shows them, but for the delta records of group.h.  A batch copies the
 * groups it changes and the path above them, and publishes a new root: a version, which readers pin without locks.
 * Reclamation is by birth and death: a block carries the version it was born in, and what a batch supersedes goes on
 * the list of the version before.  When a version is dropped, the blocks on its list that an older one sees too (born
 * no later) move there, and the others are freed: exact, and without counting references, as in the deadlists of
 * ZFS. */
#ifndef WFI_DYNAMIC_STORE_H
#define WFI_DYNAMIC_STORE_H

#include "dynamic/slab.h"
#include "graph/graph.h"

#include <pthread.h>

/* The ids of slots (vertices.c): append-only lists with a reference count.  Readers of a version see as many entries as
 * it has slots, so appending needs no lock.  A full list is copied into a larger one; versions that know the old one
 * keep it. */
typedef struct wfi_slot_ids {
    _Atomic unsigned holders;
    bool names;
    weft_vid dense; /* the ids of slots before it are base + slot */
    int64_t base;
    uint64_t room;   /* slots from `dense` on that fit */
    int64_t *number; /* of slot dense + i */
    uint64_t *start; /* names: room + 1 */
    char *text;
    uint64_t text_room;
} wfi_slot_ids;

wfi_slot_ids *wfi_slot_ids_keep(wfi_slot_ids *ids);
void wfi_slot_ids_drop(wfi_slot_ids *ids);

static inline int64_t wfi_slot_number(const wfi_slot_ids *ids, weft_vid slot) {
    return slot < ids->dense ? ids->base + (int64_t)slot : ids->number[slot - ids->dense];
}
/* Ascending order of ids: numbers, or names by their bytes. */
int wfi_slot_compare(const wfi_slot_ids *ids, weft_vid a, weft_vid b);

/* A row becomes long above LONG_ROW and short again below SHORT_AGAIN; leaves of LEAF_MOST at most are cut to
 * LEAF_FILL. */
enum {
    WFI_GROUP_ROWS = 64,
    WFI_FAN = 256,
    WFI_LONG_ROW = 512,
    WFI_SHORT_AGAIN = 256,
    WFI_LEAF_MOST = 512,
    WFI_LEAF_FILL = 384,
    WFI_LEAST_DELTAS = 16,
    WFI_MOST_DELTAS = 64,
    WFI_LISTS = 16
};

/* The head of everything in the store: a block that is copied on write. */
typedef struct wfi_cow_block {
    uint64_t birth;
    struct wfi_cow_block *next; /* on the list it is on: made, superseded */
    wfi_slab *slab;             /* that it lies in; NULL: in none */
    size_t bytes;               /* that it takes */
} wfi_cow_block;

/* Weights lie behind the targets. */
typedef struct wfi_leaf {
    wfi_cow_block head;
    uint32_t count;
    weft_vid targets[];
} wfi_leaf;

typedef struct wfi_long_row {
    wfi_cow_block head;
    uint64_t arcs;
    uint32_t leaves;
    struct wfi_leaf_at {
        wfi_leaf *leaf;
        weft_vid first; /* its smallest target */
    } at[];
} wfi_long_row;

/* What a small batch reads first lies in the first cache line, and the deltas right behind the starts. */
typedef struct wfi_group {
    wfi_cow_block head;
    uint64_t alive;                     /* bit r: row r is a vertex */
    uint64_t is_long;                   /* bit r: row r is the next of the long ones */
    _Atomic uint32_t deltas;            /* that are there, of this version or later ones */
    uint16_t delta_room, weight;        /* deltas that fit (group.h); bytes of a weight */
    uint64_t delta_filter;              /* the writer's: a Bloom filter of the deltas' arcs, with one hash */
    uint32_t start[WFI_GROUP_ROWS + 1]; /* of the short rows; a long row is empty here */
    uint64_t delta[];                   /* then their weights, the long rows, targets, weights */
} wfi_group;

typedef struct wfi_node {
    wfi_cow_block head;
    void *child[WFI_FAN]; /* nodes, or groups at level 1; NULL = nothing there */
} wfi_node;

/* Where weights begin, `targets` being in front of them. */
static inline size_t wfi_weights_after(size_t targets) { return (targets * sizeof(weft_vid) + 7) / 8 * 8; }

static inline void *wfi_leaf_weights(const wfi_leaf *leaf) {
    return (char *)(uintptr_t)leaf->targets + wfi_weights_after(leaf->count + 1u) - sizeof(weft_vid);
}
static inline size_t wfi_leaf_bytes(uint32_t count, size_t weight) {
    return offsetof(wfi_leaf, targets) + wfi_weights_after(count + 1u) - sizeof(weft_vid) + count * weight;
}
static inline unsigned wfi_long_rows(const wfi_group *group) { return (unsigned)__builtin_popcountll(group->is_long); }
static inline size_t wfi_deltas_bytes(size_t room, size_t weight) { return room * 8 + (room * weight + 7) / 8 * 8; }
static inline char *wfi_delta_weights(const wfi_group *group) {
    return (char *)(uintptr_t)(group->delta + group->delta_room);
}
static inline wfi_long_row **wfi_group_rows(const wfi_group *group) {
    return (wfi_long_row **)(void *)((char *)(uintptr_t)group->delta +
                                     wfi_deltas_bytes(group->delta_room, group->weight));
}
static inline weft_vid *wfi_group_targets(const wfi_group *group) {
    return (weft_vid *)(void *)(wfi_group_rows(group) + wfi_long_rows(group));
}
static inline void *wfi_group_weights(const wfi_group *group) {
    return (char *)wfi_group_targets(group) + wfi_weights_after(group->start[WFI_GROUP_ROWS]);
}
static inline wfi_long_row *wfi_long_row_of(const wfi_group *group, unsigned row) {
    uint64_t bit = (uint64_t)1 << row;
    return group->is_long & bit ? wfi_group_rows(group)[__builtin_popcountll(group->is_long & (bit - 1))] : NULL;
}

struct wfi_store;
struct wfi_base_columns;
struct wfi_slot_sides;

/* A state of the graph.  Those that are held form a list, oldest to newest. */
typedef struct wfi_version {
    struct wfi_store *store;
    uint64_t number; /* from 1 */
    unsigned holders;
    struct wfi_version *older, *newer;
    wfi_cow_block *superseded[WFI_LISTS]; /* by the next one; several lists, so that several threads can free them */
    wfi_node *root;
    unsigned levels;      /* the root's: it covers 256^levels groups */
    weft_vid slots, live; /* slots in use; those that are vertices */
    weft_vid ascending;   /* slots in front whose ids ascend */
    weft_eid arcs;
    uint64_t loops;
    wfi_slot_ids *ids;
    /* Of a store on a GPU instead of the tree: the rows, and a bit for each slot that is a vertex, NULL if all are. */
    struct wfi_gpu_rows *rows;
    uint64_t *alive;
} wfi_version;

typedef struct wfi_store {
    bool directed, on_gpu;
    weft_weight_type weight_type;
    size_t weight; /* bytes of one */
    wfi_memory *memory;
    wfi_slab_allocator *slabs;
    _Atomic uint64_t bytes;
    /* `lock` guards the list, holders and the newest, for O(1) at a time; `reaping` is held while a version is
     * reclaimed.  A snapshot takes only the first. */
    pthread_mutex_t lock, reaping;
    wfi_version *newest;
    uint64_t versions;
    unsigned holders;                 /* versions, and the dynamic graph */
    struct wfi_base_columns *columns; /* attributes of the base's vertices (base_columns.h); NULL: there are none */
    struct wfi_slot_sides *sides;     /* of a bipartite graph (slot_sides.h); NULL: it is none */
    struct wfi_trail *trail;          /* for mirrors of snapshots; NULL where rows lie on the GPU themselves */
} wfi_store;

wfi_store *wfi_store_new(weft_ctx *ctx, bool directed, weft_weight_type type);
/* By the dynamic graph. */
void wfi_store_release(wfi_store *store);

/* A version after `before` (NULL: the first), not seen by anybody yet: its tree and arcs, no vertices.  NULL when out
 * of memory. */
wfi_version *wfi_version_draft(weft_ctx *ctx, wfi_store *store, const wfi_version *before);
void wfi_version_discard(wfi_version *draft);
/* The draft becomes the newest, held by the dynamic graph, which lets go of the one before; `superseded` are lists of
 * that one, NULL = there are none, and so many threads free what nobody needs. */
void wfi_version_publish(wfi_version *draft, wfi_cow_block *const *superseded, int threads);
wfi_version *wfi_version_take(wfi_store *store); /* the newest */
void wfi_version_drop(wfi_version *version);

/* Are slots vertices, in the order of their ids? */
static inline bool wfi_numbered_as_slots(const wfi_version *v) {
    return v->ascending == v->slots && v->live == v->slots;
}

static inline uint64_t wfi_edges_of(const wfi_version *v) {
    return v->store->directed ? v->arcs : (v->arcs - v->loops) / 2 + v->loops;
}

/* Where the tree keeps the group of rows 64 i ... 64 i + 63; NULL: nowhere. */
static inline void *const *wfi_group_place(const wfi_version *v, uint64_t i) {
    const wfi_node *at = v->root;
    if (i >> 8 * v->levels) return NULL;
    for (unsigned level = v->levels; level > 1 && at; level--) at = at->child[i >> 8 * (level - 1) & 255];
    return at ? &at->child[i & 255] : NULL;
}
/* That group, or NULL. */
static inline wfi_group *wfi_group_at(const wfi_version *v, uint64_t i) {
    void *const *place = wfi_group_place(v, i);
    return place ? *place : NULL;
}
static inline uint64_t wfi_groups_of(weft_vid slots) { return ((uint64_t)slots + WFI_GROUP_ROWS - 1) / WFI_GROUP_ROWS; }

/* Makes blocks for a draft; one for each thread. */
typedef struct wfi_maker {
    weft_ctx *ctx;
    wfi_store *store;
    uint64_t birth;
    wfi_cow_block *made, *superseded;
    wfi_cow_block *superseded_last; /* of that list */
    wfi_slab *slab;                 /* where they lie, while it makes any */
    wfi_allowance allowance;
    uint64_t bytes;    /* of those made */
    bool wasted;       /* some of those made are of no use: their birth is 0 */
    weft_vid *targets; /* scratch: rows on their way into blocks */
    char *weights;
    size_t room;
} wfi_maker;

void *wfi_make(wfi_maker *m, size_t bytes);
static inline void wfi_supersede(wfi_maker *m, wfi_cow_block *block) {
    if (!m->superseded) m->superseded_last = block;
    block->next = m->superseded;
    m->superseded = block;
}
/* Room for so many arcs in the scratch, which keeps what is in it. */
weft_status wfi_maker_room(wfi_maker *m, size_t arcs);
void wfi_maker_end(wfi_maker *m);
void wfi_maker_rollback(wfi_maker *m); /* frees all it made */
void wfi_maker_tidy(wfi_maker *m);     /* frees what it made in vain; before the draft is published */

/* A group that takes the place of what was there; NULL = nothing. */
typedef struct wfi_placed {
    uint64_t group;
    wfi_group *fresh;
    uint64_t first, end; /* the batch's changes for it */
    bool buffered;       /* they become deltas in it instead, and are then no more than these */
} wfi_placed;
/* The draft's tree with `count` groups replaced, which ascend. */
weft_status wfi_tree_place(wfi_maker *m, wfi_version *draft, const wfi_placed *placed, size_t count);

/* The same by all makers, a thread each; `node` is scratch of `count`. */
weft_status wfi_tree_place_all(wfi_maker *const *m, int makers, wfi_version *draft, const wfi_placed *placed,
                               size_t count, wfi_placed *node);

/* Blocks from rows in memory. */
wfi_long_row *wfi_long_row_make(wfi_maker *m, const weft_vid *targets, const void *weights, size_t count);
/* Appends leaves for a run to a list, which has room; returns how many, 0 = out of memory. */
uint32_t wfi_leaves_make(wfi_maker *m, const weft_vid *targets, const void *weights, size_t count,
                         struct wfi_leaf_at *at);

#endif
