/* Peeling on the GPU: which way, and what follows from the levels.
 * Method: levels by kahn_bits.cu for dense graphs, else by kahn_rows.cu.  Positions are places in a stable sort of the vertices by
 * level, so they ascend by (level, vertex).  Of a leftover each vertex's smallest predecessor in it is found here; the walk along
 * them and the searches for a shorter cycle are shared/peel/witness.c's, on the host, as for the CPU: they look at few arcs. */
#include "shared/peel/kahn_cuda.cuh"

#include <cub/device/device_radix_sort.cuh>

enum { THREADS = 256, MOST_BLOCKS = 1 << 14 };

/* --- positions --------------------------------------------------------------------------------- */

__global__ static void key_by_level(const uint32_t *level, weft_vid n, uint32_t levels, uint32_t *key,
                                    weft_vid *vertex) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        key[v] = level[v] < levels ? level[v] : levels;
        vertex[v] = (weft_vid)v;
    }
}

__global__ static void number_places(const uint32_t *key, const weft_vid *vertex, weft_vid n, uint32_t levels,
                                     uint32_t *position) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x)
        position[vertex[i]] = key[i] < levels ? (uint32_t)i : WEFT_UNREACHED;
}

static weft_status number_positions(weft_ctx *ctx, weft_vid n, const uint32_t *level, uint32_t levels,
                                    uint32_t *position) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    int bits = levels ? (int)wfi_bits(levels) : 1;
    wfi_buffer<uint32_t> all;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = all.take(ctx, 4 * (size_t)n);
    if (st) return st;
    cub::DoubleBuffer<uint32_t> key(all.data, all.data + n);
    cub::DoubleBuffer<weft_vid> vertex(all.data + 2 * (size_t)n, all.data + 3 * (size_t)n);
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, key, vertex, (int64_t)n, 0, bits, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        key_by_level<<<blocks, THREADS, 0, stream>>>(level, n, levels, all.data, vertex.Current());
        WFI_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, key, vertex, (int64_t)n, 0, bits, stream));
        number_places<<<blocks, THREADS, 0, stream>>>(key.Current(), vertex.Current(), n, levels, key.Alternate());
    }
    return wfi_deliver(ctx, position, key.Alternate(), n * sizeof *position);
}

/* --- the run ------------------------------------------------------------------------------------ */

struct peeling {
    wfi_device_rows out;
    wfi_buffer<uint32_t> level;
    wfi_row_peel rows;
    wfi_bit_peel bits;
    bool as_bits;
};

static weft_status peel(weft_ctx *ctx, const weft_graph *g, bool verdict_only, peeling *p, wfi_peeled *peeled) {
    int shared = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, wfi_cuda_index(ctx)));
    p->as_bits = wfi_kahn_as_bits(g->n, g->arcs) && wfi_bit_shared(g->n) <= (size_t)shared;
    weft_status st = wfi_mirror_out(ctx, g, &p->out);
    if (!st) st = p->level.take(ctx, g->n);
    if (st) return st;
    return p->as_bits ? wfi_peel_bits(ctx, g, &p->out, verdict_only, &p->bits, p->level.data, peeled)
                      : wfi_peel_rows(ctx, g, &p->out, verdict_only, &p->rows, p->level.data, peeled);
}

/* The cycle among what is left; the counters of the peeling become the pointers. */
static weft_status search_leftover(weft_ctx *ctx, const weft_graph *g, peeling *p, wfi_cycle *cycle) {
    uint64_t *left = NULL;
    weft_vid *before = NULL, *scratch = NULL, *there = p->as_bits ? p->bits.waiting.data : p->rows.waiting.data;
    weft_status st = p->as_bits ? wfi_point_back_bits(ctx, g->n, &p->bits, p->level.data, there)
                                : wfi_point_back_rows(ctx, g, &p->out, p->level.data, there);
    if (!st) before = (weft_vid *)wfi_take(ctx, g->n, sizeof *before);
    if (!st) scratch = (weft_vid *)wfi_take(ctx, g->n, sizeof *scratch);
    if (!st) left = (uint64_t *)wfi_take(ctx, wfi_leftover_words(g->n), sizeof *left);
    if (!st && (!before || !scratch || !left)) st = WEFT_ENOMEM;
    if (!st) st = wfi_download(ctx, before, there, g->n * sizeof *before);
    if (!st) st = wfi_cycle_by_pointers(ctx, NULL, g, before, scratch, left, cycle);
    wfi_free(left);
    wfi_free(before);
    wfi_free(scratch);
    return st;
}

