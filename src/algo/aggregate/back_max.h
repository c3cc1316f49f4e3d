/* aggregate, CPU: the gradient's way back through a maximum. */
#ifndef WFI_AGGREGATE_BACK_MAX_H
#define WFI_AGGREGATE_BACK_MAX_H

#include "algo/aggregate/sweep.h"

/* Fills j->out; j->rows are those of outgoing arcs, j->winner has a place for each vertex and column of a strip. */
weft_status wfi_aggregate_back_max(wfi_aggregate_job *j, const wfi_view *in);

#endif
