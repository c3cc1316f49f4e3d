/* aggregate, GPU.  Needs: features on the host, or on the GPU where the caller says so; the order of the sums is that of
 * aggregate_cpu.c, and so are the bits.  How rows are gone through stands in aggregate_cuda.cuh; here is what becomes of neighbours, and
 * what is brought before and after. */
#include "algo/aggregate/aggregate_cuda.cuh"
#include "cuda/resident.cuh"

namespace {

enum { THREADS = 256, MOST_BLOCKS = 4096 };

/* Of a piece, in a pass: 256 bytes, or 32 numbers one by one.  Wider passes find less in the caches, narrower ones read the arcs too
 * often (bench/NOTES.md). */
enum { WIDE_LANES = 16, NARROW_LANES = 32 };

enum kind { SUM, SCALED_SUM, MAX };

__device__ float larger(float a, float b) { return b > a || b != b ? b : a; }

template <kind K, class N, int V> struct adding {
    static constexpr int VECTOR = V;
    static constexpr bool NEEDS_ROW = false;
    typedef typename N::raw raw;
    struct state {
        float at[V];
    };
    struct item {
        numbers<N, V> x;
        float scale;
    };
    const raw *x;
    raw *out;
    float *piece;         /* of long rows, by place */
    const float *scale;   /* of a vertex's terms; SCALED_SUM only */
    const uint8_t *joins; /* it is its own neighbour by --self-loop alone; NULL: none is */
    uint64_t width;
    bool mean, weigh; /* by the number of neighbours; by the row's own scale */

    __device__ state none() const {
        state s;
        for (int i = 0; i < V; i++) s.at[i] = K == MAX ? -INFINITY : 0;
        return s;
    }
    __device__ item fetch(weft_vid u, weft_eid, uint32_t, uint32_t column) const {
        item t;
        t.x.load(x + u * width + column);
        t.scale = K == SCALED_SUM ? __ldg(scale + u) : 1;
        return t;
    }
    __device__ void add(state &s, const item &t) const {
        for (int i = 0; i < V; i++) {
            float value = t.x.value(i);
            s.at[i] = K == MAX ? larger(s.at[i], value) : K == SCALED_SUM ? s.at[i] + value * t.scale : s.at[i] + value;
        }
    }
    __device__ void put(const state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++) piece[place * width + column + i] = s.at[i];
    }
    __device__ void join(state &s, uint32_t place, uint32_t column) const {
        for (int i = 0; i < V; i++) {
            float value = piece[place * width + column + i];
            s.at[i] = K == MAX ? larger(s.at[i], value) : s.at[i] + value;
        }
    }
    __device__ void finish(const state &s, uint32_t row, uint64_t arcs, uint32_t column) const {
        bool own = joins && joins[row];
        uint64_t count = arcs + own;
        float times = K == SCALED_SUM ? scale[row] : 1, divisor = (float)count;
        numbers<N, V> mine, to;
        if (own) mine.load(x + row * width + column);
        for (int i = 0; i < V; i++) {
            float value = s.at[i];
            if (K == MAX) {
                if (own) value = larger(value, mine.value(i));
                value = count ? value + 0.0f : 0;
            } else {
                if (own) value += K == SCALED_SUM ? mine.value(i) * times : mine.value(i);
                if (K == SCALED_SUM && weigh) value *= times;
                if (K == SUM && mean && count) value /= divisor;
            }
            to.at[i] = N::narrow(value);
        }
        to.store(out + row * width + column);
    }
};

/* --- what a vertex counts for --------------------------------------------------------- */

__global__ void find_joining(wfi_device_rows rows, weft_vid n, uint8_t *joins) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid low = rows.offsets[v], high = rows.offsets[v + 1], end = high;
        while (low < high) {
            weft_eid middle = low + (high - low) / 2;
            if (rows.targets[middle] < v)
                low = middle + 1;
            else
                high = middle;
        }
        joins[v] = !(low < end && rows.targets[low] == v);
    }
}

__global__ void count_entering(const weft_vid *targets, weft_eid arcs, uint32_t *count) {
    for (weft_eid e = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; e < arcs; e += (uint64_t)gridDim.x * blockDim.x)
        atomicAdd(&count[targets[e]], 1u);
}

