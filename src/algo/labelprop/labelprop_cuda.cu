/* Synchronous label propagation, GPU.  The answer is labelprop_cpu.c's, byte for byte, and so is what ends a run early.
 * Method: vertices are listed by the kind of their row (labelprop_rows.cuh, labelprop_hubs.cuh), within a kind ascending, so that rows
 * that stand together are read together.  A step is a kernel for each kind; the host reads what it changed and decides.
 * Once few vertices change, only their neighbours are counted again. */
#include "algo/labelprop/labelprop_cuda.h"
#include "algo/labelprop/labelprop_first.cuh"
#include "algo/labelprop/labelprop_hubs.cuh"
#include "cuda/expand.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <stdio.h>

using namespace labelprop;

enum { THREADS = 256, MOST_BLOCKS = 4096, KIND_BITS = 4 };
enum {
    NO_ARCS,
    UP_TO_4,
    UP_TO_8,
    UP_TO_16,
    UP_TO_32,
    UP_TO_64,
    UP_TO_128,
    UP_TO_256,
    UP_TO_512,
    UP_TO_1024,
    UP_TO_4096,
    HUBS,
    GIANTS,
    ROW_KINDS
};
static const weft_eid HUB = 4096;      /* longer rows are hubs */
static const uint64_t HUB_BYTES = 264; /* what a hub takes besides, with tables of MOST_SLOTS */
static const weft_eid GIANT = 1 << 18; /* longer rows are giants: so many arcs may be cut into parts */

namespace {

struct kinds {
    uint32_t count[ROW_KINDS];
};

struct run {
    const weft_graph *g;
    wfi_device_rows out, in;
    uint32_t begin[ROW_KINDS], count[ROW_KINDS];
    int sms;
    unsigned giant_blocks, hub_slots;
    bool short_of_room; /* for the tables of rows up to 4096 */
    wfi_buffer<weft_vid> list, label[2];
    wfi_buffer<uint8_t> active;
    wfi_buffer<unsigned> counts, parts;
    wfi_buffer<candidate> best;
    wfi_buffer<uint2> part;
    wfi_buffer<tally> seen;
};

} // namespace

static uint64_t all_arcs(const weft_graph *g) { return g->directed ? 2 * g->arcs : g->arcs; }

/* --- kinds of rows ------------------------------------------------------------------------ */

__device__ static int kind_of(weft_eid degree) {
    if (degree <= 4) return degree == 0 ? NO_ARCS : UP_TO_4;
    if (degree <= 1024) return UP_TO_4 + 30 - __clz((int)degree - 1); /* the next power of two decides */
    return degree <= HUB ? UP_TO_4096 : degree <= GIANT ? HUBS : GIANTS;
}

__global__ static void find_kinds(const weft_eid *out, const weft_eid *in, weft_vid n, uint8_t *kind, weft_vid *vertex,
                                  kinds *all) {
    __shared__ uint32_t count[ROW_KINDS];
    if (threadIdx.x < ROW_KINDS) count[threadIdx.x] = 0;
    __syncthreads();
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        int k = kind_of(out[v + 1] - out[v] + (in ? in[v + 1] - in[v] : 0));
        kind[v] = (uint8_t)k;
        vertex[v] = (weft_vid)v;
        atomicAdd(&count[k], 1u);
    }
    __syncthreads();
    if (threadIdx.x < ROW_KINDS && count[threadIdx.x]) atomicAdd(&all->count[threadIdx.x], count[threadIdx.x]);
}

