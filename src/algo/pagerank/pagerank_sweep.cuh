/* One sweep of the GPU's grid over all rows (method: pagerank_cuda.cu; bits: pagerank_cpu.c): the sum of a row's
 * shares, its new rank, and its new share. */
#ifndef WFI_PAGERANK_SWEEP_CUH
#define WFI_PAGERANK_SWEEP_CUH

#include "algo/pagerank/pagerank_cuda.cuh"
#include "engines/fixed_sums/fixed_sums.cuh"

#include <cooperative_groups.h>
#include <math.h>

namespace groups = cooperative_groups;

namespace wfi_pagerank {

enum { THREADS = 1024, WARPS = THREADS / WARP };

/* The operands of one sweep. */
template <class K> struct sweeping {
    const typename K::share *hub, *from;
    typename K::share *to;
    double teleport;
    uint32_t first_hub;
};

/* --- one row ------------------------------------------------------------------------ */

template <class K> __device__ typename K::share share_of(const sweeping<K> &w, uint32_t hubs, weft_vid u) {
    typedef typename K::share S;
    return u - w.first_hub < hubs ? w.hub[u - w.first_hub] : u != WFI_NO_SOURCE ? w.from[u] : (S)0;
}

/* The state of a row before its sum is known; read early. */
template <class K> struct row_state {
    typename K::rank rank;
    uint32_t degree;
    weft_vid own;
    row_state() = default;
    __device__ row_state(const job<K> &j, uint32_t row) : rank(j.rank[row]), degree(j.degree[row]), own(j.own[row]) {}
};

/* Writes the share of a row's rank; rank of a vertex without outgoing arcs counts as dangling. */
template <class K>
__device__ void pass_on(const job<K> &j, uint32_t row, uint32_t degree, double rank, typename K::share *place,
                        totals<K> *t) {
    if constexpr (K::WEIGHTED) {
        double give = j.give[row];
        if (give != 0)
            *place = rank * give;
        else
            t->dangling.add_part(rank);
    } else {
        if (degree)
            *place = (typename K::share)(rank * (WFI_DEVICE_ONE / (double)degree));
        else
            t->dangling.add_part(rank);
    }
}

template <class K>
__device__ void finish_row(const job<K> &j, const sweeping<K> &w, uint32_t row, const row_state<K> &was,
                           const typename K::pulled &sum, totals<K> *t) {
    double jumped = (j.restart ? j.restart[row] : j.r.uniform) * w.teleport, pulled = sum.value();
    typename K::rank stored = (typename K::rank)(jumped + j.r.damping * pulled);
    double rank = (double)stored;
    j.rank[row] = stored;
    pass_on(j, row, was.degree, rank, &w.to[was.own], t);
    t->change.add_part(fabs(rank - (double)was.rank));
    t->sum.add_part(rank);
}

/* --- units --------------------------------------------------------------------------- */

/* The steps of a unit, and its row. */
struct sweep_span {
    uint32_t begin, end, row;
};

template <class K> __device__ sweep_span span_of(const job<K> &j, uint32_t unit, uint32_t last) {
    sweep_span s = {0, 0, 0};
    if (unit < last) s = {j.step[unit], j.step[unit + 1], j.unit_row[unit]};
    return s;
}

/* The cells of AHEAD steps, whose shares a lane reads at once; AHEAD is limited by registers. */
template <class K> struct ask {
    enum { AHEAD = sizeof(typename K::share) <= 4 ? 8 : sizeof(typename K::weight) <= 4 ? 4 : 2 };
    weft_vid at[AHEAD];
    typename K::weight weight[K::WEIGHTED ? AHEAD : 1];
    __device__ void fetch(const job<K> &j, uint32_t begin, uint32_t end, unsigned lane) {
        const weft_vid *cell = j.cells + (uint64_t)begin * WFI_LANES + lane;
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) at[i] = begin + i < end ? __ldcs(cell + i * WFI_LANES) : WFI_NO_SOURCE;
        if constexpr (K::WEIGHTED) {
            const typename K::weight *of = j.weights + (uint64_t)begin * WFI_LANES + lane;
#pragma unroll
            for (uint32_t i = 0; i < AHEAD; i++) weight[i] = begin + i < end ? __ldcs(of + i * WFI_LANES) : 0;
        }
    }
};

template <class K>
__device__ void take_shares(const job<K> &j, const sweeping<K> &w, const ask<K> &a, typename K::pulled *sum) {
    enum { AHEAD = ask<K>::AHEAD };
    typename K::share got[AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) got[i] = share_of(w, j.hubs, a.at[i]);
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++)
        if constexpr (K::WEIGHTED)
            sum->add(got[i] * wfi_weight_value(a.weight[i], j.real_weights));
        else
            sum->add(got[i]);
}

