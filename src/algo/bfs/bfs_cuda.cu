/* Breadth-first search, GPU.  The answer is bfs.c's: levels, and of the possible parents the smallest.
 * Method: direction-optimising [1], all levels in one kernel with a barrier of the grid between them.  Pushing, a frontier
 * vertex offers itself to its neighbours by an atomic minimum; whoever finds a vertex first queues it.  Pulling, an
 * unreached vertex looks along its incoming row, which ascends, for the first one in the frontier.  A frontier that one block
 * can serve is served by one, level after level, with no more than that block's own barrier.
 * Encoding: the frontier is a window of two queues, of short rows (a lane each) and of pieces of longer ones (a warp each), or
 * bits.  Each vertex is queued once, so a queue is one array.  Three sets of counters take turns, so that one can be
 * cleared while one is read and one counts.
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "algo/bfs/bfs_cuda.h"
#include "cuda/mirror.cuh"

#include <cooperative_groups.h>
#include <stdio.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 1024,
    WARP = 32,
    SHORT = 8,    /* arcs of a row that one lane takes */
    PIECE = 256,  /* arcs that a warp takes */
    LOOK = 8,     /* arcs that a lane looks at alone before its warp helps */
    ALONE = 2048, /* queue entries that one block serves by itself */
    SETS = 3,
    ALPHA = 20,      /* pull when the frontier has more than this part of the arcs that are still unseen */
    BETA = 24,       /* push again when fewer than this part of the vertices are in the frontier */
    LEVELS = 1 << 14 /* of a launch; then the host asks whether to go on */
};

struct counts {
    unsigned shorts, pieces, found;
    unsigned long long arcs; /* out-arcs of what was found */
};

/* Between launches. */
struct progress {
    counts set[SETS], turned;
    unsigned short_from, short_to, piece_from, piece_to, frontier; /* of the level to come */
    unsigned long long frontier_arcs, unseen, reached;
    unsigned depth; /* levels done */
    int pulling, done;
};

struct search {
    wfi_device_rows out, in;
    weft_vid n;
    uint32_t *level;
    weft_vid *parent, *shorts;
    uint2 *pieces; /* vertex, which piece of its row */
    uint32_t *front, *next;
    progress *p;
    unsigned max_depth;
};

/* The same in registers, alike in every thread of the grid. */
struct window {
    unsigned short_from, short_to, piece_from, piece_to;
};

__device__ static unsigned lane_of(void) { return threadIdx.x % WARP; }

__device__ static void clear(counts *c) {
    c->shorts = c->pieces = c->found = 0;
    c->arcs = 0;
}

/* --- pushing -------------------------------------------------------------------------- */

/* Queues what the lanes found, behind `w`: of each lane the vertices v[k] whose bit k is set in `found`.  Everything that must
 * wait for memory is asked for before the first answer is used. */
template <int K>
__device__ static void queue(const search &s, const window &w, counts *c, unsigned found, const weft_vid *v) {
    unsigned lane = lane_of(), shorts = 0, mine = (unsigned)__popc(found), arcs_of[K];
    unsigned long long arcs = 0;
#pragma unroll
    for (int k = 0; k < K; k++) {
        arcs_of[k] = found >> k & 1 ? (unsigned)(s.out.offsets[v[k] + 1] - s.out.offsets[v[k]]) : 0;
        shorts |= (found >> k & 1 && arcs_of[k] <= SHORT ? 1u : 0u) << k;
        arcs += arcs_of[k];
    }
    unsigned before = (unsigned)__popc(shorts), all, base = 0;
    for (int far = 1; far < WARP; far *= 2) {
        unsigned left = __shfl_up_sync(~0u, before, far);
        if ((int)lane >= far) before += left;
        arcs += __shfl_xor_sync(~0u, arcs, far);
        mine += __shfl_xor_sync(~0u, mine, far);
    }
    all = __shfl_sync(~0u, before, WARP - 1);
    if (lane == 0) {
        if (all) base = atomicAdd(&c->shorts, all);
        atomicAdd(&c->found, mine);
        atomicAdd(&c->arcs, arcs);
    }
    unsigned at = w.short_to + __shfl_sync(~0u, base, 0) + before - (unsigned)__popc(shorts);
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (shorts >> k & 1) s.shorts[at++] = v[k];
        if ((found & ~shorts) >> k & 1) {
            unsigned count = (arcs_of[k] + PIECE - 1) / PIECE, place = w.piece_to + atomicAdd(&c->pieces, count);
            for (unsigned i = 0; i < count; i++) s.pieces[place + i] = make_uint2(v[k], i);
        }
    }
}

