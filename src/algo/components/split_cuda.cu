/* Strong components by the largest vertices that reach and are reached, GPU.  Needs: a list of arcs.
 * Method: ECL-SCC [1].  Every vertex learns the largest vertex that leads to it and the largest that it leads to, by
 * sweeps over the arcs until nothing changes.  If the two are the same, that vertex and all vertices with the same pair
 * are a component.  Arcs whose ends have different pairs lie on no cycle and are dropped; the next round has the rest.
 * "Largest" is by a random order, another one in each round.  So the rounds are O(log n) in expectation [2]; and since
 * all that leads to a vertex's name leads to the vertex, names can be followed, and a path of length d takes about
 * O(log d) sweeps even if the graph is one long path.  The order is a bijection of 32 bits, so that a name is both a
 * rank and a vertex.
 * Encoding: arcs are dealt to the blocks in tiles, tile t to block t mod blocks; each block drops arcs in its own
 * tiles, in place.  All rounds run in one cooperative kernel, with a bounded number of sweeps; then the host decides
 * whether to continue.
 * [1] Alabandi, Sands, Biros, Burtscher, "A GPU Algorithm for Detecting Strongly Connected Components", SC 2023.
 * [2] Coppersmith, Fleischer, Hendrickson, Pinar, "A Divide-and-Conquer Algorithm for Identifying Strongly Connected
 *     Components", IBM Research Report RC23744, 2003. */
#include "algo/components/components_cuda.cuh"
#include "cuda/grid.cuh"

#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>

namespace groups = cooperative_groups;

enum { THREADS = 1024, SETS = WFI_SPLIT_SETS, MOST_SWEEPS = 512, LEAST_SWEEPS = 16 };

/* Arcs times sweeps of a launch: about a tenth of a second. */
static const uint64_t BATCH = (uint64_t)1 << 32;

/* --- the random order ------------------------------------------------------------------- */

static const uint32_t A = 0x85ebca6bu, A_INVERSE = 0xa5cb9243u, B = 0xc2b2ae35u, B_INVERSE = 0x7ed1b41du;
static_assert(A * A_INVERSE == 1 && B * B_INVERSE == 1, "ranks can be turned back");

__device__ static uint32_t rank_of(weft_vid v, unsigned round) {
    uint32_t x = v + round * 0x9e3779b9u;
    x = (x ^ x >> 16) * A;
    x = (x ^ x >> 16) * B;
    return x ^ x >> 16;
}

__device__ static weft_vid vertex_of(uint32_t rank, unsigned round) {
    uint32_t x = (rank ^ rank >> 16) * B_INVERSE;
    x = (x ^ x >> 16) * A_INVERSE;
    return (x ^ x >> 16) - round * 0x9e3779b9u;
}

/* --- sweeps ------------------------------------------------------------------------------- */

/* The position of the i-th arc of this block. */
__device__ static uint64_t place_of(unsigned i) {
    return ((uint64_t)(i / THREADS) * gridDim.x + blockIdx.x) * THREADS + i % THREADS;
}

__device__ static unsigned dealt(uint64_t count) {
    uint64_t tiles = count / THREADS, whole = (tiles + gridDim.x - 1 - blockIdx.x) / gridDim.x;
    return (unsigned)(whole * THREADS + (tiles % gridDim.x == blockIdx.x ? count % THREADS : 0));
}

/* Offers one end's name to the other: not the name itself but the current name of that vertex, which is no smaller.
 * All loads are issued before the first value is used. */
__device__ static bool pass_on(const wfi_split &w, uint2 arc, unsigned round) {
    uint32_t ahead = __ldcg(&w.ahead[arc.x]), next = __ldcg(&w.ahead[arc.y]);
    uint32_t back = __ldcg(&w.back[arc.y]), before = __ldcg(&w.back[arc.x]);
    uint32_t best_ahead = __ldcg(&w.ahead[vertex_of(ahead, round)]),
             best_back = __ldcg(&w.back[vertex_of(back, round)]);
    if (best_ahead > ahead) atomicMax(&w.ahead[arc.x], best_ahead);
    if (best_ahead > next) atomicMax(&w.ahead[arc.y], best_ahead);
    if (best_back > back) atomicMax(&w.back[arc.y], best_back);
    if (best_back > before) atomicMax(&w.back[arc.x], best_back);
    return best_ahead > ahead || best_ahead > next || best_back > back || best_back > before;
}

/* Drops arcs that lie on no cycle or in a finished component, and joins the latter.  Returns the number of arcs
 * left. */
