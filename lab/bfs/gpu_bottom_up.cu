/* GPU: the question turned around.  A thread for each vertex: if it is not reached yet, it looks for a parent among its in-neighbours.
 * After S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
 * Should win: the broad middle of graphs with hubs; there is no frontier, no append, no atomic but one count a block.  Should lose: first
 * and last levels, where rows are read in vain; deep graphs, where every level asks all. */
#include "bfs.cuh"

#ifdef __CUDACC__
/* In-rows ascend: the first neighbour of the right level is the smallest parent.  Levels change under the reader, but only from
 * unreached to level + 1, and neither is `level`. */
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK look_for_parents(bfs_columns c, uint32_t level, unsigned *found,
                                                      unsigned long long *looked) {
    unsigned mine = 0;
    unsigned long long looks = 0;
    for (uint64_t v = lab_thread(); v < c.n; v += lab_threads()) {
        if (c.level[v] != WEFT_UNREACHED) continue;
        weft_eid e = c.offsets[v], end = c.offsets[v + 1];
        while (e < end && c.level[c.targets[e]] != level) e++;
        looks += e - c.offsets[v] + 1;
        if (e == end) continue;
        c.level[v] = level + 1;
        c.parent[v] = c.targets[e];
        mine++;
    }
    mine = lab_warp_sum(mine);
    looks = lab_warp_sum(looks);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(found, mine);
    if (threadIdx.x % 32 == 0 && looks) atomicAdd(looked, looks);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_search s(r, r->in);
    unsigned *found = s.gpu.take<unsigned>(1);
    unsigned long long *looked = s.gpu.take_zeroed<unsigned long long>(1);
    if (s.begin(look_for_parents)) return s.gpu.status;
    uint32_t levels = s.levels([&](uint32_t level) {
        s.set(found, 0u);
        look_for_parents<<<s.gpu.grid(s.c.n), r->block>>>(s.c, level, found, looked);
        return s.gpu.peek(found);
    });
    s.gpu.end();
    double looks = (double)s.gpu.peek(looked); /* for the model: in no part's time */
    return s.answer([&](const search &done) { return 8 * looks + 4.0 * done.n * (levels + 1.0) + 24.0 * done.n; });
}
#endif

const lab_rung bfs_gpu_bottom_up = {
    .name = "gpu-bottom-up",
    .title = "GPU, bottom-up: who is not reached looks for a parent",
    .against = "bottom-up",
    .changed = "A thread for each vertex in the place of the loop. Nobody writes to a vertex but its own thread, so "
               "there are no "
               "atomics but a count for each warp.",
    .wins = "Broad graphs: most vertices find a parent after a few looks.",
    .loses = "Deep graphs, where all arcs of what is not reached are read in every level; and rows that differ: a warp "
             "waits "
             "for the lane that looks longest.",
    .model = "8 for each in-neighbour looked at + 4 n a level + 24 a vertex",
    .source = "lab/bfs/gpu_bottom_up.cu",
    .device = LAB_CUDA,
    .serves = bfs_gpu_serves,
    .run = LAB_ON_GPU(run),
};
