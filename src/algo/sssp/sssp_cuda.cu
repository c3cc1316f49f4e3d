/* Shortest paths, GPU.  The answer is sssp.c's; parents come after the distances (parents_cuda.cu).
 * Method: near and far [1] in one kernel with a barrier of the grid between phases.  Vertices below `limit` are near and relax their
 * arcs until none is left; the others wait in a pile, which is looked through when the limit is raised by delta.  What is near in it
 * then relaxes at once.
 * An entry of a queue has the distance that its vertex got; where the vertex has a smaller one by now the entry is stale and dropped, so
 * no vertex relaxes twice from one distance.
 * A warp takes up to 32 entries and walks their rows end to end.  Longer rows are cut into pieces, of which all warps take some one
 * phase later.  In a phase with few entries each block goes on by itself with what it found, round after round, as far as it is near:
 * on a road a barrier of the grid is paid once for many rounds.
 * Encoding: near entries in two queues that take turns, far ones in two piles.  Counters stand in three sets that take turns, so that one
 * can be cleared while one is read and one counts.  Queues have fixed room: when one is full the search ends a launch, and everything that
 * may be unsettled goes to the pile.
 * [1] Davidson, Baxter, Garland, Owens, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014. */
#include "algo/sssp/sssp_cuda.h"
#include "algo/sssp/sssp_device.cuh"

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>

namespace groups = cooperative_groups;

enum {
    WARP = WFI_SSSP_WARP,
    PIECE = WFI_SSSP_PIECE,
    SETS = 3,
    BLOCK_ROOM = 4096, /* bytes of a block's own queue */
    LONGEST = 1 << 14, /* row that one warp may have to itself */
    PHASES = 256       /* of a launch; then the host asks whether to go on */
};

/* Trouble of a phase. */
enum { RAN_DRY = 1, TOO_FAR = 2 };

template <class D> struct alignas(2 * sizeof(D)) entry {
    D at;
    weft_vid v;
};

template <class D, int K> struct width {
    static const unsigned threads = K * sizeof(D) >= 32 ? 512 : K * sizeof(D) >= 20 ? 768 : 1024, warps = threads / WARP;
    static const unsigned held = WARP * K, queued = BLOCK_ROOM / sizeof(entry<D>);
};

/* Of a phase: what it found, and how many groups of its entries and pieces have been taken. */
struct tally {
    unsigned long long near, entries_taken, pieces_taken, inside, outside;
    unsigned trouble, longest;
};

template <class D> struct pile {
    unsigned long long count;
    D least;
};

/* Between launches. */
template <class D> struct progress {
    tally set[SETS];
    pile<D> far[SETS];
    unsigned long long pieces[SETS];
    D low, limit;            /* what is below low is settled */
    unsigned long long near; /* of the phase to come */
    unsigned long long waited; /* in the pile when the limit was raised last */
    D delta;
    unsigned phase, raised, cut, trouble;
    int flat; /* an arc that leads to the same distance was met */
    int done, owed;
    unsigned long long stat[8];
    unsigned long long log[128][6];
};

template <class D> struct search {
    wfi_sssp_arcs g;
    D *distance;
    entry<D> *near[2], *far[2];
    wfi_sssp_piece<D> *pieces[2];
    unsigned long long near_room, piece_room;
    progress<D> *p;
    D delta;
    unsigned rounds, few, spill, defer, stats, share, grow, per, pieces_per, light, pull;
};

/* What the warps of a phase share, and what one of them holds back. */
template <class D> struct phase {
    D limit;
    tally *t;
    pile<D> *p;
    unsigned long long *cut;
    entry<D> *near, *far, *held; /* held: this warp's, in shared memory */
    wfi_sssp_piece<D> *pieces;
    unsigned count;   /* of held */
    entry<D> *queue;  /* this block's, or NULL */
    unsigned *queued; /* entries of it, and perhaps more that found no room */
    bool few;
    enum { ALL, LIGHT, HEAVY } which; /* arcs: those that lead below the limit, or the others */
    unsigned arcs, finds, pops, fresh;
};

/* An array in a parameter must not be indexed by what is not known at compile time: it would be copied to local memory. */
template <class T> __device__ static T *turn(T *const (&two)[2], unsigned number) { return number % 2 ? two[1] : two[0]; }

__device__ static uint32_t raised(uint32_t low, uint32_t delta) { return low + delta < low ? UINT32_MAX : low + delta; }
__device__ static wfi_sssp_bits raised(wfi_sssp_bits low, wfi_sssp_bits delta) {
    wfi_sssp_bits sum = (wfi_sssp_bits)__double_as_longlong(__longlong_as_double((long long)low) +
                                                            __longlong_as_double((long long)delta));
    return sum > low ? sum : low + 1;
}

__device__ static uint32_t doubled(uint32_t delta) { return raised(delta, delta); }
__device__ static wfi_sssp_bits doubled(wfi_sssp_bits delta) { return raised(delta, delta); }

