/* Weak components, GPU.  The answer is that of components.c: the name of a component is its smallest vertex.
 * Method, one of three.  Few arcs a vertex, as in road networks: weak_sparse.cu.  Undirected: reachability from the
 * vertex with most arcs (marks.cuh) finds most of the largest component without contention at its root; then Afforest
 * [1]: the other vertices are linked along their first arcs, a sample names the largest component, and vertices outside
 * it link the rest of their arcs (every edge is in the rows of both its ends).  Directed: an arc is in one row only, so
 * all are linked.
 * Encoding: components_cuda.cuh.
 * [1] Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS
 *     2018. */
#include "algo/components/components_cuda.cuh"
#include "algo/components/components_cuda.h"
#include "algo/components/marks.cuh"
#include "cuda/walk.cuh"

#include <stdio.h>

enum {
    THREADS = 256,
    MOST_BLOCKS = 1 << 14,
    SWEEP_THREADS = 512,
    FIRST = 2, /* arcs of a row that are joined before the sample */
    FEW = 4,   /* arcs a vertex */
    SAMPLES = 256,
    SWEEPS = 32,
    SURE_SWEEPS = 4, /* made whatever they find */
    LITTLE = 1024    /* little is less than this part of the vertices */
};

namespace groups = cooperative_groups;

namespace {

struct notes {
    unsigned long long busiest; /* a key */
    unsigned found[WFI_TURNS];
    weft_vid smallest, giant;
    unsigned longs, listed; /* lengths of the lists of weak_sparse.cu */
    wfi_forest_tally tally;
};

struct work {
    wfi_view out;
    weft_vid n;
    weft_vid *label;
    uint32_t *size, *marks;
    weft_vid *longs; /* vertices with long rows */
    notes *p;
};

} // namespace

/* --- many arcs ------------------------------------------------------------------------------ */

__global__ static void begin_alone(work w) {
    unsigned long long best = 0;
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < w.n; v += (uint64_t)gridDim.x * THREADS) {
        unsigned long long key = wfi_key_of((float)(w.out.offsets[v + 1] - w.out.offsets[v]), (weft_vid)v);
        if (key > best) best = key;
        w.label[v] = (weft_vid)v;
        w.size[v] = 0;
        if (v % WFI_WARP == 0) w.marks[v / WFI_WARP] = 0;
    }
    wfi_keep_largest(best, &w.p->busiest);
}

__device__ static unsigned sweep(const work &w, unsigned warp, unsigned warps) {
    unsigned found = 0;
    bool gave_up = false;
    for (uint64_t word = warp; word < (w.n + WFI_WARP - 1) / WFI_WARP; word += warps)
        found += wfi_spread(w.out, w.marks, word, word * WFI_WARP + wfi_lane() < w.n, &gave_up);
    return found;
}

/* Cooperative. */
__global__ static void __launch_bounds__(SWEEP_THREADS) hang_marked(work w) {
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WFI_WARP * gridDim.x, warps = gridDim.x * (SWEEP_THREADS / WFI_WARP);
    unsigned found = 1;
    wfi_mark_row(w.out, wfi_vertex_of_key(&w.p->busiest), w.marks);
    grid.sync();
    for (unsigned turn = 0; found && turn < SWEEPS && (turn < SURE_SWEEPS || found >= w.n / LITTLE); turn++)
        found = wfi_sum(w.p->found, sweep(w, warp, warps), turn);
    wfi_smallest_marked(w.marks, w.marks, w.n, &w.p->smallest);
    weft_vid smallest = wfi_sync_and_broadcast(&w.p->smallest);
    for (uint64_t v = grid.thread_rank(); v < w.n; v += grid.size())
        if (wfi_marked(w.marks, (weft_vid)v)) w.label[v] = smallest;
}

__global__ static void flatten(work w) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < w.n; v += (uint64_t)gridDim.x * THREADS)
        wfi_compress_path(w.label, (weft_vid)v);
}

__global__ static void join_first(work w, bool all) {
    for (uint64_t v = blockIdx.x * (uint64_t)THREADS + threadIdx.x; v < w.n; v += (uint64_t)gridDim.x * THREADS) {
        if (!all && wfi_marked(w.marks, (weft_vid)v)) continue;
        weft_eid e = w.out.offsets[v], end = w.out.offsets[v + 1];
        for (int k = 0; k < FIRST && e < end; k++, e++) wfi_join(w.label, (weft_vid)v, w.out.targets[e]);
    }
}

/* The most frequent root in a sample of the vertices.  One block; any root is correct, the largest component's saves
 * most. */
__global__ static void vote(work w) {
    __shared__ weft_vid sample[SAMPLES];
    __shared__ unsigned best;
    uint64_t x = (threadIdx.x + 1) * 0x9e3779b97f4a7c15u;
    if (threadIdx.x == 0) best = 0;
    sample[threadIdx.x] = wfi_root_of(w.label, (weft_vid)((x ^ x >> 29) % w.n));
    __syncthreads();
    unsigned votes = 0;
    for (int i = 0; i < SAMPLES; i++) votes += sample[i] == sample[threadIdx.x];
    atomicMax(&best, votes * SAMPLES + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) w.p->giant = sample[best % SAMPLES];
}

