/* Shortest paths, GPU: the search.  Needs: queues (sssp_queues.cuh) and the state of the search; continues it for a
 * number of phases.
 * Method: near and far [1] in one kernel with a barrier of the grid between phases.  Vertices below a limit relax their
 * arcs until none is left; the others wait in a pile, which is filtered when the limit is raised: its near entries then
 * relax at once.  A warp takes up to 32 entries and walks their rows end to end.  Longer rows are cut into chunks for
 * all warps, one phase later.  If a graph has rows of light edges, a large bucket relaxes only the light edges that
 * stay within the bucket.  When the bucket is empty its remaining arcs are relaxed from the side with fewer arcs: the
 * settled vertices relax all their arcs, or the unsettled vertices search their rows for settled ones [2].  In a graph
 * with hubs that leaves a sixth of the arcs.
 * In a phase with few entries each block goes on by itself with its own discoveries, round after round, as long as they
 * are near: on a road network one barrier of the grid then serves many rounds.
 * [1] Davidson, Baxter, Garland, Owens, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths", IPDPS
 * 2014.
 * [2] Chakaravarthy, Checconi, Murali, Petrini, Sabharwal, "Scalable Single Source Shortest Path Algorithms for
 * Massively Parallel Systems", IPDPS 2014: pushing and pulling long edges. */
#include "algo/sssp/sssp_queues.cuh"
#include "cuda/grid.cuh"
#include "cuda/warp.cuh"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;
using namespace wfi_sssp;

enum {
    ARCS = 4,            /* arcs of a lane in flight */
    SHARE = 2,           /* groups of entries or chunks for each warp, if there are enough for more than one */
    GROUP_OF_PIECES = 8, /* maximum */
    FEW = 64,            /* entries a block: below that, each block goes on by itself */
    ROUNDS = 32,         /* maximum of rounds by itself */
    SPILL = 256,         /* entries that are too many for one block */
    PHASES = 256,        /* of a launch */
    LARGE = 256,         /* a bucket is large if 1/LARGE of the vertices are in it at once */
    DOUBLED = 3          /* doublings of delta when few arcs are left */
};

/* --- relaxing ------------------------------------------------------------------------------ */

/* Offers distances to the targets of arcs; improved targets are queued.  With much work a read before saves most of the
 * atomics; with little, the atomic alone is faster. */
template <int K, class D>
__device__ static void offer(const sssp_search<D> &s, sssp_phase<D> *f, const wfi_sssp_rows<D> &rows,
                             const wfi_sssp_step<K, D> &step) {
    D at[K], old[K];
    unsigned there = step.there, found = 0;
    bool beyond = false, flat = false;
#pragma unroll
    for (int k = 0; k < K; k++) {
        D from = __shfl_sync(~0u, rows.from, step.owner_of(k));
        at[k] = wfi_sssp_add(from, step.weight[k], s.g.weights);
        flat |= there >> k & 1 && at[k] == from;
        beyond |= there >> k & 1 && at[k] == wfi_sssp_none<D>();
    }
    if (sizeof(D) == 4 && beyond) atomicOr(&f->t->trouble, TOO_FAR);
    if (flat) s.p->flat = 1;
    if (f->brief) {
#pragma unroll
        for (int k = 0; k < K; k++)
            if (at[k] >= f->limit) there &= ~(1u << k);
    }
    if (!f->few) {
#pragma unroll
        for (int k = 0; k < K; k++) old[k] = there >> k & 1 ? __ldcg(&s.distance[step.v[k]]) : 0;
#pragma unroll
        for (int k = 0; k < K; k++)
            if (at[k] >= old[k]) there &= ~(1u << k);
    }
#pragma unroll
    for (int k = 0; k < K; k++) old[k] = there >> k & 1 ? atomicMin(&s.distance[step.v[k]], at[k]) : 0;
#pragma unroll
    for (int k = 0; k < K; k++) found |= (there >> k & 1 && at[k] < old[k] ? 1u : 0u) << k;
    if (!__any_sync(~0u, found)) return;
    if (f->queue) {
        unsigned near = 0;
#pragma unroll
        for (int k = 0; k < K; k++) near |= (at[k] < f->limit ? 1u : 0u) << k;
        near &= found;
        if (__any_sync(~0u, near)) found = (found & ~near) | append_own<K>(f, near, step.v, at);
        if (!__any_sync(~0u, found)) return;
    }
    hold<K, K>(s, f, found, step.v, at);
}

