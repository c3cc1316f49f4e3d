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

static struct {
    pthread_mutex_t lock;
    char *pinned;
    cudaStream_t stream[CARRIERS][EACH];
    bool made;
} pieces = {PTHREAD_MUTEX_INITIALIZER, NULL, {}, false};

struct transfer {
    const wfi_part *part;
    size_t parts;
    bool up;
    const weft_graph *g; /* the parts are arrays of it, or NULL */
    size_t next;         /* the first piece that nobody has taken, counted through all parts */
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
    use_once();
    pieces.made = true;
    return WEFT_OK;
}

/* Takes the next piece of the transfer; 0 bytes when there is none. */
static wfi_part take_piece(transfer *t) {
    if (__atomic_load_n(&t->failed, __ATOMIC_RELAXED)) return {};
    size_t number = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < t->parts; i++) {
        const wfi_part *part = &t->part[i];
        size_t count = (part->bytes + PIECE - 1) / PIECE, at = number * PIECE;
        if (number < count)
            return {(char *)part->to + at, (const char *)part->from + at,
                    part->bytes - at < PIECE ? part->bytes - at : PIECE};
        number -= count;
    }
    return {};
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
    wfi_part piece;
    for (int turn = 0; (piece = take_piece(t)).bytes != 0; turn = (turn + 1) % EACH) {
        char *mine = piece_of(me, turn);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        cudaStream_t stream = pieces.stream[me][turn];
        WFI_CUDA(cudaStreamSynchronize(stream));
        if (!read_file(t->g, mine, (const char *)piece.from, piece.bytes)) memcpy(mine, piece.from, piece.bytes);
        WFI_CUDA(cudaMemcpyAsync(piece.to, mine, piece.bytes, cudaMemcpyHostToDevice, stream));
    }
    for (int turn = 0; turn < EACH; turn++) WFI_CUDA(cudaStreamSynchronize(pieces.stream[me][turn]));
    return WEFT_OK;
}

/* A piece sets out, the one before it is taken. */
static weft_status carry_down(weft_ctx *ctx, transfer *t, int me) {
    wfi_part before = {};
    for (int turn = 0;; turn = (turn + 1) % EACH) {
        int other = (turn + 1) % EACH;
        wfi_part piece = take_piece(t);
        if (piece.bytes)
            WFI_CUDA(cudaMemcpyAsync(piece_of(me, turn), piece.from, piece.bytes, cudaMemcpyDeviceToHost,
                                     pieces.stream[me][turn]));
        if (before.bytes) {
            WFI_CUDA(cudaStreamSynchronize(pieces.stream[me][other]));
            memcpy(before.to, piece_of(me, other), before.bytes);
        }
        if (!piece.bytes) return WEFT_OK;
        before = piece;
    }
}

static weft_status carry_all(weft_ctx *ctx, transfer *t, size_t bytes) {
    int carriers = (int)wfi_min_u64(CARRIERS, (uint64_t)wfi_threads_for(ctx, bytes, PIECE));
#pragma omp parallel num_threads(carriers)
    {
        weft_status st = (t->up ? carry_up : carry_down)(ctx, t, omp_get_thread_num());
        int none = WEFT_OK;
        if (st) __atomic_compare_exchange_n(&t->failed, &none, (int)st, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    if (t->failed) cudaDeviceSynchronize(); /* nothing may be under way to pieces and blocks that others take */
    return (weft_status)t->failed;
}

static weft_status copy_directly(weft_ctx *ctx, const wfi_part *part, size_t parts, cudaMemcpyKind kind) {
    for (size_t i = 0; i < parts; i++)
        if (part[i].bytes) WFI_CUDA(cudaMemcpyAsync(part[i].to, part[i].from, part[i].bytes, kind, wfi_cuda_stream()));
    return wfi_cuda_sync(ctx);
}

/* What went before on the stream is waited for first: the pieces have streams of their own. */
static weft_status copy(weft_ctx *ctx, const weft_graph *g, const wfi_part *part, size_t parts, bool up) {
    transfer t = {part, parts, up, g, 0, WEFT_OK};
    size_t bytes = 0;
    for (size_t i = 0; i < parts; i++) bytes += part[i].bytes;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx); /* however small it is: so every run can be stopped */
    if (bytes <= DIRECT) return copy_directly(ctx, part, parts, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
    weft_status st = wfi_cuda_sync(ctx);
    if (st) return st;
    pthread_mutex_lock(&pieces.lock);
    st = make_pieces(ctx);
    if (!st) {
        wfi_stage_scope stage(ctx, up ? "upload" : "download");
        st = carry_all(ctx, &t, bytes);
        if (!st) stage.bytes = bytes;
    }
    pthread_mutex_unlock(&pieces.lock);
    return st;
}

weft_status wfi_upload_parts(weft_ctx *ctx, const weft_graph *g, const wfi_part *part, size_t parts) {
    return copy(ctx, g, part, parts, true);
}

weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    wfi_part all = {to, from, bytes};
    return copy(ctx, NULL, &all, 1, true);
}

weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    bool stays;
    weft_status st = wfi_stay_instead(ctx, to, from, bytes, &stays);
    wfi_part all = {to, from, bytes};
    return st || stays ? st : copy(ctx, NULL, &all, 1, false);
}

weft_status wfi_cuda_sync(weft_ctx *ctx) {
    WFI_CUDA(cudaGetLastError());
    WFI_CUDA(cudaStreamSynchronize(wfi_cuda_stream()));
    return WEFT_OK;
}