__device__ static unsigned keep_undecided(const wfi_split &w, unsigned mine, unsigned round) {
    typedef cub::BlockScan<unsigned, THREADS> scan;
    __shared__ scan::TempStorage scratch;
    unsigned kept = 0;
    for (unsigned base = 0; base < mine; base += THREADS) {
        unsigned i = base + threadIdx.x, before, all;
        uint2 arc = make_uint2(0, 0);
        bool keep = false;
        if (i < mine) {
            arc = w.arcs[place_of(i)];
            uint32_t ahead = __ldcg(&w.ahead[arc.x]), back = __ldcg(&w.back[arc.x]);
            bool same = ahead == __ldcg(&w.ahead[arc.y]) && back == __ldcg(&w.back[arc.y]);
            keep = same && ahead != back;
            if (same && !keep) {
                wfi_join(w.label, arc.x, vertex_of(ahead, round));
                wfi_join(w.label, arc.y, vertex_of(ahead, round));
            }
        }
        scan(scratch).ExclusiveSum((unsigned)keep, before, all);
        __syncthreads(); /* the scratch is used again; and the whole tile has been read before any of it is written */
        if (keep) w.arcs[place_of(kept + before)] = arc;
        kept += all;
    }
    return kept;
}

__device__ static void begin_names(const wfi_split &w, weft_vid v, unsigned round) {
    w.ahead[v] = w.back[v] = rank_of(v, round);
}

__device__ static void begin_round(const wfi_split &w, unsigned mine, unsigned round) {
    for (unsigned i = threadIdx.x; i < mine; i += THREADS) {
        uint2 arc = w.arcs[place_of(i)];
        begin_names(w, arc.x, round);
        begin_names(w, arc.y, round);
    }
}

/* Three counters take turns: one is cleared, one read, one counts. */
__global__ static void __launch_bounds__(THREADS, 1)
    split_kernel(wfi_split w, uint64_t count, bool is_first, unsigned sweeps) {
    groups::grid_group grid = groups::this_grid();
    unsigned mine = is_first ? dealt(count) : w.s->left[blockIdx.x], round = w.s->round, turn = 0, undecided = 1;
    if (is_first) begin_round(w, mine, round);
    grid.sync();
    for (unsigned sweep = 0; sweep < sweeps && undecided; sweep++) {
        bool changed = false;
        for (unsigned i = threadIdx.x; i < mine; i += THREADS) changed |= pass_on(w, w.arcs[place_of(i)], round);
        if (__syncthreads_or(changed) && threadIdx.x == 0) w.s->signals.changed[sweep % SETS] = 1;
        changed = wfi_sync_and_broadcast(&w.s->signals.changed[sweep % SETS]) != 0;
        if (grid.thread_rank() == 0) w.s->signals.changed[(sweep + 2) % SETS] = 0;
        if (changed) continue;
        mine = keep_undecided(w, mine, round++);
        if (threadIdx.x == 0 && mine) atomicOr(&w.s->signals.kept[turn % SETS], 1u);
        undecided =
            wfi_sync_and_broadcast(&w.s->signals.kept[turn % SETS]); /* after this no thread reads the old names */
        if (grid.thread_rank() == 0) w.s->signals.kept[(turn + 2) % SETS] = 0;
        turn++;
        begin_round(w, mine, round);
        grid.sync();
    }
    if (threadIdx.x == 0) w.s->left[blockIdx.x] = mine;
    if (grid.thread_rank() == 0) {
        w.s->round = round;
        w.s->undecided = undecided;
    }
}

/* --- the run ---------------------------------------------------------------------------------- */

weft_status wfi_components_split_cuda(weft_ctx *ctx, wfi_split w, uint64_t count) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, split_kernel, THREADS, 0));
    unsigned blocks = wfi_grid(count, THREADS, (unsigned)wfi_min_u64((uint64_t)(sms * fit), WFI_SPLIT_BLOCKS));
    unsigned rest = 1, sweeps = (unsigned)wfi_max_u64(LEAST_SWEEPS, wfi_min_u64(MOST_SWEEPS, BATCH / count));
    weft_status st = wfi_zero(ctx, w.s, 1);
    for (bool is_first = true; !st && rest; is_first = false) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        void *args[] = {&w, &count, &is_first, &sweeps};
        WFI_CUDA_OR_RETURN(cudaMemsetAsync(&w.s->signals, 0, sizeof w.s->signals, stream));
        WFI_CUDA_OR_RETURN(
            cudaLaunchCooperativeKernel((void *)split_kernel, dim3(blocks), dim3(THREADS), args, 0, stream));
        st = wfi_download(ctx, &rest, &w.s->undecided, sizeof rest);
    }
    return st;
}