template <int K, class D>
__device__ static void relax_rows(const sssp_search<D> &s, const wfi_sssp_arcs &g, sssp_phase<D> *f,
                                  const wfi_sssp_rows<D> &rows) {
    wfi_sssp_walk<K>(g, rows, [&](const wfi_sssp_step<K, D> &step) { offer<K>(s, f, rows, step); });
}

namespace {

/* The index of a warp among those that divide some work. */
struct warp_place {
    unsigned warp, warps;
};

/* Entries of the near queue, of the pile, or (here) of the block's own queue. */
template <class D> struct entry_list {
    const entry<D> *at;
    unsigned long long count;
    bool here;
};

} // namespace

/* Distribution of groups: the first by the warp's index, further ones by tickets. */
__device__ static unsigned long long next_ticket(unsigned long long *taken) {
    return wfi_sssp_lane() == 0 ? atomicAdd(taken, 1ull) : 0;
}

template <int K, class D>
__device__ static void relax_pieces(const sssp_search<D> &s, const wfi_sssp_arcs &g, sssp_phase<D> *f,
                                    const wfi_sssp_piece<D> *pieces, unsigned long long count, warp_place me) {
    unsigned lane = wfi_sssp_lane(), many = SHARE * me.warps;
    unsigned long long share = (count + many - 1) / many;
    unsigned per = share < GROUP_OF_PIECES ? (unsigned)share : GROUP_OF_PIECES;
    for (unsigned long long base = (unsigned long long)me.warp * per; base < count;) {
        unsigned long long ticket = next_ticket(&f->t->pieces_taken), i = base + lane;
        bool mine = lane < per && i < count;
        D from = mine ? __ldcg(&pieces[i].at) : 0;
        weft_vid u = mine ? __ldcg(&pieces[i].v) : 0;
        weft_eid begin = mine ? (weft_eid)__ldcg(&pieces[i].index) * PIECE : 0, end = begin;
        if (mine && __ldcg(&s.distance[u]) == from) {
            begin += g.out.offsets[u];
            end = g.out.offsets[u + 1];
        }
        unsigned length = begin + PIECE < end ? PIECE : (unsigned)(end - begin);
        relax_rows<K>(s, g, f, wfi_sssp_join(u, from, begin, length));
        base = (me.warps + __shfl_sync(~0u, ticket, 0)) * per;
    }
}

template <int K, class D>
__device__ static void relax_entries(const sssp_search<D> &s, const wfi_sssp_arcs &g, sssp_phase<D> *f,
                                     entry_list<D> list, warp_place me) {
    unsigned long long count = list.count;
    unsigned lane = wfi_sssp_lane(), many = SHARE * me.warps;
    unsigned long long share = list.here || f->few ? (count + me.warps - 1) / me.warps : (count + many - 1) / many;
    unsigned per = share < WARP ? (unsigned)share : WARP;
    for (unsigned long long base = (unsigned long long)me.warp * per; base < count;) {
        unsigned long long ticket = f->few ? 0 : next_ticket(&f->t->entries_taken);
        bool mine = lane < per && base + lane < count, near = false, fresh = false;
        entry<D> e = {0, 0};
        weft_eid begin = 0, end = 0;
        if (mine) {
            e = list.here ? list.at[base + lane] : load(&list.at[base + lane]);
            near = e.at < f->limit;
            if (near) begin = g.out.offsets[e.v];
            if (near) end = g.out.offsets[e.v + 1];
            fresh = __ldcg(&s.distance[e.v]) == e.at;
        }
        bool later = fresh && !near;
        if (__any_sync(~0u, later)) hold<1, K>(s, f, later ? 1u : 0u, &e.v, &e.at);
        unsigned length = fresh && near ? (unsigned)(end - begin) : 0, long_ones = __ballot_sync(~0u, length > PIECE);
        if (long_ones) cut(s, f, long_ones, e, length);
        relax_rows<K>(s, g, f, wfi_sssp_join((weft_vid)e.v, e.at, begin, length > PIECE ? 0 : length));
        base = f->few ? base + (unsigned long long)me.warps * per : (me.warps + __shfl_sync(~0u, ticket, 0)) * per;
    }
}