__device__ static entry<uint32_t> load(const entry<uint32_t> *at) {
    uint2 x = __ldcg((const uint2 *)at);
    return {x.x, x.y};
}
__device__ static entry<wfi_sssp_bits> load(const entry<wfi_sssp_bits> *at) {
    ulonglong2 x = __ldcg((const ulonglong2 *)at);
    return {x.x, (weft_vid)x.y};
}

__device__ static uint32_t least_of_warp(uint32_t x) {
    for (int far = WARP / 2; far; far /= 2) x = min(x, __shfl_xor_sync(~0u, x, far));
    return x;
}
__device__ static wfi_sssp_bits least_of_warp(wfi_sssp_bits x) {
    for (int far = WARP / 2; far; far /= 2) x = min(x, __shfl_xor_sync(~0u, x, far));
    return x;
}

/* --- queues ------------------------------------------------------------------------------- */

/* What the warp holds goes to the near queue and the pile. */
template <class D> __device__ static void let_go(const search<D> &s, phase<D> *f) {
    unsigned lane = wfi_sssp_lane(), near = 0, below = (1u << lane) - 1;
    D least = wfi_sssp_none<D>();
    __syncwarp();
    for (unsigned i = lane; i < f->count + lane; i += WARP) {
        bool mine = i < f->count, is_near = mine && f->held[i].at < f->limit;
        near += (unsigned)__popc(__ballot_sync(~0u, is_near));
        if (mine && !is_near) least = min(least, f->held[i].at);
    }
    unsigned far = f->count - near;
    if (far) least = least_of_warp(least);
    unsigned long long near_at = 0, far_at = 0;
    if (lane == 0) {
        if (near) near_at = atomicAdd(&f->t->near, near);
        if (far) far_at = atomicAdd(&f->p->count, far);
        if (far && least < __ldcg(&f->p->least)) atomicMin(&f->p->least, least);
    }
    near_at = __shfl_sync(~0u, near_at, 0);
    far_at = __shfl_sync(~0u, far_at, 0);
    for (unsigned i = lane; i < f->count + lane; i += WARP) {
        bool mine = i < f->count;
        entry<D> e = mine ? f->held[i] : entry<D>{0, 0};
        unsigned nears = __ballot_sync(~0u, mine && e.at < f->limit),
                 fars = __ballot_sync(~0u, mine && e.at >= f->limit);
        bool is_near = nears >> lane & 1;
        unsigned long long place = is_near ? near_at + (unsigned)__popc(nears & below) : far_at + (unsigned)__popc(fars & below);
        near_at += (unsigned)__popc(nears);
        far_at += (unsigned)__popc(fars);
        if (!mine) continue;
        if (place >= (is_near ? s.near_room : s.g.n))
            atomicOr(&f->t->trouble, RAN_DRY);
        else
            (is_near ? f->near : f->far)[place] = e;
    }
    __syncwarp();
    f->count = 0;
}

/* Holds the entries (v[k], at[k]) whose bit is set in `which`. */
template <int J, int K, class D>
__device__ static void hold(const search<D> &s, phase<D> *f, unsigned which, const weft_vid *v, const D *at) {
    unsigned all, place = wfi_sssp_before((unsigned)__popc(which), &all);
    if (f->count + all > width<D, K>::held) let_go(s, f);
    place += f->count;
#pragma unroll
    for (int k = 0; k < J; k++)
        if (which >> k & 1) f->held[place++] = {at[k], v[k]};
    f->count += all;
}

/* The same for the block's own queue; which of them found no room. */
template <int K, class D>
__device__ static unsigned keep_here(phase<D> *f, unsigned which, const weft_vid *v, const D *at) {
    unsigned all, place = wfi_sssp_before((unsigned)__popc(which), &all), base = 0;
    if (wfi_sssp_lane() == 0) base = atomicAdd(f->queued, all);
    place += __shfl_sync(~0u, base, 0);
#pragma unroll
    for (int k = 0; k < K; k++)
        if (which >> k & 1 && place < width<D, K>::queued) {
            f->queue[place++] = {at[k], v[k]};
            which &= ~(1u << k);
        }
    return which;
}

template <class D>
__device__ static void cut(const search<D> &s, phase<D> *f, unsigned long_ones, const entry<D> &e, unsigned length) {
    unsigned lane = wfi_sssp_lane();
    for (; long_ones; long_ones &= long_ones - 1) {
        int who = __ffs((int)long_ones) - 1;
        weft_vid v = __shfl_sync(~0u, e.v, who);
        D at = __shfl_sync(~0u, e.at, who);
        unsigned count = (__shfl_sync(~0u, length, who) + PIECE - 1) / PIECE;
        unsigned long long base = 0;
        if (lane == 0) base = atomicAdd(f->cut, (unsigned long long)count);
        base = __shfl_sync(~0u, base, 0);
        for (unsigned i = lane; i < count; i += WARP)
            if (base + i < s.piece_room)
                f->pieces[base + i] = {at, v, i};
            else
                atomicOr(&f->t->trouble, RAN_DRY);
    }
}

