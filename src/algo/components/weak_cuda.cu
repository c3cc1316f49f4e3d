/* Weak components, GPU.  The answer is components.c's: each component is called by its smallest vertex.
 * Method: Afforest [1].  Vertices are joined along their first arcs; that joins most of the largest component, which a sample
 * names; then only the vertices outside it go through the rest of their arcs (every edge lies in both its ends' rows).  Of a
 * directed graph, whose arcs lie in one row only, all vertices do.
 * Encoding: label[v] <= v leads towards the root of v's tree, the smallest vertex in it.  Trees are joined by hanging the larger
 * root below the smaller one, so the roots in the end do not depend on the order.
 * [1] Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018. */
#include "algo/components/frequent.h"
#include "algo/components/weak_cuda.h"
#include "cuda/mirror.cuh"

#include <cub/device/device_reduce.cuh>
#include <stdio.h>

enum {
    THREADS = 256,
    MOST_BLOCKS = 1 << 14,
    WARP = 32,
    FIRST = 2,  /* arcs of a row that are joined before the sample */
    SHORT = 16, /* arcs that a lane goes through alone */
    SAMPLES = 1024
};

/* --- trees ------------------------------------------------------------------------------- */

__device__ static weft_vid root_of(weft_vid *label, weft_vid v) {
    weft_vid up = __ldcg(&label[v]);
    while (up != v) {
        weft_vid above = __ldcg(&label[up]);
        if (above != up)
            label[v] = above; /* halves the way; whoever else writes here writes something above v as well */
        v = up;
        up = above;
    }
    return v;
}

__device__ static void join(weft_vid *label, weft_vid u, weft_vid v) {
    u = root_of(label, u);
    v = root_of(label, v);
    while (u != v) {
        weft_vid low = u < v ? u : v, high = u < v ? v : u;
        weft_vid was = atomicCAS(&label[high], high, low);
        if (was == high) return;
        u = root_of(label, was);
        v = low;
    }
}

/* --- kernels -------------------------------------------------------------------------------- */

__global__ static void begin(weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x)
        label[v] = (weft_vid)v;
}

__global__ static void join_first(wfi_device_rows out, weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid e = out.offsets[v], end = out.offsets[v + 1];
        for (int k = 0; k < FIRST && e < end; k++, e++) join(label, (weft_vid)v, out.targets[e]);
    }
}

__global__ static void flatten(weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_vid up = __ldcg(&label[v]), above;
        while ((above = __ldcg(&label[up])) != up) up = above;
        label[v] = up;
    }
}

__global__ static void take_samples(const weft_vid *label, weft_vid n, weft_vid *sample) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    if (i < SAMPLES) sample[i] = label[(x ^ x >> 29) % n];
}

/* A warp has 32 vertices.  Lanes go through short rows alone, and all of them through each long one. */
__global__ static void join_rest(wfi_device_rows out, weft_vid *label, weft_vid n, weft_vid giant) {
    uint64_t warp = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    for (uint64_t base = warp * WARP; base < n; base += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t v = base + lane;
        bool wanted = v < n && (giant == WEFT_NO_VERTEX || __ldcg(&label[v]) != giant);
        weft_eid e = wanted ? out.offsets[v] + FIRST : 0, end = wanted ? out.offsets[v + 1] : 0;
        bool is_long = e < end && end - e > SHORT;
        if (!is_long)
            for (; e < end; e++) join(label, (weft_vid)v, out.targets[e]);
        for (unsigned left = __ballot_sync(~0u, is_long); left; left &= left - 1) {
            int who = __ffs((int)left) - 1;
            weft_eid from = __shfl_sync(~0u, e, who), to = __shfl_sync(~0u, end, who);
            for (from += lane; from < to; from += WARP)
                join(label, (weft_vid)(base + (unsigned)who), out.targets[from]);
        }
    }
}

struct tally {
    unsigned long long roots, in_giant;
};

