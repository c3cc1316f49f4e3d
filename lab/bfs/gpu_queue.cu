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

static weft_status run(lab_run *r) {
    gpu_search s(r, r->out);
    weft_vid *frontier = s.gpu.take<weft_vid>(s.c.n), *next = s.gpu.take<weft_vid>(s.c.n);
    unsigned *length = s.gpu.take<unsigned>(1), count = 1;
    if (s.begin(expand)) return s.gpu.status;
    if (s.c.n) s.set(frontier, s.source);
    s.levels([&](uint32_t level) {
        s.set(length, 0u);
        expand<<<s.gpu.grid(count), r->block>>>(s.c, frontier, count, level, next, length);
        count = s.gpu.peek(length);
        weft_vid *other = frontier;
        frontier = next;
        next = other;
        return count;
    });
    return s.answer([](const search &done) { return 8.0 * bfs_arcs_out(&done.out, done.level) + 32.0 * done.n; });
}
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
    .model = "8 an arc followed + 32 a vertex (frontier written and read, offsets, level and parent)",
    .source = "lab/bfs/gpu_queue.cu",
    .device = LAB_CUDA,
    .serves = bfs_gpu_serves,
    .run = LAB_ON_GPU(run),
};
