/* harmonic: the sum of reciprocal distances (nearness.c). */
#include "checks.h"

weft_status weft_check_harmonic(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                weft_check_report *report) {
    const weft_harmonic_params *p = params;
    check_nearness_question q = {.column = "harmonic",
                                 .harmonic = 1,
                                 .factor = p->normalized,
                                 .weights = p->weights,
                                 .estimate = p->estimate,
                                 .direction = p->direction,
                                 .of = p->of,
                                 .of_count = p->of_count,
                                 .sources = p->sources,
                                 .source_count = p->source_count,
                                 .registers = p->registers,
                                 .first = p->first};
    return check_nearness(ctx, g, &q, result, report);
}
