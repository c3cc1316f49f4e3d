/* Peeling a dense graph as a bit matrix, GPU.  Needs: fewer than WFI_MOST_BIT_VERTICES vertices.
 * Method: row u has a bit for each target of u.  One block owns all columns: a thread owns one or two words of a row,
 * 32 columns each, and counts the remaining arcs into them in registers, so that nothing is written for an arc and no
 * atomics are needed.  A level is one barrier and one read of the rows of its vertices; a word of a row is subtracted
 * from 32 counters at once.  Rows of vertices that will soon be ready are prefetched.
 * If only the verdict is wanted, a second block peels the sinks of the transposed matrix at the same time; the graph is
 * acyclic as soon as each vertex has been taken from one end or the other [1].
 * Encoding: bit b of plane[p] is bit p of the counter of column b; adding and subtracting go plane by plane with a
 * carry, as on paper.  Up to three rows are first added up into two planes, and cost no more than one.
 * [1] McLendon, Hendrickson, Plimpton, Rauchwerger, "Finding strongly connected components in distributed graphs", JPDC
 * 65(8), 2005: trimming from both ends. */
#include "cuda/launch.cuh"
#include "engines/kahn/kahn_cuda.cuh"

namespace {

enum {
    WARP = 32,
    PLANES = 16, /* at most 65535 arcs into a vertex */
    NEAR = 4,    /* a vertex with fewer than 2^NEAR arcs left will soon be ready */
    GROUP = 3,   /* rows subtracted at once */
    SETS = 3,
    MEET = 16, /* levels between two tests whether the ends have met */
    MOST_THREADS = 1024,
    LAY_THREADS = 256,
    MOST_WORDS = WFI_MOST_BIT_VERTICES / 32
};

/* --- the matrix -------------------------------------------------------------------------------- */

/* A block makes a row in shared memory.  A thread takes EIGHT consecutive targets, which lie in few words. */
__global__ void __launch_bounds__(LAY_THREADS) rows_to_bits(const weft_eid *offsets, const weft_vid *targets,
                                                            weft_eid arcs, weft_vid n, size_t stride, uint32_t *bits) {
    enum { EIGHT = 8 };
    __shared__ uint32_t row[MOST_WORDS];
    for (weft_vid u = blockIdx.x; u < n; u += gridDim.x) {
        weft_eid begin = offsets[u], end = offsets[u + 1];
        for (unsigned i = threadIdx.x; i < stride; i += LAY_THREADS) row[i] = 0;
        __syncthreads();
        for (weft_eid e = begin / 4 * 4 + threadIdx.x * EIGHT; e < end; e += LAY_THREADS * EIGHT) {
            weft_vid v[EIGHT];
            if (e + EIGHT <= arcs) {
                *(uint4 *)v = __ldcs((const uint4 *)(targets + e));
                *(uint4 *)(v + 4) = __ldcs((const uint4 *)(targets + e + 4));
            } else {
                for (int k = 0; k < EIGHT; k++) v[k] = e + k < arcs ? targets[e + k] : 0;
            }
            unsigned word = 0, collected = 0;
#pragma unroll
            for (int k = 0; k < EIGHT; k++) {
                if (e + k < begin || e + k >= end) continue;
                if (v[k] / 32 != word && collected) {
                    atomicOr(&row[word], collected);
                    collected = 0;
                }
                word = v[k] / 32;
                collected |= 1u << v[k] % 32;
            }
            if (collected) atomicOr(&row[word], collected);
        }
        __syncthreads();
        for (unsigned i = threadIdx.x; i < stride; i += LAY_THREADS) bits[u * stride + i] = row[i];
        __syncthreads();
    }
}

/* A block transposes 256 x 256 bits. */
__global__ void __launch_bounds__(LAY_THREADS)
    transpose_bits(const uint32_t *bits, weft_vid n, size_t stride, uint32_t *back) {
    enum { SIDE = 8 }; /* words */
    __shared__ uint32_t tile[SIDE * 32][SIDE + 1];
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    size_t row = (size_t)blockIdx.y * SIDE * 32 + warp * 32 + lane, word = (size_t)blockIdx.x * SIDE;
    for (unsigned i = 0; i < SIDE; i++) {
        uint32_t x = row < n && word + i < stride ? bits[row * stride + word + i] : 0, mine = 0;
        for (unsigned b = 0; b < 32; b++) {
            uint32_t column = __ballot_sync(~0u, x >> b & 1);
            if (b == lane) mine = column;
        }
        tile[i * 32 + lane][warp] = mine;
    }
    __syncthreads();
    size_t column = (size_t)blockIdx.x * SIDE * 32 + threadIdx.x, to = (size_t)blockIdx.y * SIDE;
    for (unsigned i = 0; i < SIDE && column < n && to + i < stride; i++)
        back[column * stride + to + i] = tile[threadIdx.x][i];
}

/* Adds the number of bits of each column in CHUNK rows to the column's counter. */
enum { CHUNK = 256, CHUNK_PLANES = 9 };
__global__ void __launch_bounds__(LAY_THREADS)
    count_columns(const uint32_t *bits, weft_vid n, size_t stride, uint32_t *count) {
    size_t word = (size_t)blockIdx.x * LAY_THREADS + threadIdx.x, from = (size_t)blockIdx.y * CHUNK,
           to = from + CHUNK < n ? from + CHUNK : n;
    uint32_t plane[CHUNK_PLANES] = {};
    if (word >= stride) return;
#pragma unroll 8
    for (size_t u = from; u < to; u++) {
        uint32_t carry = bits[u * stride + word];
#pragma unroll
        for (int p = 0; p < CHUNK_PLANES; p++) {
            uint32_t before = plane[p];
            plane[p] = before ^ carry;
            carry &= before;
        }
    }
    for (unsigned b = 0; b < 32 && word * 32 + b < n; b++) {
        uint32_t sum = 0;
#pragma unroll
        for (int p = 0; p < CHUNK_PLANES; p++) sum |= (plane[p] >> b & 1) << p;
        if (sum) atomicAdd(&count[word * 32 + b], sum);
    }
}

/* --- peeling ------------------------------------------------------------------------------------ */

struct verdict {
    unsigned peeled, levels; /* counts of the sources' end */
    int met, over;           /* over: the sources' end has nothing left to take */
};

struct ends {
    const uint32_t *bits[2], *waiting[2];
    uint32_t *gone[2]; /* columns taken so far, as of the last test */
    weft_vid n;
    size_t stride;
    uint32_t *level; /* levels of the sources' end */
    verdict *verdict_at;
};

/* The counters of 32 columns, as planes. */
__device__ void read_counters(const uint32_t *waiting, weft_vid n, size_t word, uint32_t plane[PLANES],
                              uint32_t *left) {
#pragma unroll
    for (int p = 0; p < PLANES; p++) plane[p] = 0;
    *left = 0;
    for (unsigned b = 0; b < 32 && word * 32 + b < n; b++) {
        uint32_t count = waiting[word * 32 + b];
        *left |= 1u << b;
#pragma unroll
        for (int p = 0; p < PLANES; p++) plane[p] |= (count >> p & 1) << b;
    }
}

/* Subtracts three words of bits from the counters; the sum of the words is one + two * 2. */
__device__ void subtract(uint32_t plane[PLANES], uint32_t a, uint32_t b, uint32_t c) {
    uint32_t one = a ^ b ^ c, two = (a & b) | (a & c) | (b & c), before = plane[0];
    plane[0] = before ^ one;
    uint32_t borrow = one & ~before;
    before = plane[1];
    plane[1] = before ^ two ^ borrow;
    borrow = (~before & (two | borrow)) | (two & borrow);
#pragma unroll
    for (int p = 2; p < PLANES; p++) {
        before = plane[p];
        plane[p] = before ^ borrow;
        borrow &= ~before;
    }
}

/* Prefetches a row into L2.  Done while other rows are loading; before the barrier it would cost a tenth of the run. */
__device__ void fetch_row(const uint32_t *row, size_t stride) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(row), "r"((unsigned)stride * 4) : "memory");
#else
    (void)row, (void)stride;
