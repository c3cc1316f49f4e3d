/* From sources by hops, on the GPU (brandes.h): batches of 16 searches, with the bits of CPU cores.
 * Method: out by levels, from the vertices of the last one or from all that are open [1], and back along the trail
 * (brandes_out.cuh, brandes_back.cuh).  All levels of all batches go on in one cooperative kernel; after a
 * while it leaves where it is in memory, and the host asks whether to go on.  A level of few vertices is the first
 * block's alone, which needs no barrier but its own.  A deep search goes on with half the threads, which have twice the
 * registers and meet sooner: its levels are many and short.  Small graphs have several groups of blocks with a batch
 * each.
 * Counts are doubles until one is beyond WFI_FAR_FROM; those of that batch become far numbers then, and the batches
 * that follow are done in them.
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "algo/betweenness/brandes_back.cuh"
#include "cuda/launch.cuh"

enum {
    ALONE = 256,            /* vertices of a level that one block serves by itself, ... */
    ALONE_ARCS = 1024,      /* ... arcs that leave them, ... */
    ALONE_PIECES = 1024,    /* ... and pieces of long rows that there may be at all */
    OPEN_FROM = 8,          /* open vertices are looked at when the level has more than this part of what they take */
    GROUP_BYTES = 24 << 20, /* what batches side by side may hold, so that it lies in the GPU's cache */
    MANY = 1024,            /* threads of a block, ... */
    FEW = 512,              /* ... and of graphs in which some search goes ... */
    DEEP = 64,              /* ... so many levels out */
    PATIENCE = 40000000     /* cycles of a launch */
};

/* --- a batch begins ---------------------------------------------------------------------------------------- */

/* The next batch, or none: until a kernel for far numbers comes. */
template <class N> __device__ static bool take(const wfi_brandes_gpu &s, walk &w, team &t) {
    phase_part mine = {0, 0, 0};
    if (t.first()) {
        bool waits = !N::FAR && *(volatile word *)&s.control->far;
        if (waits)
            mine.flags = IDLE;
        else
            mine.ahead = atomicAdd(&s.control->next, 1ull);
    }
    phase_sums seen = meet(t, mine);
    if (seen.flags & IDLE) return false;
    w.batch = seen.ahead;
    w.phase = w.batch * LANES < s.count ? OUT : FINISHED;
    return w.phase == OUT;
}

/* By a warp: how often the search of u counts, for itself and the trees that hang there. */
__device__ static word times_of(const wfi_brandes_gpu &s, weft_vid u) {
    word hang = 0;
    if (!s.folds.below) return 1;
    for (weft_eid e = s.out.offsets[u] + lane_of(); e < s.out.offsets[u + 1]; e += WARP)
        hang += s.folds.below[s.out.targets[e]];
    return 1 + wfi_warp_sum(hang);
}

/* By the first block; a warp for each lane. */
template <class N> __device__ static phase_part place_sources(const lane_search &a, const walk &w, word *times) {
    phase_part mine = {0, 0, 0};
    unsigned l = threadIdx.x / WARP;
    if (l >= w.lanes) return mine;
    weft_vid s = a.s.sources[w.batch * LANES + l];
    word counts = times_of(a.s, s);
    if (lane_of()) return mine;
    times[l] = counts;
    a.reached[l] = 0;
    a.b.trail[l] = s;
    a.b.lanes[l] = a.front(0)[s] = (wfi_lane_set)(1u << l);
    N::put(a.b, s, l, N::of(1));
    arrive(a, w, s, 0, 1u << l, &mine);
    return mine;
}

