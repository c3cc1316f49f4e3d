/* triangles: how many triangles each vertex is a corner of, and how many there are.
 * The graph is seen as undirected and simple: directions, loops and repeated edges do not count.  On CPU cores by the
 * forward algorithm [1].  Needs: any graph; a directed one gets its transpose.
 * Method: orient each edge towards the end of higher degree, intersect forward rows, with pairs of hubs in a bit matrix
 * (shared/triangles/triangles.c).  Where that copy of the edges would be over the memory limit, the rows are
 * intersected as they are.  Counts are integers, so that the order of adding does not show.
 * [1] Latapy, "Main-memory Triangle Computations for Very Large (Sparse (Power-Law)) Graphs", TCS 407, 2008. */
#include "algo/triangles/triangles.h"
#include "ranks/device_steps.h"
#include "shared/triangles/triangles.h"

#include <stdio.h>

enum { SHARE = 1 << 14 };
enum { ORIENTED = 0, LEAN };

typedef struct arrays {
    uint64_t *column, *corners; /* by vertex, by rank */
    wfi_oriented o;
    wfi_orienting orienting;
    wfi_triangle_scratch scratch;
} arrays;

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, int method, arrays *a) {
    wfi_column(w, "triangles", WEFT_U64, g->n, &a->column);
    if (method == LEAN) return;
    wfi_array(w, &a->corners, g->n);
    wfi_oriented_lay_out(w, ctx, g, false, &a->o, &a->orienting);
    wfi_triangles_lay_out(w, ctx, g->n, wfi_oriented_most(g), &a->scratch);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)params;
    arrays a;
    wfi_workspace *w = &choice->space;
    bool transpose = wfi_need_in(w, ctx, g);
    choice->method = "orient by degree, hubs in a bit matrix";
    choice->variant = ORIENTED;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             transpose
                 ? "directed without a transpose: it is built first; pairs of hubs are looked up instead of intersected"
                 : "rows towards higher degrees are short; pairs of hubs are looked up instead of intersected");
    lay_out(w, ctx, g, ORIENTED, &a);
    if (wfi_workspace_fits(w, ctx)) return;
    char needed[24];
    choice->variant = LEAN;
    choice->method = "intersect rows as they are";
    snprintf(
        choice->reason, sizeof choice->reason,
        "edges oriented by degree would need %s, over the memory limit; rows as they are need no copy, but more time",
        wfi_size_text(needed, wfi_workspace_bytes(w)));
    *w = (wfi_workspace){0};
    wfi_need_in(w, ctx, g);
    lay_out(w, ctx, g, LEAN, &a);
}

static weft_status run_cpu(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    bool lean = job->choice->variant == LEAN;
    uint64_t total = 0;
    arrays a;
    lay_out(job->space, ctx, g, job->choice->variant, &a);
    weft_status st = job->space->status;
    if (!st && lean) st = wfi_count_triangles_lean(ctx, g, a.column, &total);
    if (!st && !lean) st = wfi_oriented_make(ctx, job->space, g, false, &a.orienting, &a.o);
    if (!st && !lean) st = wfi_count_triangles(ctx, &a.o, &a.scratch, a.corners, &total);
    if (!st) st = wfi_result_scalar_u64(ctx, job->result, "triangles", total);
    if (st || lean) return st;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid r = 0; r < g->n; r++) a.column[a.o.vertex[r]] = a.corners[r];
    return WEFT_OK;
}

/* --- ranks ---------------------------------------------------------------------------- */

static void lay_out_ranks(wfi_workspace *w, const weft_ctx *ctx, const wfi_spread *s, wfi_rank_triangles *c) {
    wfi_column(w, "triangles", WEFT_U64, s->vertices, &c->sum);
    wfi_rank_triangles_lay_out(w, ctx, s, WFI_TRIANGLE_ONE, c);
}

/* gpu: what looks for triangles on GPUs; NULL: CPU cores do. */
static void plan_ranks_with(const weft_ctx *ctx, const wfi_spread *spread, wfi_choice *choice,
                            wfi_rank_triangles_gpu *gpu) {
    choice->method = "orient by degree, fetch rows";
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

static const weft_result_info results[] = {
    {"triangles", WEFT_U64, 1, "number of triangles that the vertex is part of"},
    {"triangles", WEFT_U64, 0, "number of triangles in the graph"},
};
static const weft_triangles_params standard = WEFT_TRIANGLES_DEFAULTS;

static const char *const methods[] = {
    "orient by degree, hubs in a bit matrix",
    "intersect rows as they are",
    "orient by degree, fetch rows",
};

extern const struct wfi_follower wfi_follow_triangles; /* src/dynamic */

const wfi_algorithm wfi_algorithm_triangles = {
    WFI_DESCRIBE(triangles, standard, results, methods),
    .info.help = "number of triangles at each vertex, and in total",
    .info.top_by = "triangles",
    .info.model = "none: how far rows are compared depends on the graph and on the method",
    .info.on_cuda = WFI_HAVE_CUDA,
    .info.on_ranks = 1,
    .cpu_cost = {139000, 6130000, 6130000, 0, 0},
    .gpu_cost = {82000, 130000, 130000, 0, 180000},
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
    .plan_ranks = plan_ranks,
    .run_ranks = run_ranks,
    .work = wfi_work_of_triangles,
    .plan_cuda = WFI_WITH_CUDA(wfi_triangles_plan_cuda),
    .run_cuda = WFI_WITH_CUDA(wfi_triangles_cuda),
    .plan_ranks_cuda = WFI_WITH_CUDA(plan_ranks_cuda),
    .run_ranks_cuda = WFI_WITH_CUDA(run_ranks_cuda),
    .follower = &wfi_follow_triangles,
};
