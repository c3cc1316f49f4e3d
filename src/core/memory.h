/* The allocator behind a context: hooks, a byte limit, a high-water mark. Reference-counted, one reference per
 * context and per live block, so that graphs and results may outlive their context. */
#ifndef WFI_MEMORY_H
#define WFI_MEMORY_H

#include "core/core.h"

WFI_C_BEGIN

typedef struct wfi_memory wfi_memory;

wfi_memory *wfi_memory_new(void);
void wfi_memory_release(wfi_memory *memory);
/* of_group: the limit comes from a control group, not from the caller. */
void wfi_memory_set_limit(wfi_memory *memory, uint64_t bytes, bool of_group);
void wfi_memory_set_hooks(wfi_memory *memory, weft_alloc_fn alloc, weft_free_fn release, void *user);
uint64_t wfi_memory_limit(const wfi_memory *memory); /* 0 = none */
/* True if the caller set the limit: nothing is reserved in advance or pooled, so that all of it can be used. */
bool wfi_memory_is_tight(const wfi_memory *memory);
/* The limit as "1.5 MiB", with the control group as its origin if it is one. */
const char *wfi_limit_text(char buffer[80], const wfi_memory *memory);
uint64_t wfi_memory_in_use(const wfi_memory *memory);
uint64_t wfi_memory_peak(const wfi_memory *memory);
void wfi_memory_restart_peak(wfi_memory *memory); /* resets the peak to the bytes in use; no concurrent allocation */

/* Counts bytes against the limit, for memory of other allocators (the GPU's). False (message set, naming `what`) if
 * the limit would be exceeded. */
bool wfi_memory_reserve(weft_ctx *ctx, wfi_memory *memory, const char *what, uint64_t bytes);
void wfi_memory_unreserve(wfi_memory *memory, uint64_t bytes);
wfi_memory *wfi_memory_keep(wfi_memory *memory); /* adds a reference */

/* Pages of a large block, which no other block shares; such blocks can be pinned for transfers to the GPU
 * (cuda/pinned.cu). False if the block is small or comes from the caller's allocator. */
bool wfi_block_pages(const void *block, void **start, size_t *bytes);
/* Marks a block as pinned: `end` is called before its memory is released. */
typedef struct wfi_pin {
    void (*end)(void *by, void *start);
    void *by;
} wfi_pin;
void wfi_block_pin(void *block, wfi_pin pin);
bool wfi_block_pinned(const void *block);

/* A thread's advance on the allocator's counters, so that many blocks need few atomic additions. Starts zeroed;
 * unused where memory is tight. */
typedef struct wfi_allowance {
    wfi_memory *owner;
    uint64_t bytes, ahead;
    size_t references;
} wfi_allowance;
/* wfi_take and wfi_free with an allowance. */
void *wfi_take_within(weft_ctx *ctx, wfi_allowance *a, size_t bytes);
void wfi_free_within(wfi_allowance *a, void *block);
/* Returns the rest of the allowance. */
void wfi_allowance_end(wfi_allowance *a);

/* Prefaults fresh pages with all threads, since the first write to a page costs as much as filling it: rewrites a
 * byte of every page, until the caller requests a stop. Needs: no concurrent writer. */
typedef struct wfi_span {
    void *begin;
    size_t bytes;
} wfi_span;
void wfi_touch(weft_ctx *ctx, const wfi_span *span, size_t spans);

/* Makes a context on this memory for work without a caller's context. NULL if memory runs out. */
weft_ctx *wfi_ctx_with_memory(wfi_memory *memory);

wfi_memory *wfi_ctx_memory(weft_ctx *ctx);
wfi_memory *wfi_ctx_device_memory(weft_ctx *ctx);

WFI_C_END
#endif
