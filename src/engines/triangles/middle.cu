/* Triangles w < v < u (by rank) whose middle corner v is no hub: wedge check against a hashed neighbourhood in shared
 * memory.  Needs: the orientation, and for each v the long rows u that contain it (wfi_middles).
 * Method: a group of warps loads the row of v into a hash set in shared memory, then streams the rows u that contain v,
 * up to v, and looks each entry w up.  The set is built once for all u, and each pair (w, v) of a row is checked once:
 * in all sum over rows of length^2 / 2 lookups.  Intersecting the rows of u and v instead costs their lengths, six
 * times as much at R-MAT 24.  A warp reads 32 rows in steps of 128 entries, and loads the next step meanwhile.
 * Encoding: the lowest ranks are a bitmap; the others a table with open addressing, filled at most by half, in several
 * passes if v has more.  The lowest ranks also have counters that the groups of a block share until its work is done.
 * After: Hu, Liu, Huang, "TriCore: parallel triangle counting on GPUs", SC 2018; Pandey et al., "H-INDEX: hash-indexing
 * for parallel triangle counting on GPUs", HPEC 2019. */
#include "core/search.h"
#include "cuda/buffers.cuh"
#include "cuda/launch.cuh"
#include "cuda/warp.cuh"
#include "engines/triangles/triangles_cuda.cuh"

#include <cub/device/device_scan.cuh>

namespace {

typedef unsigned long long count;

enum { THREADS = 256, WARP = 32, AHEAD = 4, TABLE = 1 << 10, PIECE = TABLE / 2 };
#define NOBODY 0xffffffffu

struct view {
    const weft_eid *offsets;
    const weft_vid *targets;
    const count *ends;
    const wfi_held *held;
    count listed;
    weft_vid n;
};

/* A block's division of its shared memory: a counter for each of the lowest ranks, then for each group the bits and the
 * table. */
struct layout {
    unsigned threads, each; /* threads of the block, threads of a group */
    weft_vid counted, marked;
    __host__ __device__ unsigned groups() const { return threads / each; }
    __host__ __device__ unsigned group_words() const { return marked / 32 + TABLE; }
    __host__ __device__ size_t bytes() const { return 4 * ((size_t)counted + groups() * group_words()); }
};

/* The shared memory of a group. */
struct desk {
    unsigned *counters;
    uint32_t *bits;
    weft_vid *table;
    weft_vid counted, marked;
    unsigned thread, threads, barrier;

