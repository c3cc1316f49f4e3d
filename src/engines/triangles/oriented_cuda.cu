/* Degree-ordered orientation, GPU (triangles_cuda.cuh).  Needs: rows that ascend; loops and repeats are allowed.
 * Method: degrees are row lengths less loops and repeats; a radix sort of them gives the ranks.  Arcs are compacted in
 * the order of their source's rank, by a single pass with decoupled look-back (cuda/grid.cuh): each arc to a vertex of
 * higher rank is an entry of that vertex's row.  A stable sort by row then leaves entries that ascend.  In a directed
 * graph outgoing and incoming arcs are listed one after the other, and sorted by entry first.
 * Threads take arcs one by one, whatever the rows; a thread finds the row of its arc by binary search among the few
 * rows of its block's share. */
#include "core/search.h"
#include "cuda/cub.cuh"
#include "cuda/grid.cuh"
#include "cuda/walk.cuh"
#include "engines/triangles/triangles_cuda.cuh"

#include <cub/device/device_reduce.cuh>

namespace {

enum {
    THREADS = 256,
    WARP = 32,
    WARPS = THREADS / WARP,
    ITEMS = WFI_ORIENT_TILE / THREADS,
    TILE = WFI_ORIENT_TILE,
    MOST_BLOCKS = 1 << 16
};
enum { TINY = 0, FEW, MANY, LONGEST, FIGURES };

typedef unsigned long long count;

/* The arcs of one direction; `other` is the other direction of a directed graph. */
struct side {
    wfi_view rows, other;
    weft_vid n;
    weft_eid arcs;
    bool directed, incoming;
};

/* The destination of listed edges: entry i belongs to row row[i]. */
struct listing {
    const weft_vid *rank, *vertex;
    const weft_eid *starts; /* first arc of each vertex, by rank */
    weft_eid arcs;          /* their number */
    bool with_arcs;         /* the lowest bit of an entry is set if the arc goes both ways */
    uint32_t *row, *entry;
    count *ticket; /* the next tile */
    wfi_tile_word *words;
    uint64_t first_word; /* word of the first tile: earlier words belong to the other side */
};

/* The rows of a block's share, if they are not too many. */
struct near_rows {
    int32_t starts[TILE + 1]; /* first arcs of rows, from the begin of the share; -1: before it */
    weft_eid shift[TILE + 1]; /* distance from an arc's position by rank to its position in the graph's rows */
};

__device__ bool holds(const wfi_view &rows, weft_vid v, weft_vid t) {
    weft_eid end = rows.offsets[v + 1];
    return wfi_place_of(rows.targets, rows.offsets[v], end, t) < end;
}

/* The rows of the first and the last of a block's arcs; all threads must call this. */
__device__ void find_share(const weft_eid *offsets, weft_vid n, weft_eid arcs, weft_eid begin, weft_vid share[2]) {
    unsigned warp = threadIdx.x / WARP;
    __syncthreads();
    if (warp < 2) {
        weft_eid e = warp ? begin + TILE - 1 : begin;
        weft_vid row = (weft_vid)wfi_row_of(offsets, 0, n, e < arcs ? e : arcs - 1);
        if (threadIdx.x % WARP == 0) share[warp] = row;
    }
    __syncthreads();
}

/* True if arc e of row v is no loop, and the first of its repeats. */
__device__ bool counts_in_row(const side &s, weft_vid v, weft_eid e) {
    weft_vid t = s.rows.targets[e];
    return t != v && (e == s.rows.offsets[v] || s.rows.targets[e - 1] != t);
}

/* Row lengths, without the loops of outgoing rows. */
__global__ void measure_rows(wfi_view out, wfi_view in, weft_vid n, bool directed, uint32_t *degree, weft_vid *vertex) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < n; v += (uint64_t)gridDim.x * THREADS) {
        weft_eid end = out.offsets[v + 1], length = end - out.offsets[v];
        for (weft_eid e = wfi_place_of(out.targets, out.offsets[v], end, (weft_vid)v); e < end && out.targets[e] == v;
             e++)
            length--;
        if (directed) length += in.offsets[v + 1] - in.offsets[v];
        degree[v] = (uint32_t)length;
        vertex[v] = (weft_vid)v;
    }
}

/* Subtracts repeats.  Equal neighbouring entries are few, at the ends of rows or repeats: only these search for their
 * row. */
