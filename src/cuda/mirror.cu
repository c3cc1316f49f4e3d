/* The mirror (mirror.cuh): rows are uploaded; incoming rows that the host does not have are made here by a stable radix
 * sort of the arcs by target, so that each row ascends.  Peak while sorting: 16 bytes an arc besides the rows. */
#include "cuda/buffers.cuh"
#include "cuda/cub.cuh"
#include "cuda/mirror.cuh"
#include "cuda/stream.h"
#include "cuda/trail.h"

#include <new>

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

wfi_mirror::~wfi_mirror() {
    while (layouts) {
        wfi_layout *next = layouts->next;
        delete layouts;
        layouts = next;
    }
    wfi_gpu_rows_drop(out);
    wfi_gpu_rows_drop(in);
}

static void free_mirror(wfi_mirror *m) { delete m; }

weft_status wfi_mirror_begin(weft_ctx *ctx, weft_graph *g, int index, wfi_gpu_rows *out) {
    wfi_mirror *made = new (std::nothrow) wfi_mirror;
    if (!made) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for the graph's mirror");
    made->index = index;
    if (out) made->out = wfi_gpu_rows_keep(out);
    g->mirror_free = free_mirror;
    __atomic_store_n(&g->mirror, made, __ATOMIC_RELEASE); /* cost estimates read it without the lock */
    return WEFT_OK;
}

/* The graph's mirror; its lock is held. */
weft_status wfi_mirror_of(weft_ctx *ctx, weft_graph *g, wfi_mirror **m) {
    weft_status st = g->mirror ? WEFT_OK : wfi_mirror_begin(ctx, g, wfi_cuda_index(ctx), nullptr);
    if (st) return st;
    *m = g->mirror;
    if (g->mirror->index == wfi_cuda_index(ctx)) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EDEVICE, "the graph is on GPU %d, but the context is for GPU %d", g->mirror->index,
                    wfi_cuda_index(ctx));
}

extern "C" int wfi_mirror_gpu(const struct wfi_mirror *mirror) { return mirror->index; }

/* --- arcs, sorted ------------------------------------------------------------- */

/* One warp a row: arc k of row r becomes (targets[k], r). */
__global__ static void name_sources(const weft_eid *offsets, weft_vid n, weft_vid *source) {
    uint64_t warp = wfi_thread() / WARP, lane = threadIdx.x % WARP;
    for (uint64_t v = warp; v < n; v += wfi_all_threads() / WARP)
        for (weft_eid e = offsets[v] + lane; e < offsets[v + 1]; e += WARP) source[e] = (weft_vid)v;
}

__global__ static void count_up(uint32_t *to, weft_eid count) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = (uint32_t)i;
}

/* --- uploading -------------------------------------------------------------- */

static void drop_failed(weft_status st, wfi_gpu_rows **rows) {
    if (!st) return;
    wfi_gpu_rows_drop(*rows);
    *rows = nullptr;
}

static weft_status upload_rows(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, wfi_gpu_rows **out) {
    unsigned words = rows->weights ? (unsigned)(wfi_weight_bytes(g->weight_type) / sizeof(uint32_t)) : 0;
    weft_status st = wfi_gpu_rows_allocate(ctx, g->n, g->arcs, words, g->arcs, out);
    if (!st) st = wfi_gpu_rows_fill(ctx, g, rows, *out);
    drop_failed(st, out);
    return st;
}

/* Rows of later snapshots may be made from these rows, which are kept for that only if memory is plentiful: a plan must
 * not fail to fit, or be streamed, because of them. */
static void leave_on_trail(weft_ctx *ctx, const weft_graph *g, wfi_gpu_rows *rows) {
    uint64_t plenty = 4 * wfi_gpu_rows_bytes(rows);
    if (plenty <= wfi_device_available(ctx, plenty))
        wfi_trail_offer(g->trail, g->version, rows);
    else
        wfi_trail_forget(g->trail);
}

/* If the rows of a snapshot do not fit beside the rows that they are made from, the latter are dropped. */
weft_status wfi_mirror_need_out(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->out) return WEFT_OK;
    weft_status st = WEFT_OK;
    if (g->trail) {
        wfi_stage_scope stage(ctx, "merge");
        st = wfi_trail_follow(ctx, g, m->index, &m->out);
    }
    if (st && st != WEFT_ENOMEM) return st;
    if (!m->out) st = upload_rows(ctx, g, &g->out, &m->out);
    if (st == WEFT_ENOMEM && g->trail && wfi_trail_forget(g->trail)) st = upload_rows(ctx, g, &g->out, &m->out);
    if (!st && g->trail) leave_on_trail(ctx, g, m->out);
    return st;
}

