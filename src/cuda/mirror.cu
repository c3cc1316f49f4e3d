/* The mirror: rows are uploaded; incoming rows that the host does not have are made here, by a stable sort of the arcs by
 * target, so that each row ascends.  Peak while sorting: 16 bytes an arc besides the rows. */
#include "cuda/mirror_state.cuh"
#include "cuda/scan.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <new>

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

static void free_mirror(wfi_mirror *m) { delete m; }

/* The graph's mirror, with its lock held. */
weft_status wfi_mirror_of(weft_ctx *ctx, weft_graph *g, wfi_mirror **m) {
    if (!g->mirror) {
        wfi_mirror *made = new (std::nothrow) wfi_mirror;
        if (!made) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for the graph's mirror");
        made->index = wfi_cuda_index(ctx);
        g->mirror_free = free_mirror;
        __atomic_store_n(&g->mirror, made, __ATOMIC_RELEASE); /* costs are asked for without the lock */
    }
    *m = g->mirror;
    if (g->mirror->index == wfi_cuda_index(ctx)) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EDEVICE, "the graph lies on GPU %d, and the context is for GPU %d", g->mirror->index,
                    wfi_cuda_index(ctx));
}

extern "C" int wfi_mirror_gpu(const struct wfi_mirror *mirror) { return mirror->index; }

/* --- arcs, sorted ------------------------------------------------------------- */

/* A warp a row: arc k of row r becomes (targets[k], r). */
__global__ static void name_sources(const weft_eid *offsets, weft_vid n, weft_vid *source) {
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    for (uint64_t v = warp; v < n; v += (uint64_t)gridDim.x * blockDim.x / WARP)
        for (weft_eid e = offsets[v] + lane; e < offsets[v + 1]; e += WARP) source[e] = (weft_vid)v;
}

/* A source, or a source and the weight of its arc below it. */
__device__ static void name_arc(uint32_t *arc, weft_vid source, const uint32_t *) { *arc = source; }
__device__ static void name_arc(uint64_t *arc, weft_vid source, const uint32_t *weight) {
    *arc = (uint64_t)source << 32 | *weight;
}

/* The same with sources in the order of their numbers there, and targets by the place of their rows. */
template <class A>
__global__ static void rename_arcs(wfi_device_rows out, const weft_vid *vertex_of, const weft_vid *row_of,
                                   const weft_eid *starts, weft_vid n, weft_vid *row, A *arc) {
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    for (uint64_t s = warp; s < n; s += (uint64_t)gridDim.x * blockDim.x / WARP) {
        weft_eid from = out.offsets[vertex_of[s]], to = starts[s], length = starts[s + 1] - to;
        for (weft_eid k = lane; k < length; k += WARP) {
            row[to + k] = row_of[out.targets[from + k]];
            name_arc(&arc[to + k], (weft_vid)s, out.weights + from + k);
        }
    }
}

/* Where each row of sorted targets begins. */
__global__ static void find_rows(const weft_vid *target, weft_eid arcs, weft_vid n, weft_eid *offsets) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i <= arcs;
         i += (weft_eid)gridDim.x * blockDim.x) {
        uint64_t before = i ? (uint64_t)target[i - 1] + 1 : 0, here = i < arcs ? target[i] : n;
        for (uint64_t v = before; v <= here; v++) offsets[v] = i;
    }
}

__global__ static void take_by_place(const uint32_t *from, const uint32_t *place, weft_eid count, uint32_t *to) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = from[place[i]];
}

__global__ static void take_apart(const uint64_t *arc, weft_eid count, weft_vid *source, uint32_t *weight) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count;
         i += (weft_eid)gridDim.x * blockDim.x) {
        source[i] = (weft_vid)(arc[i] >> 32);
        weight[i] = (uint32_t)arc[i];
    }
}

__global__ static void count_up(uint32_t *to, weft_eid count) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = (uint32_t)i;
}

