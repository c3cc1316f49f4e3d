/* SELL-C-sigma, first half (sell.cuh): rows sorted by length within a part, sources renumbered by out-degree, arcs
 * sorted by row and source, by CUB's radix sort; sell.cu lays them out.  Peak while sorting: 16 bytes an arc besides
 * the rows, 24 with weights. */
#include "core/search.h"
#include "cuda/buffers.cuh"
#include "cuda/cub.cuh"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "engines/sliced_ellpack/sell.cuh"
#include "graph/rows.h"

#include <cub/device/device_reduce.cuh>

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32, SPAN = 1024 };

namespace {

/* Without weights, and with them. */
struct sell_layouts : wfi_layout {
    bool there[2] = {false, false};
    wfi_sell at[2];

    const wfi_sell *serving(bool weights) const {
        if (!weights && there[0]) return &at[0];
        return there[1] ? &at[1] : nullptr;
    }
};

/* The permutations: the vertex of each source, the row of each vertex, and the first arc of each source. */
struct standing {
    const weft_vid *vertex_of, *row_of;
    const weft_eid *starts;
};

/* Vertices by part, then descending degree (at most `most`), then vertices of isolated edges last if `rows` are of both
 * directions, then as in the order `before`, or by number (NULL). */
struct ordering {
    const uint32_t *degree;
    uint32_t most;
    wfi_view rows;
    weft_vid part;
    const weft_vid *before;
};

} // namespace

/* A source, or a source with 32 bits below it: the weight of the arc, or, if weights are wider, its position in the
 * source's row. */
__device__ static void name_arc(uint32_t *arc, weft_vid source, uint32_t) { *arc = source; }
__device__ static void name_arc(uint64_t *arc, weft_vid source, uint32_t below) {
    *arc = (uint64_t)source << 32 | below;
}

/* The arcs in the order of their sources' numbers, with targets renamed to their rows.  Warps take equal spans of arcs,
 * whatever the rows: a hub's row alone is as long as a warp's share of all arcs.  out.weights have 4 bytes or are
 * NULL. */
template <class A> __global__ static void rename_arcs(wfi_view out, standing at, weft_eid arcs, weft_vid *row, A *arc) {
    const weft_eid *starts = at.starts;
    uint64_t warp = wfi_thread() / WARP, lane = threadIdx.x % WARP;
    weft_eid stride = (weft_eid)gridDim.x * blockDim.x / WARP * SPAN;
    for (weft_eid begin = warp * SPAN; begin < arcs; begin += stride) {
        weft_eid end = arcs - begin < SPAN ? arcs : begin + SPAN;
        uint64_t first = wfi_row_of(starts, 0, out.n, begin), last = wfi_row_of(starts, first, out.n, end - 1);
        for (weft_eid e = begin + lane; e < end; e += WARP) {
            weft_vid s = (weft_vid)wfi_row_among(starts, first, last, e);
            weft_eid k = e - starts[s], from = out.offsets[at.vertex_of[s]] + k;
            row[e] = at.row_of[out.targets[from]];
            name_arc(&arc[e], s, out.weights ? ((const uint32_t *)out.weights)[from] : (uint32_t)k);
        }
    }
}

__global__ static void take_apart(const uint64_t *arc, weft_eid count, weft_vid *source, uint32_t *weight) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count;
         i += (weft_eid)gridDim.x * blockDim.x) {
        source[i] = (weft_vid)(arc[i] >> 32);
        weight[i] = (uint32_t)arc[i];
    }
}

/* The same with positions in the rows `out`, whose weights have 8 bytes. */
__global__ static void take_apart_wide(const uint64_t *arc, weft_eid count, wfi_view out, const weft_vid *vertex_of,
                                       weft_vid *source, double *weight) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count;
         i += (weft_eid)gridDim.x * blockDim.x) {
        source[i] = (weft_vid)(arc[i] >> 32);
        weight[i] = ((const double *)out.weights)[out.offsets[vertex_of[source[i]]] + (uint32_t)arc[i]];
    }
}

__global__ static void count_in(const weft_vid *targets, weft_eid arcs, uint32_t *count) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < arcs; i += (weft_eid)gridDim.x * blockDim.x)
        atomicAdd(&count[targets[i]], 1u);
}

