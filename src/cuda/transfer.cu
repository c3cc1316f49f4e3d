/* Copies between host and GPU.  Needs: the context's part on the GPU.
 * Method: several threads take the transfer's pieces in turn; each has two pinned pieces of its own, with a stream for
 * each.  While the link moves one, the thread fills or empties the other: pageable memory comes near the speed of
 * pinned memory, while the driver's own copy reaches a sixth of it.  Data in a mapped file is read from the file,
 * because the system copies faster than it maps pages one by one.
 * Pieces and streams are made once and kept for later transfers of any context: as many sets as there were simultaneous
 * transfers. */
#include "cuda/buffers.cuh"
#include "graph/graph.h"

#include <new>
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* More threads slow each other down, smaller pieces cost more calls than they save (bench/NOTES.md); but columns are
 * small: with large pieces a thread would have one, and link and copying would not overlap. */
enum { CARRIERS = 8, EACH = 2 };
static const size_t PIECE = (size_t)2 << 20, PIECE_DOWN = (size_t)1 << 19, DIRECT = (size_t)1 << 16;
static const size_t WORD = sizeof(uint32_t); /* bytes on the host for a byte of a narrow part */

namespace {

/* A set of pieces.  The streams belong to one GPU. */
struct carriers {
    int index = 0;
    char *pinned = nullptr;
    cudaStream_t stream[CARRIERS][EACH] = {};
    carriers *next = nullptr;

    char *piece(int me, int turn) const { return pinned + ((size_t)me * EACH + (size_t)turn) * PIECE; }
};

struct transfer {
    const wfi_copy *part;
    size_t parts;
    bool up;
    const weft_graph *g; /* the graph whose arrays the parts are, or NULL */
    wfi_gpu *gpu;
    carriers *by;
    size_t piece; /* bytes of one */
    size_t next;  /* the next piece to take, counted through all parts */
    int failed;   /* the first status that is not WEFT_OK */
};

} // namespace

/* --- sets of carriers ---------------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    carriers *first;
} idle = {PTHREAD_MUTEX_INITIALIZER, NULL};

/* Makes the threads, the streams and the driver's data for each of them, which happens on first use: one or two
 * milliseconds that belong to making the context, not to the first transfer, which also reports any failure. */
static void use_once(weft_ctx *ctx, wfi_gpu *gpu, const carriers *c) {
    void *there = NULL;
    int threads = (int)wfi_min_u64(CARRIERS, (uint64_t)wfi_threads(ctx));
    if (wfi_gpu_alloc(gpu, CARRIERS * EACH * DIRECT, &there) != cudaSuccess) return;
    cudaStreamSynchronize(gpu->stream);
#pragma omp parallel num_threads(threads)
    {
        wfi_gpu_scope here(gpu);
        int me = omp_get_thread_num();
        for (int turn = 0; turn < EACH; turn++) {
            char *mine = (char *)there + ((size_t)me * EACH + (size_t)turn) * DIRECT;
            cudaMemcpyAsync(mine, c->piece(me, turn), DIRECT, cudaMemcpyHostToDevice, c->stream[me][turn]);
            cudaMemcpyAsync(c->piece(me, turn), mine, DIRECT, cudaMemcpyDeviceToHost, c->stream[me][turn]);
            cudaStreamSynchronize(c->stream[me][turn]);
        }
    }
    wfi_gpu_free(gpu, there);
    cudaGetLastError();
}

static void end(carriers *c) {
    for (auto &streams : c->stream)
        for (cudaStream_t stream : streams)
            if (stream) cudaStreamDestroy(stream);
    wfi_pinned_free(c->pinned);
    cudaGetLastError();
    delete c;
}

