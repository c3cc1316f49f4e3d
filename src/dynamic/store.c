/* Versions and blocks: publishing, pinning, reclaiming. See store.h. */
#include "dynamic/store.h"
#include "cuda/trail.h"
#include "dynamic/base_columns.h"
#include "dynamic/slot_sides.h"

#include <string.h>

wfi_store *wfi_store_new(weft_ctx *ctx, bool directed, weft_weight_type type) {
    wfi_store *store = wfi_take_zeroed(ctx, 1, sizeof *store);
    if (!store) return NULL;
    store->slabs = wfi_slabs_new(ctx);
    if (!store->slabs) {
        wfi_free(store);
        return NULL;
    }
    store->directed = directed;
    store->weight_type = type;
    store->weight = wfi_weight_bytes(type);
    store->memory = wfi_memory_keep(wfi_ctx_memory(ctx));
    pthread_mutex_init(&store->lock, NULL);
    pthread_mutex_init(&store->reaping, NULL);
    store->holders = 1;
    return store;
}

void wfi_store_release(wfi_store *store) {
    if (!store) return;
    pthread_mutex_lock(&store->lock);
    bool last = --store->holders == 0;
    pthread_mutex_unlock(&store->lock);
    if (!last) return;
    pthread_mutex_destroy(&store->lock);
    pthread_mutex_destroy(&store->reaping);
    wfi_trail_drop(store->trail);
    wfi_base_columns_free(store->columns);
    wfi_slot_sides_free(store->sides);
    wfi_slabs_free(store->slabs);
    wfi_memory_release(store->memory);
    wfi_free(store);
}

/* --- versions ------------------------------------------------------------- */

wfi_version *wfi_version_draft(weft_ctx *ctx, wfi_store *store, const wfi_version *before) {
    wfi_version *draft = wfi_take_zeroed(ctx, 1, sizeof *draft);
    if (!draft) return NULL;
    draft->store = store;
    draft->number = 1;
    draft->holders = 1;
    if (!before) return draft;
    draft->number = before->number + 1;
    draft->root = before->root;
    draft->levels = before->levels;
    draft->arcs = before->arcs;
    draft->loops = before->loops;
    return draft;
}

void wfi_version_discard(wfi_version *draft) {
    if (!draft) return;
    if (draft->rows) atomic_fetch_sub(&draft->store->bytes, wfi_gpu_rows_bytes(draft->rows));
    wfi_gpu_rows_drop(draft->rows);
    wfi_free(draft->alive);
    wfi_slot_ids_drop(draft->ids);
    wfi_free(draft);
}

wfi_version *wfi_version_take(wfi_store *store) {
    pthread_mutex_lock(&store->lock);
    wfi_version *newest = store->newest;
    newest->holders++;
    pthread_mutex_unlock(&store->lock);
    return newest;
}

/* State of a thread that frees blocks. */
typedef struct freeing {
    wfi_allowance allowance;
    uint64_t bytes;
    uint64_t since; /* blocks born later are unknown to older versions */
} freeing;

static void free_block(freeing *f, wfi_cow_block *block) {
    f->bytes += block->bytes;
    if (block->slab)
        wfi_slab_give(block->slab, block, block->bytes);
    else
        wfi_free_within(&f->allowance, block);
}

static void end_freeing(wfi_store *store, freeing *f) {
    atomic_fetch_sub_explicit(&store->bytes, f->bytes, memory_order_relaxed);
    wfi_allowance_end(&f->allowance);
    if (f->bytes) wfi_slabs_trim(store->slabs, f->bytes);
}

/* Blocks below an old block are at least as old. */
static void free_long_row(freeing *f, wfi_long_row *row) {
    if (row->head.birth <= f->since) return;
    for (uint32_t i = 0; i < row->leaves; i++)
        if (row->at[i].leaf->head.birth > f->since) free_block(f, &row->at[i].leaf->head);
    free_block(f, &row->head);
}

static void free_group(freeing *f, wfi_group *group) {
    if (!group || group->head.birth <= f->since) return;
    for (unsigned i = 0; i < wfi_long_rows(group); i++) free_long_row(f, wfi_group_rows(group)[i]);
    free_block(f, &group->head);
}

static void free_tree(freeing *f, wfi_node *node, unsigned level) {
    if (!node || node->head.birth <= f->since) return;
    for (unsigned i = 0; i < WFI_FAN; i++) {
        if (level == 1)
            free_group(f, node->child[i]);
        else
            free_tree(f, node->child[i], level - 1);
    }
    free_block(f, &node->head);
}

/* Frees the blocks of one list or moves them to the next older version, if that uses them. */
static void free_list(wfi_version *v, wfi_version *older, int list) {
    freeing f = {.since = older ? older->number : 0};
    for (wfi_cow_block *block = v->superseded[list], *next; block; block = next) {
        next = block->next;
        if (block->birth > f.since) {
            free_block(&f, block);
        } else {
            block->next = older->superseded[list];
            older->superseded[list] = block;
        }
    }
    end_freeing(v->store, &f);
}