    __device__ void sync() const { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory"); }

    __device__ void put(weft_vid w) const {
        unsigned slot = w % TABLE;
        while (atomicCAS(&table[slot], NOBODY, w) != NOBODY) slot = (slot + 1) % TABLE;
    }

    __device__ bool has(weft_vid w) const {
        if (w < marked) return bits[w / 32] >> w % 32 & 1;
        for (unsigned slot = w % TABLE; table[slot] != NOBODY; slot = (slot + 1) % TABLE)
            if (table[slot] == w) return true;
        return false;
    }
};

struct row_of {
    const weft_vid *entries;
    unsigned length;
};

__device__ row_of row(const view &o, weft_vid v) {
    weft_eid begin = o.offsets[v];
    return {o.targets + begin, (unsigned)(o.offsets[v + 1] - begin)};
}

/* --- marks ----------------------------------------------------------------------------------------- */

/* The first entry that may have to go to the table; a multiple of pieces follows.  Usually one piece is enough, and no
 * search is made. */
__device__ unsigned first_piece(const desk &d, const row_of &r) {
    if (r.length <= PIECE) return 0;
    unsigned low = 0, high = r.length - PIECE;
    if (r.entries[high - 1] < d.marked) return high;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (r.entries[mid] < d.marked)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The bits are set with the first piece. */
__device__ void mark(const desk &d, const row_of &r, unsigned from, bool first) {
    for (unsigned i = d.thread; i < r.length; i += d.threads) {
        weft_vid w = r.entries[i];
        if (w >= d.marked && i - from < PIECE) d.put(w);
        if (w < d.marked && first) atomicOr(&d.bits[w / 32], 1u << w % 32);
    }
}

__device__ void unmark(const desk &d, const row_of &r, bool first) {
    for (unsigned i = d.thread; first && i < r.length; i += d.threads)
        if (r.entries[i] < d.marked) d.bits[r.entries[i] / 32] = 0;
    if (r.entries[r.length - 1] >= d.marked)
        for (unsigned i = d.thread; i < TABLE; i += d.threads) d.table[i] = NOBODY;
}

/* --- rows ------------------------------------------------------------------------------------------ */

/* Some entries of lane j's row: AHEAD for each lane, from `e` on. */
struct batch {
    unsigned j, left; /* entries up to v, from e on */
    weft_eid e;
    weft_vid w[AHEAD];

    __device__ bool last() const { return left <= AHEAD * WARP; }

    __device__ void fetch(const view &o) {
        unsigned lane = threadIdx.x % WARP;
        const weft_vid *from = o.targets + e + lane;
#pragma unroll
        for (unsigned k = 0; k < AHEAD; k++) w[k] = lane + k * WARP < left ? from[k * WARP] : NOBODY;
    }

    /* The next batch: of the rest of the row, or of the next row. */
    __device__ batch next(weft_eid begin, unsigned length) const {
        bool over = last();
        batch n;
        n.j = j + over;
        weft_eid other = __shfl_sync(~0u, begin, (int)(j + 1) % WARP);
        unsigned other_length = __shfl_sync(~0u, length, (int)(j + 1) % WARP);
        n.e = over ? other : e + AHEAD * WARP;
        n.left = over ? other_length : left - AHEAD * WARP;
        return n;
    }
};

__device__ bool take(const desk &d, weft_vid w, count *triangles_at) {
    if (w == NOBODY || !d.has(w)) return false;
    if (w < d.counted)
        atomicAdd(&d.counters[w], 1u);
    else
        atomicAdd(&triangles_at[w], (count)1);
    return true;
}

/* Counts the marked entries of up to 32 rows; each lane has the begin and length of one. */
__device__ unsigned probe_rows(const view &o, const desk &d, weft_eid begin, unsigned length, unsigned rows,
                               count *triangles_at) {
    unsigned lane = threadIdx.x % WARP, met = 0, mine = 0;
    batch now;
    now.j = 0;
    now.e = __shfl_sync(~0u, begin, 0);
    now.left = __shfl_sync(~0u, length, 0);
    now.fetch(o);
    while (now.j < rows) {
        batch then = now.next(begin, length);
        if (then.j < rows) then.fetch(o);
#pragma unroll
        for (unsigned k = 0; k < AHEAD; k++) {
            if (k * WARP >= now.left) break;
            met += take(d, now.w[k], triangles_at);
        }
        if (now.last()) {
            unsigned sum = wfi_warp_sum(met);
            if (lane == now.j) mine = sum;
            met = 0;
        }
        now = then;
    }
    return mine;
}

/* This warp's rows among the rows begin ... end-1 that contain v: dealt out one by one. */
__device__ void probe_list(const view &o, const desk &d, weft_vid v, count begin, count end, count *triangles_at) {
    unsigned lane = threadIdx.x % WARP, warp = d.thread / WARP, warps = d.threads / WARP;
    count total = 0;
    for (count at = begin + warp; at < end; at += d.threads) {
        count mine = at + lane * warps;
        unsigned rows = (unsigned)min((end - at + warps - 1) / warps, (count)WARP);
        wfi_held held = o.held[lane < rows ? mine : at];
        unsigned met = probe_rows(o, d, o.offsets[held.row], lane < rows ? held.place : 0, rows, triangles_at);
        total += met;
        if (met) atomicAdd(&triangles_at[held.row], (count)met);
    }
    total = wfi_warp_sum(total);
    if (total && lane == 0) atomicAdd(&triangles_at[v], total);
}

__device__ void count_middle(const view &o, const desk &d, weft_vid v, count *triangles_at) {
    count begin = v ? o.ends[v - 1] : 0, end = o.ends[v];
    row_of r = row(o, v);
    if (begin == end || !r.length) return;
    unsigned first = first_piece(d, r), from = first;
    do {
        mark(d, r, from, from == first);
        d.sync();
        probe_list(o, d, v, begin, end, triangles_at);
        d.sync();
        unmark(d, r, from == first);
        d.sync();
        from += PIECE;
    } while (from < r.length);
}

/* The first v whose list ends at `at` or later, or n. */
__device__ weft_vid ends_at(const view &o, count at) { return wfi_lower_bound(o.ends, (weft_vid)0, o.n, at); }

/* Lists that end in begin+1 ... end; a counter grows by no more than their entries. */
__global__ void __launch_bounds__(1024, 1)
    count_middles(view o, layout shape, count begin, count end, count *triangles_at) {
    extern __shared__ uint32_t shared[];
    unsigned group = threadIdx.x / shape.each;
    uint32_t *bits = shared + shape.counted + group * shape.group_words();
    desk d = {shared,     bits,     bits + shape.marked / 32, shape.counted, shape.marked, threadIdx.x % shape.each,
              shape.each, group + 1};
    for (unsigned i = threadIdx.x; i < shape.bytes() / 4; i += shape.threads) shared[i] = 0;
    __syncthreads();
    for (unsigned i = d.thread; i < TABLE; i += d.threads) d.table[i] = NOBODY;
    __syncthreads();
    uint64_t first = ends_at(o, begin + 1), over = min(ends_at(o, end + 1), ends_at(o, o.listed) + 1);
    for (uint64_t v = first + group * gridDim.x + blockIdx.x; v < over; v += (uint64_t)shape.groups() * gridDim.x)
        count_middle(o, d, (weft_vid)v, triangles_at);
    __syncthreads();
    for (weft_vid w = threadIdx.x; w < shape.counted; w += shape.threads)
        if (shared[w]) atomicAdd(&triangles_at[w], (count)shared[w]);
}

/* --- lists ----------------------------------------------------------------------------------------- */

/* Counts the entries to list (held NULL), or lists them; `ends` then has the next position of each list.  A warp for
 * each row. */
__global__ void __launch_bounds__(THREADS)
    list_held(view o, const weft_vid *rows, unsigned many, const uint32_t *split, count *ends, wfi_held *held) {
    unsigned lane = threadIdx.x % WARP;
    for (unsigned at = (blockIdx.x * THREADS + threadIdx.x) / WARP; at < many; at += gridDim.x * (THREADS / WARP)) {
        weft_vid u = rows[at];
        row_of r = row(o, u);
        for (unsigned i = max(split[at], 1u) + lane; i < r.length; i += WARP) {
            count place = atomicAdd(&ends[r.entries[i]], (count)1);
            if (held) held[place] = {u, i};
        }
    }
}

weft_status make_lists(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, const wfi_middles *m, view *v) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(o->many, THREADS / WARP, 1 << 14);
    const weft_vid *rows = o->rows.data + o->tiny + o->few;
    size_t scratch_bytes = m->scratch_bytes;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(m->ends, 0, o->n * sizeof *m->ends, stream));
    list_held<<<blocks, THREADS, 0, stream>>>(*v, rows, o->many, h->split, m->ends, NULL);
    WFI_CUDA_OR_RETURN(
        cub::DeviceScan::ExclusiveSum(m->scratch, scratch_bytes, m->ends, m->ends, (int64_t)o->n, stream));
    list_held<<<blocks, THREADS, 0, stream>>>(*v, rows, o->many, h->split, m->ends, m->held);
    return wfi_download(ctx, &v->listed, m->ends + o->n - 1, sizeof v->listed);
}

} // namespace

