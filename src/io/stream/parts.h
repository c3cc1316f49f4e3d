/* A folder of part files, as Spark, Hadoop, DuckDB, polars and others write one table. */
#ifndef WFI_PARTS_H
#define WFI_PARTS_H

#include "core/core.h"

typedef struct wfi_parts {
    char **path; /* in the order of their bytes */
    size_t count, room;
    char partitions[96]; /* "year, month": columns that only the names of folders have; "" = none */
} wfi_parts;

bool wfi_is_folder(const char *path);

/* Lists the parts in a folder.  WEFT_EINPUT if it holds none, or what is in it is not one finished table.
 * wfi_parts_free is allowed after a failure. */
weft_status wfi_parts_list(weft_ctx *ctx, const char *folder, wfi_parts *parts);
void wfi_parts_free(wfi_parts *parts);

#endif