/* --- remaining arcs of a bucket that relaxed only light edges --------------------------------- */

/* Counts the arcs of unsettled vertices, and those of vertices that this bucket has settled. */
template <class D> __device__ static void weigh(const sssp_search<D> &s, sssp_phase<D> *f, D low) {
    unsigned long long open = 0, settled = 0;
    for (uint64_t v = wfi_thread(); v < s.g.n; v += wfi_all_threads()) {
        D at = __ldcg(&s.distance[v]);
        weft_eid length = s.g.out.offsets[v + 1] - s.g.out.offsets[v];
        if (at >= f->limit)
            open += length;
        else if (at >= low)
            settled += length;
    }
    open = wfi_warp_sum(open);
    settled = wfi_warp_sum(settled);
    if (wfi_sssp_lane()) return;
    atomicAdd(&f->t->open_arcs, open);
    atomicAdd(&f->t->settled_arcs, settled);
}

/* The vertices that this bucket has settled relax all their arcs. */
template <int K, class D>
__device__ static void push_settled(const sssp_search<D> &s, sssp_phase<D> *f, D low, unsigned warp, unsigned warps) {
    for (uint64_t first = (uint64_t)warp * WARP; first < s.g.n; first += (uint64_t)warps * WARP) {
        uint64_t v = first + wfi_sssp_lane();
        entry<D> e = {v < s.g.n ? __ldcg(&s.distance[v]) : wfi_sssp_none<D>(), (D)v};
        bool mine = e.at >= low && e.at < f->limit;
        weft_eid begin = mine ? s.g.out.offsets[v] : 0, end = mine ? s.g.out.offsets[v + 1] : 0;
        unsigned length = (unsigned)(end - begin), long_ones = __ballot_sync(~0u, length > PIECE);
        if (long_ones) cut(s, f, long_ones, e, length);
        relax_rows<K>(s, s.g, f, wfi_sssp_join((weft_vid)v, e.at, begin, length > PIECE ? 0 : length));
    }
}

/* Unsettled vertices search their rows for settled ones; improved vertices are queued. */
template <int K, class D>
__device__ static void pull_rows(const sssp_search<D> &s, sssp_phase<D> *f, weft_vid v, D had, weft_eid begin,
                                 unsigned length) {
    wfi_sssp_rows<D> rows = wfi_sssp_join(v, had, begin, length);
    bool nearer = false, beyond = false, flat = false;
    wfi_sssp_walk<K>(s.g, rows, [&](const wfi_sssp_step<K, D> &step) {
        D other[K];
#pragma unroll
        for (int k = 0; k < K; k++)
            other[k] = step.there >> k & 1 ? __ldcg(&s.distance[step.v[k]]) : wfi_sssp_none<D>();
#pragma unroll
        for (int k = 0; k < K; k++) {
            weft_vid x = __shfl_sync(~0u, rows.u, step.owner_of(k));
            D before = __shfl_sync(~0u, rows.from, step.owner_of(k));
            if (other[k] >= f->limit) continue;
            D at = wfi_sssp_add(other[k], step.weight[k], s.g.weights);
            beyond |= at == wfi_sssp_none<D>();
            flat |= at == other[k];
            if (at < before) nearer |= atomicMin(&s.distance[x], at) > at;
        }
    });
    if (sizeof(D) == 4 && beyond) atomicOr(&f->t->trouble, TOO_FAR);
    if (flat) s.p->flat = 1;
    if (!__any_sync(~0u, nearer)) return; /* a vote, so all minima are stored */
    D at = length ? __ldcg(&s.distance[v]) : had, name = (D)v;
    hold<1, K>(s, f, at < had ? 1u : 0u, &name, &at);
}

