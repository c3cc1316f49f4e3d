/* See labelprop_count.h.
 * Method: vertices are listed by the kind of their row (labelprop_rows.cuh, labelprop_hubs.cuh), within a kind
 * ascending, so that rows that stand together are read together.  A step is a kernel for each kind. */
#include "algo/labelprop/labelprop_count.h"
#include "algo/labelprop/labelprop_first.cuh"
#include "algo/labelprop/labelprop_hubs.cuh"
#include "cuda/buffers.cuh"

#include <cub/device/device_radix_sort.cuh>

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

static_assert((int)ROW_KINDS == (int)WFI_LABEL_KINDS, "kinds of rows");

namespace {

struct kinds {
    uint32_t count[ROW_KINDS];
};

} // namespace

/* --- kinds of rows ------------------------------------------------------------------------ */

__device__ static int kind_of(weft_eid degree) {
    if (degree <= 4) return degree == 0 ? NO_ARCS : UP_TO_4;
    if (degree <= 1024) return UP_TO_4 + 30 - __clz((int)degree - 1); /* the next power of two decides */
    return degree <= HUB ? UP_TO_4096 : degree <= GIANT ? HUBS : GIANTS;
}

__global__ static void find_kinds(wfi_label_counter r) {
    const weft_eid *out = r.out.offsets, *in = r.directed ? r.in.offsets : NULL;
    __shared__ uint32_t count[ROW_KINDS];
    if (threadIdx.x < ROW_KINDS) count[threadIdx.x] = 0;
    __syncthreads();
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < r.vertices;
         v += (uint64_t)gridDim.x * blockDim.x) {
        int k = kind_of(out[v + 1] - out[v] + (in ? in[v + 1] - in[v] : 0));
        r.kind[v] = (uint8_t)k;
        r.vertex[v] = r.first + (weft_vid)v;
        atomicAdd(&count[k], 1u);
    }
    __syncthreads();
    if (threadIdx.x < ROW_KINDS && count[threadIdx.x]) atomicAdd(&r.all[threadIdx.x], count[threadIdx.x]);
}

static uint64_t sort_scratch(uint64_t n) {
    return wfi_cub_sort_bytes(n) + n * (sizeof(uint8_t) + sizeof(weft_vid)) + BYTE_SORT;
}

static weft_status list_by_kind(weft_ctx *ctx, wfi_label_counter *r) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = r->vertices;
    kinds found = {};
    size_t bytes = sort_scratch(n);
    wfi_kernel_scope stage(ctx, "relabel");
    weft_status st = wfi_zero(ctx, r->all, ROW_KINDS);
    if (st) return st;
    find_kinds<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(*r);
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

typedef void (*row_kernel)(label_step s, const weft_vid *list, uint32_t rows);

/* So many threads a row; a block takes several turns, because in the end it adds to the tally. */
static void launch_rows(const weft_ctx *ctx, const wfi_label_counter *r, const label_step &s, int kind,
                        unsigned threads, row_kernel kernel) {
    uint32_t rows = r->count[kind];
    if (rows)
        kernel<<<wfi_grid((uint64_t)rows * threads, ROWS_THREADS, (unsigned)r->sms * 24), ROWS_THREADS, 0,
                 wfi_cuda_stream(ctx)>>>(s, r->list + r->begin[kind], rows);
}

/* count_many's blocks: threads, and arcs for each of them. */
enum { MORE_THREADS = 512, MORE_CELLS = 8 };

static int bytes_for(int arcs) { return 2 * arcs * SLOT_BYTES; }

template <int BLOCK, int CELLS, bool BOTH>
static void launch_many(const weft_ctx *ctx, const wfi_label_counter *r, const label_step &s, int kind) {
    if (r->count[kind])
        count_many<BLOCK, CELLS, BOTH>
            <<<r->count[kind], BLOCK, bytes_for(BLOCK * CELLS), wfi_cuda_stream(ctx)>>>(s, r->list + r->begin[kind]);
}

