/* Slab allocator for the blocks of a store.  Method: slabs of up to 2 MiB (huge pages where the system has them) are
 * divided into units of WFI_SLAB_UNIT bytes, with a bitmap of used units beside each slab; a block is a run of free
 * units, found next-fit from a cursor, so that freed neighbours coalesce by themselves.  A slab has at most one owner,
 * the only thread that allocates in it; any thread frees, at any time and without a lock, by clearing bits.  The lock
 * guards ownership alone.
 * Why not malloc: each thread's arena grows by system calls of a page or two, which 16 threads wait for in turn; its
 * pages are small; and a block that one thread allocates and another frees is locked twice. */
#ifndef WFI_DYNAMIC_SLAB_H
#define WFI_DYNAMIC_SLAB_H

#include "core/memory.h"

/* Larger blocks do not lie in slabs. */
enum { WFI_SLAB_UNIT = 128, WFI_SLAB_MOST = 1 << 16 };

typedef struct wfi_slab wfi_slab;
typedef struct wfi_slab_allocator wfi_slab_allocator;

wfi_slab_allocator *wfi_slabs_new(weft_ctx *ctx);
/* With all slabs: no block is used any more. */
void wfi_slabs_free(wfi_slab_allocator *slabs);

static inline size_t wfi_in_units(size_t bytes) { return (bytes + WFI_SLAB_UNIT - 1) / WFI_SLAB_UNIT * WFI_SLAB_UNIT; }

/* A block of up to WFI_SLAB_MOST bytes in the caller's slab *mine (NULL: none yet), or in another, which *mine then is.
 * NULL when out of memory. */
void *wfi_slab_take(weft_ctx *ctx, wfi_slab_allocator *slabs, wfi_slab **mine, size_t bytes);
void wfi_slab_give(wfi_slab *slab, void *block, size_t bytes);
/* The caller allocates no more for now: its slab is the first that the next caller gets. */
void wfi_slab_park(wfi_slab_allocator *slabs, wfi_slab **mine);
/* So many bytes were freed: now and then, empty slabs go back to the system, all but a third of the memory. */
void wfi_slabs_trim(wfi_slab_allocator *slabs, uint64_t freed);

#endif
