/* Synchronous label propagation, GPU.  The answer is labelprop_cpu.c's, byte for byte, and so is what ends a run early.
 * Method: vertices are listed by the kind of their row (labelprop_rows.cuh, labelprop_hubs.cuh), within a kind ascending, so that rows
 * that stand together are read together.  A step is a kernel for each kind; the host reads what it changed and decides.
 * Once few vertices change, only their neighbours are counted again. */
#include "algo/labelprop/labelprop_cuda.h"
#include "algo/labelprop/labelprop_first.cuh"
#include "algo/labelprop/labelprop_hubs.cuh"
#include "cuda/expand.cuh"
#include "cuda/scratch.h"
#include "cuda/warp.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <stdio.h>

using namespace labelprop;

enum {
    THREADS = 256,
    MOST_BLOCKS = 4096,
    KIND_BITS = 4,
    LEAST_SLOTS = 1 << 12, /* of a hub's table: every GPU has so much shared memory */
    BYTE_SORT = 2 << 20    /* before capability 9.0, CUB sorts bytes with counters for each block of a full GPU */
};
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
static const weft_eid HUB = 4096;       /* longer rows are hubs */
static const weft_eid LEAST_HUB = 1024; /* the same, where tables are small */
static const weft_eid GIANT = 1 << 18;  /* longer rows are giants: so many arcs may be cut into parts */

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
    weft_vid *list, *label[2];
    uint8_t *active;
    unsigned *counts, *parts;
    candidate *best; /* of hubs, then of giants */
    uint2 *part;
    tally *seen;
    unsigned long long *found; /* communities */
    kinds *all;                /* this and what follows: while vertices are listed */
    uint8_t *kind, *sorted;
    weft_vid *vertex;
    char *scratch;
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

static uint64_t sort_scratch(uint64_t n) {
    return wfi_sort_scratch(n) + n * (sizeof(uint8_t) + sizeof(weft_vid)) + BYTE_SORT;
}

static weft_status list_by_kind(weft_ctx *ctx, run *r) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = r->g->n;
    kinds found = {};
    size_t bytes = sort_scratch(n);
    wfi_kernel_scope stage(ctx, "relabel");
    weft_status st = wfi_zero(ctx, r->all, 1);
    if (st) return st;
    find_kinds<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        r->out.offsets, r->g->directed ? r->in.offsets : NULL, n, r->kind, r->vertex, r->all);
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(r->scratch, bytes, r->kind, r->sorted, r->vertex, r->list, (int64_t)n, 0,
                                             KIND_BITS, stream));
    st = wfi_download(ctx, &found, r->all, sizeof found);
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
                 wfi_cuda_stream(ctx)>>>(s, r->list + r->begin[kind], rows);
}

/* count_many's blocks: threads, and arcs for each of them. */
enum { MORE_THREADS = 512, MORE_CELLS = 8 };

static int bytes_for(int arcs) { return 2 * arcs * SLOT_BYTES; }

template <int BLOCK, int CELLS, bool BOTH>
static void launch_many(const weft_ctx *ctx, const run *r, const step &s, int kind) {
    if (r->count[kind])
        count_many<BLOCK, CELLS, BOTH>
            <<<r->count[kind], BLOCK, bytes_for(BLOCK * CELLS), wfi_cuda_stream(ctx)>>>(s, r->list + r->begin[kind]);
}