/* u offers itself to up to K vertices, those whose bit is set in `there`; which of them had not been found before. */
template <int K>
__device__ static unsigned offer(const search &s, weft_vid u, const weft_vid *v, unsigned there, unsigned depth) {
    uint32_t level[K];
    unsigned first = 0;
#pragma unroll
    for (int k = 0; k < K; k++) level[k] = there >> k & 1 ? __ldcg(&s.level[v[k]]) : 0;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (level[k] == WEFT_UNREACHED)
            first |= (atomicCAS(&s.level[v[k]], WEFT_UNREACHED, depth) == WEFT_UNREACHED ? 1u : 0u) << k;
#pragma unroll
    for (int k = 0; k < K; k++)
        if (level[k] >= depth && there >> k & 1) atomicMin(&s.parent[v[k]], u);
    return first;
}

__device__ static void push_level(const search &s, const window &w, counts *c, unsigned depth, unsigned warp,
                                  unsigned warps) {
    unsigned lane = lane_of();
    for (unsigned i = w.piece_from + warp; i < w.piece_to; i += warps) {
        uint2 piece = __ldcg(&s.pieces[i]);
        weft_eid begin = s.out.offsets[piece.x] + (weft_eid)piece.y * PIECE, end = s.out.offsets[piece.x + 1];
        if (begin + PIECE < end) end = begin + PIECE;
        for (weft_eid e = begin + lane; e < end + lane; e += 4 * WARP) {
            weft_vid v[4];
            unsigned there = 0;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                there |= (e + k * WARP < end ? 1u : 0u) << k;
                v[k] = there >> k & 1 ? s.out.targets[e + k * WARP] : 0;
            }
            unsigned found = offer<4>(s, piece.x, v, there, depth);
            if (__any_sync(~0u, found)) queue<4>(s, w, c, found, v);
        }
    }
    for (unsigned i = w.short_from + warp * WARP; i < w.short_to; i += warps * WARP) {
        bool mine = i + lane < w.short_to;
        weft_vid u = mine ? __ldcg(&s.shorts[i + lane]) : 0, v[SHORT];
        weft_eid begin = mine ? s.out.offsets[u] : 0, end = mine ? s.out.offsets[u + 1] : 0;
        unsigned there = (1u << (end - begin)) - 1;
#pragma unroll
        for (int k = 0; k < SHORT; k++) v[k] = there >> k & 1 ? s.out.targets[begin + k] : 0;
        unsigned found = offer<SHORT>(s, u, v, there, depth);
        if (__any_sync(~0u, found)) queue<SHORT>(s, w, c, found, v);
    }
}

/* --- pulling --------------------------------------------------------------------------- */

__device__ static bool in_front(const uint32_t *front, weft_vid u) { return front[u / WARP] >> (u % WARP) & 1; }

/* The lanes of `left` have rows that are longer than they looked: the warp goes through them, 32 arcs at a time. */
__device__ static weft_vid look_together(const search &s, const uint32_t *front, unsigned left, weft_eid e,
                                         weft_eid end, weft_vid hit) {
    unsigned lane = lane_of();
    for (; left; left &= left - 1) {
        int who = __ffs((int)left) - 1;
        weft_eid from = __shfl_sync(~0u, e, who), to = __shfl_sync(~0u, end, who);
        for (; from < to; from += WARP) {
            weft_vid u = from + lane < to ? s.in.targets[from + lane] : 0;
            unsigned hits = __ballot_sync(~0u, from + lane < to && in_front(front, u));
            if (!hits) continue;
            weft_vid first = __shfl_sync(~0u, u, __ffs((int)hits) - 1);
            if ((int)lane == who) hit = first;
            break;
        }
    }
    return hit;
}

