/* labelprop: communities by synchronous label propagation, as LDBC's CDLP defines it.
 * Every vertex begins with itself as its label.  In each step all vertices at once take the label that most of their
 * neighbours have, of equally frequent ones the smallest.  In a directed graph both directions count, so a neighbour
 * in both counts twice; parallel arcs and loops count as the arcs they are.  A vertex without arcs keeps its label.
 * [1] Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures", Phys. Rev. E 76 (2007).
 * [2] Iosup et al., "The LDBC Graphalytics benchmark", arXiv 2011.15028. */
#include "algo/labelprop/labelprop.h"

#include <stdio.h>

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_labelprop_params *p = params;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "labelprop");
    return wfi_check_weights(ctx, g, "labelprop", p->weights);
}

static const char *serves_ranks_cuda(const void *params) {
    return ((const weft_labelprop_params *)params)->weights ? "weighted votes are counted on CPU cores" : NULL;
}

static const char *serves_cuda(const weft_graph *g, const void *params) { return (void)g, serves_ranks_cuda(params); }

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    bool make = wfi_need_in(&choice->space, ctx, g);
    choice->method = "synchronous counting";
    snprintf(choice->reason, sizeof choice->reason, "%s; labels are counted by sorting, hashing or together, by degree",
             !g->directed ? "undirected: one row a vertex"
             : make       ? "directed: the transpose is made first, because both directions count"
                          : "directed, with its transpose at hand");
    wfi_labelprop_space(&choice->space, ctx, g, params);
}

/* A step is a pass; most graphs stand still after a few. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    (void)g;
    double steps = (double)wfi_min_u64(((const weft_labelprop_params *)params)->max_iterations, 8);
    *to = (wfi_work){.passes = steps, .levels = steps};
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    if (((const weft_labelprop_params *)params)->weights) return 0;
    double sides = g->directed ? 2 : 1;
    return wfi_iterations_of(result) * (8.0 * sides * (double)g->arcs + (8.0 + 8.0 * sides) * g->n);
}

static const weft_param_info params_info[] = {
    {"max-iterations", WEFT_PARAM_U64, offsetof(weft_labelprop_params, max_iterations), "10", 0, 1e9, NULL,
     "number of steps; the labels are those after so many, even if fewer had to be computed"},
    {"weights", WEFT_PARAM_BOOL, offsetof(weft_labelprop_params, weights), "no", 0, 1, NULL,
     "an arc votes with its weight: the label with the largest sum wins"},
};
static const weft_result_info results[] = {
    {"label", WEFT_VERTEX, 1, "the community, named after one of the graph's vertices"},
    {"communities", WEFT_U64, 0, "number of distinct labels"},
    {"iterations", WEFT_U64, 0, "number of steps computed: fewer than asked for if labels repeat"},
};

static const char *const methods[] = {
    "synchronous counting",
};

const wfi_algorithm wfi_algorithm_labelprop = {
    WFI_DESCRIBE(labelprop, (const weft_labelprop_params)WEFT_LABELPROP_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "communities by label propagation (LDBC's CDLP)",
    .info.top_by = "label",
    .info.model = "in an iteration 8 an arc and side (target, label), 8 a vertex and side (offset), 8 (labels)",
    .info.checkpoints = 1,
    .info.groups = "label",
    .cpu_cost = {136000, 625000, 625000, 0, 0},
    .gpu_cost = {434000, 9910, 9910, 0, 126000},
    .model_bytes = model_bytes,
    .validate = validate,
    .serves_cuda = serves_cuda,
    .serves_ranks_cuda = serves_ranks_cuda,
    WFI_ON_CPU(plan_cpu, wfi_labelprop_cpu),
    WFI_ON_RANKS(wfi_labelprop_plan_ranks, wfi_labelprop_cpu),
    .work = work,
    WFI_ON_CUDA(wfi_labelprop_plan_cuda, wfi_labelprop_cuda),
    WFI_ON_RANKS_CUDA(wfi_labelprop_plan_ranks_cuda, wfi_labelprop_ranks_cuda),
    .sends_exactly = true,
};
