/* A dynamic graph: the store (store.h) and the state of its single writer. */
#ifndef WFI_DYNAMIC_H
#define WFI_DYNAMIC_H

#include "dynamic/log.h"
#include "dynamic/store.h"

/* Vertices by id, including the changes of the batch in progress: slots after those of the newest version belong to
 * that batch. */
typedef struct wfi_vertices {
    wfi_slot_ids *ids;
    weft_vid slots, live, ascending; /* as in wfi_version */
    uint32_t *index;                 /* hash table with open addressing: 1 + slot, 0: empty; without slots below
                                      * ids->dense */
    uint64_t index_capacity;         /* a power of two */
    uint64_t *alive;                 /* a bit per slot */
    uint64_t alive_capacity;         /* capacity in slots */
    weft_vid *flipped;               /* slots whose bit changed in this batch, once per change */
    size_t flips, flips_capacity;
} wfi_vertices;

struct wfi_small_buffers; /* batch.h */
struct wfi_large_buffers;

struct weft_dynamic {
    wfi_store *store;
    weft_loops loops;
    wfi_vertices vertices;
    uint64_t batches;                /* batches before the first version */
    wfi_log *log;                    /* file that keeps the batches, or NULL */
    struct wfi_small_buffers *small; /* scratch of small batches; NULL until the first one */
    struct wfi_large_buffers *large; /* scratch of larger batches, kept for the next, or NULL */
    struct wfi_placed *list;         /* list of groups, kept for the next batch, or NULL */
    weft_vid *gpu_slots;             /* rows on a GPU: sources and targets of batches of up to gpu_capacity changes */
    uint64_t gpu_capacity;
    struct wfi_following *following; /* trackers (follow.h); NULL until the first one */
};

static inline wfi_frame_kind wfi_frame_kind_of(const weft_dynamic *d) {
    return (wfi_frame_kind){d->store->weight, d->vertices.ids->names, d->loops == WEFT_LOOPS_DROP};
}

/* Number of batches in a version. */
static inline uint64_t wfi_batches_of(const weft_dynamic *d, const wfi_version *v) {
    return d->batches + v->number - 1;
}

/* weft_dynamic_new and weft_dynamic_apply after their parameter checks; to_log: append the batch to the log. */
weft_status wfi_dynamic_make(weft_ctx *ctx, const weft_graph *base, const weft_dynamic_params *p, weft_dynamic **out);
weft_status wfi_dynamic_snapshot(weft_ctx *ctx, weft_dynamic *d, weft_graph **out);
weft_status wfi_dynamic_params_in(weft_ctx *ctx, const weft_dynamic_params *given, weft_dynamic_params *p);
/* Makes the rows of the first version on a GPU; `base` may be NULL. WEFT_EINVAL without a message if there are
 * parallel arcs. */
weft_status wfi_gpu_first(weft_ctx *ctx, const weft_graph *base, wfi_version *draft);
weft_status wfi_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *given, bool to_log,
                              weft_batch_stats *stats);

/* A numeric id or a name. */
typedef struct wfi_given_id {
    int64_t number;
    const char *name; /* NULL for numeric ids */
    size_t length;
} wfi_given_id;

weft_status wfi_vertices_open(weft_ctx *ctx, wfi_vertices *v, bool names, const weft_graph *base);
void wfi_vertices_close(wfi_vertices *v);

/* The slot of an id, even of a removed vertex; WEFT_NO_VERTEX if it never existed. */
weft_vid wfi_vertices_find(const wfi_vertices *v, const wfi_given_id *id);
/* wfi_vertices_find for numeric ids; inline for dense ids. */
static inline weft_vid wfi_vertices_find_number(const wfi_vertices *v, int64_t id) {
    uint64_t slot = (uint64_t)id - (uint64_t)v->ids->base;
    return slot < v->ids->dense ? (weft_vid)slot : wfi_vertices_find(v, &(wfi_given_id){id, NULL, 0});
}
static inline bool wfi_vertices_alive(const wfi_vertices *v, weft_vid slot) {
    return v->alive[slot / 64] >> slot % 64 & 1;
}
/* True if every slot is a vertex; saves a cache miss per change. */
static inline bool wfi_vertices_all_alive(const wfi_vertices *v) { return v->live == v->slots; }
/* Finds or makes the slot and makes it a vertex. */
weft_status wfi_vertices_add(weft_ctx *ctx, wfi_vertices *v, const wfi_given_id *id, weft_vid *slot);
/* Removes the vertex; its slot stays reserved for the id. */
weft_status wfi_vertices_remove(weft_ctx *ctx, wfi_vertices *v, weft_vid slot);
/* Restores the state of the newest version after a failed batch; or ends a published one. */
void wfi_vertices_rollback(wfi_vertices *v, const wfi_version *newest);
void wfi_vertices_commit(wfi_vertices *v);

/* Numbers a version's vertices by ascending id: vertex[slot] (WEFT_NO_VERTEX: none) and order[vertex]. Both NULL if
 * slots equal vertices. */
weft_status wfi_version_number(weft_ctx *ctx, const wfi_version *v, weft_vid **vertex, weft_vid **order);
/* Makes rows, ids and numbers of a snapshot; vertices are in ascending order of ids. */
weft_status wfi_snapshot_pack(weft_ctx *ctx, weft_graph *g, void *version);

#endif
