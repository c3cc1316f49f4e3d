/* The store of a dynamic graph: a copy-on-write radix tree with multiversion concurrency control (MVCC).
 *
 * Encoding: rows belong to slots, vertices numbered in order of arrival. 64 consecutive rows are a group, one block;
 * a row of more than WFI_LONG_ROW arcs is long: a list of leaves. Groups are the leaves of a radix tree of fan-out
 * 256.
 * Method: a block of a published version is never written, apart from the delta records of group.h. A batch copies
 * the groups it changes and the path above them, and publishes a new root: a version, which readers pin without
 * locks.
 * Reclamation by birth and death: a block carries the version it was born in, and blocks superseded by a batch go on
 * the list of the version before. When a version is dropped, the blocks on its list that the next older version also
 * uses (born no later) move to that version's list, and the others are freed: exact, without reference counts, as
 * with the deadlists of ZFS. */
#ifndef WFI_DYNAMIC_STORE_H
#define WFI_DYNAMIC_STORE_H

#include "dynamic/slab.h"
#include "graph/graph.h"

#include <pthread.h>

/* The ids of slots (vertices.c): append-only lists with a reference count. Readers of a version see as many entries
 * as it has slots, so appending needs no lock. A full list is copied to a larger one; versions that know the old list
 * keep it. */
typedef struct wfi_slot_ids {
    _Atomic unsigned holders;
    bool names;
    weft_vid dense; /* slots below have the ids base + slot */
    int64_t base;
    uint64_t capacity; /* capacity in slots from `dense` on */
    int64_t *number;   /* of slot dense + i */
    uint64_t *start;   /* names: capacity + 1 */
    char *text;
    uint64_t text_capacity;
} wfi_slot_ids;

wfi_slot_ids *wfi_slot_ids_keep(wfi_slot_ids *ids);
void wfi_slot_ids_drop(wfi_slot_ids *ids);

static inline int64_t wfi_slot_number(const wfi_slot_ids *ids, weft_vid slot) {
    return slot < ids->dense ? ids->base + (int64_t)slot : ids->number[slot - ids->dense];
}
/* Compares ids: numbers, or names by their bytes. */
int wfi_slot_compare(const wfi_slot_ids *ids, weft_vid a, weft_vid b);

/* A row becomes long above LONG_ROW arcs and short again below SHORT_AGAIN; leaves with more than LEAF_MOST arcs are
 * split into leaves of about LEAF_FILL. */
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

/* Header of every copy-on-write block of the store. */
typedef struct wfi_cow_block {
    uint64_t birth;
    struct wfi_cow_block *next; /* in its list: made or superseded */
    wfi_slab *slab;             /* NULL: allocated outside of slabs */
    size_t bytes;               /* allocated bytes */
} wfi_cow_block;

/* Weights follow the targets. */
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
        weft_vid first; /* the leaf's smallest target */
    } at[];
} wfi_long_row;

/* The data that small batches read first are in the first cache line, and the deltas directly follow the starts. */
typedef struct wfi_group {
    wfi_cow_block head;
    uint64_t alive;                     /* bit r: row r is a vertex */
    uint64_t is_long;                   /* bit r: row r is long; long rows are listed in this order */
    _Atomic uint32_t deltas;            /* number of deltas, of this version and later ones */
    uint16_t delta_capacity, weight;    /* capacity for deltas (group.h); bytes per weight */
    uint64_t delta_filter;              /* for the writer: a Bloom filter of the deltas' arcs, with one hash */
    uint32_t start[WFI_GROUP_ROWS + 1]; /* of the short rows; long rows are empty here */
    uint64_t delta[];                   /* followed by delta weights, long rows, targets, weights */
} wfi_group;

typedef struct wfi_node {
    wfi_cow_block head;
    void *child[WFI_FAN]; /* nodes, or groups at level 1; NULL: empty */
} wfi_node;

/* Offset of weights that follow `targets` targets. */
static inline size_t wfi_weights_after(size_t targets) { return (targets * sizeof(weft_vid) + 7) / 8 * 8; }

