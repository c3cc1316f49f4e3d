/* hits: descriptor, validation and plan.  The definition stands in docs/algo, the method in hits_cpu.c. */
#include "algo/hits/hits_ranks_cuda.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_hits_params *p = params;
    weft_status st = wfi_check_weights(ctx, g, "hits", p->weights);
    if (!p->weights) wfi_note_weights_unused(ctx, g, "hits");
    return st;
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    choice->method = "pull";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "undirected: the rows are their own transpose"
             : transpose  ? "the rows of incoming arcs will be made"
                          : "the rows of incoming arcs are at hand");
    wfi_hits_space(&choice->space, g, params);
}

weft_status wfi_hits_scalars(weft_ctx *ctx, const weft_hits_params *p, uint64_t iterations, double residual,
                             weft_result *result) {
    if (!p->iterations && !(residual <= p->tolerance))
        wfi_warn(ctx, "hits: after %llu iteration%s the values still change by %.3g, more than the tolerance %.3g",
                 (unsigned long long)iterations, iterations == 1 ? "" : "s", residual, p->tolerance);
    weft_status st = wfi_result_scalar_u64(ctx, result, "iterations", iterations);
    return st ? st : wfi_result_scalar_f64(ctx, result, "residual", residual);
}

/* On graphs that people have an iteration about halves the change. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    const weft_hits_params *p = params;
    (void)g;
    double enough = p->tolerance > 0 && p->tolerance < 1 ? 1 - log2(p->tolerance) : (double)p->max_iterations;
    double passes = p->iterations ? (double)p->iterations : fmin(enough, (double)p->max_iterations);
    *to = (wfi_work){.passes = passes, .levels = passes};
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    if (((const weft_hits_params *)params)->weights) return 0;
    return wfi_iterations_of(result) * (24.0 * (double)g->arcs + 80.0 * g->n);
}

#define FIELD(name) offsetof(weft_hits_params, name)
static const weft_param_info params_info[] = {
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-8", 0, 2, NULL,
     "stop when hubs and authorities each change by no more than this in all (L1)"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "100", 1, 1e9, NULL, "stop after so many at the latest"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "0", 0, 1e9, NULL,
     "exactly so many, whatever the tolerance; 0 = until the tolerance is met"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "an arc counts by its weight"},
};

static const weft_result_info results[] = {
    {"hub", WEFT_F64, WEFT_SHAPE_VERTICES, "how good the vertices are that it points to; they sum to 1"},
    {"authority", WEFT_F64, WEFT_SHAPE_VERTICES, "how good the vertices are that point to it; they sum to 1"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "iterations done"},
    {"residual", WEFT_F64, WEFT_SHAPE_SCALAR, "how much the last one changed hubs or authorities in all (L1)"},
};
static const weft_hits_params standard = WEFT_HITS_DEFAULTS;

static const char *const methods[] = {"pull"};

const wfi_algorithm wfi_algorithm_hits = {
    WFI_DESCRIBE(hits, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "hubs and authorities: who points to the best, and whom the best point to",
    .info.top_by = "authority",
    .info.model = "in an iteration 12 an arc and side (target, share), 40 a vertex and side (offset, value, share)",
    .info.on_cuda = WFI_HAVE_CUDA,
    .info.on_ranks = 1,
    .info.checkpoints = 1,
    .validate = validate,
    .cpu_cost = {151000, 606000, 606000, 0, 0},
    .gpu_cost = {738000, 19800, 19800, 0, 125000},
    .model_bytes = model_bytes,
    .plan_cpu = plan_cpu,
    .run_cpu = wfi_hits_cpu,
    .plan_ranks = wfi_hits_plan_ranks,
    .run_ranks = wfi_hits_cpu,
    .work = work,
    .plan_cuda = WFI_WITH_CUDA(wfi_hits_plan_cuda),
    .run_cuda = WFI_WITH_CUDA(wfi_hits_run_cuda),
    .plan_ranks_cuda = WFI_WITH_CUDA(wfi_hits_plan_ranks_cuda),
    .run_ranks_cuda = WFI_WITH_CUDA(wfi_hits_ranks_cuda),
    .sends_exactly = true,
};
