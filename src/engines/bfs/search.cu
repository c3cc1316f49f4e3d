/* Breadth-first search from one source, GPU: levels, and the smallest of the possible parents.
 * Method: direction-optimising [1], all levels in one kernel with a barrier of the grid between them (push.cuh,
 * pull.cuh).  A frontier small enough for one block is served by one block, level after level, with that block's own
 * barrier; after many narrow levels in a row a cluster of blocks takes over (deep.cuh).
 * [1] Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. */
#include "engines/bfs/deep.cuh"
#include "engines/bfs/pull.cuh"
#include "engines/bfs/state.cuh"

#include <cooperative_groups.h>

namespace groups = cooperative_groups;

enum {
    ALONE = 512,     /* breadth up to which one block serves a level */
    NARROW = 16,     /* narrow levels in a row that make a graph deep */
    ALPHA = 40,      /* pull if the frontier has more than this part of the unseen arcs */
    BETA = 16,       /* push again if the frontier has fewer arcs than this part of the open vertices ... */
    FEW = 4096,      /* ... unless there are at most this many open vertices */
    LEVELS = 1 << 14 /* levels of a launch; then the host decides whether to continue */
};

/* One block runs level after level, as long as they are narrow, and leaves the new state in p for the other blocks. */
__device__ static void go_alone(const bfs_state &s, bfs_window w, bfs_progress *p, unsigned depth, unsigned last) {
    __shared__ bfs_counts c;
    unsigned long long arcs = __ldcg(&p->frontier_arcs), unseen = __ldcg(&p->unseen), reached = __ldcg(&p->reached);
    unsigned found = 1;
    while (found && depth < last && breadth(w) <= ALONE) {
        __syncthreads();
        if (threadIdx.x == 0) clear(&c);
        __syncthreads();
        block_add(push_level(s, w, &c.queued, ++depth, threadIdx.x / WARP, WARPS), &c);
        __threadfence_block();
        __syncthreads();
        advance(&w, c.queued);
        found = (unsigned)c.found;
        unseen -= arcs;
        arcs = c.arcs;
        reached += found;
    }
    if (threadIdx.x) return;
    p->w = w;
    p->frontier = found;
    p->frontier_arcs = arcs;
    p->unseen = unseen;
    p->reached = reached;
    p->depth = depth;
}

/* Rotates the three bitmaps. */
__device__ static void turn(uint32_t *bits[3]) {
    uint32_t *front = bits[0];
    bits[0] = bits[1];
    bits[1] = bits[2];
    bits[2] = front;
}

__global__ void __launch_bounds__(THREADS, 1) search_kernel(bfs_state s) {
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WARP * gridDim.x, warps = gridDim.x * WARPS;
    bfs_progress *p = s.p;
    bfs_window w = p->w;
    unsigned frontier = p->frontier, depth = p->depth, begun = depth, narrow = 0, open = 0, listed = 0;
    unsigned round = p->round;
    unsigned long long arcs = p->frontier_arcs, unseen = p->unseen, reached = p->reached;
    bool pulling = false, rising = true, deep = false;
    uint32_t *bits[3] = {s.bits[0], s.bits[1], s.bits[2]};
    unsigned last = s.max_depth - begun > LEVELS ? begun + LEVELS : s.max_depth;
    while (frontier && depth < last) {
        if (!pulling && s.narrow && narrow >= s.narrow && breadth(w) <= DEEP_ENTER) {
            deep = true;
            break;
        }
        if (!pulling && breadth(w) <= ALONE) {
            unsigned until = s.narrow && last - depth > s.narrow ? depth + s.narrow : last;
            grid.sync();
            if (blockIdx.x == 0) go_alone(s, w, p, depth, until);
            const bfs_progress at = wfi_sync_and_broadcast(p);
            narrow += at.depth - depth;
            w = at.w;
            frontier = at.frontier;
            arcs = at.frontier_arcs;
            unseen = at.unseen;
            reached = at.reached;
            depth = at.depth;
            continue;
        }
        bool pull = pulling ? rising || arcs > open / BETA || open <= FEW : arcs > unseen / ALPHA && arcs > s.n / 16;
        if (pull && !pulling) bits_from_queue(s, w, bits[0]);
        if (!pull && pulling) {
            queue_from_bits(s, bits[0], &w, warp, warps);
            pulling = false;
            continue;
        }
        depth++;
        bfs_counts *c = &p->set[++round % SETS];
        bfs_tally t;
        if (!pull)
            t = push_level(s, w, &c->queued, depth, warp, warps);
        else if (pulling)
            t = pull_listed(s, bits, listed, depth, warp, warps);
        else
            t = pull_all(s, bits, depth, warp, warps);
        if (pull) clear_bits(s, bits[2]);
        block_add(t, c);
        const bfs_counts seen = wfi_sync_and_broadcast(c);
        unsigned found = (unsigned)seen.found;
        narrow = !pull && breadth(w) <= DEEP_ENTER ? narrow + 1 : 0;
        open = !pull ? 0 : pulling ? open - found : (listed = wfi_broadcast(&p->open));
        pulling = pull;
        unseen -= arcs;
        arcs = seen.arcs;
        rising = found >= frontier;
        frontier = found;
        reached += found;
        if (pull)
            turn(bits);
        else
            advance(&w, seen.queued);
        if (grid.thread_rank() == 0) {
            clear(&p->set[(round + 2) % SETS]);
            p->frontier_arcs = arcs;
            p->unseen = unseen;
            p->reached = reached;
            p->depth = depth;
        }
    }
    if (pulling && frontier) queue_from_bits(s, bits[0], &w, warp, warps);
    if (grid.thread_rank() == 0) {
        p->w = w;
        p->frontier = frontier;
        p->round = round;
        p->deep = deep;
        p->done = !frontier || depth >= s.max_depth;
    }
}

