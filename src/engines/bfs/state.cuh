/* Breadth-first search from one source on the GPU: the state of a search, and the functions that its files share.
 * Encoding: the frontier is a window of two queues, of short rows (a lane each) and of pieces of longer rows (a warp
 * each), or a bitmap.  Each vertex is queued at most once, so a queue is one array.  While pulling, the unvisited
 * vertices stand at the far end of the queue of short rows: a queued vertex has been reached, so the two ends never
 * meet.  Three sets of counters take turns: one is cleared, one read, one counts. */
#ifndef WFI_BFS_STATE_CUH
#define WFI_BFS_STATE_CUH

#include "cuda/mirror.cuh"
#include "cuda/warp.cuh"

enum {
    THREADS = 1024,
    WARP = 32,
    WARPS = THREADS / WARP,
    SHORT = 8,   /* arcs of a row that one lane takes */
    PIECE = 256, /* arcs that a warp takes */
    SETS = 3
};

struct bfs_counts {
    unsigned long long queued;      /* short rows; from bit 32 on, pieces */
    unsigned long long found, arcs; /* vertices, and their out-arcs */
};

/* The queue of a level; in registers, the same in every thread of the grid. */
struct bfs_window {
    unsigned short_from, short_to, piece_from, piece_to;
};

/* The state between launches. */
struct bfs_progress {
    bfs_counts set[SETS], turned;
    bfs_window w; /* window of the next level */
    unsigned frontier;
    unsigned open; /* entries of the list of open vertices */
    unsigned long long frontier_arcs, unseen, reached;
    unsigned depth; /* levels done */
    unsigned round; /* levels done by the whole grid: it selects the set of counters */
    int done, deep; /* deep: the next levels are for deep_kernel */
};

struct bfs_state {
    wfi_view out, in;
    weft_vid n;
    weft_eid arcs;
    uint32_t *level;
    weft_vid *parent, *shorts;
    uint2 *pieces;     /* vertex, number of the piece in its row */
    uint32_t *bits[3]; /* the frontier, the next one, and one that is being cleared */
    bfs_progress *p;
    unsigned max_depth;
    unsigned narrow; /* narrow levels in a row before deep_kernel takes over; 0 = it never does */
};

/* The new vertices of one thread in a level. */
struct bfs_tally {
    unsigned found;
    unsigned long long arcs;
};

/* --- one search: levels and smallest parents of all vertices, by hops from a source ------------------- */

struct wfi_bfs_reach {
    uint64_t reached, depth; /* vertices with a level, and the last level that was not empty */
};

/* Declares the arrays of a search; the caller sets rows and max_depth. */
void wfi_bfs_search_lay_out(wfi_workspace *device, const weft_graph *g, bfs_state *s);

/* Fills s->level and s->parent, which need not be initialised.  name: for progress.  A stage of its own. */
weft_status wfi_bfs_search(weft_ctx *ctx, bfs_state *s, weft_vid source, const char *name, wfi_bfs_reach *reach);

/* --- for its kernels ----------------------------------------------------------------------------------- */

__device__ static inline unsigned lane_of(void) { return threadIdx.x % WARP; }

__device__ static inline void clear(bfs_counts *c) { c->queued = c->found = c->arcs = 0; }

__device__ static inline void advance(bfs_window *w, unsigned long long queued) {
    w->short_from = w->short_to;
    w->piece_from = w->piece_to;
    w->short_to += (unsigned)queued;
    w->piece_to += (unsigned)(queued >> 32);
}

/* The work of the window, in short rows. */
__device__ static inline unsigned breadth(const bfs_window &w) {
    return w.short_to - w.short_from + WARP * (w.piece_to - w.piece_from);
}

/* Adds the tallies of a block's threads, with one atomic for the block.  All of its threads must call it. */
__device__ static inline void block_add(bfs_tally t, bfs_counts *c) {
    __shared__ bfs_tally of_warp[WARPS];
    t.found = wfi_warp_sum(t.found);
    t.arcs = wfi_warp_sum(t.arcs);
    __syncthreads(); /* of_warp may still be read from the last call */
    if (lane_of() == 0) of_warp[threadIdx.x / WARP] = t;
    __syncthreads();
    if (threadIdx.x >= WARP) return;
    t = of_warp[threadIdx.x];
    t.found = wfi_warp_sum(t.found);
    t.arcs = wfi_warp_sum(t.arcs);
    if (threadIdx.x || !t.found) return;
    atomicAdd(&c->found, t.found);
    atomicAdd(&c->arcs, t.arcs);
}

#endif