/* Sorts pairs by key, stably; the result is in keys and values. */
template <class A>
static weft_status sort_pairs(weft_ctx *ctx, wfi_buffer<uint32_t> &keys, wfi_buffer<A> &values, weft_eid count,
                              unsigned bits) {
    wfi_buffer<uint32_t> more_keys;
    wfi_buffer<A> more_values;
    wfi_buffer<char> scratch;
    weft_status st = more_keys.take(ctx, count);
    if (!st) st = more_values.take(ctx, count);
    if (st) return st;
    cub::DoubleBuffer<uint32_t> k(keys.data, more_keys.data);
    cub::DoubleBuffer<A> v(values.data, more_values.data);
    size_t bytes = 0;
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, (int64_t)count, 0, (int)bits, wfi_cuda_stream(ctx)));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(
        cub::DeviceRadixSort::SortPairs(scratch.data, bytes, k, v, (int64_t)count, 0, (int)bits, wfi_cuda_stream(ctx)));
    if (k.Current() != keys.data) keys.swap(more_keys);
    if (v.Current() != values.data) values.swap(more_values);
    return WEFT_OK;
}

/* --- uploading -------------------------------------------------------------- */

static weft_status upload_rows(weft_ctx *ctx, const weft_graph *g, const wfi_rows *rows, wfi_buffer<weft_eid> &offsets,
                               wfi_buffer<weft_vid> &targets, wfi_buffer<uint32_t> &weights) {
    weft_status st = offsets.take(ctx, (size_t)g->n + 1);
    if (!st) st = targets.take(ctx, g->arcs);
    if (!st && rows->weights) st = weights.take(ctx, g->arcs);
    wfi_part part[] = {{offsets.data, rows->offsets, ((size_t)g->n + 1) * sizeof(weft_eid)},
                       {targets.data, rows->targets, g->arcs * sizeof(weft_vid)},
                       {weights.data, rows->weights, rows->weights ? g->arcs * sizeof(uint32_t) : 0}};
    if (!st) st = wfi_upload_parts(ctx, g, part, sizeof part / sizeof *part);
    return st;
}

weft_status wfi_mirror_need_out(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->out_there) return WEFT_OK;
    weft_status st = upload_rows(ctx, g, &g->out, m->out_offsets, m->out_targets, m->out_weights);
    m->out_there = st == WEFT_OK;
    return st;
}

/* (target, source) pairs sorted by target; weights follow by the place they came from. */
static weft_status transpose(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    wfi_stage_scope stage(ctx, "relabel");
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(g->arcs + 1, THREADS, MOST_BLOCKS), bits = wfi_bits(g->n);
    bool weighted = g->out.weights != NULL;
    wfi_buffer<uint32_t> keys, values, sources;
    weft_status st = keys.take(ctx, g->arcs);
    if (!st) st = values.take(ctx, g->arcs);
    if (!st) st = m->in_offsets.take(ctx, (size_t)g->n + 1);
    if (!st && weighted) st = sources.take(ctx, g->arcs);
    if (!st && weighted) st = m->in_weights.take(ctx, g->arcs);
    if (st) return st;
    WFI_CUDA(cudaMemcpyAsync(keys.data, m->out_targets.data, g->arcs * 4, cudaMemcpyDeviceToDevice, stream));
    uint32_t *named = weighted ? sources.data : values.data;
    name_sources<<<wfi_grid((uint64_t)g->n * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(m->out_offsets.data,
                                                                                                g->n, named);
    if (weighted) count_up<<<blocks, THREADS, 0, stream>>>(values.data, g->arcs);
    st = sort_pairs(ctx, keys, values, g->arcs, bits);
    if (st) return st;
    find_rows<<<blocks, THREADS, 0, stream>>>(keys.data, g->arcs, g->n, m->in_offsets.data);
    if (weighted) {
        take_by_place<<<blocks, THREADS, 0, stream>>>(m->out_weights.data, values.data, g->arcs, m->in_weights.data);
        take_by_place<<<blocks, THREADS, 0, stream>>>(sources.data, values.data, g->arcs, keys.data);
        keys.swap(m->in_targets);
    } else {
        values.swap(m->in_targets);
    }
    return wfi_cuda_sync(ctx);
}

weft_status wfi_mirror_need_in(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->in_there) return WEFT_OK;
    const wfi_rows *in = wfi_in_at_hand(g);
    weft_status st =
        in ? upload_rows(ctx, g, in, m->in_offsets, m->in_targets, m->in_weights) : wfi_mirror_need_out(ctx, g, m);
    if (!st && !in && g->out.weights && g->arcs > UINT32_MAX)
        return wfi_fail(ctx, WEFT_EDEVICE, "more than 2^32 weighted arcs are not transposed on the GPU");
    if (!st && !in) st = transpose(ctx, g, m);
    m->in_there = st == WEFT_OK;
    return st;
}

