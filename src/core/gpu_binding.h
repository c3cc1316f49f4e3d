/* What the caller wants of the GPU, and what the context has there.  The GPU's part (cuda/gpu.cuh) is made on first
 * use. */
#ifndef WFI_GUEST_H
#define WFI_GUEST_H

#include "core/core.h"

WFI_C_BEGIN

typedef struct wfi_gpu_binding {
    int index;                         /* of the GPU */
    void *stream;                      /* the caller's; NULL: the context's own */
    struct wfi_gpu *gpu;               /* NULL: not used so far */
    void (*part)(struct wfi_gpu *gpu); /* from the context; blocks of the GPU's memory may still need it */
} wfi_gpu_binding;

/* The context's. */
wfi_gpu_binding *wfi_ctx_guest(weft_ctx *ctx);
/* Releases its `gpu`: what is used next is created again. */
void wfi_ctx_part_gpu(weft_ctx *ctx);

WFI_C_END
#endif
