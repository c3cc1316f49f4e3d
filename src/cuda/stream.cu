/* Streaming: pieces of the host's rows go through pinned memory into the ring on the GPU, whatever memory they lie in.
 * Method: the threads of a task ring (task_ring.h) fill a pinned place in shares; the filled place is a sending, which
 * is copied over the link, on a stream of its own, into the ring's place with the same number.  Of the four places two
 * are being filled, one is on the link, one is read by kernels.  Events keep them apart: kernels wait for `arrived`,
 * and so does refilling the pinned place; `used` precedes refilling the ring's place.  Sendings are filled, sent and
 * read in the same order.  The thread that asks for pieces also keeps the ring and the link busy at each call.
 * The rows themselves are not pinned: that takes longer than a sweep over them (bench/NOTES.md). */
#include "cuda/buffers.cuh"
#include "cuda/stream.cuh"

#include <new>
#include <string.h>

enum { PLACES = WFI_STREAM_PLACES };
static_assert((int)WFI_TASK_RING_JOBS == (int)PLACES, "a job for each place");

/* Up to this many bytes the GPU is assumed to have free memory. */
static const uint64_t SURELY_FREE = (uint64_t)1 << 30;

/* The places of a context, which runs one stream at a time; made when it first streams, and kept. */
struct wfi_places {
    uint32_t *pinned[PLACES];
    weft_eid capacity; /* words of each */
    void *note;
    cudaEvent_t arrived[PLACES], used[PLACES];
    cudaStream_t copies; /* made last */
};

/* --- free memory ------------------------------------------------------------------ */

/* The driver's free memory, and the unused memory of the context's pool; less a 32nd, because the driver hands out
 * whole pages. */
static weft_status ask_free(weft_ctx *ctx, uint64_t *bytes) {
    size_t available = 0, total = 0;
    uint64_t reserved = 0, taken = 0;
    cudaMemPool_t pool = wfi_gpu_of(ctx)->pool;
    WFI_CUDA_OR_RETURN(cudaMemGetInfo(&available, &total));
    WFI_CUDA_OR_RETURN(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    WFI_CUDA_OR_RETURN(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &taken));
    uint64_t all = available + reserved - taken;
    *bytes = all - all / 32;
    return WEFT_OK;
}

extern "C" uint64_t wfi_device_available(const weft_ctx *ctx, uint64_t wanted) {
    uint64_t left = wfi_device_memory_left(ctx), available = 0;
    if (left != UINT64_MAX || wanted <= SURELY_FREE) return left;
    /* a GPU that does not answer is reported when the run begins */
    weft_ctx *mine = (weft_ctx *)(uintptr_t)ctx;
    wfi_visit visit;
    weft_status st = wfi_cuda_enter(mine, &visit);
    if (!st && wfi_gpu_of(ctx)) st = ask_free(mine, &available);
    wfi_cuda_leave(&visit);
    return st || !available ? left : available;
}

/* --- opening and closing ----------------------------------------------------------- */

void wfi_places_free(wfi_places *p) {
    for (int i = 0; i < PLACES; i++) {
        wfi_pinned_free(p->pinned[i]);
        if (p->arrived[i]) cudaEventDestroy(p->arrived[i]);
        if (p->used[i]) cudaEventDestroy(p->used[i]);
    }
    if (p->note) cudaFreeHost(p->note);
    if (p->copies) cudaStreamDestroy(p->copies);
    delete p;
}

/* The time belongs to the stage "context": the first stream of a context makes them. */
static weft_status make_places(weft_ctx *ctx, weft_eid words, wfi_places *p) {
    if (p->copies && words <= p->capacity) return WEFT_OK;
    wfi_stage_scope stage(ctx, "context");
    for (int i = 0; i < PLACES; i++) {
        if (!p->arrived[i]) WFI_CUDA_OR_RETURN(cudaEventCreateWithFlags(&p->arrived[i], cudaEventDisableTiming));
        if (!p->used[i]) WFI_CUDA_OR_RETURN(cudaEventCreateWithFlags(&p->used[i], cudaEventDisableTiming));
    }
    if (!p->note) WFI_CUDA_OR_RETURN(cudaMallocHost(&p->note, WFI_STREAM_NOTE));
    if (!p->copies) WFI_CUDA_OR_RETURN(cudaStreamCreateWithFlags(&p->copies, cudaStreamNonBlocking));
    if (words <= p->capacity) return WEFT_OK;
    p->capacity = 0;
    for (int i = 0; i < PLACES; i++) {
        wfi_pinned_free(p->pinned[i]);
        p->pinned[i] = NULL;
        weft_status st = wfi_pinned_new(ctx, words * sizeof(uint32_t), (void **)&p->pinned[i]);
        if (st) return st;
    }
    p->capacity = words;
    return WEFT_OK;
}

