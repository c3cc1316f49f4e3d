/* Kahn's algorithm on the GPU: the choice of the kernel, and the results that follow from the levels.
 * Method: levels by kahn_bits.cu for dense graphs, else by kahn_rows.cu.  Positions are ranks in a stable sort of the
 * vertices by level, so they ascend by (level, vertex).  In a leftover each vertex's smallest predecessor is found
 * here; engines/kahn/witness.c follows these pointers and searches for a shorter cycle on the host, because both read
 * few arcs. */
#include "cuda/buffers.cuh"
#include "engines/kahn/kahn_cuda.cuh"

#include <cub/device/device_radix_sort.cuh>

enum { THREADS = 256, MOST_BLOCKS = 1 << 14 };

/* --- positions --------------------------------------------------------------------------------- */

__global__ static void key_by_level(const uint32_t *level, weft_vid n, uint32_t levels, uint32_t *key,
                                    weft_vid *vertex) {
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) {
        key[v] = level[v] < levels ? level[v] : levels;
        vertex[v] = (weft_vid)v;
    }
}

__global__ static void number_places(const uint32_t *key, const weft_vid *vertex, weft_vid n, uint32_t levels,
                                     uint32_t *position) {
    for (uint64_t i = wfi_thread(); i < n; i += wfi_all_threads())
        position[vertex[i]] = key[i] < levels ? (uint32_t)i : WEFT_UNREACHED;
}

namespace {

struct sorting {
    uint32_t *key[2];
    weft_vid *vertex[2];
    char *scratch;
};

struct wants {
    wfi_kahn_way way;
    bool verdict_only, positions;
};

struct arrays {
    uint32_t *level;
    wfi_row_peel rows;
    wfi_bit_peel bits;
    sorting sort;          /* reuses the memory of the queue, or of the bits */
    wfi_leftover leftover; /* arrays on the host */
};

} // namespace

static void lay_out(const weft_graph *g, const wants &w, wfi_workspace *space, wfi_workspace *device, arrays *a) {
    uint64_t n = g->n, mark;
    wfi_array(device, &a->level, n);
    mark = wfi_mark(device);
    if (w.way == WFI_KAHN_BITS)
        wfi_peel_bits_lay_out(device, g->n, w.verdict_only, &a->bits);
    else
        wfi_peel_rows_lay_out(device, g, w.way == WFI_KAHN_ROWS_BOTH_ENDS, &a->rows);
    wfi_rewind(device, mark);
    for (int i = 0; i < 2; i++) wfi_array(device, &a->sort.key[i], w.positions ? n : 0);
    for (int i = 0; i < 2; i++) wfi_array(device, &a->sort.vertex[i], w.positions ? n : 0);
    wfi_array_within(device, &a->sort.scratch, w.positions ? wfi_cub_sort_bytes(n) : 0);
    wfi_array(space, &a->leftover.before, g->self_loops ? 0 : n);
    wfi_array(space, &a->leftover.scratch, g->self_loops ? 0 : n);
    wfi_array(space, &a->leftover.left, g->self_loops ? 0 : wfi_leftover_words(g->n));
    wfi_growth(space, sizeof(weft_vid) * (g->self_loops ? 1 : n)); /* the cycle */
}

static weft_status number_positions(weft_ctx *ctx, weft_vid n, const arrays &a, uint32_t levels, uint32_t *position) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    int bits = levels ? (int)wfi_bits(levels) : 1;
    size_t bytes = wfi_cub_sort_bytes(n);
    cub::DoubleBuffer<uint32_t> key(a.sort.key[0], a.sort.key[1]);
    cub::DoubleBuffer<weft_vid> vertex(a.sort.vertex[0], a.sort.vertex[1]);
    {
        wfi_kernel_scope stage(ctx, "iterations");
        key_by_level<<<blocks, THREADS, 0, stream>>>(a.level, n, levels, key.Current(), vertex.Current());
        WFI_CUDA_OR_RETURN(
            cub::DeviceRadixSort::SortPairs(a.sort.scratch, bytes, key, vertex, (int64_t)n, 0, bits, stream));
        number_places<<<blocks, THREADS, 0, stream>>>(key.Current(), vertex.Current(), n, levels, key.Alternate());
    }
    return wfi_deliver(ctx, position, key.Alternate(), n * sizeof *position);
}

