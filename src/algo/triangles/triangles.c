/* triangles: number of triangles at each vertex, on request the support of each edge, and the number of triangles in
 * total.
 * The graph is taken as undirected and simple: directions, loops and repeated edges do not count.
 * Needs: any graph; a directed graph gets its transpose.
 * Method: the forward algorithm [1]: orient each edge towards the end of higher degree and intersect forward rows, with
 * pairs of hubs in a bit matrix (engines/triangles/triangles.c).  If that copy of the edges exceeds the memory limit,
 * the rows are intersected as they are.  Counts are integers, so that the order of additions does not matter.  The
 * support of an edge is that of its pair in the oriented view, found there by search.
 * [1] Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008. */
#include "algo/triangles/triangles.h"
#include "engines/triangles/triangles.h"
#include "ranks/device_steps.h"
#include "run/edge_rows.h"
#include "weft/triangles.h"

#include <stddef.h>
#include <stdio.h>

enum { SHARE = 1 << 14 };

typedef struct arrays {
    uint64_t *column, *triangles_at; /* triangles at each vertex; at each position of the oriented order */
    wfi_oriented o;
    wfi_orienting orienting;
    wfi_triangle_scratch scratch;
    wfi_edge_rows edges; /* with their support if it is asked for, else empty */
    uint64_t *support;
    uint32_t *oriented_support; /* grown: for each edge of the oriented view */
    weft_vid *rank;             /* position of each vertex in the oriented order */
} arrays;

static bool wants_edges(const void *params) { return ((const weft_triangles_params *)params)->edges; }

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, bool edges, int method, arrays *a) {
    wfi_column(w, "triangles", WEFT_U64, g->n, &a->column);
    if (edges) wfi_edge_rows_lay_out(w, g, &a->edges);
    if (edges) wfi_edge_column(w, "support", WEFT_U64, g->edges, &a->support);
    if (method == WFI_TRIANGLES_LEAN) return;
    wfi_array(w, &a->triangles_at, g->n);
    wfi_oriented_lay_out(w, ctx, g, false, &a->o, &a->orienting);
    uint64_t counting = wfi_mark(w);
    wfi_triangles_lay_out(w, ctx, g->n, wfi_oriented_most(g), edges, &a->scratch);
    if (!edges) return;
    wfi_growth(w, sizeof *a->oriented_support * wfi_oriented_most(g));
    wfi_rewind(w, counting);
    wfi_array(w, &a->rank, g->n);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    arrays a;
    wfi_workspace *w = &choice->space;
    bool transpose = wfi_need_in(w, ctx, g), edges = wants_edges(params);
    choice->method = edges ? WFI_TRIANGLES_ORIENTED : WFI_TRIANGLES_HUBS;
    snprintf(choice->reason, sizeof choice->reason, "%s; %s",
             transpose ? "directed without a transpose: it is built first" : "rows towards higher degrees are short",
             edges ? "each triangle is met at its three edges" : "pairs of hubs are looked up instead of intersected");
    lay_out(w, ctx, g, edges, choice->method, &a);
    if (wfi_oriented_fits(ctx, choice, WFI_TRIANGLES_LEAN)) return;
    wfi_need_in(w, ctx, g);
    lay_out(w, ctx, g, edges, WFI_TRIANGLES_LEAN, &a);
}

static void put_support(void *state, uint64_t i, uint64_t edge) {
    const arrays *a = state;
    a->support[i] = edge == WFI_NO_EDGE ? 0 : a->oriented_support[edge];
}

static weft_status run_lean(wfi_job *job, arrays *a, bool edges, uint64_t *total) {
    const wfi_edge_rows *e = &a->edges;
    weft_status st = wfi_count_triangles_lean(job->ctx, job->g, a->column, total);
    return st || !edges ? st : wfi_support_lean(job->ctx, job->g, e->source, e->target, e->count, a->support);
}

static weft_status run_oriented(wfi_job *job, arrays *a, bool edges, uint64_t *total) {
    weft_ctx *ctx = job->ctx;
    weft_vid n = job->g->n;
    weft_status st = wfi_oriented_make(ctx, job->space, job->g, false, &a->orienting, &a->o);
    if (!st && edges && !(a->oriented_support = wfi_grow(job->space, a->o.edges, sizeof *a->oriented_support)))
        st = WEFT_ENOMEM;
    if (!st)
        st = wfi_count_triangles(ctx, &a->o, &a->scratch, a->triangles_at, edges ? a->oriented_support : NULL, total);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, SHARE))
    for (weft_vid r = 0; r < n; r++) a->column[a->o.vertex[r]] = a->triangles_at[r];
    return edges ? wfi_edge_rows_in_view(ctx, &a->edges, &a->o, a->rank, put_support, a) : WEFT_OK;
}

