/* See beside.h. */
#include "io/stream/beside.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

weft_status wfi_beside_find(weft_ctx *ctx, const char *stem, size_t length, const char *extension, char **out) {
    static const char *const packed[] = {"", ".gz", ".zst"};
    size_t room = length + strlen(extension) + sizeof ".zst";
    if (wfi_alloc(ctx, out, room)) return WEFT_ENOMEM;
    for (int i = 0; i < 3; i++) {
        snprintf(*out, room, "%.*s%s%s", (int)length, stem, extension, packed[i]);
        if (!access(*out, F_OK)) return WEFT_OK;
    }
    wfi_free(*out);
    *out = NULL;
    return WEFT_OK;
}

weft_status wfi_beside_open(weft_ctx *ctx, const wfi_source *source, const char *own, const char *extension,
                            wfi_source **out) {
    const char *name = wfi_source_plain_name(source);
    size_t length = strlen(name);
    if (wfi_name_has_extension(name, own)) length = (size_t)(strrchr(name, '.') - name);
    char *path;
    *out = NULL;
    if (!wfi_source_is_file(source)) return WEFT_OK;
    weft_status st = wfi_beside_find(ctx, name, length, extension, &path);
    if (!st && path) st = wfi_source_open(ctx, path, out);
    wfi_free(path);
    return st;
}
