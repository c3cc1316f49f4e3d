/* GPU: gpu-queue without appending.  A prefix sum of degrees (CUB) gives each frontier vertex places of its own, and arcs are dealt out
 * evenly: a thread takes an arc, and finds its vertex by binary search in the sums.  What was found is moved together by CUB's select.
 * After D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP 2012.
 * Should win: hubs, whose arcs are now as many threads; and the next frontier is in the same order every time.  Should lose: small
 * frontiers: six launches for a level in the place of two. */
#include "bfs.cuh"

#ifdef __CUDACC__
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace {
struct is_found {
    __device__ bool operator()(weft_vid v) const { return v != WEFT_NO_VERTEX; }
};
} // namespace

__global__ static void LAB_ANY_BLOCK measure_rows(bfs_columns c, const weft_vid *frontier, unsigned count,
                                                  weft_eid *length) {
    uint64_t i = lab_thread();
    if (i <= count) length[i] = i < count ? c.offsets[frontier[i] + 1] - c.offsets[frontier[i]] : 0;
}

/* --- excerpt --- */
/* place[i]: the first arc of frontier vertex i, when the rows of the frontier are laid end to end. */
__global__ static void LAB_ANY_BLOCK expand_arcs(bfs_columns c, const weft_vid *frontier, const weft_eid *place,
                                                 unsigned count, uint32_t level, weft_vid *found) {
    weft_eid arcs = place[count];
    for (weft_eid a = lab_thread(); a < arcs; a += lab_threads()) {
        unsigned low = 0, high = count; /* place[low] <= a < place[high] */
        while (high - low > 1) {
            unsigned middle = low + (high - low) / 2;
            if (place[middle] <= a)
                low = middle;
            else
                high = middle;
        }
        weft_vid u = frontier[low], v = c.targets[c.offsets[u] + (a - place[low])];
        found[a] = c.reach(u, v, level) ? v : WEFT_NO_VERTEX; /* a gap where it was reached before */
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_search s(r, r->out);
    size_t n = s.c.n, arcs = r->out.arcs, scan_bytes = 0, select_bytes = 0;
    weft_vid *frontier = s.gpu.take<weft_vid>(n), *found = s.gpu.take<weft_vid>(arcs);
    weft_eid *length = s.gpu.take<weft_eid>(n + 1), *place = s.gpu.take<weft_eid>(n + 1);
    unsigned *selected = s.gpu.take<unsigned>(1), count = 1;
    if (s.gpu.status) return s.gpu.status;
    s.gpu.failed("cub::DeviceScan", cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, length, place, (int64_t)n + 1));
    s.gpu.failed("cub::DeviceSelect",
                 cub::DeviceSelect::If(nullptr, select_bytes, found, frontier, selected, (int64_t)arcs, is_found{}));
    size_t room = scan_bytes > select_bytes ? scan_bytes : select_bytes;
    void *scratch = s.gpu.take<char>(room);
    if (s.begin(expand_arcs)) return s.gpu.status;
    if (n) s.set(frontier, s.source);
    s.levels([&](uint32_t level) {
        measure_rows<<<s.gpu.grid(count + 1ull), r->block>>>(s.c, frontier, count, length);
        size_t bytes = room;
        s.gpu.failed("cub::DeviceScan",
                     cub::DeviceScan::ExclusiveSum(scratch, bytes, length, place, (int64_t)count + 1));
        weft_eid reach = s.gpu.peek(&place[count]);
        if (!reach) return count = 0;
        expand_arcs<<<s.gpu.grid_filling(reach), r->block>>>(s.c, frontier, place, count, level, found);
        bytes = room;
        s.gpu.failed("cub::DeviceSelect",
                     cub::DeviceSelect::If(scratch, bytes, found, frontier, selected, (int64_t)reach, is_found{}));
        return count = s.gpu.peek(selected);
    });
    return s.answer([](const search &done) { return 16.0 * bfs_arcs_out(&done.out, done.level) + 64.0 * done.n; });
}
#endif

const lab_rung bfs_gpu_prefix_sum = {
    .name = "gpu-prefix-sum",
    .title = "GPU: a frontier, placed by prefix sums",
    .against = "gpu-queue",
    .changed = "A prefix sum of the frontier's degrees (CUB) deals out arcs, not vertices: a thread takes an arc and "
               "finds whose "
               "it is by binary search. What was found stands in gaps of its own, and CUB's select closes them.",
    .wins = "Graphs with hubs: a row of a million arcs is a million threads. No append is contended, and the frontier "
            "has the "
            "same order in every run.",
    .loses = "Small frontiers: six launches and two copies back for a level. And a binary search for each arc.",
    .model =
        "8 an arc followed + 8 an arc (finds written and read) + 64 a vertex (two sums, frontier, level and parent)",
    .source = "lab/bfs/gpu_prefix_sum.cu",
    .device = LAB_CUDA,
    .serves = bfs_gpu_serves,
    .run = LAB_ON_GPU(run),
};