#endif
}

/* The column of the lowest bit in word i of this thread. */
__device__ unsigned column_of(int i, uint32_t bit) {
    return (threadIdx.x + (unsigned)i * blockDim.x) * 32 + (unsigned)__ffs((int)bit) - 1;
}

/* True if the ends have met, or nothing is left to take.  Called by all threads of the block. */
template <int W> __device__ bool look_over(const ends &g, unsigned end, const uint32_t left[W]) {
    bool covered = true;
    for (int i = 0; i < W; i++) {
        size_t word = threadIdx.x + (size_t)i * blockDim.x;
        if (word >= g.stride) continue;
        __stcg(&g.gone[end][word], ~left[i]);
        covered = covered && !(left[i] & ~__ldcg(&g.gone[end ^ 1][word]));
    }
    if (__syncthreads_and(covered)) {
        if (threadIdx.x == 0) g.verdict_at->met = 1;
        return true;
    }
    return __syncthreads_or(end && threadIdx.x == 0 && *(volatile int *)&g.verdict_at->over);
}

/* Block 0 takes sources; block 1, if there is one, sinks. */
template <int W> __global__ void __launch_bounds__(MOST_THREADS, 1) peel_bits(ends g) {
    extern __shared__ uint16_t order[]; /* n */
    __shared__ unsigned fresh[SETS];    /* rotating: one is read, one counts, one is being cleared */
    const bool both = gridDim.x > 1;
    const unsigned end = blockIdx.x, stride = (unsigned)g.stride;
    const uint32_t *bits = g.bits[end], *mine = bits + threadIdx.x; /* word i of row 0 is i * blockDim.x further */
    uint32_t plane[W][PLANES], left[W], asked[W];
    unsigned depth = 0, tail = 0, turn = 0;
#pragma unroll
    for (int i = 0; i < W; i++) {
        read_counters(g.waiting[end], g.n, threadIdx.x + (size_t)i * blockDim.x, plane[i], &left[i]);
        asked[i] = 0;
    }
    if (threadIdx.x < SETS) fresh[threadIdx.x] = 0;
    __syncthreads();
    for (;; depth++) {
        const unsigned next = turn == SETS - 1 ? 0 : turn + 1;
        uint32_t some = 0, near[W];
#pragma unroll
        for (int i = 0; i < W; i++) {
            uint32_t high = 0, low = 0;
#pragma unroll
            for (int p = 0; p < PLANES; p++) (p < NEAR ? low : high) |= plane[i][p];
            uint32_t ready = left[i] & ~(high | low);
            left[i] &= high | low;
            near[i] = left[i] & ~(high | asked[i]);
            asked[i] |= ~high;
            some |= left[i];
#pragma unroll 1
            for (; ready; ready &= ready - 1) {
                unsigned v = column_of(i, ready);
                order[tail + atomicAdd(&fresh[turn], 1u)] = (uint16_t)v;
                if (!end) g.level[v] = depth;
            }
        }
        if (threadIdx.x == 0) fresh[next] = 0;
        if (both && depth % MEET == MEET - 1 && look_over<W>(g, end, left)) break;
        __syncthreads();
        unsigned count = fresh[turn], from = tail;
        turn = next;
        tail += count;
        if (!count) break;
        if (!__any_sync(~0u, some != 0)) continue;
        for (; from < tail; from += GROUP) {
            uint32_t x[GROUP][W];
#pragma unroll
            for (int k = 0; k < GROUP; k++) {
                unsigned row = from + k < tail ? order[from + k] * stride : 0;
#pragma unroll
                for (int i = 0; i < W; i++)
                    x[k][i] = from + k < tail && left[i] ? __ldg(mine + row + i * blockDim.x) : 0;
            }
#pragma unroll
            for (int i = 0; i < W; i++)
#pragma unroll 1
                for (; near[i]; near[i] &= near[i] - 1) fetch_row(bits + column_of(i, near[i]) * stride, stride);
#pragma unroll
            for (int i = 0; i < W; i++) subtract(plane[i], x[0][i], x[1][i], x[2][i]);
        }
    }
    if (both) look_over<W>(g, end, left);
    if (end || threadIdx.x) return;
    g.verdict_at->peeled = tail;
    g.verdict_at->levels = depth;
    *(volatile int *)&g.verdict_at->over = 1;
}

