/* labelprop: what its files share. */
#ifndef WFI_LABELPROP_H
#define WFI_LABELPROP_H

#include "algo/algo.h"

/* Labels after `steps` synchronous steps from label[v] = v.  Stops early when labels repeat; *done is the number of
 * steps that were computed.  other[] is scratch of n places. */
weft_status wfi_labelprop_run(weft_ctx *ctx, const weft_graph *g, uint64_t steps, weft_vid *label, weft_vid *other,
                              uint64_t *done);
/* What it takes besides the two arrays, without a transpose. */
uint64_t wfi_labelprop_bytes(const weft_ctx *ctx, const weft_graph *g);

#endif
