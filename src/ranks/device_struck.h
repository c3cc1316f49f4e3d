/* The kernels of device_peel.c. */
#ifndef WFI_RANK_DEVICE_STRUCK_H
#define WFI_RANK_DEVICE_STRUCK_H

#include "cuda/transfer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A peeling, all of it on the GPU. */
typedef struct wfi_struck {
    wfi_view out;
    weft_vid first;    /* of this rank's vertices; row k is that of first + k */
    uint32_t *level;   /* of these: the longest path so far */
    uint64_t *waiting; /* likewise: arcs from what is not peeled */
    weft_vid *queue;   /* rows that were peeled and whose arcs are not struck, ... */
    weft_vid *next;    /* ... and those that come */
    uint64_t *queued;  /* 1: of these */
    /* Of each vertex of the graph: arcs struck by this rank that nobody was told of, and in the lower half the
         * level that they lead to */
    uint64_t *falls;
    weft_vid *say;  /* those that have some, ... */
    uint64_t *said; /* ... so many */
} wfi_struck;

/* Those that wait for nobody are queued. */
weft_status wfi_struck_begin(weft_ctx *ctx, const wfi_struck *p);
/* The arcs of the first `queued` of the queue: who waits for nobody then is put into `next`, who is another rank's is
 * said. */
weft_status wfi_strike(weft_ctx *ctx, const wfi_struck *p, uint64_t queued);
/* Triples (vertex, level, arcs) of this rank's vertices: they fall; who waits for nobody then is queued. */
weft_status wfi_struck_hear(weft_ctx *ctx, const wfi_struck *p, const uint32_t *heard, uint64_t count);
/* before[v], which is UINT64_MAX: the smallest of this rank's vertices that wait and lead to v. */
weft_status wfi_struck_point_back(weft_ctx *ctx, const wfi_struck *p, uint64_t *before);

#ifdef __cplusplus
}
#endif
#endif
