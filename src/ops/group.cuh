/* Row group, on the GPU: the arcs of a row summed by a key of their other ends; then a body sees each key with its sum.
 *
 * A body B, a struct that kernels are given by value, has
 *
 *     typedef ... sum;                             uint32_t or uint64_t: what weights are added in
 *     unsigned hash                                a multiplier, below
 *     struct row;  row enter(v)                     what is read once for a row
 *     weft_vid key(row, u)                         of a target; WEFT_NO_VERTEX: the arc does not count
 *     struct seen; seen look(row, key)             what is read for a key, early, so that many reads are under way
 *     void weigh(row, key, sum, seen, best)        a key of the row, in any order
 *     void close(row, best)                        after all of them
 *
 * and `best`, a wfi_group_best, is the best of what all threads of the row have seen, by join(row, best, other).  A row
 * may be written over in weigh: all of its arcs have been read then.
 *
 * Method: rows are listed by length.  Up to 32 arcs: a group of lanes compares all pairs by shuffles; up to 256: a
 * warp with a hash table in shared memory; up to 1,024: a block with one; longer ones in pieces of 4,096 arcs, each
 * summed in shared memory, then merged in a table in global memory, of which another kernel looks through pieces.  No
 * table is larger than twice the number of keys that there can be. */
#ifndef WFI_OPS_GROUP_CUH
#define WFI_OPS_GROUP_CUH

#include "cuda/launch.cuh"
#include "cuda/transfer.h"

enum {
    WFI_GROUP_BINS = 5,
    WFI_GROUP_PIECE = 4096, /* arcs */
    WFI_GROUP_PIECE_THREADS = 1024,
    WFI_GROUP_SCAN_THREADS = 512,
    WFI_GROUP_WARP_SLOTS = 480 /* for up to 256 keys, so that the tables of eight warps fit into 48 KiB */
};

template <class S> struct wfi_group_rows {
    const weft_eid *begin, *end;
    const weft_vid *targets;
    const S *weights; /* NULL: each arc weighs 1 */
};

struct wfi_group_best {
    double gain;
    unsigned long long own;
    weft_vid to;
};

/* A row of more than a piece, and its pieces. */
struct wfi_group_long {
    unsigned long long table; /* its first slot */
    weft_vid v;
    unsigned size, scanned, first_piece;
};
struct wfi_group_piece {
    weft_vid v;
    unsigned piece, row; /* row: of the list of long ones, ~0u: it is the row's only piece */
};

/* What a step counts. */
struct wfi_group_counts {
    unsigned rows[WFI_GROUP_BINS], pieces, longs, changed, left;
    unsigned long long slots;
};

/* Arrays of a run, on the GPU. */
template <class S> struct wfi_group_lists {
    weft_vid *list;  /* a place for each vertex */
    unsigned *first; /* of each bin: where its rows begin in the list */
    wfi_group_piece *piece;
    wfi_group_long *longs;
    wfi_group_best *part; /* of each piece of a table */
    uint64_t slots;       /* in all tables, at most */
    weft_vid *key;        /* tables, free between steps: so many places, which the caller has (wfi_group_tables) */
    S *sum;
};

static inline uint64_t wfi_group_most_pieces(uint64_t arcs) { return arcs / 1024 + arcs / WFI_GROUP_PIECE + 16; }

template <class S>
static inline void wfi_group_lists_lay_out(wfi_workspace *device, weft_vid n, uint64_t arcs, wfi_group_lists<S> *l) {
    l->slots = arcs > WFI_GROUP_PIECE ? arcs + WFI_GROUP_PIECE : 0;
    wfi_array(device, &l->list, n);
    wfi_array(device, &l->first, WFI_GROUP_BINS + 1);
    wfi_array_within(device, &l->piece, wfi_group_most_pieces(arcs));
    wfi_array_within(device, &l->longs, arcs / WFI_GROUP_PIECE + 1);
    wfi_array_within(device, &l->part, wfi_group_most_pieces(arcs));
}

