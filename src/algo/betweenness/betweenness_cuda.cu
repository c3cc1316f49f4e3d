/* betweenness, GPU: by hops, from sources (algo/betweenness/brandes.cu); then one factor.  Which sources, and in which
 * order, is decided on the host; there edges are listed, too. */
#include "algo/betweenness/betweenness.h"
#include "algo/betweenness/brandes.cuh"
#include "cuda/launch.cuh"
#include "run/edge_rows.h"

#include <stdio.h>
#include <string.h>

namespace {

/* On the host. */
struct columns {
    double *betweenness, *edge_betweenness;
    wfi_edge_rows edges;
    wfi_between_sources sources;
};

/* On the GPU. */
struct arrays {
    double *betweenness, *edge_betweenness;
    weft_vid *sources;
    uint8_t *is_target, *sampled;
    uint64_t *first; /* of an undirected graph: the edges of each row, as edge_rows.h counts them */
    wfi_pendant_trees folds;
    wfi_brandes_gpu from;
};

struct tell_vertex {
    double *to;
    const wfi_wide_sum *sum;
    const uint8_t *sampled;
    wfi_between_factors f;

    __device__ void operator()(uint64_t v) const {
        to[v] = wfi_wide_value(sum[v]) * (sampled && sampled[v] ? f.source : f.other);
    }
};

__device__ weft_eid lower_bound(const weft_vid *target, weft_eid low, weft_eid high, weft_vid v) {
    while (low < high) {
        weft_eid middle = low + (high - low) / 2;
        if (target[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The edges of a row.  One of an undirected graph has two arcs: the k-th from u to v and the k-th from v to u. */
struct tell_edges {
    double *to;
    const wfi_wide_sum *sum;
    const uint64_t *first;
    wfi_view rows;
    double factor;

    __device__ wfi_wide_sum sum_of(weft_vid u, weft_eid e) const {
        wfi_wide_sum all = sum[e];
        weft_vid v = rows.targets[e];
        if (!first || u == v) return all;
        weft_eid same = lower_bound(rows.targets, rows.offsets[u], e, v);
        weft_eid back = lower_bound(rows.targets, rows.offsets[v], rows.offsets[v + 1], u) + (e - same);
        wfi_wide_join(&all, sum[back]);
        return all;
    }
    __device__ void operator()(uint64_t u, unsigned lane, unsigned lanes) const {
        weft_eid end = rows.offsets[u + 1];
        uint64_t from = first ? first[u] : rows.offsets[u], edges = first ? first[u + 1] - from : end - from;
        for (uint64_t i = lane; i < edges; i += lanes)
            to[from + i] = wfi_wide_value(sum_of((weft_vid)u, end - edges + i)) * factor;
    }
};

} // namespace

static void lay_out_columns(wfi_workspace *w, const weft_graph *g, const weft_betweenness_params *p, columns *c) {
    wfi_column(w, "betweenness", WEFT_F64, g->n, &c->betweenness);
    if (p->edges) wfi_edge_rows_lay_out(w, g, &c->edges);
    if (p->edges) wfi_edge_column(w, "edge_betweenness", WEFT_F64, g->edges, &c->edge_betweenness);
    wfi_between_sources_lay_out(w, g, p, &c->sources);
}

static void lay_out(wfi_workspace *device, const weft_graph *g, const weft_betweenness_params *p, arrays *a) {
    *a = arrays{};
    wfi_array(device, &a->betweenness, g->n);
    wfi_array_within(device, &a->sources, wfi_between_sources_most(g, p));
    if (p->targets) wfi_array(device, &a->is_target, g->n);
    if (p->sources) wfi_array(device, &a->sampled, g->n);
    if (wfi_between_folds(g, p)) wfi_array(device, &a->folds.below, g->n);
    if (wfi_between_folds(g, p)) wfi_array(device, &a->folds.all, g->n);
    wfi_brandes_gpu_lay_out(device, g, p->edges, wfi_between_sources_most(g, p), &a->from);
    if (!p->edges) return;
    wfi_array(device, &a->edge_betweenness, g->edges);
    if (!g->directed) wfi_array(device, &a->first, (uint64_t)g->n + 1);
}

static weft_status upload(weft_ctx *ctx, const weft_graph *g, const wfi_between_sources *s, const arrays *a) {
    weft_status st = wfi_upload(ctx, a->sources, s->order, s->count * sizeof *s->order);
    if (!st && a->is_target) st = wfi_upload(ctx, a->is_target, s->is_target, g->n);
    if (!st && a->sampled) st = wfi_upload(ctx, a->sampled, s->sampled, g->n);
    if (!st && a->folds.below) st = wfi_upload(ctx, a->folds.below, s->folds.below, g->n * sizeof *s->folds.below);
    if (!st && a->folds.all) st = wfi_upload(ctx, a->folds.all, s->folds.all, g->n * sizeof *s->folds.all);
    return st;
}

static weft_status search(wfi_job *job, const wfi_between_sources *s, arrays *a) {
    const weft_betweenness_params *p = (const weft_betweenness_params *)job->params;
    a->from.sources = a->sources;
    a->from.count = s->count;
    a->from.targets = a->is_target;
    a->from.ends = p->endpoints;
    a->from.folds = a->folds;
    return wfi_brandes_gpu_run(job->ctx, &a->from);
}

static weft_status deliver_vertices(wfi_job *job, const columns *c, const arrays *a) {
    const weft_betweenness_params *p = (const weft_betweenness_params *)job->params;
    const weft_graph *g = job->g;
    wfi_between_factors f = wfi_between_factors_of(g, p, c->sources.marked, p->endpoints);
    weft_status st = wfi_each(job->ctx, g->n, tell_vertex{a->betweenness, a->from.at_vertex, a->sampled, f});
    return st ? st : wfi_deliver(job->ctx, c->betweenness, a->betweenness, g->n * sizeof *c->betweenness);
}

static weft_status deliver_edges(wfi_job *job, columns *c, const arrays *a) {
    const weft_betweenness_params *p = (const weft_betweenness_params *)job->params;
    const weft_graph *g = job->g;
    weft_ctx *ctx = job->ctx;
    double factor = wfi_between_factors_of(g, p, c->sources.marked, true).other;
    weft_status st = wfi_edge_rows_make(ctx, g, &c->edges);
    if (!st && a->first) st = wfi_upload(ctx, a->first, c->edges.first, ((size_t)g->n + 1) * sizeof *a->first);
    if (!st)
        st = wfi_each_warp(ctx, g->n, tell_edges{a->edge_betweenness, a->from.at_arc, a->first, a->from.out, factor});
    return st ? st : wfi_deliver(ctx, c->edge_betweenness, a->edge_betweenness, g->edges * sizeof(double));
}

extern "C" weft_status wfi_betweenness_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const weft_betweenness_params *p = (const weft_betweenness_params *)job->params;
    wfi_view out = {}, in = {};
    columns c = {};
    arrays a;
    lay_out_columns(job->space, g, p, &c);
    weft_status st = job->space->status;
    if (!st) st = wfi_between_sources_make(ctx, g, p, &c.sources);
    if (!st) st = wfi_between_may_begin(ctx, g, p, &c.sources, true);
    if (!st && g->n) st = wfi_mirror_out(ctx, g, &out);
    if (!st && g->n) st = wfi_mirror_in(ctx, g, &in);
    if (!st && g->n) st = wfi_open_device(job);
    if (st || !g->n) return st ? st : wfi_result_scalar_u64(ctx, job->result, "sources", 0);
    lay_out(job->device, g, p, &a);
    st = job->device->status;
    if (st) return st;
    a.from.out = out;
    a.from.in = in;
    st = upload(ctx, g, &c.sources, &a);
    if (!st) st = search(job, &c.sources, &a);
    if (!st) st = deliver_vertices(job, &c, &a);
    if (!st && p->edges) st = deliver_edges(job, &c, &a);
    return st ? st : wfi_result_scalar_u64(ctx, job->result, "sources", c.sources.marked);
}

extern "C" void wfi_betweenness_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params,
                                          wfi_choice *choice) {
    const weft_betweenness_params *p = (const weft_betweenness_params *)params;
    columns c;
    arrays a;
    choice->method = WFI_BETWEEN_ON_GPU;
    lay_out_columns(&choice->space, g, p, &c);
    wfi_between_expect(ctx, g, p, true, choice);
    if (!g->n) return;
    wfi_mirror_declare(&choice->device, g, WFI_OUT_ROWS | WFI_IN_ROWS);
    lay_out(&choice->device, g, p, &a);
    size_t said = strlen(choice->reason);
    snprintf(choice->reason + said, sizeof choice->reason - said,
             a.from.groups > 1 ? "%u batches side by side" : "one batch after another, each by the whole GPU",
             a.from.groups);
}
