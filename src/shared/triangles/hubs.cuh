/* Hubs, the vertices of lowest rank in the oriented view, as a bit matrix: bit w of row v is set when w < v are
 * joined. */
#ifndef WFI_HUBS_CUH
#define WFI_HUBS_CUH

#include "shared/triangles/oriented_cuda.cuh"

/* Rows are padded to whole shares, a share being what a warp reads at once, 16 bytes a lane. */
enum { WFI_SHARE_BITS = 4096, WFI_SHARE_WORDS = WFI_SHARE_BITS / 32, WFI_MOST_HUBS = 1 << 14 };

struct wfi_hubs {
    weft_vid hubs = 0;
    uint32_t words = 0; /* of a row */
    uint32_t *bits = nullptr;
    uint32_t *split = nullptr; /* of each long row, in the order of their list: how many of its entries are hubs */
};

/* How many: all vertices where the matrix takes no more than the rows do, else at most WFI_MOST_HUBS and 2 bytes an
 * edge. */
weft_vid wfi_hubs_for(uint64_t n, uint64_t edges);
/* Of a view with so many edges and long rows, or for a plan with no more. */
void wfi_hubs_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows, wfi_hubs *h);
weft_status wfi_hubs_make(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_hubs *h);

/* Triangles all of whose corners but the first are hubs, and whose first corner has one of the rows [first, end) of the
 * list of long rows: added to the corners.  Asynchronous. */
weft_status wfi_hubs_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, uint32_t first, uint32_t end,
                           unsigned long long *corners);

#endif