/* --- relaxing ------------------------------------------------------------------------------ */

/* Distances over the arcs are offered where they end; those that are better are queued.  Where there is much to do a look
 * saves most of the atomics; where there is little they save the time of the look. */
template <int K, class D>
__device__ static void offer(const search<D> &s, phase<D> *f, const wfi_sssp_rows<D> &rows,
                             const wfi_sssp_step<K> &step) {
    D at[K], old[K];
    unsigned there = step.there, found = 0;
    bool beyond = false, flat = false;
#pragma unroll
    for (int k = 0; k < K; k++) {
        D from = __shfl_sync(~0u, rows.from, step.owner_of(k));
        at[k] = wfi_sssp_add(from, step.weight[k], s.g.weights);
        flat |= there >> k & 1 && at[k] == from;
        beyond |= there >> k & 1 && at[k] == wfi_sssp_none<D>();
        if (f->which == (at[k] < f->limit ? f->HEAVY : f->LIGHT)) there &= ~(1u << k);
    }
    if (!f->few) {
#pragma unroll
        for (int k = 0; k < K; k++) old[k] = there >> k & 1 ? __ldcg(&s.distance[step.v[k]]) : 0;
    }
    if (sizeof(D) == 4 && beyond) atomicOr(&f->t->trouble, TOO_FAR);
    if (flat) s.p->flat = 1;
    f->arcs += __popc(there);
    if (!f->few) {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (at[k] >= old[k]) there &= ~(1u << k);
    }
#pragma unroll
    for (int k = 0; k < K; k++) old[k] = there >> k & 1 ? atomicMin(&s.distance[step.v[k]], at[k]) : 0;
#pragma unroll
    for (int k = 0; k < K; k++) found |= (there >> k & 1 && at[k] < old[k] ? 1u : 0u) << k;
    f->finds += __popc(found);
    if (!__any_sync(~0u, found)) return;
    if (f->queue) {
        unsigned near = 0;
#pragma unroll
        for (int k = 0; k < K; k++) near |= (at[k] < f->limit ? 1u : 0u) << k;
        near &= found;
        if (__any_sync(~0u, near)) found = (found & ~near) | keep_here<K>(f, near, step.v, at);
        if (!__any_sync(~0u, found)) return;
    }
    hold<K, K>(s, f, found, step.v, at);
}

template <int K, class D>
__device__ static void relax_rows(const search<D> &s, phase<D> *f, weft_vid u, D from, weft_eid begin,
                                  unsigned length) {
    wfi_sssp_rows<D> rows = wfi_sssp_join(u, from, begin, length);
    wfi_sssp_walk<K>(s.g, rows, [&](const wfi_sssp_step<K> &step) { offer<K>(s, f, rows, step); });
}

/* Who takes which group: at first each warp its own, then by tickets. */
__device__ static unsigned long long next_ticket(unsigned long long *taken) {
    return wfi_sssp_lane() == 0 ? atomicAdd(taken, 1ull) : 0;
}

template <int K, class D>
__device__ static void relax_pieces(const search<D> &s, phase<D> *f, const wfi_sssp_piece<D> *pieces,
                                    unsigned long long count, unsigned warp, unsigned warps) {
    unsigned lane = wfi_sssp_lane(), many = s.share * warps;
    unsigned long long share = (count + many - 1) / many;
    unsigned per = share < s.pieces_per ? (unsigned)share : s.pieces_per;
    for (unsigned long long base = (unsigned long long)warp * per; base < count;) {
        unsigned long long ticket = next_ticket(&f->t->pieces_taken), i = base + lane;
        bool mine = lane < per && i < count;
        D from = mine ? __ldcg(&pieces[i].at) : 0;
        weft_vid u = mine ? __ldcg(&pieces[i].v) : 0;
        weft_eid begin = mine ? (weft_eid)__ldcg(&pieces[i].index) * PIECE : 0, end = begin;
        if (mine && __ldcg(&s.distance[u]) == from) {
            begin += s.g.out.offsets[u];
            end = s.g.out.offsets[u + 1];
        }
        relax_rows<K>(s, f, u, from, begin, begin + PIECE < end ? PIECE : (unsigned)(end - begin));
        base = (warps + __shfl_sync(~0u, ticket, 0)) * per;
    }
}