__device__ static uint32_t end_of_part(uint32_t row, weft_vid part, weft_vid n) {
    uint64_t end = ((uint64_t)(row / part) + 1) * part;
    return (uint32_t)(end < n ? end : n);
}

/* The units of this block among first ... last - 1: every gridDim.x-th, each to the next free warp.  A warp knows its
 * next two units: it reads the cells of the first ahead while it adds up another, and the span of the second. */
struct queue {
    uint32_t first, last;
    unsigned *ticket; /* of the block; the first two units of each warp are dealt out */
    __device__ uint32_t dealt(unsigned round) const { return unit(round * WARPS + threadIdx.x / WARP); }
    __device__ uint32_t draw() const {
        unsigned drawn = threadIdx.x % WARP == 0 ? atomicAdd(ticket, 1u) : 0;
        return unit(__shfl_sync(~0u, drawn, 0));
    }
    __device__ uint32_t unit(unsigned number) const { return first + blockIdx.x + number * gridDim.x; }
};

template <class K> __device__ void sweep_units(const job<K> &j, const sweeping<K> &w, const queue &q, totals<K> *t) {
    unsigned lane = threadIdx.x % WARP;
    uint32_t unit = q.dealt(0), next_unit = q.dealt(1);
    sweep_span now = span_of(j, unit, q.last), next = span_of(j, next_unit, q.last);
    enum { AHEAD = ask<K>::AHEAD, WORDS = sizeof(typename K::pulled) / sizeof(unsigned long long) };
    ask<K> current, coming;
    current.fetch(j, now.begin, now.end, lane);
    while (unit < q.last) {
        typename K::pulled sum;
        uint32_t row = now.row, after_unit = q.draw();
        bool over, is_long = row & WFI_LONG;
        uint32_t end = is_long ? 0 : end_of_part(row, j.part, j.n);
        row_state<K> was(j, is_long ? 0 : row + lane < end ? row + lane : row);
        sweep_span after = span_of(j, after_unit, q.last);
        do {
            over = now.end - now.begin <= AHEAD;
            if (over)
                coming.fetch(j, next.begin, next.end, lane);
            else
                coming.fetch(j, now.begin + AHEAD, now.end, lane);
            take_shares(j, w, current, &sum);
            current = coming;
            now.begin += AHEAD;
        } while (!over);
        if (is_long && row & WFI_BUNDLE) {
            uint32_t slot = (row & ~(WFI_LONG | WFI_BUNDLE)) + lane;
            if (sum.any()) sum.add_to(j.pulled + WORDS * (size_t)slot);
        } else if (is_long) {
            for (int far = WARP / 2; far; far /= 2) sum.add_lane(~0u, far);
            if (lane == 0) sum.add_to(j.pulled + WORDS * (size_t)(row & ~WFI_LONG));
        } else if (row + lane < end) {
            finish_row(j, w, row + lane, was, sum, t);
        }
        unit = next_unit;
        now = next;
        next_unit = after_unit;
        next = after;
    }
}

/* The part of a number that counts through all parts. */
__device__ static uint32_t part_of(const uint32_t *first, uint64_t number) {
    uint32_t p = 0;
    while (number >= first[p + 1]) p++;
    return p;
}

/* Indices begin ... end - 1. */
struct sweep_range {
    uint32_t begin, end;
};

/* Finishes rows whose sums are complete: row_of(i) and pulled_of(i) for each i of the range.  A thread reads the
 * operands of AT_ONCE rows together. */
