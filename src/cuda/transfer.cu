/* Copies between host and GPU.  Needs: the context.
 * Method: several threads take the transfer's pieces in turn; each has two pinned pieces of its own, with a stream for each.
 * While the link moves one, others are filled or emptied: pageable memory comes near what pinned memory reaches, where the
 * driver's own way gives a sixth of it.  What lies in a mapped file is read from the file: the system copies faster than it maps
 * pages one by one.  Pieces and streams are made once and kept.
 * One transfer at a time: the pieces are guarded by a lock. */
#include "cuda/stays.cuh"
#include "graph/graph.h"

#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* More threads are in each other's way, smaller pieces cost more calls than they save (bench/NOTES.md). */
enum { CARRIERS = 8, EACH = 2 };
static const size_t PIECE = (size_t)2 << 20, DIRECT = (size_t)1 << 16;
#include <stdlib.h>
static size_t env(const char *name, size_t usual) { const char *t = getenv(name); return t ? strtoul(t, NULL, 10) : usual; }
static const size_t SMALL = env("X_SMALL", 256 << 10), WARM = env("X_WARM", 1);

static struct {
    pthread_mutex_t lock;
    char *pinned;
    cudaStream_t stream[CARRIERS][EACH];
    bool made;
} pieces = {PTHREAD_MUTEX_INITIALIZER, NULL, {}, false};

struct transfer {
    char *to;
    const char *from;
    size_t bytes;
    bool up;
    const weft_graph *g; /* from is an array of it, or NULL */
    size_t next;         /* the first byte that nobody has taken */
    int failed;          /* the first status that is not WEFT_OK */
};

static char *piece_of(int me, int turn) { return pieces.pinned + ((size_t)me * EACH + (size_t)turn) * PIECE; }

/* Threads, streams and what the driver makes for each of them on first use: a millisecond or two that belong to the context, not to the
 * first transfer.  Whatever fails here will be told by that. */
static void use_once(void) {
    void *there = NULL;
    if (cudaMallocAsync(&there, CARRIERS * EACH * DIRECT, wfi_cuda_stream()) != cudaSuccess) return;
    cudaStreamSynchronize(wfi_cuda_stream());
#pragma omp parallel num_threads(CARRIERS)
    for (int turn = 0; turn < EACH; turn++) {
        int me = omp_get_thread_num();
        char *mine = (char *)there + ((size_t)me * EACH + (size_t)turn) * DIRECT;
        cudaMemcpyAsync(mine, piece_of(me, turn), DIRECT, cudaMemcpyHostToDevice, pieces.stream[me][turn]);
        cudaMemcpyAsync(piece_of(me, turn), mine, DIRECT, cudaMemcpyDeviceToHost, pieces.stream[me][turn]);
        cudaStreamSynchronize(pieces.stream[me][turn]);
    }
    cudaFreeAsync(there, wfi_cuda_stream());
    cudaGetLastError();
}

static weft_status make_pieces(weft_ctx *ctx) {
    if (pieces.made) return WEFT_OK;
    wfi_stage_scope stage(ctx, "context");
    if (!pieces.pinned) WFI_CUDA(cudaMallocHost((void **)&pieces.pinned, CARRIERS * EACH * PIECE));
    for (auto &streams : pieces.stream)
        for (cudaStream_t &stream : streams)
            if (!stream) WFI_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (WARM) use_once();
    pieces.made = true;
    return WEFT_OK;
}

/* The piece that begins here.  The first ones are small, so that the link need not wait for eight threads that fill large ones, and so
 * are the last ones, so that no thread is long at work when the others are done. */
static size_t piece_at(const transfer *t, size_t at) {
    size_t left = t->bytes - at, share = left / (2 * CARRIERS);
    size_t bytes = !SMALL || !t->up ? PIECE : at < CARRIERS * SMALL ? SMALL : share < SMALL ? SMALL : share > PIECE ? PIECE : share & ~(size_t)4095;
    return left < bytes ? left : bytes;
}