static inline void *wfi_leaf_weights(const wfi_leaf *leaf) {
    return (char *)(uintptr_t)leaf->targets + wfi_weights_after(leaf->count + 1u) - sizeof(weft_vid);
}
static inline size_t wfi_leaf_bytes(uint32_t count, size_t weight) {
    return offsetof(wfi_leaf, targets) + wfi_weights_after(count + 1u) - sizeof(weft_vid) + count * weight;
}
static inline unsigned wfi_long_rows(const wfi_group *group) { return (unsigned)__builtin_popcountll(group->is_long); }
static inline size_t wfi_deltas_bytes(size_t capacity, size_t weight) {
    return capacity * 8 + (capacity * weight + 7) / 8 * 8;
}
static inline char *wfi_delta_weights(const wfi_group *group) {
    return (char *)(uintptr_t)(group->delta + group->delta_capacity);
}
static inline wfi_long_row **wfi_group_rows(const wfi_group *group) {
    return (wfi_long_row **)(void *)((char *)(uintptr_t)group->delta +
                                     wfi_deltas_bytes(group->delta_capacity, group->weight));
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

/* A state of the graph. Held versions form a list from oldest to newest. */
typedef struct wfi_version {
    struct wfi_store *store;
    uint64_t number; /* from 1 */
    unsigned holders;
    struct wfi_version *older, *newer;
    wfi_cow_block *superseded[WFI_LISTS]; /* by the next version; several lists, for parallel freeing */
    wfi_node *root;
    unsigned levels;      /* height of the tree, which covers 256^levels groups */
    weft_vid slots, live; /* slots in use; slots that are vertices */
    weft_vid ascending;   /* length of the prefix of slots with ascending ids */
    weft_eid arcs;
    uint64_t loops;
    wfi_slot_ids *ids;
    /* Store on a GPU, instead of the tree: the rows, and a bitmap of slots that are vertices (NULL: all). */
    struct wfi_gpu_rows *rows;
    uint64_t *alive;
} wfi_version;

typedef struct wfi_store {
    bool directed, on_gpu;
    weft_weight_type weight_type;
    size_t weight; /* bytes per weight */
    wfi_memory *memory;
    wfi_slab_allocator *slabs;
    _Atomic uint64_t bytes;
    /* `lock` guards the list, holders and newest, in O(1) sections; `reaping` is held while a version is reclaimed. A
     * snapshot takes `lock` only. */
    pthread_mutex_t lock, reaping;
    wfi_version *newest;
    uint64_t versions;
    unsigned holders;                 /* versions and the dynamic graph */
    struct wfi_base_columns *columns; /* attributes of the base's vertices (base_columns.h), or NULL */
    struct wfi_slot_sides *sides;     /* of a bipartite graph (slot_sides.h), or NULL */
    struct wfi_trail *trail;          /* for mirrors of snapshots; NULL for rows on a GPU */
} wfi_store;

wfi_store *wfi_store_new(weft_ctx *ctx, bool directed, weft_weight_type type);
/* Called by the dynamic graph. */
void wfi_store_release(wfi_store *store);

/* Makes an unpublished version after `before` (NULL: the first), with its tree and arcs but no vertices. NULL if
 * memory runs out. */
wfi_version *wfi_version_draft(weft_ctx *ctx, wfi_store *store, const wfi_version *before);
void wfi_version_discard(wfi_version *draft);
/* Publishes the draft as the newest version, held by the dynamic graph, which releases the one before. `superseded`:
 * lists for that one, or NULL; `threads` threads free blocks that are not needed any more. */
void wfi_version_publish(wfi_version *draft, wfi_cow_block *const *superseded, int threads);
wfi_version *wfi_version_take(wfi_store *store); /* pins the newest version */
void wfi_version_drop(wfi_version *version);

/* True if slots equal vertices, in the order of their ids. */
static inline bool wfi_numbered_as_slots(const wfi_version *v) {
    return v->ascending == v->slots && v->live == v->slots;
}

static inline uint64_t wfi_edges_of(const wfi_version *v) {
    return v->store->directed ? v->arcs : (v->arcs - v->loops) / 2 + v->loops;
}

/* Address in the tree of the group with rows 64 i ... 64 i + 63; NULL if there is none. */
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

/* Makes blocks for a draft; one per thread. */
typedef struct wfi_maker {
    weft_ctx *ctx;
    wfi_store *store;
    uint64_t birth;
    wfi_cow_block *made, *superseded;
    wfi_cow_block *superseded_last; /* tail of `superseded` */
    wfi_slab *slab;                 /* current slab, while it makes blocks */
    wfi_allowance allowance;
    uint64_t bytes;    /* bytes of the blocks made */
    bool wasted;       /* some of them are unused: their birth is 0 */
    weft_vid *targets; /* scratch for rows */
    char *weights;
    size_t capacity;
} wfi_maker;

void *wfi_make(wfi_maker *m, size_t bytes);
static inline void wfi_supersede(wfi_maker *m, wfi_cow_block *block) {
    if (!m->superseded) m->superseded_last = block;
    block->next = m->superseded;
    m->superseded = block;
}
/* Grows the scratch to `arcs` arcs and keeps its content. */
weft_status wfi_maker_reserve(wfi_maker *m, size_t arcs);
void wfi_maker_end(wfi_maker *m);
void wfi_maker_rollback(wfi_maker *m); /* frees all blocks made */
void wfi_maker_tidy(wfi_maker *m);     /* frees unused blocks, before the draft is published */

/* A group that replaces the old one in the tree; fresh is NULL if it is empty. */
typedef struct wfi_placed {
    uint64_t group;
    wfi_group *fresh;
    uint64_t first, end; /* the batch's changes of the group */
    bool buffered;       /* the changes become deltas of the old group; then end - first is the number of deltas */
} wfi_placed;
/* Replaces `count` groups, ascending, in the draft's tree. */
weft_status wfi_tree_place(wfi_maker *m, wfi_version *draft, const wfi_placed *placed, size_t count);

/* wfi_tree_place in parallel, one maker per thread; `node` is scratch of `count` entries. */
weft_status wfi_tree_place_all(wfi_maker *const *m, int makers, wfi_version *draft, const wfi_placed *placed,
                               size_t count, wfi_placed *node);

/* Makes a long row from arrays. */
wfi_long_row *wfi_long_row_make(wfi_maker *m, const weft_vid *targets, const void *weights, size_t count);
/* Appends leaves for a run to `at`, which must have space; returns their number, 0 if memory runs out. */
uint32_t wfi_leaves_make(wfi_maker *m, const weft_vid *targets, const void *weights, size_t count,
                         struct wfi_leaf_at *at);

#endif