template <bool BOTH>
static weft_status launch_hubs(weft_ctx *ctx, const wfi_label_counter *r, const label_step &s, bool first) {
    uint32_t hubs = r->count[HUBS];
    const weft_vid *list = r->list + r->begin[HUBS];
    cudaStream_t stream = wfi_cuda_stream(ctx);
    if (!hubs) return WEFT_OK;
    int bytes = (int)r->hub_slots * SLOT_BYTES;
    second_try again = {r->hub_slots, first ? r->hub_slots / 2 : r->hub_slots * 2, (candidate *)r->best,
                        (uint2 *)r->part, r->parts};
    WFI_CUDA(cudaMemsetAsync(r->parts, 0, sizeof *r->parts, stream));
    count_hubs<BOTH><<<hubs, HUB_THREADS, bytes, stream>>>(s, list, again);
    count_parts<BOTH><<<(unsigned)r->sms, HUB_THREADS, bytes, stream>>>(s, list, again);
    settle_again<BOTH><<<wfi_grid(hubs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(s, list, hubs, again);
    return WEFT_OK;
}

template <bool BOTH> static weft_status launch_giants(weft_ctx *ctx, const wfi_label_counter *r, label_step s) {
    uint32_t giants = r->count[GIANTS];
    const weft_vid *list = r->list + r->begin[GIANTS];
    unsigned *counts = r->counts;
    candidate *best = (candidate *)r->best + r->count[HUBS];
    if (!giants) return WEFT_OK;
    void *args[] = {&s, &list, &giants, &counts, &best};
    WFI_CUDA(cudaLaunchCooperativeKernel((void *)count_giants<BOTH>, dim3(r->giant_blocks), dim3(GIANT_THREADS), args,
                                         0, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* What the step changed. */
static weft_status read_tally(weft_ctx *ctx, const label_step &s, wfi_label_tally *seen) {
    label_tally each[TALLIES];
    weft_status st = wfi_download(ctx, each, s.seen, sizeof each);
    for (int i = 0; i < TALLIES && !st; i++) {
        seen->changed = seen->changed || each[i].changed;
        seen->differs = seen->differs || each[i].differs;
        seen->volume += each[i].volume;
    }
    return st;
}

template <bool BOTH>
static weft_status take_step(weft_ctx *ctx, const wfi_label_counter *r, const label_step &s, bool first,
                             wfi_label_tally *seen) {
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

/* Of a whole graph.  *taken: it could be. */
static weft_status take_first_step(weft_ctx *ctx, const wfi_label_counter *r, const label_step &s,
                                   wfi_label_tally *seen, bool *taken) {
    unsigned repeats = 0;
    weft_eid arcs = r->out_arcs;
    *taken = false;
    if (r->directed || !arcs || r->vertices < r->n) return WEFT_OK;
    WFI_CUDA(cudaMemsetAsync(r->parts, 0, sizeof *r->parts, wfi_cuda_stream(ctx)));
    WFI_CUDA(cudaMemsetAsync(s.seen, 0, TALLIES * sizeof *s.seen, wfi_cuda_stream(ctx)));
    wfi_walk<weft_eid><<<wfi_walk_blocks(arcs), WFI_WALK_THREADS, 0, wfi_cuda_stream(ctx)>>>(
        s.out.offsets, NULL, r->n, s.out.targets, 0, 0, arcs, find_repeats{s.out, r->parts});
    weft_status st = wfi_download(ctx, &repeats, r->parts, sizeof repeats);
    if (st || repeats) return st;
    *taken = true;
    take_smallest<<<wfi_grid(r->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(s, r->n);
    return read_tally(ctx, s, seen);
}

/* --- the door ------------------------------------------------------------------------------- */

template <bool BOTH> static weft_status allow_tables(weft_ctx *ctx, const wfi_label_counter *r) {
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
static weft_status look_at_device(weft_ctx *ctx, wfi_label_counter *r) {
    int room = wfi_gpu_of(ctx)->shared_memory;
    r->sms = wfi_gpu_of(ctx)->sms;
    r->hub_slots = MOST_SLOTS;
    while (r->hub_slots * SLOT_BYTES + 1024 > (unsigned)room) r->hub_slots /= 2;
    r->short_of_room = (int)r->hub_slots * SLOT_BYTES < bytes_for(MORE_THREADS * MORE_CELLS);
    return (r->directed ? allow_tables<true> : allow_tables<false>)(ctx, r);
}

uint64_t wfi_label_giant(void) { return GIANT; }

void wfi_label_counter_lay_out(wfi_workspace *device, uint64_t arcs, bool giants, wfi_label_counter *r) {
    uint64_t n = r->n, rows = r->vertices, hubs = wfi_min_u64(rows, arcs / LEAST_HUB);
    wfi_array(device, &r->list, rows);
    wfi_array(device, &r->parts, 1);
    uint64_t listing = wfi_mark(device);
    wfi_array(device, &r->all, ROW_KINDS);
    wfi_array(device, &r->kind, rows);
    wfi_array(device, &r->sorted, rows);
    wfi_array(device, &r->vertex, rows);
    wfi_array_within(device, &r->scratch, sort_scratch(rows));
    wfi_rewind(device, listing);
    for (size_t i = 0; i < 2; i++) wfi_array(device, &r->label[i], n);
    wfi_array(device, &r->seen, TALLIES * sizeof(label_tally) / sizeof *r->seen);
    wfi_array_within(device, &r->best, hubs);
    wfi_array_within(device, &r->part, 2 * hubs + 4 * arcs / LEAST_SLOTS); /* of a hub 2, or 4 degrees / slots */
    wfi_array_within(device, &r->counts, giants ? n : 0);
}

weft_status wfi_label_counter_begin(weft_ctx *ctx, wfi_label_counter *r) {
    int fit = 0;
    if (!r->vertices) return WEFT_OK;
    weft_status st = look_at_device(ctx, r);
    if (!st) st = list_by_kind(ctx, r);
    if (st || !r->count[GIANTS]) return st;
    WFI_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, r->directed ? count_giants<true> : count_giants<false>,
                                                           GIANT_THREADS, 0));
    r->giant_blocks = (unsigned)(fit * r->sms);
    return wfi_zero(ctx, r->counts, r->n);
}

/* By vertices, of which those before the first have no row. */
static wfi_view by_vertex(const wfi_view &rows, weft_vid first) {
    wfi_view whole = rows;
    if (rows.offsets) whole.offsets -= first; /* else there is no such side */
    if (rows.targets) whole.targets -= rows.base;
    whole.base = 0;
    return whole;
}

weft_status wfi_label_counter_step(weft_ctx *ctx, const wfi_label_counter *r, const wfi_label_step *step,
                                   wfi_label_tally *seen) {
    *seen = {};
    if (!r->vertices) return WEFT_OK;
    label_step s = {by_vertex(r->out, r->first), by_vertex(r->in, r->first), step->now, step->next, step->active,
                    (label_tally *)r->seen};
    bool taken = false;
    weft_status st = step->first ? take_first_step(ctx, r, s, seen, &taken) : WEFT_OK;
    return st || taken ? st : (r->directed ? take_step<true> : take_step<false>)(ctx, r, s, step->first, seen);
}
