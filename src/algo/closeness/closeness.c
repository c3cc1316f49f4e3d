/* closeness: of the vertices that reach a vertex, how many they are over the sum of their distances.
 * The methods stand in shared/near. */
#include "weft/closeness.h"
#include "algo/closeness/nearness.h"

#include <stddef.h>

static wfi_nearness asked(const void *params) {
    const weft_closeness_params *p = params;
    return (wfi_nearness){
        .near = {.name = "closeness", .factor = p->scaled, .of = p->of, .of_count = p->of_count, .first = p->first},
        .direction = p->direction,
        .weights = p->weights,
        .estimate = p->estimate,
        .registers = p->registers};
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    wfi_nearness q = asked(params);
    return wfi_nearness_validate(ctx, g, &q);
}

static const char *serves_cuda(const weft_graph *g, const void *params) {
    (void)g;
    return wfi_nearness_serves_cuda(((const weft_closeness_params *)params)->weights);
}

static void work(const weft_graph *g, const void *params, wfi_work *w) {
    wfi_nearness q = asked(params);
    wfi_nearness_work(g, &q, w);
}

static const wfi_nearness_kind kind = {asked};

#define FIELD(name) offsetof(weft_closeness_params, name)
static const weft_param_info params_info[] = {
    {"of", WEFT_PARAM_VERTICES, FIELD(of), "", 0, 0, NULL, WFI_NEARNESS_OF},
    {"direction", WEFT_PARAM_CHOICE, FIELD(direction), "auto", 0, 0, WFI_NEARNESS_DIRECTIONS, WFI_NEARNESS_DIRECTION},
    {"scaled", WEFT_PARAM_BOOL, FIELD(scaled), "yes", 0, 1, NULL,
     "times the part of the other vertices that reach it (Wasserman and Faust)"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, WFI_NEARNESS_WEIGHTS},
    {"estimate", WEFT_PARAM_BOOL, FIELD(estimate), "no", 0, 1, NULL, WFI_NEARNESS_ESTIMATE},
    {"registers", WEFT_PARAM_U64, FIELD(registers), "256", WFI_SKETCH_LEAST, WFI_SKETCH_MOST, NULL,
     WFI_NEARNESS_REGISTERS},
    {"first", WEFT_PARAM_U64, FIELD(first), "0", 0, 4294967295.0, NULL, WFI_NEARNESS_FIRST},
};
static const weft_result_info results[] = {
    {"closeness", WEFT_F64, WEFT_SHAPE_VERTICES, "vertices that reach it, over the sum of their distances"},
    {"vertices", WEFT_U64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_VERTICES},
    {"standard_error", WEFT_F64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_ERROR},
};
static const weft_closeness_params standard = WEFT_CLOSENESS_DEFAULTS;

const wfi_algorithm wfi_algorithm_closeness = {
    WFI_DESCRIBE(closeness, standard, results, wfi_nearness_methods),
    WFI_PARAMS(params_info),
    .info.help = "closeness: how many vertices reach each one, over how far away they are",
    .info.top_by = "closeness",
    WFI_BY_NEARNESS,
};
