/* A short free list under a lock, best fit. A block fits if it is large enough and at most a quarter too large:
 * repeated runs get their blocks back, and no result occupies a block many times its size. */
#include "core/pool.h"

#include <pthread.h>

enum { MOST_KEPT = 32 };

struct wfi_pool {
    pthread_mutex_t lock;
    size_t references, kept;
    bool closed;
    wfi_pool_care care;
    void *block[MOST_KEPT];
};

wfi_pool *wfi_pool_new(weft_ctx *ctx) {
    wfi_pool *pool = wfi_take_zeroed(ctx, 1, sizeof *pool);
    if (!pool) return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pool->references = 1;
    return pool;
}

wfi_pool *wfi_pool_keep(wfi_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->references++;
    pthread_mutex_unlock(&pool->lock);
    return pool;
}

static void free_kept(wfi_pool *pool) {
    for (size_t i = 0; i < pool->kept; i++) wfi_free(pool->block[i]);
    pool->kept = 0;
}

void wfi_pool_release(wfi_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    bool last = --pool->references == 0;
    pthread_mutex_unlock(&pool->lock);
    if (!last) return;
    free_kept(pool);
    if (pool->care.drop) pool->care.drop(pool->care.by);
    pthread_mutex_destroy(&pool->lock);
    wfi_free(pool);
}

void wfi_pool_close(wfi_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->closed = true;
    free_kept(pool);
    pthread_mutex_unlock(&pool->lock);
}

static bool fits(const void *block, size_t bytes) {
    size_t has = wfi_block_bytes(block);
    return has >= bytes && has - bytes <= bytes / 4;
}

/* Removes and returns the smallest block that fits; NULL if there is none. */
static void *find(wfi_pool *pool, size_t bytes) {
    size_t best = pool->kept;
    for (size_t i = 0; i < pool->kept; i++)
        if (fits(pool->block[i], bytes) &&
            (best == pool->kept || wfi_block_bytes(pool->block[i]) < wfi_block_bytes(pool->block[best])))
            best = i;
    if (best == pool->kept) return NULL;
    void *block = pool->block[best];
    pool->block[best] = pool->block[--pool->kept];
    return block;
}

void *wfi_pool_take(weft_ctx *ctx, wfi_pool *pool, size_t count, size_t each) {
    size_t bytes;
    void *block = NULL;
    if (!__builtin_mul_overflow(count, each, &bytes)) {
        pthread_mutex_lock(&pool->lock);
        block = find(pool, bytes);
        pthread_mutex_unlock(&pool->lock);
    }
    return block ? block : wfi_take(ctx, count, each);
}

void wfi_pool_set_care(wfi_pool *pool, wfi_pool_care care) {
    pthread_mutex_lock(&pool->lock);
    pool->care = care;
    pthread_mutex_unlock(&pool->lock);
}

bool wfi_pool_cared_for(wfi_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    bool cared = pool->care.ready != NULL;
    pthread_mutex_unlock(&pool->lock);
    return cared;
}

/* care.ready may take a while and is called without the lock. */
void wfi_pool_give(wfi_pool *pool, void *block) {
    if (!block) return;
    pthread_mutex_lock(&pool->lock);
    wfi_pool_care care = pool->care;
    bool keep = !pool->closed && pool->kept < MOST_KEPT;
    pthread_mutex_unlock(&pool->lock);
    if (keep && care.ready) care.ready(care.by, block);
    pthread_mutex_lock(&pool->lock);
    keep = keep && !pool->closed && pool->kept < MOST_KEPT;
    if (keep) pool->block[pool->kept++] = block;
    pthread_mutex_unlock(&pool->lock);
    if (!keep) wfi_free(block);
}