__host__ __device__ static inline int wfi_group_bin(uint64_t arcs) {
    return arcs <= 8 ? 0 : arcs <= 32 ? 1 : arcs <= 256 ? 2 : arcs <= 1024 ? 3 : 4;
}

/* Slots that a row of so many arcs gets: twice the keys that it can have, where there is room for that. */
__device__ static inline unsigned wfi_group_size(uint64_t arcs, unsigned keys, bool roomy) {
    uint64_t most = arcs < keys ? arcs : keys;
    return (unsigned)(roomy ? 2 * most : most < arcs ? most + 1 : arcs);
}

/* --- lists ----------------------------------------------------------------------------------------------- */

/* Rows of each bin among n: so much of the list is theirs.  `room`: arcs in rows of more than a piece. */
template <class S>
__global__ void wfi_group_measure(weft_vid n, wfi_group_rows<S> rows, unsigned *count, unsigned long long *room) {
    __shared__ unsigned mine[WFI_GROUP_BINS];
    if (threadIdx.x < WFI_GROUP_BINS) mine[threadIdx.x] = 0;
    __syncthreads();
    for (uint64_t v = wfi_thread(); v < n; v += wfi_all_threads()) {
        uint64_t arcs = rows.end[v] - rows.begin[v];
        if (arcs) atomicAdd(&mine[wfi_group_bin(arcs)], 1u);
        if (arcs > WFI_GROUP_PIECE) atomicAdd(room, (unsigned long long)arcs);
    }
    __syncthreads();
    if (threadIdx.x < WFI_GROUP_BINS && mine[threadIdx.x]) atomicAdd(&count[threadIdx.x + 1], mine[threadIdx.x]);
}

__global__ static void wfi_group_place(unsigned *first) {
    for (int b = 1; b <= WFI_GROUP_BINS; b++) first[b] += first[b - 1];
}

/* Those that the body wants, of rows that have arcs. */
template <class B>
__global__ void __launch_bounds__(256)
    wfi_group_select(B body, weft_vid n, wfi_group_rows<typename B::sum> rows, wfi_group_lists<typename B::sum> l,
                     wfi_group_counts *c, const unsigned *keys, bool roomy) {
    __shared__ unsigned mine[WFI_GROUP_BINS], base[WFI_GROUP_BINS];
    for (uint64_t from = blockIdx.x * (uint64_t)1024; from < n; from += gridDim.x * (uint64_t)1024) {
        unsigned place[4];
        int bin[4];
        if (threadIdx.x < WFI_GROUP_BINS) mine[threadIdx.x] = 0;
        __syncthreads();
        for (int i = 0; i < 4; i++) {
            uint64_t v = from + i * 256 + threadIdx.x;
            bin[i] = -1;
            if (v >= n || !body.wants((weft_vid)v)) continue;
            uint64_t arcs = rows.end[v] - rows.begin[v];
            if (!arcs) continue;
            bin[i] = wfi_group_bin(arcs);
            place[i] = atomicAdd(&mine[bin[i]], 1u);
        }
        __syncthreads();
        if (threadIdx.x < WFI_GROUP_BINS && mine[threadIdx.x])
            base[threadIdx.x] = atomicAdd(&c->rows[threadIdx.x], mine[threadIdx.x]);
        __syncthreads();
        for (int i = 0; i < 4; i++) {
            if (bin[i] < 0) continue;
            weft_vid v = (weft_vid)(from + i * 256 + threadIdx.x);
            l.list[l.first[bin[i]] + base[bin[i]] + place[i]] = v;
            if (bin[i] < WFI_GROUP_BINS - 1) continue;
            uint64_t arcs = rows.end[v] - rows.begin[v];
            unsigned pieces = (unsigned)((arcs + WFI_GROUP_PIECE - 1) / WFI_GROUP_PIECE), row = ~0u;
            unsigned at = atomicAdd(&c->pieces, pieces);
            if (pieces > 1) {
                unsigned size = wfi_group_size(arcs, *keys, roomy);
                row = atomicAdd(&c->longs, 1u);
                l.longs[row] = {atomicAdd(&c->slots, (unsigned long long)size), v, size, 0, at};
            }
            for (unsigned p = 0; p < pieces; p++) l.piece[at + p] = {v, p, row};
        }
        __syncthreads();
    }
}