/* By what has been counted, or else by the lengths of incoming rows. */
__global__ void make_scale(const uint32_t *counted, const weft_eid *offsets, const uint8_t *joins, weft_vid n,
                           bool root, float *scale) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t arcs = counted ? counted[v] : offsets[v + 1] - offsets[v];
        double d = (double)(arcs + (joins && joins[v]));
        scale[v] = d > 0 ? (float)(1 / (root ? sqrt(d) : d)) : 0;
    }
}

/* In-degrees are lengths of rows where those lie on the GPU, as after a run forth; else they are counted. */
bool must_count(const weft_graph *g, const weft_aggregate_params *p) {
    return p->backward && g->directed && wfi_mirror_in_cost(g).kept;
}

weft_status find_scale(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p, const wfi_device_rows &rows,
                       const uint8_t *joins, wfi_buffer<float> &scale) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    wfi_buffer<uint32_t> counted;
    wfi_device_rows in = rows;
    bool count = must_count(g, p);
    weft_status st = scale.take(ctx, g->n);
    if (!st && count) st = counted.take_zeroed(ctx, g->n);
    if (!st && !count) st = wfi_mirror_in(ctx, g, &in);
    if (st) return st;
    if (count)
        count_entering<<<wfi_grid(g->arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(rows.targets, g->arcs,
                                                                                        counted.data);
    make_scale<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(counted.data, in.offsets, joins, g->n,
                                                                             p->normalize, scale.data);
    return WEFT_OK;
}

/* --- all of it -------------------------------------------------------------------------- */

struct run {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_aggregate_params *p;
    const void *x;
    void *out;
    cut_rows rows;
    wfi_buffer<uint8_t> joins;
    wfi_buffer<float> scale, piece;
};

template <kind K, class N, int V> weft_status add_as(run &r) {
    typedef typename N::raw raw;
    bool scaled = K == SCALED_SUM;
    adding<K, N, V> w = {(const raw *)r.x,
                         (raw *)r.out,
                         r.piece.data,
                         r.scale.data,
                         r.joins.data,
                         r.p->features->width,
                         !scaled && r.p->op == WEFT_AGGREGATE_MEAN,
                         scaled && r.p->normalize};
    return take_rows(r.ctx, w, r.rows, 0, (uint32_t)r.p->features->width, V > 1 ? WIDE_LANES : NARROW_LANES);
}

/* 16 bytes at once where every row begins at a multiple of that. */
bool is_wide(const weft_aggregate_params *p) {
    uint64_t bytes = p->features->width * wfi_matrix_bytes(p->features->type);
    return bytes % 16 == 0 && (!p->features_on_device || (uintptr_t)p->features->data % 16 == 0);
}

template <kind K, class N> weft_status add_wide_or_narrow(run &r) {
    return is_wide(r.p) ? add_as<K, N, 16 / sizeof(typename N::raw)>(r) : add_as<K, N, 1>(r);
}

template <kind K> weft_status add_kind(run &r) {
    int type = r.p->features->type;
    return type == WEFT_MATRIX_F32   ? add_wide_or_narrow<K, f32>(r)
           : type == WEFT_MATRIX_F16 ? add_wide_or_narrow<K, f16>(r)
                                     : add_wide_or_narrow<K, bf16>(r);
}

weft_status add_or_compare(run &r) {
    const weft_aggregate_params *p = r.p;
    weft_ctx *ctx = r.ctx;
    weft_status st = r.piece.take(ctx, (size_t)r.rows.pieces->places * p->features->width);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    if (wfi_aggregate_scales(p)) st = find_scale(ctx, r.g, p, r.rows.rows, r.joins.data, r.scale);
    if (st) return st;
    return wfi_aggregate_scales(p)       ? add_kind<SCALED_SUM>(r)
           : p->op == WEFT_AGGREGATE_MAX ? add_kind<MAX>(r)
                                         : add_kind<SUM>(r);
}

