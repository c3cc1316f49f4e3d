/* See sized.h. */
#include "core/sized.h"

#include <string.h>

enum { LARGEST = 1 << 16 /* no struct will ever be; a size that was never set often is */ };

static size_t size_of(const void *sized) {
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

weft_status wfi_sized_check(weft_ctx *ctx, const char *what, const void *given) {
    size_t size = size_of(given);
    if (size >= sizeof size && size <= LARGEST) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "%s has no size (%zu): initialise it with its defaults or .size = sizeof", what,
                    size);
}

weft_status wfi_sized_in(weft_ctx *ctx, const char *what, const void *given, void *ours, size_t size) {
    if (!given) return WEFT_OK;
    weft_status st = wfi_sized_check(ctx, what, given);
    if (st) return st;
    size_t theirs = size_of(given), end = size_of(ours);
    for (size_t i = size; i < theirs; i++)
        if (((const char *)given)[i])
            return wfi_fail(ctx, WEFT_EINVAL, "%s comes from a newer Weft and uses what this one (%s) does not know",
                            what, weft_version());
    memcpy(ours, given, theirs < end ? theirs : end);
    memcpy(ours, &end, sizeof end);
    return WEFT_OK;
}

weft_status wfi_sized_out(weft_ctx *ctx, const char *what, const void *ours, size_t size, void *to) {
    weft_status st = wfi_sized_check(ctx, what, to);
    if (st) return st;
    size_t theirs = size_of(to);
    memset(to, 0, theirs);
    memcpy(to, ours, theirs < size ? theirs : size);
    memcpy(to, &theirs, sizeof theirs);
    return WEFT_OK;
}
