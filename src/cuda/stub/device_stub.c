/* The functions of cuda/device.h, stream.h, nccl.h and gpu_rows.h that a build without CUDA calls: no GPU, and the
 * reason. */
#include "cuda/device.h"
#include "cuda/gpu_rows.h"
#include "cuda/nccl.h"
#include "cuda/stream.h"
#include "weft/machine.h"

#include <stdio.h>

static bool pretended;

static weft_status no_gpu(weft_ctx *ctx) { return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA"); }

void wfi_cuda_pretend(bool there) { pretended = there; }

int wfi_cuda_devices(char *reason, size_t size) {
    snprintf(reason, size, pretended ? "" : "built without CUDA");
    return pretended;
}

bool wfi_cuda_started(void) { return false; }
void wfi_cuda_startup_begin(void) {}
void wfi_cuda_startup_wait(void) {}

weft_status wfi_cuda_ready(weft_ctx *ctx) { return pretended ? WEFT_OK : no_gpu(ctx); }

weft_status wfi_cuda_enter(weft_ctx *ctx, wfi_visit *visit) {
    *visit = (wfi_visit){NULL, false};
    return wfi_cuda_ready(ctx);
}

void wfi_cuda_leave(wfi_visit *visit) { (void)visit; }

weft_status wfi_cuda_read(weft_ctx *ctx, void *to, const void *there, size_t bytes) {
    (void)to, (void)there, (void)bytes;
    return no_gpu(ctx);
}

void wfi_cuda_drain(weft_ctx *ctx) { (void)ctx; }

weft_status wfi_cuda_use_stream(weft_ctx *ctx) {
    (void)ctx;
    return WEFT_OK;
}

weft_status wfi_cuda_trim(weft_ctx *ctx) {
    (void)ctx;
    return WEFT_OK;
}

wfi_pool_care wfi_cuda_care(weft_ctx *ctx) {
    (void)ctx;
    return (wfi_pool_care){NULL, NULL, NULL};
}

int wfi_mirror_gpu(const struct wfi_mirror *mirror) {
    (void)mirror;
    return 0;
}

weft_status wfi_cuda_describe(weft_ctx *ctx, weft_machine *machine, int measure) {
    (void)machine, (void)measure;
    return wfi_cuda_ready(ctx);
}

weft_status wfi_device_block_new(weft_ctx *ctx, size_t bytes, struct wfi_device_block **block) {
    (void)bytes, (void)block;
    return wfi_cuda_ready(ctx);
}

const void *wfi_device_block_data(const struct wfi_device_block *block) {
    (void)block;
    return NULL;
}

bool wfi_device_block_download(const struct wfi_device_block *block, void *to) {
    (void)block, (void)to;
    return false;
}

const void *wfi_device_block_export(struct wfi_device_block *block) {
    (void)block;
    return NULL;
}

void wfi_device_block_free(struct wfi_device_block *block) { (void)block; }

bool wfi_device_block_fill(struct wfi_device_block *block, int byte) {
    (void)block, (void)byte;
    return false;
}

void wfi_cuda_inject_failure(long after, int error, bool lasts) { (void)after, (void)error, (void)lasts; }

uint64_t wfi_device_available(const weft_ctx *ctx, uint64_t wanted) {
    (void)wanted;
    return wfi_device_memory_left(ctx);
}

bool wfi_nccl_found(char *text, size_t size) {
    snprintf(text, size, "built without CUDA");
    return false;
}

/* --- rows: none are ever made --------------------------------------------------------- */

weft_status wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out) {
    (void)g, (void)out;
    return no_gpu(ctx);
}

weft_status wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *batch, uint64_t *counts,
                               double *ms, struct wfi_gpu_rows **out) {
    (void)old, (void)batch, (void)counts, (void)ms, (void)out;
    return no_gpu(ctx);
}

weft_status wfi_gpu_rows_download(weft_ctx *ctx, struct wfi_gpu_rows *rows, const wfi_view *to) {
    (void)rows, (void)to;
    return no_gpu(ctx);
}

uint64_t wfi_gpu_rows_bytes(const struct wfi_gpu_rows *rows) {
    (void)rows;
    return 0;
}

weft_vid wfi_gpu_rows_count(const struct wfi_gpu_rows *rows) {
    (void)rows;
    return 0;
}

int wfi_gpu_rows_index(const struct wfi_gpu_rows *rows) {
    (void)rows;
    return 0;
}

struct wfi_gpu_rows *wfi_gpu_rows_keep(struct wfi_gpu_rows *rows) {
    return rows;
}
void wfi_gpu_rows_drop(struct wfi_gpu_rows *rows) { (void)rows; }

weft_status wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *rows) {
    (void)ctx, (void)g, (void)rows;
    return WEFT_OK;
}

struct wfi_gpu_rows *wfi_mirror_share(const weft_graph *g) {
    (void)g;
    return NULL;
}