/* --- in the order for sweeps ------------------------------------------------------ */

__global__ static void count_in(const weft_vid *targets, weft_eid arcs, uint32_t *count) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < arcs; i += (weft_eid)gridDim.x * blockDim.x)
        atomicAdd(&count[targets[i]], 1u);
}

__global__ static void lengths_of(const weft_eid *offsets, weft_vid n, uint32_t *length) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        length[v] = (uint32_t)(offsets[v + 1] - offsets[v]);
}

/* Keys that ascend where degrees fall, below that of the part; of the vertices in the order `before`, or by number (NULL). */
__global__ static void key_by_degree(const uint32_t *degree, weft_vid n, uint32_t most, weft_vid part, unsigned bits,
                                     const weft_vid *before, uint64_t *key, weft_vid *vertex) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x) {
        weft_vid v = before ? before[i] : (weft_vid)i;
        key[i] = (uint64_t)(v / part) << bits | (most - degree[v]);
        vertex[i] = v;
    }
}

__global__ static void invert(const weft_vid *vertex_of, weft_vid n, weft_vid *place_of) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x)
        place_of[vertex_of[i]] = (weft_vid)i;
}

__global__ static void starts_of(const uint32_t *degree, const weft_vid *vertex_of, weft_vid n, weft_eid *length) {
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i <= n; i += (uint64_t)gridDim.x * blockDim.x)
        length[i] = i < n ? degree[vertex_of[i]] : 0;
}

/* Vertices by part, then falling degree, then as before. */
static weft_status order_vertices(weft_ctx *ctx, const uint32_t *degree, weft_vid n, uint32_t most, weft_vid part,
                                  const weft_vid *before, weft_vid *vertex_of) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned bits = wfi_bits(most), blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    int end = (int)(bits + wfi_bits((n - 1) / part));
    wfi_buffer<uint64_t> key, sorted;
    wfi_buffer<weft_vid> name;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = key.take(ctx, n);
    if (!st) st = sorted.take(ctx, n);
    if (!st) st = name.take(ctx, n);
    if (st) return st;
    key_by_degree<<<blocks, THREADS, 0, stream>>>(degree, n, most, part, bits, before, key.data, name.data);
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, key.data, sorted.data, name.data, vertex_of, (int64_t)n, 0,
                                             end, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, key.data, sorted.data, name.data, vertex_of,
                                             (int64_t)n, 0, end, stream));
    return WEFT_OK;
}

static weft_status largest_of(weft_ctx *ctx, const uint32_t *degree, weft_vid n, uint32_t *most) {
    wfi_buffer<uint32_t> result;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    weft_status st = result.take(ctx, 1);
    if (st) return st;
    WFI_CUDA(cub::DeviceReduce::Max(NULL, bytes, degree, result.data, (int64_t)n, wfi_cuda_stream(ctx)));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceReduce::Max(scratch.data, bytes, degree, result.data, (int64_t)n, wfi_cuda_stream(ctx)));
    return wfi_download(ctx, most, result.data, sizeof *most);
}

