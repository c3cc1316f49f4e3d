/* Slab allocator for the blocks of a store. Method: slabs of up to 2 MiB (huge pages where available) are divided
 * into units of WFI_SLAB_UNIT bytes, with a bitmap of used units per slab; a block is a run of free units, found
 * next-fit from a cursor, so that freed neighbours coalesce without work. A slab has at most one owner, the only
 * thread that allocates in it; any thread frees blocks, at any time and without a lock, by clearing bits. The lock
 * only guards ownership.
 * Why not malloc: each thread's arena grows by system calls of a page or two, for which 16 threads wait in turn; its
 * pages are small; and a block allocated by one thread and freed by another is locked twice. */
#ifndef WFI_DYNAMIC_SLAB_H
#define WFI_DYNAMIC_SLAB_H

#include "core/memory.h"

/* Larger blocks are not allocated from slabs. */
enum { WFI_SLAB_UNIT = 128, WFI_SLAB_MOST = 1 << 16 };

typedef struct wfi_slab wfi_slab;
typedef struct wfi_slab_allocator wfi_slab_allocator;

wfi_slab_allocator *wfi_slabs_new(weft_ctx *ctx);
/* Frees all slabs; no block may be in use. */
void wfi_slabs_free(wfi_slab_allocator *slabs);

static inline size_t wfi_in_units(size_t bytes) { return (bytes + WFI_SLAB_UNIT - 1) / WFI_SLAB_UNIT * WFI_SLAB_UNIT; }

/* Allocates up to WFI_SLAB_MOST bytes in the caller's slab *mine (NULL: none yet) or, if it is full, in another one,
 * which becomes *mine. NULL if memory runs out. */
void *wfi_slab_take(weft_ctx *ctx, wfi_slab_allocator *slabs, wfi_slab **mine, size_t bytes);
void wfi_slab_give(wfi_slab *slab, void *block, size_t bytes);
/* The caller stops allocating: its slab goes to the next caller. */
void wfi_slab_park(wfi_slab_allocator *slabs, wfi_slab **mine);
/* Records `freed` bytes; occasionally returns empty slabs to the system, except for a third of the memory. */
void wfi_slabs_trim(wfi_slab_allocator *slabs, uint64_t freed);

#endif
