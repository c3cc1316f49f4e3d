/* Row group on the GPU (ops/group.h), by the length of the row:
 *   up to 8 arcs     a thread compares its keys with each other
 *   up to 32         as many lanes, each compares its key with all others
 *   up to 256        a warp, with a table in shared memory
 *   up to 4096       a block, likewise
 *   hubs             a block each, with the largest table there is.  A row may have more keys than that holds: then it
 *                    is summed again in parts, a block each, of which one takes those keys whose hash begins with
 *                    certain bits.  The hash is a bijection, so that halving the part once more, as often as it takes,
 *                    always ends.
 * A key that has more than half of the row needs no table: the key that most of the first 32 have is summed first, and
 * once communities have formed that settles nearly all rows.  What is not the answer then is at least not added to the
 * table again and again at the same place.
 * Loads stand in no branch, so that all of a thread's are under way at once: beyond its end, a row is read at its last
 * arc.  Tables have twice as many slots as a row has arcs, hubs' apart. */
#ifndef WFI_OPS_GROUP_TABLES_CUH
#define WFI_OPS_GROUP_TABLES_CUH

#include "cuda/launch.cuh"
#include "ops/bodies.cuh"
#include "ops/group.h"

/* A part of a row: of the list of hubs, the keys whose hash begins with these bits. */
struct wfi_group_part {
    uint32_t hub, begins, bits;
};

enum {
    WFI_GROUP_TABLE_TALLIES =
        64, /* additions at one place take 3 ns each, however many threads there are: hence several */
    WFI_GROUP_TABLE_SLOTS = 1 << 14,      /* of the largest table; fewer where there is less shared memory */
    WFI_GROUP_TABLE_LEAST_SLOTS = 1 << 12 /* every GPU has room for so many */
};

