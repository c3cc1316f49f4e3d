/* Copies between host and GPU.  Needs: the context.
 * Method: a ring of pinned pieces, small enough to stay in the caches.  One thread tells the link what to move, the others fill
 * pieces before it (or empty them behind it): memory is read once and the link reads the caches, so that pageable memory reaches
 * what pinned memory reaches, where the driver's own way gives a sixth of it.  Pages of a mapped file are asked for a piece at a
 * time, not by a fault each.  The ring is made once and kept.
 * Encoding: chunk c of a transfer passes through piece c mod PIECES in round r = c / PIECES.  The piece's turn is 2r before the
 * first party (threads, upwards; the link, downwards) has been at it, 2r + 1 between, 2r + 2 after the second.
 * One transfer at a time: the ring is guarded by a lock. */
#include "cuda/stays.cuh"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_PIECES = 256, GROUP = 4 /* pieces that one event stands for */ };
static const size_t DIRECT = (size_t)1 << 16, PAGE = 4096;

static size_t knob(const char *name, size_t standard) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : standard;
}
static size_t PIECE = knob("WEFT_X_P", 256) << 10;
static size_t CARRIERS = knob("WEFT_X_T", 16);
static size_t PIECES = knob("WEFT_X_S", 32);
static size_t REGISTER = knob("WEFT_X_REG", 0);

static struct {
    pthread_mutex_t lock;
    char *pinned;
    cudaEvent_t moved[MOST_PIECES / GROUP];
    bool made;
} ring = {PTHREAD_MUTEX_INITIALIZER, NULL, {}, false};

struct transfer {
    char *to;
    const char *from;
    size_t bytes, chunks;
    bool up;
    size_t next;              /* chunk that no thread has taken */
    size_t turn[MOST_PIECES]; /* of each piece */
    int failed;               /* the first status that is not WEFT_OK; everybody leaves then */
};

static weft_status make_ring(weft_ctx *ctx) {
    if (ring.made) return WEFT_OK;
    wfi_stage_scope stage(ctx, "context");
    if (!ring.pinned) WFI_CUDA(cudaMallocHost((void **)&ring.pinned, PIECES * PIECE));
    for (cudaEvent_t &event : ring.moved)
        if (!event) WFI_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    ring.made = true;
    return WEFT_OK;
}

static size_t bytes_of(const transfer *t, size_t chunk) {
    return t->bytes - chunk * PIECE < PIECE ? t->bytes - chunk * PIECE : PIECE;
}

static char *piece_of(size_t chunk) { return ring.pinned + chunk % PIECES * PIECE; }
static size_t round_of(size_t chunk) { return chunk / PIECES; }

static bool stopped(const transfer *t) { return __atomic_load_n(&t->failed, __ATOMIC_RELAXED) != WEFT_OK; }

static bool is_turn(const transfer *t, size_t chunk, size_t turn) {
    return __atomic_load_n(&t->turn[chunk % PIECES], __ATOMIC_ACQUIRE) == turn;
}

static void pass_on(transfer *t, size_t chunk, size_t turn) {
    __atomic_store_n(&t->turn[chunk % PIECES], turn, __ATOMIC_RELEASE);
}

/* Maps the pages of a file that are in memory already; where the system cannot, they come one by one. */
static void ask_for_pages(const char *from, size_t bytes) {
#ifdef MADV_POPULATE_READ
    uintptr_t begin = (uintptr_t)from & ~(uintptr_t)(PAGE - 1);
    madvise((void *)begin, (uintptr_t)from + bytes - begin, MADV_POPULATE_READ);
#else
    (void)from;
    (void)bytes;
#endif
}

/* The threads' part. */
static weft_status carry(weft_ctx *ctx, transfer *t) {
    for (;;) {
        size_t chunk = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED), turn = 2 * round_of(chunk) + (t->up ? 0 : 1);
        if (chunk >= t->chunks) return WEFT_OK;
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        while (!is_turn(t, chunk, turn)) {
            if (stopped(t)) return WEFT_OK;
            sched_yield();
        }
        size_t at = chunk * PIECE, bytes = bytes_of(t, chunk);
        if (t->up) {
            ask_for_pages(t->from + at, bytes);
            memcpy(piece_of(chunk), t->from + at, bytes);
        } else {
            memcpy(t->to + at, piece_of(chunk), bytes);
        }
        pass_on(t, chunk, turn + 1);
    }
}

/* Passes on what the link has moved: the groups from *confirmed on whose events have come, or all up to `recorded`. */
static weft_status confirm(weft_ctx *ctx, transfer *t, size_t *confirmed, size_t recorded, bool wait) {
    for (; *confirmed < recorded; ++*confirmed) {
        cudaEvent_t event = ring.moved[*confirmed % (PIECES / GROUP)];
        cudaError_t state = wait ? cudaEventSynchronize(event) : cudaEventQuery(event);
        if (state == cudaErrorNotReady) {
            cudaGetLastError();
            return WEFT_OK;
        }
        if (state != cudaSuccess) return wfi_cuda_fail(ctx, "cudaEventQuery", state);
        for (size_t chunk = *confirmed * GROUP; chunk < wfi_min_u64(t->chunks, (*confirmed + 1) * GROUP); chunk++)
            pass_on(t, chunk, 2 * round_of(chunk) + (t->up ? 2 : 1));
    }
    return WEFT_OK;
}

