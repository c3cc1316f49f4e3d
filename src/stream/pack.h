/* Streaming compression of graphs and results: gzip (RFC 1952, by zlib) and zstd (RFC 8878, with a checksum).
 * Compressed pieces go to the caller's `put`. */
#ifndef WFI_PACK_H
#define WFI_PACK_H

#include <stdbool.h>
#include <stddef.h>

#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_customMem */
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

typedef enum wfi_packing { WFI_PLAIN, WFI_GZIP, WFI_ZSTD } wfi_packing;

/* Chosen by the suffix .gz or .zst. wfi_packed_end returns the start of that suffix, or the end of a path without
 * one. */
wfi_packing wfi_packing_named(const char *path);
const char *wfi_packed_end(const char *path);

typedef struct wfi_packer {
    wfi_packing packing;
    z_stream gzip;         /* zalloc, zfree and opaque may be set before wfi_packer_open */
    ZSTD_customMem memory; /* allocator for zstd, may be set before wfi_packer_open */
    ZSTD_CStream *zstd;
    char *piece; /* output buffer of `capacity` bytes, the caller's */
    size_t capacity;
    bool (*put)(void *to, const char *data, size_t bytes); /* false on failure */
    void *to;
    const char *why; /* name of zstd's error; NULL if memory ran out or `put` failed */
    bool no_memory;
} wfi_packer;

/* level 0 is the library's default. False if memory runs out. */
bool wfi_packer_open(wfi_packer *p, int level);
/* last: also flushes everything held back. */
bool wfi_packer_write(wfi_packer *p, const char *data, size_t bytes, bool last);
void wfi_packer_close(wfi_packer *p);

#endif
