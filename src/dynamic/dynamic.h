/* A dynamic graph: the store (store.h), and what only its single writer knows. */
#ifndef WFI_DYNAMIC_H
#define WFI_DYNAMIC_H

#include "dynamic/log.h"
#include "dynamic/store.h"

/* Vertices by id, as they are within the batch that is being applied: slots after those of the newest version are its
 * own. */
typedef struct wfi_vertices {
    wfi_slot_ids *ids;
    weft_vid slots, live, ascending; /* as in wfi_version */
    uint32_t *index;                 /* open addressing: 1 + slot, 0 = empty; not for slots before ids->dense */
    uint64_t index_room;             /* a power of two */
    uint64_t *alive;                 /* a bit a slot */
    uint64_t alive_room;             /* slots */
    weft_vid *flipped;               /* slots whose bit changed in this batch, each time it did */
    size_t flips, flips_room;
} wfi_vertices;

struct wfi_small_buffers; /* batch.h */
struct wfi_large_buffers;

struct weft_dynamic {
    wfi_store *store;
    weft_loops loops;
    wfi_vertices vertices;
    uint64_t batches;                /* that the first version holds */
    wfi_log *log;                    /* the file that keeps the batches, or NULL */
    struct wfi_small_buffers *small; /* scratch of small batches; NULL until there is one */
    struct wfi_large_buffers *large; /* of larger ones, for the next; NULL: none */
    struct wfi_placed *list;         /* of groups, for the next batch; NULL: none */
    weft_vid *gpu_slots; /* where rows lie on a GPU: sources and targets of batches of up to gpu_room changes */
    uint64_t gpu_room;
    struct wfi_following *following; /* trackers (follow.h); NULL until there is one */
};

static inline wfi_frame_kind wfi_frame_kind_of(const weft_dynamic *d) {
    return (wfi_frame_kind){d->store->weight, d->vertices.ids->names, d->loops == WEFT_LOOPS_DROP};
}

/* Batches that a version holds. */
static inline uint64_t wfi_batches_of(const weft_dynamic *d, const wfi_version *v) {
    return d->batches + v->number - 1;
}

/* weft_dynamic_new and weft_dynamic_apply, after their parameters are checked; the latter may leave the log alone. */
weft_status wfi_dynamic_make(weft_ctx *ctx, const weft_graph *base, const weft_dynamic_params *p, weft_dynamic **out);
weft_status wfi_dynamic_snapshot(weft_ctx *ctx, weft_dynamic *d, weft_graph **out);
weft_status wfi_dynamic_params_in(weft_ctx *ctx, const weft_dynamic_params *given, weft_dynamic_params *p);
/* Where rows lie on a GPU: those of the first version, of `base` or none.  WEFT_EINVAL, without a message, if there are
 * parallel arcs. */
weft_status wfi_gpu_first(weft_ctx *ctx, const weft_graph *base, wfi_version *draft);
weft_status wfi_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *given, bool to_log,
                              weft_batch_stats *stats);

/* An id, of whichever kind. */
typedef struct wfi_given_id {
    int64_t number;
    const char *name; /* NULL where ids are numbers */
    size_t length;
} wfi_given_id;

weft_status wfi_vertices_open(weft_ctx *ctx, wfi_vertices *v, bool names, const weft_graph *base);
void wfi_vertices_close(wfi_vertices *v);

/* Its slot, whether or not it is a vertex now; WEFT_NO_VERTEX if it never was. */
weft_vid wfi_vertices_find(const wfi_vertices *v, const wfi_given_id *id);
/* The same for numbers, inline where no list is needed. */
static inline weft_vid wfi_vertices_find_number(const wfi_vertices *v, int64_t id) {
    uint64_t slot = (uint64_t)id - (uint64_t)v->ids->base;
    return slot < v->ids->dense ? (weft_vid)slot : wfi_vertices_find(v, &(wfi_given_id){id, NULL, 0});
}
static inline bool wfi_vertices_alive(const wfi_vertices *v, weft_vid slot) {
    return v->alive[slot / 64] >> slot % 64 & 1;
}
/* Every slot is a vertex: nobody need look, which is a miss of the cache for each change. */
static inline bool wfi_vertices_all_alive(const wfi_vertices *v) { return v->live == v->slots; }
/* Finds or makes it, and makes it a vertex. */
weft_status wfi_vertices_add(weft_ctx *ctx, wfi_vertices *v, const wfi_given_id *id, weft_vid *slot);
/* No longer a vertex; its slot stays its own. */
weft_status wfi_vertices_remove(weft_ctx *ctx, wfi_vertices *v, weft_vid slot);
/* The batch failed: as in the newest version.  The batch is published. */
void wfi_vertices_rollback(wfi_vertices *v, const wfi_version *newest);
void wfi_vertices_commit(wfi_vertices *v);

/* The numbers of a version's vertices, by ascending id: vertex[slot] (WEFT_NO_VERTEX: none) and order[vertex].  Both
 * NULL if slots are vertices. */
weft_status wfi_version_number(weft_ctx *ctx, const wfi_version *v, weft_vid **vertex, weft_vid **order);
/* Rows, ids and numbers of a snapshot: the graph's vertices in ascending order of ids. */
weft_status wfi_snapshot_pack(weft_ctx *ctx, weft_graph *g, void *version);

#endif