template <int W> weft_status launch(weft_ctx *ctx, const ends &g, bool both) {
    size_t words = ((size_t)g.n + 31) / 32, shared = (size_t)g.n * sizeof(uint16_t);
    unsigned threads = (unsigned)(((words + W - 1) / W + WARP - 1) / WARP * WARP);
    size_t most = 0;
    weft_status st = wfi_allow_shared_memory(ctx, (const void *)peel_bits<W>, &most);
    if (st) return st;
    peel_bits<W><<<both ? 2 : 1, threads, shared, wfi_cuda_stream(ctx)>>>(g);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

weft_status fill_bits(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_bit_peel *b) {
    size_t n = g->n, stride = wfi_bit_stride(g->n);
    cudaStream_t stream = wfi_cuda_stream(ctx);
    dim3 columns((unsigned)((stride + LAY_THREADS - 1) / LAY_THREADS), (unsigned)((n + CHUNK - 1) / CHUNK));
    wfi_kernel_scope stage(ctx, "relabel");
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(b->waiting, 0, (b->both_ends ? 2 : 1) * n * sizeof(uint32_t), stream));
    rows_to_bits<<<(unsigned)n, LAY_THREADS, 0, stream>>>(out->offsets, out->targets, g->arcs, g->n, stride, b->bits);
    count_columns<<<columns, LAY_THREADS, 0, stream>>>(b->bits, g->n, stride, b->waiting);
    if (!b->both_ends) return WEFT_OK;
    unsigned tiles = (unsigned)((stride + 7) / 8);
    transpose_bits<<<dim3(tiles, tiles), LAY_THREADS, 0, stream>>>(b->bits, g->n, stride, b->back);
    count_columns<<<columns, LAY_THREADS, 0, stream>>>(b->back, g->n, stride, b->waiting + n);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

} // namespace

