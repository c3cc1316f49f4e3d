/* Blocks of the GPU's memory, and the way of result columns to the host, unless they stay there (core/resident.h).  They are counted in the context that made them, and may
 * outlive it. */
#include "core/touch.h"
#include "cuda/resident.cuh"

#include <new>
#include <omp.h>

struct wfi_device_block {
    wfi_buffer<char> bytes;
};

/* The column that begins there and has so many bytes, NULL if there is none. */
static wfi_resident *column_at(weft_ctx *ctx, const void *host, size_t bytes) {
    wfi_residents *s = wfi_ctx_residents(ctx);
    for (size_t i = 0; s->open && i < s->count; i++)
        if (s->at[i].host == host && s->at[i].bytes == bytes) return &s->at[i];
    return NULL;
}

weft_status wfi_device_block_new(weft_ctx *ctx, size_t bytes, struct wfi_device_block **block) {
    wfi_device_block *made = new (std::nothrow) wfi_device_block;
    if (!made) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for a block on the GPU");
    weft_status st = made->bytes.take(ctx, bytes);
    if (st)
        delete made;
    else
        *block = made;
    return st;
}

weft_status wfi_resident_room(weft_ctx *ctx, const void *column, size_t bytes, void **room) {
    wfi_resident *resident = wfi_ctx_residents(ctx)->wanted ? column_at(ctx, column, bytes) : NULL;
    *room = NULL;
    if (!resident) return WEFT_OK;
    weft_status st = resident->block ? WEFT_OK : wfi_device_block_new(ctx, bytes, &resident->block);
    if (!st) *room = resident->block->bytes.data;
    return st;
}

/* Not from within a team, whose threads have other work.  Small blocks are not worth one. */
void wfi_columns_touch(weft_ctx *ctx) {
    static const size_t LARGE = (size_t)2 << 20;
    wfi_residents *s = wfi_ctx_residents(ctx);
    wfi_span span[WFI_MOST_RESIDENTS];
    size_t spans = 0;
    if (!s->open || s->wanted || s->touched == s->count || omp_in_parallel()) return;
    for (; s->touched < s->count; s->touched++) {
        const wfi_resident *column = &s->at[s->touched];
        if (column->bytes >= LARGE && !wfi_block_pinned(column->host)) span[spans++] = {column->host, column->bytes};
    }
    if (spans) wfi_touch(ctx, span, spans);
}

/* The copy engine fills it where it is. */
static weft_status download_pinned(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    wfi_stage_scope stage(ctx, "download");
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    WFI_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, wfi_cuda_stream(ctx)));
    weft_status st = wfi_cuda_sync(ctx);
    if (!st) stage.bytes = bytes;
    return st;
}

weft_status wfi_deliver(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    void *room;
    weft_status st = wfi_resident_room(ctx, to, bytes, &room);
    if (st) return st;
    if (!room) {
        bool pinned = column_at(ctx, to, bytes) && wfi_block_pinned(to);
        return pinned ? download_pinned(ctx, to, from, bytes) : wfi_download(ctx, to, from, bytes);
    }
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    WFI_CUDA(cudaMemcpyAsync(room, from, bytes, cudaMemcpyDeviceToDevice, wfi_cuda_stream(ctx)));
    return wfi_cuda_sync(ctx);
}

weft_status wfi_cuda_read(weft_ctx *ctx, void *to, const void *there, size_t bytes) {
    weft_status st = wfi_cuda_sync(ctx);
    return st ? st : wfi_download(ctx, to, there, bytes);
}

const void *wfi_device_block_data(const struct wfi_device_block *block) { return block->bytes.data; }

bool wfi_device_block_bring(const struct wfi_device_block *block, void *to) {
    weft_ctx *ctx; /* the one that made it may be gone, or at work */
    if (wfi_cuda_lost() || weft_ctx_new(&ctx)) return false;
    weft_status st = wfi_download_from(ctx, block->bytes.on(), to, block->bytes.data, block->bytes.count);
    weft_ctx_free(ctx);
    return st == WEFT_OK;
}

void wfi_device_block_free(struct wfi_device_block *block) { delete block; }

bool wfi_device_block_fill(struct wfi_device_block *block, int byte) {
    wfi_gpu_scope here(block->bytes.on());
    cudaStream_t stream = block->bytes.on()->stream;
    return cudaMemsetAsync(block->bytes.data, byte, block->bytes.count, stream) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess;
}
