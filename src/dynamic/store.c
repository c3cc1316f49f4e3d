/* Life of versions and blocks: see store.h. */
#include "dynamic/store.h"

wfi_store *wfi_store_new(weft_ctx *ctx, bool directed, weft_weight_type type) {
    wfi_store *store = wfi_take_zeroed(ctx, 1, sizeof *store);
    if (!store) return NULL;
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
    wfi_slot_ids_drop(draft->ids);
    wfi_free(draft);
}

void wfi_version_publish(wfi_version *draft, wfi_block *superseded) {
    wfi_store *store = draft->store;
    wfi_version *before = store->newest;
    /* Nobody else writes this list yet: blocks move to a version when a newer one goes, and there is none. */
    if (before) before->superseded = superseded;
    pthread_mutex_lock(&store->lock);
    draft->older = before;
    if (before) before->newer = draft;
    store->newest = draft;
    store->holders++;
    store->versions++;
    pthread_mutex_unlock(&store->lock);
    if (before) wfi_version_drop(before);
}

wfi_version *wfi_version_take(wfi_store *store) {
    pthread_mutex_lock(&store->lock);
    wfi_version *newest = store->newest;
    newest->holders++;
    pthread_mutex_unlock(&store->lock);
    return newest;
}

static void free_block(wfi_store *store, wfi_block *block) {
    atomic_fetch_sub_explicit(&store->bytes, wfi_block_bytes(block), memory_order_relaxed);
    wfi_free(block);
}

/* What was born after `since` is seen by no older version; what lies below an older block is older too. */
static void free_long_row(wfi_store *store, wfi_long_row *row, uint64_t since) {
    if (row->head.birth <= since) return;
    for (uint32_t i = 0; i < row->leaves; i++)
        if (row->at[i].leaf->head.birth > since) free_block(store, &row->at[i].leaf->head);
    free_block(store, &row->head);
}

static void free_group(wfi_store *store, wfi_group *group, uint64_t since) {
    if (!group || group->head.birth <= since) return;
    for (unsigned i = 0; i < wfi_long_rows(group); i++) free_long_row(store, wfi_group_rows(group)[i], since);
    free_block(store, &group->head);
}

static void free_tree(wfi_store *store, wfi_node *node, unsigned level, uint64_t since) {
    if (!node || node->head.birth <= since) return;
    for (unsigned i = 0; i < WFI_FAN; i++) {
        if (level == 1)
            free_group(store, node->child[i], since);
        else
            free_tree(store, node->child[i], level - 1, since);
    }
    free_block(store, &node->head);
}

/* Nobody holds it, and nobody can: only the newest is handed out, and the dynamic graph holds that. */
static void take_apart(wfi_version *v) {
    wfi_store *store = v->store;
    pthread_mutex_lock(&store->reaping);
    pthread_mutex_lock(&store->lock);
    wfi_version *older = v->older, *newer = v->newer;
    if (older) older->newer = newer;
    if (newer) newer->older = older;
    store->versions--;
    pthread_mutex_unlock(&store->lock);
    uint64_t since = older ? older->number : 0;
    for (wfi_block *block = v->superseded, *next; block; block = next) {
        next = block->next;
        if (block->birth > since) {
            free_block(store, block);
        } else {
            block->next = older->superseded;
            older->superseded = block;
        }
    }
    if (!newer) { /* the dynamic graph is gone: the one before is the newest now, and nothing supersedes it */
        free_tree(store, v->root, v->levels, since);
        if (older) older->superseded = NULL;
    }
    pthread_mutex_unlock(&store->reaping);
    wfi_version_discard(v);
    wfi_store_release(store);
}

void wfi_version_drop(wfi_version *v) {
    wfi_store *store = v->store;
    pthread_mutex_lock(&store->lock);
    bool last = --v->holders == 0;
    pthread_mutex_unlock(&store->lock);
    if (last) take_apart(v);
}

/* --- blocks ---------------------------------------------------------------- */

void *wfi_make(wfi_maker *m, size_t bytes) {
    wfi_block *block = wfi_take(m->ctx, bytes, 1);
    if (!block) return NULL;
    block->birth = m->birth;
    block->next = m->made;
    m->made = block;
    m->bytes += bytes;
    return block;
}

weft_status wfi_maker_room(wfi_maker *m, size_t arcs) {
    if (arcs <= m->room) return WEFT_OK;
    size_t room = arcs + arcs / 2 + 1024;
    weft_vid *targets = wfi_resize(m->ctx, m->targets, room, sizeof *targets);
    if (!targets) return WEFT_ENOMEM;
    m->targets = targets;
    if (m->store->weight) {
        char *weights = wfi_resize(m->ctx, m->weights, room, m->store->weight);
        if (!weights) return WEFT_ENOMEM;
        m->weights = weights;
    }
    m->room = room;
    return WEFT_OK;
}

void wfi_maker_end(wfi_maker *m) {
    wfi_free(m->targets);
    wfi_free(m->weights);
}

void wfi_maker_undo(wfi_maker *m) {
    for (wfi_block *block = m->made, *next; block; block = next) {
        next = block->next;
        wfi_free(block);
    }
    m->made = NULL;
}

void wfi_maker_tidy(wfi_maker *m) {
    for (wfi_block *block = m->wasted ? m->made : NULL, *next; block; block = next) {
        next = block->next;
        if (block->birth) continue;
        m->bytes -= wfi_block_bytes(block);
        wfi_free(block);
    }
    m->made = NULL;
}
