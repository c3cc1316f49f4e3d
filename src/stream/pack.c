/* See pack.h. */
#include "stream/pack.h"

#include <stdint.h>
#include <string.h>

wfi_packing wfi_packing_named(const char *path) {
    const char *end = wfi_packed_end(path);
    return !*end ? WFI_PLAIN : end[1] == 'g' ? WFI_GZIP : WFI_ZSTD;
}

const char *wfi_packed_end(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".gz") || !strcmp(dot, ".zst")) ? dot : path + strlen(path);
}

bool wfi_packer_open(wfi_packer *p, int level) {
    if (p->packing == WFI_GZIP)
        return deflateInit2(&p->gzip, level ? level : Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    p->zstd = ZSTD_createCStream_advanced(p->memory);
    if (!p->zstd) return false;
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, level ? level : ZSTD_CLEVEL_DEFAULT);
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
    return true;
}

static bool gzip_out(wfi_packer *p, const char *data, size_t bytes, bool last) {
    int st;
    p->gzip.next_in = (Bytef *)(uintptr_t)data;
    p->gzip.avail_in = (uInt)bytes;
    do {
        p->gzip.next_out = (Bytef *)p->piece;
        p->gzip.avail_out = (uInt)p->capacity;
        st = deflate(&p->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        if (!p->put(p->to, p->piece, p->capacity - p->gzip.avail_out)) return false;
    } while (p->gzip.avail_out == 0 || (last && st != Z_STREAM_END));
    return true;
}

static bool zstd_out(wfi_packer *p, const char *data, size_t bytes, bool last) {
    ZSTD_inBuffer in = {data, bytes, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {p->piece, p->capacity, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            p->no_memory = ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation;
            p->why = p->no_memory ? NULL : ZSTD_getErrorName(left);
            return false;
        }
        if (!p->put(p->to, p->piece, out.pos)) return false;
    } while (in.pos < in.size || (last && left));
    return true;
}

bool wfi_packer_write(wfi_packer *p, const char *data, size_t bytes, bool last) {
    bool (*out)(wfi_packer *, const char *, size_t, bool) = p->packing == WFI_GZIP ? gzip_out : zstd_out;
    for (size_t most = (size_t)1 << 30; bytes > most; data += most, bytes -= most) /* zlib counts in 32 bits */
        if (!out(p, data, most, false)) return false;
    return out(p, data, bytes, last);
}

void wfi_packer_close(wfi_packer *p) {
    if (p->packing == WFI_GZIP) deflateEnd(&p->gzip);
    ZSTD_freeCStream(p->zstd);
    p->packing = WFI_PLAIN;
    p->zstd = NULL;
}
