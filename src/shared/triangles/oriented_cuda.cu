/* Orients the edges on the GPU.  Needs: rows that ascend; loops and repeats may be there.
 * Method: degrees are row lengths less what does not count; a radix sort of them gives the ranks.  Every arc to a vertex of higher
 * rank becomes a key (row, entry), in any order; a radix sort of the keys gives rows that ascend.
 * Arcs are dealt to threads one by one, whatever the rows: a thread finds the row of its arc by bisection among the few rows of
 * its block's share. */
#include "cuda/search.cuh"
#include "cuda/walk.cuh"
#include "shared/triangles/oriented_cuda.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

namespace {

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP, ITEMS = 8, TILE = THREADS * ITEMS, MOST_BLOCKS = 1 << 16 };
enum { TINY = 0, FEW, MANY, LONGEST, FIGURES };

typedef unsigned long long count;

/* Arcs e of one direction; the other direction is for directed graphs. */
struct side {
    wfi_device_rows rows, other;
    weft_vid n;
    weft_eid arcs;
    bool directed, incoming;
};

struct naming {
    const weft_vid *rank;
    unsigned shift; /* of the row in a key */
    bool with_arcs; /* the lowest bit of a key is set when the arc goes both ways */
};

__device__ bool holds(const wfi_device_rows &rows, weft_vid v, weft_vid t) {
    weft_eid end = rows.offsets[v + 1];
    return wfi_place_of(rows.targets, rows.offsets[v], end, t) < end;
}

/* The rows of the first and the last arc of a block's share; all threads come here. */
__device__ void find_share(const side &s, weft_eid begin, weft_vid share[2]) {
    __syncthreads();
    if (threadIdx.x < 2) {
        weft_eid e = threadIdx.x ? begin + TILE - 1 : begin;
        share[threadIdx.x] = (weft_vid)wfi_row_among(s.rows.offsets, 0, s.n - 1, e < s.arcs ? e : s.arcs - 1);
    }
    __syncthreads();
}

/* Is arc e of row v no loop, and the first of its repeats? */
__device__ bool counts_in_row(const side &s, weft_vid v, weft_eid e) {
    weft_vid t = s.rows.targets[e];
    return t != v && (e == s.rows.offsets[v] || s.rows.targets[e - 1] != t);
}

__global__ void measure_rows(wfi_device_rows out, wfi_device_rows in, weft_vid n, bool directed, uint32_t *degree,
                             weft_vid *vertex) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS) {
        weft_eid length = out.offsets[v + 1] - out.offsets[v];
        if (directed) length += in.offsets[v + 1] - in.offsets[v];
        degree[v] = (uint32_t)length;
        vertex[v] = (weft_vid)v;
    }
}

/* Takes from the degrees what is no new neighbour: loops, repeats, and what comes in where the same goes out. */
__global__ void __launch_bounds__(THREADS) drop_arcs(side s, uint32_t *degree, uint32_t *mutual) {
    __shared__ weft_vid share[2];
    for (weft_eid begin = blockIdx.x * (weft_eid)TILE; begin < s.arcs; begin += (weft_eid)gridDim.x * TILE) {
        find_share(s, begin, share);
        for (int k = 0; k < ITEMS; k++) {
            weft_eid e = begin + (weft_eid)(k * THREADS) + threadIdx.x;
            if (e >= s.arcs) break;
            weft_vid v = (weft_vid)wfi_row_among(s.rows.offsets, share[0], share[1], e);
            bool first = counts_in_row(s, v, e), twice = first && s.incoming && holds(s.other, v, s.rows.targets[e]);
            if (!first || twice) atomicSub(&degree[v], 1u);
            if (twice && mutual) atomicAdd(&mutual[v], 1u);
        }
    }
}

/* The key of arc e, if its edge is to be listed from here. */
__device__ bool key_of(const side &s, const naming &name, weft_vid v, weft_eid e, uint64_t *key) {
    if (!counts_in_row(s, v, e)) return false;
    weft_vid t = s.rows.targets[e], row = name.rank[t], entry = name.rank[v];
    if (row < entry) return false;
    bool both = s.directed && (s.incoming || name.with_arcs) && holds(s.other, v, t);
    if (s.incoming && both) return false;
    *key = (uint64_t)row << name.shift | (name.with_arcs ? (uint64_t)entry << 1 | both : (uint64_t)entry);
    return true;
}

