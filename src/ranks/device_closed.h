/* The kernels of device_corners.c. */
#ifndef WFI_RANK_DEVICE_CLOSED_H
#define WFI_RANK_DEVICE_CLOSED_H

#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A search for triangles, all of it on the GPU; what is meant stands in corners.h and corners.c. */
typedef struct wfi_closed {
    int rule;            /* wfi_corner_rule */
    weft_vid first, end; /* this rank's vertices */
    weft_eid *offsets, *group;
    weft_vid *target, *from;
    uint8_t *arcs, *from_arcs; /* NULL: they do not count */
    uint64_t *sums;            /* of each vertex of the graph */
    uint64_t *found;           /* 1 */
    weft_vid *want;            /* rows that were fetched, ascending: `brought` vertices, ... */
    uint64_t brought;
    uint64_t *at, *length; /* ... where their rows lie */
    weft_vid *rows;
    uint8_t *rows_arcs;
} wfi_closed;

/* Edges low ... low + count-1 in the order of their targets, which are vertices from ... to-1.  fetched: of those whose
 * targets have rows that were fetched, else of this rank's. */
weft_status wfi_close(weft_ctx *ctx, const wfi_closed *c, uint64_t low, uint64_t count, weft_vid from, weft_vid to,
                      bool fetched);

#ifdef __cplusplus
}
#endif
#endif
