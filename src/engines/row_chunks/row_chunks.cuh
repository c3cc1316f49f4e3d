/* Rows cut into pieces of equal length, for sums whose order is defined: blocks of WFI_PIECE neighbours, then the
 * blocks in their order (docs/algo/aggregate.md).  An empty row is a piece of no arcs.  Pieces are sorted by descending
 * length, so that lanes side by side have as much to do as each other; of equal ones by row.  Rows of several pieces
 * are long: their partial sums have places of their own, in order, from which the row is put together. */
#ifndef WFI_ROW_CHUNKS_CUH
#define WFI_ROW_CHUNKS_CUH

#include "cuda/mirror.cuh"

enum { WFI_PIECE = 256 }; /* arcs at most */

/* 16 bytes, read at once. */
struct __align__(16) wfi_row_chunk {
    weft_eid begin;  /* its first arc */
    uint32_t length; /* and how many; WFI_OF_LONG: of a long row */
    uint32_t to;     /* the row; of a long one, the place of the piece */
};
static const uint32_t WFI_OF_LONG = 1u << 31;

struct wfi_cut_row {
    uint32_t row, place; /* of its first piece; the next one's place is where they end */
};

struct wfi_row_chunks {
    bool there = false; /* all of it */
    uint32_t count = 0, long_rows = 0, places = 0;
    wfi_buffer<wfi_row_chunk> at;
    wfi_buffer<wfi_cut_row> long_row; /* long_rows + 1 */
};

/* Of the rows that begin at `offsets`, which lie on the GPU. */
weft_status wfi_cut_rows(weft_ctx *ctx, const weft_eid *offsets, weft_vid n, wfi_row_chunks *pieces);

/* The outgoing or incoming rows of the graph's mirror in pieces, made on first use; the rows are there then. */
weft_status wfi_row_chunks_of(weft_ctx *ctx, const weft_graph *g, bool incoming, const wfi_row_chunks **pieces);
/* For the plan of a run that asks for them; the rows are declared before.  Returns how many pieces of long rows have
 * places: a bound, where these are incoming rows that the host does not have. */
uint64_t wfi_row_chunks_declare(wfi_workspace *device, const weft_ctx *ctx, const weft_graph *g, bool incoming);

#endif