static weft_vid count_sinks(weft_ctx *ctx, const weft_graph *g) {
    const weft_eid *offsets = g->out.offsets;
    uint64_t none = 0;
#pragma omp parallel for schedule(static) reduction(+ : none) num_threads(wfi_threads_for(ctx, g->n, 1 << 16))
    for (weft_vid v = 0; v < g->n; v++) none += offsets[v] == offsets[v + 1];
    return (weft_vid)none;
}

/* The arcs by row, in it by source: where rows begin, and the sources (and weights). */
template <class A>
static weft_status sort_arcs(weft_ctx *ctx, const weft_graph *g, const wfi_mirror *m, const weft_vid *vertex_of,
                             const weft_vid *row_of, const weft_eid *starts, weft_eid *offsets, wfi_buffer<A> &arcs) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_buffer<uint32_t> rows;
    weft_status st = rows.take(ctx, g->arcs);
    if (!st) st = arcs.take(ctx, g->arcs);
    if (st) return st;
    rename_arcs<<<wfi_grid((uint64_t)g->n * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        {m->out_offsets.data, m->out_targets.data, m->out_weights.data}, vertex_of, row_of, starts, g->n, rows.data,
        arcs.data);
    st = sort_pairs(ctx, rows, arcs, g->arcs, wfi_bits(g->n));
    if (st) return st;
    find_rows<<<wfi_grid(g->arcs + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.data, g->arcs, g->n, offsets);
    return WEFT_OK;
}

static weft_status lay_out_ranked(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights, wfi_mirror *m,
                                  wfi_ranked *r) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = g->n;
    unsigned blocks = wfi_grid((uint64_t)n + 1, THREADS, MOST_BLOCKS),
             arc_blocks = wfi_grid(g->arcs + 1, THREADS, MOST_BLOCKS);
    wfi_buffer<weft_eid> starts, offsets;
    wfi_buffer<uint32_t> in, out, weight;
    wfi_buffer<weft_vid> vertex_of, row_of, source_of, sources;
    wfi_buffer<uint64_t> both;
    uint32_t most_in = 0, most_out = 0;
    weft_status st = wfi_mirror_need_out(ctx, g, m);
    wfi_stage_scope stage(ctx, "relabel");
    if (!st) st = in.take_zeroed(ctx, n);
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
    lengths_of<<<blocks, THREADS, 0, stream>>>(m->out_offsets.data, n, out.data);
    count_in<<<arc_blocks, THREADS, 0, stream>>>(m->out_targets.data, g->arcs, in.data);
    if (!st) st = largest_of(ctx, in.data, n, &most_in);
    if (!st) st = largest_of(ctx, out.data, n, &most_out);
    if (!st) st = order_vertices(ctx, out.data, n, most_out, n, NULL, vertex_of.data);
    if (!st) st = order_vertices(ctx, in.data, n, most_in, part, vertex_of.data, r->vertex.data);
    if (st) return st;
    invert<<<blocks, THREADS, 0, stream>>>(r->vertex.data, n, row_of.data);
    invert<<<blocks, THREADS, 0, stream>>>(vertex_of.data, n, source_of.data);
    take_by_place<<<blocks, THREADS, 0, stream>>>(source_of.data, r->vertex.data, n, r->source.data);
    take_by_place<<<blocks, THREADS, 0, stream>>>(out.data, r->vertex.data, n, r->degree.data);
    starts_of<<<blocks, THREADS, 0, stream>>>(out.data, vertex_of.data, n, starts.data);
    st = wfi_add_up(ctx, starts.data, (size_t)n + 1);
    if (!st && !weights) st = sort_arcs(ctx, g, m, vertex_of.data, row_of.data, starts.data, offsets.data, sources);
    if (!st && weights) {
        st = sort_arcs(ctx, g, m, vertex_of.data, row_of.data, starts.data, offsets.data, both);
        if (!st) st = sources.take(ctx, g->arcs);
        if (!st) st = weight.take(ctx, g->arcs);
        if (!st) take_apart<<<arc_blocks, THREADS, 0, stream>>>(both.data, g->arcs, sources.data, weight.data);
        both.give();
    }
    if (!st) st = wfi_download(ctx, &r->busy_arcs, starts.data + wfi_min_u64(n, WFI_BLOCK), sizeof r->busy_arcs);
    if (st) return st;
    r->n = n;
    r->part = part;
    r->sinks = count_sinks(ctx, g);
    return wfi_lay_out(ctx, r, g->arcs, offsets.data, sources.data, weight.data);
}

