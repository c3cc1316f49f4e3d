/* The mirror: rows are uploaded; incoming rows that the host does not have are made here, by a stable sort of the arcs by
 * target, so that each row ascends.  Peak while sorting: 16 bytes an arc besides the rows. */
#include "cuda/arc_sort.cuh"
#include "cuda/mirror_state.cuh"
#include "cuda/scratch.h"

#include <new>

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

wfi_mirror::~wfi_mirror() {
    while (layouts) {
        wfi_layout *next = layouts->next;
        delete layouts;
        layouts = next;
    }
}

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

__global__ static void count_up(uint32_t *to, weft_eid count) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = (uint32_t)i;
}

/* --- uploading -------------------------------------------------------------- */

static weft_status upload_rows(weft_ctx *ctx, const weft_graph *g, const wfi_rows *rows, wfi_buffer<weft_eid> &offsets,
                               wfi_buffer<weft_vid> &targets, wfi_buffer<uint32_t> &weights) {
    weft_status st = offsets.take(ctx, (size_t)g->n + 1);
    if (!st) st = targets.take(ctx, g->arcs);
    size_t each = wfi_weight_bytes(g->weight_type);
    if (!st && rows->weights) st = weights.take(ctx, g->arcs * (each / sizeof(uint32_t)));
    wfi_part part[] = {{offsets.data, rows->offsets, ((size_t)g->n + 1) * sizeof(weft_eid)},
                       {targets.data, rows->targets, g->arcs * sizeof(weft_vid)},
                       {weights.data, rows->weights, rows->weights ? g->arcs * each : 0}};
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
    bool weighted = g->out.weights != NULL, wide = g->weight_type == WEFT_WEIGHT_F64;
    wfi_buffer<uint32_t> keys, values, sources;
    weft_status st = keys.take(ctx, g->arcs);
    if (!st) st = values.take(ctx, g->arcs);
    if (!st) st = m->in_offsets.take(ctx, (size_t)g->n + 1);
    if (!st && weighted) st = sources.take(ctx, g->arcs);
    if (!st && weighted) st = m->in_weights.take(ctx, g->arcs * (wide ? 2 : 1));
    if (st) return st;
    WFI_CUDA(cudaMemcpyAsync(keys.data, m->out_targets.data, g->arcs * 4, cudaMemcpyDeviceToDevice, stream));
    uint32_t *named = weighted ? sources.data : values.data;
    name_sources<<<wfi_grid((uint64_t)g->n * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(m->out_offsets.data,
                                                                                                g->n, named);
    if (weighted) count_up<<<blocks, THREADS, 0, stream>>>(values.data, g->arcs);
    st = wfi_sort_pairs(ctx, keys, values, g->arcs, bits);
    if (st) return st;
    wfi_find_rows<<<blocks, THREADS, 0, stream>>>(keys.data, g->arcs, g->n, m->in_offsets.data);
    if (weighted) {
        if (wide)
            wfi_take_by_place<<<blocks, THREADS, 0, stream>>>((uint64_t *)m->out_weights.data, values.data, g->arcs,
                                                              (uint64_t *)m->in_weights.data);
        else
            wfi_take_by_place<<<blocks, THREADS, 0, stream>>>(m->out_weights.data, values.data, g->arcs,
                                                              m->in_weights.data);
        wfi_take_by_place<<<blocks, THREADS, 0, stream>>>(sources.data, values.data, g->arcs, keys.data);
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

/* --- the doors ------------------------------------------------------------------ */

weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_device_rows *rows) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m = nullptr;
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
    wfi_mirror *m = nullptr;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = wfi_mirror_need_in(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *rows = {m->in_offsets.data, m->in_targets.data, m->in_weights.data};
    return st;
}

/* --- what it costs ---------------------------------------------------------------- */

static uint64_t rows_bytes(const weft_graph *g) {
    return 8 * ((uint64_t)g->n + 1) + (sizeof(weft_vid) + wfi_weight_bytes(g->weight_type)) * g->arcs;
}

/* Sorting arcs by target: keys and values twice, of which the sources, or the keys in their place, stay; with weights the sources
 * as well, for the values are places then. */
static uint64_t transpose_scratch(const weft_graph *g) {
    return (g->out.weights ? 16 : 12) * g->arcs + wfi_sort_scratch(g->arcs);
}

bool wfi_mirror_has_in(const weft_graph *g) {
    return g->mirror && (g->directed ? g->mirror->in_there : g->mirror->out_there);
}

void wfi_mirror_declare(wfi_workspace *device, const weft_graph *g, unsigned rows) {
    const wfi_mirror *m = g->mirror;
    uint64_t bytes = rows_bytes(g);
    bool in = rows & WFI_IN_ROWS && g->directed && !(m && m->in_there), transposes = in && !wfi_in_at_hand(g);
    bool out = rows & WFI_OUT_ROWS || transposes || !g->directed;
    if (out && !(m && m->out_there)) wfi_keep_with_graph(device, bytes, bytes);
    if (in) wfi_keep_with_graph(device, bytes, transposes ? bytes + transpose_scratch(g) : bytes);
}