__global__ static void lengths_of(const weft_eid *offsets, weft_vid n, uint32_t *length) {
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) length[v] = (uint32_t)(offsets[v + 1] - offsets[v]);
}

/* Keys that ascend in that order: the part, then `bits` bits. */
__global__ static void key_by_degree(ordering o, weft_vid n, unsigned bits, uint64_t *key, weft_vid *vertex) {
    for (uint64_t i = wfi_thread(); i < n; i += wfi_all_threads()) {
        weft_vid v = o.before ? o.before[i] : (weft_vid)i;
        bool paired = o.rows.offsets && wfi_is_isolated_edge(o.rows.offsets, o.rows.targets, v);
        key[i] = (uint64_t)(v / o.part) << bits | (uint64_t)(o.most - o.degree[v]) << 1 | paired;
        vertex[i] = v;
    }
}

__global__ static void invert(const weft_vid *vertex_of, weft_vid n, weft_vid *place_of) {
    for (uint64_t i = wfi_thread(); i < n; i += wfi_all_threads()) place_of[vertex_of[i]] = (weft_vid)i;
}

__global__ static void starts_of(const uint32_t *degree, const weft_vid *vertex_of, weft_vid n, weft_eid *length) {
    for (uint64_t i = wfi_thread(); i <= n; i += wfi_all_threads()) length[i] = i < n ? degree[vertex_of[i]] : 0;
}

static weft_status order_vertices(weft_ctx *ctx, const ordering &o, weft_vid n, weft_vid *vertex_of) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned bits = wfi_bits(o.most) + 1, blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    int end = (int)(bits + wfi_bits((n - 1) / o.part));
    wfi_buffer<uint64_t> key, sorted;
    wfi_buffer<weft_vid> name;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = key.take(ctx, n);
    if (!st) st = sorted.take(ctx, n);
    if (!st) st = name.take(ctx, n);
    if (st) return st;
    key_by_degree<<<blocks, THREADS, 0, stream>>>(o, n, bits, key.data, name.data);
    WFI_CUDA_OR_RETURN(cub::DeviceRadixSort::SortPairs(NULL, bytes, key.data, sorted.data, name.data, vertex_of,
                                                       (int64_t)n, 0, end, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, key.data, sorted.data, name.data, vertex_of,
                                                       (int64_t)n, 0, end, stream));
    return WEFT_OK;
}

static weft_status largest_of(weft_ctx *ctx, const uint32_t *degree, weft_vid n, uint32_t *most) {
    wfi_buffer<uint32_t> result;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = result.take(ctx, 1);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cub::DeviceReduce::Max(NULL, bytes, degree, result.data, (int64_t)n, wfi_cuda_stream(ctx)));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA_OR_RETURN(
        cub::DeviceReduce::Max(scratch.data, bytes, degree, result.data, (int64_t)n, wfi_cuda_stream(ctx)));
    return wfi_download(ctx, most, result.data, sizeof *most);
}

/* For the vertices of each part, blockIdx.y: the number without outgoing arcs, and, if the rows are of both directions,
 * the number in isolated edges. */
__global__ static void count_last(wfi_view out, weft_vid n, weft_vid part, bool both, uint32_t (*counts)[2]) {
    weft_vid first = blockIdx.y * part, end = n - first < part ? n : first + part;
    uint32_t none = 0, paired = 0;
    for (uint64_t v = first + wfi_thread(); v < end; v += wfi_all_threads()) {
        none += out.offsets[v] == out.offsets[v + 1];
        paired += both && wfi_is_isolated_edge(out.offsets, out.targets, (weft_vid)v);
    }
    none = wfi_warp_sum(none);
    paired = wfi_warp_sum(paired);
    if (threadIdx.x % WARP) return;
    if (none) atomicAdd(&counts[blockIdx.y][0], none);
    if (paired) atomicAdd(&counts[blockIdx.y][1], paired);
}

