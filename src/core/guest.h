/* What the caller wants of the GPU, and what the context has there.  The GPU's part (cuda/gpu.cuh) is made on first
 * use.  And the context's place among ranks (ranks/comm.h), if it has one. */
#ifndef WFI_GUEST_H
#define WFI_GUEST_H

#include "core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wfi_guest {
    int index;                         /* of the GPU */
    void *stream;                      /* the caller's; NULL: the context's own */
    struct wfi_gpu *gpu;               /* NULL: not used so far */
    void (*part)(struct wfi_gpu *gpu); /* from the context; blocks of the GPU's memory may still need it */
} wfi_guest;

typedef struct wfi_seat {
    struct wfi_comm *comm;                /* NULL: there is one rank */
    void (*leave)(struct wfi_comm *comm); /* when the context is freed */
    int rank, ranks;
    const struct wfi_together *calls; /* what rooms below src/ranks do with the others (core/together.h) */
} wfi_seat;

/* The context's. */
wfi_guest *wfi_ctx_guest(weft_ctx *ctx);
wfi_seat *wfi_ctx_seat(weft_ctx *ctx);
/* Releases its `gpu`: what is used next is created again. */
void wfi_ctx_part_gpu(weft_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
