/* See unpack.h.  Snappy and LZ4 are decoded here, gzip and zstd by their libraries. */
#include "io/columnar/unpack.h"
#include "io/stream/packing.h"

#include <string.h>

/* Snappy: 3 bytes give 64.  LZ4: a byte of a length gives 255.  Deflate: 1032 to 1.  Zstandard: a block of 4 bytes
 * gives 128 KiB. */
uint64_t wfi_unpacked_most(wfi_codec codec, uint64_t bytes) {
    static const uint64_t factor[] = {1, 22, 1033, 32769, 256, 256};
    uint64_t most;
    return __builtin_mul_overflow(bytes, factor[codec], &most) || most > UINT64_MAX - 65536 ? UINT64_MAX : most + 64;
}

static weft_status gunzip(weft_ctx *ctx, wfi_unpacker *u, wfi_packed_block *b) {
    z_stream *z = u->zlib;
    uint8_t spare; /* inflate wants a place to write even for nothing */
    if (b->in_bytes > UINT32_MAX || b->out_bytes > UINT32_MAX) {
        b->fault = "a block of gzip data is larger than 4 GiB";
        return WEFT_EINPUT;
    }
    if (!z) {
        if (!(z = wfi_take_zeroed(ctx, 1, sizeof *z))) return WEFT_ENOMEM;
        wfi_zlib_memory(ctx, z);
        if (inflateInit2(z, 15 + 32) != Z_OK) { /* 32: gzip or zlib, as the data says */
            wfi_free(z);
            return wfi_fail(ctx, WEFT_ENOMEM, "out of memory for decompressing gzip data");
        }
        u->zlib = z;
    }
    z->next_in = (unsigned char *)(uintptr_t)b->in;
    z->avail_in = (unsigned)b->in_bytes;
    z->next_out = b->out_bytes ? b->out : &spare;
    z->avail_out = (unsigned)b->out_bytes;
    int r;
    do { /* several members may follow each other */
        inflateReset(z);
        r = inflate(z, Z_FINISH);
    } while (r == Z_STREAM_END && z->avail_out && z->avail_in);
    if (r == Z_MEM_ERROR) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory for decompressing gzip data");
    b->fault = r != Z_STREAM_END ? "the gzip data is damaged" : z->avail_out ? "the gzip data ends too early" : NULL;
    return b->fault ? WEFT_EINPUT : WEFT_OK;
}

static weft_status unzstd(weft_ctx *ctx, wfi_unpacker *u, wfi_packed_block *b) {
    if (!u->zstd && !(u->zstd = ZSTD_createDCtx_advanced(wfi_zstd_memory(ctx)))) return WEFT_ENOMEM;
    size_t r = ZSTD_decompressDCtx(u->zstd, b->out, b->out_bytes, b->in, b->in_bytes);
    if (wfi_zstd_no_memory(r)) return WEFT_ENOMEM;
    b->fault = ZSTD_isError(r) ? "the zstd data is damaged" : r != b->out_bytes ? "the zstd data ends too early" : NULL;
    return b->fault ? WEFT_EINPUT : WEFT_OK;
}

weft_status wfi_unpack(weft_ctx *ctx, wfi_unpacker *u, wfi_codec codec, wfi_packed_block *b) {
    b->fault = NULL;
    switch (codec) {
    case WFI_CODEC_GZIP: return gunzip(ctx, u, b);
    case WFI_CODEC_ZSTD: return unzstd(ctx, u, b);
    case WFI_CODEC_SNAPPY: b->fault = wfi_snappy(b->in, b->in_bytes, b->out, b->out_bytes); break;
    case WFI_CODEC_LZ4_BLOCK: b->fault = wfi_lz4_block(b->in, b->in_bytes, b->out, b->out_bytes); break;
    case WFI_CODEC_LZ4_FRAME: b->fault = wfi_lz4_frame(b->in, b->in_bytes, b->out, b->out_bytes); break;
    case WFI_CODEC_NONE:
        if (b->in_bytes != b->out_bytes) b->fault = "its two sizes differ though it is not compressed";
        if (!b->fault && b->out_bytes) memcpy(b->out, b->in, b->out_bytes);
        break;
    }
    return b->fault ? WEFT_EINPUT : WEFT_OK;
}

void wfi_unpacker_close(wfi_unpacker *u) {
    if (u->zlib) {
        inflateEnd(u->zlib);
        wfi_free(u->zlib);
    }
    if (u->zstd) ZSTD_freeDCtx(u->zstd);
    *u = (wfi_unpacker){0};
}
