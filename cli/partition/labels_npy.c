/* Labels from NumPy's .npy (src/stream/npy.h): integers of any width in this machine's byte order, one dimension. */
#include "npy.h"
#include "partition/labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int read_whole(const char *path, char **data, size_t *bytes) {
    FILE *from = fopen(path, "rb");
    if (!from) return cli_fail(EXIT_INPUT, "cannot open %s: %s", path, strerror(errno));
    *bytes = (size_t)cli_file_bytes(path);
    *data = cli_take(*bytes, 1);
    int code = *data ? EXIT_DONE : EXIT_MEMORY;
    if (!code && fread(*data, 1, *bytes, from) != *bytes)
        code = cli_fail(EXIT_INPUT, "cannot read %s: %s", path, ferror(from) ? strerror(errno) : "it ends early");
    fclose(from);
    return code;
}

static int check(const char *path, const wfi_npy *a, size_t bytes) {
    size_t before = (size_t)(a->data - a->start);
    if (a->field_count || a->dimensions != 1 || (a->type.kind != WFI_SIGNED && a->type.kind != WFI_UNSIGNED) ||
        a->type.swapped)
        return cli_fail(EXIT_INPUT, "%s: labels are integers, one for each vertex: save x.astype('int64')", path);
    if (a->count > (bytes - before) / a->type.bytes)
        return cli_fail(EXIT_INPUT, "%s: ends after %zu of %llu numbers", path, (bytes - before) / a->type.bytes,
                        (unsigned long long)a->count);
    return EXIT_DONE;
}

/* Little-endian, sign-extended; an unsigned one beyond 2^63 wraps, and stays distinct. */
static int64_t number_at(const wfi_npy *a, size_t i) {
    const unsigned char *at = (const unsigned char *)a->data + i * a->type.bytes;
    uint64_t x = a->type.kind == WFI_SIGNED && at[a->type.bytes - 1] & 0x80 ? UINT64_MAX : 0;
    for (size_t k = a->type.bytes; k-- > 0;) x = x << 8 | at[k];
    return (int64_t)x;
}

int labels_read_npy(const char *path, int64_t **numbers, size_t *count) {
    char *data = NULL;
    size_t bytes = 0;
    wfi_npy array;
    int code = read_whole(path, &data, &bytes);
    if (!code && !wfi_npy_read(&array, data, bytes))
        code = cli_fail(EXIT_INPUT, "%s: not a .npy file, or its header is damaged", path);
    if (!code) code = check(path, &array, bytes);
    if (!code && !(*numbers = cli_take((size_t)array.count, sizeof **numbers))) code = EXIT_MEMORY;
    for (size_t i = 0; !code && i < array.count; i++) (*numbers)[i] = number_at(&array, i);
    if (!code) *count = (size_t)array.count;
    free(data);
    return code;
}