__device__ static void pull_level(const search &s, const uint32_t *front, uint32_t *next, counts *c, unsigned depth,
                                  unsigned warp, unsigned warps) {
    unsigned lane = lane_of(), found = 0;
    unsigned long long arcs = 0;
    for (uint64_t base = (uint64_t)warp * WARP; base < s.n; base += (uint64_t)warps * WARP) {
        uint64_t v = base + lane;
        bool open = v < s.n && __ldcg(&s.level[v]) == WEFT_UNREACHED;
        unsigned word = 0;
        if (__any_sync(~0u, open)) {
            weft_eid e = open ? s.in.offsets[v] : 0, end = open ? s.in.offsets[v + 1] : 0;
            weft_vid hit = WEFT_NO_VERTEX;
            for (int k = 0; k < LOOK && e < end && hit == WEFT_NO_VERTEX; k++, e++) {
                weft_vid u = s.in.targets[e];
                if (in_front(front, u)) hit = u;
            }
            unsigned left = __ballot_sync(~0u, hit == WEFT_NO_VERTEX && e < end);
            if (left) hit = look_together(s, front, left, e, end, hit);
            word = __ballot_sync(~0u, hit != WEFT_NO_VERTEX);
            if (hit != WEFT_NO_VERTEX) {
                s.level[v] = depth;
                s.parent[v] = hit;
                found++;
                arcs += s.out.offsets[v + 1] - s.out.offsets[v];
            }
        }
        if (lane == 0) next[base / WARP] = word;
    }
    for (int far = WARP / 2; far; far /= 2) {
        found += __shfl_down_sync(~0u, found, far);
        arcs += __shfl_down_sync(~0u, arcs, far);
    }
    if (lane == 0 && found) {
        atomicAdd(&c->found, found);
        atomicAdd(&c->arcs, arcs);
    }
}

/* --- turning ---------------------------------------------------------------------------- */

__device__ static void bits_from_queue(const search &s, const window &w) {
    groups::grid_group grid = groups::this_grid();
    for (uint64_t i = grid.thread_rank(); i < (s.n + WARP - 1) / WARP; i += grid.size()) s.front[i] = 0;
    grid.sync();
    for (uint64_t i = w.short_from + grid.thread_rank(); i < w.short_to; i += grid.size()) {
        weft_vid v = __ldcg(&s.shorts[i]);
        atomicOr(&s.front[v / WARP], 1u << v % WARP);
    }
    for (uint64_t i = w.piece_from + grid.thread_rank(); i < w.piece_to; i += grid.size()) {
        weft_vid v = __ldcg(&s.pieces[i]).x;
        atomicOr(&s.front[v / WARP], 1u << v % WARP);
    }
    grid.sync();
}

__device__ static void advance(window *w, const counts *c) {
    w->short_from = w->short_to;
    w->piece_from = w->piece_to;
    w->short_to += __ldcg(&c->shorts);
    w->piece_to += __ldcg(&c->pieces);
}

/* What is in front is queued behind `w`, which becomes it. */
__device__ static void queue_from_bits(const search &s, const uint32_t *front, window *w, unsigned warp,
                                       unsigned warps) {
    groups::grid_group grid = groups::this_grid();
    counts *c = &s.p->turned;
    for (uint64_t word = warp; word < (s.n + WARP - 1) / WARP; word += warps) {
        uint32_t bits = front[word];
        weft_vid v = (weft_vid)(word * WARP + lane_of());
        if (bits) queue<1>(s, *w, c, bits >> lane_of() & 1, &v);
    }
    grid.sync();
    advance(w, c);
    grid.sync();
    if (grid.thread_rank() == 0) clear(c);
}

/* --- the search --------------------------------------------------------------------------- */

__device__ static bool small(const window &w) {
    return w.short_to - w.short_from + WARP * (w.piece_to - w.piece_from) <= ALONE;
}

/* One block, level after level, as long as it can.  What it did stands in p for the others. */
__device__ static void go_alone(const search &s, window w, progress *p, unsigned depth, unsigned last) {
    __shared__ counts c;
    unsigned long long arcs = __ldcg(&p->frontier_arcs), unseen = __ldcg(&p->unseen), reached = __ldcg(&p->reached);
    unsigned found = 1;
    while (found && depth < last && small(w)) {
        __syncthreads();
        if (threadIdx.x == 0) clear(&c);
        __syncthreads();
        push_level(s, w, &c, ++depth, threadIdx.x / WARP, THREADS / WARP);
        __threadfence_block();
        __syncthreads();
        w.short_from = w.short_to;
        w.piece_from = w.piece_to;
        w.short_to += c.shorts;
        w.piece_to += c.pieces;
        found = c.found;
        unseen -= arcs;
        arcs = c.arcs;
        reached += found;
    }
    if (threadIdx.x) return;
    p->short_from = w.short_from;
    p->short_to = w.short_to;
    p->piece_from = w.piece_from;
    p->piece_to = w.piece_to;
    p->frontier = found;
    p->frontier_arcs = arcs;
    p->unseen = unseen;
    p->reached = reached;
    p->depth = depth;
}

