/* What the files of pagerank share: the vector of restarts. */
#ifndef WFI_PAGERANK_H
#define WFI_PAGERANK_H

#include "algo/algo.h"

/* Where a surfer who jumps comes down: a distribution over the n vertices that sums to 1, from the file or the array in
 * the parameters.  *restart is NULL when neither is given: everywhere alike. */
weft_status wfi_pagerank_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                 double **restart);

typedef enum wfi_pagerank_method { WFI_PULL, WFI_TILED } wfi_pagerank_method;

/* Which method a run takes on so many vertices and arcs, with so many bytes left to take; the ranks are the same bits
 * either way.  *why is static text. */
wfi_pagerank_method wfi_pagerank_pick(weft_vid n, weft_eid arcs, const weft_pagerank_params *params, int threads,
                                      uint64_t bytes_left, const char **why);

/* WFI_TILED only without weights and in f32. */
weft_status wfi_pagerank_run(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                             wfi_pagerank_method method, weft_result *result);

#endif