template <bool BOTH> static weft_status launch_hubs(weft_ctx *ctx, const run *r, const step &s, bool first) {
    uint32_t hubs = r->count[HUBS];
    const weft_vid *list = r->list + r->begin[HUBS];
    cudaStream_t stream = wfi_cuda_stream(ctx);
    if (!hubs) return WEFT_OK;
    int bytes = (int)r->hub_slots * SLOT_BYTES;
    second_try again = {r->hub_slots, first ? r->hub_slots / 2 : r->hub_slots * 2, r->best, r->part, r->parts};
    WFI_CUDA(cudaMemsetAsync(r->parts, 0, sizeof *r->parts, stream));
    count_hubs<BOTH><<<hubs, HUB_THREADS, bytes, stream>>>(s, list, again);
    count_parts<BOTH><<<(unsigned)r->sms, HUB_THREADS, bytes, stream>>>(s, list, again);
    settle_again<BOTH><<<wfi_grid(hubs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(s, list, hubs, again);
    return WEFT_OK;
}

template <bool BOTH> static weft_status launch_giants(weft_ctx *ctx, const run *r, step s) {
    uint32_t giants = r->count[GIANTS];
    const weft_vid *list = r->list + r->begin[GIANTS];
    unsigned *counts = r->counts;
    candidate *best = r->best + r->count[HUBS];
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
    size_t hubs = (size_t)r->count[HUBS] + r->count[GIANTS];
    weft_status st = hubs ? wfi_zero(ctx, r->best, hubs) : WEFT_OK;
    if (!st) st = launch_giants<BOTH>(ctx, r, s);
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
    WFI_CUDA(cudaMemsetAsync(r->parts, 0, sizeof *r->parts, wfi_cuda_stream(ctx)));
    WFI_CUDA(cudaMemsetAsync(s.seen, 0, TALLIES * sizeof *s.seen, wfi_cuda_stream(ctx)));
    wfi_walk<weft_eid><<<wfi_walk_blocks(g->arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        s.out.offsets, NULL, g->n, s.out.targets, 0, 0, g->arcs, find_repeats{s.out, r->parts});
    weft_status st = wfi_download(ctx, &repeats, r->parts, sizeof repeats);
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
    WFI_CUDA(cudaMemsetAsync(r->active, 0, n, wfi_cuda_stream(ctx)));
    mark_neighbours<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(r->out, n, before, now, r->active);
    if (r->g->directed) mark_neighbours<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(r->in, n, before, now, r->active);
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
    mine = wfi_warp_sum(mine);
    if (this_lane() == 0 && mine) atomicAdd(to, (unsigned long long)mine);
}

static weft_status count_communities(weft_ctx *ctx, const run *r, const weft_vid *label, weft_vid *mark,
                                     uint64_t *count) {
    weft_vid n = r->g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    weft_status st = wfi_zero(ctx, r->found, 1);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    WFI_CUDA(cudaMemsetAsync(mark, 0, n * sizeof *mark, wfi_cuda_stream(ctx)));
    mark_labels<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(label, n, mark);
    count_marks<<<blocks, THREADS, 0, wfi_cuda_stream(ctx)>>>(mark, n, r->found);
    return wfi_download(ctx, count, r->found, sizeof *count);
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
    int room = wfi_gpu_of(ctx)->shared_memory;
    r->sms = wfi_gpu_of(ctx)->sms;
    r->hub_slots = MOST_SLOTS;
    while (r->hub_slots * SLOT_BYTES + 1024 > (unsigned)room) r->hub_slots /= 2;
    r->short_of_room = (int)r->hub_slots * SLOT_BYTES < bytes_for(MORE_THREADS * MORE_CELLS);
    return (r->g->directed ? allow_tables<true> : allow_tables<false>)(ctx, r);
}

static void lay_out(wfi_workspace *device, const weft_graph *g, bool giants, run *r) {
    uint64_t n = g->n, arcs = all_arcs(g), hubs = wfi_min_u64(n, arcs / LEAST_HUB);
    wfi_array(device, &r->list, n);
    wfi_array(device, &r->parts, 1);
    wfi_array(device, &r->found, 1);
    uint64_t listing = wfi_mark(device);
    wfi_array(device, &r->all, 1);
    wfi_array(device, &r->kind, n);
    wfi_array(device, &r->sorted, n);
    wfi_array(device, &r->vertex, n);
    wfi_array_within(device, &r->scratch, sort_scratch(n));
    wfi_rewind(device, listing);
    for (size_t i = 0; i < 2; i++) wfi_array(device, &r->label[i], n);
    wfi_array_within(device, &r->active, n);
    wfi_array(device, &r->seen, TALLIES);
    wfi_array_within(device, &r->best, hubs);
    wfi_array_within(device, &r->part, 2 * hubs + 4 * arcs / LEAST_SLOTS); /* of a hub 2, or 4 degrees / slots */
    wfi_array_within(device, &r->counts, giants ? n : 0);
}

static weft_status open_run(wfi_job *job, run *r) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = r->g;
    weft_status st = wfi_mirror_out(ctx, g, &r->out);
    if (!st && g->directed) st = wfi_mirror_in(ctx, g, &r->in);
    if (!st) st = look_at_device(ctx, r);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, job->choice->variant, r);
    if (!st) st = job->device->status;
    if (!st) st = list_by_kind(ctx, r);
    if (st || !r->count[GIANTS]) return st;
    int fit = 0;
    WFI_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, g->directed ? count_giants<true> : count_giants<false>,
                                                           GIANT_THREADS, 0));
    r->giant_blocks = (unsigned)(fit * r->sms);
    return wfi_zero(ctx, r->counts, g->n);
}

