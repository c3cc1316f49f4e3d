/* Strong components of a directed graph, GPU.  The answer is that of components.c: the name of a component is its
 * smallest vertex.
 * Method: vertices known to be in one component are joined in trees (components_cuda.cuh), by ever more expensive
 * steps.
 *   1. Neighbours both ways are in one component.  In road networks these are all or nearly all.  In graphs with many
 *   arcs
 *      this comes after step 2, for the remaining vertices: there most joins would be to the same few roots, which
 *      marks
 *      do without contention.
 *   2. The largest component, most likely, is that of the vertex with most in- times out-arcs [1]: marks spread from
 *   its
 *      tree and its neighbours along the arcs and against them (marks.cuh).  Both marks: same component.  Sweeps
 *      end when
 *      they find few vertices, and the rest is left to step 4.  If they found all, only arcs between vertices with
 *      the
 *      same marks matter from there on.
 *   3. Vertices without an arc from, or to, others that matter are components by themselves [2]: a few sweeps, then
 *      layer by layer (peel_cuda.cu).
 *   4. The remaining arcs between trees go to split_cuda.cu.
 * Encoding: kind[v] is 0 if v's component is known; otherwise vertices of different kinds are in different components.
 * [1] Fleischer, Hendrickson, Pinar, "On Identifying Strongly Connected Components in Parallel", IPDPS Workshops 2000.
 * [2] McLendon, Hendrickson, Plimpton, Rauchwerger, "Finding Strongly Connected Components in Distributed Graphs",
 *     JPDC 65, 2005. */
#include "algo/components/components_cuda.cuh"
#include "algo/components/components_cuda.h"
#include "algo/components/marks.cuh"
#include "cuda/walk.cuh"

#include <stdio.h>

namespace groups = cooperative_groups;

enum {
    THREADS = 512,
    MOST_BLOCKS = 2048,
    FEW = 4,    /* arcs a vertex: more are many */
    FIRST = 2,  /* arcs of a row compared with the arcs of the other row at the same position */
    SHORT = 16, /* rows up to here are compared in full */
    SWEEPS = 64,
    SURE_SWEEPS = 12, /* made whatever they find */
    TRIMS = 8,
    SURE_TRIMS = 2,
    LITTLE = 1024 /* little is less than this part of the vertices */
};

namespace {

struct progress {
    unsigned long long pivot; /* a key by the product of its degrees */
    unsigned found[WFI_TURNS], peeled[WFI_PEEL_SETS];
    unsigned gave_up;  /* some row was too long to scan */
    unsigned unpeeled; /* vertices found by the last sweep of step 3 */
    weft_vid smallest; /* smallest vertex with both marks */
    unsigned long long arcs;
    wfi_forest_tally tally;
};

struct work {
    wfi_view out, in;
    weft_vid n;
    bool few; /* the graph has few arcs */
    weft_vid *label;
    uint32_t *reached, *leads; /* bits: from the pivot, to the pivot */
    uint32_t *ahead, *back;    /* scratch of later steps */
    uint8_t *kind;
    uint2 *arcs;
    progress *p;
    wfi_split_state *split;
};

} // namespace

/* --- neighbours both ways ------------------------------------------------------------------- */

__global__ static void begin(work w) {
    unsigned long long best = 0;
    for (uint64_t v = wfi_thread(); v < w.n; v += wfi_all_threads()) {
        weft_eid o = w.out.offsets[v], out_end = w.out.offsets[v + 1], i = w.in.offsets[v],
                 in_end = w.in.offsets[v + 1];
        bool open = o < out_end && i < in_end;
        weft_vid first = open ? w.out.targets[o] : (weft_vid)v;
        w.label[v] = w.few && first < v && w.in.targets[i] == first ? first : (weft_vid)v;
        w.kind[v] = open;
        unsigned long long key = wfi_key_of((float)(out_end - o) * (float)(in_end - i), (weft_vid)v);
        if (key > best) best = key;
    }
    wfi_keep_largest(best, &w.p->pivot);
}