static weft_status run_cpu(wfi_job *job) {
    bool edges = wants_edges(job->params), lean = job->choice->method == WFI_TRIANGLES_LEAN;
    uint64_t total = 0;
    arrays a;
    lay_out(job->space, job->ctx, job->g, edges, job->choice->method, &a);
    weft_status st = job->space->status;
    if (!st && edges) st = wfi_edge_rows_make(job->ctx, job->g, &a.edges);
    if (!st) st = lean ? run_lean(job, &a, edges, &total) : run_oriented(job, &a, edges, &total);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "triangles", total);
}

/* --- ranks --- */

static void lay_out_ranks(wfi_workspace *w, const weft_ctx *ctx, const wfi_spread *s, wfi_rank_triangles *c) {
    wfi_column(w, "triangles", WEFT_U64, s->vertices, &c->sum);
    wfi_rank_triangles_lay_out(w, ctx, s, WFI_TRIANGLE_ONE, c);
}

/* gpu: the engine that counts triangles on GPUs, or NULL for CPU cores. */
static void plan_ranks_with(const weft_ctx *ctx, const wfi_spread *spread, wfi_choice *choice,
                            wfi_rank_triangles_gpu *gpu) {
    choice->method = WFI_TRIANGLES_FETCHED;
    choice->space.needs_in = true;
    wfi_rank_triangles c = {.gpu = gpu};
    lay_out_ranks(&choice->space, ctx, spread, &c);
    choice->sends = wfi_rank_triangles_sends(spread, WFI_TRIANGLE_ONE, &c);
}

static weft_status run_ranks_with(wfi_job *job, wfi_rank_triangles_gpu *gpu) {
    wfi_spread *s = job->spread;
    wfi_rank_triangles c = {.gpu = gpu};
    lay_out_ranks(job->space, job->ctx, s, &c);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (!st) st = wfi_rank_triangles_run(job->ctx, job->space, s, WFI_TRIANGLE_ONE, &c);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "triangles", c.triangles);
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)params;
    plan_ranks_with(ctx, spread, choice, NULL);
}

static weft_status run_ranks(wfi_job *job) { return run_ranks_with(job, NULL); }

#ifdef WEFT_HAVE_CUDA
/* On the GPUs of ranks (ranks/device_triangles.cu). */
static void plan_ranks_cuda(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = &choice->device};
    (void)params;
    plan_ranks_with(ctx, spread, choice, &d.gpu);
}

static weft_status run_ranks_cuda(wfi_job *job) {
    wfi_device_triangles d = {.gpu = wfi_device_triangles_steps, .device = job->device, .status = wfi_open_device(job)};
    return run_ranks_with(job, &d.gpu);
}
#endif

static const weft_param_info params_info[] = {
    {"edges", WEFT_PARAM_BOOL, offsetof(weft_triangles_params, edges), "no", 0, 1, NULL,
     "rows are edges: the support of each, which is the number of triangles that contain it"},
};
static const weft_result_info results[] = {
    {"triangles", WEFT_U64, WEFT_SHAPE_VERTICES, "number of triangles that the vertex is part of"},
    {"source", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: one end of the edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_EDGES, "with `edges`: the other end"},
    {"support", WEFT_U64, WEFT_SHAPE_EDGES, "with `edges`: number of triangles that contain both; 0 for a loop"},
    {"triangles", WEFT_U64, WEFT_SHAPE_SCALAR, "number of triangles in the graph"},
};

static const char *const methods[] = {
    "orient by degree, hubs in a bit matrix",
    "intersect rows as they are",
    "orient by degree, fetch rows",
    "orient by degree",
};

static const char *serves_ranks(const void *params) {
    return ((const weft_triangles_params *)params)->edges ? "the support of edges is counted on one rank only" : NULL;
}

const wfi_algorithm wfi_algorithm_triangles = {
    WFI_DESCRIBE(triangles, (const weft_triangles_params)WEFT_TRIANGLES_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "number of triangles at each vertex, on request at each edge, and in total",
    .info.top_by = "triangles",
    .info.model = "none: the entries compared depend on the graph and on the method",
    WFI_ON_CPU(plan_cpu, run_cpu),
    .on_request = (const char *const[]){"source", "target", "support", NULL},
    .serves_ranks = serves_ranks,
    WFI_ON_RANKS(plan_ranks, run_ranks),
    .work = wfi_work_of_triangles,
    WFI_ON_CUDA(wfi_triangles_plan_cuda, wfi_triangles_cuda),
    WFI_ON_RANKS_CUDA(plan_ranks_cuda, run_ranks_cuda),
    .follower = &wfi_follow_triangles,
};