/* --- tables ---------------------------------------------------------------------------------------------- */

template <class S> __device__ static inline S wfi_group_weight(const wfi_group_rows<S> &rows, weft_eid e) {
    return rows.weights ? rows.weights[e] : (S)1;
}

__device__ static inline void wfi_group_sum(uint32_t *at, uint32_t more) { atomicAdd(at, more); }
__device__ static inline void wfi_group_sum(uint64_t *at, uint64_t more) {
    atomicAdd((unsigned long long *)at, (unsigned long long)more);
}

/* Multipliers of hashes.  What was written in the order of one table must not be read into another by the same: keys
 * that come in the order of their slots pile up. */
enum : unsigned { WFI_GROUP_HASH = 2654435761u, WFI_GROUP_HASH_EVEN = 2246822519u, WFI_GROUP_HASH_ODD = 3266489917u };

__device__ static inline unsigned wfi_group_slot(unsigned hash, weft_vid key, unsigned size) {
    return __umulhi(key * hash, size);
}

template <class S>
__device__ static inline void wfi_group_insert(unsigned hash, weft_vid *keys, S *sums, unsigned size, weft_vid key,
                                               S weight) {
    unsigned at = wfi_group_slot(hash, key, size);
    for (;;) {
        weft_vid there = *(volatile weft_vid *)&keys[at];
        if (there == WEFT_NO_VERTEX) there = atomicCAS(&keys[at], (weft_vid)WEFT_NO_VERTEX, key);
        if (there == WEFT_NO_VERTEX || there == key) break;
        at = at + 1 == size ? 0 : at + 1;
    }
    wfi_group_sum(&sums[at], weight);
}

