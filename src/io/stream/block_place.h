/* The place of the first error in text that is read in blocks: blocks know offsets, people want lines and columns. */
#ifndef WFI_BLOCK_PLACE_H
#define WFI_BLOCK_PLACE_H

#include "io/stream/source_private.h"

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
