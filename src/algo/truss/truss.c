/* truss: the truss number of each edge, or the edges of the k-truss.
 * The k-truss is the largest set of edges in which each edge is in k - 2 triangles of the set; the truss number of an
 * edge is the largest such k.  The graph is taken as undirected and simple: directions, loops and repeated edges do not
 * count.
 * Method, CPU cores: the support of each edge of the oriented view (engines/triangles), peeling (truss_peel.c); then
 * each row of the result finds its edge by search. */
#include "algo/truss/truss.h"
#include "engines/triangles/triangles.h"
#include "run/edge_rows.h"
#include "weft/truss.h"

#include <stdio.h>

enum { SHARE = 1 << 14 };

typedef struct arrays {
    wfi_edge_rows edges;
    uint32_t *truss; /* the column */
    uint64_t *corners;
    wfi_oriented o;
    wfi_orienting orienting;
    wfi_triangle_scratch scratch;
    wfi_truss_space peel;
    weft_vid *rank; /* position of each vertex in the oriented order */
    uint64_t k;
} arrays;

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, arrays *a) {
    uint64_t most = wfi_oriented_most(g);
    wfi_edge_rows_lay_out(w, g, &a->edges);
    wfi_edge_column(w, "truss", WEFT_U32, g->edges, &a->truss);
    wfi_oriented_lay_out(w, ctx, g, false, &a->o, &a->orienting);
    wfi_array_within(w, &a->peel.support, most);
    uint64_t counting = wfi_mark(w);
    wfi_array(w, &a->corners, g->n);
    wfi_triangles_lay_out(w, ctx, g->n, most, true, &a->scratch);
    wfi_rewind(w, counting);
    wfi_truss_peel_lay_out(w, g->n, most, &a->peel);
    wfi_array(w, &a->rank, g->n);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    arrays a;
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    (void)params;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             transpose ? "directed without a transpose: it is built first, to orient edges by degree"
                       : "triangles of each edge are counted once, then lost as edges go");
    lay_out(&choice->space, ctx, g, &a);
}

static void put_number(void *state, uint64_t i, uint64_t edge) {
    const arrays *a = state;
    uint32_t number = edge == WFI_NO_EDGE ? 0 : a->peel.support[edge] + 2;
    a->truss[i] = !a->k ? number : number >= a->k ? (uint32_t)a->k : 0;
}

weft_status wfi_truss_scalars(wfi_job *job, const uint32_t *truss, uint64_t edges) {
    uint32_t most = 0;
    uint64_t count = 0;
    int threads = wfi_threads_for(job->ctx, edges, SHARE);
#pragma omp parallel for schedule(static) reduction(max : most) num_threads(threads)
    for (uint64_t i = 0; i < edges; i++) most = truss[i] > most ? truss[i] : most;
#pragma omp parallel for schedule(static) reduction(+ : count) num_threads(threads)
    for (uint64_t i = 0; i < edges; i++) count += most && truss[i] == most;
    return WFI_TELL(job->ctx, job->result, WFI_U64("max_truss", most), WFI_U64("edges", count));
}

static weft_status run_cpu(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    uint64_t triangles;
    arrays a = {.k = ((const weft_truss_params *)job->params)->k};
    lay_out(job->space, ctx, job->g, &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_edge_rows_make(ctx, job->g, &a.edges);
    if (!st) st = wfi_oriented_make(ctx, job->space, job->g, false, &a.orienting, &a.o);
    if (!st) st = wfi_count_triangles(ctx, &a.o, &a.scratch, a.corners, a.peel.support, &triangles);
    if (!st) st = wfi_truss_peel(ctx, &a.o, a.k, &a.peel);
    if (!st) st = wfi_edge_rows_in_view(ctx, &a.edges, &a.o, a.rank, put_number, &a);
    return st ? st : wfi_truss_scalars(job, a.truss, a.edges.count);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    if (((const weft_truss_params *)params)->k == 1)
        return wfi_fail(ctx, WEFT_EINVAL, "truss: k is 2 or more, or 0 for the truss number of every edge");
    if (wfi_oriented_most(g) <= UINT32_MAX) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EUNSUPPORTED, "truss: a graph has at most 2^32-1 edges for this");
}

static const weft_param_info params_info[] = {
    {"k", WEFT_PARAM_U64, offsetof(weft_truss_params, k), "0", 0, 4294967295.0, NULL,
     "2 or more: edges of the k-truss get k, others 0; 0 = the truss number of every edge"},
};
static const weft_result_info results[] = {
    {"source", WEFT_VERTEX, WEFT_SHAPE_EDGES, "one end of the edge"},
    {"target", WEFT_VERTEX, WEFT_SHAPE_EDGES, "the other end"},
    {"truss", WEFT_U32, WEFT_SHAPE_EDGES,
     "largest k for which the edge is in the k-truss; with `k`: k or 0; 0 for a loop"},
    {"max_truss", WEFT_U64, WEFT_SHAPE_SCALAR, "largest truss number, 0 without edges"},
    {"edges", WEFT_U64, WEFT_SHAPE_SCALAR, "number of edges with that truss number"},
};
static const char *const methods[] = {"peel edges by levels", "peel edges in waves of rising level"};

const wfi_algorithm wfi_algorithm_truss = {
    WFI_DESCRIBE(truss, (const weft_truss_params)WEFT_TRUSS_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "truss number of each edge: the largest k of a k-truss that contains it",
    .info.top_by = "truss",
    .info.model = "none: the entries compared depend on the graph and on the method",
    .validate = validate,
    .work = wfi_work_of_triangles,
    WFI_ON_CPU(plan_cpu, run_cpu),
    WFI_ON_CUDA(wfi_truss_plan_cuda, wfi_truss_cuda),
};
