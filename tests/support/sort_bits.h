/* wfi_sort_bits_in with scratch of its own. */
#ifndef SORT_BITS_H
#define SORT_BITS_H

#include "core/scan.h"

static inline weft_status sort_bits(weft_ctx *ctx, wfi_sort_keys keys) {
    wfi_sort_scratch scratch = {NULL, NULL, NULL};
    weft_status st = wfi_alloc(ctx, &scratch.key, keys.count);
    if (!st && keys.value) st = wfi_alloc(ctx, &scratch.value, keys.count);
    if (!st) st = wfi_alloc(ctx, &scratch.places, wfi_sort_places(ctx, keys.count));
    if (!st) st = wfi_sort_bits_in(ctx, &scratch, keys);
    wfi_free(scratch.places);
    wfi_free(scratch.value);
    wfi_free(scratch.key);
    return st;
}

#endif
