/* Records of the write-ahead log of a .weft file: a batch is a frame, a header of 64 bytes followed by its arrays
 * (docs/formats/weft.md). Frames form a hash chain: a frame's digest is seeded with the previous frame's digest, the
 * first one's with the digest of the first page, so that frames of another file or of an abandoned history do not
 * match. */
#ifndef WFI_DYNAMIC_FRAME_H
#define WFI_DYNAMIC_FRAME_H

#include "io/weft/binary.h"

#define WFI_FRAME_MAGIC "WLOG"

enum { WFI_FRAME_CHANGES = 1, WFI_FRAME_NAMES = 2, WFI_FRAME_WEIGHTS = 4, WFI_FRAME_DROPS_LOOPS = 8 };

typedef struct wfi_frame {
    uint64_t digest; /* of the following 56 bytes */
    char magic[4];
    uint32_t flags;
    uint64_t bytes; /* length with the header */
    uint64_t batch, count, name_bytes;
    uint64_t content; /* digest of the arrays */
    uint64_t reserved;
} wfi_frame;
_Static_assert(sizeof(wfi_frame) == 64, "the header of a frame has no holes");

typedef enum wfi_frame_part {
    WFI_PART_CHANGES,
    WFI_PART_SOURCES,
    WFI_PART_TARGETS,
    WFI_PART_NAMES,
    WFI_PART_WEIGHTS,
    WFI_PARTS
} wfi_frame_part;

/* Position in the log after a batch (a log sequence number). */
typedef struct wfi_log_position {
    uint64_t batch, offset, chain; /* chain: digest of the batch's frame */
    uint64_t chain_at;             /* file offset of that digest */
} wfi_log_position;

/* Properties common to all frames of a graph. */
typedef struct wfi_frame_kind {
    size_t weight;    /* bytes per weight */
    bool names;       /* ids are names */
    bool drops_loops; /* applies to new frames */
} wfi_frame_kind;

/* A frame to be written. The arrays belong to the batch, except for names, which are copied. */
typedef struct wfi_frame_out {
    wfi_frame head;
    const void *data[WFI_PARTS];
    uint64_t bytes[WFI_PARTS], offset[WFI_PARTS]; /* within the frame; zeros between arrays */
    char *names;
} wfi_frame_out;
weft_status wfi_frame_make(weft_ctx *ctx, const weft_batch *batch, wfi_frame_kind kind, const wfi_log_position *after,
                           wfi_frame_out *out);
void wfi_frame_out_free(wfi_frame_out *out);

/* A frame that was read. */
typedef struct wfi_frame_in {
    wfi_frame head;
    char *content;     /* the whole frame, in which the arrays lie */
    const char **name; /* sources, then targets */
    weft_batch batch;  /* points into content */
} wfi_frame_in;
/* Reads the frame after *at and advances *at. *whole is false, and nothing else is set, if there is none or only a
 * part of it. */
weft_status wfi_frame_read(weft_ctx *ctx, const wfi_weft_log *log, wfi_frame_kind kind, wfi_log_position *at,
                           wfi_frame_in *in, bool *whole);
/* wfi_frame_read without the arrays. */
weft_status wfi_frame_skip(weft_ctx *ctx, const wfi_weft_log *log, wfi_log_position *at, bool *whole);
void wfi_frame_in_free(wfi_frame_in *in);

/* State of the bytes after `at` if they are not a whole batch. */
typedef enum wfi_tail {
    WFI_TAIL_TORN,     /* left by an interrupted write; or no bytes */
    WFI_TAIL_DOUBTFUL, /* interrupted write, or later damage of a batch */
    WFI_TAIL_DAMAGED   /* damage: no interrupted write leaves these bytes */
} wfi_tail;
weft_status wfi_frame_tail(weft_ctx *ctx, const wfi_weft_log *log, size_t weight, const wfi_log_position *at,
                           wfi_tail *tail);
/* A frame of up to WFI_ONE_WRITE bytes is written at once; a larger one as its arrays, then the header. */
enum { WFI_ONE_WRITE = 1 << 16 };
extern unsigned wfi_frame_sector; /* bytes that a disk writes atomically: 512, fewer in a test */

/* Reads the newest valid root page. */
weft_status wfi_log_root(weft_ctx *ctx, const wfi_weft_log *log, wfi_weft_root *root);

#endif
