/* Shortest paths, GPU: the search.  Needs: queues (sssp_queues.cuh) and where it stands; goes on from there for a number of phases.
 * Method: near and far [1] in one kernel with a barrier of the grid between phases.  Vertices below a limit relax their arcs until none is left;
 * the others wait in a pile, which is looked through when the limit is raised.  What is near in it then relaxes at once.
 * A warp takes up to 32 entries and walks their rows end to end.  Longer rows are cut into pieces for all warps, one phase later.
 * In a phase with few entries each block goes on by itself with what it found, round after round, as far as it is near: on a road a barrier of the
 * grid is paid once for many rounds.
 * [1] Davidson, Baxter, Garland, Owens, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths", IPDPS 2014. */
#include "algo/sssp/sssp_queues.cuh"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;
using namespace wfi_sssp;

enum {
    THREADS = 512,
    SHARE = 2,           /* groups of entries or pieces for each warp, where there are enough for more than one */
    GROUP_OF_PIECES = 8, /* at most */
    FEW = 64,            /* entries a block: fewer, and each goes on by itself */
    ROUNDS = 32,         /* that it does so */
    SPILL = 256,         /* entries that are too many for one block */
    PHASES = 256         /* of a launch */
};

/* --- relaxing ------------------------------------------------------------------------------ */

/* Distances over the arcs are offered where they end; those that are better are queued.  Where there is much to do a look
 * saves most of the atomics; where there is little they save the time of the look. */
template <int K, class D>
__device__ static void offer(const search<D> &s, phase<D> *f, const wfi_sssp_rows<D> &rows,
                             const wfi_sssp_step<K> &step) {
    D at[K], old[K];
    unsigned there = step.there, found = 0;
    bool beyond = false, flat = false;
    if (!f->few) {
#pragma unroll
        for (int k = 0; k < K; k++) old[k] = there >> k & 1 ? __ldcg(&s.distance[step.v[k]]) : 0;
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        D from = __shfl_sync(~0u, rows.from, step.owner_of(k));
        at[k] = wfi_sssp_add(from, step.weight[k], s.g.weights);
        flat |= there >> k & 1 && at[k] == from;
        beyond |= there >> k & 1 && at[k] == wfi_sssp_none<D>();
    }
    if (sizeof(D) == 4 && beyond) atomicOr(&f->t->trouble, TOO_FAR);
    if (flat) s.p->flat = 1;
    if (!f->few) {
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
    unsigned lane = wfi_sssp_lane(), many = SHARE * warps;
    unsigned long long share = (count + many - 1) / many;
    unsigned per = share < GROUP_OF_PIECES ? (unsigned)share : GROUP_OF_PIECES;
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
    unsigned lane = wfi_sssp_lane(), many = SHARE * warps;
    unsigned long long share = here || f->few ? (count + warps - 1) / warps : (count + many - 1) / many;
    unsigned per = share < WARP ? (unsigned)share : WARP;
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
        bool later = fresh && !near;
        if (__any_sync(~0u, later)) hold<1, K>(s, f, later ? 1u : 0u, &e.v, &e.at);
        unsigned length = fresh && near ? (unsigned)(end - begin) : 0, long_ones = __ballot_sync(~0u, length > PIECE);
        if (long_ones) cut(s, f, long_ones, e, length);
        relax_rows<K>(s, f, (weft_vid)e.v, e.at, begin, length > PIECE ? 0 : length);
        base = f->few ? base + (unsigned long long)warps * per : (warps + __shfl_sync(~0u, ticket, 0)) * per;
    }
}

/* --- phases --------------------------------------------------------------------------------- */

__device__ static bool is_first(void) { return blockIdx.x == 0 && threadIdx.x == 0; }

/* A block's own rounds.  It stands before round `at`: that is where queue at % 2 and counter at % 3 are read, the next ones filled, and
 * the counter after that is cleared. */
