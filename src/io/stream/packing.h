/* Allocations of zlib and zstd go through the context too, so that its limit, its peak and its hooks include them. */
#ifndef WFI_PACKING_H
#define WFI_PACKING_H

#include "core/core.h"
#include "stream/pack.h"

static inline void *wfi_take_for_zlib(void *ctx, unsigned count, unsigned each) { return wfi_take(ctx, count, each); }
static inline void *wfi_take_for_zstd(void *ctx, size_t bytes) { return wfi_take(ctx, bytes, 1); }
static inline void wfi_free_packing(void *ctx, void *block) {
    (void)ctx;
    wfi_free(block);
}

static inline void wfi_zlib_memory(weft_ctx *ctx, z_stream *z) {
    z->opaque = ctx;
    z->zalloc = wfi_take_for_zlib;
    z->zfree = wfi_free_packing;
}

static inline ZSTD_customMem wfi_zstd_memory(weft_ctx *ctx) {
    return (ZSTD_customMem){wfi_take_for_zstd, wfi_free_packing, ctx};
}

/* Is this zstd's code for a failed allocation?  The context's message is set then. */
static inline bool wfi_zstd_no_memory(size_t result) {
    return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation;
}

#endif
