/* Weak components, GPU.  The answer is components.c's: each component is called by its smallest vertex.
 * Method: each vertex begins below its first neighbour if that is smaller [2].  Where there are many arcs, as Afforest [1]: vertices
 * are joined along one more; that joins most of the largest component, which a sample names; then only the vertices outside it
 * go through the rest of their arcs (every edge lies in both its ends' rows).  Where there are few, as in roads, each edge is
 * joined once, from its larger end.  Of a directed graph, whose arcs lie in one row only, all are joined.
 * Encoding: forest.cuh.
 * [1] Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018.
 * [2] Jaiganesh, Burtscher, "A High-Performance Connected Components Implementation for GPUs", HPDC 2018. */
#include "algo/components/forest.cuh"
#include "algo/components/weak_cuda.h"
#include "cuda/mirror.cuh"
#include "cuda/share.cuh"

#include <stdio.h>

enum {
    THREADS = 256,
    MOST_BLOCKS = 1 << 14,
    FIRST = 2, /* arcs of a row that are joined before the sample */
    FEW = 4,   /* arcs a vertex up to which no sample is taken */
    SAMPLES = 256
};

/* --- kernels -------------------------------------------------------------------------------- */

__global__ static void begin(wfi_device_rows out, weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid e = out.offsets[v], end = out.offsets[v + 1];
        weft_vid first = e < end ? out.targets[e] : (weft_vid)v;
        label[v] = first < v ? first : (weft_vid)v;
    }
}

/* Each edge from its larger end.  The row ascends, and the vertex hangs below the first of it already. */
__global__ static void join_smaller(wfi_device_rows out, weft_vid *label, weft_vid n) {
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        weft_eid e = v < n ? out.offsets[v] + 1 : 0, end = v < n ? out.offsets[v + 1] : 0;
        if (e < end && out.targets[e] >= v) end = e;
        wfi_share_rows<THREADS>(out.targets, (weft_vid)v, e, end, [=](weft_vid u, weft_vid w) {
            if (w < u) wfi_join(label, u, w);
        });
    }
}

__global__ static void join_first(wfi_device_rows out, weft_vid *label, weft_vid n) {
    for (uint64_t v = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; v < n; v += (uint64_t)gridDim.x * blockDim.x) {
        weft_eid e = out.offsets[v], end = out.offsets[v + 1];
        if (end > e + FIRST) end = e + FIRST;
        if (e < end && out.targets[e] < v) e++; /* hangs there already */
        for (; e < end; e++) wfi_join(label, (weft_vid)v, out.targets[e]);
    }
}

/* The root that a sample of the vertices has most often.  One block; any answer is right, some save less. */
__global__ static void vote(weft_vid *label, weft_vid n, weft_vid *giant) {
    __shared__ weft_vid sample[SAMPLES];
    __shared__ unsigned best;
    uint64_t x = (threadIdx.x + 1) * 0x9e3779b97f4a7c15u;
    if (threadIdx.x == 0) best = 0;
    sample[threadIdx.x] = wfi_root_of(label, (weft_vid)((x ^ x >> 29) % n));
    __syncthreads();
    unsigned votes = 0;
    for (int i = 0; i < SAMPLES; i++) votes += sample[i] == sample[threadIdx.x];
    atomicMax(&best, votes * SAMPLES + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) *giant = sample[best % SAMPLES];
}

/* The giant may have been hung below another root since the vote. */
__device__ static bool in_giant(weft_vid *label, weft_vid v, weft_vid giant) {
    weft_vid root = wfi_root_of(label, v);
    return root == giant || root == wfi_root_of(label, giant);
}

/* giant NULL: whatever the component. */
__global__ static void join_rest(wfi_device_rows out, weft_vid *label, weft_vid n, const weft_vid *giant) {
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        bool wanted = v < n && !(giant && in_giant(label, (weft_vid)v, *giant));
        weft_eid e = wanted ? out.offsets[v] + FIRST : 0, end = wanted ? out.offsets[v + 1] : 0;
        wfi_share_rows<THREADS>(out.targets, (weft_vid)v, e, end,
                                [=](weft_vid u, weft_vid w) { wfi_join(label, u, w); });
    }
}

/* --- the run ---------------------------------------------------------------------------------- */

static bool has_few_arcs(const weft_graph *g) { return !g->directed && g->arcs <= FEW * (weft_eid)g->n; }

static weft_status find_trees(weft_ctx *ctx, const weft_graph *g, weft_vid *label, weft_vid *giant) {
    cudaStream_t stream = wfi_cuda_stream();
    weft_vid n = g->n;
    unsigned blocks = wfi_grid(n, THREADS, MOST_BLOCKS);
    wfi_device_rows out;
    weft_status st = wfi_mirror_out(ctx, g, &out);
    if (st) return st;
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    begin<<<blocks, THREADS, 0, stream>>>(out, label, n);
    if (has_few_arcs(g)) {
        join_smaller<<<blocks, THREADS, 0, stream>>>(out, label, n);
        vote<<<1, SAMPLES, 0, stream>>>(label, n, giant);
    } else {
        join_first<<<blocks, THREADS, 0, stream>>>(out, label, n);
        vote<<<1, SAMPLES, 0, stream>>>(label, n, giant);
        join_rest<<<blocks, THREADS, 0, stream>>>(out, label, n, g->directed ? NULL : giant);
    }
    WFI_CUDA(cudaGetLastError());
    return WEFT_OK;
}

extern "C" weft_status wfi_components_weak_cuda(weft_ctx *ctx, const weft_graph *g, weft_vid *label, uint64_t *count,
                                                uint64_t *largest) {
    wfi_buffer<weft_vid> device, giant;
    wfi_buffer<uint32_t> size;
    weft_status st = device.take(ctx, g->n);
    if (!st) st = size.take(ctx, g->n);
    if (!st) st = giant.take(ctx, 1);
    if (!st) st = find_trees(ctx, g, device.data, giant.data);
    if (!st) st = wfi_components_settle_cuda(ctx, device.data, g->n, giant.data, size.data, count, largest);
    if (!st) st = wfi_download(ctx, label, device.data, g->n * sizeof *label);
    return st;
}

extern "C" void wfi_components_plan_weak_cuda(const weft_graph *g, wfi_choice *choice) {
    wfi_mirror_cost out = wfi_mirror_out_cost(g);
    const char *reason;
    if (g->directed) {
        choice->method = "Afforest, every arc";
        reason = "directed: an arc lies in one row only, so all are looked at";
    } else if (has_few_arcs(g)) {
        choice->method = "union of every edge";
        reason = "few edges: each is looked at once, from its larger end";
    } else {
        choice->method = "Afforest";
        reason = "edges lie in the rows of both ends: those of the largest component are skipped";
    }
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
    choice->host_bytes = 4ull * g->n;
    choice->device_bytes = out.kept + 8ull * g->n;
}