template <int K, class D>
__device__ static unsigned go_on_here(const search<D> &s, phase<D> *f, entry<D> (*queue)[width<D, K>::queued],
                                      unsigned *queued, unsigned at) {
    unsigned warp = threadIdx.x / WARP, last = at + ROUNDS;
    for (;;) {
        __syncthreads();
        unsigned wave = queued[at % SETS];
        const entry<D> *entries = queue[at % 2];
        if (!wave) return at;
        if (threadIdx.x == 0) queued[(at + 2) % SETS] = 0;
        if (wave > width<D, K>::queued) wave = width<D, K>::queued;
        at++;
        if (at > last || wave > SPILL) { /* others may help with these */
            for (unsigned i = threadIdx.x; i < wave + wfi_sssp_lane(); i += THREADS) {
                entry<D> e = i < wave ? entries[i] : entry<D>{0, 0};
                hold<1, K>(s, f, i < wave ? 1u : 0u, &e.v, &e.at);
            }
            return at;
        }
        f->queue = queue[at % 2];
        f->queued = &queued[at % SETS];
        relax_entries<K>(s, f, entries, true, wave, warp, THREADS / WARP);
    }
}

/* Raises the limit by delta above the nearest in the pile.  A pile that shrinks fast is the end of the search: fewer, larger steps.
 * Returns how many wait in it. */
template <class D> __device__ static unsigned long long raise_limit(const search<D> &s, stand<D> *at) {
    const pile<D> *from = &s.p->far[at->raises % SETS];
    unsigned long long count = __ldcg(&from->count);
    at->done = !count;
    if (!count) return 0;
    at->low = __ldcg(&from->least);
    if (2 * count < at->waited) at->delta = raised(at->delta, at->delta);
    at->waited = count;
    at->limit = raised(at->low, at->delta);
    at->raises++;
    if (is_first()) s.p->far[(at->raises + 1) % SETS] = {0, wfi_sssp_none<D>()};
    return count;
}

template <class D> __device__ static phase<D> begin_phase(const search<D> &s, const stand<D> *at, entry<D> *held) {
    phase<D> f = {};
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

template <class D, int K> __global__ void __launch_bounds__(THREADS, 1) search_kernel(search<D> s) {
    __shared__ entry<D> held[THREADS / WARP][width<D, K>::held], queue[2][width<D, K>::queued];
    __shared__ unsigned queued[SETS];
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * (THREADS / WARP), round = 0;
    stand<D> at = s.p->at;
    unsigned last = at.phases + PHASES;
    if (threadIdx.x < SETS) queued[threadIdx.x] = 0;
    grid.sync(); /* all have read where it stands */
    while (at.phases < last && !at.trouble) {
        const entry<D> *entries = turn(s.near, at.phases);
        const wfi_sssp_piece<D> *pieces = turn(s.pieces, at.phases);
        unsigned long long count = at.near, cut = at.pieces;
        if (!count && !cut) {
            entries = turn(s.far, at.raises);
            count = raise_limit(s, &at);
            if (at.done) break;
        }
        phase<D> f = begin_phase(s, &at, held[threadIdx.x / WARP]);
        f.few = count <= (unsigned long long)FEW * gridDim.x && cut <= gridDim.x;
        f.queue = f.few ? queue[round % 2] : NULL;
        f.queued = &queued[round % SETS];
        relax_pieces<K>(s, &f, pieces, cut, warp, warps);
        relax_entries<K>(s, &f, entries, false, count, warp, warps);
        if (f.few) round = go_on_here<K>(s, &f, queue, queued, round);
        if (f.count) let_go(s, &f);
        grid.sync();
        at.near = __ldcg(&f.t->near);
        at.pieces = __ldcg(&f.t->pieces);
        at.trouble = __ldcg(&f.t->trouble);
        at.phases++;
    }
    if (is_first()) s.p->at = at;
}

template <class D> weft_status wfi_sssp::search_on(weft_ctx *ctx, const search<D> &s) {
    int sms = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    void *args[] = {(void *)&s};
    WFI_CUDA(cudaLaunchCooperativeKernel((void *)search_kernel<D, arcs_at_a_time<D>()>, dim3((unsigned)sms),
                                         dim3(THREADS), args, 0, wfi_cuda_stream()));
    return WEFT_OK;
}

template weft_status wfi_sssp::search_on<uint32_t>(weft_ctx *, const search<uint32_t> &);
template weft_status wfi_sssp::search_on<wfi_sssp_bits>(weft_ctx *, const search<wfi_sssp_bits> &);
