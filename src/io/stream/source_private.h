/* The inside of a source, for source.c, source_stream.c, decode.c and blocks.c only. */
#ifndef WFI_SOURCE_PRIVATE_H
#define WFI_SOURCE_PRIVATE_H

#include "io/stream/source.h"
#include "stream/pack.h"

typedef enum wfi_encoding { WFI_UTF8 /* or any bytes */, WFI_UTF16LE, WFI_UTF16BE, WFI_UTF32 } wfi_encoding;

/* The byte-order mark at the start of a text. */
typedef struct wfi_mark {
    wfi_encoding encoding;
    size_t bytes; /* 0 = there is none */
} wfi_mark;

/* Bytes of UTF-16 on their way to UTF-8. */
typedef struct wfi_wide {
    unsigned char *raw;
    size_t used, at;
    bool end;
    char held[4]; /* a character that had no room any more */
    size_t held_used, held_at;
} wfi_wide;

struct wfi_source {
    char *name, *plain_name;
    int fd; /* -1: memory */
    bool own_fd;
    bool waits;         /* a pipe or terminal: its bytes may be long in coming */
    const char *memory; /* not owned */
    uint64_t size;      /* bytes of the file or memory as stored; 0 when it cannot be known */
    bool seekable;      /* plain content that can be read at any offset */
    bool sliced;        /* ranks share it: each reads some blocks of it */
    uint64_t skipped;   /* seekable: bytes of the byte-order mark before the content */
    wfi_packing packing;
    void *unpacker;  /* z_stream or ZSTD_DStream */
    bool frame_open; /* compressed input may not end here */

    unsigned char *raw; /* stored bytes not yet unpacked */
    size_t raw_used, raw_at;
    bool raw_end;
    uint64_t raw_total; /* taken from the file so far */

    uint64_t unpacked;

    bool begun; /* the mark was looked for, in these first unpacked bytes */
    unsigned char first[4];
    size_t first_used, first_at;
    wfi_encoding encoding;
    wfi_wide wide;

    char *head; /* the first bytes of the content, NUL-terminated */
    size_t head_bytes;
    uint64_t decoded, lines, line_start; /* how far the stream has come, for messages about broken streams */
    bool gone;                           /* a stream whose content went by in blocks */
    char *whole;
    size_t whole_bytes;
};

/* Sees the packing from the first stored bytes. */
weft_status wfi_unpack_open(weft_ctx *ctx, wfi_source *s);
/* The next unpacked bytes; *got = 0 at the end. */
weft_status wfi_unpack_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got);
void wfi_unpack_again(wfi_source *s); /* from the first stored byte on */
void wfi_unpack_close(wfi_source *s);

wfi_mark wfi_mark_of(const void *text, size_t bytes);
/* The next bytes of a stream's content, without its mark and in UTF-8; *got = 0 at the end. */
weft_status wfi_stream_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got);
void wfi_stream_again(wfi_source *s);
void wfi_stream_close(wfi_source *s);

/* Bytes of the content of a seekable source. */
static inline uint64_t wfi_source_content(const wfi_source *s) { return s->size - s->skipped; }

/* The place of the first error in text that is read in blocks: blocks know offsets, people want lines and columns. */
/* What is remembered of each block. */
typedef struct wfi_passed {
    uint64_t lines;
    uint64_t line_start; /* offset behind the last newline up to the end of this block; 0 = none in this block */
} wfi_passed;

typedef struct wfi_first_error {
    uint64_t index;  /* of its block, UINT64_MAX: there is none */
    uint64_t offset; /* in the content */
    uint64_t block;  /* where its block begins */
    wfi_parse_error error;

    const wfi_source *source; /* set when all is read */
    uint64_t from;            /* where reading began */
    bool inside;              /* blocks are those of a slice that does not begin there */
    const wfi_passed *passed; /* of all blocks, the one with the error up to that */
    uint64_t blocks;
} wfi_first_error;

/* There is one: fails with it, at its place. */
weft_status wfi_first_error_report(weft_ctx *ctx, const wfi_first_error *e);
/* Of ranks that read slices of a file: all fail with the first error in the file, as one process would, or none
 * does. */
weft_status wfi_first_error_of_ranks(weft_ctx *ctx, const wfi_first_error *e);

#endif