/* The giant may have been hung below another root since the vote. */
__device__ static bool in_giant(const work &w, weft_vid v) {
    weft_vid root = wfi_root_of(w.label, v), giant = w.p->giant;
    return root == giant || root == wfi_root_of(w.label, giant);
}

__global__ static void join_rest(work w, bool all) {
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < w.n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        weft_vid *label = w.label;
        bool wanted = v < w.n && (all || !in_giant(w, (weft_vid)v));
        weft_eid e = wanted ? w.out.offsets[v] + FIRST : 0, end = wanted ? w.out.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(w.out.targets, (weft_vid)v, e, end,
                                 [=](weft_vid u, weft_vid to) { wfi_join(label, u, to); });
    }
}

/* --- the run ---------------------------------------------------------------------------------- */

static bool has_few_arcs(const weft_graph *g) { return !g->directed && g->arcs <= FEW * (weft_eid)g->n; }

static void lay_out(wfi_workspace *device, const weft_graph *g, work *w) {
    bool few = has_few_arcs(g);
    w->n = g->n;
    wfi_array(device, &w->label, g->n);
    wfi_array(device, &w->size, g->n);
    wfi_array(device, &w->marks, few ? 0 : wfi_mark_words(g->n));
    wfi_array_within(device, &w->longs, few ? g->arcs / WFI_LONG_ROW : 0);
    wfi_array(device, &w->p, 1);
}

static weft_status join_few(weft_ctx *ctx, const work *w) {
    wfi_sparse_weak few = {w->out, w->n, w->label, w->size, w->longs, &w->p->longs, &w->p->listed};
    return wfi_components_join_sparse_cuda(ctx, &few);
}

static weft_status join_undirected(weft_ctx *ctx, const work *w) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(w->n, THREADS, MOST_BLOCKS);
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, hang_marked, SWEEP_THREADS, 0));
    begin_alone<<<wfi_grid(w->n, THREADS, 2048), THREADS, 0, stream>>>(*w);
    void *args[] = {(void *)w};
    WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel((void *)hang_marked,
                                                   dim3(wfi_grid(w->n, SWEEP_THREADS, (unsigned)(sms * fit))),
                                                   dim3(SWEEP_THREADS), args, 0, stream));
    join_first<<<blocks, THREADS, 0, stream>>>(*w, false);
    vote<<<1, SAMPLES, 0, stream>>>(*w);
    join_rest<<<blocks, THREADS, 0, stream>>>(*w, false);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

static weft_status join_directed(weft_ctx *ctx, const work *w) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(w->n, THREADS, MOST_BLOCKS);
    begin_alone<<<wfi_grid(w->n, THREADS, 2048), THREADS, 0, stream>>>(*w);
    join_first<<<blocks, THREADS, 0, stream>>>(*w, true);
    flatten<<<blocks, THREADS, 0, stream>>>(*w);
    join_rest<<<blocks, THREADS, 0, stream>>>(*w, true);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    return WEFT_OK;
}

extern "C" weft_status wfi_components_weak_cuda(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest) {
    static const notes none = {0, {0, 0, 0}, WEFT_NO_VERTEX, 0, 0, 0, {0, 0}};
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    work w = {};
    weft_status st = wfi_mirror_out(ctx, g, &w.out);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, &w);
    if (!st) st = job->device->status;
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (st) return st;
    WFI_CUDA_OR_RETURN(cudaMemcpyAsync(w.p, &none, sizeof none, cudaMemcpyHostToDevice, wfi_cuda_stream(ctx)));
    {
        wfi_kernel_scope stage(ctx, "iterations");
        st = (g->directed ? join_directed : has_few_arcs(g) ? join_few : join_undirected)(ctx, &w);
        if (!st) st = wfi_components_flatten_cuda(ctx, w.label, w.n, w.size, &w.p->tally);
    }
    if (!st) st = wfi_components_tally_cuda(ctx, &w.p->tally, count, largest);
    if (!st) st = wfi_deliver(ctx, label, w.label, g->n * sizeof *label);
    return st;
}

extern "C" void wfi_components_plan_weak_cuda(const weft_graph *g, wfi_choice *choice) {
    work w = {};
    const char *reason;
    if (g->directed) {
        choice->method = WFI_COMPONENTS_EVERY_ARC;
        reason = "directed: an arc lies in one row only, so all are looked at";
    } else if (has_few_arcs(g)) {
        choice->method = WFI_COMPONENTS_EVERY_EDGE;
        reason = "few edges: each is looked at once, from its larger end";
    } else {
        choice->method = WFI_COMPONENTS_MARKS;
        reason = "edges lie in the rows of both ends: what the busiest vertex reaches is marked first, then skipped";
    }
    snprintf(choice->reason, sizeof choice->reason, "%s", reason);
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS);
    lay_out(&choice->device, g, &w);
}