__global__ void drop_repeats(wfi_view out, weft_vid n, weft_eid arcs, uint32_t *degree) {
    for (weft_eid e = 1 + blockIdx.x * (weft_eid)THREADS + threadIdx.x; e < arcs; e += (weft_eid)gridDim.x * THREADS) {
        weft_vid t = out.targets[e];
        if (t != out.targets[e - 1]) continue;
        weft_vid v = (weft_vid)wfi_row_among(out.offsets, 0, n - 1, e);
        if (e > out.offsets[v] && t != v) atomicSub(&degree[v], 1u);
    }
}

/* Subtracts incoming arcs that are loops, repeats, or reciprocated by an outgoing arc. */
__global__ void __launch_bounds__(THREADS) drop_incoming(side s, uint32_t *degree, uint32_t *mutual) {
    __shared__ weft_vid share[2];
    for (weft_eid begin = blockIdx.x * (weft_eid)TILE; begin < s.arcs; begin += (weft_eid)gridDim.x * TILE) {
        find_share(s.rows.offsets, s.n, s.arcs, begin, share);
        for (int k = 0; k < ITEMS; k++) {
            weft_eid e = begin + (weft_eid)(k * THREADS) + threadIdx.x;
            if (e >= s.arcs) break;
            weft_vid v = (weft_vid)wfi_row_among(s.rows.offsets, share[0], share[1], e);
            bool first = counts_in_row(s, v, e), twice = first && holds(s.other, v, s.rows.targets[e]);
            if (!first || twice) atomicSub(&degree[v], 1u);
            if (twice && mutual) atomicAdd(&mutual[v], 1u);
        }
    }
}

/* The row lengths of the vertices by rank; 0 for vertices without a neighbour, which have only loops. */
__global__ void lengths_by_rank(wfi_view rows, const uint32_t *degree, const weft_vid *vertex, weft_vid n,
                                weft_eid *length) {
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r <= n; r += (uint64_t)gridDim.x * THREADS)
        length[r] = r < n && degree[r] ? rows.offsets[vertex[r] + 1] - rows.offsets[vertex[r]] : 0;
}

/* The row (x) and entry (y) of an arc, if its edge is to be listed from here.  rank: of the arc's source; first:
 * whether the arc is the first of its row. */
__device__ bool name_edge(const side &s, const listing &l, weft_vid rank, weft_eid arc, bool first, uint2 *edge) {
    weft_vid t = s.rows.targets[arc];
    if (!first && s.rows.targets[arc - 1] == t) return false;
    edge->x = l.rank[t];
    if (edge->x <= rank) return false;
    bool both = s.directed && (s.incoming || l.with_arcs) && holds(s.other, l.vertex[rank], t);
    if (s.incoming && both) return false;
    edge->y = l.with_arcs ? rank << 1 | both : rank;
    return true;
}

/* Loads the rows of the block's share, unless they are too many. */
__device__ bool bring_near(const side &s, const listing &l, weft_eid begin, const weft_vid share[2], near_rows *near) {
    if (share[1] - share[0] > TILE) return false;
    for (weft_vid i = threadIdx.x; i <= share[1] - share[0]; i += THREADS) {
        weft_eid start = l.starts[share[0] + i];
        near->starts[i] = start < begin ? -1 : (int32_t)(start - begin);
        near->shift[i] = s.rows.offsets[l.vertex[share[0] + i]] - start;
    }
    __syncthreads();
    return true;
}

/* Exclusive scan of the warps' counts in a tile, by one warp; returns the total. */
__device__ unsigned add_up(unsigned counts[ITEMS * WARPS]) {
    static_assert(ITEMS * WARPS == 2 * WARP, "each lane has two of them");
    unsigned *mine = counts + 2 * (threadIdx.x % WARP), first = mine[0], both = first + mine[1];
    unsigned to_here = wfi_warp_scan(both);
    mine[0] = to_here - both;
    mine[1] = to_here - both + first;
    return __shfl_sync(~0u, to_here, WARP - 1);
}

