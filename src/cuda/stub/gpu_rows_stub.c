/* What stands behind cuda/gpu_rows.h in a build without CUDA: no rows are ever made. */
#include "cuda/device.h"
#include "cuda/gpu_rows.h"

weft_status wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out) {
    (void)g;
    (void)out;
    return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA");
}

weft_status wfi_gpu_rows_merge(weft_ctx *ctx, struct wfi_gpu_rows *old, const wfi_arc_batch *batch, uint64_t *counts,
                               double *ms, struct wfi_gpu_rows **out) {
    (void)old;
    (void)batch;
    (void)counts;
    (void)ms;
    (void)out;
    return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA");
}

weft_status wfi_gpu_rows_bring(weft_ctx *ctx, struct wfi_gpu_rows *rows, const wfi_view *to) {
    (void)rows;
    (void)to;
    return wfi_fail(ctx, WEFT_EDEVICE, "no GPU: built without CUDA");
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
    (void)ctx;
    (void)g;
    (void)rows;
    return WEFT_OK;
}

struct wfi_gpu_rows *wfi_mirror_share(const weft_graph *g) {
    (void)g;
    return NULL;
}