/* The next piece of the transfer; 0 bytes when there is none. */
static size_t take_piece(transfer *t, size_t *at) {
    size_t bytes;
    *at = __atomic_load_n(&t->next, __ATOMIC_RELAXED);
    do {
        if (*at >= t->bytes || __atomic_load_n(&t->failed, __ATOMIC_RELAXED)) return 0;
        bytes = piece_at(t, *at);
    } while (!__atomic_compare_exchange_n(&t->next, at, *at + bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return bytes;
}

/* Reads it from the file that the graph's arrays lie in; false when they do not, or when it cannot be read. */
static bool read_file(const weft_graph *g, char *to, const char *from, size_t bytes) {
    const char *map = g ? (const char *)g->mapping : NULL;
    if (!map || g->mapping_file < 0 || from < map || from >= map + g->mapping_bytes) return false;
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(g->mapping_file, to + done, bytes - done, (off_t)(from - map) + (off_t)done);
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

static weft_status carry_up(weft_ctx *ctx, transfer *t, int me) {
    size_t at, bytes;
    for (int turn = 0; (bytes = take_piece(t, &at)) != 0; turn = (turn + 1) % EACH) {
        char *mine = piece_of(me, turn);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        cudaStream_t stream = pieces.stream[me][turn];
        WFI_CUDA(cudaStreamSynchronize(stream));
        if (!read_file(t->g, mine, t->from + at, bytes)) memcpy(mine, t->from + at, bytes);
        WFI_CUDA(cudaMemcpyAsync(t->to + at, mine, bytes, cudaMemcpyHostToDevice, stream));
    }
    for (int turn = 0; turn < EACH; turn++) WFI_CUDA(cudaStreamSynchronize(pieces.stream[me][turn]));
    return WEFT_OK;
}

/* A piece sets out, the one before it is taken. */
static weft_status carry_down(weft_ctx *ctx, transfer *t, int me) {
    size_t at = 0, before = 0, bytes, waiting = 0;
    for (int turn = 0;; turn = (turn + 1) % EACH) {
        int other = (turn + 1) % EACH;
        bytes = take_piece(t, &at);
        if (bytes)
            WFI_CUDA(cudaMemcpyAsync(piece_of(me, turn), t->from + at, bytes, cudaMemcpyDeviceToHost,
                                     pieces.stream[me][turn]));
        if (waiting) {
            WFI_CUDA(cudaStreamSynchronize(pieces.stream[me][other]));
            memcpy(t->to + before, piece_of(me, other), waiting);
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
    if (t->failed) cudaDeviceSynchronize(); /* nothing may be under way to pieces and blocks that others take */
    return (weft_status)t->failed;
}

/* What went before on the stream is waited for first: the pieces have streams of their own. */
static weft_status copy(weft_ctx *ctx, transfer t) {
    weft_status st = WEFT_OK;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx); /* however small it is: so every run can be stopped */
    if (t.bytes <= DIRECT) {
        cudaMemcpyKind kind = t.up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
        if (t.bytes) WFI_CUDA(cudaMemcpyAsync(t.to, t.from, t.bytes, kind, wfi_cuda_stream()));
        return wfi_cuda_sync(ctx);
    }
    st = wfi_cuda_sync(ctx);
    if (st) return st;
    pthread_mutex_lock(&pieces.lock);
    st = make_pieces(ctx);
    if (!st) {
        wfi_stage_scope stage(ctx, t.up ? "upload" : "download");
        st = carry_all(ctx, &t);
        if (!st) stage.bytes = t.bytes;
    }
    pthread_mutex_unlock(&pieces.lock);
    return st;
}

weft_status wfi_upload_of(weft_ctx *ctx, const weft_graph *g, void *to, const void *from, size_t bytes) {
    return copy(ctx, {(char *)to, (const char *)from, bytes, true, g, 0, WEFT_OK});
}

weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return wfi_upload_of(ctx, NULL, to, from, bytes);
}

weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    bool stays;
    weft_status st = wfi_stay_instead(ctx, to, from, bytes, &stays);
    return st || stays ? st : copy(ctx, {(char *)to, (const char *)from, bytes, false, NULL, 0, WEFT_OK});
}

weft_status wfi_cuda_sync(weft_ctx *ctx) {
    WFI_CUDA(cudaGetLastError());
    WFI_CUDA(cudaStreamSynchronize(wfi_cuda_stream()));
    return WEFT_OK;
}
