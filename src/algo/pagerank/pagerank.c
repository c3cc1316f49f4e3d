/* pagerank: descriptor, validation and plan.  The definition stands in docs/algo, the method in pagerank_cpu.c. */
#include "algo/pagerank/pagerank.h"
#include "algo/pagerank/pagerank_ranks_cuda.h"
#include "algo/pagerank/pagerank_stream.h"
#include "algo/pagerank/tiles.h"
#include "ranks/grid.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_pagerank_params *p = params;
    if ((unsigned)p->dangling > WEFT_DANGLING_DROP || (unsigned)p->precision > WEFT_PRECISION_F16)
        return wfi_fail(ctx, WEFT_EINVAL, "pagerank: no such choice of dangling or precision");
    if (p->dangling_to && p->dangling == WEFT_DANGLING_DROP)
        return wfi_fail(ctx, WEFT_EINVAL, "pagerank: dangling rank is either dropped or goes to dangling_to");
    if (p->weights && p->precision == WEFT_PRECISION_F16)
        return wfi_fail(ctx, WEFT_EINVAL, "pagerank: contributions in f16 are without weights; ask for f32 or f64");
    if (wfi_check_weights(ctx, g, "pagerank", p->weights)) return WEFT_EINVAL;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "pagerank");
    return WEFT_OK;
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_pagerank_params *p = params;
    const char *why;
    int threads = wfi_threads(ctx);
    wfi_sweep_costs costs = wfi_sweep_costs_here(threads);
    wfi_pagerank_method method = wfi_pagerank_pick(wfi_caches_here(), &costs, g, p, threads, wfi_plan_room(ctx), &why);
    bool tiled = method == WFI_TILED, transpose = !tiled && wfi_need_in(&choice->space, ctx, g);
    choice->variant = (int)method;
    choice->method = tiled ? "tiles" : "pull";
    snprintf(choice->reason, sizeof choice->reason, "%s%s", why,
             tiled          ? ""
             : !g->directed ? "; undirected: the rows are their own transpose"
             : transpose    ? "; the rows of incoming arcs will be made"
                            : "; the rows of incoming arcs are available");
    wfi_pagerank_space(&choice->space, g->n, g->arcs, p, threads, method);
}

/* Contributions in f16 seldom settle below this; an iteration over them takes about twice as long (R-MAT 18,
 * 2 cores). */
static const double HALF_SETTLES = 1e-5, HALF_DEARER = 2;

/* The bound on the error falls by the damping in each iteration; on graphs that people have, four times as fast. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    const weft_pagerank_params *p = params;
    (void)g;
    double enough = p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1
                        ? 1 + log(p->tolerance) / log(p->damping) / 4
                        : (double)p->max_iterations;
    bool half = p->precision == WEFT_PRECISION_F16;
    if (half && p->tolerance < HALF_SETTLES) enough = (double)p->max_iterations;
    double passes = p->iterations ? (double)p->iterations : fmin(enough, (double)p->max_iterations);
    *to = (wfi_work){.passes = passes, .levels = passes, .cpu_dearer = half ? HALF_DEARER : 0};
}

/* Ranks take a part of each block that is swept at once. */
static weft_vid rank_block(const weft_graph *g, const void *params) {
    return wfi_pagerank_part(g->n, wfi_pagerank_at_once(params));
}

static void grid_load(const weft_graph *g, const void *params, wfi_grid_load *load) {
    wfi_work w;
    work(g, params, &w);
    wfi_pagerank_load(params, load);
    load->iterations = w.passes;
}

#ifdef WEFT_HAVE_CUDA
static const char *serves_cuda(const weft_graph *g, const void *params) {
    const weft_pagerank_params *p = params;
    if (p->nstart || p->dangling_to) return "ranks to begin with, and weights of dangling rank, are the CPU's";
    return g->n >= (weft_vid)1 << 31 ? "2^31 vertices or more are ranked on the CPU" : NULL;
}

static const char *serves_ranks_cuda(const void *params) {
    bool half = ((const weft_pagerank_params *)params)->precision == WEFT_PRECISION_F16;
    return half ? "where ranks share a run, contributions in f16 are the CPUs'" : NULL;
}
#endif

static uint64_t bytes_a_vertex(const void *params) {
    return ((const weft_pagerank_params *)params)->precision == WEFT_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    const weft_pagerank_params *p = params;
    if (p->weights || p->precision != WEFT_PRECISION_F32) return 0;
    return wfi_iterations_of(result) * (8.0 * (double)g->arcs + 20.0 * g->n);
}

