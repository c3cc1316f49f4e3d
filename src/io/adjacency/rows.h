/* From a file that holds rows (offsets, then targets) to edges. */
#ifndef WFI_IO_ROWS_H
#define WFI_IO_ROWS_H

#include "graph/edges.h"

/* Puts the targets of arcs first ... first+count-1 into ends[1], ends[3], ..., and their weights, if wanted, into
 * weights, an array of the type given to wfi_edges_from_rows, Returns how many arcs it took before one that is wrong:
 * `count` if all are well.  Called by several threads at once. */
typedef uint64_t (*wfi_take_arcs)(void *user, uint64_t first, uint64_t count, uint32_t *ends, void *weights);

/* Adds offsets[n] arcs to `edges` in pieces of moderate size.  offsets[0] = 0, ascending (the caller has checked).
 * *bad = the first arc that `take` would not have, or offsets[n].  type: of the weights, WEFT_WEIGHT_NONE for none. */
weft_status wfi_edges_from_rows(weft_ctx *ctx, wfi_edges *edges, uint64_t n, const uint64_t *offsets,
                                weft_weight_type type, wfi_take_arcs take, void *user, uint64_t *bad);

#endif