/* Reads the operands of the next rows before these rows are walked. */
template <int K, class D>
__device__ static void pull_open(const sssp_search<D> &s, sssp_phase<D> *f, unsigned warp, unsigned warps) {
    auto ask = [&](uint64_t first, D *at, weft_eid *begin, weft_eid *end) {
        uint64_t v = first + wfi_sssp_lane();
        bool there = v < s.g.n;
        *at = there ? __ldcg(&s.distance[v]) : 0;
        *begin = there ? s.g.out.offsets[v] : 0;
        *end = there ? s.g.out.offsets[v + 1] : 0;
    };
    D at, next_at;
    weft_eid begin, end, next_begin, next_end;
    uint64_t first = (uint64_t)warp * WARP, stride = (uint64_t)warps * WARP;
    for (ask(first, &at, &begin, &end); first < s.g.n; first += stride) {
        weft_vid v = (weft_vid)(first + wfi_sssp_lane());
        ask(first + stride, &next_at, &next_begin, &next_end);
        unsigned length = at >= f->limit ? (unsigned)(end - begin) : 0, long_ones = __ballot_sync(~0u, length > PIECE);
        pull_rows<K>(s, f, v, at, begin, length > PIECE ? 0 : length);
        for (; long_ones; long_ones &= long_ones - 1)
            pull_rows<K>(s, f, v, at, begin, (int)wfi_sssp_lane() == __ffs((int)long_ones) - 1 ? length : 0);
        at = next_at;
        begin = next_begin;
        end = next_end;
    }
}

/* --- phases --------------------------------------------------------------------------------- */

__device__ static bool is_first(void) { return blockIdx.x == 0 && threadIdx.x == 0; }

/* The own rounds of a block.  In round `at`, queue at % 2 and counter at % 3 are read, the next ones are filled, and
 * the counter after that is cleared. */
template <int K, class D>
__device__ static unsigned go_on_here(const sssp_search<D> &s, const wfi_sssp_arcs &g, sssp_phase<D> *f,
                                      entry<D> (*queue)[width<D, K>::queued], unsigned *queued, unsigned at) {
    unsigned warp = threadIdx.x / WARP, last = at + ROUNDS;
    for (;;) {
        __syncthreads();
        unsigned wave = queued[at % SETS];
        const entry<D> *entries = queue[at % 2];
        if (!wave) return at;
        if (threadIdx.x == 0) queued[(at + 2) % SETS] = 0;
        if (wave > width<D, K>::queued) wave = width<D, K>::queued;
        at++;
        if (at > last || wave > SPILL) { /* leaves them to all blocks */
            for (unsigned i = threadIdx.x; i < wave + wfi_sssp_lane(); i += blockDim.x) {
                entry<D> e = i < wave ? entries[i] : entry<D>{0, 0};
                hold<1, K>(s, f, i < wave ? 1u : 0u, &e.v, &e.at);
            }
            return at;
        }
        f->queue = queue[at % 2];
        f->queued = &queued[at % SETS];
        relax_entries<K>(s, g, f, {entries, wave, true}, {warp, blockDim.x / WARP});
    }
}

/* Raises the limit to delta above the nearest entry of the pile.  A pile that shrinks fast marks the end of the search:
 * fewer, larger steps.  With light edges only a large pile counts: a bucket wider than the light edges' bound is not
 * settled by these alone, so when delta has grown they are no longer used.  Returns the number of entries in the
 * pile. */
template <class D> __device__ static unsigned long long raise_limit(const sssp_search<D> &s, sssp_state<D> *at) {
    const pile<D> from = wfi_broadcast(&s.p->far[at->raises % SETS]);
    unsigned long long count = from.count;
    at->done = !count;
    if (!count) return 0;
    at->low = from.least;
    if (2 * count < at->waited && (!s.light.out.offsets || at->whole || at->waited * LARGE >= s.g.n)) {
        at->delta = raised(at->delta, at->delta);
        at->whole = true;
    }
    at->waited = count;
    at->limit = raised(at->low, at->delta);
    at->raises++;
    if (is_first()) s.p->far[(at->raises + 1) % SETS] = {0, wfi_sssp_none<D>()};
    return count;
}

