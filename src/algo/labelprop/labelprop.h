/* labelprop: what its files share. */
#ifndef WFI_LABELPROP_H
#define WFI_LABELPROP_H

#include "algo/algo.h"

/* The arrays of a run, without a transpose. */
void wfi_labelprop_space(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g);
/* Labels after so many synchronous steps from label[v] = v.  Stops early when labels repeat. */
weft_status wfi_labelprop_cpu(wfi_job *job);
void wfi_labelprop_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *ranks, const void *params,
                              wfi_choice *choice);

#endif