static weft_status spread(weft_ctx *ctx, run *r, uint64_t steps, weft_vid **now, weft_vid **next, uint64_t *done,
                          bool *repeats) {
    weft_vid n = r->g->n;
    const uint8_t *active = NULL;
    wfi_kernel_scope stage(ctx, "iterations");
    begin_labels<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(*now, *next, n);
    while (*done < steps && !*repeats) {
        tally t = {};
        step s = {r->out, r->in, *now, *next, active, r->seen};
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
        active = few ? r->active : NULL;
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status finish(wfi_job *job, uint64_t done, uint64_t communities) {
    weft_status st = wfi_result_scalar_u64(job->ctx, job->result, "communities", communities);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "iterations", done);
}

extern "C" weft_status wfi_labelprop_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    weft_vid n = job->g->n, *label;
    uint64_t steps = ((const weft_labelprop_params *)job->params)->max_iterations, done = 0, communities = 0;
    run r = {};
    bool repeats = false;
    r.g = job->g;
    wfi_column(job->space, "label", WEFT_VERTEX, n, &label);
    weft_status st = job->space->status;
    if (st) return st;
    if (!n) return finish(job, steps ? 1 : 0, 0); /* of an empty graph the first step changes nothing */
    st = open_run(job, &r);
    weft_vid *now = r.label[0], *next = r.label[1];
    if (!st) st = spread(ctx, &r, steps, &now, &next, &done, &repeats);
    if (st) return st;
    /* now holds step `done`, next the one before; from here on they would alternate. */
    weft_vid *last = repeats && (steps - done) % 2 ? next : now;
    st = wfi_deliver(ctx, label, last, n * sizeof *label);
    if (!st) st = count_communities(ctx, &r, last, last == now ? next : now, &communities);
    return st ? st : finish(job, done, communities);
}

/* Of a directed graph without a transpose it is not known who is pointed at. */
static bool may_have_giants(const weft_ctx *ctx, const weft_graph *g) {
    const wfi_rows *back = g->directed ? wfi_in_at_hand(g) : NULL;
    bool giants = g->directed && !back;
    if (all_arcs(g) <= GIANT) return false;
#pragma omp parallel for schedule(static) reduction(|| : giants) num_threads(wfi_threads_for(ctx, g->n, 1 << 20))
    for (weft_vid v = 0; v < g->n; v++)
        giants = giants || wfi_degree(&g->out, v) + (back ? wfi_degree(back, v) : 0) > GIANT;
    return giants;
}

extern "C" void wfi_labelprop_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                        wfi_choice *choice) {
    run r = {};
    weft_vid *label;
    (void)params;
    choice->variant = may_have_giants(ctx, g);
    choice->method = "synchronous counting";
    snprintf(choice->reason, sizeof choice->reason, "%s; labels are compared by lanes or counted in tables, by degree",
             !g->directed ? "undirected: one row a vertex" : "directed: both directions count");
    wfi_column(&choice->space, "label", WEFT_VERTEX, g->n, &label);
    wfi_mirror_declare(&choice->device, g, g->directed ? WFI_OUT_ROWS | WFI_IN_ROWS : WFI_OUT_ROWS);
    lay_out(&choice->device, g, choice->variant, &r);
}