#define FIELD(name) offsetof(weft_pagerank_params, name)
static const weft_param_info params_info[] = {
    {"damping", WEFT_PARAM_F64, FIELD(damping), "0.85", 0, 1, NULL,
     "share of rank that follows arcs; the rest restarts"},
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-6", 0, 2, NULL,
     "stop when the ranks change by no more than this in total (L1)"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "100", 1, 1e9, NULL,
     "stop after so many iterations at the latest"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "0", 0, 1e9, NULL,
     "exactly so many iterations, whatever the tolerance; 0 = until the tolerance is met"},
    {"personalize", WEFT_PARAM_WEIGHTS, FIELD(restart), "", 0, 0, NULL,
     "vertices (1,2,3 or random:K) or a file of lines 'id [weight]': restarts go there instead of everywhere"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL,
     "rank leaves along arcs in proportion to their weights"},
    {"dangling", WEFT_PARAM_CHOICE, FIELD(dangling), "redistribute", 0, 0, "redistribute|drop",
     "what happens to the rank of vertices without outgoing arcs: it restarts, or is lost"},
    {"precision", WEFT_PARAM_CHOICE, FIELD(precision), "f32", 0, 0, "f32|f64|f16",
     "of the ranks; f16: ranks in f32, but contributions to three digits only"},
    {"nstart", WEFT_PARAM_WEIGHTS, FIELD(nstart), "", 0, 0, NULL,
     "likewise: the ranks to begin with, in proportion"},
    {"dangling-to", WEFT_PARAM_WEIGHTS, FIELD(dangling_to), "", 0, 0, NULL,
     "likewise: where the rank of vertices without outgoing arcs goes, instead of restarting"},
};

static const weft_result_info results[] = {
    {"rank", WEFT_F32, 1, "share of the time a random surfer spends at the vertex (f64 with `precision=f64`)"},
    {"iterations", WEFT_U64, 0, "number of iterations done"},
    {"residual", WEFT_F64, 0, "total change of the ranks in the last iteration (L1)"},
    {"sum", WEFT_F64, 0, "sum of the ranks: 1 unless dangling rank is dropped"},
};
static const weft_pagerank_params standard = WEFT_PAGERANK_DEFAULTS;

static const char *const methods[] = {
    "pull",
    "tiles",
    "pull by degree",
    "pull, arcs streamed",
};

const wfi_algorithm wfi_algorithm_pagerank = {
    .info = {.name = "pagerank",
             .help = "importance of each vertex: how often a random surfer visits it",
             .param_count = sizeof params_info / sizeof *params_info,
             .params_size = sizeof standard,
             .params_standard = &standard,
             .result_count = sizeof results / sizeof *results,
             .top_by = "rank",
             .model = "in an iteration 8 an arc (target, share), 20 a vertex (offset, rank read and written, share)",
             .methods = methods,
             .method_count = sizeof methods / sizeof *methods,
#ifdef WEFT_HAVE_CUDA
             .on_cuda = 1,
#endif
             .on_cpu = 1,
             .on_ranks = 1,
             .checkpoints = 1,
             .on_grid = 1},
    .params = params_info,
    .results = results,
    .cpu_cost = {81000, 223000, 223000, 0, 0},
    .gpu_cost = {213000, 6750, 6750, 0, 1010000},
    .model_bytes = model_bytes,
    .validate = validate,
    .plan_cpu = plan_cpu,
    .run_cpu = wfi_pagerank_cpu,
    .rank_block = rank_block,
    .grid_load = grid_load,
    .plan_ranks = wfi_pagerank_plan_ranks,
    .run_ranks = wfi_pagerank_cpu,
    .bytes_a_vertex = bytes_a_vertex,
    .work = work,
#ifdef WEFT_HAVE_CUDA
    .serves_cuda = serves_cuda,
    .plan_cuda = wfi_pagerank_plan_cuda,
    .run_cuda = wfi_pagerank_cuda,
    .serves_ranks_cuda = serves_ranks_cuda,
    .plan_ranks_cuda = wfi_pagerank_plan_ranks_cuda,
    .run_ranks_cuda = wfi_pagerank_ranks_cuda,
    .plan_streamed = wfi_pagerank_plan_stream,
    .run_streamed = wfi_pagerank_stream,
#endif
};

weft_status weft_pagerank(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params, weft_result **out) {
    return wfi_run(ctx, "pagerank", g, params, out);
}
