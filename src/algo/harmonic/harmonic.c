/* harmonic: the sum of 1 / distance over the vertices that reach a vertex.
 * The methods stand in shared/near. */
#include "algo/nearness.h"

#include <stddef.h>

static wfi_nearness asked(const void *params) {
    const weft_harmonic_params *p = params;
    wfi_nearness q = {
        .direction = p->direction, .weights = p->weights, .estimate = p->estimate, .registers = p->registers};
    q.near.name = "harmonic";
    q.near.harmonic = true;
    q.near.factor = p->normalized;
    q.near.of = p->of;
    q.near.of_count = p->of_count;
    q.near.sources = p->sources;
    q.near.source_count = p->source_count;
    return q;
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    wfi_nearness q = asked(params);
    return wfi_nearness_validate(ctx, g, &q);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_nearness q = asked(params);
    wfi_nearness_plan(ctx, g, &q, choice);
}

static weft_status run_cpu(wfi_job *job) {
    wfi_nearness q = asked(job->params);
    return wfi_nearness_run(job, &q);
}

static void work(const weft_graph *g, const void *params, wfi_work *w) {
    wfi_nearness q = asked(params);
    wfi_nearness_work(g, &q, w);
}

#define FIELD(name) offsetof(weft_harmonic_params, name)
static const weft_param_info params_info[] = {
    {"of", WEFT_PARAM_VERTICES, FIELD(of), "", 0, 0, NULL, WFI_NEARNESS_OF},
    {"sources", WEFT_PARAM_VERTICES, FIELD(sources), "", 0, 0, NULL,
     "only distances from these count (`out`: to these)"},
    {"direction", WEFT_PARAM_CHOICE, FIELD(direction), "auto", 0, 0, WFI_NEARNESS_DIRECTIONS, WFI_NEARNESS_DIRECTION},
    {"normalized", WEFT_PARAM_BOOL, FIELD(normalized), "no", 0, 1, NULL, "divide by the number of other vertices"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, WFI_NEARNESS_WEIGHTS},
    {"estimate", WEFT_PARAM_BOOL, FIELD(estimate), "no", 0, 1, NULL, WFI_NEARNESS_ESTIMATE},
    {"registers", WEFT_PARAM_U64, FIELD(registers), "256", WFI_NEAR_LEAST_REGISTERS, WFI_NEAR_MOST_REGISTERS, NULL,
     WFI_NEARNESS_REGISTERS},
};
static const weft_result_info results[] = {
    {"harmonic", WEFT_F64, WEFT_SHAPE_VERTICES, "the sum of reciprocal distances"},
    {"vertices", WEFT_U64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_VERTICES},
    {"standard_error", WEFT_F64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_ERROR},
};
static const weft_harmonic_params standard = WEFT_HARMONIC_DEFAULTS;

const wfi_algorithm wfi_algorithm_harmonic = {
    WFI_DESCRIBE(harmonic, standard, results, wfi_nearness_methods),
    WFI_PARAMS(params_info),
    .info.help = "harmonic: the sum of reciprocal distances to each vertex, or from it",
    .info.top_by = "harmonic",
    .info.model = WFI_NEARNESS_NO_MODEL,
    .cpu_cost = {20000, 400000, 400000, 0, 0},
    .on_request = wfi_nearness_on_request,
    .validate = validate,
    .work = work,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
};
