/* Result files that are packed on the way: a stream in front of another, with zlib or zstd between them.  The library
 * packs graphs (src/io/stream/sink.c), but shows no streams, and results are written with the C library's. */
#include "result/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { PIECE = 1 << 16 };

typedef struct packer {
    FILE *to;   /* not closed here */
    int *error; /* errno of its first failure */
    bool gzip;
    z_stream z;
    ZSTD_CStream *zstd;
    unsigned char piece[PIECE];
} packer;

static bool pass_on(packer *p, size_t bytes) {
    if (fwrite(p->piece, 1, bytes, p->to) == bytes) return true;
    if (!*p->error) *p->error = errno;
    return false;
}

static bool gzip_out(packer *p, const char *data, size_t bytes, bool last) {
    p->z.next_in = (Bytef *)(uintptr_t)data;
    p->z.avail_in = (uInt)bytes;
    int st;
    do {
        p->z.next_out = p->piece;
        p->z.avail_out = PIECE;
        st = deflate(&p->z, last ? Z_FINISH : Z_NO_FLUSH);
        size_t made = PIECE - p->z.avail_out;
        if (st == Z_STREAM_ERROR || !pass_on(p, made)) return false;
    } while (p->z.avail_in || (last && st != Z_STREAM_END));
    return true;
}

static bool zstd_out(packer *p, const char *data, size_t bytes, bool last) {
    ZSTD_inBuffer in = {data, bytes, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {p->piece, PIECE, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left) || !pass_on(p, out.pos)) return false;
    } while (in.pos < in.size || (last && left));
    return true;
}

static ssize_t put(void *cookie, const char *data, size_t bytes) {
    packer *p = cookie;
    size_t here = bytes < 1u << 30 ? bytes : 1u << 30; /* zlib counts in 32 bits */
    bool fine = p->gzip ? gzip_out(p, data, here, false) : zstd_out(p, data, here, false);
    return fine ? (ssize_t)here : 0;
}

static int finish(void *cookie) {
    packer *p = cookie;
    bool fine = !ferror(p->to) && (p->gzip ? gzip_out(p, "", 0, true) : zstd_out(p, "", 0, true));
    if (p->gzip)
        deflateEnd(&p->z);
    else
        ZSTD_freeCStream(p->zstd);
    free(p);
    return fine ? 0 : EOF;
}

static bool start(packer *p) {
    if (p->gzip) return deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    p->zstd = ZSTD_createCStream();
    return p->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1));
}

const char *pack_extension(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".gz") == 0 || strcmp(dot, ".zst") == 0) ? dot : NULL;
}

FILE *pack_stream(FILE *to, const char *extension, int *error) {
    packer *p = calloc(1, sizeof *p);
    FILE *stream = NULL;
    if (!p) return NULL;
    p->to = to;
    p->error = error;
    p->gzip = strcmp(extension, ".gz") == 0;
    if (start(p)) {
        stream = fopencookie(p, "w", (cookie_io_functions_t){.write = put, .close = finish});
        if (!stream && p->gzip) deflateEnd(&p->z);
    }
    if (stream) return stream;
    ZSTD_freeCStream(p->zstd);
    free(p);
    return NULL;
}