__global__ void __launch_bounds__(THREADS) list_edges(side s, naming name, uint64_t *keys, count *listed) {
    __shared__ weft_vid share[2];
    __shared__ unsigned before[ITEMS * WARPS];
    __shared__ count base;
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (weft_eid begin = blockIdx.x * (weft_eid)TILE; begin < s.arcs; begin += (weft_eid)gridDim.x * TILE) {
        uint64_t key[ITEMS];
        unsigned with[ITEMS];
        find_share(s, begin, share);
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            weft_eid e = begin + (weft_eid)(k * THREADS) + threadIdx.x;
            bool mine = e < s.arcs &&
                        key_of(s, name, (weft_vid)wfi_row_among(s.rows.offsets, share[0], share[1], e), e, &key[k]);
            with[k] = __ballot_sync(~0u, mine);
            if (lane == 0) before[k * WARPS + warp] = (unsigned)__popc(with[k]);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned sum = 0;
            for (int i = 0; i < ITEMS * WARPS; i++) {
                unsigned here = before[i];
                before[i] = sum;
                sum += here;
            }
            base = atomicAdd(listed, (count)sum);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            if (with[k] >> lane & 1)
                keys[base + before[k * WARPS + warp] + (unsigned)__popc(with[k] & ((1u << lane) - 1))] = key[k];
    }
}

/* By bisection: where many rows are empty, to go by the keys would leave them all to one thread. */
__global__ void find_rows(const uint64_t *keys, weft_eid edges, weft_vid n, unsigned shift, weft_eid *offsets) {
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r <= n; r += (uint64_t)gridDim.x * THREADS) {
        weft_eid low = 0, high = edges;
        while (low < high) {
            weft_eid mid = low + (high - low) / 2;
            if (keys[mid] >> shift < r)
                low = mid + 1;
            else
                high = mid;
        }
        offsets[r] = low;
    }
}

__global__ void take_apart(const uint64_t *keys, weft_eid edges, unsigned shift, weft_vid *targets, uint8_t *arcs) {
    for (weft_eid i = blockIdx.x * (weft_eid)THREADS + threadIdx.x; i < edges; i += (weft_eid)gridDim.x * THREADS) {
        uint64_t entry = keys[i] & (((uint64_t)1 << shift) - 1);
        targets[i] = (weft_vid)(arcs ? entry >> 1 : entry);
        if (arcs) arcs[i] = (uint8_t)(1 + (entry & 1));
    }
}

__global__ void rank_vertices(const weft_vid *vertex, weft_vid n, weft_vid *rank, const uint32_t *from, uint32_t *to) {
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r < n; r += (uint64_t)gridDim.x * THREADS) {
        rank[vertex[r]] = (weft_vid)r;
        if (from) to[r] = from[vertex[r]];
    }
}

__device__ int kind_of(uint32_t length) {
    return length <= 1 ? FIGURES : length <= WFI_TINY_ROW ? TINY : length <= WFI_FEW_ROW ? FEW : MANY;
}

/* Counts the rows of each kind, or, when there is a list, puts them there: figures then say where each kind goes on.  A block's share
 * is counted in shared memory first: all blocks want the same three places. */
