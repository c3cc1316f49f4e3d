/* GPU: the labels around each vertex are gathered, sorted by CUB row by row, and the longest run wins. */
#include "labelprop.cuh"

#ifdef __CUDACC__

#include <cub/device/device_segmented_sort.cuh>

__global__ static void gather(const weft_vid *targets, const weft_vid *now, weft_vid *around, uint64_t arcs) {
    for (uint64_t e = lab_thread(); e < arcs; e += lab_threads()) around[e] = now[targets[e]];
}

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK longest_run(const weft_eid *offsets, const weft_vid *sorted, const weft_vid *now,
                                                 weft_vid *next, weft_vid n) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    weft_vid best = now[v];
    uint32_t run = 0, most = 0;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) {
        run = e > offsets[v] && sorted[e] == sorted[e - 1] ? run + 1 : 1;
        if (run > most) most = run, best = sorted[e]; /* of equal runs the first, which is the smallest label */
    }
    next[v] = best;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_labels q(r);
    weft_vid *around = q.gpu.take<weft_vid>(q.arcs), *sorted = q.gpu.take<weft_vid>(q.arcs);
    void *workspace = NULL;
    size_t room = 0;
    auto sort = [&] {
        q.gpu.failed("cub::DeviceSegmentedSort",
                     cub::DeviceSegmentedSort::SortKeys(workspace, room, around, sorted, (int64_t)q.arcs, (int64_t)q.n,
                                                        q.offsets, q.offsets + 1));
    };
    if (!q.gpu.status) sort(); /* says how much room it needs */
    workspace = q.gpu.take<char>(room);
    if (q.gpu.begin(longest_run)) return q.gpu.status;
    return q.run(
        [&] {
            gather<<<q.gpu.grid_filling(q.arcs), r->block>>>(q.targets, q.now, around, q.arcs);
            sort();
            longest_run<<<q.gpu.grid(q.n), r->block>>>(q.offsets, sorted, q.now, q.next, q.n);
        },
        24, 12);
}
#endif

static const char *serves(lab_run *r) { return labelprop_arcs(r) < 2147483647 ? NULL : "more arcs than this sort takes"; }

const lab_rung labelprop_gpu_sort = {
    .name = "gpu-sort",
    .title = "GPU: labels sorted row by row with CUB, the longest run",
    .against = "gpu-array",
    .changed = "Labels are gathered for all arcs, CUB sorts each row (short ones by a warp, long ones by a block), and a thread for each "
               "vertex walks its row for the longest run.",
    .wins = "No counters: work and memory are those of the arcs.",
    .loses = "Rows travel through memory four times a step; and the walk is one thread's, so a hub holds up its warp.",
    .model = "a step: 24 an arc (target, label, copy written and read, sorted written and read) + 12 n",
    .source = "lab/labelprop/gpu_sort.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
