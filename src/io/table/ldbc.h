/* What reading a file by name must know about LDBC graphs. */
#ifndef WFI_LDBC_H
#define WFI_LDBC_H

#include "core/core.h"

/* A graph may be named without an extension: if there is no file `path`, but path.e or path.v (perhaps .gz or .zst),
 * *out is that name, else NULL.  Free it with wfi_free. */
weft_status wfi_ldbc_find(weft_ctx *ctx, const char *path, char **out);

#endif