static weft_status list_by_kind(weft_ctx *ctx, run *r) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = r->g->n;
    kinds found = {};
    wfi_buffer<kinds> all;
    wfi_buffer<uint8_t> kind, sorted;
    wfi_buffer<weft_vid> vertex;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    wfi_kernel_scope stage(ctx, "relabel");
    weft_status st = all.take_zeroed(ctx, 1);
    if (!st) st = kind.take(ctx, n);
    if (!st) st = sorted.take(ctx, n);
    if (!st) st = vertex.take(ctx, n);
    if (!st) st = r->list.take(ctx, n);
    if (st) return st;
    find_kinds<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        r->out.offsets, r->g->directed ? r->in.offsets : NULL, n, kind.data, vertex.data, all.data);
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, kind.data, sorted.data, vertex.data, r->list.data, (int64_t)n,
                                             0, KIND_BITS, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, kind.data, sorted.data, vertex.data, r->list.data,
                                             (int64_t)n, 0, KIND_BITS, stream));
    st = wfi_download(ctx, &found, all.data, sizeof found);
    for (uint32_t k = 0, at = 0; k < ROW_KINDS; at += found.count[k++]) {
        r->begin[k] = at;
        r->count[k] = found.count[k];
    }
    if (r->short_of_room) {
        r->begin[HUBS] = r->begin[UP_TO_4096];
        r->count[HUBS] += r->count[UP_TO_4096];
        r->count[UP_TO_4096] = 0;
    }
    return st;
}

/* --- a step --------------------------------------------------------------------------------- */

typedef void (*row_kernel)(step s, const weft_vid *list, uint32_t rows);

/* So many threads a row; a block takes several turns, because in the end it adds to the tally. */
static void launch_rows(const weft_ctx *ctx, const run *r, const step &s, int kind, unsigned threads,
                        row_kernel kernel) {
    uint32_t rows = r->count[kind];
    if (rows)
        kernel<<<wfi_grid((uint64_t)rows * threads, ROWS_THREADS, (unsigned)r->sms * 24), ROWS_THREADS, 0,
                 wfi_cuda_stream(ctx)>>>(s, r->list.data + r->begin[kind], rows);
}

/* count_many's blocks: threads, and arcs for each of them. */
enum { MORE_THREADS = 512, MORE_CELLS = 8 };

static int bytes_for(int arcs) { return 2 * arcs * SLOT_BYTES; }

template <int BLOCK, int CELLS, bool BOTH>
static void launch_many(const weft_ctx *ctx, const run *r, const step &s, int kind) {
    if (r->count[kind])
        count_many<BLOCK, CELLS, BOTH><<<r->count[kind], BLOCK, bytes_for(BLOCK * CELLS), wfi_cuda_stream(ctx)>>>(
            s, r->list.data + r->begin[kind]);
}