__global__ void __launch_bounds__(THREADS, 1) search_kernel(search s) {
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * (THREADS / WARP);
    progress *p = s.p;
    window w = {__ldcg(&p->short_from), __ldcg(&p->short_to), __ldcg(&p->piece_from), __ldcg(&p->piece_to)};
    unsigned frontier = __ldcg(&p->frontier), depth = __ldcg(&p->depth), begun = depth;
    unsigned long long arcs = __ldcg(&p->frontier_arcs), unseen = __ldcg(&p->unseen), reached = __ldcg(&p->reached);
    bool pulling = __ldcg(&p->pulling) != 0, rising = true;
    uint32_t *front = s.front, *next = s.next;
    unsigned last = s.max_depth - begun > LEVELS ? begun + LEVELS : s.max_depth;
    while (frontier && depth < last) {
        if (!pulling && small(w)) {
            grid.sync();
            if (blockIdx.x == 0) go_alone(s, w, p, depth, last);
            grid.sync();
            w = {__ldcg(&p->short_from), __ldcg(&p->short_to), __ldcg(&p->piece_from), __ldcg(&p->piece_to)};
            frontier = __ldcg(&p->frontier);
            arcs = __ldcg(&p->frontier_arcs);
            unseen = __ldcg(&p->unseen);
            reached = __ldcg(&p->reached);
            depth = __ldcg(&p->depth);
            continue;
        }
        bool pull = pulling ? rising || frontier > s.n / BETA : arcs > unseen / ALPHA && arcs > s.n / 16;
        if (pull && !pulling) {
            bits_from_queue(s, w);
            front = s.front;
            next = s.next;
        }
        if (!pull && pulling) {
            queue_from_bits(s, front, &w, warp, warps);
            pulling = false;
            continue;
        }
        pulling = pull;
        depth++;
        counts *c = &p->set[depth % SETS];
        if (pull)
            pull_level(s, front, next, c, depth, warp, warps);
        else
            push_level(s, w, c, depth, warp, warps);
        grid.sync();
        unsigned found = __ldcg(&c->found);
        unseen -= arcs;
        arcs = __ldcg(&c->arcs);
        rising = found >= frontier;
        frontier = found;
        reached += found;
        if (pull) {
            uint32_t *swap = front;
            front = next;
            next = swap;
        } else {
            advance(&w, c);
        }
        if (grid.thread_rank() == 0) {
            clear(&p->set[(depth + 2) % SETS]);
            p->frontier_arcs = arcs;
            p->unseen = unseen;
            p->reached = reached;
            p->depth = depth;
        }
        if (pull && !frontier) break;
    }
    if (pulling && frontier) queue_from_bits(s, front, &w, warp, warps);
    if (grid.thread_rank() == 0) {
        p->short_from = w.short_from;
        p->short_to = w.short_to;
        p->piece_from = w.piece_from;
        p->piece_to = w.piece_to;
        p->frontier = frontier;
        p->pulling = 0;
        p->done = !frontier || depth >= s.max_depth;
    }
}

/* Every vertex unreached, but the source. */
__global__ static void begin_kernel(search s, weft_vid source) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < s.n; v += (uint64_t)gridDim.x * blockDim.x) {
        s.level[v] = v == source ? 0 : WEFT_UNREACHED;
        s.parent[v] = v == source ? source : WEFT_NO_VERTEX;
    }
    if (blockIdx.x || threadIdx.x) return;
    progress *p = s.p;
    weft_eid arcs = s.out.offsets[source + 1] - s.out.offsets[source];
    for (int i = 0; i < SETS; i++) clear(&p->set[i]);
    clear(&p->turned);
    unsigned pieces = arcs <= SHORT ? 0 : (unsigned)((arcs + PIECE - 1) / PIECE);
    if (!pieces) s.shorts[0] = source;
    for (unsigned k = 0; k < pieces; k++) s.pieces[k] = make_uint2(source, k);
    p->short_from = p->piece_from = 0;
    p->short_to = pieces ? 0 : 1;
    p->piece_to = pieces;
    p->frontier = 1;
    p->frontier_arcs = arcs;
    p->reached = 1;
    p->depth = 0;
    p->pulling = p->done = 0;
}

