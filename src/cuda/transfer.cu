/* Copies between host and GPU.  Needs: the context.
 * Method: two pinned pieces.  While the link moves one, the host's threads copy the other: pageable memory reaches what pinned
 * memory reaches, where the driver's own way gives a sixth of it.  The pieces are made once and kept.
 * One transfer at a time: the pieces are guarded by a lock. */
#include "cuda/buffers.cuh"

#include <omp.h>
#include <pthread.h>
#include <string.h>

static const size_t PIECE = (size_t)16 << 20, DIRECT = (size_t)1 << 16, SLICE = (size_t)1 << 20;

static struct {
    pthread_mutex_t lock;
    char *pinned[2];
    cudaEvent_t done[2];
    bool made;
} pieces = {PTHREAD_MUTEX_INITIALIZER, {NULL, NULL}, {NULL, NULL}, false};

static weft_status make_pieces(weft_ctx *ctx) {
    if (pieces.made) return WEFT_OK;
    for (int i = 0; i < 2; i++) {
        if (!pieces.pinned[i]) WFI_CUDA(cudaMallocHost((void **)&pieces.pinned[i], PIECE));
        if (!pieces.done[i]) WFI_CUDA(cudaEventCreateWithFlags(&pieces.done[i], cudaEventDisableTiming));
    }
    pieces.made = true;
    return WEFT_OK;
}

static void copy_with_threads(weft_ctx *ctx, char *to, const char *from, size_t bytes) {
    size_t slices = (bytes + SLICE - 1) / SLICE;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, slices, 1))
    for (size_t i = 0; i < slices; i++) {
        size_t at = i * SLICE;
        memcpy(to + at, from + at, bytes - at < SLICE ? bytes - at : SLICE);
    }
}

static weft_status upload_pieces(weft_ctx *ctx, char *to, const char *from, size_t bytes) {
    cudaStream_t stream = wfi_cuda_stream();
    int turn = 0;
    for (size_t at = 0; at < bytes; at += PIECE, turn ^= 1) {
        size_t size = bytes - at < PIECE ? bytes - at : PIECE;
        WFI_CUDA(cudaEventSynchronize(pieces.done[turn]));
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        copy_with_threads(ctx, pieces.pinned[turn], from + at, size);
        WFI_CUDA(cudaMemcpyAsync(to + at, pieces.pinned[turn], size, cudaMemcpyHostToDevice, stream));
        WFI_CUDA(cudaEventRecord(pieces.done[turn], stream));
    }
    WFI_CUDA(cudaEventSynchronize(pieces.done[0]));
    WFI_CUDA(cudaEventSynchronize(pieces.done[1]));
    return WEFT_OK;
}

static weft_status download_pieces(weft_ctx *ctx, char *to, const char *from, size_t bytes) {
    cudaStream_t stream = wfi_cuda_stream();
    size_t count = (bytes + PIECE - 1) / PIECE;
    for (size_t i = 0; i <= count; i++) { /* piece i sets out, piece i - 1 is taken */
        if (i < count) {
            size_t size = bytes - i * PIECE < PIECE ? bytes - i * PIECE : PIECE;
            WFI_CUDA(cudaMemcpyAsync(pieces.pinned[i & 1], from + i * PIECE, size, cudaMemcpyDeviceToHost, stream));
            WFI_CUDA(cudaEventRecord(pieces.done[i & 1], stream));
        }
        if (i) {
            size_t at = (i - 1) * PIECE, size = bytes - at < PIECE ? bytes - at : PIECE;
            WFI_CUDA(cudaEventSynchronize(pieces.done[(i - 1) & 1]));
            copy_with_threads(ctx, to + at, pieces.pinned[(i - 1) & 1], size);
        }
    }
    return WEFT_OK;
}

typedef weft_status (*by_pieces)(weft_ctx *ctx, char *to, const char *from, size_t bytes);

static weft_status copy(weft_ctx *ctx, by_pieces move, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    if (bytes <= DIRECT) {
        if (bytes) WFI_CUDA(cudaMemcpyAsync(to, from, bytes, kind, wfi_cuda_stream()));
        return wfi_cuda_sync(ctx);
    }
    pthread_mutex_lock(&pieces.lock);
    weft_status st = make_pieces(ctx);
    if (!st) st = move(ctx, (char *)to, (const char *)from, bytes);
    pthread_mutex_unlock(&pieces.lock);
    return st;
}

weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return copy(ctx, upload_pieces, to, from, bytes, cudaMemcpyHostToDevice);
}

weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return copy(ctx, download_pieces, to, from, bytes, cudaMemcpyDeviceToHost);
}

weft_status wfi_cuda_sync(weft_ctx *ctx) {
    WFI_CUDA(cudaGetLastError());
    WFI_CUDA(cudaStreamSynchronize(wfi_cuda_stream()));
    return WEFT_OK;
}
