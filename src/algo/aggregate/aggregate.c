/* aggregate: descriptor, validation and plan.  The definition stands in weft.h, the order of the sums and the method in
 * aggregate_cpu.c. */
#include "algo/aggregate/aggregate.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_aggregate_params *p = params;
    const weft_matrix *x = &p->features;
    if ((unsigned)p->op > WEFT_AGGREGATE_MAX || (unsigned)p->normalize > WEFT_NORMALIZE_GCN)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: no such choice of op or normalize");
    if (p->normalize && p->op == WEFT_AGGREGATE_MAX)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: gcn is a weighted sum; it does not go with the maximum");
    if (!x->data && !x->width)
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate needs features: a matrix with a row for each vertex");
    if (x->rows != g->n)
        return wfi_fail(ctx, WEFT_EINVAL,
                        "aggregate: the features have %" PRIu64 " rows, but the graph has %u vertices", x->rows, g->n);
    if (!x->width) return wfi_fail(ctx, WEFT_EINVAL, "aggregate: the features have no columns");
    if (g->n && (!x->data || x->width > SIZE_MAX / sizeof(float) / g->n))
        return wfi_fail(ctx, WEFT_EINVAL, "aggregate: %u x %" PRIu64 " features cannot be in memory", g->n, x->width);
    return WEFT_OK;
}

/* The result, a factor for each vertex, and the transpose, whose making may be the peak. */
static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_aggregate_params *p = params;
    bool transpose = !wfi_in_at_hand(g);
    uint64_t making = transpose ? wfi_transpose_bytes(ctx, g->n, g->arcs, g->weight_type) : 0;
    uint64_t kept = transpose ? 8 * ((uint64_t)g->n + 1) + (g->weight_type ? 8 : 4) * g->arcs : 0;
    choice->method = p->op == WEFT_AGGREGATE_MAX ? "row maxima" : "row sums in blocks";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             !g->directed ? "undirected: the rows list the neighbours"
             : transpose  ? "the rows of incoming arcs will be made"
                          : "the rows of incoming arcs are at hand");
    choice->host_bytes = wfi_max_u64(making, kept + 4 * (p->features.width + (p->normalize ? 1 : 0)) * g->n);
}

#define FIELD(name) offsetof(weft_aggregate_params, name)
static const weft_param_info params_info[] = {
    {"features", WEFT_PARAM_MATRIX, FIELD(features), NULL, 0, 0, NULL,
     "a NumPy file of f4, f8 or f2 numbers with a row for each vertex, in the order in which results list them"},
    {"op", WEFT_PARAM_CHOICE, FIELD(op), "mean", 0, 0, "sum|mean|max", "what is made of the neighbours' vectors"},
    {"self-loop", WEFT_PARAM_BOOL, FIELD(self_loop), "no", 0, 1, NULL,
     "a vertex that has no loop counts among its own neighbours"},
    {"normalize", WEFT_PARAM_CHOICE, FIELD(normalize), "none", 0, 0, "none|gcn",
     "gcn: a sum of x[u] / sqrt(d[u] d[v]) in the place of the mean, d = number of in-neighbours"},
};
static const weft_result_info results[] = {
    {"f", WEFT_F32, 1, "the aggregate, as wide as the features: columns f0, f1, ..., or a 2-D array in .npy"},
    {"rows", WEFT_U64, 0, "rows of the aggregate: one for each vertex"},
    {"width", WEFT_U64, 0, "columns of the aggregate"},
};
static const weft_aggregate_params standard = WEFT_AGGREGATE_DEFAULTS;

const wfi_algorithm wfi_algorithm_aggregate = {
    .info = {.name = "aggregate",
             .help = "mean, sum or maximum of the neighbours' feature vectors: a layer of a graph neural network",
             .params = params_info,
             .param_count = sizeof params_info / sizeof *params_info,
             .params_size = sizeof standard,
             .params_standard = &standard,
             .results = results,
             .result_count = sizeof results / sizeof *results,
             .top_by = "f0",
             .on_cpu = 1},
    .validate = validate,
    .plan_cpu = plan_cpu,
    .run_cpu = wfi_aggregate_cpu,
};

weft_status weft_aggregate(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *params, weft_result **out) {
    return wfi_run(ctx, "aggregate", g, params, out);
}