/* The one that serves, if there is one. */
static const wfi_ranked *ranked_for(const wfi_mirror *m, bool weights) {
    if (!weights && m->ranked_there[0]) return &m->ranked[0];
    return m->ranked_there[1] ? &m->ranked[1] : NULL;
}

static weft_status need_ranked(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights, wfi_mirror *m,
                               const wfi_ranked **ranked) {
    weights = weights && g->out.weights;
    *ranked = ranked_for(m, weights);
    if (*ranked) return WEFT_OK;
    wfi_ranked *r = &m->ranked[weights];
    weft_status st = lay_out_ranked(ctx, g, part, weights, m, r);
    m->ranked_there[weights] = st == WEFT_OK;
    if (st) r->clear();
    *ranked = r;
    return st;
}

/* --- the doors ------------------------------------------------------------------ */

weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = wfi_mirror_need_out(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *rows = {m->out_offsets.data, m->out_targets.data, m->out_weights.data};
    return st;
}

weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows) {
    if (!g->directed) return wfi_mirror_out(ctx, g, rows);
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = wfi_mirror_need_in(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *rows = {m->in_offsets.data, m->in_targets.data, m->in_weights.data};
    return st;
}

weft_status wfi_mirror_ranked(weft_ctx *ctx, const weft_graph *g, weft_vid part, bool weights,
                              const wfi_ranked **ranked) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = need_ranked(ctx, g, part, weights, m, ranked);
    pthread_mutex_unlock(&mine->lock);
    return st;
}

/* --- what it costs ---------------------------------------------------------------- */

static uint64_t rows_bytes(const weft_graph *g) {
    return 8 * ((uint64_t)g->n + 1) + (g->weight_type == WEFT_WEIGHT_NONE ? 4 : 8) * g->arcs;
}

wfi_mirror_cost wfi_mirror_out_cost(const weft_graph *g) {
    uint64_t bytes = g->mirror && g->mirror->out_there ? 0 : rows_bytes(g);
    return {bytes, bytes};
}

wfi_mirror_cost wfi_mirror_in_cost(const weft_graph *g) {
    if (!g->directed) return wfi_mirror_out_cost(g);
    if (g->mirror && g->mirror->in_there) return {0, 0};
    uint64_t bytes = rows_bytes(g), out = wfi_mirror_out_cost(g).kept;
    if (wfi_in_at_hand(g)) return {bytes, bytes};
    return {out + bytes, out + bytes + 12 * g->arcs};
}

wfi_mirror_cost wfi_mirror_ranked_cost(const weft_graph *g, bool weights) {
    weights = weights && g->out.weights;
    if (g->mirror && ranked_for(g->mirror, weights)) return {0, 0};
    uint64_t out = wfi_mirror_out_cost(g).kept, kept = out + 17ull * g->n + (weights ? 8 : 4) * g->arcs;
    uint64_t sorting = 36ull * g->n + (weights ? 24 : 16) * g->arcs;
    return {kept, out + 16ull * g->n + wfi_max_u64(sorting, 56ull * g->n)};
}