/* Entries of the near queue, of the pile, or (`here`) of the block's own queue, by warp number `warp` of `warps`. */
template <int K, class D>
__device__ static void relax_entries(const search<D> &s, phase<D> *f, const entry<D> *entries, bool here,
                                     unsigned long long count, unsigned warp, unsigned warps) {
    unsigned lane = wfi_sssp_lane(), many = s.share * warps;
    unsigned long long share = here || f->few ? (count + warps - 1) / warps : (count + many - 1) / many;
    unsigned per = share < s.per ? (unsigned)share : s.per;
    for (unsigned long long base = (unsigned long long)warp * per; base < count;) {
        unsigned long long ticket = f->few ? 0 : next_ticket(&f->t->entries_taken);
        bool mine = lane < per && base + lane < count, near = false, fresh = false;
        entry<D> e = {0, 0};
        weft_eid begin = 0, end = 0;
        if (mine) {
            e = here ? entries[base + lane] : load(&entries[base + lane]);
            near = e.at < f->limit;
            if (near) begin = s.g.out.offsets[e.v];
            if (near) end = s.g.out.offsets[e.v + 1];
            fresh = __ldcg(&s.distance[e.v]) == e.at;
        }
        f->pops += mine;
        bool later = fresh && !near;
        if (__any_sync(~0u, later)) hold<1, K>(s, f, later ? 1u : 0u, &e.v, &e.at);
        f->fresh += fresh && near;
        unsigned length = fresh && near ? (unsigned)(end - begin) : 0, long_ones = __ballot_sync(~0u, length > PIECE);
        if (long_ones) cut(s, f, long_ones, e, length);
        relax_rows<K>(s, f, e.v, e.at, begin, length > PIECE ? 0 : length);
        base = f->few ? base + (unsigned long long)warps * per : (warps + __shfl_sync(~0u, ticket, 0)) * per;
    }
}

/* --- heavy arcs ----------------------------------------------------------------------------- */

/* How many arcs the vertices of the bucket have, and how many those have that are not settled with it. */
template <class D> __device__ static void weigh(const search<D> &s, phase<D> *f, D low, unsigned warp, unsigned warps) {
    unsigned long long inside = 0, outside = 0;
    unsigned longest = 0;
    for (uint64_t v = (uint64_t)warp * WARP + wfi_sssp_lane(); v < s.g.n; v += (uint64_t)warps * WARP) {
        D at = __ldcg(&s.distance[v]);
        unsigned length = (unsigned)(s.g.out.offsets[v + 1] - s.g.out.offsets[v]);
        if (at >= f->limit) {
            outside += length;
            longest = max(longest, length);
        } else if (at >= low) {
            inside += length;
        }
    }
    for (int far = WARP / 2; far; far /= 2) {
        inside += __shfl_xor_sync(~0u, inside, far);
        outside += __shfl_xor_sync(~0u, outside, far);
        longest = max(longest, __shfl_xor_sync(~0u, longest, far));
    }
    if (wfi_sssp_lane()) return;
    atomicAdd(&f->t->inside, inside);
    atomicAdd(&f->t->outside, outside);
    atomicMax(&f->t->longest, longest);
}

/* The vertices of the bucket, which are settled, offer along their heavy arcs. */
template <int K, class D>
__device__ static void push_heavy(const search<D> &s, phase<D> *f, D low, unsigned warp, unsigned warps) {
    for (uint64_t base = (uint64_t)warp * WARP; base < s.g.n;) {
        unsigned long long ticket = next_ticket(&f->t->entries_taken);
        uint64_t v = base + wfi_sssp_lane();
        entry<D> e = {v < s.g.n ? __ldcg(&s.distance[v]) : wfi_sssp_none<D>(), (weft_vid)v};
        weft_eid begin = 0;
        unsigned length = 0;
        if (e.at >= low && e.at < f->limit) {
            begin = s.g.out.offsets[v];
            length = (unsigned)(s.g.out.offsets[v + 1] - begin);
        }
        unsigned long_ones = __ballot_sync(~0u, length > PIECE);
        if (long_ones) cut(s, f, long_ones, e, length);
        relax_rows<K>(s, f, e.v, e.at, begin, length > PIECE ? 0 : length);
        base = (warps + __shfl_sync(~0u, ticket, 0)) * WARP;
    }
}

/* Undirected: those that are not settled look for them instead.  Nobody else writes their distances meanwhile. */
template <int K, class D>
__device__ static void pull_heavy(const search<D> &s, phase<D> *f, unsigned warp, unsigned warps) {
    for (uint64_t base = (uint64_t)warp * WARP; base < s.g.n;) {
        unsigned long long ticket = next_ticket(&f->t->entries_taken);
        uint64_t v = base + wfi_sssp_lane();
        D had = v < s.g.n ? __ldcg(&s.distance[v]) : 0;
        weft_eid begin = 0;
        unsigned length = 0;
        if (had >= f->limit) {
            begin = s.g.out.offsets[v];
            length = (unsigned)(s.g.out.offsets[v + 1] - begin);
        }
        wfi_sssp_rows<D> rows = wfi_sssp_join((weft_vid)v, had, begin, length);
        wfi_sssp_walk<K>(s.g, rows, [&](const wfi_sssp_step<K> &step) {
            D from[K];
#pragma unroll
            for (int k = 0; k < K; k++)
                from[k] = step.there >> k & 1 ? __ldcg(&s.distance[step.v[k]]) : wfi_sssp_none<D>();
#pragma unroll
            for (int k = 0; k < K; k++) {
                weft_vid to = __shfl_sync(~0u, rows.u, step.owner_of(k));
                D before = __shfl_sync(~0u, rows.from, step.owner_of(k));
                D at = wfi_sssp_add(from[k], step.weight[k], s.g.weights);
                if (from[k] < f->limit && at < before) atomicMin(&s.distance[to], at);
            }
        });
        __threadfence(); /* what other lanes wrote */
        __syncwarp();
        D has = length ? __ldcg(&s.distance[v]) : had;
        weft_vid u = (weft_vid)v;
        if (__any_sync(~0u, has < had)) hold<1, K>(s, f, has < had ? 1u : 0u, &u, &has);
        base = (warps + __shfl_sync(~0u, ticket, 0)) * WARP;
    }
}

