/* Compressing on the way out: gzip (RFC 1952, by zlib) and zstd (RFC 8878, with a checksum), a piece at a time, for
 * graphs and results alike.  What comes out goes to the caller's `put`. */
#ifndef WFI_PACK_H
#define WFI_PACK_H

#include <stdbool.h>
#include <stddef.h>

#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_customMem */
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

typedef enum wfi_packing { WFI_PLAIN, WFI_GZIP, WFI_ZSTD } wfi_packing;

/* By the end of the name: .gz, .zst.  wfi_packed_end: where that begins; of other names, where they end. */
wfi_packing wfi_packing_named(const char *path);
const char *wfi_packed_end(const char *path);

typedef struct wfi_packer {
    wfi_packing packing;
    z_stream gzip;         /* its zalloc, zfree and opaque may be set before it is opened */
    ZSTD_customMem memory; /* the same for zstd */
    ZSTD_CStream *zstd;
    char *piece; /* room for what comes out */
    size_t room;
    bool (*put)(void *to, const char *data, size_t bytes); /* false: it failed */
    void *to;
    const char *why; /* zstd failed, and that is why; NULL: out of memory, or `put` failed */
    bool no_memory;
} wfi_packer;

/* level 0: the default.  False: out of memory. */
bool wfi_packer_open(wfi_packer *p, int level);
/* last: all that is held back comes out too. */
bool wfi_packer_write(wfi_packer *p, const char *data, size_t bytes, bool last);
void wfi_packer_close(wfi_packer *p);

#endif
