/* harmonic: the sum of 1 / distance over the vertices that reach a vertex.  Methods: algo/closeness. */
#include "weft/harmonic.h"
#include "algo/closeness/nearness.h"

#include <stddef.h>

static wfi_nearness asked(const void *params) {
    const weft_harmonic_params *p = params;
    return (wfi_nearness){.near = {.name = "harmonic",
                                   .harmonic = true,
                                   .factor = p->normalized,
                                   .of = p->of,
                                   .sources = p->sources,
                                   .of_count = p->of_count,
                                   .source_count = p->source_count,
                                   .first = p->first},
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
    return wfi_nearness_serves_cuda(((const weft_harmonic_params *)params)->weights);
}

static void work(const weft_graph *g, const void *params, wfi_work *w) {
    wfi_nearness q = asked(params);
    wfi_nearness_work(g, &q, w);
}

static const wfi_nearness_kind kind = {asked};

#define FIELD(name) offsetof(weft_harmonic_params, name)
static const weft_param_info params_info[] = {
    {"of", WEFT_PARAM_VERTICES, FIELD(of), "", 0, 0, NULL, WFI_NEARNESS_OF},
    {"sources", WEFT_PARAM_VERTICES, FIELD(sources), "", 0, 0, NULL,
     "only distances from these count (`out`: to these)"},
    {"direction", WEFT_PARAM_CHOICE, FIELD(direction), "auto", 0, 0, WFI_NEARNESS_DIRECTIONS, WFI_NEARNESS_DIRECTION},
    {"normalized", WEFT_PARAM_BOOL, FIELD(normalized), "no", 0, 1, NULL, "divide by the number of other vertices"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, WFI_NEARNESS_WEIGHTS},
    {"estimate", WEFT_PARAM_BOOL, FIELD(estimate), "no", 0, 1, NULL, WFI_NEARNESS_ESTIMATE},
    {"registers", WEFT_PARAM_U64, FIELD(registers), "256", WFI_SKETCH_LEAST, WFI_SKETCH_MOST, NULL,
     WFI_NEARNESS_REGISTERS},
    {"first", WEFT_PARAM_U64, FIELD(first), "0", 0, 4294967295.0, NULL, WFI_NEARNESS_FIRST},
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
    WFI_BY_NEARNESS,
};