/* --- phases --------------------------------------------------------------------------------- */

/* A block's own rounds.  It stands before round `at`: that is where queue at % 2 and counter at % 3 are read, the next ones filled, and
 * the counter after that is cleared. */
template <int K, class D>
__device__ static unsigned go_on_here(const search<D> &s, phase<D> *f, entry<D> (*queue)[width<D, K>::queued],
                                      unsigned *queued, unsigned at) {
    unsigned warp = threadIdx.x / WARP, last = at + s.rounds;
    for (;;) {
        __syncthreads();
        unsigned wave = queued[at % SETS];
        const entry<D> *entries = queue[at % 2];
        if (!wave) return at;
        if (threadIdx.x == 0) queued[(at + 2) % SETS] = 0;
        if (wave > width<D, K>::queued) wave = width<D, K>::queued;
        at++;
        if (at > last || wave > s.spill) { /* others may help with these */
            for (unsigned i = threadIdx.x; i < wave + wfi_sssp_lane(); i += width<D, K>::threads) {
                entry<D> e = i < wave ? entries[i] : entry<D>{0, 0};
                hold<1, K>(s, f, i < wave ? 1u : 0u, &e.v, &e.at);
            }
            return at;
        }
        f->queue = queue[at % 2];
        f->queued = &queued[at % SETS];
        relax_entries<K>(s, f, entries, true, wave, warp, width<D, K>::warps);
    }
}

template <class D> __device__ static void clear(tally *t, pile<D> *p) {
    if (t) *t = {};
    if (p) *p = {0, wfi_sssp_none<D>()};
}