void wfi_middles_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, wfi_middles *m) {
    m->scratch_bytes = wfi_cub_scan_bytes(n);
    wfi_array(device, &m->ends, n);
    wfi_array_within(device, &m->held, edges);
    wfi_array_within(device, &m->scratch, m->scratch_bytes);
}

weft_status wfi_middles_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, const wfi_middles *m,
                              count *triangles_at) {
    layout shape = {1024, 128, 1 << 15, 1 << 16}, small = {256, 128, 1 << 12, 1 << 14};
    view v = {o->offsets.data, o->targets.data, m->ends, m->held, 0, o->n};
    size_t available = 0;
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    weft_status st = wfi_allow_shared_memory(ctx, (const void *)count_middles, &available);
    if (!st) st = make_lists(ctx, o, h, m, &v);
    if (st) return st;
    if (available < shape.bytes()) shape = small;
    WFI_CUDA_OR_RETURN(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, count_middles, (int)shape.threads, shape.bytes()));
    count some = wfi_max_u64(((uint64_t)1 << 36) / o->longest, 1 << 16); /* a row takes its length at most */
    for (count done = 0; done < v.listed && !st; done += some) {
        count_middles<<<(unsigned)(sms * fit), shape.threads, shape.bytes(), wfi_cuda_stream(ctx)>>>(
            v, shape, done, wfi_min_u64(v.listed, done + some), triangles_at);
        st = wfi_cuda_sync(ctx);
        wfi_progress(ctx, "counting triangles", done, v.listed);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}
