/* Reusable blocks of a plan's runs, so that a second run allocates nothing. A pool is shared by its plan and the
 * results of its runs, which may outlive the plan: reference-counted. Any thread. */
#ifndef WFI_POOL_H
#define WFI_POOL_H

#include "core/core.h"

WFI_C_BEGIN

typedef struct wfi_pool wfi_pool;

/* One reference, the caller's. NULL (message set) if memory runs out. */
wfi_pool *wfi_pool_new(weft_ctx *ctx);
wfi_pool *wfi_pool_keep(wfi_pool *pool); /* adds a reference */
void wfi_pool_release(wfi_pool *pool);

/* `ready` prepares a returned block for the next run; `drop` is called when the pool ends. Set once. */
typedef struct wfi_pool_care {
    void (*ready)(void *by, void *block);
    void (*drop)(void *by);
    void *by;
} wfi_pool_care;
void wfi_pool_set_care(wfi_pool *pool, wfi_pool_care care);
bool wfi_pool_cared_for(wfi_pool *pool);

/* Frees the kept blocks; later blocks are freed at once. */
void wfi_pool_close(wfi_pool *pool);

/* wfi_take that reuses a returned block that fits. */
void *wfi_pool_take(weft_ctx *ctx, wfi_pool *pool, size_t count, size_t each);
/* wfi_free that keeps the block for reuse if possible. */
void wfi_pool_give(wfi_pool *pool, void *block);

WFI_C_END
#endif