template <bool BOTH> static weft_status launch_hubs(weft_ctx *ctx, const run *r, const step &s, bool first) {
    uint32_t hubs = r->count[HUBS];
    const weft_vid *list = r->list.data + r->begin[HUBS];
    cudaStream_t stream = wfi_cuda_stream(ctx);
    if (!hubs) return WEFT_OK;
    int bytes = (int)r->hub_slots * SLOT_BYTES;
    second_try again = {r->hub_slots, first ? r->hub_slots / 2 : r->hub_slots * 2, r->best.data, r->part.data,
                        r->parts.data};
    WFI_CUDA(cudaMemsetAsync(r->parts.data, 0, sizeof *r->parts.data, stream));
    count_hubs<BOTH><<<hubs, HUB_THREADS, bytes, stream>>>(s, list, again);
    count_parts<BOTH><<<(unsigned)r->sms, HUB_THREADS, bytes, stream>>>(s, list, again);
    settle_again<BOTH><<<wfi_grid(hubs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(s, list, hubs, again);
    return WEFT_OK;
}

template <bool BOTH> static weft_status launch_giants(weft_ctx *ctx, const run *r, step s) {
    uint32_t giants = r->count[GIANTS];
    const weft_vid *list = r->list.data + r->begin[GIANTS];
    unsigned *counts = r->counts.data;
    candidate *best = r->best.data + r->count[HUBS];
    if (!giants) return WEFT_OK;
    void *args[] = {&s, &list, &giants, &counts, &best};
    WFI_CUDA(cudaLaunchCooperativeKernel((void *)count_giants<BOTH>, dim3(r->giant_blocks), dim3(GIANT_THREADS), args,
                                         0, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* What the step changed. */
static weft_status read_tally(weft_ctx *ctx, const step &s, tally *seen) {
    tally each[TALLIES];
    weft_status st = wfi_download(ctx, each, s.seen, sizeof each);
    for (int i = 0; i < TALLIES && !st; i++) {
        seen->changed |= each[i].changed;
        seen->differs |= each[i].differs;
        seen->volume += each[i].volume;
    }
    return st;
}

template <bool BOTH> static weft_status take_step(weft_ctx *ctx, const run *r, const step &s, bool first, tally *seen) {
    WFI_CUDA(cudaMemsetAsync(s.seen, 0, TALLIES * sizeof *s.seen, wfi_cuda_stream(ctx)));
    if (r->best.count)
        WFI_CUDA(cudaMemsetAsync(r->best.data, 0, r->best.count * sizeof(candidate), wfi_cuda_stream(ctx)));
    weft_status st = launch_giants<BOTH>(ctx, r, s);
    if (!st) st = launch_hubs<BOTH>(ctx, r, s, first);
    if (st) return st;
    launch_many<MORE_THREADS, MORE_CELLS, BOTH>(ctx, r, s, UP_TO_4096);
    launch_many<256, 4, BOTH>(ctx, r, s, UP_TO_1024);
    launch_many<128, 4, BOTH>(ctx, r, s, UP_TO_512);
    launch_rows(ctx, r, s, UP_TO_256, WARP, count_some<8, BOTH>);
    launch_rows(ctx, r, s, UP_TO_128, WARP, count_some<4, BOTH>);
    launch_rows(ctx, r, s, UP_TO_64, WARP, count_some<2, BOTH>);
    launch_rows(ctx, r, s, UP_TO_32, 32, count_few<32, BOTH>);
    launch_rows(ctx, r, s, UP_TO_16, 16, count_few<16, BOTH>);
    launch_rows(ctx, r, s, UP_TO_8, 1, count_fewest<8, BOTH>);
    launch_rows(ctx, r, s, UP_TO_4, 1, count_fewest<4, BOTH>);
    return read_tally(ctx, s, seen);
}

/* --- the first step -------------------------------------------------------------------------- */

static weft_status take_first_step(weft_ctx *ctx, const run *r, const step &s, tally *seen, bool *taken) {
    unsigned repeats = 0;
    const weft_graph *g = r->g;
    *taken = false;
    if (g->directed || !g->arcs) return WEFT_OK;
    WFI_CUDA(cudaMemsetAsync(r->parts.data, 0, sizeof *r->parts.data, wfi_cuda_stream(ctx)));
    WFI_CUDA(cudaMemsetAsync(s.seen, 0, TALLIES * sizeof *s.seen, wfi_cuda_stream(ctx)));
    wfi_walk<weft_eid><<<wfi_walk_blocks(g->arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        s.out.offsets, NULL, g->n, s.out.targets, 0, 0, g->arcs, find_repeats{s.out, r->parts.data});
    weft_status st = wfi_download(ctx, &repeats, r->parts.data, sizeof repeats);
    if (st || repeats) return st;
    *taken = true;
    take_smallest<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(s, g->n);
    return read_tally(ctx, s, seen);
}

/* --- who is counted again ------------------------------------------------------------------- */

__global__ static void __launch_bounds__(THREADS)
    mark_neighbours(wfi_device_rows rows, weft_vid n, const weft_vid *before, const weft_vid *now, uint8_t *active) {
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        bool changed = v < n && before[v] != now[v];
        weft_eid e = changed ? rows.offsets[v] : 0, end = changed ? rows.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(rows.targets, (weft_vid)v, e, end, [=](weft_vid, weft_vid u) { active[u] = 1; });
    }
}

static weft_status mark_active(weft_ctx *ctx, const run *r, const weft_vid *before, const weft_vid *now) {
    weft_vid n = r->g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    WFI_CUDA(cudaMemsetAsync(r->active.data, 0, n, wfi_cuda_stream(ctx)));
    mark_neighbours<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(r->out, n, before, now, r->active.data);
    if (r->g->directed)
        mark_neighbours<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(r->in, n, before, now, r->active.data);
    return WEFT_OK;
}

/* --- the run ---------------------------------------------------------------------------------- */

__global__ static void begin_labels(weft_vid *now, weft_vid *next, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        now[v] = next[v] = (weft_vid)v;
}

__global__ static void mark_labels(const weft_vid *label, weft_vid n, weft_vid *mark) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        mark[label[v]] = 1;
}

__global__ static void __launch_bounds__(THREADS)
    count_marks(const weft_vid *mark, weft_vid n, unsigned long long *to) {
    unsigned mine = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS)
        mine += mark[v];
    for (int far = WARP / 2; far; far /= 2) mine += __shfl_xor_sync(~0u, mine, far);
    if (this_lane() == 0 && mine) atomicAdd(to, (unsigned long long)mine);
}

static weft_status count_communities(weft_ctx *ctx, const weft_vid *label, weft_vid *mark, weft_vid n,
                                     uint64_t *count) {
    wfi_buffer<unsigned long long> found;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    weft_status st = found.take_zeroed(ctx, 1);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    WFI_CUDA(cudaMemsetAsync(mark, 0, n * sizeof *mark, wfi_cuda_stream(ctx)));
    mark_labels<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(label, n, mark);
    count_marks<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(mark, n, found.data);
    return wfi_download(ctx, count, found.data, sizeof *count);
}

template <bool BOTH> static weft_status allow_tables(weft_ctx *ctx, const run *r) {
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    int hub_bytes = (int)r->hub_slots * SLOT_BYTES;
    WFI_CUDA(cudaFuncSetAttribute(count_hubs<BOTH>, most, hub_bytes));
    WFI_CUDA(cudaFuncSetAttribute(count_parts<BOTH>, most, hub_bytes));
    if (!r->short_of_room)
        WFI_CUDA(cudaFuncSetAttribute(count_many<MORE_THREADS, MORE_CELLS, BOTH>, most,
                                      bytes_for(MORE_THREADS * MORE_CELLS)));
    return WEFT_OK;
}

/* How large tables can be.  What a kind of rows has no room for is left to the next one. */
static weft_status look_at_device(weft_ctx *ctx, run *r) {
    int room = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&r->sms, cudaDevAttrMultiProcessorCount, wfi_cuda_index(ctx)));
    WFI_CUDA(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, wfi_cuda_index(ctx)));
    r->hub_slots = MOST_SLOTS;
    while (r->hub_slots * SLOT_BYTES + 1024 > (unsigned)room) r->hub_slots /= 2;
    r->short_of_room = (int)r->hub_slots * SLOT_BYTES < bytes_for(MORE_THREADS * MORE_CELLS);
    return (r->g->directed ? allow_tables<true> : allow_tables<false>)(ctx, r);
}

