/* The mirror: rows are uploaded; incoming rows that the host does not have are made here, by a stable sort of the arcs by
 * target, so that each row ascends.  Peak while sorting: 16 bytes an arc besides the rows. */
#include "cuda/mirror.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <new>

struct wfi_mirror {
    wfi_buffer<weft_eid> out_offsets, in_offsets;
    wfi_buffer<weft_vid> out_targets, in_targets;
    wfi_buffer<uint32_t> out_weights, in_weights;
    bool out_there = false, in_there = false, ranked_there = false;
    wfi_ranked ranked;
};

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

static void free_mirror(wfi_mirror *m) { delete m; }

/* The graph's mirror, with its lock held. */
static weft_status mirror_of(weft_ctx *ctx, weft_graph *g, wfi_mirror **m) {
    weft_status st = WEFT_OK;
    if (!g->mirror) {
        g->mirror = new (std::nothrow) wfi_mirror;
        g->mirror_free = free_mirror;
        if (!g->mirror) st = wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for the graph's mirror");
    }
    *m = g->mirror;
    return st;
}

/* --- arcs, sorted ------------------------------------------------------------- */

/* A warp a row: arc k of row r becomes (targets[k], r). */
__global__ static void name_sources(const weft_eid *offsets, weft_vid n, weft_vid *source) {
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    for (uint64_t v = warp; v < n; v += (uint64_t)gridDim.x * blockDim.x / WARP)
        for (weft_eid e = offsets[v] + lane; e < offsets[v + 1]; e += WARP) source[e] = (weft_vid)v;
}

/* The same with rows in the order of their new numbers and targets by theirs. */
__global__ static void rename_arcs(const weft_eid *old_offsets, const weft_vid *old_targets, const weft_vid *old_of,
                                   const weft_vid *new_of, const weft_eid *new_offsets, weft_vid n, weft_vid *target,
                                   weft_vid *source) {
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    for (uint64_t v = warp; v < n; v += (uint64_t)gridDim.x * blockDim.x / WARP) {
        weft_eid from = old_offsets[old_of[v]], to = new_offsets[v], length = new_offsets[v + 1] - to;
        for (weft_eid k = lane; k < length; k += WARP) {
            target[to + k] = new_of[old_targets[from + k]];
            source[to + k] = (weft_vid)v;
        }
    }
}

/* Where each row of sorted targets begins. */
__global__ static void find_rows(const weft_vid *target, weft_eid arcs, weft_vid n, weft_eid *offsets) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i <= arcs; i += (weft_eid)gridDim.x * blockDim.x) {
        uint64_t before = i ? (uint64_t)target[i - 1] + 1 : 0, here = i < arcs ? target[i] : n;
        for (uint64_t v = before; v <= here; v++) offsets[v] = i;
    }
}

__global__ static void take_by_place(const uint32_t *from, const uint32_t *place, weft_eid count, uint32_t *to) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = from[place[i]];
}

__global__ static void count_up(uint32_t *to, weft_eid count) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = (uint32_t)i;
}

/* Sorts pairs by key, stably; the result is in keys and values. */
static weft_status sort_pairs(weft_ctx *ctx, wfi_buffer<uint32_t> &keys, wfi_buffer<uint32_t> &values, weft_eid count,
                              unsigned bits) {
    wfi_buffer<uint32_t> more_keys, more_values;
    wfi_buffer<char> scratch;
    weft_status st = more_keys.take(ctx, count);
    if (!st) st = more_values.take(ctx, count);
    if (st) return st;
    cub::DoubleBuffer<uint32_t> k(keys.data, more_keys.data), v(values.data, more_values.data);
    size_t bytes = 0;
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, (int64_t)count, 0, (int)bits, wfi_cuda_stream()));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, k, v, (int64_t)count, 0, (int)bits, wfi_cuda_stream()));
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
    if (!st) st = wfi_upload(ctx, offsets.data, rows->offsets, ((size_t)g->n + 1) * sizeof(weft_eid));
    if (!st) st = wfi_upload(ctx, targets.data, rows->targets, g->arcs * sizeof(weft_vid));
    if (!st && rows->weights) st = wfi_upload(ctx, weights.data, rows->weights, g->arcs * sizeof(uint32_t));
    return st;
}

static weft_status need_out(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->out_there) return WEFT_OK;
    weft_status st = upload_rows(ctx, g, &g->out, m->out_offsets, m->out_targets, m->out_weights);
    m->out_there = st == WEFT_OK;
    return st;
}

/* (target, source) pairs sorted by target; weights follow by the place they came from. */
static weft_status transpose(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    cudaStream_t stream = wfi_cuda_stream();
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
    name_sources<<<wfi_grid((uint64_t)g->n * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(m->out_offsets.data, g->n,
                                                                                                named);
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

static weft_status need_in(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->in_there) return WEFT_OK;
    const wfi_rows *in = wfi_in_at_hand(g);
    weft_status st = in ? upload_rows(ctx, g, in, m->in_offsets, m->in_targets, m->in_weights) : need_out(ctx, g, m);
    if (!st && !in && g->out.weights && g->arcs > UINT32_MAX)
        return wfi_fail(ctx, WEFT_EDEVICE, "more than 2^32 weighted arcs are not transposed on the GPU");
    if (!st && !in) st = transpose(ctx, g, m);
    m->in_there = st == WEFT_OK;
    return st;
}

/* --- by degree ---------------------------------------------------------------- */

__global__ static void degrees_of(const weft_eid *offsets, weft_vid n, uint32_t *key, weft_vid *name, uint32_t most) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        key[v] = most - (uint32_t)(offsets[v + 1] - offsets[v]);
        name[v] = (weft_vid)v;
    }
}

