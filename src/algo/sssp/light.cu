/* Rows of light edges by stream compaction (sssp_device.cuh): a bit for each arc, 32 to a word; an exclusive scan over
 * the words gives the destination of each arc and the begin of each row.  Scratch: 12 bytes for 32 arcs. */
#include "algo/sssp/sssp_device.cuh"
#include "cuda/buffers.cuh"
#include "cuda/cub.cuh"
#include "cuda/mirror.cuh"

enum { THREADS = 256, MOST_BLOCKS = 1 << 16, WARP = 32 };

namespace {

struct light_layout : wfi_layout {
    wfi_light_rows rows;
};

} // namespace

__device__ static double weight_at(const uint32_t *weights, weft_eid e, weft_weight_type type) {
    if (type == WEFT_WEIGHT_F64) return __ldg((const double *)weights + e);
    uint32_t bits = __ldg(&weights[e]);
    return type == WEFT_WEIGHT_F32 ? (double)__uint_as_float(bits) : (double)bits;
}

namespace {

/* A bit for each light arc, and the number of light arcs before each word. */
struct marks {
    uint64_t words;
    uint32_t *bits;
    weft_eid *before;

    __device__ weft_eid place_of(weft_eid e) const {
        return before[e / WARP] + (weft_eid)__popc(bits[e / WARP] & ((1u << e % WARP) - 1));
    }
};

} // namespace

/* before[words] = 0 becomes the total in the scan. */
__global__ static void mark_light(wfi_view rows, weft_eid arcs, double below, marks m) {
    const uint32_t *weights = (const uint32_t *)rows.weights;
    uint32_t lane = threadIdx.x % WARP;
    for (uint64_t word = wfi_thread() / WARP; word <= m.words; word += wfi_all_threads() / WARP) {
        weft_eid e = word * WARP + lane;
        uint32_t set = __ballot_sync(~0u, e < arcs && weight_at(weights, e < arcs ? e : 0, rows.type) < below);
        if (lane) continue;
        m.bits[word] = set;
        m.before[word] = (weft_eid)__popc(set);
    }
}

__global__ static void copy_light(wfi_view rows, marks m, weft_vid *light_targets, uint32_t *light_weights) {
    uint32_t lane = threadIdx.x % WARP;
    for (uint64_t word = wfi_thread() / WARP; word < m.words; word += wfi_all_threads() / WARP) {
        if (!(m.bits[word] >> lane & 1)) continue;
        weft_eid e = word * WARP + lane, to = m.place_of(e);
        light_targets[to] = rows.targets[e];
        if (rows.type == WEFT_WEIGHT_F64)
            ((uint64_t *)light_weights)[to] = ((const uint64_t *)rows.weights)[e];
        else
            light_weights[to] = ((const uint32_t *)rows.weights)[e];
    }
}

__global__ static void begin_light(wfi_view rows, marks m, weft_eid *light_offsets) {
    for (uint64_t v = wfi_thread(); v <= rows.n; v += wfi_all_threads()) light_offsets[v] = m.place_of(rows.offsets[v]);
}

weft_status wfi_pick_light(weft_ctx *ctx, const wfi_view &rows, weft_eid arcs, double below, weft_eid most,
                           wfi_light_rows *light) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    uint64_t words = (arcs + WARP - 1) / WARP;
    unsigned blocks = wfi_grid((words + 1) * WARP, THREADS, MOST_BLOCKS);
    wfi_buffer<uint32_t> bits;
    wfi_buffer<weft_eid> before;
    weft_eid count = 0;
    weft_status st = bits.take(ctx, words + 1);
    if (!st) st = before.take(ctx, words + 1);
    if (!st) st = light->offsets.take(ctx, (size_t)rows.n + 1);
    if (st) return st;
    const marks m = {words, bits.data, before.data};
    mark_light<<<blocks, THREADS, 0, stream>>>(rows, arcs, below, m);
    st = wfi_exclusive_scan_cuda(ctx, before.data, words + 1);
    if (!st) st = wfi_download(ctx, &count, before.data + words, sizeof count);
    light->too_many = !st && count > most;
    if (light->too_many) return WEFT_OK;
    if (!st) st = light->targets.take(ctx, count);
    if (!st) st = light->weights.take(ctx, count * (rows.type == WEFT_WEIGHT_F64 ? 2 : 1));
    if (st) return st;
    copy_light<<<blocks, THREADS, 0, stream>>>(rows, m, light->targets.data, light->weights.data);
    begin_light<<<wfi_grid((uint64_t)rows.n + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows, m,
                                                                                              light->offsets.data);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_cuda_sync(ctx);
    light->there = st == WEFT_OK;
    return st;
}

/* --- kept with the graph's copy on the GPU ------------------------------------------------------------ */

/* Capacity with a margin, since the share is an estimate from a sample. */
static weft_eid most_light(const weft_graph *g, double share) {
    return (weft_eid)(1.25 * share * (double)g->arcs) + 1024;
}

weft_status wfi_light_of(weft_ctx *ctx, const weft_graph *g, double below, double share, const wfi_light_rows **light) {
    weft_graph *mine = (weft_graph *)(uintptr_t)g;
    wfi_view rows;
    weft_status st = wfi_mirror_out(ctx, g, &rows);
    if (st) return st;
    pthread_mutex_lock(&mine->lock);
    light_layout *kept;
    st = wfi_layout_of(ctx, g->mirror, &kept);
    wfi_light_rows *s = st ? nullptr : &kept->rows;
    if (!st && !s->there && !s->too_many) {
        wfi_stage_scope stage(ctx, "relabel");
        st = wfi_pick_light(ctx, rows, g->arcs, below, most_light(g, share), s);
        if (!s->there) s->clear();
    }
    *light = !st && s->there ? s : NULL;
    pthread_mutex_unlock(&mine->lock);
    return st;
}

void wfi_light_declare(wfi_workspace *device, const weft_graph *g, double share) {
    const light_layout *made = wfi_layout_in<light_layout>(g->mirror);
    if (made && (made->rows.there || made->rows.too_many)) return;
    uint64_t words = (g->arcs + WARP - 1) / WARP + 1;
    uint64_t kept = sizeof(weft_eid) * ((uint64_t)g->n + 1) +
                    (sizeof(weft_vid) + wfi_weight_bytes(g->weight_type)) * most_light(g, share);
    wfi_keep_with_graph(device, kept, kept + 12 * words + wfi_cub_scan_bytes(words));
}