__global__ static void join_first(work w) {
    for (uint64_t v = wfi_thread(); v < w.n; v += wfi_all_threads()) {
        weft_eid o = w.out.offsets[v], out_end = w.out.offsets[v + 1], i = w.in.offsets[v],
                 in_end = w.in.offsets[v + 1];
        for (int k = 0; k < FIRST && o < out_end && i < in_end; k++, o++, i++) {
            weft_vid u = w.out.targets[o];
            if (u == w.in.targets[i] && (k || u > v)) wfi_join(w.label, (weft_vid)v, u);
        }
    }
}

/* Compares the rows of the vertices with unknown component, outside the pivot's tree, if they are short.  Long rows may
 * be skipped: the row of the neighbour finds the same arc pairs. */
__global__ static void join_rest(work w) {
    weft_vid pivot = wfi_vertex_of_key(&w.p->pivot);
    for (uint64_t v = wfi_thread(); v < w.n; v += wfi_all_threads()) {
        weft_eid o = w.out.offsets[v], out_end = w.out.offsets[v + 1], i = w.in.offsets[v],
                 in_end = w.in.offsets[v + 1];
        if (!w.kind[v] || out_end - o > SHORT || in_end - i > SHORT) continue;
        if (wfi_root_of(w.label, (weft_vid)v) == wfi_root_of(w.label, pivot)) continue;
        while (o < out_end && i < in_end) {
            weft_vid to = w.out.targets[o], from = w.in.targets[i];
            if (to == from) wfi_join(w.label, (weft_vid)v, to);
            o += to <= from;
            i += from <= to;
        }
    }
}

/* --- sweeps --------------------------------------------------------------------------------- */

/* The number of vertices that both sweeps found, in this warp's words. */
__device__ static unsigned sweep_marks(const work &w, unsigned warp, unsigned warps) {
    unsigned found = 0;
    bool gave_up = false;
    for (uint64_t word = warp; word < (w.n + WFI_WARP - 1) / WFI_WARP; word += warps) {
        uint64_t v = word * WFI_WARP + wfi_lane();
        bool open = v < w.n && w.kind[v];
        found += wfi_spread(w.in, w.reached, word, open, &gave_up);
        found += wfi_spread(w.out, w.leads, word, open, &gave_up);
    }
    if (gave_up) w.p->gave_up = 1;
    return found;
}

/* Vertices without a neighbour of their kind on one side are components of their own. */
__device__ static unsigned sweep_kinds(const work &w, unsigned warp, unsigned warps) {
    unsigned found = 0;
    bool gave_up = false;
    const uint8_t *kinds = w.kind;
    auto same_kind = [=](weft_vid v, weft_vid u) { return u != v && __ldcg(&kinds[u]) == __ldcg(&kinds[v]); };
    for (uint64_t word = warp; word < (w.n + WFI_WARP - 1) / WFI_WARP; word += warps) {
        uint64_t v = word * WFI_WARP + wfi_lane();
        bool open = v < w.n && __ldcg(&w.kind[v]);
        if (!__any_sync(~0u, open)) continue;
        unsigned entered = wfi_look(w.in, (weft_vid)v, open, true, &gave_up, same_kind);
        bool goes_on = open && entered >> wfi_lane() & 1;
        unsigned both = wfi_look(w.out, (weft_vid)v, goes_on, true, &gave_up, same_kind);
        __syncwarp();
        if (open && !(both >> wfi_lane() & 1)) w.kind[v] = 0;
        found += (unsigned)__popc(__ballot_sync(~0u, open) & ~both);
    }
    return found;
}

/* --- the core ----------------------------------------------------------------------------------- */

/* Marks the pivot's tree and the pivot's neighbours. */
__device__ static void mark_first(const work &w, weft_vid pivot, weft_vid giant, unsigned warp, unsigned warps) {
    groups::grid_group grid = groups::this_grid();
    for (uint64_t word = warp; word < (w.n + WFI_WARP - 1) / WFI_WARP; word += warps) {
        uint64_t v = word * WFI_WARP + wfi_lane();
        unsigned bits = __ballot_sync(~0u, v < w.n && __ldcg(&w.label[v]) == giant);
        if (wfi_lane() == 0) w.reached[word] = w.leads[word] = bits;
    }
    grid.sync();
    wfi_mark_row(w.out, pivot, w.reached);
    wfi_mark_row(w.in, pivot, w.leads);
    grid.sync();
}