__global__ void __launch_bounds__(THREADS)
    sort_out(const weft_eid *offsets, weft_vid n, unsigned *figures, weft_vid *rows) {
    __shared__ unsigned here[FIGURES], base[FIGURES];
    for (uint64_t begin = blockIdx.x * (uint64_t)TILE; begin < n; begin += (uint64_t)gridDim.x * TILE) {
        int kind[ITEMS];
        unsigned place[ITEMS], longest = 0;
        if (threadIdx.x < FIGURES) here[threadIdx.x] = 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            uint64_t r = begin + (unsigned)k * THREADS + threadIdx.x;
            uint32_t length = r < n ? (uint32_t)(offsets[r + 1] - offsets[r]) : 0;
            kind[k] = kind_of(length);
            longest = max(longest, length);
            if (kind[k] < FIGURES) place[k] = atomicAdd(&here[kind[k]], 1u);
        }
        if (!rows) atomicMax(&here[LONGEST], longest);
        __syncthreads();
        if (threadIdx.x <= MANY) base[threadIdx.x] = atomicAdd(&figures[threadIdx.x], here[threadIdx.x]);
        if (threadIdx.x == LONGEST && !rows) atomicMax(&figures[LONGEST], here[LONGEST]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            if (rows && kind[k] < FIGURES)
                rows[base[kind[k]] + place[k]] = (weft_vid)(begin + (unsigned)k * THREADS + threadIdx.x);
        __syncthreads();
    }
}

/* What making it needs for a while. */
struct making {
    wfi_buffer<uint32_t> degree, mutual;
    wfi_buffer<weft_vid> vertex, rank;
    wfi_buffer<uint64_t> keys, more;
    wfi_buffer<count> listed;
};

side side_of(const weft_graph *g, const wfi_device_rows *out, const wfi_device_rows *in, bool incoming) {
    wfi_device_rows none = {};
    const wfi_device_rows *other = incoming ? out : in;
    return {incoming ? *in : *out, other ? *other : none, g->n, g->arcs, in != NULL, incoming};
}

/* Degrees of the simple view, and from them ranks; *edges of the view. */
weft_status rank_by_degree(weft_ctx *ctx, const weft_graph *g, const wfi_device_rows *out, const wfi_device_rows *in,
                           bool with_arcs, wfi_oriented_rows *o, making *m, weft_eid *edges) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS), tiles = wfi_grid(g->arcs, TILE, MOST_BLOCKS);
    wfi_buffer<char> scratch;
    size_t bytes = 0, more = 0;
    weft_status st = m->degree.take(ctx, n);
    if (!st) st = m->vertex.take(ctx, n);
    if (!st) st = o->degree.take(ctx, n);
    if (!st) st = o->vertex.take(ctx, n);
    if (!st) st = m->rank.take(ctx, n);
    if (!st) st = m->listed.take_zeroed(ctx, 2);
    if (!st && with_arcs) st = m->mutual.take_zeroed(ctx, n);
    if (!st && with_arcs) st = o->mutual.take(ctx, n);
    if (st) return st;
    measure_rows<<<blocks, THREADS, 0, stream>>>(*out, in ? *in : *out, n, in != NULL, m->degree.data, m->vertex.data);
    for (int incoming = 0; incoming <= (in != NULL); incoming++)
        drop_arcs<<<tiles, THREADS, 0, stream>>>(side_of(g, out, in, incoming), m->degree.data, m->mutual.data);
    cub::DoubleBuffer<uint32_t> degree(m->degree.data, o->degree.data);
    cub::DoubleBuffer<weft_vid> vertex(m->vertex.data, o->vertex.data);
    int bits = (int)wfi_bits(n);
    WFI_CUDA(cub::DeviceReduce::Sum(NULL, bytes, m->degree.data, m->listed.data, (int64_t)n, stream));
    WFI_CUDA(cub::DeviceRadixSort::SortPairsDescending(NULL, more, degree, vertex, (int64_t)n, 0, bits, stream));
    bytes = bytes < more ? more : bytes;
    st = scratch.take(ctx, bytes);
    if (st) return st;
    more = bytes;
    WFI_CUDA(cub::DeviceReduce::Sum(scratch.data, more, m->degree.data, m->listed.data, (int64_t)n, stream));
    WFI_CUDA(
        cub::DeviceRadixSort::SortPairsDescending(scratch.data, bytes, degree, vertex, (int64_t)n, 0, bits, stream));
    if (degree.Current() != o->degree.data) o->degree.swap(m->degree);
    if (vertex.Current() != o->vertex.data) o->vertex.swap(m->vertex);
    rank_vertices<<<blocks, THREADS, 0, stream>>>(o->vertex.data, n, m->rank.data, m->mutual.data, o->mutual.data);
    count twice = 0;
    st = wfi_download(ctx, &twice, m->listed.data, sizeof twice);
    *edges = twice / 2;
    m->degree.give();
    m->vertex.give();
    m->mutual.give();
    return st;
}

