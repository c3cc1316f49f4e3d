/* The members of a source, for source.c, source_stream.c, decode.c and blocks.c only. */
#ifndef WFI_SOURCE_PRIVATE_H
#define WFI_SOURCE_PRIVATE_H

#include "io/stream/source.h"
#include "stream/pack.h"

typedef enum wfi_encoding { WFI_UTF8 /* or any bytes */, WFI_UTF16LE, WFI_UTF16BE, WFI_UTF32 } wfi_encoding;

/* The byte-order mark at the begin of a text. */
typedef struct wfi_mark {
    wfi_encoding encoding;
    size_t bytes; /* 0: no mark */
} wfi_mark;

/* State of the conversion from UTF-16 to UTF-8. */
typedef struct wfi_wide {
    unsigned char *raw;
    size_t used, at;
    bool end;
    char held[4]; /* a converted character that did not fit */
    size_t held_used, held_at;
} wfi_wide;

struct wfi_source {
    char *name, *plain_name;
    int fd; /* -1: memory */
    bool own_fd;
    bool waits;         /* a pipe or terminal: reads may block */
    const char *memory; /* not owned */
    uint64_t size;      /* stored bytes of the file or memory; 0 if unknown */
    bool seekable;      /* plain content that can be read at any offset */
    bool sliced;        /* ranks share it: each reads some of its blocks */
    uint64_t skipped;   /* seekable: length of the byte-order mark before the content */
    wfi_packing packing;
    void *unpacker;  /* z_stream or ZSTD_DStream */
    bool frame_open; /* compressed input may not end here */

    unsigned char *raw; /* stored bytes not yet decompressed */
    size_t raw_used, raw_at;
    bool raw_end;
    uint64_t raw_total; /* stored bytes read so far */

    uint64_t unpacked;

    bool begun; /* the mark was looked for, in these first decompressed bytes */
    unsigned char first[4];
    size_t first_used, first_at;
    wfi_encoding encoding;
    wfi_wide wide;

    char *head; /* the first bytes of the content, NUL-terminated */
    size_t head_bytes;
    uint64_t decoded, lines, line_start; /* position in the stream, for messages about damaged streams */
    bool gone;                           /* a stream that was read in blocks */
    char *whole;
    size_t whole_bytes;
};

/* Recognises the compression by the first stored bytes. */
weft_status wfi_unpack_open(weft_ctx *ctx, wfi_source *s);
/* The next decompressed bytes; *got = 0 at the end. */
weft_status wfi_unpack_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got);
void wfi_unpack_again(wfi_source *s); /* restarts at the first stored byte */
void wfi_unpack_close(wfi_source *s);

wfi_mark wfi_mark_of(const void *text, size_t bytes);
/* The next bytes of a stream's content, without its mark and in UTF-8; *got = 0 at the end. */
weft_status wfi_stream_read(weft_ctx *ctx, wfi_source *s, char *to, size_t room, size_t *got);
void wfi_stream_again(wfi_source *s);
void wfi_stream_close(wfi_source *s);

/* Size of the content of a seekable source. */
static inline uint64_t wfi_source_content(const wfi_source *s) { return s->size - s->skipped; }

/* The position of the first error in text that is read in blocks, which know offsets but not lines and columns. */
/* Facts kept about each block. */
typedef struct wfi_passed {
    uint64_t lines;
    uint64_t line_start; /* offset after the last newline up to the end of this block; 0: no newline in this block */
} wfi_passed;

typedef struct wfi_first_error {
    uint64_t index;  /* of its block; UINT64_MAX: no error */
    uint64_t offset; /* in the content */
    uint64_t block;  /* begin of its block in the content */
    wfi_parse_error error;

    const wfi_source *source; /* set when all is read */
    uint64_t from;            /* begin of the reading */
    bool inside;              /* the blocks belong to a slice that begins later */
    const wfi_passed
        *passed; /* of all blocks; the record of the erroneous block covers only the part before the error */
    uint64_t blocks;
} wfi_first_error;

/* Fails with the error, at its position. */
weft_status wfi_first_error_report(weft_ctx *ctx, const wfi_first_error *e);
/* For ranks that read slices of a file: all fail with the first error in the file, as a single process would, or
 * none. */
weft_status wfi_first_error_of_ranks(weft_ctx *ctx, const wfi_first_error *e);

#endif