template <class K, class Row, class Pulled>
__device__ void finish_rows_of(const job<K> &j, const sweeping<K> &w, sweep_range of, totals<K> *t, Row row_of,
                               Pulled pulled_of) {
    const uint32_t begin = of.begin, end = of.end;
    enum { AT_ONCE = sizeof(typename K::share) <= 4 ? 4 : 1 }; /* more would spill registers */
    uint64_t step = (uint64_t)gridDim.x * THREADS;
    for (uint64_t i = begin + blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < end; i += AT_ONCE * step) {
        uint32_t row[AT_ONCE];
        row_state<K> was[AT_ONCE];
        typename K::pulled pulled[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            uint64_t at = i + k * step < end ? i + k * step : i;
            row[k] = row_of(at);
            was[k] = row_state<K>(j, row[k]);
            pulled[k] = pulled_of(at);
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (i + k * step < end) finish_row(j, w, row[k], was[k], pulled[k], t);
    }
}

/* Rows without incoming arcs, which are in no unit: the sum is 0. */
template <class K>
__device__ void finish_empty_rows(const job<K> &j, const sweeping<K> &w, uint32_t begin, uint32_t end, totals<K> *t) {
    finish_rows_of(
        j, w, {begin, end}, t,
        [&](uint64_t i) {
            uint32_t p = part_of(j.hollow, i);
            return j.at[p].empty + ((uint32_t)i - j.hollow[p]);
        },
        [](uint64_t) { return typename K::pulled(); });
}

/* Rows without any arcs all have the same rank, which the first of them keeps. */
template <class K>
__device__ void finish_isolated_rows(const job<K> &j, const sweeping<K> &w, uint32_t begin, uint32_t end,
                                     totals<K> *t) {
    uint64_t p = begin + groups::this_grid().thread_rank();
    if (p >= end || j.at[p].alone == j.at[p].end) return;
    uint32_t row = j.at[p].alone, count = j.at[p].end - row;
    totals<K> one;
    finish_row(j, w, row, row_state<K>(j, row), typename K::pulled(), &one);
    t->change.join(one.change, count);
    t->dangling.join(one.dangling, count);
    t->sum.join(one.sum, count);
}

/* Finishes long rows, after a barrier; leaves the sums cleared. */
template <class K>
__device__ void finish_long_rows(const job<K> &j, const sweeping<K> &w, uint32_t begin, uint32_t end, totals<K> *t) {
    enum { WORDS = sizeof(typename K::pulled) / sizeof(unsigned long long) };
    finish_rows_of(
        j, w, {begin, end}, t,
        [&](uint64_t i) {
            uint32_t p = part_of(j.slot, i);
            return j.at[p].row + ((uint32_t)i - j.slot[p]);
        },
        [&](uint64_t i) {
            unsigned long long whole[WORDS];
            for (int k = 0; k < WORDS; k++) whole[k] = __ldcg(j.pulled + WORDS * (size_t)i + k);
            return K::pulled::from(whole);
        });
    for (uint64_t i = begin + blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < end; i += (uint64_t)gridDim.x * THREADS)
        for (int k = 0; k < WORDS; k++) j.pulled[WORDS * (size_t)i + k] = 0; /* this thread has read them */
}

/* --- all rows ------------------------------------------------------------------------- */

/* Before a sweep: loads the hubs' shares, 16 bytes at a time, and resets the tickets. */
template <class S> __device__ void prepare(const S *share, uint32_t hubs, S *hub, unsigned *ticket) {
    __syncthreads();
    enum { EACH = sizeof(uint4) / sizeof(S) };
    uint32_t whole = hubs / EACH;
#pragma unroll 8
    for (uint32_t i = threadIdx.x; i < whole; i += THREADS) ((uint4 *)hub)[i] = __ldcg((const uint4 *)share + i);
    for (uint32_t i = whole * EACH + threadIdx.x; i < hubs; i += THREADS) hub[i] = __ldcg(&share[i]);
    if (threadIdx.x == 0) *ticket = 2 * WARPS;
    __syncthreads();
}

/* The units of the parts begin ... end - 1, block after block of sources.  Far blocks have no hubs: first_hub is beyond
 * all sources then. */
template <class K>
__device__ void sweep_blocks(const job<K> &j, sweeping<K> w, sweep_range parts, typename K::share *hub,
                             unsigned *ticket, totals<K> *t) {
    const uint32_t begin = parts.begin, end = parts.end;
    for (uint32_t b = 0; b < j.blocks.all; b++) {
        if (j.unit[b][begin] == j.unit[b][end]) continue;
        bool far = b >= j.blocks.near;
        w.first_hub = far ? WFI_LONG : b * WFI_BLOCK;
        uint32_t left = w.first_hub < j.n ? j.n - w.first_hub : 0;
        prepare(w.from + (far ? 0 : w.first_hub), min(left, b ? min(j.hubs, (uint32_t)WFI_BLOCK) : j.hubs), hub,
                ticket);
        sweep_units(j, w, {j.unit[b][begin], j.unit[b][end], ticket}, t);
    }
    finish_empty_rows(j, w, j.hollow[begin], j.hollow[end], t);
    finish_isolated_rows(j, w, begin, end, t);
    if (j.r.in_turn || j.slot[j.parts]) groups::this_grid().sync();
}

/* Parts in turn, each from the newest shares of the others. */
template <class K>
__device__ void sweep_in_turn(const job<K> &j, const sweeping<K> &w, typename K::share *hub, unsigned *ticket,
                              totals<K> *t) {
    groups::grid_group grid = groups::this_grid();
    for (uint32_t p = 0; p < j.parts; p++) {
        sweep_blocks(j, w, {p, p + 1}, hub, ticket, t);
        finish_long_rows(j, {hub, w.from, j.share[0], w.teleport, 0}, j.slot[p], j.slot[p + 1], t);
        for (uint64_t row = j.at[p].sliced + grid.thread_rank(); row < j.at[p].alone; row += grid.size())
            if (j.degree[row]) j.share[0][j.own[row]] = __ldcg(&j.share[1][j.own[row]]);
        grid.sync();
    }
}

} // namespace wfi_pagerank

#endif