/* The link's part: chunks in order, an event after each group. */
static weft_status move_all(weft_ctx *ctx, transfer *t) {
    cudaStream_t stream = wfi_cuda_stream();
    size_t confirmed = 0, recorded = 0;
    for (size_t chunk = 0; chunk < t->chunks; chunk++) {
        weft_status st = WEFT_OK;
        while (!st && !stopped(t) && !is_turn(t, chunk, 2 * round_of(chunk) + (t->up ? 1 : 0)))
            st = confirm(ctx, t, &confirmed, recorded, false);
        if (st || stopped(t)) return st;
        size_t at = chunk * PIECE, bytes = bytes_of(t, chunk);
        if (t->up)
            WFI_CUDA(cudaMemcpyAsync(t->to + at, piece_of(chunk), bytes, cudaMemcpyHostToDevice, stream));
        else
            WFI_CUDA(cudaMemcpyAsync(piece_of(chunk), t->from + at, bytes, cudaMemcpyDeviceToHost, stream));
        if (chunk % GROUP != GROUP - 1 && chunk + 1 < t->chunks) continue;
        WFI_CUDA(cudaEventRecord(ring.moved[recorded % (PIECES / GROUP)], stream));
        recorded++;
    }
    return confirm(ctx, t, &confirmed, recorded, true);
}

/* *alone: there were no threads to carry, and nothing was moved. */
static weft_status by_ring(weft_ctx *ctx, transfer *t, int threads, bool *alone) {
#pragma omp parallel num_threads(threads)
    {
        bool one = omp_get_num_threads() == 1;
        weft_status st = one ? WEFT_OK : omp_get_thread_num() == 0 ? move_all(ctx, t) : carry(ctx, t);
        int none = WEFT_OK;
        if (one) *alone = true;
        if (st) __atomic_compare_exchange_n(&t->failed, &none, (int)st, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    if (t->failed) cudaStreamSynchronize(wfi_cuda_stream()); /* nobody may be at the pieces any more */
    return (weft_status)t->failed;
}

static weft_status by_driver(weft_ctx *ctx, void *to, const void *from, size_t bytes, bool up) {
    cudaMemcpyKind kind = up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (bytes) WFI_CUDA(cudaMemcpyAsync(to, from, bytes, kind, wfi_cuda_stream()));
    return wfi_cuda_sync(ctx);
}

static weft_status by_register(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    uintptr_t begin = (uintptr_t)from & ~(uintptr_t)(PAGE - 1), end = ((uintptr_t)from + bytes + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    WFI_CUDA(cudaHostRegister((void *)begin, end - begin, cudaHostRegisterReadOnly));
    WFI_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, wfi_cuda_stream()));
    weft_status st = wfi_cuda_sync(ctx);
    cudaHostUnregister((void *)begin);
    return st;
}

/* What went before on the stream is waited for first: it is no part of this. */
static weft_status copy(weft_ctx *ctx, void *to, const void *from, size_t bytes, bool up) {
    if (bytes <= DIRECT) return by_driver(ctx, to, from, bytes, up);
    size_t chunks = (bytes + PIECE - 1) / PIECE;
    int threads = (int)wfi_min_u64(CARRIERS, (uint64_t)wfi_threads_for(ctx, chunks, 2));
    weft_status st = wfi_cuda_sync(ctx);
    if (st) return st;
    pthread_mutex_lock(&ring.lock);
    st = make_ring(ctx);
    if (!st) {
        wfi_stage_scope stage(ctx, up ? "upload" : "download");
        transfer t = {(char *)to, (const char *)from, bytes, chunks, up, 0, {}, WEFT_OK};
        bool alone = threads < 2;
        if (REGISTER && up) st = by_register(ctx, to, from, bytes);
        else {
        if (!alone) st = by_ring(ctx, &t, threads, &alone);
        if (alone) st = by_driver(ctx, to, from, bytes, up);
        }
        if (!st) stage.bytes = bytes;
    }
    pthread_mutex_unlock(&ring.lock);
    return st;
}

weft_status wfi_upload(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    return copy(ctx, to, from, bytes, true);
}

weft_status wfi_download(weft_ctx *ctx, void *to, const void *from, size_t bytes) {
    bool stays;
    weft_status st = wfi_stay_instead(ctx, to, from, bytes, &stays);
    return st || stays ? st : copy(ctx, to, from, bytes, false);
}

weft_status wfi_cuda_sync(weft_ctx *ctx) {
    WFI_CUDA(cudaGetLastError());
    WFI_CUDA(cudaStreamSynchronize(wfi_cuda_stream()));
    return WEFT_OK;
}
