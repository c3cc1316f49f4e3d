/* bipartite, GPU: sides without levels, so that deep graphs cost what flat ones do.
 * Method: each vertex has two copies, and each edge joins each copy of one end with the other copy of the other, in a
 * disjoint-set forest.  The copies of a vertex come together if its component has an odd cycle; if not, those that are
 * together with the first copy of the component's smallest vertex are on side 0.  The cycle is then looked for on the
 * host, in the first such component, as far from its smallest vertex as it takes.
 * Encoding: the copies of v are v and n + v, so that the smallest of all copies of a component is the first of its
 * smallest vertex. */
#include "algo/bipartite/bipartite.h"
#include "cuda/launch.cuh"
#include "cuda/mirror.cuh"
#include "cuda/walk.cuh"
#include "cuda/warp.cuh"
#include "engines/union_find/forest.cuh"

#include <stdio.h>

namespace {

typedef unsigned long long word;

enum { THREADS = 256, MOST_BLOCKS = 1 << 10 };

struct counts {
    word first, second, components;
};

struct totals {
    counts of;
    weft_vid odd, unused; /* the smallest vertex of the first component with an odd cycle */
};

struct work {
    wfi_view out;
    weft_vid n;
    bool directed;
    weft_vid *label; /* 2n: the forest */
    uint32_t *side;
    totals *all;
};

void lay_out(wfi_workspace *device, const weft_graph *g, work *w) {
    w->n = g->n;
    w->directed = g->directed;
    wfi_array(device, &w->label, 2 * (uint64_t)g->n);
    wfi_array(device, &w->side, g->n);
    wfi_array(device, &w->all, 1);
}

/* Second copies begin below the first copy of the first neighbour, which is smaller. */
struct begin {
    work w;

    __device__ void operator()(uint64_t v) const {
        weft_eid e = w.out.offsets[v];
        w.label[v] = (weft_vid)v;
        w.label[v + w.n] = e < w.out.offsets[v + 1] ? w.out.targets[e] : (weft_vid)v + w.n;
    }
};

/* Of an undirected graph the row of the other end joins the other two copies. */
struct joiner {
    work w;

    __device__ void operator()(weft_vid v, weft_vid u) const {
        wfi_join(w.label, v, u + w.n);
        if (w.directed) wfi_join(w.label, v + w.n, u);
    }
};

__global__ void __launch_bounds__(THREADS) settle(work w) {
    counts mine = {};
    for (uint64_t v = wfi_thread(); v < w.n; v += wfi_all_threads()) {
        weft_vid own = wfi_compress_path(w.label, (weft_vid)v), other = wfi_compress_path(w.label, (weft_vid)v + w.n);
        w.side[v] = own == other ? WEFT_UNREACHED : own > other;
        mine.first += own < other;
        mine.second += own > other;
        if (own != v || other < v) continue;
        mine.components++;
        if (own == other) atomicMin(&w.all->odd, (weft_vid)v);
    }
    wfi_warp_add(mine, &w.all->of);
}

weft_status find_sides(weft_ctx *ctx, const weft_graph *g, const work *w, totals *all) {
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = wfi_upload(ctx, w->all, all, sizeof *all);
    if (!st) st = wfi_each(ctx, w->n, begin{*w});
    if (!st) st = wfi_walk_rows(ctx, w->out, g->arcs, wfi_arc_visitor<joiner>{{*w}});
    if (st) return st;
    settle<<<wfi_grid(w->n, THREADS, MOST_BLOCKS), THREADS, 0, wfi_cuda_stream(ctx)>>>(*w);
    WFI_CUDA_OR_RETURN(cudaGetLastError());
    st = wfi_download(ctx, all, w->all, sizeof *all);
    return !st && wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : st;
}

/* Incoming rows come to the host for it. */
weft_status find_cycle(wfi_job *job, const wfi_view &in, weft_vid root, wfi_bipartite *b) {
    const weft_graph *g = job->g;
    if (!g->directed) return wfi_bipartite_witness(job->space, b, root);
    weft_eid *offsets = (weft_eid *)wfi_grow(job->space, (uint64_t)g->n + 1, sizeof *offsets);
    weft_vid *targets = offsets ? (weft_vid *)wfi_grow(job->space, g->arcs, sizeof *targets) : NULL;
    if (!targets) return WEFT_ENOMEM;
    wfi_view rows = wfi_view_of(g->n, WEFT_WEIGHT_NONE);
    rows.offsets = offsets;
    rows.targets = targets;
    b->in = &rows;
    weft_status st = wfi_download(job->ctx, offsets, in.offsets, ((size_t)g->n + 1) * sizeof *offsets);
    if (!st) st = wfi_download(job->ctx, targets, in.targets, g->arcs * sizeof *targets);
    return st ? st : wfi_bipartite_witness(job->space, b, root);
}

void lay_out_host(wfi_workspace *w, const weft_graph *g, wfi_bipartite *b) {
    wfi_bipartite_lay_out(w, g, b);
    if (!g->directed) return;
    wfi_growth(w, sizeof(weft_eid) * ((uint64_t)g->n + 1));
    wfi_growth(w, sizeof(weft_vid) * g->arcs);
}

weft_status run_on_gpu(wfi_job *job, wfi_bipartite *b) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    work w = {};
    wfi_view in = {};
    totals all = {{}, WEFT_NO_VERTEX, 0};
    weft_status st = wfi_mirror_out(ctx, g, &w.out);
    if (!st && g->directed) st = wfi_mirror_in(ctx, g, &in);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, &w);
    st = job->device->status;
    if (!st) st = find_sides(ctx, g, &w, &all);
    if (!st && all.odd != WEFT_NO_VERTEX) st = find_cycle(job, in, all.odd, b);
    b->first = all.of.first;
    b->second = all.of.second;
    b->components = all.of.components;
    return st ? st : wfi_deliver(ctx, b->side, w.side, g->n * sizeof *b->side);
}

} // namespace

extern "C" void wfi_bipartite_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                        wfi_choice *choice) {
    wfi_bipartite b;
    work w = {};
    (void)ctx, (void)params;
    choice->method = WFI_BIPARTITE_COPIES;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             "edges join copies in a forest, whatever the depth; an odd cycle is looked for on the host");
    lay_out_host(&choice->space, g, &b);
    if (!g->n) return;
    wfi_mirror_declare(&choice->device, g, g->directed ? WFI_OUT_ROWS | WFI_IN_ROWS : WFI_OUT_ROWS);
    lay_out(&choice->device, g, &w);
}

extern "C" weft_status wfi_bipartite_cuda(wfi_job *job) {
    wfi_bipartite b;
    lay_out_host(job->space, job->g, &b);
    weft_status st = job->space->status;
    if (!st && job->g->n) st = run_on_gpu(job, &b);
    return st ? st : wfi_bipartite_tell(job, &b);
}
