/* What the verifiers of toposort and cycle share. */
#ifndef WEFT_CHECK_ORDER_H
#define WEFT_CHECK_ORDER_H

#include "weft_check.h"

/* Is column `cycle` one: distinct vertices, an arc from each to the next and from the last to the first? */
int weft_check_is_cycle(const weft_graph *g, const weft_column *cycle, weft_check_report *report);

#endif
