/* The caller's choice of GPU and stream, and the context's state on that GPU (cuda/gpu.cuh), created on first use. */
#ifndef WFI_GPU_BINDING_H
#define WFI_GPU_BINDING_H

#include "core/core.h"

WFI_C_BEGIN

typedef struct wfi_gpu_binding {
    int index;                           /* CUDA device number */
    void *stream;                        /* the caller's stream; NULL: the context's own */
    struct wfi_gpu *gpu;                 /* NULL: not created yet */
    void (*detach)(struct wfi_gpu *gpu); /* detaches the state from the context; GPU memory blocks may outlive it */
} wfi_gpu_binding;

/* The context's binding. */
wfi_gpu_binding *wfi_ctx_gpu_binding(weft_ctx *ctx);
/* Releases the GPU state; the next use creates it again. */
void wfi_ctx_detach_gpu(weft_ctx *ctx);

WFI_C_END
#endif