/* Counts the sinks and the vertices of isolated edges; in each part these come before its vertices without arcs. */
static weft_status find_last(weft_ctx *ctx, const weft_graph *g, const wfi_mirror *m, wfi_sell *r) {
    uint32_t seen[WFI_MOST_PARTS][2];
    wfi_buffer<uint32_t[2]> counts;
    weft_status st = counts.take_zeroed(ctx, WFI_MOST_PARTS);
    if (st) return st;
    count_last<<<dim3(wfi_grid(r->part, THREADS, 256), r->parts), THREADS, 0, wfi_cuda_stream(ctx)>>>(
        wfi_gpu_rows_view(m->out, WEFT_WEIGHT_NONE), r->n, r->part, !g->directed, counts.data);
    st = wfi_download(ctx, seen, counts.data, sizeof seen);
    if (st) return st;
    r->sinks = r->paired = 0;
    for (uint32_t p = 0; p < r->parts; p++) {
        r->sinks += seen[p][0];
        r->paired += seen[p][1];
        if (!g->directed) r->at[p].paired = r->at[p].end - (seen[p][0] + seen[p][1]);
    }
    return WEFT_OK;
}

/* The arcs sorted by row, within a row by source, in the encoding of name_arc. */
template <class A>
static weft_status sort_arcs(weft_ctx *ctx, const weft_graph *g, const wfi_mirror *m, const standing &at,
                             wfi_buffer<A> &arcs) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_buffer<uint32_t> rows;
    weft_status st = rows.take(ctx, g->arcs);
    if (!st) st = arcs.take(ctx, g->arcs);
    if (st) return st;
    wfi_view out = wfi_gpu_rows_view(m->out, g->weight_type);
    if (g->weight_type == WEFT_WEIGHT_F64) out.weights = NULL; /* 8-byte weights are looked up after sorting */
    rename_arcs<<<wfi_grid(g->arcs, SPAN / WARP * THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(out, at, g->arcs,
                                                                                               rows.data, arcs.data);
    return wfi_sort_pairs(ctx, rows, arcs, g->arcs, wfi_bits(g->n));
}

static weft_status make_sell(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights, wfi_mirror *m,
                             wfi_sell *r) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = g->n;
    unsigned blocks = wfi_grid((uint64_t)n + 1, THREADS, MOST_BLOCKS),
             arc_blocks = wfi_grid(g->arcs + 1, THREADS, MOST_BLOCKS);
    wfi_buffer<weft_eid> starts, offsets;
    wfi_buffer<uint32_t> in, out, weight;
    wfi_buffer<weft_vid> vertex_of, row_of, source_of, sources;
    wfi_buffer<uint64_t> both;
    uint32_t most_in = 0, most_out = 0;
    size_t weight_bytes = weights ? wfi_weight_bytes(g->weight_type) : 0;
    weft_status st = wfi_mirror_need_out(ctx, g, m);
    wfi_stage_scope stage(ctx, "relabel");
    if (!st && g->directed) st = in.take_zeroed(ctx, n);
    if (!st) st = out.take(ctx, n);
    if (!st) st = r->vertex.take(ctx, n);
    if (!st) st = r->source.take(ctx, n);
    if (!st) st = r->degree.take(ctx, n);
    if (!st) st = offsets.take(ctx, (size_t)n + 1);
    if (!st) st = starts.take(ctx, (size_t)n + 1);
    if (!st) st = vertex_of.take(ctx, n);
    if (!st) st = row_of.take(ctx, n);
    if (!st) st = source_of.take(ctx, n);
    if (st) return st;
    lengths_of<<<blocks, THREADS, 0, stream>>>(m->out->offsets.data, n, out.data);
    st = largest_of(ctx, out.data, n, &most_out);
    most_in = most_out;
    if (!st && g->directed) {
        count_in<<<arc_blocks, THREADS, 0, stream>>>(m->out->targets.data, g->arcs, in.data);
        st = largest_of(ctx, in.data, n, &most_in);
    }
    const uint32_t *comes_in = g->directed ? in.data : out.data;
    wfi_view both_ways = {};
    if (!g->directed) both_ways = wfi_gpu_rows_view(m->out, WEFT_WEIGHT_NONE);
    if (!st) st = order_vertices(ctx, {out.data, most_out, both_ways, n, NULL}, n, vertex_of.data);
    if (!st) st = order_vertices(ctx, {comes_in, most_in, {}, part, vertex_of.data}, n, r->vertex.data);
    if (st) return st;
    invert<<<blocks, THREADS, 0, stream>>>(r->vertex.data, n, row_of.data);
    invert<<<blocks, THREADS, 0, stream>>>(vertex_of.data, n, source_of.data);
    wfi_gather_by_place<<<blocks, THREADS, 0, stream>>>(source_of.data, r->vertex.data, n, r->source.data);
    wfi_gather_by_place<<<blocks, THREADS, 0, stream>>>(out.data, r->vertex.data, n, r->degree.data);
    starts_of<<<blocks, THREADS, 0, stream>>>(out.data, vertex_of.data, n, starts.data);
    starts_of<<<blocks, THREADS, 0, stream>>>(comes_in, r->vertex.data, n, offsets.data);
    st = wfi_exclusive_scan_cuda(ctx, starts.data, (size_t)n + 1);
    if (!st) st = wfi_exclusive_scan_cuda(ctx, offsets.data, (size_t)n + 1);
    const standing at = {vertex_of.data, row_of.data, starts.data};
    if (!st && !weights) st = sort_arcs(ctx, g, m, at, sources);
    if (!st && weights) {
        st = sort_arcs(ctx, g, m, at, both);
        if (!st) st = sources.take(ctx, g->arcs);
        if (!st) st = weight.take(ctx, g->arcs * (weight_bytes / sizeof *weight.data));
        if (!st && weight_bytes == sizeof(uint32_t))
            take_apart<<<arc_blocks, THREADS, 0, stream>>>(both.data, g->arcs, sources.data, weight.data);
        if (!st && weight_bytes == sizeof(double))
            take_apart_wide<<<arc_blocks, THREADS, 0, stream>>>(both.data, g->arcs,
                                                                wfi_gpu_rows_view(m->out, g->weight_type),
                                                                vertex_of.data, sources.data, (double *)weight.data);
        both.give();
    }
    if (!st) st = wfi_download(ctx, &r->busy_arcs, starts.data + wfi_min_u64(n, WFI_BLOCK), sizeof r->busy_arcs);
    if (st) return st;
    r->n = n;
    r->part = part;
    weft_weight_type type = weights ? g->weight_type : WEFT_WEIGHT_NONE;
    st = wfi_sell_lay_out(ctx, r, {offsets.data, sources.data, weight.data, 0, 0, n, n, type}, g->arcs);
    return st ? st : find_last(ctx, g, m, r);
}

