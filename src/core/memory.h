/* The allocator behind a context: hooks, a byte limit, a high-water mark.  Reference-counted, one reference per
 * context and per live block, so that graphs and results may outlive their context. */
#ifndef WFI_MEMORY_H
#define WFI_MEMORY_H

#include "core/core.h"

WFI_C_BEGIN

typedef struct wfi_memory wfi_memory;

wfi_memory *wfi_memory_new(void);
void wfi_memory_release(wfi_memory *memory);
/* of_group: the limit is what a control group leaves, not what somebody asked for. */
void wfi_memory_set_limit(wfi_memory *memory, uint64_t bytes, bool of_group);
void wfi_memory_set_hooks(wfi_memory *memory, weft_alloc_fn alloc, weft_free_fn release, void *user);
uint64_t wfi_memory_limit(const wfi_memory *memory); /* 0 = none */
/* Somebody asked for the limit: nothing is taken in advance or kept for later, so that all of it can be used. */
bool wfi_memory_is_tight(const wfi_memory *memory);
/* The limit as "1.5 MiB", and whose it is, if it is a control group's. */
const char *wfi_limit_text(char room[80], const wfi_memory *memory);
uint64_t wfi_memory_in_use(const wfi_memory *memory);
uint64_t wfi_memory_peak(const wfi_memory *memory);
void wfi_memory_restart_peak(wfi_memory *memory); /* from what is in use; no allocation may run at the same time */

/* Counts bytes against the limit; false (message set, naming `what`) when they would be over it.  For memory that this
 * allocator does not hand out itself: the GPU's. */
bool wfi_memory_reserve(weft_ctx *ctx, wfi_memory *memory, const char *what, uint64_t bytes);
void wfi_memory_unreserve(wfi_memory *memory, uint64_t bytes);
wfi_memory *wfi_memory_keep(wfi_memory *memory); /* one reference more */

/* Large blocks can be pinned, for transfers to the GPU (cuda/pinned.cu).  The pages that such a block lies in, which
 * nothing else does; false: it is small, or the caller's own allocator made it. */
bool wfi_block_pages(const void *block, void **start, size_t *bytes);
/* It is pinned: `end` is called before its memory goes back to the system. */
typedef struct wfi_pin {
    void (*end)(void *by, void *start);
    void *by;
} wfi_pin;
void wfi_block_pin(void *block, wfi_pin pin);
bool wfi_block_pinned(const void *block);

/* What one thread has of the accounts in advance, so that many blocks cost few atomic additions.  Begins with zeros;
 * where memory is tight, nothing is taken in advance. */
typedef struct wfi_allowance {
    wfi_memory *owner;
    uint64_t bytes, ahead;
    size_t references;
} wfi_allowance;
/* As wfi_take and wfi_free. */
void *wfi_take_within(weft_ctx *ctx, wfi_allowance *a, size_t bytes);
void wfi_free_within(wfi_allowance *a, void *block);
/* What is left goes back. */
void wfi_allowance_end(wfi_allowance *a);

/* Prefaults fresh pages, since the first write to one costs as much as filling it: writes to every page what it holds,
 * with all threads, until the caller asks to stop.  Nobody else may write meanwhile. */
typedef struct wfi_span {
    void *begin;
    size_t bytes;
} wfi_span;
void wfi_touch(weft_ctx *ctx, const wfi_span *span, size_t spans);

/* A context that takes from this memory, for work that nobody gave one for.  NULL when out of memory. */
weft_ctx *wfi_ctx_with_memory(wfi_memory *memory);

wfi_memory *wfi_ctx_memory(weft_ctx *ctx);
wfi_memory *wfi_ctx_device_memory(weft_ctx *ctx);

WFI_C_END
#endif
