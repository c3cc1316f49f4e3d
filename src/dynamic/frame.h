/* Records of the write-ahead log of a .weft file: a batch is a frame, a header of 64 bytes and then its arrays
 * (docs/formats/weft.md).  Frames form a hash chain: a frame's digest is seeded with that of the frame before, the
 * first one's with that of the first page, so that frames of another file, or of a history that was given up, do not
 * fit. */
#ifndef WFI_DYNAMIC_FRAME_H
#define WFI_DYNAMIC_FRAME_H

#include "io/weft/binary.h"

#define WFI_FRAME_MAGIC "WLOG"

enum { WFI_FRAME_CHANGES = 1, WFI_FRAME_NAMES = 2, WFI_FRAME_WEIGHTS = 4, WFI_FRAME_DROPS_LOOPS = 8 };

typedef struct wfi_frame {
    uint64_t digest; /* of the 56 bytes after it */
    char magic[4];
    uint32_t flags;
    uint64_t bytes; /* of all of it */
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

/* Where the log is after a batch: a log sequence number. */
typedef struct wfi_log_position {
    uint64_t batch, offset, chain; /* chain: its digest */
    uint64_t chain_at;             /* where in the file that digest is */
} wfi_log_position;

/* What all frames of a graph have in common. */
typedef struct wfi_frame_kind {
    size_t weight;    /* bytes of one */
    bool names;       /* ids are names */
    bool drops_loops; /* when a frame is made */
} wfi_frame_kind;

/* A frame that is to be written: its arrays are the batch's own, but for names, which are copied. */
typedef struct wfi_frame_out {
    wfi_frame head;
    const void *data[WFI_PARTS];
    uint64_t bytes[WFI_PARTS], offset[WFI_PARTS]; /* within the frame; zeros in between */
    char *names;
} wfi_frame_out;
weft_status wfi_frame_make(weft_ctx *ctx, const weft_batch *batch, wfi_frame_kind kind, const wfi_log_position *after,
                           wfi_frame_out *out);
void wfi_frame_out_free(wfi_frame_out *out);

/* A frame that was read. */
typedef struct wfi_frame_in {
    wfi_frame head;
    char *content;     /* of the whole frame, where the arrays are */
    const char **name; /* sources, then targets */
    weft_batch batch;  /* points into content */
} wfi_frame_in;
/* The frame after `at`, and the position after it.  *whole is false where there is none, or not all of it: then nothing
 * else is set. */
weft_status wfi_frame_read(weft_ctx *ctx, const wfi_weft_log *log, wfi_frame_kind kind, wfi_log_position *at,
                           wfi_frame_in *in, bool *whole);
/* The same without its arrays. */
weft_status wfi_frame_skip(weft_ctx *ctx, const wfi_weft_log *log, wfi_log_position *at, bool *whole);
void wfi_frame_in_free(wfi_frame_in *in);

/* What lies after `at`, where there is no whole batch. */
typedef enum wfi_tail {
    WFI_TAIL_TORN,     /* what a program or a machine that ended while it wrote left; or nothing */
    WFI_TAIL_DOUBTFUL, /* that, or a batch that was damaged later */
    WFI_TAIL_DAMAGED   /* no end in the middle of writing leaves it so */
} wfi_tail;
weft_status wfi_frame_tail(weft_ctx *ctx, const wfi_weft_log *log, size_t weight, const wfi_log_position *at,
                           wfi_tail *tail);
/* A frame up to WFI_ONE_WRITE is put together and written at once; of larger ones the arrays, and then the header. */
enum { WFI_ONE_WRITE = 1 << 16 };
extern unsigned wfi_frame_sector; /* bytes that a disk writes wholly or not at all: 512, and fewer in a test */

/* The root page that was written last and is whole. */
weft_status wfi_log_root(weft_ctx *ctx, const wfi_weft_log *log, wfi_weft_root *root);

#endif