/* Arcs from ... end - 1 by T threads. */
template <int T, class B>
__device__ static inline void wfi_group_fill(const B &body, const typename B::row &row,
                                             const wfi_group_rows<typename B::sum> &rows, weft_eid from, weft_eid end,
                                             unsigned t, weft_vid *keys, typename B::sum *sums, unsigned size) {
    enum { AT_ONCE = 4 };
    for (weft_eid e = from + t; e < end; e += AT_ONCE * T) {
        weft_vid key[AT_ONCE];
        typename B::sum weight[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            key[i] = e + i * T < end ? rows.targets[e + i * T] : WEFT_NO_VERTEX;
            weight[i] = e + i * T < end ? wfi_group_weight(rows, e + i * T) : 0;
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (key[i] != WEFT_NO_VERTEX) key[i] = body.key(row, key[i]);
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (key[i] != WEFT_NO_VERTEX) wfi_group_insert(body.hash, keys, sums, size, key[i], weight[i]);
    }
}

template <int T, class B>
__device__ static inline void wfi_group_scan(const B &body, const typename B::row &row, const weft_vid *keys,
                                             const typename B::sum *sums, unsigned size, unsigned t,
                                             wfi_group_best &best) {
    enum { AT_ONCE = 4 };
    for (unsigned s = t; s < size; s += AT_ONCE * T) {
        weft_vid key[AT_ONCE];
        typename B::seen seen[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) key[i] = s + i * T < size ? keys[s + i * T] : WEFT_NO_VERTEX;
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (key[i] != WEFT_NO_VERTEX) seen[i] = body.look(row, key[i]);
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (key[i] != WEFT_NO_VERTEX) body.weigh(row, key[i], sums[s + i * T], seen[i], best);
    }
}

__device__ static inline wfi_group_best wfi_group_none(void) { return {0, 0, WEFT_NO_VERTEX}; }

template <int G, class B>
__device__ static inline wfi_group_best wfi_group_join(const B &body, const typename B::row &row, wfi_group_best best,
                                                       unsigned mask) {
    for (int far = G / 2; far; far /= 2) {
        wfi_group_best other;
        other.gain = __shfl_xor_sync(mask, best.gain, far, G);
        other.own = __shfl_xor_sync(mask, best.own, far, G);
        other.to = __shfl_xor_sync(mask, best.to, far, G);
        body.join(row, best, other);
    }
    return best;
}

/* Thread 0 has the best of all T threads of a block. */
template <int T, class B>
__device__ static inline wfi_group_best wfi_group_join_block(const B &body, const typename B::row &row,
                                                             wfi_group_best best) {
    __shared__ wfi_group_best warp[T / 32];
    best = wfi_group_join<32>(body, row, best, ~0u);
    if (threadIdx.x % 32 == 0) warp[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x < 32) {
        best = threadIdx.x < T / 32 ? warp[threadIdx.x] : wfi_group_none();
        best = wfi_group_join<T / 32>(body, row, best, ~0u);
    }
    __syncthreads();
    return best;
}

/* --- rows by length -------------------------------------------------------------------------------------- */

template <int G, class B>
__device__ static inline void wfi_group_lanes(const B &body, const wfi_group_rows<typename B::sum> &rows,
                                              const weft_vid *list, unsigned count) {
    typedef typename B::sum sum;
    unsigned lane = threadIdx.x % G, mask = G == 32 ? ~0u : ((1u << G % 32) - 1) << threadIdx.x % 32 / G * G;
    for (unsigned i = (blockIdx.x * 256 + threadIdx.x) / G; i < count; i += gridDim.x * (256 / G)) {
        weft_vid v = list[i], key = WEFT_NO_VERTEX;
        weft_eid from = rows.begin[v];
        int arcs = (int)(rows.end[v] - from);
        typename B::row row = body.enter(v);
        sum weight = 0, all = 0;
        bool first = true;
        if ((int)lane < arcs) {
            key = body.key(row, rows.targets[from + lane]);
            weight = wfi_group_weight(rows, from + lane);
        }
        for (int j = 0; j < arcs; j++) {
            weft_vid other = __shfl_sync(mask, key, j, G);
            sum more = __shfl_sync(mask, weight, j, G);
            if (other != key) continue;
            all += more;
            if (j < (int)lane) first = false;
        }
        wfi_group_best best = wfi_group_none();
        if (key != WEFT_NO_VERTEX && first) body.weigh(row, key, all, body.look(row, key), best);
        best = wfi_group_join<G>(body, row, best, mask);
        if (!lane) body.close(row, best);
    }
}

/* Rows of up to 1,024 arcs: a block for each of the longest, then a warp, then lanes. */
template <class B>
__global__ void __launch_bounds__(256, 6)
    wfi_group_short(B body, wfi_group_rows<typename B::sum> rows, wfi_group_lists<typename B::sum> l,
                    const wfi_group_counts *c, const unsigned *keys_there) {
    __shared__ weft_vid key[8 * WFI_GROUP_WARP_SLOTS];
    __shared__ typename B::sum sum[8 * WFI_GROUP_WARP_SLOTS];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, most = *keys_there;
    for (unsigned i = blockIdx.x; i < c->rows[3]; i += gridDim.x) {
        weft_vid v = l.list[l.first[3] + i];
        weft_eid from = rows.begin[v], end = rows.end[v];
        unsigned size = wfi_group_size(end - from, most, true);
        typename B::row row = body.enter(v);
        for (unsigned s = threadIdx.x; s < size; s += 256) key[s] = WEFT_NO_VERTEX, sum[s] = 0;
        __syncthreads();
        wfi_group_fill<256>(body, row, rows, from, end, threadIdx.x, key, sum, size);
        __syncthreads();
        wfi_group_best best = wfi_group_none();
        wfi_group_scan<256>(body, row, key, sum, size, threadIdx.x, best);
        best = wfi_group_join_block<256>(body, row, best);
        if (!threadIdx.x) body.close(row, best);
    }
    weft_vid *warp_key = key + WFI_GROUP_WARP_SLOTS * warp;
    typename B::sum *warp_sum = sum + WFI_GROUP_WARP_SLOTS * warp;
    for (unsigned i = blockIdx.x * 8 + warp; i < c->rows[2]; i += gridDim.x * 8) {
        weft_vid v = l.list[l.first[2] + i];
        weft_eid from = rows.begin[v], end = rows.end[v];
        unsigned size = wfi_group_size(end - from, most, true);
        if (size > WFI_GROUP_WARP_SLOTS) size = WFI_GROUP_WARP_SLOTS;
        typename B::row row = body.enter(v);
        for (unsigned s = lane; s < size; s += 32) warp_key[s] = WEFT_NO_VERTEX, warp_sum[s] = 0;
        __syncwarp();
        wfi_group_fill<32>(body, row, rows, from, end, lane, warp_key, warp_sum, size);
        __syncwarp();
        wfi_group_best best = wfi_group_none();
        wfi_group_scan<32>(body, row, warp_key, warp_sum, size, lane, best);
        best = wfi_group_join<32>(body, row, best, ~0u);
        if (!lane) body.close(row, best);
        __syncwarp();
    }
    wfi_group_lanes<32>(body, rows, l.list + l.first[1], c->rows[1]);
    wfi_group_lanes<8>(body, rows, l.list + l.first[0], c->rows[0]);
}

/* A piece in shared memory; the sums of a row of several go on to its table in global memory. */
template <class B>
__global__ void __launch_bounds__(WFI_GROUP_PIECE_THREADS, 2)
    wfi_group_pieces(B body, wfi_group_rows<typename B::sum> rows, wfi_group_lists<typename B::sum> l,
                     const wfi_group_counts *c, const unsigned *keys_there) {
    enum { T = WFI_GROUP_PIECE_THREADS };
    typedef typename B::sum sum_t;
    extern __shared__ uint64_t wfi_group_table[];
    sum_t *sum = (sum_t *)wfi_group_table;
    weft_vid *key = (weft_vid *)(sum + 2 * WFI_GROUP_PIECE);
    unsigned count = c->pieces, most = *keys_there;
    for (unsigned i = blockIdx.x; i < count; i += gridDim.x) {
        wfi_group_piece p = l.piece[i];
        weft_eid from = rows.begin[p.v] + (weft_eid)p.piece * WFI_GROUP_PIECE, end = rows.end[p.v];
        if (end > from + WFI_GROUP_PIECE) end = from + WFI_GROUP_PIECE;
        unsigned size = wfi_group_size(end - from, most, true);
        typename B::row row = body.enter(p.v);
        for (unsigned s = threadIdx.x; s < size; s += T) key[s] = WEFT_NO_VERTEX, sum[s] = 0;
        __syncthreads();
        wfi_group_fill<T>(body, row, rows, from, end, threadIdx.x, key, sum, size);
        __syncthreads();
        if (p.row == ~0u) {
            wfi_group_best best = wfi_group_none();
            wfi_group_scan<T>(body, row, key, sum, size, threadIdx.x, best);
            best = wfi_group_join_block<T>(body, row, best);
            if (!threadIdx.x) body.close(row, best);
        } else {
            wfi_group_long all = l.longs[p.row];
            for (unsigned s = threadIdx.x; s < size; s += T)
                if (key[s] != WEFT_NO_VERTEX)
                    wfi_group_insert(body.hash, l.key + all.table, l.sum + all.table, all.size, key[s], sum[s]);
            __syncthreads();
        }
    }
}

/* The tables in global memory, in pieces, which are free again afterwards; whoever is last of a row closes it. */
template <class B>
__global__ void __launch_bounds__(WFI_GROUP_SCAN_THREADS, 4)
    wfi_group_scans(B body, wfi_group_lists<typename B::sum> l, const wfi_group_counts *c) {
    enum { T = WFI_GROUP_SCAN_THREADS, SLOTS = 2 * WFI_GROUP_PIECE };
    __shared__ bool last;
    unsigned count = c->pieces;
    if (!c->longs) return;
    for (unsigned i = blockIdx.x; i < count; i += gridDim.x) {
        wfi_group_piece p = l.piece[i];
        if (p.row == ~0u) continue;
        wfi_group_long *all = &l.longs[p.row];
        unsigned pieces = (all->size + SLOTS - 1) / SLOTS, from = p.piece * SLOTS;
        if (p.piece >= pieces) continue;
        unsigned size = all->size - from < SLOTS ? all->size - from : SLOTS;
        weft_vid *key = l.key + all->table + from;
        typename B::sum *sum = l.sum + all->table + from;
        typename B::row row = body.enter(p.v);
        wfi_group_best best = wfi_group_none();
        wfi_group_scan<T>(body, row, key, sum, size, threadIdx.x, best);
        for (unsigned s = threadIdx.x; s < size; s += T) key[s] = WEFT_NO_VERTEX, sum[s] = 0;
        best = wfi_group_join_block<T>(body, row, best);
        if (pieces > 1) {
            if (!threadIdx.x) {
                l.part[all->first_piece + p.piece] = best;
                __threadfence();
                last = atomicAdd(&all->scanned, 1u) == pieces - 1;
            }
            __syncthreads();
            if (!last) continue;
            __threadfence();
            best = wfi_group_none();
            for (unsigned s = threadIdx.x; s < pieces; s += T) {
                volatile wfi_group_best *from_piece = &l.part[all->first_piece + s];
                body.join(row, best, {from_piece->gain, from_piece->own, from_piece->to});
            }
            best = wfi_group_join_block<T>(body, row, best);
        }
        if (!threadIdx.x) body.close(row, best);
        __syncthreads();
    }
}

/* --- a step ---------------------------------------------------------------------------------------------- */

/* What rows there are. */
struct wfi_group_shape {
    weft_vid n;
    bool pieces;    /* are there rows of more than 1,024 arcs? */
    uint64_t slots; /* in all tables: none without rows of more than a piece */
    bool roomy;     /* can every such row have a table of twice its arcs? */
};

/* For rows of n vertices that come next.  Waits for the shape. */
template <class S>
static weft_status wfi_group_prepare(weft_ctx *ctx, weft_vid n, const wfi_group_rows<S> &rows,
                                     const wfi_group_lists<S> &l, unsigned long long *room, wfi_group_shape *shape) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned long long arcs = 0;
    unsigned first[WFI_GROUP_BINS + 1] = {0};
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(l.first, 0, (WFI_GROUP_BINS + 1) * sizeof *l.first, stream));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(room, 0, sizeof *room, stream));
    wfi_group_measure<<<wfi_each_blocks(n, 2048), 256, 0, stream>>>(n, rows, l.first, room);
    wfi_group_place<<<1, 1, 0, stream>>>(l.first);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    weft_status st = WEFT_OK;
    if (l.slots) st = wfi_download(ctx, &arcs, room, sizeof arcs);
    if (!st) st = wfi_download(ctx, first, l.first, sizeof first);
    *shape = {n, first[WFI_GROUP_BINS] > first[WFI_GROUP_BINS - 1], wfi_min_u64(2 * arcs, l.slots),
              2 * arcs <= l.slots};
    return st;
}