/* Makes one tree of the vertices with both marks.  If no vertices were joined before, each is hung below the smallest
 * of them by writing its own label: a join would contend for one place.  If the marks are complete, they are the
 * kinds. */
__device__ static void join_marked(const work &w, weft_vid giant, bool complete) {
    groups::grid_group grid = groups::this_grid();
    weft_vid smallest = 0;
    if (!w.few) {
        wfi_smallest_marked(w.reached, w.leads, w.n, &w.p->smallest);
        smallest = wfi_sync_and_broadcast(&w.p->smallest);
    }
    for (uint64_t v = grid.thread_rank(); v < w.n; v += grid.size()) {
        bool reached = wfi_marked(w.reached, (weft_vid)v), leads = wfi_marked(w.leads, (weft_vid)v);
        if (reached && leads && !w.few) w.label[v] = smallest;
        if (reached && leads && w.few && __ldcg(&w.label[v]) != giant) wfi_join(w.label, (weft_vid)v, giant);
        if (complete && w.kind[v]) w.kind[v] = reached && leads ? 0 : (uint8_t)(1 + reached + 2 * leads);
    }
    grid.sync();
    if (!w.few) return;
    for (uint64_t v = grid.thread_rank(); v < w.n; v += grid.size()) wfi_compress_path(w.label, (weft_vid)v);
    grid.sync();
}

__global__ static void __launch_bounds__(THREADS, 2) core_kernel(work w) {
    groups::grid_group grid = groups::this_grid();
    unsigned warp = blockIdx.x + threadIdx.x / WFI_WARP * gridDim.x, warps = gridDim.x * (THREADS / WFI_WARP);
    unsigned turn = 0, found = 1, sweeps = 0, trims = 0;
    if (w.few) {
        for (uint64_t v = grid.thread_rank(); v < w.n; v += grid.size()) wfi_compress_path(w.label, (weft_vid)v);
        grid.sync();
    }
    weft_vid pivot = wfi_vertex_of_key(&w.p->pivot), giant = __ldcg(&w.label[pivot]);
    mark_first(w, pivot, giant, warp, warps);
    for (; found && sweeps < SWEEPS && (sweeps < SURE_SWEEPS || found >= w.n / LITTLE); sweeps++)
        found = wfi_sum(w.p->found, sweep_marks(w, warp, warps), turn++);
    bool complete = !found && !__ldcg(&w.p->gave_up);
    join_marked(w, giant, complete);
    for (found = 1; found && trims < TRIMS && (trims < SURE_TRIMS || found >= w.n / LITTLE); trims++)
        found = wfi_sum(w.p->found, sweep_kinds(w, warp, warps), turn++);
    if (grid.thread_rank() == 0) w.p->unpeeled = found;
}

/* Lists the remaining arcs, between trees of one kind. */
__global__ static void __launch_bounds__(THREADS) list_arcs(work w) {
    for (uint64_t base = (uint64_t)blockIdx.x * THREADS; base < w.n; base += (uint64_t)gridDim.x * THREADS) {
        uint64_t v = base + threadIdx.x;
        bool open = v < w.n && __ldcg(&w.kind[v]);
        weft_eid e = open ? w.out.offsets[v] : 0, end = open ? w.out.offsets[v + 1] : 0;
        wfi_expand_rows<THREADS>(w.out.targets, (weft_vid)v, e, end, [&](weft_vid u, weft_vid to) {
            if (__ldcg(&w.kind[u]) != __ldcg(&w.kind[to])) return;
            weft_vid a = wfi_root_of(w.label, u), b = wfi_root_of(w.label, to);
            if (a == b) return;
            groups::coalesced_group with = groups::coalesced_threads();
            unsigned long long at = 0;
            if (with.thread_rank() == 0) at = atomicAdd(&w.p->arcs, (unsigned long long)with.size());
            w.arcs[with.shfl(at, 0) + with.thread_rank()] = make_uint2(a, b);
        });
    }
}