namespace wfi_group_tables {

enum { WARP = 32, ROWS_THREADS = 256, HUB_THREADS = 1024, MANY_THREADS = 512, MANY_CELLS = 8 };
enum {
    HUB_PATIENCE = 64,
    AT_ONCE = 4, /* arcs a thread waits for at the same time */
    LIKELY = 8   /* of 32 neighbours with one key: more than half of all may have it */
};
enum {
    UP_TO_4,
    UP_TO_8,
    UP_TO_16,
    UP_TO_32,
    UP_TO_64,
    UP_TO_128,
    UP_TO_256,
    UP_TO_512,
    UP_TO_1024,
    UP_TO_2048,
    UP_TO_4096,
    HUBS
};
static_assert((int)HUBS + 1 == (int)WFI_GROUP_KINDS, "kinds of rows");
#define NO_KEY WEFT_NO_VERTEX

__host__ __device__ constexpr int slot_bytes(bool wide) { return wide ? 12 : 8; }

/* --- rows ------------------------------------------------------------------------------------------------ */

struct voting_rows {
    wfi_view out, in; /* in: of a directed graph */
    double unit;
    const weft_vid *list; /* of the kernel's kind */
    uint32_t count;
    wfi_op_totals *tallies;
};

/* All arcs of a vertex. */
template <class S, bool BOTH> struct voting_arcs {
    const voting_rows &r;
    weft_eid out, in, outs, degree;

    __device__ voting_arcs(const voting_rows &r, weft_vid k) : r(r) {
        out = r.out.offsets[k];
        outs = degree = r.out.offsets[(size_t)k + 1] - out;
        out -= r.out.base;
        if (BOTH && r.in.offsets) {
            in = r.in.offsets[k];
            degree += r.in.offsets[(size_t)k + 1] - in;
            in -= r.in.base;
        }
    }
    __device__ weft_vid target(weft_eid i) const {
        return *(BOTH && i >= outs ? r.in.targets + (in + (i - outs)) : r.out.targets + (out + i));
    }
    __device__ S vote(weft_eid i) const {
        if (sizeof(S) == sizeof(uint32_t)) return 1;
        const wfi_view &side = BOTH && i >= outs ? r.in : r.out;
        return (S)(wfi_weight_at(side.type, side.weights, BOTH && i >= outs ? in + (i - outs) : out + i) * r.unit);
    }
};

/* A key and what it has, or may have at least. */
template <class S> struct candidate {
    S sum = 0;
    weft_vid key = NO_KEY;
    __device__ void see(S more, weft_vid other) {
        if (more > sum || (more == sum && other < key)) sum = more, key = other;
    }
};

__device__ static inline unsigned this_lane(void) { return threadIdx.x % WARP; }

/* The best of `width` lanes that stand together. */
template <class S> __device__ static inline candidate<S> best_of(candidate<S> mine, int width) {
    for (int far = width / 2; far; far /= 2)
        mine.see(__shfl_xor_sync(~0u, mine.sum, far), __shfl_xor_sync(~0u, mine.key, far));
    return mine;
}

/* That of the block, for all threads.  Nobody may come here again before all have left. */
template <class S> __device__ static inline candidate<S> best_of_block(candidate<S> mine) {
    __shared__ S sum[WARP];
    __shared__ weft_vid key[WARP];
    mine = best_of(mine, WARP);
    if (this_lane() == 0) sum[threadIdx.x / WARP] = mine.sum, key[threadIdx.x / WARP] = mine.key;
    __syncthreads();
    mine = candidate<S>();
    if (this_lane() < blockDim.x / WARP) mine.see(sum[this_lane()], key[this_lane()]);
    return best_of(mine, WARP);
}

/* Keys and votes of CELLS arcs from `at`, `apart` from each other; NO_KEY beyond the end, and where there is no
 * vote. */
template <int CELLS, class S, bool BOTH, class B>
__device__ static inline void look(const B &body, const voting_arcs<S, BOTH> &arcs, weft_eid at, weft_eid apart,
                                   weft_vid x[CELLS], S w[CELLS]) {
#pragma unroll
    for (int c = 0; c < CELLS; c++) {
        weft_eid here = at + c * apart;
        here = here < arcs.degree ? here : arcs.degree - 1;
        x[c] = arcs.target(here);
        w[c] = arcs.vote(here);
    }
#pragma unroll
    for (int c = 0; c < CELLS; c++) x[c] = body.key(x[c]);
#pragma unroll
    for (int c = 0; c < CELLS; c++)
        if (at + c * apart >= arcs.degree || !w[c]) x[c] = NO_KEY;
}

/* What most lanes have, of those with a key: a guess at the row's.  *lanes: how many. */
__device__ static inline weft_vid most_lanes(weft_vid x, unsigned *lanes) {
    unsigned same = (unsigned)__popc(__match_any_sync(~0u, x)), best = x == NO_KEY ? 0 : same << 5 | this_lane();
    best = wfi_warp_max(best);
    *lanes = best >> 5;
    return __shfl_sync(~0u, x, (int)(best & (WARP - 1)));
}

/* What the cells of a warp have of a key, and of all: for every lane.  `all` is given where arcs count 1. */
template <int CELLS, class S>
__device__ static inline void sum_cells(const weft_vid x[CELLS], const S w[CELLS], weft_vid key, S *of_key, S *all) {
    S mine = 0, more = 0;
#pragma unroll
    for (int c = 0; c < CELLS; c++) {
        if (sizeof(S) == sizeof(uint32_t)) {
            mine += (S)__popc(__ballot_sync(~0u, x[c] == key));
        } else {
            mine += x[c] == key ? w[c] : 0;
            more += x[c] == NO_KEY ? 0 : w[c];
        }
    }
    if (sizeof(S) != sizeof(uint32_t)) mine = wfi_warp_sum(mine), *all = wfi_warp_sum(more);
    *of_key = mine;
}

__device__ static inline void add_to(uint32_t *at, uint32_t more) { atomicAdd(at, more); }
__device__ static inline void add_to(uint64_t *at, uint64_t more) { atomicAdd((unsigned long long *)at, more); }

/* --- tables ---------------------------------------------------------------------------------------------- */

/* mask + 1 slots, a power of two, in shared memory: sums, then keys. */
template <class S> struct table {
    S *sum;
    weft_vid *key;
    unsigned mask;

    __device__ table(void *room, unsigned slots) : sum((S *)room), key((weft_vid *)(sum + slots)), mask(slots - 1) {}
    __device__ void clear(unsigned me, unsigned threads) const {
        for (unsigned i = me; i <= mask / 4; i += threads)
            ((uint4 *)key)[i] = make_uint4(NO_KEY, NO_KEY, NO_KEY, NO_KEY);
        for (unsigned i = me; i <= mask / (16 / sizeof(S)); i += threads) ((uint4 *)sum)[i] = make_uint4(0, 0, 0, 0);
    }
    /* So much more for x: what it has then; 0 when its slot was not found in `patience` steps. */
    __device__ S add(weft_vid x, S more, unsigned patience) const {
        typedef unsigned long long word;
        unsigned at = x * 0x9e3779b1u;
        for (at = (at ^ at >> 15) & mask; patience; at = (at + 1) & mask, patience--) {
            weft_vid there = ((volatile weft_vid *)key)[at];
            if (there == NO_KEY) there = atomicCAS(&key[at], (weft_vid)NO_KEY, x);
            if (there != x && there != NO_KEY) continue;
            if constexpr (sizeof(S) == sizeof(word))
                return atomicAdd((word *)&sum[at], (word)more) + more;
            else
                return atomicAdd(&sum[at], more) + more;
        }
        return 0;
    }
    /* All cells of a thread but those with the guess. */
    template <int CELLS>
    __device__ void add_cells(const weft_vid x[CELLS], const S w[CELLS], weft_vid guess, candidate<S> *best) const {
#pragma unroll
        for (int c = 0; c < CELLS; c++)
            if (x[c] != NO_KEY && x[c] != guess) best->see(add(x[c], w[c], mask + 1), x[c]);
    }
};

__device__ static inline unsigned slots_for(unsigned degree) { return 2u << (32 - __clz((int)(degree - 1))); }

/* --- rows in registers ----------------------------------------------------------------------------------- */

__device__ static inline void hand_in(const voting_rows &r, const wfi_op_totals &t) {
    wfi_op_hand_in(t, r.tallies + blockIdx.x % WFI_GROUP_TABLE_TALLIES);
}
/* By a thread that has its block's totals. */
__device__ static inline void hand_in_alone(const voting_rows &r, const wfi_op_totals &t) {
    wfi_word *to = (wfi_word *)(r.tallies + blockIdx.x % WFI_GROUP_TABLE_TALLIES);
    const uint64_t *mine = (const uint64_t *)&t;
#pragma unroll
    for (int i = 0; i < WFI_OP_WORDS; i++) {
        if (mine[i] && i < WFI_OP_ADDED) atomicAdd(to + i, (wfi_word)mine[i]);
        if (mine[i] && i >= WFI_OP_ADDED) atomicMax(to + i, (wfi_word)mine[i]);
    }
}

/* A thread a row, of one to CELLS arcs. */
template <int CELLS, class S, bool BOTH, class B>
__global__ static void __launch_bounds__(ROWS_THREADS) sum_fewest(B body, voting_rows r) {
    wfi_op_totals t = {};
    for (uint64_t i = blockIdx.x * (uint64_t)ROWS_THREADS + threadIdx.x; i < r.count;
         i += (uint64_t)gridDim.x * ROWS_THREADS) {
        weft_vid k = r.list[i], x[CELLS];
        S w[CELLS];
        voting_arcs<S, BOTH> arcs(r, k);
        typename B::row was = body.enter(k);
        candidate<S> best;
        if (body.wants(k)) {
            look<CELLS>(body, arcs, 0, 1, x, w);
#pragma unroll
            for (int c = 0; c < CELLS; c++) {
                S same = 0;
#pragma unroll
                for (int other = 0; other < CELLS; other++) same += x[other] == x[c] ? w[other] : 0;
                if (x[c] != NO_KEY) best.see(same, x[c]);
            }
        }
        body.end(k, was, best.key, &t);
    }
    hand_in(r, t);
}

/* LANES lanes a row, which has no more arcs, but one. */
template <int LANES, class S, bool BOTH, class B>
__global__ static void __launch_bounds__(ROWS_THREADS) sum_few(B body, voting_rows r) {
    wfi_op_totals t = {};
    uint64_t all = (uint64_t)gridDim.x * (ROWS_THREADS / LANES);
    uint64_t first = blockIdx.x * (uint64_t)(ROWS_THREADS / LANES) + threadIdx.x / LANES;
    unsigned place = threadIdx.x % LANES;
    for (uint64_t i = first; i - threadIdx.x % WARP / LANES < r.count; i += all) { /* all lanes of a warp alike */
        bool there = i < r.count;
        weft_vid k = r.list[there ? i : r.count - 1], x[1];
        S w[1];
        voting_arcs<S, BOTH> arcs(r, k);
        typename B::row was = body.enter(k);
        bool wanted = there && body.wants(k);
        candidate<S> best;
        if (__any_sync(~0u, wanted)) {
            look<1>(body, arcs, place, 1, x, w);
            S same = w[0];
#pragma unroll
            for (int far = 1; far < LANES; far++) {
                S more = sizeof(S) == sizeof(uint32_t) ? 1 : __shfl_xor_sync(~0u, w[0], far);
                same += __shfl_xor_sync(~0u, x[0], far) == x[0] ? more : 0;
            }
            if (x[0] != NO_KEY) best.see(same, x[0]);
            best = best_of(best, LANES);
        }
        if (there && place == 0) body.end(k, was, wanted ? best.key : NO_KEY, &t);
    }
    __syncwarp();
    hand_in(r, t);
}

template <class S> __host__ __device__ constexpr int some_threads() {
    return sizeof(S) == sizeof(uint32_t) ? ROWS_THREADS : 128;
}

/* A warp a row of more than 32 and no more than 32 * CELLS arcs. */
template <int CELLS, class S, bool BOTH, class B>
__global__ static void __launch_bounds__(some_threads<S>()) sum_some(B body, voting_rows r) {
    enum { WARPS = some_threads<S>() / WARP, BYTES = 2 * WARP * CELLS * slot_bytes(sizeof(S) == 8) };
    __shared__ uint4 room[WARPS][BYTES / sizeof(uint4)];
    wfi_op_totals t = {};
    uint64_t warps = (uint64_t)gridDim.x * WARPS;
    for (uint64_t i = blockIdx.x * (uint64_t)WARPS + threadIdx.x / WARP; i < r.count; i += warps) {
        weft_vid k = r.list[i], x[CELLS];
        S w[CELLS];
        voting_arcs<S, BOTH> arcs(r, k);
        typename B::row was = body.enter(k);
        candidate<S> best;
        if (body.wants(k)) {
            unsigned degree = (unsigned)arcs.degree, guessed;
            S sum, all = (S)degree;
            look<CELLS>(body, arcs, this_lane(), WARP, x, w);
            weft_vid guess = most_lanes(x[0], &guessed);
            sum_cells<CELLS>(x, w, guess, &sum, &all);
            if (sum) best.see(sum, guess);
            if (2 * sum <= all) {
                table<S> sums(room[threadIdx.x / WARP], slots_for(degree));
                sums.clear(this_lane(), WARP);
                __syncwarp();
                sums.template add_cells<CELLS>(x, w, guess, &best);
                best = best_of(best, WARP);
                __syncwarp();
            }
        }
        if (this_lane() == 0) body.end(k, was, best.key, &t);
    }
    __syncwarp();
    hand_in(r, t);
}

/* A block a row of no more than THREADS * CELLS arcs, but 32. */
template <int THREADS, int CELLS, class S, bool BOTH, class B>
__global__ static void __launch_bounds__(THREADS) sum_many(B body, voting_rows r) {
    extern __shared__ uint4 room_of_block[];
    __shared__ weft_vid guess;
    __shared__ S sum, all;
    weft_vid k = r.list[blockIdx.x], x[CELLS];
    S w[CELLS];
    voting_arcs<S, BOTH> arcs(r, k);
    typename B::row was = body.enter(k);
    candidate<S> best;
    if (body.wants(k)) {
        unsigned degree = (unsigned)arcs.degree, guessed;
        S mine, total = 0;
        look<CELLS>(body, arcs, threadIdx.x, THREADS, x, w);
        if (threadIdx.x < WARP) {
            weft_vid most = most_lanes(x[0], &guessed);
            if (threadIdx.x == 0) guess = most, sum = 0, all = sizeof(S) == sizeof(uint32_t) ? (S)degree : 0;
        }
        __syncthreads();
        sum_cells<CELLS>(x, w, guess, &mine, &total);
        if (this_lane() == 0 && mine) add_to(&sum, mine);
        if (this_lane() == 0 && total) add_to(&all, total);
        __syncthreads();
        if (sum) best.see(sum, guess);
        if (2 * sum <= all) {
            table<S> sums(room_of_block, slots_for(degree));
            sums.clear(threadIdx.x, THREADS);
            __syncthreads();
            sums.template add_cells<CELLS>(x, w, guess, &best);
            best = best_of_block(best);
        }
    }
    if (threadIdx.x) return;
    wfi_op_totals t = {};
    body.end(k, was, best.key, &t);
    hand_in_alone(r, t);
}

/* --- hubs ------------------------------------------------------------------------------------------------ */

/* Rows that must be summed again. */
template <class S> struct again {
    unsigned slots; /* of a table */
    wfi_group_part *part;
    candidate<S> *best;        /* of each part */
    unsigned long long *parts; /* how many there are; then of each hub the first, and above 32 bits how many */
};

/* MurmurHash3's last steps: a bijection. */
__device__ static inline unsigned spread_bits(unsigned x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Adds those keys that are wanted to the block's table; the best candidate that this thread saw.  *full: how far the
 * row got, if the table did not hold them. */
template <class S, bool BOTH, class B, class Wanted>
__device__ static inline candidate<S> add_row(const B &body, const voting_arcs<S, BOTH> &arcs, const table<S> &t,
                                              volatile unsigned long long *full, Wanted wanted) {
    candidate<S> best;
    for (weft_eid at = threadIdx.x; at < arcs.degree && !*full; at += AT_ONCE * HUB_THREADS) {
        weft_vid x[AT_ONCE];
        S w[AT_ONCE];
        look<AT_ONCE>(body, arcs, at, HUB_THREADS, x, w);
#pragma unroll
        for (int c = 0; c < AT_ONCE; c++) {
            if (x[c] == NO_KEY || !wanted(x[c])) continue;
            S sum = t.add(x[c], w[c], HUB_PATIENCE);
            if (!sum) *full = at + 1;
            best.see(sum, x[c]);
        }
    }
    return best;
}

template <class S, bool BOTH, class B>
__global__ static void __launch_bounds__(HUB_THREADS) sum_hubs(B body, voting_rows r, again<S> later) {
    extern __shared__ uint4 room_of_block[];
    __shared__ weft_vid guess;
    __shared__ unsigned guessed;
    __shared__ unsigned long long full, first;
    __shared__ S sum, all;
    weft_vid k = r.list[blockIdx.x];
    voting_arcs<S, BOTH> arcs(r, k);
    typename B::row was = body.enter(k);
    candidate<S> best;
    bool settled = !body.wants(k);
    if (!settled) {
        if (threadIdx.x < WARP) {
            unsigned lanes;
            weft_vid most = most_lanes(body.key(arcs.target(this_lane() * (arcs.degree / WARP))), &lanes);
            if (threadIdx.x == 0) guess = most, guessed = lanes, sum = 0, full = 0;
            if (threadIdx.x == 0) all = sizeof(S) == sizeof(uint32_t) ? (S)arcs.degree : 0;
        }
        __syncthreads();
        bool likely = guessed >= LIKELY;
        if (likely) {
            S mine = 0, total = 0;
            for (weft_eid at = threadIdx.x; at < arcs.degree; at += AT_ONCE * HUB_THREADS) {
                weft_vid x[AT_ONCE];
                S w[AT_ONCE];
                look<AT_ONCE>(body, arcs, at, HUB_THREADS, x, w);
#pragma unroll
                for (int c = 0; c < AT_ONCE; c++) {
                    mine += x[c] == guess ? w[c] : 0;
                    if (sizeof(S) != sizeof(uint32_t)) total += x[c] == NO_KEY ? 0 : w[c];
                }
            }
            if (mine) add_to(&sum, mine);
            if (total) add_to(&all, total);
            __syncthreads();
            if (sum) best.see(sum, guess);
            settled = sum > all - sum;
        }
        if (!settled) {
            table<S> sums(room_of_block, later.slots);
            sums.clear(threadIdx.x, HUB_THREADS);
            __syncthreads();
            weft_vid not_again = likely ? guess : NO_KEY;
            candidate<S> seen = add_row(body, arcs, sums, &full, [=](weft_vid x) { return x != not_again; });
            best.see(seen.sum, seen.key);
            best = best_of_block(best);
            settled = !full;
        }
    }
    if (settled) {
        if (threadIdx.x) return;
        wfi_op_totals t = {};
        body.end(k, was, best.key, &t);
        hand_in_alone(r, t);
        return;
    }
    unsigned bits = 1;
    weft_eid each = full / 4 * 3; /* so many keys do as it got so far */
    if (each < later.slots / 2) each = later.slots / 2;
    while (each << bits < arcs.degree) bits++;
    if (threadIdx.x == 0) {
        first = atomicAdd(later.parts, 1ull << bits);
        later.parts[1 + blockIdx.x] = first | 1ull << (32 + bits);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 1u << bits; i += HUB_THREADS) later.part[first + i] = {blockIdx.x, i, bits};
}

/* The best of those keys whose hash begins with these bits. */
template <class S, bool BOTH, class B>
__device__ static candidate<S> sum_part(const B &body, const voting_arcs<S, BOTH> &arcs, const table<S> &t,
                                        const wfi_group_part &p, unsigned long long *full) {
    for (unsigned more = 0;; more++) {
        bool done = true;
        candidate<S> best;
        for (unsigned sub = 0; done && sub < 1u << more; sub++) {
            if (threadIdx.x == 0) *full = 0;
            t.clear(threadIdx.x, HUB_THREADS);
            __syncthreads();
            unsigned with = p.begins << more | sub, shift = 32 - p.bits - more;
            candidate<S> seen =
                add_row(body, arcs, t, full, [=](weft_vid x) { return spread_bits(x) >> shift == with; });
            __syncthreads();
            done = !*full;
            best.see(seen.sum, seen.key);
            __syncthreads();
        }
        if (done) return best_of_block(best);
    }
}

template <class S, bool BOTH, class B>
__global__ static void __launch_bounds__(HUB_THREADS) sum_parts(B body, voting_rows r, again<S> later) {
    extern __shared__ uint4 room_of_block[];
    __shared__ unsigned long long full;
    for (unsigned i = blockIdx.x; i < *later.parts; i += gridDim.x) {
        wfi_group_part p = later.part[i];
        voting_arcs<S, BOTH> arcs(r, r.list[p.hub]);
        candidate<S> best = sum_part(body, arcs, table<S>(room_of_block, later.slots), p, &full);
        if (threadIdx.x == 0) later.best[i] = best;
        __syncthreads();
    }
}

/* Rows that were summed in parts. */
template <class S, class B> __global__ static void end_hubs(B body, voting_rows r, again<S> later) {
    wfi_op_totals t = {};
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < r.count; i += gridDim.x * blockDim.x) {
        unsigned first = (unsigned)later.parts[1 + i], count = (unsigned)(later.parts[1 + i] >> 32);
        candidate<S> best;
        for (unsigned part = first; part < first + count; part++) best.see(later.best[part].sum, later.best[part].key);
        if (count) body.end(r.list[i], body.enter(r.list[i]), best.key, &t);
    }
    hand_in(r, t);
}

/* The tallies become the totals, and 0 again; by a thread for each word. */
__global__ static void __launch_bounds__(WFI_GROUP_TABLE_TALLIES *WFI_OP_WORDS)
    add_tallies(wfi_word *tally, wfi_word *to) {
    __shared__ wfi_word all[WFI_OP_WORDS];
    wfi_word mine = tally[threadIdx.x];
    unsigned word = threadIdx.x % WFI_OP_WORDS;
    tally[threadIdx.x] = 0;
    if (threadIdx.x < WFI_OP_WORDS) all[word] = 0;
    __syncthreads();
    if (mine && word < WFI_OP_ADDED) atomicAdd(&all[word], mine);
    if (mine && word >= WFI_OP_ADDED) atomicMax(&all[word], mine);
    __syncthreads();
    if (threadIdx.x < WFI_OP_WORDS) to[word] = all[word];
}

/* --- a step ---------------------------------------------------------------------------------------------- */

/* Of one kind of rows: so many threads each. */
template <class B>
static void launch(wfi_ops *o, const wfi_row_group *group, const B &body, voting_rows r, int kind, unsigned threads,
                   unsigned block, void (*kernel)(B, voting_rows)) {
    r.list = group->rows + group->begin[kind];
    r.count = group->count[kind];
    if (r.count)
        kernel<<<wfi_grid((uint64_t)r.count * threads, block, (unsigned)wfi_gpu_of(o->ctx)->sms * 24), block, 0,
                 wfi_cuda_stream(o->ctx)>>>(body, r);
}

template <int BLOCK, int CELLS, class S, bool BOTH, class B>
static void launch_many(wfi_ops *o, const wfi_row_group *group, const B &body, voting_rows r, int kind) {
    r.list = group->rows + group->begin[kind];
    r.count = group->count[kind];
    if (r.count)
        sum_many<BLOCK, CELLS, S, BOTH>
            <<<r.count, BLOCK, 2 * BLOCK * CELLS * slot_bytes(sizeof(S) == 8), wfi_cuda_stream(o->ctx)>>>(body, r);
}

template <class S, bool BOTH, class B>
static weft_status launch_hubs(wfi_ops *o, const wfi_row_group *group, const B &body, voting_rows r) {
    weft_ctx *ctx = o->ctx;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    again<S> later = {group->table_slots, group->part, (candidate<S> *)group->best,
                      (unsigned long long *)group->cursor};
    size_t bytes = (size_t)group->table_slots * slot_bytes(sizeof(S) == 8);
    r.list = group->rows + group->begin[HUBS];
    r.count = group->count[HUBS];
    if (!r.count) return WEFT_OK;
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(later.parts, 0, (1 + (size_t)r.count) * sizeof *later.parts, stream));
    sum_hubs<S, BOTH><<<r.count, HUB_THREADS, bytes, stream>>>(body, r, later);
    sum_parts<S, BOTH><<<(unsigned)wfi_gpu_of(ctx)->sms, HUB_THREADS, bytes, stream>>>(body, r, later);
    end_hubs<S><<<wfi_grid(r.count, ROWS_THREADS, 1 << 10), ROWS_THREADS, 0, stream>>>(body, r, later);
    return WEFT_OK;
}