/* Marks every vertex but the source as unreached. */
__global__ static void begin_kernel(bfs_state s, weft_vid source) {
    for (uint64_t v = wfi_thread(); v < s.n; v += wfi_all_threads()) {
        s.level[v] = v == source ? 0 : WEFT_UNREACHED;
        s.parent[v] = v == source ? source : WEFT_NO_VERTEX;
    }
    if (blockIdx.x || threadIdx.x) return;
    bfs_progress *p = s.p;
    weft_eid arcs = s.out.offsets[source + 1] - s.out.offsets[source];
    for (int i = 0; i < SETS; i++) clear(&p->set[i]);
    clear(&p->turned);
    unsigned pieces = arcs <= SHORT ? 0 : (unsigned)((arcs + PIECE - 1) / PIECE);
    if (!pieces) s.shorts[0] = source;
    for (unsigned k = 0; k < pieces; k++) s.pieces[k] = make_uint2(source, k);
    p->w = {0, pieces ? 0u : 1u, 0, pieces};
    p->frontier = 1;
    p->frontier_arcs = arcs;
    p->unseen = s.arcs;
    p->reached = 1;
    p->depth = p->round = 0;
    p->done = p->deep = 0;
}

/* --- the run --------------------------------------------------------------------------------- */

static weft_status launch(weft_ctx *ctx, const bfs_state *s, bool deep, unsigned blocks, int sms) {
    void *args[] = {(void *)s};
    if (!deep) {
        WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel((void *)search_kernel, dim3((unsigned)sms), dim3(THREADS), args,
                                                       0, wfi_cuda_stream(ctx)));
        return WEFT_OK;
    }
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = deep_launch(ctx, blocks, &attribute);
    WFI_CUDA_OR_RETURN(cudaLaunchKernelExC(&config, (void *)deep_kernel, args));
    return WEFT_OK;
}

void wfi_bfs_search_lay_out(wfi_workspace *device, const weft_graph *g, bfs_state *s) {
    uint64_t n = g->n, words = (n + WARP - 1) / WARP;
    s->n = g->n;
    s->arcs = g->arcs;
    wfi_array(device, &s->level, n);
    wfi_array(device, &s->parent, n);
    wfi_array(device, &s->shorts, n);
    wfi_array_within(device, &s->pieces, g->arcs / SHORT + g->arcs / PIECE + 1);
    for (size_t i = 0; i < 3; i++) wfi_array(device, &s->bits[i], words);
    wfi_array(device, &s->p, 1);
}

weft_status wfi_bfs_search(weft_ctx *ctx, bfs_state *s, weft_vid source, const char *name, wfi_bfs_reach *reach) {
    int sms = wfi_gpu_of(ctx)->sms;
    unsigned blocks = 0;
    bfs_progress seen = {};
    weft_status st = wfi_zero(ctx, s->p, 1); /* with the padding, which is copied as words */
    if (!st) st = find_deep_blocks(ctx, &blocks);
    if (st) return st;
    s->narrow = blocks ? NARROW : 0;
    wfi_kernel_scope stage(ctx, "iterations");
    begin_kernel<<<wfi_grid(s->n, 256, 4096), 256, 0, wfi_cuda_stream(ctx)>>>(*s, source);
    while (!seen.done) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        st = launch(ctx, s, seen.deep, blocks, sms);
        if (!st) st = wfi_download(ctx, &seen, s->p, sizeof seen);
        if (st) return st;
        wfi_progress(ctx, name, seen.reached, s->n);
    }
    *reach = {seen.reached, seen.frontier ? seen.depth : seen.depth - 1};
    return WEFT_OK;
}