/* --- the run --------------------------------------------------------------------------------- */

static weft_status search_from(weft_ctx *ctx, const search *s, weft_vid source, weft_eid arcs, int sms,
                               progress *seen) {
    wfi_kernel_scope stage(ctx, "iterations");
    cudaStream_t stream = wfi_cuda_stream();
    begin_kernel<<<wfi_grid(s->n, 256, 4096), 256, 0, stream>>>(*s, source);
    WFI_CUDA(cudaMemcpyAsync(&s->p->unseen, &arcs, sizeof arcs, cudaMemcpyHostToDevice, stream));
    do {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        void *args[] = {(void *)s};
        WFI_CUDA(
            cudaLaunchCooperativeKernel((void *)search_kernel, dim3((unsigned)sms), dim3(THREADS), args, 0, stream));
        weft_status st = wfi_download(ctx, seen, s->p, sizeof *seen);
        if (st) return st;
        wfi_progress(ctx, "bfs", seen->reached, s->n);
    } while (!seen->done);
    return WEFT_OK;
}

struct arrays {
    wfi_buffer<uint32_t> level, front, next;
    wfi_buffer<weft_vid> parent, shorts;
    wfi_buffer<uint2> pieces;
    wfi_buffer<progress> p;
};

static weft_status take_arrays(weft_ctx *ctx, const weft_graph *g, arrays *a, search *s) {
    size_t n = g->n, words = (n + WARP - 1) / WARP;
    weft_status st = a->level.take(ctx, n);
    if (!st) st = a->parent.take(ctx, n);
    if (!st) st = a->shorts.take(ctx, n);
    if (!st) st = a->pieces.take(ctx, g->arcs / SHORT + g->arcs / PIECE + 1);
    if (!st) st = a->front.take(ctx, words);
    if (!st) st = a->next.take(ctx, words);
    if (!st) st = a->p.take_zeroed(ctx, 1);
    s->n = g->n;
    s->level = a->level.data;
    s->parent = a->parent.data;
    s->shorts = a->shorts.data;
    s->pieces = a->pieces.data;
    s->front = a->front.data;
    s->next = a->next.data;
    s->p = a->p.data;
    return st;
}

extern "C" weft_status wfi_bfs_search_cuda(weft_ctx *ctx, const weft_graph *g, const weft_vid *sources, size_t count,
                                           uint64_t max_depth, uint32_t *level, weft_vid *parent, uint64_t *reached,
                                           uint64_t *depth) {
    search s = {};
    arrays a;
    progress seen = {};
    int sms = 0;
    WFI_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    weft_status st = wfi_mirror_out(ctx, g, &s.out);
    if (!st) st = wfi_mirror_in(ctx, g, &s.in);
    if (!st) st = take_arrays(ctx, g, &a, &s);
    s.max_depth = (unsigned)wfi_min_u64(max_depth, WEFT_UNREACHED - 1);
    for (size_t i = 0; !st && i < count; i++) st = search_from(ctx, &s, sources[i], g->arcs, sms, &seen);
    if (!st) st = wfi_download(ctx, level, s.level, g->n * sizeof *level);
    if (!st) st = wfi_download(ctx, parent, s.parent, g->n * sizeof *parent);
    *reached = seen.reached;
    *depth = seen.frontier ? seen.depth : seen.depth - 1;
    return st;
}

extern "C" void wfi_bfs_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_mirror_cost out = wfi_mirror_out_cost(g), in = wfi_mirror_in_cost(g);
    uint64_t n = g->n, state = 12 * n + n / 4 + 8 * (g->arcs / SHORT + g->arcs / PIECE);
    (void)ctx;
    (void)params;
    choice->method = "direction-optimising, one kernel";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "the incoming rows are made on the GPU if they are not at hand"
                         : "undirected: the rows serve both directions");
    choice->host_bytes = 12 * n;
    choice->device_bytes = wfi_max_u64(wfi_max_u64(out.peak, in.peak), (g->directed ? in.kept : out.kept) + state);
}
