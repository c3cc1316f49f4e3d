/* Copies between host and GPU.  Needs: the context.
 * Method: several threads, each with two pinned pieces of its own, take the transfer's pieces in turn.  While the link moves
 * one, the others are filled or emptied: pageable memory reaches what pinned memory reaches, where the driver's own way gives
 * a sixth of it.  Pages of a mapped file are asked for a piece at a time, not by a fault each.  The pinned pieces are made once
 * and kept.
 * One transfer at a time: the pieces are guarded by a lock. */
#include "cuda/buffers.cuh"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_CARRIERS = 32, EACH = 2 };
static const size_t DIRECT = (size_t)1 << 16, PAGE = 4096;

static size_t knob(const char *name, size_t standard) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : standard;
}
static size_t PIECE = knob("WEFT_X_P", 1024) << 10;
static size_t CARRIERS = knob("WEFT_X_T", 16);
static size_t POPULATE = knob("WEFT_X_POP", 1);

static struct {
    pthread_mutex_t lock;
    char *pinned;
    cudaEvent_t done[MOST_CARRIERS][EACH];
    bool made;
} pieces = {PTHREAD_MUTEX_INITIALIZER, NULL, {}, false};

struct transfer {
    char *to;
    const char *from;
    size_t bytes, next; /* the first that nobody has taken */
    bool up;
    int failed; /* the first status that is not WEFT_OK */
};

static weft_status make_pieces(weft_ctx *ctx) {
    if (pieces.made) return WEFT_OK;
    wfi_stage_scope stage(ctx, "context");
    if (!pieces.pinned) WFI_CUDA(cudaMallocHost((void **)&pieces.pinned, CARRIERS * EACH * PIECE));
    for (size_t i = 0; i < CARRIERS; i++)
        for (int k = 0; k < EACH; k++)
            if (!pieces.done[i][k]) WFI_CUDA(cudaEventCreateWithFlags(&pieces.done[i][k], cudaEventDisableTiming));
    pieces.made = true;
    return WEFT_OK;
}

/* The next piece of the transfer; 0 bytes when there is none. */
static size_t take_piece(transfer *t, size_t *at) {
    if (__atomic_load_n(&t->failed, __ATOMIC_RELAXED)) return 0;
    *at = __atomic_fetch_add(&t->next, PIECE, __ATOMIC_RELAXED);
    if (*at >= t->bytes) return 0;
    return t->bytes - *at < PIECE ? t->bytes - *at : PIECE;
}

/* Maps the pages of a file that are in memory already; where the system cannot, they come one by one. */
static void ask_for_pages(const char *from, size_t bytes) {
#ifdef MADV_POPULATE_READ
    uintptr_t begin = (uintptr_t)from & ~(uintptr_t)(PAGE - 1);
    if (POPULATE) madvise((void *)begin, (uintptr_t)from + bytes - begin, MADV_POPULATE_READ);
#else
    (void)from;
    (void)bytes;
#endif
}

static weft_status carry_up(weft_ctx *ctx, transfer *t, int me) {
    cudaStream_t stream = wfi_cuda_stream();
    size_t at, bytes;
    for (int turn = 0; (bytes = take_piece(t, &at)) != 0; turn = (turn + 1) % EACH) {
        char *mine = pieces.pinned + ((size_t)me * EACH + (size_t)turn) * PIECE;
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        WFI_CUDA(cudaEventSynchronize(pieces.done[me][turn]));
        ask_for_pages(t->from + at, bytes);
        memcpy(mine, t->from + at, bytes);
        WFI_CUDA(cudaMemcpyAsync(t->to + at, mine, bytes, cudaMemcpyHostToDevice, stream));
        WFI_CUDA(cudaEventRecord(pieces.done[me][turn], stream));
    }
    return WEFT_OK;
}

/* A piece sets out, the one before it is taken. */
static weft_status carry_down(weft_ctx *ctx, transfer *t, int me) {
    cudaStream_t stream = wfi_cuda_stream();
    size_t at = 0, before = 0, bytes, waiting = 0;
    for (int turn = 0;; turn = (turn + 1) % EACH) {
        char *mine = pieces.pinned + ((size_t)me * EACH + (size_t)turn) * PIECE;
        char *other = pieces.pinned + ((size_t)me * EACH + (size_t)((turn + 1) % EACH)) * PIECE;
        bytes = take_piece(t, &at);
        if (bytes) {
            WFI_CUDA(cudaMemcpyAsync(mine, t->from + at, bytes, cudaMemcpyDeviceToHost, stream));
            WFI_CUDA(cudaEventRecord(pieces.done[me][turn], stream));
        }
        if (waiting) {
            WFI_CUDA(cudaEventSynchronize(pieces.done[me][(turn + 1) % EACH]));
            memcpy(t->to + before, other, waiting);
        }
        if (!bytes) return WEFT_OK;
        waiting = bytes;
        before = at;
    }
}

static weft_status carry_all(weft_ctx *ctx, transfer *t) {
    int carriers = (int)wfi_min_u64(CARRIERS, (uint64_t)wfi_threads_for(ctx, t->bytes, PIECE));
#pragma omp parallel num_threads(carriers)
    {
        weft_status st = (t->up ? carry_up : carry_down)(ctx, t, omp_get_thread_num());
        int none = WEFT_OK;
        if (st) __atomic_compare_exchange_n(&t->failed, &none, (int)st, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    if (t->failed) return (weft_status)t->failed;
    return t->up ? wfi_cuda_sync(ctx) : WEFT_OK;
}

/* What went before on the stream is waited for first: it is no part of this. */
static weft_status copy(weft_ctx *ctx, void *to, const void *from, size_t bytes, bool up) {
    if (bytes <= DIRECT) {
        if (bytes)
            WFI_CUDA(cudaMemcpyAsync(to, from, bytes, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                                     wfi_cuda_stream()));
        return wfi_cuda_sync(ctx);
    }
    weft_status st = wfi_cuda_sync(ctx);
    if (st) return st;
    pthread_mutex_lock(&pieces.lock);
    st = make_pieces(ctx);
    if (!st) {
        wfi_stage_scope stage(ctx, up ? "upload" : "download");
        transfer t = {(char *)to, (const char *)from, bytes, 0, up, WEFT_OK};
        st = carry_all(ctx, &t);
        if (!st) stage.bytes = bytes;
    }
    pthread_mutex_unlock(&pieces.lock);
    return st;
}

weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return copy(ctx, to, from, bytes, true);
}

weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return copy(ctx, to, from, bytes, false);
}

weft_status wfi_cuda_sync(weft_ctx *ctx) {
    WFI_CUDA(cudaGetLastError());
    WFI_CUDA(cudaStreamSynchronize(wfi_cuda_stream()));
    return WEFT_OK;
}