/* Reclaims a version without holders; it cannot get any, because only the newest version is handed out, and the
 * dynamic graph holds that. */
static void reclaim(wfi_version *v, int threads) {
    wfi_store *store = v->store;
    pthread_mutex_lock(&store->reaping);
    pthread_mutex_lock(&store->lock);
    wfi_version *older = v->older, *newer = v->newer;
    if (older) older->newer = newer;
    if (newer) newer->older = older;
    store->versions--;
    pthread_mutex_unlock(&store->lock);
    if (threads == 1) {
        for (int i = 0; i < WFI_LISTS; i++)
            if (v->superseded[i]) free_list(v, older, i);
    } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int i = 0; i < WFI_LISTS; i++) free_list(v, older, i);
    }
    if (!newer) { /* the dynamic graph is gone: the version before is the newest now, and nothing supersedes it */
        freeing f = {.since = older ? older->number : 0};
        free_tree(&f, v->root, v->levels);
        end_freeing(store, &f);
        for (int i = 0; older && i < WFI_LISTS; i++) older->superseded[i] = NULL;
    }
    pthread_mutex_unlock(&store->reaping);
    wfi_version_discard(v);
    wfi_store_release(store);
}

static void drop(wfi_version *v, int threads) {
    wfi_store *store = v->store;
    pthread_mutex_lock(&store->lock);
    bool last = --v->holders == 0;
    pthread_mutex_unlock(&store->lock);
    if (last) reclaim(v, threads);
}

void wfi_version_drop(wfi_version *v) { drop(v, 1); }

void wfi_version_publish(wfi_version *draft, wfi_cow_block *const *superseded, int threads) {
    wfi_store *store = draft->store;
    wfi_version *before = store->newest;
    /* No lock needed: blocks are moved to a version only when a newer one is dropped, and there is none. */
    if (before && superseded) memcpy(before->superseded, superseded, sizeof before->superseded);
    pthread_mutex_lock(&store->lock);
    draft->older = before;
    if (before) before->newer = draft;
    store->newest = draft;
    store->holders++;
    store->versions++;
    pthread_mutex_unlock(&store->lock);
    if (before) drop(before, threads);
}

/* --- blocks ---------------------------------------------------------------- */

/* Where memory is tight, blocks are allocated one by one and counted exactly. */
static bool fits_slab(const wfi_maker *m, size_t bytes) {
    return bytes <= WFI_SLAB_MOST && !wfi_memory_is_tight(wfi_ctx_memory(m->ctx));
}

void *wfi_make(wfi_maker *m, size_t bytes) {
    bool in_slab = fits_slab(m, bytes);
    wfi_cow_block *block = in_slab ? wfi_slab_take(m->ctx, m->store->slabs, &m->slab, bytes)
                                   : wfi_take_within(m->ctx, &m->allowance, bytes);
    if (!block) return NULL;
    block->birth = m->birth;
    block->next = m->made;
    block->slab = in_slab ? m->slab : NULL;
    block->bytes = in_slab ? wfi_in_units(bytes) : bytes;
    m->made = block;
    m->bytes += block->bytes;
    return block;
}

static void unmake(wfi_maker *m, wfi_cow_block *block) {
    m->bytes -= block->bytes;
    if (block->slab)
        wfi_slab_give(block->slab, block, block->bytes);
    else
        wfi_free(block);
}

weft_status wfi_maker_reserve(wfi_maker *m, size_t arcs) {
    if (arcs <= m->capacity) return WEFT_OK;
    size_t capacity = arcs + arcs / 2 + 1024;
    weft_status st = wfi_widen(m->ctx, &m->targets, capacity);
    if (!st && m->store->weight) st = wfi_widen_block(m->ctx, &m->weights, capacity, m->store->weight);
    if (!st) m->capacity = capacity;
    return st;
}

static void make_no_more(wfi_maker *m) {
    m->made = NULL;
    if (m->slab) wfi_slab_park(m->store->slabs, &m->slab);
    wfi_allowance_end(&m->allowance);
}

void wfi_maker_end(wfi_maker *m) {
    make_no_more(m);
    WFI_FREE(m->targets, m->weights);
}

void wfi_maker_rollback(wfi_maker *m) {
    for (wfi_cow_block *block = m->made, *next; block; block = next) {
        next = block->next;
        unmake(m, block);
    }
    make_no_more(m);
}

void wfi_maker_tidy(wfi_maker *m) {
    for (wfi_cow_block *block = m->wasted ? m->made : NULL, *next; block; block = next) {
        next = block->next;
        if (!block->birth) unmake(m, block);
    }
    make_no_more(m);
}