__global__ void __launch_bounds__(THREADS) list_edges(side s, listing l) {
    __shared__ near_rows near;
    __shared__ weft_vid share[2];
    __shared__ unsigned before[ITEMS * WARPS];
    __shared__ count tile, base;
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) tile = atomicAdd(l.ticket, 1ull);
        __syncthreads();
        weft_eid begin = tile * TILE;
        if (begin >= l.arcs) return;
        uint2 edge[ITEMS];
        unsigned with[ITEMS];
        find_share(l.starts, s.n, l.arcs, begin, share);
        bool is_near = bring_near(s, l, begin, share, &near);
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            int32_t at = k * THREADS + (int32_t)threadIdx.x;
            weft_eid e = begin + (weft_eid)at;
            bool mine = false;
            if (e < l.arcs && is_near) {
                weft_vid i = (weft_vid)wfi_row_among(near.starts, 0, share[1] - share[0], at);
                mine = name_edge(s, l, share[0] + i, e + near.shift[i], at == near.starts[i], &edge[k]);
            } else if (e < l.arcs) {
                weft_vid rank = (weft_vid)wfi_row_among(l.starts, share[0], share[1], e);
                weft_eid after = e - l.starts[rank];
                mine = name_edge(s, l, rank, s.rows.offsets[l.vertex[rank]] + after, !after, &edge[k]);
            }
            with[k] = __ballot_sync(~0u, mine);
            if (lane == 0) before[k * WARPS + warp] = (unsigned)__popc(with[k]);
        }
        __syncthreads();
        if (warp == 0) {
            count here = wfi_look_back(l.words, l.first_word + tile, add_up(before));
            if (lane == 0) base = here;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            if (!(with[k] >> lane & 1)) continue;
            count to = base + before[k * WARPS + warp] + (unsigned)__popc(with[k] & ((1u << lane) - 1));
            l.row[to] = edge[k].x;
            l.entry[to] = edge[k].y;
        }
    }
}

/* By binary search for each row: going by edges would leave many empty rows to one thread. */
__global__ void find_rows(const uint32_t *row, weft_eid edges, weft_vid n, weft_eid *offsets) {
    for (uint64_t r = blockIdx.x * (uint64_t)THREADS + threadIdx.x; r <= n; r += (uint64_t)gridDim.x * THREADS)
        offsets[r] = r < n ? wfi_lower_bound(row, (weft_eid)0, edges, (uint32_t)r) : edges;
}

__global__ void take_apart(weft_vid *targets, weft_eid edges, uint8_t *arcs) {
    for (weft_eid i = blockIdx.x * (weft_eid)THREADS + threadIdx.x; i < edges; i += (weft_eid)gridDim.x * THREADS) {
        arcs[i] = (uint8_t)(1 + (targets[i] & 1));
        targets[i] >>= 1;
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

/* Counts the rows of each kind, or, if there is a list, puts them there; `figures` then has the next position of each
 * kind.  A block counts its share in shared memory first, because all blocks use the same three counters. */
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

/* The inputs, and the temporary arrays. */
struct making {
    const weft_graph *g;
    const wfi_view *out, *in; /* in: of a directed graph */
    bool with_arcs;
    wfi_buffer<uint32_t> degree, mutual;
    wfi_buffer<weft_vid> vertex, rank;
    wfi_buffer<uint32_t> row; /* rows of the edges */
};

side side_of(const making *m, bool incoming) {
    wfi_view none = {};
    const wfi_view *other = incoming ? m->out : m->in;
    return {incoming ? *m->in : *m->out, other ? *other : none, m->g->n, m->g->arcs, m->in != NULL, incoming};
}

/* Degrees of the simple view, and from them ranks and the number of edges. */
weft_status rank_by_degree(weft_ctx *ctx, making *m, wfi_oriented_rows *o) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    const wfi_view *out = m->out, *in = m->in;
    weft_vid n = m->g->n;
    weft_eid arcs = m->g->arcs;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS), tiles = wfi_grid(arcs, TILE, MOST_BLOCKS);
    wfi_buffer<char> scratch;
    wfi_buffer<count> sum;
    size_t bytes = 0, more = 0;
    weft_status st = m->degree.take(ctx, n);
    if (!st) st = m->vertex.take(ctx, n);
    if (!st) st = o->degree.take(ctx, n);
    if (!st) st = o->vertex.take(ctx, n);
    if (!st) st = m->rank.take(ctx, n);
    if (!st) st = sum.take(ctx, 1);
    if (!st && m->with_arcs) st = m->mutual.take_zeroed(ctx, n);
    if (!st && m->with_arcs) st = o->mutual.take(ctx, n);
    if (st) return st;
    measure_rows<<<blocks, THREADS, 0, stream>>>(*out, in ? *in : *out, n, in != NULL, m->degree.data, m->vertex.data);
    drop_repeats<<<wfi_grid(arcs, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(*out, n, arcs, m->degree.data);
    if (in) drop_incoming<<<tiles, THREADS, 0, stream>>>(side_of(m, true), m->degree.data, m->mutual.data);
    cub::DoubleBuffer<uint32_t> degree(m->degree.data, o->degree.data);
    cub::DoubleBuffer<weft_vid> vertex(m->vertex.data, o->vertex.data);
    int bits = (int)wfi_bits(n);
    WFI_CUDA_OR_RETURN(cub::DeviceReduce::Sum(NULL, bytes, m->degree.data, sum.data, (int64_t)n, stream));
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairsDescending(NULL, more, degree, vertex, (int64_t)n, 0, bits, stream));
    bytes = bytes < more ? more : bytes;
    st = scratch.take(ctx, bytes);
    if (st) return st;
    more = bytes;
    WFI_CUDA_OR_RETURN(cub::DeviceReduce::Sum(scratch.data, more, m->degree.data, sum.data, (int64_t)n, stream));
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairsDescending(scratch.data, bytes, degree, vertex, (int64_t)n, 0, bits, stream));
    if (degree.Current() != o->degree.data) o->degree.swap(m->degree);
    if (vertex.Current() != o->vertex.data) o->vertex.swap(m->vertex);
    rank_vertices<<<blocks, THREADS, 0, stream>>>(o->vertex.data, n, m->rank.data, m->mutual.data, o->mutual.data);
    count twice = 0;
    st = wfi_download(ctx, &twice, sum.data, sizeof twice);
    o->edges = twice / 2;
    m->degree.give();
    m->vertex.give();
    m->mutual.give();
    return st;
}

