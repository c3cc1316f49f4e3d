/* PageRank of a small graph, GPU, the kernel: the blocks of one cluster keep everything in shared memory, and an
 * iteration costs one barrier of the cluster.
 * Needs: compute capability 9.0, one part, fewer than 2^16 - 1 vertices, and a distribution that fits, by cut_small.
 * Each block has a table of all shares, and 16-bit cells, states and sums of its own rows.  It adds up its units,
 * finishes its rows and writes their new shares to global memory, from which all blocks fill their tables after the
 * barrier: writing to the other blocks' tables is slower (12 bytes a cycle from an SM).  Vertices without outgoing arcs
 * have no position in the table.  Each warp has its own units, about equal work (pagerank_small.cu), and the arcs of a
 * long row are ordered so that the 32 shares of a step lie in different banks of the shared memory, as far as possible.
 * Same bits as pagerank_cuda.cu: sums are of integers, in any order. */
#ifndef WFI_PAGERANK_SMALL_CUH
#define WFI_PAGERANK_SMALL_CUH

#include "algo/pagerank/pagerank_cuda.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>
#include <math.h>

namespace groups = cooperative_groups;

namespace wfi_pagerank {

enum { THREADS = 1024, WARPS = THREADS / WARP, BANKS = 32, NO_PLACE = 0xffff };

/* The sums that blocks exchange. */
struct block_sums {
    unsigned long long change[LIMBS], dangling[LIMBS];
};

/* --- layout of shared memory --------------------------------------------------- */

template <class S> struct small_layout {
    enum { WORDS = sizeof(wfi_sum<S>) / sizeof(unsigned long long) };
    S *table;                   /* places + 4: shares by table position, then zeros for cells without a source */
    double *give;               /* rows */
    unsigned long long *pulled; /* rows, WORDS each */
    block_sums *block;          /* 2 x SMALL_BLOCKS, used in turn */
    block_sums *warp;           /* WARPS, of this block */
    small_piece *piece;         /* pieces, by warp */
    uint32_t *in_bank;          /* WARPS * (BANKS + 1), while cells are sorted */
    S *rank;                    /* rows */
    uint16_t *cells;            /* (steps + 1) * WFI_LANES */
    uint16_t *place;            /* rows: the row's own table position, or NO_PLACE */
    size_t bytes;

    __host__ __device__ small_layout(char *base, uint32_t places, uint32_t rows, uint32_t pieces, uint32_t steps)
        : bytes(0) {
        table = part<S>(base, (size_t)places + 4);
        give = part<double>(base, rows);
        pulled = part<unsigned long long>(base, WORDS * (size_t)rows);
        block = part<block_sums>(base, 2 * SMALL_BLOCKS);
        warp = part<block_sums>(base, WARPS);
        piece = part<small_piece>(base, pieces);
        in_bank = part<uint32_t>(base, WARPS * (BANKS + 1));
        rank = part<S>(base, rows);
        cells = part<uint16_t>(base, ((size_t)steps + 1) * WFI_LANES);
        place = part<uint16_t>(base, rows);
    }

    template <class T> __host__ __device__ T *part(char *base, size_t count) {
        T *at = (T *)(base + bytes);
        bytes += (count * sizeof(T) + 15) / 16 * 16;
        return at;
    }
};

/* --- the kernel ----------------------------------------------------------------------- */

/* COUNT steps of this lane, without branches, so that all shares are read at once. */
template <int COUNT, class S>
__device__ void add_some(const small_layout<S> &m, const S *from, uint32_t step, wfi_sum<S> *sum) {
    const uint16_t *cell = m.cells + step * WFI_LANES + threadIdx.x % WARP;
    S got[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++) got[i] = from[cell[i * WFI_LANES]];
#pragma unroll
    for (int i = 0; i < COUNT; i++) sum->add(got[i]);
}

/* Steps step ... end - 1. */
template <class S>
__device__ void add_steps(const small_layout<S> &m, const S *from, uint32_t step, uint32_t end, wfi_sum<S> *sum) {
    for (; step + 8 <= end; step += 8) add_some<8>(m, from, step, sum);
    if (step + 4 <= end) {
        add_some<4>(m, from, step, sum);
        step += 4;
    }
    if (step + 2 <= end) {
        add_some<2>(m, from, step, sum);
        step += 2;
    }
    if (step < end) add_some<1>(m, from, step, sum);
}

/* Selects by value: an index would move the sums to local memory. */
template <class S> __device__ wfi_sum<S> pick(bool second, wfi_sum<S> a, wfi_sum<S> b) {
    if (second) a = b;
    return a;
}

/* Four sums over the warp at little more than the cost of one: lanes exchange sums, until a quarter of the lanes has
 * each sum.  Lanes 8q ... 8q+7 get sum q. */
template <class S> __device__ wfi_sum<S> add_four(const wfi_sum<S> (&sum)[4]) {
    bool upper = threadIdx.x & 16, odd = threadIdx.x & 8;
    wfi_sum<S> a = pick(upper, sum[0], sum[2]), b = pick(upper, sum[1], sum[3]);
    a.join(pick(upper, sum[2], sum[0]).across(16));
    b.join(pick(upper, sum[3], sum[1]).across(16));
    wfi_sum<S> c = pick(odd, a, b);
    c.join(pick(odd, b, a).across(8));
    for (int far = 4; far; far /= 2) c.join(c.across(far));
    return c;
}

/* Pieces first ... last - 1 of this warp, of long rows, TOGETHER at a time, which hides the latency of each. */
template <class S>
__device__ void add_long_rows(const small_layout<S> &m, const S *from, uint32_t first, uint32_t last) {
    enum { TOGETHER = 4, BEGINNING = 2 };
    const uint16_t *cell = m.cells + threadIdx.x % WARP;
    for (; first < last; first += TOGETHER) {
        wfi_sum<S> sum[TOGETHER];
        uint32_t begin[TOGETHER], end[TOGETHER];
        S got[TOGETHER][BEGINNING];
#pragma unroll
        for (int q = 0; q < TOGETHER; q++) {
            small_piece piece = m.piece[min(first + q, last - 1)];
            begin[q] = piece.begin;
            end[q] = first + q < last ? piece.end : piece.begin;
        }
#pragma unroll
        for (int q = 0; q < TOGETHER; q++)
#pragma unroll
            for (int i = 0; i < BEGINNING;
                 i++) /* beyond the end of the piece these are other cells, whose shares are ignored below */
                got[q][i] = from[cell[(begin[q] + i) * WFI_LANES]];
#pragma unroll
        for (int q = 0; q < TOGETHER; q++)
#pragma unroll
            for (int i = 0; i < BEGINNING; i++) sum[q].add(begin[q] + i < end[q] ? got[q][i] : (S)0);
#pragma unroll
        for (int q = 0; q < TOGETHER; q++)
            if (end[q] > begin[q] + BEGINNING) add_steps(m, from, begin[q] + BEGINNING, end[q], &sum[q]);
        wfi_sum<S> total = add_four(sum);
        uint32_t mine = first + threadIdx.x % WARP / 8;
        if (threadIdx.x % 8 || mine >= last) continue;
        unsigned long long *place = m.pulled + small_layout<S>::WORDS * (size_t)m.piece[mine].row;
        if (m.piece[mine].shared)
            total.add_to(place);
        else
            total.put(place);
    }
}

template <class S>
__device__ void add_slices(const small_layout<S> &m, const S *from, uint32_t first, uint32_t last, uint32_t rows) {
    for (; first < last; first++) {
        small_piece unit = m.piece[first];
        uint32_t row = unit.row + threadIdx.x % WARP;
        wfi_sum<S> sum;
        add_steps(m, from, unit.begin, unit.end, &sum);
        unsigned long long *place = m.pulled + small_layout<S>::WORDS * (size_t)row;
        if (row < rows && unit.shared) sum.add_to(place);
        if (row < rows && !unit.shared) sum.put(place);
    }
}

/* Both sums over the warp, for all its lanes. */
template <class S> __device__ block_sums over_lanes(wfi_sum<S> change, wfi_sum<S> dangling) {
    bool odd = threadIdx.x & 1;
    wfi_sum<S> mine = pick(odd, change, dangling);
    mine.join(pick(odd, dangling, change).across(1));
    for (int far = WARP / 2; far > 1; far /= 2) mine.join(mine.across(far));
    wfi_sum<S> other = mine.across(1);
    block_sums all = {};
    pick(odd, mine, other).put(all.change);
    pick(odd, other, mine).put(all.dangling);
    return all;
}

/* The share of this block and this warp. */
template <class S> struct own_rows {
    small_layout<S> m;
    uint32_t row, rows, step, pieces, places; /* places: of all blocks */
    uint32_t first, slices, last;             /* this warp's pieces: of long rows, then of slices */
    __device__ own_rows(char *base, const job<plain<S>> &j, const small_cut &cut, unsigned me)
        : m(base, cut.place[cut.blocks], cut.rows, cut.pieces, cut.steps), row(cut.row[me]),
          rows(cut.row[me + 1] - row), step(j.step[cut.unit[me]]), pieces(cut.piece[me + 1] - cut.piece[me]),
          places(cut.place[cut.blocks]) {
        unsigned warp = threadIdx.x / WARP;
        const uint16_t *turn = cut.turns + 2 * (me * WARPS + warp);
        first = turn[0];
        slices = turn[1];
        last = warp + 1 < WARPS ? turn[2] : pieces;
    }
};

/* Distributes the cells of a long row's piece over its steps: sorted by bank, dealt to all steps in turn. */
template <class S>
__device__ void fill_by_bank(const own_rows<S> &o, const weft_vid *source, const uint16_t *place_of, small_piece unit) {
    uint32_t lane = threadIdx.x % WARP, steps = unit.end - unit.begin;
    uint32_t *count = o.m.in_bank + threadIdx.x / WARP * (BANKS + 1);
    auto place = [&](uint32_t k) {
        weft_vid s = source[(size_t)(unit.begin + k) * WFI_LANES + lane];
        return s == WFI_NO_SOURCE ? o.places : place_of[s];
    };
    auto bank = [&](uint32_t p) { return p == o.places ? (uint32_t)BANKS : p * (uint32_t)(sizeof(S) / 4) % BANKS; };
    for (uint32_t b = lane; b <= BANKS; b += WARP) count[b] = 0;
    __syncwarp();
    for (uint32_t k = 0; k < steps; k++) atomicAdd(&count[bank(place(k))], 1u);
    __syncwarp();
    uint32_t before = count[lane], mine = before;
    before = wfi_warp_scan(before);
    __syncwarp();
    count[lane] = before - mine;
    if (lane == WARP - 1) count[BANKS] = before;
    __syncwarp();
    for (uint32_t k = 0; k < steps; k++) {
        uint32_t p = place(k), at = atomicAdd(&count[bank(p)], 1u);
        o.m.cells[(unit.begin + at % steps) * WFI_LANES + at / steps] = (uint16_t)p;
    }
    __syncwarp();
}

template <class S>
__device__ void fill_pieces(const own_rows<S> &o, const weft_vid *source, const uint16_t *place_of,
                            const small_piece *of) {
    const small_layout<S> &m = o.m;
    for (uint32_t k = threadIdx.x; k < o.pieces; k += THREADS) m.piece[k] = of[k];
    __syncthreads();
    for (uint32_t k = o.first; k < o.slices; k++) fill_by_bank(o, source, place_of, m.piece[k]);
    for (uint32_t k = o.slices; k < o.last; k++)
        for (uint32_t step = m.piece[k].begin; step < m.piece[k].end; step++) {
            uint32_t i = step * WFI_LANES + threadIdx.x % WARP;
            m.cells[i] = source[i] == WFI_NO_SOURCE ? (uint16_t)o.places : place_of[source[i]];
        }
}

template <class S>
__device__ void fill_layout(const own_rows<S> &o, const job<plain<S>> &j, const small_cut &cut, unsigned me,
                            const S *share) {
    const small_layout<S> &m = o.m;
    uint32_t thread = threadIdx.x;
    fill_pieces(o, j.cells + (size_t)o.step * WFI_LANES, cut.place_of, cut.pieces_of + cut.piece[me]);
    for (uint32_t r = thread; r < o.rows; r += THREADS) {
        double parts = (double)j.degree[o.row + r];
        m.give[r] = parts > 0 ? WFI_DEVICE_ONE / parts : 0;
        m.rank[r] = j.rank[o.row + r];
        m.place[r] = parts > 0 ? cut.place_of[j.own[o.row + r]] : (uint16_t)NO_PLACE;
        for (int i = 0; i < small_layout<S>::WORDS; i++) m.pulled[small_layout<S>::WORDS * (size_t)r + i] = 0;
    }
    uint32_t steps = j.step[cut.unit[me + 1]] - o.step;
    if (thread < WFI_LANES) m.cells[steps * WFI_LANES + thread] = (uint16_t)o.places;
    if (thread < WARPS) m.warp[thread] = {};
    for (uint32_t source = thread; source < o.places; source += THREADS) m.table[cut.place_of[source]] = share[source];
    if (thread == 0) m.table[o.places] = 0;
}

/* New ranks of the block's rows, their shares to `to`; asked: adds up the changes, too. */
template <class S>
__device__ void finish_rows(const own_rows<S> &o, const job<plain<S>> &j, double teleport, bool asked, S *to) {
    const small_layout<S> &m = o.m;
    uint32_t thread = threadIdx.x, lane = thread % WARP;
    totals<plain<S>> t;
    for (uint32_t r = thread; r < o.rows; r += THREADS) {
        unsigned long long *place = m.pulled + small_layout<S>::WORDS * (size_t)r;
        uint16_t own = m.place[r];
        double jumped = (j.restart ? j.restart[o.row + r] : j.r.uniform) * teleport, give = m.give[r];
        S stored = (S)(jumped + j.r.damping * wfi_sum<S>::from(place).value());
        double rank = (double)stored, old = (double)m.rank[r];
        for (int k = 0; k < small_layout<S>::WORDS; k++) place[k] = 0;
        m.rank[r] = stored;
        if (own != NO_PLACE) to[own] = (S)(rank * give);
        if (asked && own == NO_PLACE) t.dangling.add_part(rank);
        if (asked) t.change.add_part(fabs(rank - old));
    }
    if (!asked || thread - lane >= o.rows) return;
    block_sums of_warp = over_lanes(t.change, t.dangling);
    if (lane == 0) m.warp[thread / WARP] = of_warp;
}

/* The sums of an iteration are computed only if the next step depends on them. */
template <class S>
__global__ void __launch_bounds__(THREADS, 1)
    small_kernel(job<plain<S>> j, small_cut cut, uint64_t first, uint64_t count) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(16) char base[];
    enum { VECTOR = sizeof(float4) / sizeof(S) };
    groups::cluster_group cluster = groups::this_cluster();
    unsigned me = cluster.block_rank(), thread = threadIdx.x;
    own_rows<S> o(base, j, cut, me);
    control *c = j.c;
    fill_layout(o, j, cut, me, j.share[first & 1]);
    double teleport = c->teleport, residual = 0;
    bool converged = false, always = j.r.by_tolerance || (!j.r.drop && o.places < j.n);
    uint64_t i = first;
    cluster.sync();
    for (; i < first + count && !converged; i++) {
        S *to = (S *)cut.exchange + (i & 1) * cut.stride;
        block_sums *exchanged = o.m.block + (i & 1) * SMALL_BLOCKS;
        bool asked = always || i + 1 == first + count;
        add_long_rows(o.m, o.m.table, o.first, o.slices);
        add_slices(o.m, o.m.table, o.slices, o.last, o.rows);
        __syncthreads();
        finish_rows(o, j, teleport, asked, to);
        if (asked) {
            __syncthreads();
            if (thread < WARP) {
                const block_sums &one = o.m.warp[thread];
                block_sums block = over_lanes(wfi_sum<S>::from(one.change), wfi_sum<S>::from(one.dangling));
                if (thread < cut.blocks) cluster.map_shared_rank(exchanged, thread)[me] = block;
            }
        }
        cluster.sync();
        for (uint32_t k = thread; k * VECTOR <= o.places; k += THREADS)
            ((float4 *)o.m.table)[k] = __ldcg((const float4 *)to + k);
        if (asked && thread < WARP) {
            block_sums one = {};
            if (thread < cut.blocks) one = exchanged[thread];
            block_sums all = over_lanes(wfi_sum<S>::from(one.change), wfi_sum<S>::from(one.dangling));
            if (thread == 0) exchanged[0] = all;
        }
        __syncthreads();
        if (!asked) continue;
        residual = wfi_sum<S>::from(exchanged->change).value();
        double dangling = wfi_sum<S>::from(exchanged->dangling).value();
        teleport = (1 - j.r.damping) + (j.r.drop ? 0 : j.r.damping * dangling);
        converged = j.r.by_tolerance && residual <= j.r.tolerance;
    }
    for (uint32_t r = thread; r < o.rows; r += THREADS) {
        j.rank[o.row + r] = o.m.rank[r];
        if (o.m.place[r] != NO_PLACE) j.share[i & 1][j.own[o.row + r]] = o.m.table[o.m.place[r]];
    }
    if (me == 0 && thread == 0) {
        c->teleport = teleport;
        c->residual = residual;
        c->iterations = i;
        c->converged = converged;
    }
#endif
}

} // namespace wfi_pagerank

#endif