/* (target, source) pairs sorted by target; weights are gathered by their old positions. */
static weft_status transpose(weft_ctx *ctx, const weft_graph *g, const wfi_gpu_rows *out, wfi_gpu_rows *in) {
    wfi_stage_scope stage(ctx, "relabel");
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(g->arcs + 1, THREADS, MOST_BLOCKS), bits = wfi_bits(g->n);
    bool weighted = g->out.weights != NULL, wide = g->weight_type == WEFT_WEIGHT_F64;
    wfi_buffer<uint32_t> keys, values, sources;
    weft_status st = keys.take(ctx, g->arcs);
    if (!st) st = values.take(ctx, g->arcs);
    if (!st && weighted) st = sources.take(ctx, g->arcs);
    if (!st && weighted) st = in->weights.take(ctx, g->arcs * (wide ? 2 : 1));
    if (st) return st;
    WFI_CUDA_OR_RETURN(cudaMemcpyAsync(keys.data, out->targets.data, g->arcs * 4, cudaMemcpyDeviceToDevice, stream));
    uint32_t *named = weighted ? sources.data : values.data;
    name_sources<<<wfi_grid((uint64_t)g->n * WARP, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(out->offsets.data, g->n,
                                                                                                named);
    if (weighted) count_up<<<blocks, THREADS, 0, stream>>>(values.data, g->arcs);
    st = wfi_sort_pairs(ctx, keys, values, g->arcs, bits);
    if (st) return st;
    wfi_find_rows<<<blocks, THREADS, 0, stream>>>(keys.data, g->arcs, g->n, in->offsets.data);
    if (weighted) {
        if (wide)
            wfi_gather_by_place<<<blocks, THREADS, 0, stream>>>((uint64_t *)out->weights.data, values.data, g->arcs,
                                                                (uint64_t *)in->weights.data);
        else
            wfi_gather_by_place<<<blocks, THREADS, 0, stream>>>(out->weights.data, values.data, g->arcs,
                                                                in->weights.data);
        wfi_gather_by_place<<<blocks, THREADS, 0, stream>>>(sources.data, values.data, g->arcs, keys.data);
        keys.swap(in->targets);
    } else {
        values.swap(in->targets);
    }
    return wfi_cuda_sync(ctx);
}

weft_status wfi_mirror_need_in(weft_ctx *ctx, const weft_graph *g, wfi_mirror *m) {
    if (m->in) return WEFT_OK;
    const wfi_view *at_hand = wfi_in_at_hand(g);
    if (at_hand) return upload_rows(ctx, g, at_hand, &m->in);
    weft_status st = wfi_mirror_need_out(ctx, g, m);
    if (st) return st;
    if (g->out.weights && g->arcs > UINT32_MAX)
        return wfi_fail(ctx, WEFT_EDEVICE, "the GPU cannot transpose more than 2^32 weighted arcs");
    wfi_gpu_rows *in = nullptr;
    st = wfi_gpu_rows_allocate(ctx, g->n, 0, 0, 0, &in);
    if (!st) st = transpose(ctx, g, m->out, in);
    drop_failed(st, &in);
    m->in = in;
    return st;
}

/* --- access --------------------------------------------------------------------- */

static weft_status show_rows(weft_ctx *ctx, const weft_graph *g, bool in, wfi_view *rows) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_mirror *m = nullptr;
    pthread_mutex_lock(&mine->lock);
    weft_status st = wfi_mirror_of(ctx, mine, &m);
    if (!st) st = (in ? wfi_mirror_need_in : wfi_mirror_need_out)(ctx, g, m);
    pthread_mutex_unlock(&mine->lock);
    if (!st) *rows = wfi_gpu_rows_view(in ? m->in : m->out, g->weight_type);
    return st;
}

weft_status wfi_mirror_out(weft_ctx *ctx, const weft_graph *g, wfi_view *rows) {
    return show_rows(ctx, g, false, rows);
}

weft_status wfi_mirror_in(weft_ctx *ctx, const weft_graph *g, wfi_view *rows) {
    return show_rows(ctx, g, g->directed, rows);
}

/* --- bytes ------------------------------------------------------------------------ */

static uint64_t rows_bytes(const weft_graph *g) {
    return 8 * ((uint64_t)g->n + 1) + (sizeof(weft_vid) + wfi_weight_bytes(g->weight_type)) * g->arcs;
}

/* Scratch of sorting arcs by target: keys and values twice, of which one array stays as the sources; with weights the
 * sources are a third array, because the values are positions. */
static uint64_t transpose_scratch(const weft_graph *g) {
    return (g->out.weights ? 16 : 12) * g->arcs + wfi_cub_sort_bytes(g->arcs);
}

bool wfi_mirror_has_in(const weft_graph *g) { return g->mirror && (g->directed ? g->mirror->in : g->mirror->out); }

void wfi_mirror_declare(wfi_workspace *device, const weft_graph *g, unsigned rows) {
    const wfi_mirror *m = g->mirror;
    uint64_t bytes = rows_bytes(g);
    bool in = rows & WFI_IN_ROWS && g->directed && !(m && m->in), transposes = in && !wfi_in_at_hand(g);
    bool out = rows & WFI_OUT_ROWS || transposes || !g->directed;
    if (out && !(m && m->out)) {
        uint64_t changes;
        unsigned words = (unsigned)(wfi_weight_bytes(g->weight_type) / sizeof(uint32_t));
        bool follows = wfi_trail_reaches(g, -1, &changes);
        wfi_keep_with_graph(device, bytes, bytes + (follows ? wfi_merge_scratch(changes, g->n, g->arcs, words) : 0));
    }
    if (in) wfi_keep_with_graph(device, bytes, transposes ? bytes + transpose_scratch(g) : bytes);
}
