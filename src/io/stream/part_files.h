/* Tables and graphs of several files: a folder of part files, as Spark, Hadoop, DuckDB, polars and others write one
 * table; files of one name with different extensions. */
#ifndef WFI_PART_FILES_H
#define WFI_PART_FILES_H

#include "io/stream/source.h"

typedef struct wfi_part_files {
    char **path; /* in the order of their bytes */
    size_t count, room;
    char partitions[96]; /* "year, month": columns that only the names of folders have; "" = none */
} wfi_part_files;

bool wfi_is_folder(const char *path);

/* Lists the parts in a folder.  WEFT_EINPUT if it holds none, or what is in it is not one finished table.
 * wfi_part_files_free is allowed after a failure. */
weft_status wfi_part_files_list(weft_ctx *ctx, const char *folder, wfi_part_files *parts);
void wfi_part_files_free(wfi_part_files *parts);

/* Graphs of several files: the other ones have the same name with another extension. */
/* The first `length` bytes of stem + extension, as it is or with .gz or .zst, if there is such a file; else *out is
 * NULL.  Free it with wfi_free. */
weft_status wfi_beside_find(weft_ctx *ctx, const char *stem, size_t length, const char *extension, char **out);

/* Opens the file that has `extension` where `source` has one of `own` (space separated, without dots) or none.  *out
 * is NULL when there is no such file, or `source` is no file. */
weft_status wfi_beside_open(weft_ctx *ctx, const wfi_source *source, const char *own, const char *extension,
                            wfi_source **out);

#endif
