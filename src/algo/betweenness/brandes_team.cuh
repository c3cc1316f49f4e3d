/* From sources on the GPU: who works together, and how they meet.
 * A team is all blocks of a group, or its first block alone where a level is narrow; the others wait then.  A step of a
 * search has phases; after each one the team meets, and every thread has the sums of what all have tallied.
 * Three sets of sums take turns, so that one can be cleared while one is read and one counts. */
#ifndef WFI_BETWEENNESS_BRANDES_TEAM_CUH
#define WFI_BETWEENNESS_BRANDES_TEAM_CUH

#include "algo/betweenness/brandes.cuh"
#include "cuda/grid.cuh"

enum { LANES = WFI_LANES, PIECE = WFI_PIECE, FRONTS = WFI_LANE_FRONTS, WARP = 32, SETS = 3 };

typedef wfi_lane_word word;

enum { HUB_OUT = 1, HUB_IN = 2, BEYOND = 4, STOP = 8, IDLE = 16 }; /* flags of a phase */

struct phase_sums {
    word found;         /* entries of the trail; they have their places from here while the phase goes on */
    word ahead, closed; /* arcs that leave them; that enter vertices which all lanes have reached */
    unsigned flags, unused;
};

/* What a thread adds to them. */
struct phase_part {
    word ahead, closed;
    unsigned flags;
};

/* A group's, in memory; all 0 when a kernel begins. */
struct meeting {
    word arrived;
    phase_sums set[SETS];
};

/* Where a batch is: alike in all threads of a group, and in memory between kernels. */
enum { TAKE, TURN, OUT, BACK, ENDS, FINISHED }; /* TURN: out, but the counts have to become far numbers first */
struct walk {
    word batch, depth;
    word below, from, to, above, beyond; /* where levels depth-1 ... depth+3 begin in the trail */
    word offered;                        /* out: vertices of the next level, if they are known already, or UNKNOWN */
    word ahead, open;                    /* out: arcs that leave the level; that enter vertices some lane has not
                                          * reached.  Back: open is the end of the trail */
    unsigned phase, all, lanes, hubs;
};

#define UNKNOWN (~(word)0)

struct wfi_lane_control {
    word next; /* batch that nobody has taken */
    word far;  /* a count was beyond doubles */
    walk at[WFI_LANE_GROUPS];
    word times[WFI_LANE_GROUPS][LANES];   /* how often each lane counts */
    word reached[WFI_LANE_GROUPS][LANES]; /* vertices beside the source */
    meeting meets[WFI_LANE_GROUPS];
};

/* Of a block. */
struct block_memory {
    phase_sums set[SETS], seen;
    word times[LANES];
};

struct team {
    block_memory *here;
    meeting *there;
    unsigned block, blocks;
    unsigned turn, round; /* of the sets here, and there */
    bool alone;
    word deepest;    /* a search that has come so far out stops */
    long long until; /* by the clock of the first thread, which says when to stop */

    __device__ unsigned warps() const { return blockDim.x / WARP * (alone ? 1 : blocks); }
    __device__ unsigned warp() const { return alone ? threadIdx.x / WARP : block + threadIdx.x / WARP * blocks; }
    __device__ uint64_t threads() const { return (uint64_t)warps() * WARP; }
    __device__ uint64_t thread() const { return (uint64_t)warp() * WARP + threadIdx.x % WARP; }
    /* From the other end: a level that leaves warps idle has these for what goes on beside it. */
    __device__ uint64_t beside() const { return threads() - 1 - thread(); }
    __device__ bool first() const { return block == 0 && threadIdx.x == 0; }
    /* Where entries that are found in this phase get their places. */
    __device__ word *found() const { return alone ? &here->set[turn % SETS].found : &there->set[round % SETS].found; }
};

__device__ static inline unsigned lane_of(void) { return threadIdx.x % WARP; }
__device__ static inline void forget(phase_sums *s) { *s = phase_sums{0, 0, 0, 0, 0}; }

/* By the first thread of a block: all blocks have come, and their sums are in here->seen. */
__device__ static inline void meet_blocks(const team &t) {
    const phase_sums *mine = &t.here->set[t.turn % SETS];
    phase_sums *all = &t.there->set[t.round % SETS];
    word wanted = (word)(t.round + 1) * t.blocks;
    if (mine->ahead) atomicAdd(&all->ahead, mine->ahead);
    if (mine->closed) atomicAdd(&all->closed, mine->closed);
    if (mine->flags) atomicOr(&all->flags, mine->flags);
    __threadfence();
    atomicAdd(&t.there->arrived, 1ull);
    while (*(volatile word *)&t.there->arrived < wanted) {}
    __threadfence();
    t.here->seen = {__ldcg(&all->found), __ldcg(&all->ahead), __ldcg(&all->closed), __ldcg(&all->flags), 0};
    if (t.block == 0) forget(&t.there->set[(t.round + 2) % SETS]);
}

/* All threads of the team: what one has written before, all read afterwards. */
__device__ static __noinline__ phase_sums meet(team &t, phase_part mine) {
    phase_sums *set = &t.here->set[t.turn % SETS], seen;
    if (t.first() && clock64() > t.until) mine.flags |= STOP;
    if (__any_sync(~0u, mine.ahead || mine.closed || mine.flags)) {
        mine = {wfi_warp_sum(mine.ahead), wfi_warp_sum(mine.closed), wfi_warp_or(mine.flags)};
        if (lane_of() == 0) {
            atomicAdd(&set->ahead, mine.ahead);
            atomicAdd(&set->closed, mine.closed);
            atomicOr(&set->flags, mine.flags);
        }
    }
    __syncthreads();
    if (t.alone) {
        seen = *set;
    } else {
        if (threadIdx.x == 0) meet_blocks(t);
        __syncthreads();
        seen = t.here->seen;
        t.round++;
    }
    if (threadIdx.x == 0) forget(&t.here->set[(t.turn + 2) % SETS]);
    t.turn++;
    return seen;
}

/* How many of so many entries a warp takes at once: all warps are to have some. */
__device__ static inline unsigned at_once(const team &t, uint64_t count) {
    unsigned each = 1;
    while (each < WARP && (uint64_t)each * t.warps() < count) each *= 2;
    return each;
}

#endif
