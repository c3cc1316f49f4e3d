/* Puts sources in an order in which neighbours share a group, so that a vertex meets them at few different distances:
 * each group grows along the rows around its first source, the smallest that is left.  wanted[v] = 1 for the vertices
 * to order, and 0 everywhere afterwards; returns their number, 0 if the caller wants to stop. */
#ifndef WFI_MSBFS_MSBFS_ORDER_H
#define WFI_MSBFS_MSBFS_ORDER_H

#include "graph/graph.h"

WFI_C_BEGIN
uint64_t wfi_msbfs_order(weft_ctx *ctx, const wfi_view *rows, unsigned group, uint8_t *wanted, weft_vid *order);
WFI_C_END
#endif
