/* The ABI: structs that begin with their size (core.h), texts of status codes, the version, conversion of 2-byte
 * numbers. */
#include "core/core.h"
#include "core/narrow.h"
#include "weft_config.h"

#include <string.h>

enum { LARGEST = 1 << 16 /* no struct is larger; an uninitialised size often is */ };

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
            return wfi_fail(ctx, WEFT_EINVAL,
                            "%s comes from a newer Weft and sets fields that this version (%s) does not know", what,
                            weft_version());
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

const char *weft_status_text(weft_status status) {
    switch (status) {
    case WEFT_OK: return "done";
    case WEFT_EINVAL: return "wrong parameter";
    case WEFT_EINPUT: return "bad input";
    case WEFT_EIO: return "input or output failed";
    case WEFT_ENOMEM: return "out of memory or over the memory limit";
    case WEFT_EDEVICE: return "GPU missing or failing";
    case WEFT_ECANCELLED: return "stopped on request";
    case WEFT_EUNSUPPORTED: return "not supported";
    case WEFT_ENOTFOUND: return "not found";
    }
    return "unknown status";
}

const char *weft_version(void) { return WEFT_VERSION_STRING; }
int weft_version_number(void) { return WEFT_VERSION_NUMBER; }

float weft_f16_value(uint16_t bits) { return wfi_f16_value(bits); }
float weft_bf16_value(uint16_t bits) { return wfi_bf16_value(bits); }
uint16_t weft_f16_of(float x) { return wfi_f16_of(x); }
uint16_t weft_bf16_of(float x) { return wfi_bf16_of(x); }