/* Features there: the caller's own, or a copy. */
weft_status bring(weft_ctx *ctx, const weft_matrix *m, bool there, wfi_buffer<char> &copy, const void **data) {
    size_t bytes = m->rows * m->width * wfi_matrix_bytes(m->type);
    *data = m->data;
    if (there) {
        cudaPointerAttributes about;
        WFI_CUDA(cudaPointerGetAttributes(&about, m->data));
        if (about.type == cudaMemoryTypeDevice || about.type == cudaMemoryTypeManaged) return WEFT_OK;
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: features_on_device is set, but that is not memory of the GPU");
    }
    weft_status st = copy.take(ctx, bytes);
    if (!st) st = wfi_upload(ctx, copy.data, m->data, bytes);
    *data = copy.data;
    return st;
}

} /* namespace */

extern "C" weft_status wfi_aggregate_cuda(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p,
                                          void *out) {
    size_t bytes = (size_t)g->n * p->features->width * wfi_matrix_bytes(p->features->type);
    bool back_max = p->backward && p->op == WEFT_AGGREGATE_MAX;
    wfi_buffer<char> features, forward, result;
    const wfi_row_pieces *incoming;
    const void *compared = nullptr;
    void *stays = nullptr;
    run r = {ctx, g, p, nullptr, nullptr, {}, {}, {}, {}};
    if (!g->n) return WEFT_OK;
    r.rows.arcs = g->arcs;
    weft_status st = p->backward ? wfi_mirror_out(ctx, g, &r.rows.rows) : wfi_mirror_in(ctx, g, &r.rows.rows);
    if (!st) st = wfi_row_pieces_of(ctx, g, !p->backward, &r.rows.pieces);
    if (!st && back_max) st = wfi_row_pieces_of(ctx, g, true, &incoming);
    if (!st && p->self_loop) st = r.joins.take(ctx, g->n);
    if (!st) st = wfi_resident_room(ctx, out, bytes, &stays);
    if (!st && !stays) st = result.take(ctx, bytes);
    if (!st) st = bring(ctx, p->features, p->features_on_device, features, &r.x);
    if (!st && back_max) st = bring(ctx, p->forward, p->features_on_device, forward, &compared);
    if (st) return st;
    r.out = stays ? stays : result.data;
    if (p->self_loop)
        find_joining<<<wfi_grid(g->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(r.rows.rows, g->n,
                                                                                                 r.joins.data);
    st = back_max ? wfi_aggregate_cuda_back_max(ctx, g, p, r.x, compared, r.joins.data, r.out) : add_or_compare(r);
    if (st) return st;
    return stays ? wfi_cuda_sync(ctx) : wfi_deliver(ctx, out, result.data, bytes);
}

extern "C" uint64_t wfi_aggregate_cuda_bytes(const weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *p,
                                             bool stays) {
    bool back_max = p->backward && p->op == WEFT_AGGREGATE_MAX, other = back_max && g->directed;
    uint64_t n = g->n, width = p->features->width, each = wfi_matrix_bytes(p->features->type), places, more_places = 0;
    wfi_mirror_cost rows = p->backward && !back_max ? wfi_mirror_out_cost(g) : wfi_mirror_in_cost(g);
    wfi_mirror_cost pieces = wfi_row_pieces_cost(ctx, g, !p->backward, &places), more = {0, 0};
    if (other) more = wfi_row_pieces_cost(ctx, g, true, &more_places);
    if (other && wfi_in_at_hand(g)) rows.kept += wfi_mirror_out_cost(g).kept;
    uint64_t run = (stays ? 0 : each * width * n) + (p->self_loop ? n : 0);
    if (!p->features_on_device) run += each * width * n;
    if (back_max && !p->features_on_device) run += wfi_matrix_bytes(p->forward->type) * width * n;
    if (wfi_aggregate_scales(p)) run += (must_count(g, p) ? 8 : 4) * n;
    uint64_t strip = wfi_min_u64(width, WFI_AGGREGATE_CUDA_STRIP);
    if (!other) more_places = places;
    run += back_max ? 4 * strip * (n + more_places + wfi_max_u64(places, more_places)) : 4 * width * places;
    uint64_t making = pieces.kept + more.peak > pieces.peak ? pieces.kept + more.peak : pieces.peak;
    uint64_t then = rows.kept + wfi_max_u64(making, pieces.kept + more.kept + run);
    return wfi_max_u64(rows.peak, then);
}