/* Sizes of all components but the giant, which is counted apart: one address for most of the vertices would be a queue. */
__global__ static void measure(const weft_vid *label, weft_vid n, weft_vid giant, uint32_t *size, tally *t) {
    unsigned roots = 0, in_giant = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_vid mine = label[v];
        roots += mine == v;
        in_giant += mine == giant;
        if (mine != giant) atomicAdd(&size[mine], 1u);
    }
    for (int far = WARP / 2; far; far /= 2) {
        roots += __shfl_down_sync(~0u, roots, far);
        in_giant += __shfl_down_sync(~0u, in_giant, far);
    }
    if (threadIdx.x % WARP) return;
    if (roots) atomicAdd(&t->roots, (unsigned long long)roots);
    if (in_giant) atomicAdd(&t->in_giant, (unsigned long long)in_giant);
}

/* --- the run ---------------------------------------------------------------------------------- */

static weft_status frequent_label(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid *giant) {
    wfi_buffer<weft_vid> device;
    weft_vid sample[SAMPLES];
    weft_status st = device.take(ctx, SAMPLES);
    if (st) return st;
    take_samples<<<SAMPLES / THREADS, THREADS, 0, wfi_cuda_stream()>>>(label, n, device.data);
    st = wfi_download(ctx, sample, device.data, sizeof sample);
    if (!st) *giant = wfi_components_frequent(sample, SAMPLES, NULL);
    return st;
}

static weft_status find_labels(weft_ctx *ctx, const weft_graph *g, weft_vid *label, weft_vid *giant) {
    cudaStream_t stream = wfi_cuda_stream();
    weft_vid n = g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    wfi_device_rows out;
    weft_status st = wfi_mirror_out(ctx, g, &out);
    if (st) return st;
    wfi_kernel_scope stage(ctx, "iterations");
    begin<<<blocks, THREADS, 0, stream>>>(label, n);
    join_first<<<blocks, THREADS, 0, stream>>>(out, label, n);
    flatten<<<blocks, THREADS, 0, stream>>>(label, n);
    st = frequent_label(ctx, label, n, giant);
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (st) return st;
    join_rest<<<blocks, THREADS, 0, stream>>>(out, label, n, g->directed ? WEFT_NO_VERTEX : *giant);
    flatten<<<blocks, THREADS, 0, stream>>>(label, n);
    return frequent_label(ctx, label, n, giant);
}

static weft_status measure_labels(weft_ctx *ctx, const weft_vid *label, weft_vid n, weft_vid giant, uint64_t *count,
                                  uint64_t *largest) {
    cudaStream_t stream = wfi_cuda_stream();
    wfi_buffer<uint32_t> size, most;
    wfi_buffer<tally> t;
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    uint32_t rival = 0;
    tally seen = {};
    weft_status st = size.take_zeroed(ctx, n);
    if (!st) st = most.take(ctx, 1);
    if (!st) st = t.take_zeroed(ctx, 1);
    if (st) return st;
    measure<<<wfi_grid(n, THREADS, 2048), THREADS, 0, stream>>>(label, n, giant, size.data, t.data);
    WFI_CUDA(cub::DeviceReduce::Max(NULL, bytes, size.data, most.data, (int64_t)n, stream));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceReduce::Max(scratch.data, bytes, size.data, most.data, (int64_t)n, stream));
    st = wfi_download(ctx, &rival, most.data, sizeof rival);
    if (!st) st = wfi_download(ctx, &seen, t.data, sizeof seen);
    *count = seen.roots;
    *largest = wfi_max_u64(seen.in_giant, rival);
    return st;
}

extern "C" weft_status wfi_components_weak_cuda(weft_ctx *ctx, const weft_graph *g, weft_vid *label, uint64_t *count,
                                                uint64_t *largest) {
    wfi_buffer<weft_vid> device;
    weft_vid giant = 0;
    weft_status st = device.take(ctx, g->n);
    if (!st) st = find_labels(ctx, g, device.data, &giant);
    if (!st) st = measure_labels(ctx, device.data, g->n, giant, count, largest);
    if (!st) st = wfi_download(ctx, label, device.data, g->n * sizeof *label);
    return st;
}

extern "C" void wfi_components_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                         wfi_choice *choice) {
    wfi_mirror_cost out = wfi_mirror_out_cost(g);
    (void)ctx;
    (void)params;
    choice->method = g->directed ? "Afforest, every arc" : "Afforest";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "directed: an arc lies in one row only, so all are looked at"
                         : "edges lie in the rows of both ends: those of the largest component are skipped");
    choice->host_bytes = 4ull * g->n;
    choice->device_bytes = out.kept + 8ull * g->n;
}
