/* Streaming: pieces go from the host's rows, whatever memory they lie in, through pinned memory into the ring.
 * Method: a sending is a copy by the host's threads into a pinned place and a copy over the link, on a stream of its own, into the
 * place of the ring with the same number.  Three places: one is filled by the host, one is on the link, one is read by kernels.
 * Events keep them apart: `arrived` is waited for by the kernels and before the pinned place is filled again, `used` before the
 * place of the ring is.  Sendings are read in the order in which they are sent.
 * The rows themselves are not pinned: that takes longer than a sweep over them (bench/NOTES.md). */
#include "cuda/stream.cuh"

#include <pthread.h>
#include <string.h>

enum { PLACES = WFI_STREAM_PLACES };

static const size_t SLICE = (size_t)1 << 20; /* bytes that a thread copies */

/* Below this, room on the GPU is taken for granted. */
static const uint64_t SURELY_FREE = (uint64_t)1 << 30;

/* Made once and kept, like those of transfer.cu. */
static struct {
    pthread_mutex_t lock;
    uint32_t *pinned[PLACES];
    weft_eid room; /* words of each */
    void *note;
    cudaEvent_t arrived[PLACES], used[PLACES];
    cudaStream_t copies;
    bool made;
} shared = {PTHREAD_MUTEX_INITIALIZER, {NULL, NULL, NULL}, 0, NULL, {NULL, NULL, NULL}, {NULL, NULL, NULL}, NULL, false};

/* --- how much there is ------------------------------------------------------------ */

/* What the driver calls free, and what its pool holds for us unused; a little less, for it hands out whole pages. */
static weft_status ask_free(weft_ctx *ctx, uint64_t *bytes) {
    size_t available = 0, total = 0;
    uint64_t reserved = 0, taken = 0;
    cudaMemPool_t pool;
    weft_status st = wfi_cuda_ready(ctx);
    if (st) return st;
    WFI_CUDA(cudaMemGetInfo(&available, &total));
    WFI_CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
    WFI_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    WFI_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &taken));
    uint64_t all = available + reserved - taken;
    *bytes = all - all / 32;
    return WEFT_OK;
}

extern "C" uint64_t wfi_device_room(const weft_ctx *ctx, uint64_t wanted) {
    uint64_t left = wfi_device_memory_left(ctx), available = 0;
    if (left != UINT64_MAX || wanted <= SURELY_FREE) return left;
    /* A GPU that does not answer says so when the run begins. */
    return ask_free((weft_ctx *)(uintptr_t)ctx, &available) ? left : available;
}

/* --- opening and closing ----------------------------------------------------------- */

/* The first stream of a process pays for them, as for the context. */
static weft_status make_places(weft_ctx *ctx, weft_eid words) {
    if (shared.made && words <= shared.room) return WEFT_OK;
    wfi_stage_scope stage(ctx, "context");
    if (!shared.made) {
        for (int i = 0; i < PLACES; i++) {
            if (!shared.arrived[i]) WFI_CUDA(cudaEventCreateWithFlags(&shared.arrived[i], cudaEventDisableTiming));
            if (!shared.used[i]) WFI_CUDA(cudaEventCreateWithFlags(&shared.used[i], cudaEventDisableTiming));
        }
        if (!shared.note) WFI_CUDA(cudaMallocHost(&shared.note, WFI_STREAM_NOTE));
        WFI_CUDA(cudaStreamCreateWithFlags(&shared.copies, cudaStreamNonBlocking));
        shared.made = true;
    }
    if (words <= shared.room) return WEFT_OK;
    shared.room = 0;
    for (int i = 0; i < PLACES; i++) {
        if (shared.pinned[i]) WFI_CUDA(cudaFreeHost(shared.pinned[i]));
        shared.pinned[i] = NULL;
        WFI_CUDA(cudaMallocHost((void **)&shared.pinned[i], words * sizeof(uint32_t)));
    }
    shared.room = words;
    return WEFT_OK;
}

weft_status wfi_stream::open(weft_ctx *context, const weft_vid *targets, weft_eid count, wfi_stream_size fit) {
    ctx = context;
    host = targets;
    arcs = count;
    size = fit;
    bool whole = size.homes == size.pieces;
    pthread_mutex_lock(&shared.lock);
    is_open = true;
    weft_status st = make_places(ctx, size.piece);
    if (!st) st = home.take(ctx, whole ? arcs : size.homes * size.piece);
    if (!st) st = ring.take(ctx, whole ? 0 : PLACES * size.piece);
    if (st) return st;
    /* Both come into being on the stream of the kernels. */
    WFI_CUDA(cudaEventRecord(shared.used[0], wfi_cuda_stream()));
    WFI_CUDA(cudaStreamWaitEvent(shared.copies, shared.used[0], 0));
    return WEFT_OK;
}