/* key[] holds most - degree, ascending, and becomes the degree. */
__global__ static void rank_vertices(uint32_t *key, const weft_vid *old_of, weft_vid n, weft_vid *new_of, weft_eid *length,
                                     uint32_t most) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        new_of[old_of[v]] = (weft_vid)v;
        key[v] = most - key[v];
        length[v] = key[v];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) length[n] = 0;
}

static void survey_degrees(weft_ctx *ctx, const weft_graph *g, uint32_t *most, weft_vid *sinks) {
    const weft_eid *offsets = g->out.offsets;
    uint64_t largest = 0, none = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) reduction(+ : none) \
    num_threads(wfi_threads_for(ctx, g->n, 1 << 16))
    for (weft_vid v = 0; v < g->n; v++) {
        uint64_t degree = offsets[v + 1] - offsets[v];
        largest = degree > largest ? degree : largest;
        none += degree == 0;
    }
    *most = (uint32_t)largest;
    *sinks = (weft_vid)none;
}

static weft_status need_ranked(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->ranked_there) return WEFT_OK;
    cudaStream_t stream = wfi_cuda_stream();
    wfi_ranked *r = &m->ranked;
    weft_vid n = g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS), row_blocks = wfi_grid((uint64_t)n * WARP, THREADS, MOST_BLOCKS);
    wfi_buffer<weft_eid> starts;
    wfi_buffer<uint32_t> targets;
    wfi_buffer<char> scratch;
    uint32_t most;
    survey_degrees(ctx, g, &most, &r->sinks);
    weft_status st = need_out(ctx, g, m);
    if (!st) st = r->degree.take(ctx, n);
    if (!st) st = r->old_of.take(ctx, n);
    if (!st) st = r->new_of.take(ctx, n);
    if (!st) st = r->offsets.take(ctx, (size_t)n + 1);
    if (!st) st = starts.take(ctx, (size_t)n + 1);
    if (st) return st;
    degrees_of<<<blocks, THREADS, 0, stream>>>(m->out_offsets.data, n, r->degree.data, r->old_of.data, most);
    st = sort_pairs(ctx, r->degree, r->old_of, n, wfi_bits(most));
    if (st) return st;
    rank_vertices<<<blocks, THREADS, 0, stream>>>(r->degree.data, r->old_of.data, n, r->new_of.data, starts.data, most);
    size_t bytes = 0;
    WFI_CUDA(cub::DeviceScan::ExclusiveSum(NULL, bytes, starts.data, starts.data, (int64_t)n + 1, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceScan::ExclusiveSum(scratch.data, bytes, starts.data, starts.data, (int64_t)n + 1, stream));
    st = targets.take(ctx, g->arcs);
    if (!st) st = r->sources.take(ctx, g->arcs);
    if (st) return st;
    rename_arcs<<<row_blocks, THREADS, 0, stream>>>(m->out_offsets.data, m->out_targets.data, r->old_of.data,
                                                    r->new_of.data, starts.data, n, targets.data, r->sources.data);
    st = sort_pairs(ctx, targets, r->sources, g->arcs, wfi_bits(n));
    if (st) return st;
    find_rows<<<wfi_grid(g->arcs + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(targets.data, g->arcs, n,
                                                                                   r->offsets.data);
    r->n = n;
    st = wfi_cuda_sync(ctx);
    m->ranked_there = st == WEFT_OK;
    return st;
}

/* --- the doors ------------------------------------------------------------------ */

weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = mirror_of(ctx, mine, &m);
    if (!st) st = need_out(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *rows = {m->out_offsets.data, m->out_targets.data, m->out_weights.data};
    return st;
}

weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows) {
    if (!g->directed) return wfi_mirror_out(ctx, g, rows);
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = mirror_of(ctx, mine, &m);
    if (!st) st = need_in(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *rows = {m->in_offsets.data, m->in_targets.data, m->in_weights.data};
    return st;
}

weft_status wfi_mirror_ranked(weft_ctx *ctx, const weft_graph *g, const wfi_ranked **ranked) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m;
    pthread_mutex_lock(&mine->lock);
    weft_status st = mirror_of(ctx, mine, &m);
    if (!st) st = need_ranked(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *ranked = &m->ranked;
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

wfi_mirror_cost wfi_mirror_ranked_cost(const weft_graph *g) {
    if (g->mirror && g->mirror->ranked_there) return {0, 0};
    uint64_t out = wfi_mirror_out_cost(g).kept, kept = out + 20ull * g->n + 4 * g->arcs;
    return {kept, kept + 8ull * g->n + 12 * g->arcs};
}