extern "C" weft_status wfi_kahn_cuda(weft_ctx *ctx, const weft_graph *g, const wfi_kahn_wish *wish,
                                     wfi_kahn_answer *answer) {
    peeling p;
    wfi_peeled peeled = {false, 0};
    bool verdict_only = !wish->level && !wish->position;
    *answer = {false, 0, {NULL, 0}};
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    weft_status st = peel(ctx, g, verdict_only, &p, &peeled);
    answer->acyclic = peeled.acyclic;
    answer->levels = peeled.levels;
    if (!st && !peeled.acyclic) st = wfi_cycle_of_loop(ctx, NULL, g, &answer->cycle);
    if (!st && !peeled.acyclic && !answer->cycle.length) st = search_leftover(ctx, g, &p, &answer->cycle);
    p.bits.bits.give();
    p.rows.queue.give();
    if (!st && wish->level) st = wfi_deliver(ctx, wish->level, p.level.data, g->n * sizeof *wish->level);
    if (!st && wish->position && g->n) st = number_positions(ctx, g->n, p.level.data, peeled.levels, wish->position);
    if (st) {
        wfi_free(answer->cycle.vertex);
        answer->cycle = {NULL, 0};
    }
    return st;
}

/* --- what it costs ------------------------------------------------------------------------------ */

extern "C" uint64_t wfi_kahn_cuda_bytes(const weft_graph *g, bool levels, bool positions) {
    uint64_t n = g->n, counters = 4 * n, peeling = 8 * (n + g->arcs / WFI_KAHN_PIECE),
             sorting = positions ? 16 * n + n / 4 : 0;
    bool verdict_only = !levels && !positions;
    if (verdict_only && wfi_peels_both_ends(g)) {
        counters = 12 * n;
        peeling *= 2;
    }
    if (wfi_kahn_as_bits(g->n, g->arcs)) {
        uint64_t bits = 4 * n * wfi_bit_stride(g->n);
        peeling = verdict_only ? 2 * bits : bits;
        counters = verdict_only ? 8 * n : 4 * n;
    }
    return wfi_mirror_out_cost(g).kept + 4 * n + counters + wfi_max_u64(peeling, sorting);
}

extern "C" uint64_t wfi_kahn_cuda_host_bytes(const weft_graph *g) { return 8ull * (g->n + wfi_leftover_words(g->n)); }

/* --- the order of ids ----------------------------------------------------------------------------- */

/* found[0]: some arc falls or is a loop; found[1]: some arc rises or is one. */
__global__ static void look_at_ids(wfi_device_rows out, weft_vid n, int *found) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid begin = out.offsets[v], end = out.offsets[v + 1];
        if (begin == end) continue;
        if (out.targets[begin] <= v) found[0] = 1;
        if (out.targets[end - 1] >= v) found[1] = 1;
    }
}

extern "C" bool wfi_kahn_rows_there(const weft_graph *g) { return !wfi_mirror_out_cost(g).kept; }

extern "C" weft_status wfi_ids_along_arcs_cuda(weft_ctx *ctx, const weft_graph *g, wfi_id_order *order) {
    wfi_device_rows out;
    wfi_buffer<int> found;
    int seen[2] = {0, 0};
    weft_status st = wfi_mirror_out(ctx, g, &out);
    if (!st) st = found.take_zeroed(ctx, 2);
    if (st) return st;
    {
        wfi_kernel_scope stage(ctx, "iterations");
        look_at_ids<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(out, g->n, found.data);
    }
    st = wfi_download(ctx, seen, found.data, sizeof seen);
    *order = !seen[0] ? WFI_IDS_RISE : !seen[1] ? WFI_IDS_FALL : WFI_IDS_MIXED;
    return st;
}