template <class N> __device__ static bool begin(const lane_search &a, walk &w, word *times, team &t) {
    uint4 *sets = (uint4 *)a.b.sets;
    uint64_t wide = (1 + FRONTS) * a.s.set_stride * sizeof *a.b.sets / sizeof *sets;
    word left = a.s.count - w.batch * LANES;
    for (uint64_t i = t.thread(); i < wide; i += t.threads()) sets[i] = make_uint4(0, 0, 0, 0);
    w.lanes = left < LANES ? (unsigned)left : LANES;
    w.all = (1u << w.lanes) - 1;
    meet(t, {0, 0, 0});
    phase_sums seen = meet(t, t.block == 0 ? place_sources<N>(a, w, times) : phase_part{0, 0, 0});
    if (threadIdx.x < LANES) a.times[threadIdx.x] = __ldcg(&times[threadIdx.x]);
    __syncthreads();
    w.depth = w.below = w.from = w.above = w.beyond = 0;
    w.to = w.lanes;
    w.offered = UNKNOWN;
    w.ahead = seen.ahead;
    w.open = a.s.arcs + a.s.n - seen.closed;
    w.hubs = seen.flags & (HUB_OUT | HUB_IN);
    if (t.first()) a.b.level[0] = w.hubs & HUB_OUT ? LEVEL_HUBS : 0;
    return seen.flags & STOP;
}

/* The counts of a batch become far numbers, with the same value.  What lanes have not reached may be anything. */
template <class N> __device__ static bool turn_far(const lane_search &a, walk &w, team &t) {
    if constexpr (!N::FAR) {
        return false;
    } else {
        for (uint64_t i = t.thread(); i < (uint64_t)a.s.n * LANES; i += t.threads())
            N::put(a.b, i / LANES, i % LANES, N::of(a.b.value[i / LANES][i % LANES]));
        w.phase = OUT;
        return !(meet(t, {0, 0, 0}).flags & STOP);
    }
}

/* --- all of them ------------------------------------------------------------------------------------------- */

__device__ static wfi_lane_batch_gpu batch_of(const wfi_brandes_gpu &s, unsigned group) {
    uint64_t from = (uint64_t)group * s.n, piece = group * s.most_pieces;
    const wfi_lane_batch_gpu &b = s.batch;
    return {b.value + from,         b.exponent + from,      b.sets + group * (1 + FRONTS) * s.set_stride,
            b.trail + from * LANES, b.lanes + from * LANES, b.level + group * ((uint64_t)s.n + 2),
            b.part + piece,         b.part_exponent + piece};
}

__device__ static bool is_narrow(const wfi_brandes_gpu &s, const walk &w) {
    if (s.out_hubs.count[1] + s.in_hubs.count[1] > ALONE_PIECES || w.to - w.from > ALONE) return false;
    if (w.phase == BACK) return true;
    return w.phase == OUT && w.ahead <= ALONE_ARCS && (w.offered == UNKNOWN || w.offered <= ALONE);
}

/* One level further, or what lies between batches. */
template <class N, class A> __device__ static bool step(const lane_search &a, walk &w, team &t) {
    if (w.phase == OUT) {
        bool wide = t.blocks == 1 || !t.alone;
        return go_out<N>(a, w, t, wide && w.offered == UNKNOWN && w.ahead * OPEN_FROM > w.open + a.s.n / 4);
    }
    if (w.phase == BACK) return go_back<N, A>(a, w, t);
    return end_batch(a, w, t);
}

/* A level, or narrow ones as long as they follow each other: these are the first block's alone, and the others wait. */
template <class N, class A> __device__ static bool step_on(const lane_search &a, walk *w, walk *saved, team &t) {
    bool narrow = !t.alone && is_narrow(a.s, *w), stop = false;
    if (narrow) t.alone = true;
    if (!narrow || t.block == 0) {
        do {
            stop = step<N, A>(a, *w, t);
        } while (narrow && !stop && is_narrow(a.s, *w));
    }
    if (!narrow) return stop;
    t.alone = false;
    if (t.first()) *saved = *w;
    unsigned flags = meet(t, {0, 0, stop ? (unsigned)STOP : 0}).flags;
    *w = wfi_broadcast(saved);
    return flags & STOP;
}