weft_status make_rows(weft_ctx *ctx, const weft_graph *g, const wfi_device_rows *out, const wfi_device_rows *in,
                      bool with_arcs, wfi_oriented_rows *o, making *m) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_eid edges = o->edges;
    unsigned bits = wfi_bits(g->n - 1), shift = bits + with_arcs, tiles = wfi_grid(g->arcs, TILE, MOST_BLOCKS);
    naming name = {m->rank.data, shift, with_arcs};
    weft_status st = m->keys.take(ctx, edges);
    if (!st) st = m->more.take(ctx, edges);
    if (st) return st;
    for (int incoming = 0; incoming <= (in != NULL); incoming++)
        list_edges<<<tiles, THREADS, 0, stream>>>(side_of(g, out, in, incoming), name, m->keys.data,
                                                  m->listed.data + 1);
    {
        cub::DoubleBuffer<uint64_t> keys(m->keys.data, m->more.data);
        wfi_buffer<char> scratch;
        size_t bytes = 0;
        WFI_CUDA(cub::DeviceRadixSort::SortKeys(NULL, bytes, keys, (int64_t)edges, 0, (int)(shift + bits), stream));
        st = scratch.take(ctx, bytes);
        if (st) return st;
        WFI_CUDA(
            cub::DeviceRadixSort::SortKeys(scratch.data, bytes, keys, (int64_t)edges, 0, (int)(shift + bits), stream));
        if (keys.Current() != m->keys.data) m->keys.swap(m->more);
    }
    m->more.give();
    m->rank.give();
    st = o->offsets.take(ctx, (size_t)g->n + 1);
    if (!st) st = o->targets.take(ctx, edges);
    if (!st && with_arcs) st = o->arcs.take(ctx, edges);
    if (st) return st;
    find_rows<<<wfi_grid((uint64_t)g->n + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(m->keys.data, edges, g->n,
                                                                                          shift, o->offsets.data);
    take_apart<<<wfi_grid(edges, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(m->keys.data, edges, shift,
                                                                              o->targets.data, o->arcs.data);
    m->keys.give();
    return WEFT_OK;
}

weft_status list_rows(weft_ctx *ctx, wfi_oriented_rows *o) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned figures[FIGURES], blocks = wfi_grid(o->n, TILE, 1 << 12);
    wfi_buffer<unsigned> there;
    weft_status st = there.take_zeroed(ctx, FIGURES);
    if (st) return st;
    sort_out<<<blocks, THREADS, 0, stream>>>(o->offsets.data, o->n, there.data, NULL);
    st = wfi_download(ctx, figures, there.data, sizeof figures);
    if (st) return st;
    o->tiny = figures[TINY];
    o->few = figures[FEW];
    o->many = figures[MANY];
    o->longest = figures[LONGEST];
    unsigned begins[FIGURES] = {0, o->tiny, o->tiny + o->few, 0};
    st = o->rows.take(ctx, (size_t)o->tiny + o->few + o->many);
    if (!st) st = wfi_upload(ctx, there.data, begins, sizeof begins);
    if (st) return st;
    sort_out<<<blocks, THREADS, 0, stream>>>(o->offsets.data, o->n, there.data, o->rows.data);
    return wfi_cuda_sync(ctx);
}

} // namespace

weft_status wfi_orient(weft_ctx *ctx, const weft_graph *g, const wfi_device_rows *out, const wfi_device_rows *in,
                       bool with_arcs, wfi_oriented_rows *o) {
    making m;
    wfi_kernel_scope stage(ctx, "relabel");
    wfi_progress(ctx, "orienting the edges", 0, 0);
    o->clear();
    o->n = g->n;
    weft_status st = rank_by_degree(ctx, g, out, in, with_arcs, o, &m, &o->edges);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = make_rows(ctx, g, out, in, with_arcs, o, &m);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    return st ? st : list_rows(ctx, o);
}