/* Edges by the rank from which they are listed; in a directed graph those from outgoing arcs first. */
weft_status list_sides(weft_ctx *ctx, making *m, wfi_oriented_rows *o) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = m->g->n;
    uint64_t tiles = m->g->arcs / TILE + 1;
    int sides = m->in ? 2 : 1;
    wfi_buffer<weft_eid> starts;
    wfi_buffer<count> tickets;
    wfi_buffer<wfi_tile_word> words;
    weft_status st = starts.take(ctx, (size_t)n + 1);
    if (!st) st = tickets.take_zeroed(ctx, 2);
    if (!st) st = words.take_zeroed(ctx, (size_t)sides * tiles);
    for (int incoming = 0, first_word = 0; incoming < sides && !st; incoming++) {
        side s = side_of(m, incoming);
        weft_eid arcs = 0;
        lengths_by_rank<<<wfi_grid((uint64_t)n + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
            s.rows, o->degree.data, o->vertex.data, n, starts.data);
        st = wfi_exclusive_scan_cuda(ctx, starts.data, (size_t)n + 1);
        if (!st) st = wfi_download(ctx, &arcs, starts.data + n, sizeof arcs);
        if (st || !arcs) continue;
        listing l = {m->rank.data, o->vertex.data,      starts.data,     arcs,
                     m->with_arcs, m->row.data,         o->targets.data, tickets.data + incoming,
                     words.data,   (uint64_t)first_word};
        list_edges<<<wfi_grid(arcs, TILE, MOST_BLOCKS), THREADS, 0, stream>>>(s, l);
        first_word += (int)((arcs + TILE - 1) / TILE);
    }
    return st;
}

weft_status make_rows(weft_ctx *ctx, making *m, wfi_oriented_rows *o) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    weft_vid n = m->g->n;
    weft_eid edges = o->edges;
    unsigned bits = wfi_bits(n - 1);
    weft_status st = m->row.take(ctx, edges);
    if (!st) st = o->targets.take(ctx, edges);
    if (!st) st = list_sides(ctx, m, o);
    m->rank.give();
    if (!st && m->in) st = wfi_sort_pairs(ctx, o->targets, m->row, edges, bits + m->with_arcs);
    if (!st) st = wfi_sort_pairs(ctx, m->row, o->targets, edges, bits);
    if (!st) st = o->offsets.take(ctx, (size_t)n + 1);
    if (!st && m->with_arcs) st = o->arcs.take(ctx, edges);
    if (st) return st;
    find_rows<<<wfi_grid((uint64_t)n + 1, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(m->row.data, edges, n,
                                                                                       o->offsets.data);
    if (m->with_arcs)
        take_apart<<<wfi_grid(edges, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(o->targets.data, edges, o->arcs.data);
    m->row.give();
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

weft_status wfi_orient(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_view *in, bool with_arcs,
                       wfi_oriented_rows *o) {
    making m;
    m.g = g;
    m.out = out;
    m.in = in;
    m.with_arcs = with_arcs;
    wfi_kernel_scope stage(ctx, "relabel");
    wfi_progress(ctx, "orienting the edges", 0, 0);
    o->clear();
    o->n = g->n;
    weft_status st = rank_by_degree(ctx, &m, o);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = make_rows(ctx, &m, o);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    return st ? st : list_rows(ctx, o);
}