/* --- the run ---------------------------------------------------------------------------------- */

static void lay_out(wfi_workspace *device, const weft_graph *g, work *w) {
    size_t n = g->n, words = wfi_mark_words(g->n);
    w->n = g->n;
    w->few = g->arcs <= FEW * (weft_eid)n;
    wfi_array(device, &w->label, n);
    wfi_array(device, &w->reached, words);
    wfi_array(device, &w->leads, words);
    wfi_array(device, &w->ahead, n);
    wfi_array_within(device, &w->back, n);
    wfi_array(device, &w->kind, n);
    wfi_array_within(device, &w->arcs, g->arcs);
    wfi_array(device, &w->p, 1);
    wfi_array_within(device, &w->split, 1);
}

static weft_status find_core(weft_ctx *ctx, const work *w, progress *seen) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(w->n, 256, 4 * MOST_BLOCKS);
    int sms = wfi_gpu_of(ctx)->sms, fit = 0;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, core_kernel, THREADS, 0));
    WFI_CUDA_OR_RETURN(cudaMemsetAsync(&w->p->smallest, 0xff, sizeof(weft_vid), stream)); /* WEFT_NO_VERTEX */
    begin<<<wfi_grid(w->n, 256, MOST_BLOCKS), 256, 0, stream>>>(*w);
    if (w->few) {
        join_first<<<blocks, 256, 0, stream>>>(*w);
        join_rest<<<blocks, 256, 0, stream>>>(*w);
    }
    void *args[] = {(void *)w};
    WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel(
        (void *)core_kernel, dim3(wfi_grid(w->n, THREADS, (unsigned)(sms * fit))), dim3(THREADS), args, 0, stream));
    if (!w->few) join_rest<<<blocks, 256, 0, stream>>>(*w);
    weft_status st = wfi_components_peel_cuda(ctx, {w->out, w->in, w->n, w->kind, w->ahead, w->back,
                                                    (weft_vid *)w->arcs, w->reached, w->p->peeled, &w->p->unpeeled});
    if (st) return st;
    list_arcs<<<wfi_grid(w->n, THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(*w);
    return wfi_download(ctx, seen, w->p, sizeof *seen);
}

static weft_status name_components(weft_ctx *ctx, const work *w) {
    wfi_kernel_scope stage(ctx, "iterations");
    progress seen = {};
    weft_status st = find_core(ctx, w, &seen);
    wfi_progress(ctx, "strong components", 1, 2);
    if (!st && seen.arcs)
        st = wfi_components_split_cuda(ctx, {w->label, w->arcs, w->ahead, w->back, w->split}, seen.arcs);
    if (!st) st = wfi_zero(ctx, w->ahead, w->n);
    return st ? st : wfi_components_flatten_cuda(ctx, w->label, w->n, w->ahead, &w->p->tally);
}

extern "C" weft_status wfi_components_strong_cuda(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    work w = {};
    weft_status st = wfi_mirror_out(ctx, g, &w.out);
    if (!st) st = wfi_mirror_in(ctx, g, &w.in);
    if (!st) st = wfi_open_device(job);
    if (!st) lay_out(job->device, g, &w);
    if (!st) st = job->device->status;
    if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    if (!st) st = wfi_zero(ctx, w.p, 1);
    if (!st) st = name_components(ctx, &w);
    if (!st) st = wfi_components_tally_cuda(ctx, &w.p->tally, count, largest);
    if (!st) st = wfi_deliver(ctx, label, w.label, g->n * sizeof *label);
    return st;
}

extern "C" void wfi_components_plan_strong_cuda(const weft_graph *g, wfi_choice *choice) {
    work w = {};
    choice->method = WFI_COMPONENTS_LARGEST_NAMES;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             "neighbours both ways and the component of the busiest vertex first, the rest by names passed along arcs");
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    lay_out(&choice->device, g, &w);
}