void wfi_stream::lay_out(wfi_workspace *device, weft_eid arcs, wfi_stream_size fit) {
    bool whole = fit.homes == fit.pieces;
    if (!fit.piece)
        wfi_growth(device, fit.bytes - wfi_min_u64(fit.bytes, device->at)); /* the bytes of the smallest
                                                                                         * possible stream */
    wfi_array(device, &home, whole ? arcs : fit.homes * fit.piece);
    wfi_array(device, &ring, whole ? 0 : PLACES * fit.piece);
}

weft_status wfi_stream::open(weft_ctx *context, const weft_vid *targets, weft_eid count, wfi_stream_size fit) {
    ctx = context;
    host = targets;
    arcs = count;
    size = fit;
    wfi_gpu *gpu = wfi_gpu_of(ctx);
    if (!gpu->places) gpu->places = new (std::nothrow) wfi_places();
    if (!gpu->places) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for a stream's places");
    places = gpu->places;
    weft_status st = make_places(ctx, size.piece, places);
    if (st) return st;
    /* the arena is allocated in the order of the kernels' stream */
    WFI_CUDA_OR_RETURN(cudaEventRecord(places->used[0], wfi_cuda_stream(ctx)));
    WFI_CUDA_OR_RETURN(cudaStreamWaitEvent(places->copies, places->used[0], 0));
    return WEFT_OK;
}

wfi_stream::~wfi_stream() {
    if (places && places->copies) cudaStreamSynchronize(places->copies);
}

void *wfi_stream::note() const { return places->note; }

/* --- sendings ----------------------------------------------------------------------- */

/* The number of homes among the first k pieces: spread evenly, so that work on resident pieces always hides a copy. */
static uint64_t spread(wfi_stream_size size, uint64_t k) {
    return (uint64_t)((unsigned __int128)k * size.homes / size.pieces);
}

bool wfi_stream::has_home(uint64_t k) const { return spread(size, k + 1) > spread(size, k); }

uint64_t wfi_stream::home_of(uint64_t k) const { return spread(size, k); }

/* True if the piece at this place of all sweeps must be sent.  Homes are filled in the first sweep. */
bool wfi_stream::must_send(uint64_t place) const { return !has_home(place % size.pieces) || place < size.pieces; }

bool wfi_stream::plan_brought(wfi_sending *s) {
    if (brought == to_bring) return false;
    s->from = brought_from + brought;
    s->to = brought_to + brought;
    s->bytes = wfi_min_u64(size.piece * sizeof(weft_vid), to_bring - brought);
    s->is_brought = true;
    brought += s->bytes;
    return true;
}

bool wfi_stream::plan_piece(wfi_sending *s) {
    while (ahead < may_send && !must_send(ahead)) ahead++;
    if (ahead >= may_send) return false;
    uint64_t k = ahead++ % size.pieces;
    weft_eid first = k * size.piece;
    s->from = host + first;
    s->bytes = wfi_min_u64(size.piece, arcs - first) * sizeof(weft_vid);
    s->to = has_home(k) ? home + home_of(k) * size.piece : NULL;
    return true;
}

/* --- filling and sending ---------------------------------------------------------------- */

void wfi_stream::fill_share(const wfi_sending *s, unsigned share) const {
    uint64_t whole = s->from ? s->bytes : s->end_arc - s->begin_arc;
    uint64_t begin = whole * share / WFI_TASK_SHARES, stop = whole * (share + 1) / WFI_TASK_SHARES;
    if (!s->from)
        fill_part(s, s->begin_arc + begin, s->begin_arc + stop);
    else
        memcpy((char *)s->pinned + begin, (const char *)s->from + begin, stop - begin);
}

static void fill(void *job, unsigned share) {
    const wfi_sending *s = (const wfi_sending *)job;
    s->stream->fill_share(s, share);
}

/* Gives the ring the next sending, if there is one and the link is done with its pinned place. */
weft_status wfi_stream::post() {
    int place = (int)(posted % PLACES);
    if (posted == finished + PLACES) return WEFT_OK;
    cudaError_t before = cudaPeekAtLastError(); /* the query below would clear it */
    if (before != cudaSuccess) return wfi_cuda_fail(ctx, "a launch", before);
    cudaError_t state = cudaEventQuery(places->arrived[place]);
    if (state == cudaErrorNotReady) {
        cudaGetLastError(); /* clears "not ready" */
        return WEFT_OK;
    }
    WFI_CUDA_OR_RETURN(state);
    wfi_sending *s = &sending[place];
    *s = {};
    s->stream = this;
    s->pinned = places->pinned[place];
    if (!plan_brought(s) && !(packing ? plan_pack(s) : plan_piece(s))) return WEFT_OK;
    s->job = wfi_task_ring_post(&tasks, fill, s);
    posted++;
    return WEFT_OK;
}