/* Once in a run: kernels may have their tables. */
template <class S, bool BOTH, class B> static weft_status allow_tables(weft_ctx *ctx, wfi_row_group *group) {
    const void *kernels[] = {(const void *)sum_hubs<S, BOTH, B>, (const void *)sum_parts<S, BOTH, B>,
                             (const void *)sum_many<MANY_THREADS, MANY_CELLS, S, BOTH, B>,
                             (const void *)sum_many<MANY_THREADS / 2, MANY_CELLS, S, BOTH, B>};
    size_t most;
    for (const void *kernel : kernels) {
        weft_status st = wfi_allow_shared_memory(ctx, kernel, &most);
        if (st) return st;
    }
    group->allowed = true;
    return WEFT_OK;
}

template <class S, bool BOTH, class B>
static weft_status step_of(wfi_ops *o, wfi_row_group *group, const B &body, const voting_rows &r, wfi_op_totals *to) {
    weft_ctx *ctx = o->ctx;
    enum { SOME = some_threads<S>() };
    weft_status st = group->allowed ? WEFT_OK : allow_tables<S, BOTH, B>(ctx, group);
    if (!st) st = launch_hubs<S, BOTH>(o, group, body, r);
    if (st) return st;
    launch_many<MANY_THREADS, MANY_CELLS, S, BOTH>(o, group, body, r, UP_TO_4096);
    launch_many<MANY_THREADS / 2, MANY_CELLS, S, BOTH>(o, group, body, r, UP_TO_2048);
    launch_many<256, 4, S, BOTH>(o, group, body, r, UP_TO_1024);
    launch_many<128, 4, S, BOTH>(o, group, body, r, UP_TO_512);
    launch(o, group, body, r, UP_TO_256, WARP, SOME, sum_some<8, S, BOTH, B>);
    launch(o, group, body, r, UP_TO_128, WARP, SOME, sum_some<4, S, BOTH, B>);
    launch(o, group, body, r, UP_TO_64, WARP, SOME, sum_some<2, S, BOTH, B>);
    launch(o, group, body, r, UP_TO_32, 32, ROWS_THREADS, sum_few<32, S, BOTH, B>);
    launch(o, group, body, r, UP_TO_16, 16, ROWS_THREADS, sum_few<16, S, BOTH, B>);
    launch(o, group, body, r, UP_TO_8, 1, ROWS_THREADS, sum_fewest<8, S, BOTH, B>);
    launch(o, group, body, r, UP_TO_4, 1, ROWS_THREADS, sum_fewest<4, S, BOTH, B>);
    add_tallies<<<1, WFI_GROUP_TABLE_TALLIES * WFI_OP_WORDS, 0, wfi_cuda_stream(ctx)>>>((wfi_word *)r.tallies,
                                                                                        (wfi_word *)to);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

template <class B> static weft_status step(wfi_ops *o, wfi_row_group *group, const B &body, wfi_op_totals *to) {
    voting_rows r = {*o->out, {}, group->unit, NULL, 0, group->tallies};
    bool both = o->in != o->out;
    if (both) r.in = *o->in;
    return group->wide ? step_of<uint64_t, true>(o, group, body, r, to)
           : both      ? step_of<uint32_t, true>(o, group, body, r, to)
                       : step_of<uint32_t, false>(o, group, body, r, to);
}

#undef NO_KEY
} // namespace wfi_group_tables

/* In the file of the bodies, after WFI_STEPS. */
#define WFI_OP_GROUP(x)                                                                                      \
    namespace {                                                                                              \
    struct x##_group : wfi_op_state {                                                                        \
        typedef x##_row row;                                                                                 \
        x##_group(const void *state) : wfi_op_state(state) {}                                                \
        __device__ bool wants(weft_vid k) const { return x##_wants(&s, k); }                                 \
        __device__ row enter(weft_vid k) const { return x##_enter(&s, k); }                                  \
        __device__ weft_vid key(weft_vid v) const { return x##_key(&s, v); }                                 \
        __device__ void end(weft_vid k, row was, weft_vid key, wfi_op_totals *t) const {                     \
            x##_end(&s, k, was, key, t);                                                                     \
        }                                                                                                    \
    };                                                                                                       \
    }                                                                                                        \
    extern "C" weft_status x##_gpu(wfi_ops *o, wfi_row_group *group, const void *state, wfi_op_totals *to) { \
        return wfi_group_tables::step(o, group, x##_group(state), to);                                       \
    }

#endif
