/* closeness: number of vertices that reach a vertex over the sum of their distances (nearness.c). */
#include "weft/closeness.h"
#include "checks.h"

int weft_check_closeness(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_closeness_params *p = params;
    check_nearness_question q = {.column = "closeness",
                                 .harmonic = 0,
                                 .factor = p->scaled,
                                 .weights = p->weights,
                                 .estimate = p->estimate,
                                 .direction = p->direction,
                                 .of = p->of,
                                 .of_count = p->of_count,
                                 .registers = p->registers,
                                 .first = p->first};
    return check_nearness(w, g, &q, result);
}
