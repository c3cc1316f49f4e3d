/* Block decompression, as Parquet's pages and Arrow's buffers are: all bytes in, all bytes out.
 * The size of what comes out is known beforehand, and anything else than exactly that size is damage. */
#ifndef WFI_UNPACK_H
#define WFI_UNPACK_H

#include "core/core.h"

typedef enum wfi_codec {
    WFI_CODEC_NONE,
    WFI_CODEC_SNAPPY,
    WFI_CODEC_GZIP,
    WFI_CODEC_ZSTD,
    WFI_CODEC_LZ4_BLOCK,
    WFI_CODEC_LZ4_FRAME
} wfi_codec;

/* What zlib and zstd keep between blocks; all zero at first.  One for each thread. */
typedef struct wfi_unpacker {
    void *zlib, *zstd;
} wfi_unpacker;

/* The most that so many packed bytes can become: a larger claim is a lie that must not cost memory. */
uint64_t wfi_unpacked_most(wfi_codec codec, uint64_t bytes);

typedef struct wfi_packed_block {
    const uint8_t *in;
    size_t in_bytes;
    uint8_t *out;
    size_t out_bytes;
    const char *fault; /* what is wrong with it: static text */
} wfi_packed_block;

/* WEFT_EINPUT with b->fault when the data is damaged; WEFT_ENOMEM with the context's message. */
weft_status wfi_unpack(weft_ctx *ctx, wfi_unpacker *u, wfi_codec codec, wfi_packed_block *b);
void wfi_unpacker_close(wfi_unpacker *u);

/* Each NULL when `out` was filled exactly, or what is wrong. */
const char *wfi_snappy(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes);
const char *wfi_lz4_block(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes);
const char *wfi_lz4_frame(const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_bytes);

#endif