template <class D, int K> __global__ void __launch_bounds__(width<D, K>::threads, 1) search_kernel(search<D> s) {
    typedef width<D, K> W;
    __shared__ entry<D> held[W::warps][W::held], queue[2][W::queued];
    __shared__ unsigned queued[SETS];
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * W::warps, trouble = 0, round = 0;
    progress<D> *p = s.p;
    D low = __ldcg(&p->low), limit = __ldcg(&p->limit);
    unsigned number = __ldcg(&p->phase), raises = __ldcg(&p->raised), cuts = __ldcg(&p->cut), last = number + PHASES;
    unsigned long long near = __ldcg(&p->near), pieces = __ldcg(&p->pieces[cuts % SETS]);
    unsigned long long waited = __ldcg(&p->waited);
    D delta = __ldcg(&p->delta);
    bool owed = __ldcg(&p->owed) != 0; /* heavy arcs of this bucket were left out */
    bool done = false, first = grid.thread_rank() == 0;
    unsigned st_arcs = 0, st_finds = 0, st_pops = 0, st_fresh = 0;
    if (threadIdx.x < SETS) queued[threadIdx.x] = 0;
    grid.sync(); /* all have read where it stands */
    while (number < last && !trouble) {
        const entry<D> *entries = turn(s.near, number);
        unsigned long long count = near, cut = 0;
        bool settle = owed && !near && !pieces, raise = !settle && !near && !pieces;
        if (raise) {
            pile<D> *from = &p->far[raises % SETS];
            count = __ldcg(&from->count);
            entries = turn(s.far, raises);
            low = __ldcg(&from->least);
            done = !count;
            if (done) break;
            if (s.grow && 2 * count < waited) delta = doubled(delta);
            waited = count;
            limit = raised(low, delta);
            raises++;
            if (first) clear<D>(NULL, &p->far[(raises + 1) % SETS]);
        }
        if (first && s.stats && number < 128) {
            unsigned long long t;
            asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
            p->log[number][0] = t; p->log[number][1] = near; p->log[number][2] = pieces; p->log[number][3] = raise ? count : settle ? 1 : 0;
            p->log[number][4] = limit; p->log[number][5] = p->stat[0];
        }
        bool with_pieces = !near || !s.defer;
        const wfi_sssp_piece<D> *old_pieces = turn(s.pieces, cuts);
        if (with_pieces) {
            cut = pieces;
            cuts++;
            if (first) p->pieces[(cuts + 1) % SETS] = 0;
        }
        phase<D> f = {};
        f.limit = limit;
        f.t = &p->set[number % SETS];
        f.p = &p->far[raises % SETS];
        f.cut = &p->pieces[cuts % SETS];
        f.near = turn(s.near, number + 1);
        f.far = turn(s.far, raises);
        f.held = held[threadIdx.x / WARP];
        f.pieces = turn(s.pieces, cuts);
        f.few = count <= (unsigned long long)s.few * gridDim.x && cut <= gridDim.x;
        if (first) clear<D>(&p->set[(number + 1) % SETS], NULL);
        f.queue = f.few ? queue[round % 2] : NULL;
        f.queued = &queued[round % SETS];
        if (s.light && !f.few && !raise && !settle) {
            f.which = f.LIGHT;
            owed = true;
        }
        if (settle) {
            count = 0;
            owed = false;
            f.few = false;
            f.queue = NULL;
            weigh(s, &f, low, warp, warps);
            grid.sync();
            if (s.pull && __ldcg(&f.t->outside) < __ldcg(&f.t->inside) && __ldcg(&f.t->longest) <= LONGEST) {
                pull_heavy<K>(s, &f, warp, warps);
            } else {
                f.which = f.HEAVY;
                push_heavy<K>(s, &f, low, warp, warps);
                grid.sync();
                cut = __ldcg(f.cut);
                old_pieces = f.pieces;
                cuts++;
                if (first) p->pieces[(cuts + 1) % SETS] = 0;
                f.cut = &p->pieces[cuts % SETS];
                f.pieces = turn(s.pieces, cuts);
            }
        }
        if (cut) relax_pieces<K>(s, &f, old_pieces, cut, warp, warps);
        if (count) relax_entries<K>(s, &f, entries, false, count, warp, warps);
        if (f.few) round = go_on_here<K>(s, &f, queue, queued, round);
        if (f.count) let_go(s, &f);
        if (s.stats == 2) {
            unsigned a = __reduce_add_sync(~0u, f.arcs);
            if (wfi_sssp_lane() == 0 && a) atomicAdd(&p->stat[0], (unsigned long long)a);
            st_finds += f.finds; st_pops += f.pops; st_fresh += f.fresh;
        }
        grid.sync();
        near = __ldcg(&f.t->near);
        pieces = __ldcg(f.cut);
        trouble = __ldcg(&f.t->trouble);
        number++;
    }
    if (s.stats == 2) { atomicAdd(&p->stat[1], (unsigned long long)st_finds); atomicAdd(&p->stat[2], (unsigned long long)st_pops); atomicAdd(&p->stat[3], (unsigned long long)st_fresh); }
    (void)st_arcs;
    if (blockIdx.x == 0 && threadIdx.x == 0) p->stat[4] += round;
    if (!first) return;
    p->low = low;
    p->limit = limit;
    p->near = near;
    p->waited = waited;
    p->delta = delta;
    p->owed = owed;
    p->phase = number;
    p->raised = raises;
    p->cut = cuts;
    p->trouble = trouble;
    p->done = done;
}

/* Every vertex unreached, but the source. */
template <class D> __global__ static void begin_kernel(search<D> s, weft_vid source) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < s.g.n;
         v += (uint64_t)gridDim.x * blockDim.x)
        s.distance[v] = v == source ? 0 : wfi_sssp_none<D>();
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < SETS; i++) clear(&s.p->set[i], &s.p->far[i]);
    s.near[0][0] = {0, source};
    s.p->near = 1;
    s.p->limit = raised((D)0, s.delta);
    s.p->delta = s.delta;
}

/* A queue was full: no entry is left, every vertex that may be unsettled goes to the pile. */
template <class D> __global__ static void clear_kernel(search<D> s) {
    for (int i = 0; i < SETS; i++) clear(&s.p->set[i], &s.p->far[i]);
    for (int i = 0; i < SETS; i++) s.p->pieces[i] = 0;
    s.p->near = s.p->trouble = 0;
    s.p->owed = 0;
    s.p->far[s.p->raised % SETS].least = s.p->low;
}
template <class D> __global__ static void refill_kernel(search<D> s) {
    pile<D> *p = &s.p->far[s.p->raised % SETS];
    entry<D> *far = turn(s.far, s.p->raised);
    unsigned lane = wfi_sssp_lane();
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < (uint64_t)s.g.n + lane;
         v += (uint64_t)gridDim.x * blockDim.x) {
        D at = v < s.g.n ? s.distance[v] : wfi_sssp_none<D>();
        unsigned open = __ballot_sync(~0u, at != wfi_sssp_none<D>() && at >= s.p->low);
        unsigned long long base = 0;
        if (lane == 0 && open) base = atomicAdd(&p->count, (unsigned)__popc(open));
        base = __shfl_sync(~0u, base, 0);
        if (open >> lane & 1) far[base + (unsigned)__popc(open & ((1u << lane) - 1))] = {at, (weft_vid)v};
    }
}