static weft_status need_sell(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights, wfi_mirror *m,
                             const wfi_sell **sell) {
    sell_layouts *kept;
    weft_status st = wfi_layout_of(ctx, m, &kept);
    if (st) return st;
    *sell = kept->serving(weights);
    if (*sell) return WEFT_OK;
    wfi_sell *made = &kept->at[weights];
    st = make_sell(ctx, g, part, weights, m, made);
    kept->there[weights] = st == WEFT_OK;
    if (st) made->clear();
    *sell = made;
    return st;
}

weft_status wfi_sell_of(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights, const wfi_sell **sell) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m = nullptr;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = need_sell(ctx, g, part, weights && g->out.weights, m, sell);
    pthread_mutex_unlock(&mine->lock);
    return st;
}

/* Throughout: both degrees, the permutations of three orders, the begins of rows and sources, and the layout's arrays
 * by vertex.  Then in turn: sorting vertices, with CUB's second arrays; sorting arcs; making units of them. */
void wfi_sell_declare(wfi_workspace *device, const weft_graph *g, weft_vid part, bool weights) {
    const sell_layouts *made = wfi_layout_in<sell_layouts>(g->mirror);
    uint64_t n = g->n, arcs = g->arcs, kept = 3 * sizeof(weft_vid) * n;
    weights = weights && g->out.weights;
    size_t weight_bytes = weights ? wfi_weight_bytes(g->weight_type) : 0;
    if (!n || (made && made->serving(weights))) return;
    wfi_sell_bounds most = wfi_sell_within(g->n, g->arcs, part, weight_bytes);
    uint64_t throughout = kept + 5 * sizeof(uint32_t) * n + 2 * sizeof(weft_eid) * (n + 1);
    uint64_t vertices = 32 * n + wfi_cub_sort_bytes(n), sorting = (weights ? 24 : 16) * arcs + wfi_cub_sort_bytes(arcs);
    uint64_t units = (sizeof(weft_vid) + weight_bytes) * arcs + most.units + most.lists;
    wfi_keep_with_graph(device, kept + most.units, throughout + wfi_max_u64(wfi_max_u64(vertices, sorting), units));
}
