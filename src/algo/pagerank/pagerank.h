/* What the files of pagerank share: the vector of restarts. */
#ifndef WFI_PAGERANK_H
#define WFI_PAGERANK_H

#include "algo/algo.h"

/* Where a surfer who jumps comes down: a distribution over the n vertices that sums to 1, from the file or the array in
 * the parameters.  *restart is NULL when neither is given: everywhere alike. */
weft_status wfi_pagerank_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                 double **restart);

weft_status wfi_pagerank_cpu(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *result);

#endif
