/* aggregate, GPU: uploads before the passes and deliveries after them.  Needs: features on the host, or on the GPU if
 * the caller says so; the order of the sums is that of aggregate_cpu.c, and so are the bits.  The pass over rows is in
 * aggregate_cuda.cuh, sums and maxima in reducers.cuh. */
#include "algo/aggregate/aggregate_cuda.cuh"
#include "algo/aggregate/reducers.cuh"
#include "cuda/buffers.cuh"

#include <stdio.h>

namespace {

enum { THREADS = 256, MOST_BLOCKS = 4096 };

/* Lanes of a chunk in a pass: 256 bytes, or 32 single numbers.  Wider passes find less in the caches, narrower passes
 * read the arcs too often (bench/NOTES.md). */
enum { WIDE_LANES = 16, NARROW_LANES = 32 };

/* --- factors of vertices -------------------------------------------------------------- */

__global__ void find_joining(wfi_view rows, weft_vid n, uint8_t *joins) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        joins[v] = lacks_loop(rows, v, (weft_vid)v);
}

__global__ void count_entering(const weft_vid *targets, weft_eid arcs, uint32_t *count) {
    for (weft_eid e = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; e < arcs; e += (uint64_t)gridDim.x * blockDim.x)
        atomicAdd(&count[targets[e]], 1u);
}

/* The scale of each vertex, from counted in-degrees, or else from the lengths of incoming rows. */
__global__ void make_scale(const uint32_t *counted, const weft_eid *offsets, const uint8_t *joins, weft_vid n,
                           bool root, float *scale) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t arcs = counted ? counted[v] : offsets[v + 1] - offsets[v];
        double d = (double)(arcs + (joins && joins[v]));
        scale[v] = d > 0 ? (float)(1 / (root ? sqrt(d) : d)) : 0;
    }
}

/* --- the run ---------------------------------------------------------------------------- */

struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_aggregate_params *p;
    bool counts; /* counts in-degrees, because there are no incoming rows */
    const void *x;
    void *out;
    cut_rows rows;
    char *features, *forward, *result;
    uint8_t *joins;
    float *scale, *piece;
    uint32_t *counted;
    wfi_back_max_arrays back;
};

/* stays: the result has memory of its own on the GPU.  in, along: chunks of long rows, of incoming and outgoing
 * arcs. */
void lay_out(wfi_workspace *device, bool stays, uint64_t in, uint64_t along, run *r) {
    const weft_aggregate_params *p = r->p;
    uint64_t n = r->g->n, width = p->features->width, each = wfi_matrix_bytes(p->features->type);
    bool back_max = wfi_aggregate_is_back_max(p), brings = !p->features_on_device;
    if (brings) wfi_array(device, &r->features, each * width * n);
    if (brings && back_max) wfi_array(device, &r->forward, wfi_matrix_bytes(p->forward->type) * width * n);
    if (!stays) wfi_array(device, &r->result, each * width * n);
    if (p->self_loop) wfi_array(device, &r->joins, n);
    if (wfi_aggregate_scales(p)) wfi_array(device, &r->scale, n);
    uint64_t adding = wfi_mark(device);
    if (r->counts) wfi_array(device, &r->counted, n);
    wfi_rewind(device, adding);
    if (back_max)
        wfi_back_max_lay_out(device, r->g->n, width, in, along, &r->back);
    else
        wfi_array_within(device, &r->piece, (p->backward ? along : in) * width);
}