static weft_status open_run(weft_ctx *ctx, run *r) {
    const weft_graph *g = r->g;
    weft_status st = wfi_mirror_out(ctx, g, &r->out);
    if (!st && g->directed) st = wfi_mirror_in(ctx, g, &r->in);
    if (!st) st = look_at_device(ctx, r);
    if (!st) st = list_by_kind(ctx, r);
    if (!st) st = r->label[0].take(ctx, g->n);
    if (!st) st = r->label[1].take(ctx, g->n);
    if (!st) st = r->active.take(ctx, g->n);
    if (!st) st = r->seen.take(ctx, TALLIES);
    if (!st) st = r->best.take(ctx, (size_t)r->count[HUBS] + r->count[GIANTS]);
    if (!st) st = r->part.take(ctx, r->count[HUBS] * (2 * GIANT / r->hub_slots));
    if (!st) st = r->parts.take(ctx, 1);
    if (st) return st;
    if (!r->count[GIANTS]) return WEFT_OK;
    int fit = 0;
    WFI_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, g->directed ? count_giants<true> : count_giants<false>,
                                                           GIANT_THREADS, 0));
    r->giant_blocks = (unsigned)(fit * r->sms);
    return r->counts.take_zeroed(ctx, g->n);
}

static weft_status spread(weft_ctx *ctx, run *r, uint64_t steps, weft_vid **now, weft_vid **next, uint64_t *done,
                          bool *repeats) {
    weft_vid n = r->g->n;
    const uint8_t *active = NULL;
    wfi_kernel_scope stage(ctx, "iterations");
    begin_labels<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(*now, *next, n);
    while (*done < steps && !*repeats) {
        tally t = {};
        step s = {r->out, r->in, *now, *next, active, r->seen.data};
        wfi_progress(ctx, "spreading labels", *done, steps);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        bool taken = false;
        weft_status st = !*done ? take_first_step(ctx, r, s, &t, &taken) : WEFT_OK;
        if (!st && !taken) st = (r->g->directed ? take_step<true> : take_step<false>)(ctx, r, s, !*done, &t);
        if (st) return st;
        weft_vid *before = *now;
        *now = *next;
        *next = before;
        ++*done;
        *repeats = !t.changed || (*done > 1 && !t.differs);
        bool few = t.volume < all_arcs(r->g) / 4;
        if (*done < steps && !*repeats && few) st = mark_active(ctx, r, before, *now);
        active = few ? r->active.data : NULL;
        if (st) return st;
    }
    return WEFT_OK;
}

