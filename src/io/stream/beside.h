/* Graphs of several files: the other ones have the same name with another extension. */
#ifndef WFI_BESIDE_H
#define WFI_BESIDE_H

#include "io/stream/source.h"

/* The first `length` bytes of stem + extension, as it is or with .gz or .zst, if there is such a file; else *out is
 * NULL.  Free it with wfi_free. */
weft_status wfi_beside_find(weft_ctx *ctx, const char *stem, size_t length, const char *extension, char **out);

/* Opens the file that has `extension` where `source` has one of `own` (space separated, without dots) or none.  *out
 * is NULL when there is no such file, or `source` is no file. */
weft_status wfi_beside_open(weft_ctx *ctx, const wfi_source *source, const char *own, const char *extension,
                            wfi_source **out);

#endif