void wfi_peel_bits_lay_out(wfi_workspace *device, weft_vid n, bool both_ends, wfi_bit_peel *b) {
    uint64_t stride = wfi_bit_stride(n);
    b->both_ends = both_ends;
    wfi_array(device, &b->waiting, (both_ends ? 2 : 1) * (uint64_t)n);
    verdict *found;
    wfi_array(device, &found, 1);
    b->found = found;
    wfi_array(device, &b->gone, 2 * stride);
    wfi_array(device, &b->bits, n * stride);
    wfi_array(device, &b->back, both_ends ? n * stride : 0);
}

weft_status wfi_peel_bits(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_bit_peel *b,
                          uint32_t *level, wfi_peeled *peeled) {
    size_t n = g->n, stride = wfi_bit_stride(g->n);
    verdict seen = {};
    verdict *found = (verdict *)b->found;
    weft_status st = wfi_zero(ctx, found, 1);
    if (!st) st = wfi_zero(ctx, b->gone, 2 * stride);
    if (!st) st = fill_bits(ctx, g, out, b);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(level, 0xff, n * sizeof *level, wfi_cuda_stream(ctx)));
    ends e = {
        {b->bits, b->back}, {b->waiting, b->waiting + n}, {b->gone, b->gone + stride}, g->n, stride, level, found};
    st = n <= 32 * MOST_THREADS ? launch<1>(ctx, e, b->both_ends) : launch<2>(ctx, e, b->both_ends);
    if (!st) st = wfi_download(ctx, &seen, found, sizeof seen);
    wfi_progress(ctx, "peel", seen.peeled, n);
    peeled->acyclic = seen.met || seen.peeled == n;
    peeled->levels = seen.levels;
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

/* --- the leftover -------------------------------------------------------------------------------- */

namespace {

/* A thread owns 32 columns and goes down the rows until it has found the first bit of each. */
__global__ void point_back(const uint32_t *bits, weft_vid n, size_t stride, const uint32_t *level, weft_vid *before) {
    enum { AT_ONCE = 8 };
    size_t word = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    uint32_t open = 0;
    if (word >= stride) return;
    for (unsigned b = 0; b < 32 && word * 32 + b < n; b++) {
        open |= (level[word * 32 + b] == WEFT_UNREACHED ? 1u : 0u) << b;
        before[word * 32 + b] = WEFT_NO_VERTEX;
    }
    for (weft_vid u = 0; u < n && open; u += AT_ONCE) {
        uint32_t x[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            x[k] = u + k < n && level[u + k] == WEFT_UNREACHED ? bits[(u + k) * stride + word] : 0;
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            for (uint32_t met = x[k] & open; met; met &= met - 1)
                before[word * 32 + (unsigned)__ffs((int)met) - 1] = u + k;
            open &= ~x[k];
        }
    }
}

} // namespace

weft_status wfi_point_back_bits(weft_ctx *ctx, weft_vid n, const wfi_bit_peel *b, const uint32_t *level,
                                weft_vid *before) {
    size_t stride = wfi_bit_stride(n);
    wfi_kernel_scope stage(ctx, "iterations");
    point_back<<<(unsigned)((stride + WARP - 1) / WARP), WARP, 0, wfi_cuda_stream(ctx)>>>(b->bits, n, stride, level,
                                                                                          before);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}