wfi_stream::~wfi_stream() {
    if (!is_open) return;
    if (shared.copies) cudaStreamSynchronize(shared.copies);
    pthread_mutex_unlock(&shared.lock);
}

/* --- pieces --------------------------------------------------------------------------- */

void *wfi_stream::note() const { return shared.note; }

/* Of the first k pieces so many have homes: evenly many everywhere, so that work on what is there always hides a copy. */
static uint64_t spread(wfi_stream_size size, uint64_t k) {
    return (uint64_t)((unsigned __int128)k * size.homes / size.pieces);
}

bool wfi_stream::has_home(uint64_t k) const { return spread(size, k + 1) > spread(size, k); }

uint64_t wfi_stream::home_of(uint64_t k) const { return spread(size, k); }

/* Must what is at this place of all sweeps be sent?  Homes are filled in the first one. */
bool wfi_stream::must_send(uint64_t place) const { return !has_home(place % size.pieces) || place < size.pieces; }

/* The next pinned place, when the link is done with what it held. */
weft_status wfi_stream::take_place(uint32_t **pinned) {
    int place = (int)(sent % PLACES);
    WFI_CUDA(cudaEventSynchronize(shared.arrived[place]));
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    *pinned = shared.pinned[place];
    return WEFT_OK;
}

weft_vid *wfi_stream::ring_place() const { return ring.data + sent % PLACES * size.piece; }

/* alone: nothing else is under way, so that it need not hurry, and goes on the stream of the kernels. */
weft_status wfi_stream::send(void *to, size_t count, bool alone) {
    int place = (int)(sent % PLACES);
    cudaStream_t stream = alone ? wfi_cuda_stream() : shared.copies;
    if (!alone) WFI_CUDA(cudaStreamWaitEvent(stream, shared.used[place], 0));
    WFI_CUDA(cudaMemcpyAsync(to, shared.pinned[place], count, cudaMemcpyHostToDevice, stream));
    WFI_CUDA(cudaEventRecord(shared.arrived[place], stream));
    bytes += count;
    sent++;
    return WEFT_OK;
}

static void copy_by_threads(weft_ctx *ctx, char *to, const char *from, size_t bytes) {
    size_t slices = (bytes + SLICE - 1) / SLICE;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, slices, 1))
    for (size_t i = 0; i < slices; i++) memcpy(to + i * SLICE, from + i * SLICE, wfi_min_u64(SLICE, bytes - i * SLICE));
}

weft_status wfi_stream::send_ahead() {
    for (; ahead < may_send; ahead++) {
        if (!must_send(ahead)) continue;
        if (sent - finished == PLACES) return WEFT_OK;
        uint64_t k = ahead % size.pieces;
        weft_eid first = k * size.piece, count = wfi_min_u64(size.piece, arcs - first);
        uint32_t *pinned = NULL;
        weft_status st = take_place(&pinned);
        if (st) return st;
        copy_by_threads(ctx, (char *)pinned, (const char *)(host + first), count * sizeof(weft_vid));
        st = send(has_home(k) ? home.data + home_of(k) * size.piece : ring_place(), count * sizeof(weft_vid), false);
        if (st) return st;
    }
    return WEFT_OK;
}

void wfi_stream::begin(bool again) {
    end = at + size.pieces;
    may_send = end + (again ? size.pieces : 0);
}

/* The kernels to come wait for the sending that is read next. */
weft_status wfi_stream::await() {
    WFI_CUDA(cudaStreamWaitEvent(wfi_cuda_stream(), shared.arrived[finished % PLACES], 0));
    return WEFT_OK;
}

bool wfi_stream::next(wfi_piece *piece, weft_status *st) {
    if (at == end) return false;
    *st = send_ahead();
    holds_sending = must_send(at);
    if (!*st && holds_sending) *st = await();
    if (*st) return false;
    uint64_t k = at % size.pieces;
    piece->begin = k * size.piece;
    piece->end = wfi_min_u64(arcs, piece->begin + size.piece);
    piece->targets = has_home(k) ? home.data + home_of(k) * size.piece : ring.data + finished % PLACES * size.piece;
    at++;
    return true;
}

weft_status wfi_stream::done() {
    if (!holds_sending) return WEFT_OK;
    WFI_CUDA(cudaEventRecord(shared.used[finished % PLACES], wfi_cuda_stream()));
    finished++;
    return send_ahead();
}
