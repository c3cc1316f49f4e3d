/* Blocks of the GPU's memory, and the download of result columns that do not stay there (core/context.h).  The blocks
 * are counted in the context that made them, and may outlive it. */
#include "core/memory.h"
#include "cuda/buffers.cuh"

#include <new>
#include <omp.h>

struct wfi_device_block {
    wfi_buffer<char> bytes;
    bool shown = false;
};

/* The column of `bytes` bytes that begins at `host`, NULL if there is none. */
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

weft_status wfi_resident_column(weft_ctx *ctx, const void *column, size_t bytes, void **memory) {
    wfi_resident *resident = wfi_ctx_residents(ctx)->wanted ? column_at(ctx, column, bytes) : NULL;
    *memory = NULL;
    if (!resident) return WEFT_OK;
    weft_status st = resident->block ? WEFT_OK : wfi_device_block_new(ctx, bytes, &resident->block);
    if (!st) *memory = resident->block->bytes.data;
    return st;
}

/* Not called within a team, whose threads have other work.  Only large blocks are worth a team. */
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

static weft_status await_copies(weft_ctx *ctx, uint64_t downloaded) {
    if (!downloaded) return wfi_cuda_sync(ctx);
    wfi_stage_scope stage(ctx, "download");
    weft_status st = wfi_cuda_sync(ctx);
    if (!st) stage.bytes = downloaded;
    return st;
}

static bool is_pinned(weft_ctx *ctx, const wfi_copy *column) {
    return column_at(ctx, column->to, column->bytes) && wfi_block_pinned(column->to);
}

__global__ static void narrow_words(const uint32_t *from, size_t count, uint8_t *to) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        to[i] = (uint8_t)from[i];
}

/* Pinned columns are not narrowed: the link is faster than two cores that widen. */
void wfi_narrow(weft_ctx *ctx, wfi_copy *column, uint64_t most, void *scratch) {
    static const size_t LARGE = (size_t)1 << 20;
    size_t count = column->bytes / sizeof(uint32_t);
    if (most >= UINT8_MAX || column->bytes < LARGE || wfi_ctx_residents(ctx)->wanted || is_pinned(ctx, column)) return;
    narrow_words<<<wfi_grid(count, 256, 4096), 256, 0, wfi_cuda_stream(ctx)>>>((const uint32_t *)column->from, count,
                                                                               (uint8_t *)scratch);
    column->from = scratch;
    column->narrow = true;
}

/* The copy engine writes pinned columns directly; the others go through staging buffers. */
weft_status wfi_deliver_all(weft_ctx *ctx, const wfi_copy *column, size_t columns) {
    wfi_copy through[WFI_MOST_RESIDENTS];
    size_t count = 0;
    uint64_t directly = 0;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    for (const wfi_copy *c = column; c < column + columns; c++) {
        void *memory;
        weft_status st = wfi_resident_column(ctx, c->to, c->bytes, &memory);
        if (st) return st;
        if (!memory && !is_pinned(ctx, c)) {
            through[count++] = *c;
            continue;
        }
        WFI_CUDA_OR_RETURN(cudaMemcpyAsync(memory ? memory : c->to, c->from, c->bytes,
                                           memory ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost,
                                           wfi_cuda_stream(ctx)));
        if (!memory) directly += c->bytes;
    }
    weft_status st = count < columns ? await_copies(ctx, directly) : WEFT_OK;
    return st || !count ? st : wfi_download_all(ctx, through, count);
}

weft_status wfi_deliver(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    wfi_copy all = {to, from, bytes, false};
    return wfi_deliver_all(ctx, &all, 1);
}

const void *wfi_device_block_data(const struct wfi_device_block *block) { return block->bytes.data; }

bool wfi_device_block_download(const struct wfi_device_block *block, void *to) {
    weft_ctx *ctx; /* the context that made the block may be gone, or at work */
    if (wfi_cuda_lost() || weft_ctx_new(&ctx)) return false;
    weft_status st = wfi_download_from(ctx, block->bytes.on(), to, block->bytes.data, block->bytes.count);
    weft_ctx_free(ctx);
    return st == WEFT_OK;
}

const void *wfi_device_block_export(struct wfi_device_block *block) {
    __atomic_store_n(&block->shown, true, __ATOMIC_RELAXED);
    return block->bytes.data;
}

void wfi_device_block_free(struct wfi_device_block *block) {
    if (block->shown && !wfi_cuda_lost()) {
        wfi_gpu_scope here(block->bytes.on());
        cudaDeviceSynchronize();
    }
    delete block;
}

bool wfi_device_block_fill(struct wfi_device_block *block, int byte) {
    wfi_gpu_scope here(block->bytes.on());
    cudaStream_t stream = block->bytes.on()->stream;
    return cudaMemsetAsync(block->bytes.data, byte, block->bytes.count, stream) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess;
}