template <class D>
__device__ static sssp_phase<D> begin_phase(const sssp_search<D> &s, const sssp_state<D> *at, entry<D> *held) {
    sssp_phase<D> f = {};
    f.limit = at->limit;
    f.t = &s.p->set[at->phases % SETS];
    f.p = &s.p->far[at->raises % SETS];
    f.near = turn(s.near, at->phases + 1);
    f.far = turn(s.far, at->raises);
    f.held = held;
    f.pieces = turn(s.pieces, at->phases + 1);
    if (is_first()) s.p->set[(at->phases + 1) % SETS] = {};
    return f;
}

namespace {

/* The work of a phase besides relaxing its queues. */
enum chore { NOTHING, WEIGH, PUSH, PULL };

} // namespace

/* A bucket that relaxed only light edges is empty: returns the work that is left before the limit is raised. */
template <class D> __device__ static chore make_up(sssp_state<D> *at) {
    if (!at->weighed) {
        at->weighed = true;
        return WEIGH;
    }
    at->brief = at->weighed = false;
    if (!at->pull) return PUSH;
    at->whole = true;
    for (int i = 0; i < DOUBLED; i++) at->delta = raised(at->delta, at->delta);
    return PULL;
}

template <class D, int K, int T> __global__ void __launch_bounds__(T, 1) search_kernel(sssp_search<D> s) {
    __shared__ entry<D> held[T / WARP][width<D, K>::held], queue[2][width<D, K>::queued];
    __shared__ unsigned queued[SETS];
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * (T / WARP), round = 0;
    sssp_state<D> at = s.p->at;
    unsigned last = at.phases + PHASES;
    if (threadIdx.x < SETS) queued[threadIdx.x] = 0;
    grid.sync(); /* all threads have read the state */
    while (at.phases < last && !at.trouble) {
        const entry<D> *entries = turn(s.near, at.phases);
        const wfi_sssp_piece<D> *pieces = turn(s.pieces, at.phases);
        unsigned long long count = at.near, cut = at.pieces;
        chore also = NOTHING;
        if (!count && !cut && at.brief) {
            also = make_up(&at);
        } else if (!count && !cut) {
            entries = turn(s.far, at.raises);
            count = raise_limit(s, &at);
            if (at.done) break;
        } else if (s.light.out.offsets && !at.whole && count * LARGE >= s.g.n) {
            at.brief = true;
        }
        const wfi_sssp_arcs g = at.brief ? s.light : s.g;
        sssp_phase<D> f = begin_phase(s, &at, held[threadIdx.x / WARP]);
        f.brief = at.brief;
        f.few = !also && count <= (unsigned long long)FEW * gridDim.x && cut <= gridDim.x;
        f.queue = f.few ? queue[round % 2] : NULL;
        f.queued = &queued[round % SETS];
        relax_pieces<K>(s, at.cut_brief ? s.light : s.g, &f, pieces, cut, {warp, warps});
        relax_entries<K>(s, g, &f, {entries, count, false}, {warp, warps});
        if (also == WEIGH) weigh(s, &f, at.low);
        if (also == PUSH) push_settled<K>(s, &f, at.low, warp, warps);
        if (also == PULL) pull_open<K>(s, &f, warp, warps);
        if (f.few) round = go_on_here<K>(s, g, &f, queue, queued, round);
        if (f.count) flush_held(s, &f);
        const sssp_tally seen = wfi_sync_and_broadcast(f.t);
        at.near = seen.near;
        at.pieces = seen.pieces;
        at.trouble = seen.trouble;
        if (also == WEIGH) at.pull = seen.open_arcs < seen.settled_arcs;
        at.cut_brief = at.brief;
        at.phases++;
    }
    if (is_first()) s.p->at = at;
}

template <class D> weft_status wfi_sssp::search_on(weft_ctx *ctx, const sssp_search<D> &s) {
    const int threads = sizeof(D) == 4 ? 768 : 512;
    int sms = wfi_gpu_of(ctx)->sms;
    void *args[] = {(void *)&s};
    WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel((void *)search_kernel<D, ARCS, threads>, dim3((unsigned)sms),
                                                   dim3(threads), args, 0, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

template weft_status wfi_sssp::search_on<uint32_t>(weft_ctx *, const sssp_search<uint32_t> &);
template weft_status wfi_sssp::search_on<wfi_sssp_bits>(weft_ctx *, const sssp_search<wfi_sssp_bits> &);
