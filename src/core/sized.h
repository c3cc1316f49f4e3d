/* Structs of the public API that begin with their size, so that programs and libraries of different age agree: a
 * shorter one comes from an older header and has the defaults in the fields it does not know; a longer one comes from
 * a newer header and is understood as long as it leaves what this library does not know at zero.
 * Sizes end with the last field.  A program may also say sizeof, and then padding counts, which holds anything: so a
 * field that is added must not lie in what used to be padding (docs/ABI.md). */
#ifndef WFI_SIZED_H
#define WFI_SIZED_H

#include "core/core.h"

/* Parameters: `ours` (sizeof is `size`) holds the defaults, its own size among them, and those that are given replace
 * them.  NULL: none are.
 * `what` is the type's name, for messages. */
weft_status wfi_sized_in(weft_ctx *ctx, const char *what, const void *given, void *ours, size_t size);

/* Answers: as much of `ours` as the caller's struct has room for; fields that only the caller knows become zero. */
weft_status wfi_sized_out(weft_ctx *ctx, const char *what, const void *ours, size_t size, void *to);

/* Has the caller said how large its struct is?  For answers that take long: ask first. */
weft_status wfi_sized_check(weft_ctx *ctx, const char *what, const void *given);

#endif