/* --- the run ------------------------------------------------------------------------------------ */

/* The cycle in the leftover; the counters of the peeling become the pointers. */
static weft_status search_leftover(weft_ctx *ctx, const weft_graph *g, const wfi_view &out, wfi_workspace *space,
                                   const arrays &a, wfi_cycle *cycle) {
    weft_vid *there = a.bits.waiting ? a.bits.waiting : a.rows.waiting;
    weft_status st = a.bits.waiting ? wfi_point_back_bits(ctx, g->n, &a.bits, a.level, there)
                                    : wfi_point_back_rows(ctx, g, &out, a.level, there);
    if (!st) st = wfi_download(ctx, a.leftover.before, there, g->n * sizeof *there);
    return st ? st : wfi_cycle_by_pointers(ctx, space, g, NULL, &a.leftover, cycle);
}

extern "C" weft_status wfi_kahn_upload_rows(weft_ctx *ctx, const weft_graph *g) {
    wfi_view out;
    return wfi_mirror_out(ctx, g, &out);
}

extern "C" weft_status wfi_kahn_cuda(weft_ctx *ctx, const weft_graph *g, wfi_workspace *space, wfi_workspace *device,
                                     const wfi_kahn_request *wish, wfi_kahn_answer *answer) {
    const wants w = {wish->way, !wish->level && !wish->position, wish->position != NULL};
    wfi_peeled peeled = {false, 0};
    wfi_view out = {};
    arrays a = {};
    *answer = {false, 0, {NULL, 0}};
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    lay_out(g, w, space, device, &a);
    weft_status st = device->status ? device->status : space->status;
    if (!st) st = wfi_mirror_out(ctx, g, &out);
    if (st) return st;
    st = w.way == WFI_KAHN_BITS ? wfi_peel_bits(ctx, g, &out, &a.bits, a.level, &peeled)
                                : wfi_peel_rows(ctx, g, &out, &a.rows, a.level, &peeled);
    answer->acyclic = peeled.acyclic;
    answer->levels = peeled.levels;
    if (!st && !peeled.acyclic) st = wfi_cycle_of_loop(ctx, space, g, &answer->cycle);
    if (!st && !peeled.acyclic && !answer->cycle.length) st = search_leftover(ctx, g, out, space, a, &answer->cycle);
    if (!st && wish->level) st = wfi_deliver(ctx, wish->level, a.level, g->n * sizeof *wish->level);
    if (!st && wish->position && g->n) st = number_positions(ctx, g->n, a, peeled.levels, wish->position);
    return st;
}

/* --- the plan ----------------------------------------------------------------------------------- */

/* Older GPUs have too little shared memory for the counters of the largest bit matrices. */
static bool bits_fit(const weft_ctx *ctx, weft_vid n) {
    int shared = 0;
    cudaError_t error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, wfi_cuda_index(ctx));
    return error != cudaSuccess || wfi_bit_shared(n) <= (size_t)shared;
}

extern "C" wfi_kahn_way wfi_kahn_pick_cuda(const weft_ctx *ctx, const weft_graph *g, bool verdict_only) {
    if (wfi_kahn_as_bits(g->n, g->arcs) && bits_fit(ctx, g->n)) return WFI_KAHN_BITS;
    return verdict_only && wfi_mirror_has_in(g) ? WFI_KAHN_ROWS_BOTH_ENDS : WFI_KAHN_ROWS;
}

extern "C" void wfi_kahn_plan_cuda(const weft_graph *g, wfi_kahn_way way, bool levels, bool positions,
                                   wfi_workspace *space, wfi_workspace *device) {
    arrays a;
    wfi_mirror_declare(device, g, WFI_OUT_ROWS);
    lay_out(g, {way, !levels && !positions, positions}, space, device, &a);
}
