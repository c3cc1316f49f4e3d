/* Tables and graphs of several files: a folder of part files, one table, as written by Spark, Hadoop, DuckDB, polars
 * and others; files of one name with different extensions. */
#ifndef WFI_PART_FILES_H
#define WFI_PART_FILES_H

#include "io/stream/source.h"

typedef struct wfi_part_files {
    char **path; /* in byte order */
    size_t count, room;
    char partitions[96]; /* "year, month": columns in the names of folders, which are not read; "" = none */
} wfi_part_files;

bool wfi_is_folder(const char *path);

/* Lists the parts in a folder.  WEFT_EINPUT if there is none, or if the folder is not one finished table.
 * wfi_part_files_free may be called after a failure. */
weft_status wfi_part_files_list(weft_ctx *ctx, const char *folder, wfi_part_files *parts);
void wfi_part_files_free(wfi_part_files *parts);

/* Graphs of several files, whose names differ only in the extension. */
/* *out = the first `length` bytes of stem + extension, perhaps with .gz or .zst, if such a file exists; else NULL.
 * Free it with wfi_free. */
weft_status wfi_beside_find(weft_ctx *ctx, const char *stem, size_t length, const char *extension, char **out);

/* Opens the file with `extension` in place of the extension of `source`, if that is one of `own` (space separated,
 * without dots) or none.  *out is NULL if there is no such file, or if `source` is no file. */
weft_status wfi_beside_open(weft_ctx *ctx, const wfi_source *source, const char *own, const char *extension,
                            wfi_source **out);

#endif