template <class N, class A, unsigned THREADS>
__global__ void __launch_bounds__(THREADS, 1) search_kernel(wfi_brandes_gpu s) {
    __shared__ block_memory here;
    unsigned per = gridDim.x / s.groups, group = blockIdx.x / per;
    if (group >= s.groups) return;
    walk *saved = &s.control->at[group], w = *saved;
    lane_search a = {s, batch_of(s, group), here.times, s.control->reached[group]};
    word deepest = THREADS == MANY ? DEEP : ~(word)0;
    long long until = clock64() + PATIENCE;
    team t = {&here, &s.control->meets[group], blockIdx.x % per, per, 0, 0, per == 1, deepest, until};
    word *times = s.control->times[group];
    if (threadIdx.x < SETS) forget(&here.set[threadIdx.x]);
    if (threadIdx.x < LANES) here.times[threadIdx.x] = times[threadIdx.x];
    __syncthreads();
    for (bool stop = false; !stop && w.phase != FINISHED;) {
        if (w.phase == TAKE)
            stop = !take<N>(s, w, t) || begin<N>(a, w, times, t);
        else if (w.phase == TURN)
            stop = !turn_far<N>(a, w, t);
        else
            stop = step_on<N, A>(a, &w, saved, t);
    }
    if (t.first()) *saved = w;
}

__global__ static void find_hubs(wfi_view rows, wfi_lane_hubs hubs) {
    for (uint64_t v = wfi_thread(); v < rows.n; v += wfi_all_threads()) {
        weft_eid arcs = rows.offsets[v + 1] - rows.offsets[v];
        if (arcs <= PIECE) continue;
        unsigned pieces = (unsigned)((arcs + PIECE - 1) / PIECE), k = atomicAdd(&hubs.count[0], 1u);
        unsigned first = atomicAdd(&hubs.count[1], pieces);
        hubs.vertex[k] = (weft_vid)v;
        hubs.first[k] = first;
        for (unsigned i = 0; i < pieces; i++) hubs.piece[first + i] = make_uint2((unsigned)v, i);
    }
}

/* What trees have, by a warp for each row. */
struct unfold {
    wfi_brandes_gpu s;

    __device__ void operator()(uint64_t v, unsigned lane, unsigned lanes) const {
        uint64_t branches = wfi_warp_sum(wfi_pendant_arcs(&s.folds, &s.out, (weft_vid)v, lane, lanes, s.at_arc));
        if (lane == 0) wfi_pendant_vertex(&s.folds, (weft_vid)v, branches, s.ends, &s.at_vertex[v]);
    }
};

/* --- the run ----------------------------------------------------------------------------------------------- */

static uint64_t most_hubs(const weft_graph *g) { return g->arcs / (PIECE + 1); }
static uint64_t most_pieces(const weft_graph *g) { return g->arcs / PIECE + most_hubs(g); }

static void lay_out_hubs(wfi_workspace *device, const weft_graph *g, wfi_lane_hubs *hubs) {
    wfi_array_within(device, &hubs->vertex, most_hubs(g));
    wfi_array_within(device, &hubs->first, most_hubs(g));
    wfi_array_within(device, &hubs->piece, most_pieces(g));
    wfi_array(device, &hubs->count, 2);
}

/* As many groups as have batches, and a place in the cache. */
static unsigned groups_for(const weft_graph *g, uint64_t count) {
    uint64_t each = (uint64_t)g->n * (sizeof(wfi_lane_values) + 2 * LANES * sizeof(weft_vid)) + 1;
    uint64_t groups = wfi_min_u64((count + LANES - 1) / LANES, GROUP_BYTES / each);
    return (unsigned)wfi_max_u64(1, wfi_min_u64(groups, WFI_LANE_GROUPS));
}

void wfi_brandes_gpu_lay_out(wfi_workspace *device, const weft_graph *g, bool arcs, uint64_t count,
                             wfi_brandes_gpu *f) {
    wfi_lane_batch_gpu *b = &f->batch;
    f->n = g->n;
    f->arcs = g->arcs;
    f->groups = groups_for(g, count);
    f->set_stride = ((uint64_t)g->n + 127) / 128 * 128;
    f->most_pieces = most_pieces(g);
    uint64_t n = f->groups * (uint64_t)g->n, pieces = f->groups * f->most_pieces;
    wfi_array_within(device, &b->value, n);
    wfi_array_within(device, &b->exponent, n);
    wfi_array_within(device, &b->sets, f->groups * (1 + FRONTS) * f->set_stride);
    wfi_array_within(device, &b->trail, n * LANES);
    wfi_array_within(device, &b->lanes, n * LANES);
    wfi_array_within(device, &b->level, f->groups * ((uint64_t)g->n + 2));
    wfi_array_within(device, &b->part, pieces);
    wfi_array_within(device, &b->part_exponent, pieces);
    wfi_array(device, &f->at_vertex, g->n);
    f->at_arc = NULL;
    if (arcs) wfi_array(device, &f->at_arc, g->arcs);
    lay_out_hubs(device, g, &f->out_hubs);
    f->in_hubs = f->out_hubs;
    if (g->directed) lay_out_hubs(device, g, &f->in_hubs);
    wfi_array(device, &f->control, 1);
}