/* --- the run ---------------------------------------------------------------------------------- */

struct summary {
    unsigned long long reached, farthest;
};

__device__ static double number_of(uint32_t at) { return at == UINT32_MAX ? __longlong_as_double(0x7ffll << 52) : at; }
__device__ static double number_of(wfi_sssp_bits at) { return __longlong_as_double((long long)at); }

/* Distances as doubles, which may lie where they were if those were doubles. */
template <class D> __global__ static void finish_kernel(const D *distance, weft_vid n, double *to, summary *sum) {
    unsigned reached = 0;
    D farthest = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        D at = distance[v];
        to[v] = number_of(at);
        if (at == wfi_sssp_none<D>()) continue;
        reached++;
        farthest = max(farthest, at);
    }
    for (int far = WARP / 2; far; far /= 2) {
        reached += __shfl_xor_sync(~0u, reached, far);
        farthest = max(farthest, __shfl_xor_sync(~0u, farthest, far));
    }
    if (wfi_sssp_lane()) return;
    atomicAdd(&sum->reached, reached);
    atomicMax(&sum->farthest, (unsigned long long)__double_as_longlong(number_of(farthest)));
}

static unsigned long long near_room(const weft_graph *g) { return g->n; }
static unsigned long long piece_room(const weft_graph *g) { return 2 * (g->arcs / PIECE) + 1; }

template <class D> static uint64_t bytes_of(const weft_graph *g) {
    return g->n * (sizeof(D) + 2 * sizeof(entry<D>) + sizeof(weft_vid)) + 2 * near_room(g) * sizeof(entry<D>) +
           2 * piece_room(g) * sizeof(wfi_sssp_piece<D>);
}

template <class D> struct arrays {
    wfi_buffer<D> distance;
    wfi_buffer<weft_vid> parent;
    wfi_buffer<entry<D>> near[2], far[2];
    wfi_buffer<wfi_sssp_piece<D>> pieces[2];
    wfi_buffer<progress<D>> p;
    wfi_buffer<summary> sum;
};

template <class D> static weft_status take_arrays(weft_ctx *ctx, const weft_graph *g, arrays<D> *a, search<D> *s) {
    weft_status st = a->distance.take(ctx, g->n);
    if (!st) st = a->parent.take(ctx, g->n);
    for (int i = 0; i < 2; i++) {
        if (!st) st = a->near[i].take(ctx, near_room(g));
        if (!st) st = a->far[i].take(ctx, g->n);
        if (!st) st = a->pieces[i].take(ctx, piece_room(g));
        s->near[i] = a->near[i].data;
        s->far[i] = a->far[i].data;
        s->pieces[i] = a->pieces[i].data;
    }
    if (!st) st = a->p.take_zeroed(ctx, 1);
    if (!st) st = a->sum.take_zeroed(ctx, 1);
    s->distance = a->distance.data;
    s->near_room = near_room(g);
    s->piece_room = piece_room(g);
    s->p = a->p.data;
    return st;
}

static void set_delta(uint32_t *to, double delta) {
    *to = delta < 1 ? 1 : delta < (double)UINT32_MAX ? (uint32_t)delta : UINT32_MAX;
}
static void set_delta(wfi_sssp_bits *to, double delta) { memcpy(to, &delta, sizeof *to); }

template <class D>
static weft_status search_from(weft_ctx *ctx, const search<D> *s, weft_vid source, progress<D> *seen) {
    cudaStream_t stream = wfi_cuda_stream();
    unsigned blocks = wfi_grid(s->g.n, 256, 4096);
    int sms = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    begin_kernel<<<blocks, 256, 0, stream>>>(*s, source);
    do {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        void *args[] = {(void *)s};
#define GO(K) WFI_CUDA(cudaLaunchCooperativeKernel((void *)search_kernel<D, K>, dim3((unsigned)sms), dim3(width<D, K>::threads), args, 0, stream))
        int k = getenv("SSSP_K") ? atoi(getenv("SSSP_K")) : 8;
        if (k == 4) GO(4 * 4 / sizeof(D));
        else if (k == 5) GO((sizeof(D) == 4 ? 5 : 3));
        else GO(8 * 4 / sizeof(D));
        weft_status st = wfi_download(ctx, seen, s->p, sizeof *seen);
        if (st || seen->trouble & TOO_FAR) return st;
        wfi_progress(ctx, "shortest paths", seen->raised, 0);
        if (seen->trouble & RAN_DRY) {
            clear_kernel<<<1, 1, 0, stream>>>(*s);
            refill_kernel<<<blocks, 256, 0, stream>>>(*s);
        }
    } while (!seen->done);
    return WEFT_OK;
}