/* Tables lie here from now on, and are free. */
template <class S>
static weft_status wfi_group_tables(weft_ctx *ctx, const wfi_group_shape &shape, weft_vid *key, S *sum,
                                    wfi_group_lists<S> *l) {
    l->key = key;
    l->sum = sum;
    if (!shape.slots) return WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(key, 0xff, shape.slots * sizeof *key, wfi_cuda_stream(ctx)));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(sum, 0, shape.slots * sizeof *sum, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* The rows that the body wants.  keys: how many there can be.  c: zeroed. */
template <class B>
static weft_status
wfi_group_step(weft_ctx *ctx, const B &body, const wfi_group_shape &shape, const wfi_group_rows<typename B::sum> &rows,
               const wfi_group_lists<typename B::sum> &l, wfi_group_counts *c, const unsigned *keys) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned sms = (unsigned)wfi_gpu_of(ctx)->sms, n = shape.n;
    size_t table = 2 * WFI_GROUP_PIECE * (sizeof(typename B::sum) + sizeof(weft_vid)), most;
    wfi_group_select<<<n / 1024 + 1 < sms * 6 ? n / 1024 + 1 : sms * 6, 256, 0, stream>>>(body, n, rows, l, c, keys,
                                                                                          shape.roomy);
    if (shape.pieces) {
        weft_status st = wfi_allow_shared_memory(ctx, (const void *)wfi_group_pieces<B>, &most);
        if (st) return st;
        wfi_group_pieces<<<sms * 2, WFI_GROUP_PIECE_THREADS, table, stream>>>(body, rows, l, c, keys);
        if (shape.slots) wfi_group_scans<<<sms * 4, WFI_GROUP_SCAN_THREADS, 0, stream>>>(body, l, c);
    }
    wfi_group_short<<<sms * 6 < n ? sms * 6 : n, 256, 0, stream>>>(body, rows, l, c, keys);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* f(v), by threads, for each row of the step. */
template <class S, class F>
__global__ void __launch_bounds__(256) wfi_group_each_row(wfi_group_lists<S> l, const wfi_group_counts *c, F f) {
    for (int bin = 0; bin < WFI_GROUP_BINS; bin++)
        for (uint64_t i = wfi_thread(); i < c->rows[bin]; i += wfi_all_threads()) f(l.list[l.first[bin] + i]);
}

/* Arcs from + t, from + t + T ... of row v, some at a time, so that many reads are under way. */
template <int T, class F>
__device__ static inline void wfi_group_take(const F &f, const weft_vid *targets, weft_vid v, weft_eid from,
                                             weft_eid end, unsigned t) {
    enum { AT_ONCE = 4 };
    unsigned long long mine = 0;
    for (weft_eid e = from + t; e < end; e += AT_ONCE * T) {
        weft_vid u[AT_ONCE];
        typename F::seen seen[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) u[i] = e + i * T < end ? targets[e + i * T] : WEFT_NO_VERTEX;
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (u[i] != WEFT_NO_VERTEX) seen[i] = f.look(u[i], e + i * T);
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (u[i] != WEFT_NO_VERTEX) f.take(v, u[i], e + i * T, seen[i], mine);
    }
    f.end(v, mine);
}

/* For each arc of those rows of the step that f wants, by threads in groups that suit their lengths: what f.look(u,
 * arc) sees early goes to f.take(v, u, arc, seen, mine), and f.end(v, mine) is said by each thread of the row, with a
 * number that began as 0. */
template <class S, class F>
__global__ void __launch_bounds__(256)
    wfi_group_each_arc(wfi_group_rows<S> rows, wfi_group_lists<S> l, const wfi_group_counts *c, F f) {
    for (unsigned i = blockIdx.x; i < c->pieces; i += gridDim.x) {
        wfi_group_piece p = l.piece[i];
        if (!f.wants(p.v)) continue;
        weft_eid from = rows.begin[p.v] + (weft_eid)p.piece * WFI_GROUP_PIECE, end = rows.end[p.v];
        if (end > from + WFI_GROUP_PIECE) end = from + WFI_GROUP_PIECE;
        wfi_group_take<256>(f, rows.targets, p.v, from, end, threadIdx.x);
    }
    for (int bin = 3; bin >= 1; bin--)
        for (unsigned i = blockIdx.x * 8 + threadIdx.x / 32; i < c->rows[bin]; i += gridDim.x * 8) {
            weft_vid v = l.list[l.first[bin] + i];
            if (f.wants(v)) wfi_group_take<32>(f, rows.targets, v, rows.begin[v], rows.end[v], threadIdx.x % 32);
        }
    for (unsigned i = blockIdx.x * 32 + threadIdx.x / 8; i < c->rows[0]; i += gridDim.x * 32) {
        weft_vid v = l.list[l.first[0] + i];
        if (f.wants(v)) wfi_group_take<8>(f, rows.targets, v, rows.begin[v], rows.end[v], threadIdx.x % 8);
    }
}

#endif
