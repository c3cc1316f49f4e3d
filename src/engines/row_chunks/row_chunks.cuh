/* Rows cut into chunks of equal length, for sums with a defined order: blocks of WFI_PIECE neighbours, then the blocks
 * in their order (docs/algo/aggregate.md).  An empty row is a chunk of no arcs.  Chunks are sorted by descending
 * length, so that neighbouring lanes have equal work; equal lengths by row.  Rows of several chunks are long: their
 * partial sums have places of their own, in order, from which the row's sum is made. */
#ifndef WFI_ROW_CHUNKS_CUH
#define WFI_ROW_CHUNKS_CUH

#include "cuda/mirror.cuh"

enum { WFI_PIECE = 256 }; /* arcs at most */

/* 16 bytes, read at once. */
struct __align__(16) wfi_row_chunk {
    weft_eid begin;  /* its first arc */
    uint32_t length; /* number of arcs; with WFI_OF_LONG: of a long row */
    uint32_t to;     /* the row; of a long row, the place of the chunk */
};
static const uint32_t WFI_OF_LONG = 1u << 31;

struct wfi_cut_row {
    uint32_t row, place; /* the row, and the place of its first chunk; the next row's place is the end */
};

struct wfi_row_chunks {
    bool there = false; /* complete */
    uint32_t count = 0, long_rows = 0, places = 0;
    wfi_buffer<wfi_row_chunk> at;
    wfi_buffer<wfi_cut_row> long_row; /* long_rows + 1 */
};

/* Chunks of the rows that begin at `offsets`, which lie on the GPU. */
weft_status wfi_cut_rows(weft_ctx *ctx, const weft_eid *offsets, weft_vid n, wfi_row_chunks *pieces);

/* Chunks of the outgoing or incoming rows of the graph's mirror, made on first use together with the rows. */
weft_status wfi_row_chunks_of(weft_ctx *ctx, const weft_graph *g, bool incoming, const wfi_row_chunks **pieces);
/* For the plan of a run that uses them; the rows are declared before.  Returns the number of chunks of long rows: a
 * bound, if these are incoming rows that the host does not have. */
uint64_t wfi_row_chunks_declare(wfi_workspace *device, const weft_ctx *ctx, const weft_graph *g, bool incoming);

#endif