static weft_status fill(weft_ctx *ctx, carriers *c) {
    weft_status st = wfi_pinned_new(ctx, CARRIERS * EACH * PIECE, (void **)&c->pinned);
    if (st) return st;
    for (auto &streams : c->stream)
        for (cudaStream_t &stream : streams)
            WFI_CUDA_OR_RETURN(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return WEFT_OK;
}

static weft_status make(weft_ctx *ctx, wfi_gpu *gpu, carriers **c) {
    wfi_stage_scope stage(ctx, "context");
    *c = new (std::nothrow) carriers;
    if (!*c) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for a transfer");
    (*c)->index = gpu->index;
    weft_status st = fill(ctx, *c);
    if (st)
        end(*c);
    else
        use_once(ctx, gpu, *c);
    return st;
}

static carriers *take_idle(int index) {
    pthread_mutex_lock(&idle.lock);
    carriers **at = &idle.first;
    while (*at && (*at)->index != index) at = &(*at)->next;
    carriers *c = *at;
    if (c) *at = c->next;
    pthread_mutex_unlock(&idle.lock);
    return c;
}

static void put_idle(carriers *c) {
    pthread_mutex_lock(&idle.lock);
    c->next = idle.first;
    idle.first = c;
    pthread_mutex_unlock(&idle.lock);
}

void wfi_carriers_drop(int index) {
    while (carriers *c = take_idle(index)) end(c);
}

/* --- a transfer ------------------------------------------------------------------------------ */

/* Takes the next piece of the transfer; 0 bytes if there is none. */
static wfi_copy take_piece(transfer *t) {
    if (__atomic_load_n(&t->failed, __ATOMIC_RELAXED)) return {};
    size_t number = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < t->parts; i++) {
        const wfi_copy *part = &t->part[i];
        size_t count = (part->bytes + t->piece - 1) / t->piece, at = number * t->piece;
        if (number < count)
            return {(char *)part->to + at, (const char *)part->from + (part->narrow ? at / WORD : at),
                    part->bytes - at < t->piece ? part->bytes - at : t->piece, part->narrow};
        number -= count;
    }
    return {};
}

/* Reads it from the file that holds the graph's arrays; false if none does, or if reading fails. */
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
    wfi_copy piece;
    for (int turn = 0; (piece = take_piece(t)).bytes != 0; turn = (turn + 1) % EACH) {
        char *mine = t->by->piece(me, turn);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        cudaStream_t stream = t->by->stream[me][turn];
        WFI_CUDA_OR_RETURN(cudaStreamSynchronize(stream));
        if (!read_file(t->g, mine, (const char *)piece.from, piece.bytes)) memcpy(mine, piece.from, piece.bytes);
        WFI_CUDA_OR_RETURN(cudaMemcpyAsync(piece.to, mine, piece.bytes, cudaMemcpyHostToDevice, stream));
    }
    for (int turn = 0; turn < EACH; turn++) WFI_CUDA_OR_RETURN(cudaStreamSynchronize(t->by->stream[me][turn]));
    return WEFT_OK;
}

static size_t link_bytes(const wfi_copy *part) { return part->narrow ? part->bytes / WORD : part->bytes; }

static void empty(const wfi_copy *piece, const char *pinned) {
    if (!piece->narrow) {
        memcpy(piece->to, pinned, piece->bytes);
        return;
    }
    uint32_t *to = (uint32_t *)piece->to;
    const uint8_t *from = (const uint8_t *)pinned;
    for (size_t i = 0; i < piece->bytes / WORD; i++) to[i] = from[i] == UINT8_MAX ? UINT32_MAX : from[i];
}

/* Starts a piece, then empties the previous one. */
static weft_status carry_down(weft_ctx *ctx, transfer *t, int me) {
    wfi_copy before = {};
    for (int turn = 0;; turn = (turn + 1) % EACH) {
        int other = (turn + 1) % EACH;
        wfi_copy piece = take_piece(t);
        if (piece.bytes)
            WFI_CUDA_OR_RETURN(cudaMemcpyAsync(t->by->piece(me, turn), piece.from, link_bytes(&piece),
                                               cudaMemcpyDeviceToHost, t->by->stream[me][turn]));
        if (before.bytes) {
            WFI_CUDA_OR_RETURN(cudaStreamSynchronize(t->by->stream[me][other]));
            empty(&before, t->by->piece(me, other));
        }
        if (!piece.bytes) return WEFT_OK;
        before = piece;
    }
}

