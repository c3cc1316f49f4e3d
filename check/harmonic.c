/* harmonic: the sum of reciprocal distances (nearness.c). */
#include "weft/harmonic.h"
#include "checks.h"

int weft_check_harmonic(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
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
    return check_nearness(w, g, &q, result);
}
