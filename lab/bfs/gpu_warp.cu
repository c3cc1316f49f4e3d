/* GPU: gpu-queue with a warp for each vertex of the frontier, and one append for a warp.
 * After S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun, "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011.
 * Should win: long rows, whose targets are read side by side; one atomic addition for up to 32 finds.  Should lose: rows of a few arcs,
 * where most lanes idle. */
#include "bfs.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK expand_by_warps(bfs_columns c, const weft_vid *frontier, unsigned count,
                                                     uint32_t level, weft_vid *next, unsigned *length) {
    uint64_t i = lab_thread() / 32;
    unsigned lane = threadIdx.x % 32;
    if (i >= count) return; /* all lanes of a warp alike */
    weft_vid u = frontier[i];
    weft_eid end = c.offsets[u + 1];
    for (weft_eid e = c.offsets[u]; e < end; e += 32) {
        weft_vid v = e + lane < end ? c.targets[e + lane] : 0;
        bool mine = e + lane < end && c.reach(u, v, level);
        unsigned finders = __ballot_sync(~0u, mine), place = 0;
        if (lane == 0 && finders) place = atomicAdd(length, (unsigned)__popc(finders));
        place = __shfl_sync(~0u, place, 0) + (unsigned)__popc(finders & ((1u << lane) - 1));
        if (mine) next[place] = v;
    }
}
/* --- end --- */

static weft_status run(lab_run *r) { return gpu_search(r, r->out).by_frontiers(expand_by_warps, 32); }
#endif

const lab_rung bfs_gpu_warp = {
    .name = "gpu-warp",
    .title = "GPU: a warp for each vertex of the frontier",
    .against = "gpu-queue",
    .changed = "32 lanes read a row together, and append what they found with one addition for all of them.",
    .wins = "Long rows: targets are coalesced, nobody walks a hub alone, and the length is touched a 32nd as often.",
    .loses = "Rows of a few arcs, such as those of grids and roads: a warp is kept busy by four lanes. The longest row "
             "is still "
             "one warp's.",
    .model = BFS_FRONTIERS_MODEL,
    .source = "lab/bfs/gpu_warp.cu",
    .device = LAB_CUDA,
    .serves = bfs_gpu_serves,
    .run = LAB_ON_GPU(run),
};