static weft_status prepare(weft_ctx *ctx, wfi_brandes_gpu *f) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    bool both = f->in.offsets != f->out.offsets;
    weft_status st = wfi_zero(ctx, f->at_vertex, f->n);
    if (!st && f->at_arc) st = wfi_zero(ctx, f->at_arc, f->arcs);
    if (!st) st = wfi_zero(ctx, f->control, 1);
    if (!st) st = wfi_zero(ctx, f->out_hubs.count, 2);
    if (!st && both) st = wfi_zero(ctx, f->in_hubs.count, 2);
    if (st) return st;
    find_hubs<<<wfi_grid(f->n, 256, 4096), 256, 0, stream>>>(f->out, f->out_hubs);
    if (both) find_hubs<<<wfi_grid(f->n, 256, 4096), 256, 0, stream>>>(f->in, f->in_hubs);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

/* Are far numbers next?  Batches that are begun in doubles are ended in doubles; the other way round as well. */
static bool turns_far(const wfi_brandes_gpu *f, const wfi_lane_control *c) {
    bool far = c->far;
    for (unsigned i = 0; i < f->groups; i++) far = far && (c->at[i].phase <= TURN || c->at[i].phase == FINISHED);
    return far;
}

template <class N, class A> static const void *kernel_of(unsigned threads) {
    return threads == FEW ? (const void *)search_kernel<N, A, FEW> : (const void *)search_kernel<N, A, MANY>;
}

static const void *kernel_for(const wfi_brandes_gpu *f, unsigned threads, bool far) {
    if (f->at_arc) return far ? kernel_of<far_numbers, all_arcs>(threads) : kernel_of<near_numbers, all_arcs>(threads);
    return far ? kernel_of<far_numbers, no_arcs>(threads) : kernel_of<near_numbers, no_arcs>(threads);
}

static uint64_t sources_done(const wfi_brandes_gpu *f, const wfi_lane_control *c) {
    uint64_t begun = c->next;
    for (unsigned i = 0; i < f->groups; i++) begun -= c->at[i].phase != TAKE && begun > 0;
    return wfi_min_u64(begun * LANES, f->count);
}

weft_status wfi_brandes_gpu_run(weft_ctx *ctx, wfi_brandes_gpu *f) {
    unsigned sms = (unsigned)wfi_gpu_of(ctx)->sms, threads = MANY;
    wfi_lane_control seen = {};
    wfi_brandes_gpu s = *f;
    s.groups = f->groups < sms ? f->groups : sms;
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = prepare(ctx, f);
    for (bool done = !f->count, far = false; !done && !st;) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "sources", sources_done(&s, &seen), f->count);
        void *args[] = {&s};
        far = far || turns_far(&s, &seen);
        st = wfi_zero(ctx, f->control->meets, WFI_LANE_GROUPS);
        if (st) break;
        WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel(kernel_for(&s, threads, far), dim3(sms / s.groups * s.groups),
                                                       dim3(threads), args, 0, wfi_cuda_stream(ctx)));
        st = wfi_download(ctx, &seen, f->control, sizeof seen);
        done = true;
        for (unsigned i = 0; i < s.groups; i++) {
            done = done && seen.at[i].phase == FINISHED;
            if (seen.at[i].depth >= DEEP) threads = FEW;
        }
    }
    if (!st && f->folds.below) st = wfi_each_warp(ctx, f->n, unfold{*f});
    return st;
}
