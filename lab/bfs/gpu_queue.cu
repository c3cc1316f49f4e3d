/* GPU: a frontier that is appended to, a thread for each of its vertices.
 * The blog's kernel (part 7), made right: it adds to the length and then writes at whatever the length has become by then, so that
 * threads overwrite each other's places; and it looks at `visited` and sets it in two steps, so that a vertex gets in twice.  Here the
 * one thread whose compare-and-swap found the vertex unreached appends it, at the place that its own addition gave.
 * Should win: against the CPU on broad levels.  Should lose: hubs, whose rows one thread walks; and every append of the whole GPU
 * goes through one address (the compiler joins those of a warp into one addition, where it can). */
#include "bfs.cuh"

#ifdef __CUDACC__
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK expand(bfs_columns c, const weft_vid *frontier, unsigned count, uint32_t level,
                                            weft_vid *next, unsigned *length) {
    uint64_t i = lab_thread();
    if (i >= count) return;
    weft_vid u = frontier[i];
    for (weft_eid e = c.offsets[u]; e < c.offsets[u + 1]; e++) {
        weft_vid v = c.targets[e];
        if (c.reach(u, v, level)) next[atomicAdd(length, 1u)] = v; /* the place that this addition gave */
    }
}
/* --- end --- */

static weft_status run(lab_run *r) { return gpu_search(r, r->out).by_frontiers(expand, 1); }
#endif

const lab_rung bfs_gpu_queue = {
    .name = "gpu-queue",
    .title = "GPU: a frontier, appended to by atomics",
    .against = "queue",
    .changed =
        "A thread for each vertex of the frontier; what it reaches is appended with atomicAdd. The blog's kernel "
        "writes "
        "at the length as it finds it, not at the place its own addition gave, and tests and sets \"visited\" in two "
        "steps; here one compare-and-swap decides who appends.",
    .wins = "Broad levels: thousands of rows at once.",
    .loses =
        "Hubs: a thread walks a row alone, and its warp waits. Deep graphs: a launch and a copy back for each level.",
    .model = BFS_FRONTIERS_MODEL,
    .source = "lab/bfs/gpu_queue.cu",
    .device = LAB_CUDA,
    .serves = bfs_gpu_serves,
    .run = LAB_ON_GPU(run),
};