static weft_status carry_all(weft_ctx *ctx, transfer *t, size_t bytes) {
    int threads = (int)wfi_min_u64(CARRIERS, (uint64_t)wfi_threads_for(ctx, bytes, t->piece));
#pragma omp parallel num_threads(threads)
    {
        wfi_gpu_scope here(t->gpu); /* each thread has its own current GPU */
        weft_status st = (t->up ? carry_up : carry_down)(ctx, t, omp_get_thread_num());
        int none = WEFT_OK;
        if (st) __atomic_compare_exchange_n(&t->failed, &none, (int)st, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    if (t->failed) /* no copy may still use pieces and blocks that others take next */
        for (auto &streams : t->by->stream)
            for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
    return (weft_status)t->failed;
}

static weft_status sync(weft_ctx *ctx, const wfi_gpu *gpu) {
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    WFI_CUDA_OR_RETURN(cudaStreamSynchronize(gpu->stream));
    return WEFT_OK;
}

static weft_status copy_directly(weft_ctx *ctx, const wfi_gpu *gpu, const wfi_copy *part, size_t parts,
                                 cudaMemcpyKind kind) {
    for (size_t i = 0; i < parts; i++)
        if (part[i].bytes)
            WFI_CUDA_OR_RETURN(cudaMemcpyAsync(part[i].to, part[i].from, part[i].bytes, kind, gpu->stream));
    return sync(ctx, gpu);
}

/* Waits for earlier work on the stream first, because the pieces have streams of their own. */
static weft_status copy(weft_ctx *ctx, wfi_gpu *gpu, const weft_graph *g, const wfi_copy *part, size_t parts, bool up) {
    transfer t = {part, parts, up, g, gpu, NULL, up ? PIECE : PIECE_DOWN, 0, WEFT_OK};
    size_t bytes = 0, over_link = 0;
    for (size_t i = 0; i < parts; i++) {
        bytes += part[i].bytes;
        over_link += link_bytes(&part[i]);
    }
    if (wfi_cancelled(ctx))
        return wfi_fail_cancelled(ctx); /* even for small copies, so that every run can be
                                                             * stopped */
    if (!up) wfi_columns_touch(ctx);
    if (bytes <= DIRECT)
        return copy_directly(ctx, gpu, part, parts, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
    weft_status st = sync(ctx, gpu);
    if (st) return st;
    t.by = take_idle(gpu->index);
    if (!t.by) st = make(ctx, gpu, &t.by);
    if (st) return st;
    {
        wfi_stage_scope stage(ctx, up ? "upload" : "download");
        st = carry_all(ctx, &t, bytes);
        if (!st) stage.bytes = over_link;
    }
    put_idle(t.by);
    return st;
}

weft_status wfi_upload_all(weft_ctx *ctx, const weft_graph *g, const wfi_copy *part, size_t parts) {
    return copy(ctx, wfi_gpu_of(ctx), g, part, parts, true);
}

weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    wfi_copy all = {to, from, bytes, false};
    return bytes ? copy(ctx, wfi_gpu_of(ctx), NULL, &all, 1, true) : WEFT_OK;
}

weft_status wfi_download_all(weft_ctx *ctx, const wfi_copy *part, size_t parts) {
    return copy(ctx, wfi_gpu_of(ctx), NULL, part, parts, false);
}

weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return bytes ? wfi_download_from(ctx, wfi_gpu_of(ctx), to, from, bytes) : WEFT_OK;
}

weft_status wfi_device_copy(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    if (bytes) WFI_CUDA_OR_RETURN(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status wfi_device_fill(weft_ctx *ctx, void *to, int byte, size_t bytes) {
    if (bytes) WFI_CUDA_OR_RETURN(cudaMemsetAsync(to, byte, bytes, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status wfi_download_from(weft_ctx *ctx, wfi_gpu *gpu, void *to, const void *from, size_t bytes) {
    wfi_gpu_scope here(gpu);
    wfi_copy all = {to, from, bytes, false};
    return copy(ctx, gpu, NULL, &all, 1, false);
}

weft_status wfi_cuda_sync(weft_ctx *ctx) {
    wfi_columns_touch(ctx);
    return sync(ctx, wfi_gpu_of(ctx));
}