/* *too_far: a distance did not fit, nothing else is told. */
template <class D>
static weft_status run(weft_ctx *ctx, const weft_graph *g, weft_vid source, double delta, double *distance,
                       weft_vid *parent, uint64_t *reached, double *farthest, bool *too_far) {
    cudaStream_t stream = wfi_cuda_stream();
    search<D> s = {};
    arrays<D> a;
    progress<D> seen = {};
    summary sum = {};
    s.g.n = g->n;
    s.g.weights = g->weight_type;
    set_delta(&s.delta, delta);
#define ENV(x, d) (getenv(x) ? (unsigned)atoi(getenv(x)) : d)
    s.rounds = ENV("SSSP_ROUNDS", 32);
    s.few = ENV("SSSP_FEW", 64);
    s.spill = ENV("SSSP_SPILL", 256);
    s.defer = ENV("SSSP_DEFER", 0);
    s.share = ENV("SSSP_SHARE", 2);
    s.per = ENV("SSSP_PER", 32);
    s.pieces_per = ENV("SSSP_PP", 8);
    s.light = ENV("SSSP_LIGHT", 1);
    s.pull = !g->directed && ENV("SSSP_PULL", 1);
    s.grow = ENV("SSSP_GROW", 1);
    s.stats = ENV("SSSP_STATS", 0);
    weft_status st = wfi_mirror_out(ctx, g, &s.g.out);
    if (!st) st = take_arrays(ctx, g, &a, &s);
    cudaEvent_t ev[4];
    for (int i = 0; i < 4; i++) cudaEventCreate(&ev[i]);
    cudaEventRecord(ev[0], stream);
    if (!st) st = search_from(ctx, &s, source, &seen);
    *too_far = (seen.trouble & TOO_FAR) != 0;
    if (st || *too_far) return st;
    double *doubles = sizeof(D) == 8 ? (double *)s.distance : (double *)s.far[0];
    cudaEventRecord(ev[1], stream);
    st = wfi_sssp_parents_cuda(ctx, s.g, g->directed, seen.flat != 0, source, s.distance, s.pieces[0],
                               (uint32_t *)s.far[0], a.parent.data);
    if (st) return st;
    cudaEventRecord(ev[2], stream);
    finish_kernel<<<wfi_grid(g->n, 256, 1024), 256, 0, stream>>>(s.distance, s.g.n, doubles, a.sum.data);
    cudaEventRecord(ev[3], stream);
    if (getenv("SSSP_T")) {
        float x, y, z;
        cudaEventSynchronize(ev[3]);
        cudaEventElapsedTime(&x, ev[0], ev[1]); cudaEventElapsedTime(&y, ev[1], ev[2]); cudaEventElapsedTime(&z, ev[2], ev[3]);
        fprintf(stderr, "T %.3f search %.3f parents %.3f finish %.3f phases %u raises %u rounds0 %llu arcs %.2fM finds %.2fM pops %.2fM fresh %.2fM\n", x + y + z, x, y, z,
            seen.phase, seen.raised, seen.stat[4], seen.stat[0]/1e6, seen.stat[1]/1e6, seen.stat[2]/1e6, seen.stat[3]/1e6);
        if (s.stats == 1) for (unsigned i = 0; i + 1 < seen.phase && i < 127; i++)
            fprintf(stderr, "%u: near %llu pieces %llu far %llu limit %llu us %.1f\n", i, seen.log[i][1], seen.log[i][2], seen.log[i][3], seen.log[i][4], (double)(seen.log[i + 1][0] - seen.log[i][0]) / 1e3);
        if (s.stats == 2) { fprintf(stderr, "arcs:"); for (unsigned i = 0; i + 1 < seen.phase && i < 127; i++) fprintf(stderr, " %.2f", (double)(seen.log[i + 1][5] - seen.log[i][5]) / 1e6); fprintf(stderr, "\n"); }
    }
    st = wfi_download(ctx, distance, doubles, g->n * sizeof *distance);
    if (!st) st = wfi_download(ctx, parent, a.parent.data, g->n * sizeof *parent);
    if (!st) st = wfi_download(ctx, &sum, a.sum.data, sizeof sum);
    *reached = sum.reached;
    memcpy(farthest, &sum.farthest, sizeof *farthest);
    return st;
}

extern "C" weft_status wfi_sssp_cuda(weft_ctx *ctx, const weft_graph *g, weft_vid source, double delta,
                                     double *distance, weft_vid *parent, uint64_t *reached, double *farthest) {
    bool too_far = g->weight_type == WEFT_WEIGHT_F32;
    weft_status st = WEFT_OK;
    if (!too_far) st = run<uint32_t>(ctx, g, source, delta, distance, parent, reached, farthest, &too_far);
    if (!st && too_far)
        st = run<wfi_sssp_bits>(ctx, g, source, delta, distance, parent, reached, farthest, &too_far);
    return st;
}

extern "C" uint64_t wfi_sssp_cuda_bytes(const weft_graph *g) {
    return wfi_mirror_out_cost(g).kept +
           (g->weight_type == WEFT_WEIGHT_F32 ? bytes_of<wfi_sssp_bits>(g) : bytes_of<uint32_t>(g));
}