weft_status wfi_stream::send(uint64_t number, cudaStream_t stream) {
    int place = (int)(number % PLACES);
    const wfi_sending *s = &sending[place];
    void *to = s->to ? s->to : ring + place * size.piece;
    if (!s->to) WFI_CUDA_OR_RETURN(cudaStreamWaitEvent(stream, places->used[place], 0));
    WFI_CUDA_OR_RETURN(cudaMemcpyAsync(to, s->pinned, s->bytes, cudaMemcpyHostToDevice, stream));
    WFI_CUDA_OR_RETURN(cudaEventRecord(places->arrived[place], stream));
    if (s->is_brought) { /* no reader will ask for it */
        WFI_CUDA_OR_RETURN(cudaStreamWaitEvent(wfi_cuda_stream(ctx), places->arrived[place], 0));
        finished++;
    }
    bytes += s->bytes;
    sent++;
    return WEFT_OK;
}

/* After a failure waits for the ring's threads, because they still read memory that is freed next. */
weft_status wfi_stream::after(weft_status st) {
    for (uint64_t i = tasks.posted > PLACES ? tasks.posted - PLACES : 0; st && i < tasks.posted; i++)
        while (!wfi_task_ring_done(&tasks, i)) wfi_task_ring_help(&tasks);
    return st;
}

/* Keeps the ring and the link busy, and waits for neither. */
weft_status wfi_stream::go_on() {
    weft_status st = WEFT_OK;
    uint64_t before;
    do {
        before = posted;
        st = post();
    } while (!st && posted > before);
    while (!st && sent < posted && wfi_task_ring_done(&tasks, sending[sent % PLACES].job))
        st = send(sent, places->copies);
    return after(st);
}

static weft_status wait_for(weft_ctx *ctx, cudaEvent_t event) {
    WFI_CUDA_OR_RETURN(cudaStreamWaitEvent(wfi_cuda_stream(ctx), event, 0));
    return WEFT_OK;
}

static weft_status record(weft_ctx *ctx, cudaEvent_t event) {
    WFI_CUDA_OR_RETURN(cudaEventRecord(event, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* Waits until the next sending is under way; later kernels wait for its arrival. */
weft_status wfi_stream::await_next() {
    if (wfi_cancelled(ctx)) return after(wfi_fail_cancelled(ctx));
    weft_status st = go_on();
    while (!st && sent == finished) {
        wfi_task_ring_help(&tasks);
        st = go_on();
    }
    return st ? st : after(wait_for(ctx, places->arrived[finished % PLACES]));
}

/* Fills a small pack here, when nothing else is under way, and sends it on the stream of the kernels. */
weft_status wfi_stream::send_alone() {
    int place = (int)(posted % PLACES);
    wfi_sending *s = &sending[place];
    WFI_CUDA_OR_RETURN(cudaEventSynchronize(places->arrived[place]));
    *s = {};
    s->pinned = places->pinned[place];
    plan_pack(s);
    fill_part(s, s->begin_arc, s->end_arc);
    posted++;
    return send(sent, wfi_cuda_stream(ctx));
}

weft_status wfi_stream::bring(void *to, const void *from, size_t count) {
    uint64_t capacity = size.piece * sizeof(weft_vid), sendings = (count + capacity - 1) / capacity;
    brought_to = (char *)to;
    brought_from = (const char *)from;
    to_bring = count;
    weft_status st = wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : go_on();
    while (!st && finished < sendings) {
        wfi_task_ring_help(&tasks);
        st = go_on();
    }
    return st;
}

/* --- pieces --------------------------------------------------------------------------- */

void wfi_stream::begin(bool again) {
    packing = false;
    end = at + size.pieces;
    may_send = end + (again ? size.pieces : 0);
}

bool wfi_stream::next(wfi_arc_window *piece, weft_status *st) {
    if (at == end) return false;
    holds_sending = must_send(at);
    *st = holds_sending ? await_next() : go_on();
    if (*st) return false;
    uint64_t k = at % size.pieces;
    piece->begin = k * size.piece;
    piece->end = wfi_min_u64(arcs, piece->begin + size.piece);
    piece->targets = has_home(k) ? home + home_of(k) * size.piece : ring + finished % PLACES * size.piece;
    at++;
    return true;
}

weft_status wfi_stream::done() {
    if (!holds_sending) return WEFT_OK;
    weft_status st = record(ctx, places->used[finished % PLACES]);
    if (st) return after(st);
    finished++;
    return go_on();
}