extern "C" weft_status wfi_labelprop_cuda(weft_ctx *ctx, const weft_graph *g, uint64_t steps, weft_vid *label,
                                          uint64_t *done, uint64_t *communities) {
    run r = {};
    bool repeats = false;
    r.g = g;
    *done = steps ? 1 : 0; /* of an empty graph the first step changes nothing */
    *communities = 0;
    if (!g->n) return WEFT_OK;
    *done = 0;
    weft_status st = open_run(ctx, &r);
    weft_vid *now = r.label[0].data, *next = r.label[1].data;
    if (!st) st = spread(ctx, &r, steps, &now, &next, done, &repeats);
    if (st) return st;
    /* now holds step *done, next the one before; from here on they would alternate. */
    weft_vid *last = repeats && (steps - *done) % 2 ? next : now;
    st = wfi_deliver(ctx, label, last, g->n * sizeof *label);
    return st ? st : count_communities(ctx, last, last == now ? next : now, g->n, communities);
}

extern "C" void wfi_labelprop_plan_cuda(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice) {
    wfi_mirror_cost out = wfi_mirror_out_cost(g), in = g->directed ? wfi_mirror_in_cost(g) : wfi_mirror_cost{0, 0};
    uint64_t kept = !g->directed || wfi_in_at_hand(g) || !in.kept ? out.kept + in.kept : in.kept, hubs = 0;
    const wfi_rows *back = g->directed ? wfi_in_at_hand(g) : NULL;
    bool giants = g->directed && !back && g->arcs > GIANT; /* there may be: who is pointed at is not known */
#pragma omp parallel for schedule(static) reduction(+ : hubs) reduction(|| : giants)                                    \
    num_threads(wfi_threads_for(ctx, g->n, 1 << 20))
    for (weft_vid v = 0; v < g->n; v++) {
        uint64_t degree = wfi_degree(&g->out, v) + (back ? wfi_degree(back, v) : 0);
        giants = giants || degree > GIANT;
        hubs += degree > HUB;
    }
    choice->method = "synchronous counting";
    snprintf(choice->reason, sizeof choice->reason, "%s; labels are compared by lanes or counted in tables, by degree",
             !g->directed ? "undirected: one row a vertex" : "directed: both directions count");
    choice->host_bytes = 4ull * g->n;
    choice->device_bytes =
        wfi_max_u64(wfi_max_u64(out.peak, in.peak), kept + (13 + 4 * giants) * g->n + HUB_BYTES * hubs);
}
