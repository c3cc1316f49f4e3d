/* Blocks that return to where they came from: what a plan's runs take and give back, so that a second run allocates
 * nothing.  A pool is shared by its plan and by the results of its runs, which may outlive the plan: counted
 * references.  Any thread. */
#ifndef WFI_POOL_H
#define WFI_POOL_H

#include "core/core.h"

WFI_C_BEGIN

typedef struct wfi_pool wfi_pool;

/* NULL (message set) when out of memory.  One reference: the maker's. */
wfi_pool *wfi_pool_new(weft_ctx *ctx);
wfi_pool *wfi_pool_keep(wfi_pool *pool); /* one reference more */
void wfi_pool_release(wfi_pool *pool);

/* What is done with a block that comes back, so that the next run finds it ready; `drop` when the pool ends.  Set
 * once. */
typedef struct wfi_pool_care {
    void (*ready)(void *by, void *block);
    void (*drop)(void *by);
    void *by;
} wfi_pool_care;
void wfi_pool_set_care(wfi_pool *pool, wfi_pool_care care);
bool wfi_pool_cared_for(wfi_pool *pool);

/* No more blocks are kept; those that are, are freed. */
void wfi_pool_close(wfi_pool *pool);

/* As wfi_take: a block that was given back and fits, or a new one. */
void *wfi_pool_take(weft_ctx *ctx, wfi_pool *pool, size_t count, size_t each);
/* As wfi_free, unless the pool keeps it. */
void wfi_pool_give(wfi_pool *pool, void *block);

WFI_C_END
#endif
