/* similarity of all edges by measures that count, GPU.  The common neighbours of an edge's ends are the triangles of
 * the edge, its support in the oriented view (engines/triangles).  Edges are listed on the GPU, too: the entries of an
 * undirected row from the vertex itself on are counted and scanned; each edge finds its row, and its support, by
 * search. */
#include "algo/similarity/similarity.h"
#include "core/search.h"
#include "cuda/buffers.cuh"
#include "cuda/cub.cuh"
#include "cuda/launch.cuh"
#include "engines/triangles/triangles_cuda.cuh"

#include <stdio.h>

namespace {

struct arrays {
    uint64_t *first; /* n + 1: number of edges before those of each vertex; in a directed graph the offsets */
    weft_vid *source, *target;
    double *value;
    wfi_support_space support;
    char *scratch;
    uint64_t scratch_bytes;
};

void lay_out(wfi_workspace *device, const weft_graph *g, uint64_t edges, arrays *a) {
    a->scratch_bytes = g->directed ? 0 : wfi_cub_scan_bytes((uint64_t)g->n + 1);
    wfi_support_lay_out(device, g->n, edges, 0, &a->support);
    wfi_array(device, &a->source, g->edges);
    wfi_array(device, &a->target, g->edges);
    wfi_array(device, &a->value, g->edges);
    if (g->directed) return;
    wfi_array(device, &a->first, (uint64_t)g->n + 1);
    wfi_array_within(device, &a->scratch, a->scratch_bytes);
}

struct count_edges {
    const weft_eid *offsets;
    const weft_vid *targets;
    weft_vid n;
    uint64_t *first;

    __device__ void operator()(uint64_t u) const {
        first[u] = u < n ? offsets[u + 1] - wfi_lower_bound_u32(targets, offsets[u], offsets[u + 1], (weft_vid)u) : 0;
    }
};

struct value_edge {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint64_t *first;
    weft_vid n;
    const weft_eid *view_offsets;
    const weft_vid *view_targets, *rank;
    const uint32_t *support, *degree; /* by edge of the oriented view; by position of the oriented order */
    int measure;
    weft_vid *source, *target;
    double *value;

    __device__ void operator()(uint64_t i) const {
        weft_vid u = (weft_vid)wfi_row_among(first, (uint64_t)0, (uint64_t)n - 1, i);
        weft_vid v = targets[offsets[u + 1] - (first[u + 1] - i)];
        weft_vid a = rank[u], b = rank[v], low = a < b ? a : b, high = a < b ? b : a;
        double x = 0;
        if (u != v) {
            weft_eid at = wfi_lower_bound(view_targets, view_offsets[high], view_offsets[high + 1], low);
            wfi_fixed common = {support[at], 0};
            x = wfi_similarity_of(measure, common, degree[a], degree[b]);
        }
        source[i] = u;
        target[i] = v;
        value[i] = x;
    }
};

weft_status list_edges(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, arrays *a) {
    size_t bytes = (size_t)a->scratch_bytes;
    if (g->directed) {
        a->first = wfi_own_offsets(rows);
        return WEFT_OK;
    }
    weft_status st = wfi_each(ctx, (uint64_t)g->n + 1, count_edges{rows->offsets, rows->targets, g->n, a->first});
    if (st) return st;
    WFI_CUDA_OR_RETURN(
        cub::DeviceScan::ExclusiveSum(a->scratch, bytes, a->first, a->first, (int64_t)g->n + 1, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

weft_status value_edges(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, const wfi_oriented_rows *o,
                        int measure, arrays *a) {
    wfi_kernel_scope stage(ctx, "iterations");
    weft_status st = list_edges(ctx, g, rows, a);
    if (st) return st;
    return wfi_each(ctx, g->edges,
                    value_edge{rows->offsets, rows->targets, a->first, g->n, o->offsets.data, o->targets.data,
                               a->support.rank, a->support.support, o->degree.data, measure, a->source, a->target,
                               a->value});
}

weft_status run_edges(wfi_job *job, int measure, const wfi_similar_edges *c) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const wfi_oriented_rows *o = NULL;
    wfi_view rows;
    arrays a = {};
    weft_status st = wfi_oriented_on_gpu(ctx, g, false, &o);
    if (!st) st = wfi_mirror_out(ctx, g, &rows);
    if (!st) st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->device, g, o->edges, &a);
    st = job->device->status;
    if (!st) st = wfi_support_count(ctx, o, &a.support);
    if (!st) st = value_edges(ctx, g, &rows, o, measure, &a);
    const size_t edges = (size_t)g->edges;
    const wfi_copy all[] = {{c->rows.source, a.source, edges * sizeof *a.source, false},
                            {c->rows.target, a.target, edges * sizeof *a.target, false},
                            {c->value, a.value, edges * sizeof *a.value, false}};
    return st ? st : wfi_download_all(ctx, all, 3);
}

} // namespace

extern "C" void wfi_similarity_plan_triangles_cuda(const weft_graph *g, wfi_choice *choice) {
    uint64_t edges, long_rows;
    arrays a;
    wfi_similar_edges c;
    choice->method = WFI_SIMILAR_TRIANGLES;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             "what the ends of an edge have in common are its triangles, which are counted on rows oriented by degree");
    wfi_similar_columns(&choice->space, g->edges, &c);
    if (!g->edges) return;
    const uint64_t before = choice->device.kept;
    wfi_oriented_declare(&choice->device, g, false, &edges, &long_rows);
    if (choice->device.kept == before)
        wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS); /* otherwise the copy is made from it */
    lay_out(&choice->device, g, edges, &a);
}

extern "C" weft_status wfi_similarity_triangles_cuda(wfi_job *job) {
    const weft_similarity_params *p = (const weft_similarity_params *)job->params;
    wfi_similar_edges c;
    wfi_similar_columns(job->space, job->g->edges, &c);
    weft_status st = job->space->status;
    if (!st && job->g->edges) st = run_edges(job, p->measure, &c);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "pairs", job->g->edges);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "hubs", 0);
}
