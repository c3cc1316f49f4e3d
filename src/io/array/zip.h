/* Members of a zip archive in memory: stored or deflated, with the sizes of zip64.  All claims of the archive are
 * checked against the bytes that are there; a member's CRC-32 is checked before its content is returned. */
#ifndef WFI_ZIP_H
#define WFI_ZIP_H

#include "io/stream/sink.h"

typedef struct wfi_zip_member {
    const char *name;
    uint16_t name_length, method, flags;
    uint32_t crc;
    uint64_t packed, bytes; /* sizes */
    uint64_t at;            /* position of its local header */
} wfi_zip_member;

typedef struct wfi_zip {
    weft_ctx *ctx;
    const char *file; /* for messages */
    const char *data;
    uint64_t bytes;
    wfi_zip_member *members;
    size_t count;
} wfi_zip;

/* The bytes must stay valid until the archive is closed.  wfi_zip_close may be called after a failure. */
weft_status wfi_zip_open(weft_ctx *ctx, const char *file, const char *data, uint64_t bytes, wfi_zip *zip);
void wfi_zip_close(wfi_zip *zip);

/* *member = NULL if there is none; WEFT_EINPUT if there are two of that name. */
weft_status wfi_zip_find(const wfi_zip *zip, const char *name, const wfi_zip_member **member);

/* The content of a member: in the archive itself if it was stored, else in *block (wfi_free it; NULL if stored). */
weft_status wfi_zip_content(const wfi_zip *zip, const wfi_zip_member *member, const char **content, char **block);

/* --- writing: members one after the other into a sink, stored or deflated, zip64 for large sizes -------------- */
enum { WFI_ZIP_MEMBERS = 8 };

typedef struct wfi_zip_out wfi_zip_out;

/* Writes all bytes of a member by wfi_zip_put; called twice if the CRC-32 must be known in advance. */
typedef weft_status (*wfi_zip_produce)(void *user, wfi_zip_out *zip);

/* level 0: members are stored; 1 ... 9: deflated. */
weft_status wfi_zip_out_open(weft_ctx *ctx, wfi_sink *sink, int level, wfi_zip_out **out);
/* `name` must stay valid until the archive is closed; `bytes` is the size of the member. */
weft_status wfi_zip_add(wfi_zip_out *zip, const char *name, uint64_t bytes, wfi_zip_produce produce, void *user);
void wfi_zip_put(wfi_zip_out *zip, const void *data, size_t bytes);
/* Writes the directory. */
void wfi_zip_out_finish(wfi_zip_out *zip);
void wfi_zip_out_free(wfi_zip_out *zip);

#endif
