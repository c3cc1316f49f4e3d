/* The door to the GPU for C code: no CUDA type crosses it.  device.cu and ceilings.cu stand behind it, or
 * stub/device_stub.c in a build without CUDA.
 *
 * Nothing here touches the driver before it is called: a program that uses no GPU never loads it. */
#ifndef WFI_CUDA_DEVICE_H
#define WFI_CUDA_DEVICE_H

#include "core/pool.h"

WFI_C_BEGIN

/* How many GPUs can be used.  When 0, `reason` says why in one sentence without a full stop.  Any thread. */
int wfi_cuda_devices(char *reason, size_t room);

/* Is the driver's context of some GPU there?  Does not touch the driver. */
bool wfi_cuda_started(void);
/* What making the one of this context's GPU took, however long ago; 0 if it is not there. */
double wfi_cuda_context_ms(const weft_ctx *ctx);
/* Was this process forked from one that had used CUDA?  Then it has none, and calls would fail or hang. */
bool wfi_cuda_lost(void);

/* Begins to make the first GPU's on a thread of its own, and waits for that thread to end. */
void wfi_cuda_begin(void);
void wfi_cuda_settle(void);

/* Makes what the context needs on its GPU (cuda/gpu.cuh) if it is not there. */
weft_status wfi_cuda_ready(weft_ctx *ctx);

/* The calling thread works on the context's GPU, made ready; then what was current before is current again.  Leaving is
 * allowed whether or not entering succeeded. */
typedef struct wfi_visit {
    void *before; /* the driver's context */
    bool moved;
} wfi_visit;
weft_status wfi_cuda_enter(weft_ctx *ctx, wfi_visit *visit);
void wfi_cuda_leave(wfi_visit *visit);
/* Bytes at `there`, in the memory of the context's GPU, to the host, after the work on the stream.  Between enter and
 * leave. */
weft_status wfi_cuda_read(weft_ctx *ctx, void *to, const void *there, size_t bytes);
/* Waits for what a failed run has left on the stream. */
void wfi_cuda_calm(weft_ctx *ctx);

/* The context's choice of a stream has changed.  After a failure its own is used. */
weft_status wfi_cuda_use_stream(weft_ctx *ctx);
/* Memory that is kept for later runs goes back to the system. */
weft_status wfi_cuda_trim(weft_ctx *ctx);

/* For the pool of a plan that runs again and again: what comes back is pinned, so that the next result arrives in it
 * without a detour (cuda/pinned.cu). */
wfi_pool_care wfi_cuda_care(weft_ctx *ctx);

/* The GPU that a graph's mirror lies on. */
struct wfi_mirror;
int wfi_mirror_gpu(const struct wfi_mirror *mirror);

/* Fills the gpu fields of `machine` for the context's GPU; needs wfi_cuda_devices() > 0.
 * measure = 0 makes no context on the GPU and leaves gpu_memory_free_bytes and the measured figures 0. */
weft_status wfi_cuda_describe(weft_ctx *ctx, weft_machine *machine, int measure);

/* A block of the GPU's memory: a plan's arena, or a result's column (core/context.h).  Made, for work in the order of
 * the context's stream; where it lies; a copy of it on the host, false when the GPU fails; its end. */
struct wfi_device_block;
weft_status wfi_device_block_new(weft_ctx *ctx, size_t bytes, struct wfi_device_block **block);
const void *wfi_device_block_data(const struct wfi_device_block *block);
bool wfi_device_block_bring(const struct wfi_device_block *block, void *to);
/* Where it lies, for others: their streams are not known, so that its end will wait for all of them. */
const void *wfi_device_block_show(struct wfi_device_block *block);
void wfi_device_block_free(struct wfi_device_block *block);
/* For tests: every byte of it. */
bool wfi_device_block_fill(struct wfi_device_block *block, int byte);

/* For tests.  The next call to CUDA but `after` fails with CUDA's error number `error`, and if it `lasts` all that
 * follow; error 0 = no trouble.  Calls that give something back do not fail. */
void wfi_cuda_trouble(long after, int error, bool lasts);
/* For tests: a GPU that is said to be there and ready, and that nothing runs on. */
void wfi_cuda_pretend(bool there);
bool wfi_cuda_pretended(void);

WFI_C_END
#endif
