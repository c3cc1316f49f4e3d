/* Result files compressed while they are written (src/stream/pack.h): a stream in front of another. */
#include "result/rows.h"

#include <errno.h>
#include <stdlib.h>

enum { PIECE = 1 << 16 };

typedef struct packed_stream {
    wfi_packer packer;
    FILE *to;   /* not closed here */
    int *error; /* errno of its first failure */
    char piece[PIECE];
} packed_stream;

static bool pass_on(void *stream, const char *data, size_t bytes) {
    packed_stream *s = stream;
    if (fwrite(data, 1, bytes, s->to) == bytes) return true;
    if (!*s->error) *s->error = errno;
    return false;
}

static ssize_t put(void *cookie, const char *data, size_t bytes) {
    packed_stream *s = cookie;
    return wfi_packer_write(&s->packer, data, bytes, false) ? (ssize_t)bytes : 0;
}

static int finish(void *cookie) {
    packed_stream *s = cookie;
    bool fine = !ferror(s->to) && wfi_packer_write(&s->packer, "", 0, true);
    wfi_packer_close(&s->packer);
    free(s);
    return fine ? 0 : EOF;
}

FILE *pack_stream(FILE *to, const char *path, int *error) {
    packed_stream *s = calloc(1, sizeof *s);
    FILE *stream = NULL;
    if (!s) return NULL;
    s->to = to;
    s->error = error;
    s->packer =
        (wfi_packer){.packing = wfi_packing_named(path), .piece = s->piece, .capacity = PIECE, .put = pass_on, .to = s};
    if (wfi_packer_open(&s->packer, 0))
        stream = fopencookie(s, "w", (cookie_io_functions_t){.write = put, .close = finish});
    if (stream) return stream;
    wfi_packer_close(&s->packer);
    free(s);
    return NULL;
}
