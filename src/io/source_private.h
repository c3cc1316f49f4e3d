/* The inside of a source, for source.c and blocks.c only. */
#ifndef WFI_SOURCE_PRIVATE_H
#define WFI_SOURCE_PRIVATE_H

#include "io/source.h"

typedef enum wfi_packing { WFI_PLAIN, WFI_GZIP, WFI_ZSTD } wfi_packing;

struct wfi_source {
    char *name, *plain_name;
    int fd; /* -1: memory */
    bool own_fd;
    const char *memory; /* not owned */
    uint64_t size;      /* bytes of the file or memory as stored; 0 when it cannot be known */
    bool seekable;      /* plain content that can be read at any offset */
    wfi_packing packing;
    void *unpacker; /* z_stream or ZSTD_DStream */
    bool frame_open; /* compressed input may not end here */

    unsigned char *raw; /* stored bytes not yet unpacked */
    size_t raw_used, raw_at;
    bool raw_end;
    uint64_t raw_total; /* taken from the file so far */

    char *head; /* the first unpacked bytes, NUL-terminated */
    size_t head_bytes;
    uint64_t unpacked, lines, line_start; /* how far the stream has come, for messages about broken streams */
    bool gone; /* a stream whose content went by in blocks */
    char *whole;
    size_t whole_bytes;
};

/* The next unpacked bytes of a stream, after the head; *got = 0 at the end. */
weft_status wfi_stream_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got);
/* Seekable sources: exactly `bytes` bytes from `offset`, or an error. */
weft_status wfi_source_pread(weft_ctx *ctx, const wfi_source *s, uint64_t offset, char *to, size_t bytes);

#endif
