/* Rows on a GPU (gpu_rows.h): made from a graph, reference-counted, downloaded. */
#include "cuda/buffers.cuh"
#include "cuda/mirror.cuh"

/* If many batches ask for blocks of equal size, the pool reuses the blocks of dropped versions.  For a new size it asks
 * the driver, which may take as long as many batches (bench/NOTES.md): so the capacity has a quarter to spare, and the
 * previous capacity is kept unless it is far too large. */
weft_eid wfi_gpu_rows_capacity(weft_eid arcs, weft_eid had) {
    const weft_eid least = 1 << 12;
    if (arcs <= had && had / 2 <= arcs + least) return had;
    return arcs + arcs / 4 + least;
}

/* The largest block first: see arc_merge.cu. */
static weft_status allocate_arrays(weft_ctx *ctx, wfi_gpu_rows *r, weft_eid capacity) {
    weft_status st = r->words ? r->weights.take(ctx, capacity * r->words) : WEFT_OK;
    if (!st) st = r->targets.take(ctx, capacity);
    if (!st) st = r->offsets.take(ctx, (size_t)r->n + 1);
    return st;
}

weft_status wfi_gpu_rows_allocate(weft_ctx *ctx, weft_vid n, weft_eid arcs, unsigned words, weft_eid capacity,
                                  wfi_gpu_rows **out) {
    wfi_gpu_rows *r = new (std::nothrow) wfi_gpu_rows;
    if (!r) return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: no room for rows on the GPU");
    r->index = wfi_cuda_index(ctx);
    r->n = n;
    r->arcs = arcs;
    r->words = words;
    weft_status st = allocate_arrays(ctx, r, capacity);
    if (st)
        delete r;
    else
        *out = r;
    return st;
}

weft_status wfi_gpu_rows_fill(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, wfi_gpu_rows *r) {
    wfi_copy part[] = {{r->offsets.data, rows->offsets, ((size_t)r->n + 1) * sizeof(weft_eid)},
                       {r->targets.data, rows->targets, r->arcs * sizeof(weft_vid)},
                       {r->weights.data, rows->weights, r->arcs * r->words * sizeof(uint32_t)}};
    return wfi_upload_all(ctx, g, part, sizeof part / sizeof *part);
}

extern "C" weft_status wfi_gpu_rows_new(weft_ctx *ctx, const weft_graph *g, struct wfi_gpu_rows **out) {
    wfi_visit visit;
    unsigned words = (unsigned)(wfi_weight_bytes(g->weight_type) / sizeof(uint32_t));
    *out = NULL;
    weft_status st = wfi_cuda_enter(ctx, &visit);
    if (!st) st = wfi_gpu_rows_allocate(ctx, g->n, g->arcs, words, g->arcs + g->arcs / 8, out);
    if (!st) st = wfi_gpu_rows_fill(ctx, g, &g->out, *out);
    if (st) wfi_gpu_rows_drop(*out);
    if (st) *out = NULL;
    wfi_cuda_leave(&visit);
    return st;
}

extern "C" weft_status wfi_gpu_rows_download(weft_ctx *ctx, struct wfi_gpu_rows *r, const wfi_view *to) {
    wfi_gpu *gpu = r->offsets.on();
    weft_status st =
        wfi_download_from(ctx, gpu, wfi_own_offsets(to), r->offsets.data, ((size_t)r->n + 1) * sizeof(weft_eid));
    if (!st && r->arcs)
        st = wfi_download_from(ctx, gpu, wfi_own_targets(to), r->targets.data, r->arcs * sizeof(weft_vid));
    if (!st && r->arcs && r->words)
        st = wfi_download_from(ctx, gpu, wfi_own_weights(to), r->weights.data, r->arcs * r->words * sizeof(uint32_t));
    return st;
}

extern "C" uint64_t wfi_gpu_rows_bytes(const struct wfi_gpu_rows *r) {
    return r->offsets.count * sizeof(weft_eid) + r->targets.count * sizeof(weft_vid) +
           r->weights.count * sizeof(uint32_t);
}

extern "C" weft_vid wfi_gpu_rows_count(const struct wfi_gpu_rows *r) { return r->n; }
extern "C" int wfi_gpu_rows_index(const struct wfi_gpu_rows *r) { return r->index; }

extern "C" struct wfi_gpu_rows *wfi_gpu_rows_keep(struct wfi_gpu_rows *r) {
    __atomic_fetch_add(&r->users, 1, __ATOMIC_RELAXED);
    return r;
}

extern "C" void wfi_gpu_rows_drop(struct wfi_gpu_rows *r) {
    if (r && __atomic_sub_fetch(&r->users, 1, __ATOMIC_ACQ_REL) == 0) delete r;
}

extern "C" weft_status wfi_mirror_adopt(weft_ctx *ctx, weft_graph *g, struct wfi_gpu_rows *rows) {
    return wfi_mirror_begin(ctx, g, rows->index, rows);
}

extern "C" struct wfi_gpu_rows *wfi_mirror_share(const weft_graph *g) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    pthread_mutex_lock(&mine->lock);
    wfi_gpu_rows *rows = g->mirror ? g->mirror->out : nullptr;
    if (rows) wfi_gpu_rows_keep(rows);
    pthread_mutex_unlock(&mine->lock);
    return rows;
}
