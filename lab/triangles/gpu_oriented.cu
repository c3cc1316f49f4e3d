/* GPU: every edge points to its end of higher degree; a warp for each vertex intersects its forward row with those of its forward
 * neighbours. */
#include "triangles.cuh"

#ifdef __CUDACC__

#include <cub/device/device_scan.cuh>

/* By degree, then by number. */
__device__ static inline bool ranks_below(const weft_eid *offsets, weft_vid u, weft_vid v) {
    weft_eid a = offsets[u + 1] - offsets[u], b = offsets[v + 1] - offsets[v];
    return a != b ? a < b : u < v;
}

__global__ static void count_forward(const weft_eid *offsets, const weft_vid *targets, weft_vid n, weft_eid *forward) {
    uint64_t u = lab_thread();
    if (u > n) return;
    weft_eid kept = 0;
    for (weft_eid e = u < n ? offsets[u] : 0; u < n && e < offsets[u + 1]; e++)
        kept += ranks_below(offsets, (weft_vid)u, targets[e]);
    forward[u] = kept; /* and 0 behind the last: the scan's total stands there */
}

__global__ static void keep_forward(const weft_eid *offsets, const weft_vid *targets, weft_vid n, const weft_eid *forward,
                                    weft_vid *heads) {
    uint64_t u = lab_thread();
    if (u >= n) return;
    weft_eid at = forward[u];
    for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++)
        if (ranks_below(offsets, (weft_vid)u, targets[e])) heads[at++] = targets[e];
}

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK intersect(const weft_eid *forward, const weft_vid *heads, weft_vid n, gpu_count *count) {
    uint64_t u = lab_thread() / 32;
    unsigned lane = threadIdx.x % 32;
    if (u >= n) return;
    weft_eid low = forward[u], high = forward[u + 1];
    gpu_count at_u = 0;
    for (weft_eid e = low; e < high; e++) {
        weft_vid v = heads[e];
        gpu_count at_v = 0;
        for (weft_eid k = forward[v] + lane; k < forward[v + 1]; k += 32)
            if (gpu_search(heads, low, high, heads[k])) {
                atomicAdd(&count[heads[k]], 1ull);
                at_v++;
            }
        at_v = gpu_group_sum(at_v, 32);
        if (lane == 0 && at_v) atomicAdd(&count[v], at_v);
        at_u += at_v;
    }
    if (lane == 0 && at_u) atomicAdd(&count[u], at_u);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    size_t room = 0, edges = t.gpu.status ? 0 : t.s.offsets[t.n] / 2;
    weft_eid *counts = t.gpu.take<weft_eid>((size_t)t.n + 1), *forward = t.gpu.take<weft_eid>((size_t)t.n + 1);
    weft_vid *heads = t.gpu.take<weft_vid>(edges);
    t.gpu.failed("cub::DeviceScan", cub::DeviceScan::ExclusiveSum(NULL, room, counts, forward, (int64_t)t.n + 1));
    void *workspace = t.gpu.take<char>(room);
    if (t.gpu.begin(intersect)) return t.gpu.status;
    count_forward<<<t.gpu.grid((uint64_t)t.n + 1), r->block>>>(t.offsets, t.targets, t.n, counts);
    t.gpu.failed("cub::DeviceScan", cub::DeviceScan::ExclusiveSum(workspace, room, counts, forward, (int64_t)t.n + 1));
    keep_forward<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, forward, heads);
    intersect<<<t.gpu.grid((uint64_t)t.n * 32), r->block>>>(forward, heads, t.n, t.count);
    return t.close(16.0 * (double)edges + 8.0 * (double)edges);
}
#endif

/* Forward rows are at most sqrt(2 m) long, and are met by a warp. */
static const char *serves(lab_run *r) {
    double m = (double)weft_graph_edges(r->g);
    return triangles_serves(r, 0, m * sqrt(2 * m) / 1e11);
}

const lab_rung triangles_gpu_oriented = {
    .name = "gpu-oriented",
    .title = "GPU: oriented by degree, a warp a vertex",
    .against = "gpu-warp",
    .changed = "Each edge is kept once, at its end of lower degree, by two kernels and a scan within the kernels' time. A warp takes "
               "the forward rows of its vertex's forward neighbours, and each lane looks for its own entry in the forward row "
               "of the vertex. A triangle is met once and counted at its corners by atomics on whole numbers.",
    .wins = "Hubs: no forward row is longer than sqrt(2m), so nobody waits for one vertex, and there are m sqrt(m) steps at most.",
    .loses = "Hubs get many counts: all of their triangles add to one number. And flat sparse graphs, where orienting costs as much "
             "as it saves.",
    .model = "16 an edge (orienting) + 8 an edge (its row's ends); the rows themselves come from caches",
    .source = "lab/triangles/gpu_oriented.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