weft_status find_scale(run &r) {
    weft_ctx *ctx = r.ctx;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_view in = r.rows.rows;
    weft_vid n = r.g->n;
    weft_status st = r.counts ? wfi_zero(ctx, r.counted, n) : wfi_mirror_in(ctx, r.g, &in);
    if (st) return st;
    if (r.counts)
        count_entering<<<wfi_grid(r.g->arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(in.targets, r.g->arcs,
                                                                                          r.counted);
    make_scale<<<wfi_grid(n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(r.counted, in.offsets, r.joins, n,
                                                                          r.p->normalize, r.scale);
    return WEFT_OK;
}

template <reduction K, class N, int V> weft_status add_as(run &r) {
    typedef typename N::raw raw;
    bool scaled = K == SCALED_SUM;
    adding<K, N, V> w = {(const raw *)r.x,
                         (raw *)r.out,
                         r.piece,
                         r.scale,
                         r.joins,
                         r.p->features->width,
                         0,
                         !scaled && r.p->op == WEFT_AGGREGATE_MEAN,
                         scaled && r.p->normalize};
    return take_rows(r.ctx, w, r.rows, 0, (uint32_t)r.p->features->width, V > 1 ? WIDE_LANES : NARROW_LANES);
}

/* True if 16 bytes can be read at once, because every row begins at a multiple of 16. */
bool is_wide(const weft_aggregate_params *p) {
    uint64_t bytes = p->features->width * wfi_matrix_bytes(p->features->type);
    return bytes % 16 == 0 && (!p->features_on_device || (uintptr_t)p->features->data % 16 == 0);
}

template <reduction K, class N> weft_status add_wide_or_narrow(run &r) {
    return is_wide(r.p) ? add_as<K, N, 16 / sizeof(typename N::raw)>(r) : add_as<K, N, 1>(r);
}

template <reduction K> weft_status add_kind(run &r) {
    int type = r.p->features->type;
    return type == WEFT_F32   ? add_wide_or_narrow<K, f32>(r)
           : type == WEFT_F16 ? add_wide_or_narrow<K, f16>(r)
                              : add_wide_or_narrow<K, bf16>(r);
}

weft_status add_or_compare(run &r) {
    const weft_aggregate_params *p = r.p;
    wfi_kernel_scope stage(r.ctx, "iterations");
    weft_status st = wfi_aggregate_scales(p) ? find_scale(r) : WEFT_OK;
    if (st) return st;
    return wfi_aggregate_scales(p)       ? add_kind<SCALED_SUM>(r)
           : p->op == WEFT_AGGREGATE_MAX ? add_kind<MAX>(r)
                                         : add_kind<SUM>(r);
}

/* Gets the rows from the graph's mirror, in the order in which the plan declares them; *in, *along: chunks of long
 * rows. */
weft_status need_rows(run &r, uint64_t *in, uint64_t *along) {
    bool back_max = wfi_aggregate_is_back_max(r.p);
    wfi_view rows;
    const wfi_row_chunks *incoming = NULL;
    weft_status st = r.p->backward ? wfi_mirror_out(r.ctx, r.g, &r.rows.rows) : wfi_mirror_in(r.ctx, r.g, &r.rows.rows);
    if (!st && back_max) st = wfi_mirror_in(r.ctx, r.g, &rows);
    if (!st) st = wfi_row_chunks_of(r.ctx, r.g, !r.p->backward, &r.rows.pieces);
    if (!st && back_max) st = wfi_row_chunks_of(r.ctx, r.g, true, &incoming);
    if (st) return st;
    r.rows.arcs = r.g->arcs;
    *in = incoming ? incoming->places : r.rows.pieces->places;
    *along = r.rows.pieces->places;
    return WEFT_OK;
}

} /* namespace */

weft_status wfi_aggregate_upload(weft_ctx *ctx, const weft_matrix *m, bool there, void *copy, const void **data) {
    if (!there) {
        *data = copy;
        return wfi_upload(ctx, copy, m->data, m->rows * m->width * wfi_matrix_bytes(m->type));
    }
    cudaPointerAttributes about;
    WFI_CUDA_OR_RETURN(cudaPointerGetAttributes(&about, m->data));
    *data = m->data;
    if (about.type == cudaMemoryTypeDevice || about.type == cudaMemoryTypeManaged) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "aggregate: features_on_device is set, but that is not memory of the GPU");
}

extern "C" weft_status wfi_aggregate_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_aggregate_params *p = (const weft_aggregate_params *)job->params;
    size_t bytes = (size_t)g->n * p->features->width * wfi_matrix_bytes(p->features->type);
    bool back_max = wfi_aggregate_is_back_max(p);
    uint64_t in = 0, along = 0;
    const void *compared = nullptr;
    void *out, *stays = nullptr;
    run r = {};
    r.ctx = ctx;
    r.g = g;
    r.p = p;
    r.counts = *WFI_DECIDED(bool, job->choice);
    wfi_aggregate_column(job->space, g->n, p, &out);
    weft_status st = job->space->status;
    if (!st && !g->n) return wfi_aggregate_scalars(job);
    if (!st) st = need_rows(r, &in, &along);
    if (!st) st = wfi_resident_column(ctx, out, bytes, &stays);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, stays != nullptr, in, along, &r);
    st = job->device->status;
    if (!st) st = wfi_aggregate_upload(ctx, p->features, p->features_on_device, r.features, &r.x);
    if (!st && back_max) st = wfi_aggregate_upload(ctx, p->forward, p->features_on_device, r.forward, &compared);
    if (st) return st;
    r.out = stays ? stays : r.result;
    if (p->self_loop)
        find_joining<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(r.rows.rows, g->n,
                                                                                                 r.joins);
    st = back_max ? wfi_back_max_cuda(ctx, g, p, &r.back, {r.x, compared, r.out, r.joins}) : add_or_compare(r);
    if (!st) st = stays ? wfi_cuda_sync(ctx) : wfi_deliver(ctx, out, r.result, bytes);
    return st ? st : wfi_aggregate_scalars(job);
}

extern "C" void wfi_aggregate_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                        wfi_choice *choice) {
    const weft_aggregate_params *p = (const weft_aggregate_params *)params;
    bool back_max = wfi_aggregate_is_back_max(p), stays = wfi_ctx_residents((weft_ctx *)(uintptr_t)ctx)->wanted;
    void *out;
    run r = {};
    r.g = g;
    r.p = p;
    /* in-degrees are row lengths if the incoming rows are on the GPU, as after a forward run; else they are counted */
    r.counts = wfi_aggregate_scales(p) && p->backward && g->directed && !wfi_mirror_has_in(g);
    *WFI_DECIDED(bool, choice) = r.counts;
    choice->method = WFI_AGGREGATE_ON_GPU + (int)wfi_aggregate_method_of(p);
    snprintf(choice->reason, sizeof choice->reason, "%s",
             p->features_on_device ? "the features are on the GPU" : "the features are copied to the GPU");
    wfi_aggregate_column(&choice->space, g->n, p, &out);
    wfi_mirror_declare(&choice->device, g,
                       (p->backward ? WFI_OUT_ROWS : 0) | (!p->backward || back_max ? WFI_IN_ROWS : 0));
    uint64_t along = wfi_row_chunks_declare(&choice->device, ctx, g, !p->backward), in = along;
    if (back_max && g->directed) in = wfi_row_chunks_declare(&choice->device, ctx, g, true);
    lay_out(&choice->device, stays, in, along, &r);
}
