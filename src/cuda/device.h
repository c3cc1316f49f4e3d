/* The C interface to the GPU: no CUDA type crosses it.  Implemented by device.cu and ceilings.cu, or by
 * stub/device_stub.c in a build without CUDA.
 *
 * Nothing here touches the driver before it is called: a program that uses no GPU never loads the driver. */
#ifndef WFI_CUDA_DEVICE_H
#define WFI_CUDA_DEVICE_H

#include "core/pool.h"

WFI_C_BEGIN

/* The number of usable GPUs.  If 0, `reason` says why in one sentence without a full stop.  Any thread. */
int wfi_cuda_devices(char *reason, size_t size);

/* True if the driver's context of some GPU exists.  Does not touch the driver. */
bool wfi_cuda_started(void);
/* True if this process was forked from one that had used CUDA: it cannot use CUDA, and calls would fail or hang. */
bool wfi_cuda_lost(void);

/* Begins to make the driver's context of the first GPU on a thread of its own; the second call waits for that
 * thread. */
void wfi_cuda_startup_begin(void);
void wfi_cuda_startup_wait(void);

/* Makes the context's part on its GPU (cuda/gpu.cuh) if it does not exist. */
weft_status wfi_cuda_ready(weft_ctx *ctx);

/* Between enter and leave the calling thread works on the context's GPU, which is made ready; leave makes the previous
 * driver's context current again, and is allowed whether or not enter succeeded. */
typedef struct wfi_visit {
    void *before; /* the driver's context */
    bool moved;
} wfi_visit;
weft_status wfi_cuda_enter(weft_ctx *ctx, wfi_visit *visit);
void wfi_cuda_leave(wfi_visit *visit);
/* Copies bytes at `there`, in the memory of the context's GPU, to the host, after the work on the stream.  Between
 * enter and leave. */
weft_status wfi_cuda_read(weft_ctx *ctx, void *to, const void *there, size_t bytes);
/* Waits for the work that a failed run has left on the stream. */
void wfi_cuda_drain(weft_ctx *ctx);

/* Applies the context's new choice of a stream.  After a failure the context uses its own. */
weft_status wfi_cuda_use_stream(weft_ctx *ctx);
/* Returns the memory kept for later runs to the system. */
weft_status wfi_cuda_trim(weft_ctx *ctx);

/* For the pool of a plan that runs repeatedly: returned blocks are pinned, so that the next result is downloaded into
 * them without a detour (cuda/pinned.cu). */
wfi_pool_care wfi_cuda_care(weft_ctx *ctx);

/* The GPU of a graph's mirror. */
struct wfi_mirror;
int wfi_mirror_gpu(const struct wfi_mirror *mirror);

struct weft_machine;
/* Fills the gpu fields of `machine` for the context's GPU; needs wfi_cuda_devices() > 0.
 * measure = 0 makes no context on the GPU and leaves gpu_memory_free_bytes and the measured figures 0. */
weft_status wfi_cuda_describe(weft_ctx *ctx, struct weft_machine *machine, int measure);

/* A block of the GPU's memory: a plan's arena, or a result's column (core/context.h).  new makes it for work in the
 * order of the context's stream, data is its address, bring copies it to the host (false if the GPU fails). */
struct wfi_device_block;
weft_status wfi_device_block_new(weft_ctx *ctx, size_t bytes, struct wfi_device_block **block);
const void *wfi_device_block_data(const struct wfi_device_block *block);
bool wfi_device_block_download(const struct wfi_device_block *block, void *to);
/* The address for foreign code, whose streams are unknown: freeing the block will wait for all of them. */
const void *wfi_device_block_export(struct wfi_device_block *block);
void wfi_device_block_free(struct wfi_device_block *block);
/* For tests: sets every byte. */
bool wfi_device_block_fill(struct wfi_device_block *block, int byte);

/* For tests.  The CUDA call after the next `after` ones fails with CUDA's error number `error`, and if `lasts` so do
 * all calls after it; error 0 = no failure.  Calls that release something do not fail. */
void wfi_cuda_inject_failure(long after, int error, bool lasts);
/* For tests: a GPU is reported as present and ready, and nothing runs on it. */
void wfi_cuda_pretend(bool there);
bool wfi_cuda_pretended(void);

WFI_C_END
#endif
