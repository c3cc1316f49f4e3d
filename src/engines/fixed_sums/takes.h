/* The weights that sums of shares accept: 0, or from 1e-200 to 1e200, so that neither a row's sum nor a share of it
 * leaves the range of doubles.  Every u32 and every f32 of 0 or more is accepted.  For C and for device code. */
#ifndef WFI_FIXED_SUMS_TAKES_H
#define WFI_FIXED_SUMS_TAKES_H

#include "graph/graph.h"

#define WFI_SHARES_TAKE(w) ((w) == 0 || ((w) >= 1e-200 && (w) <= 1e200))

WFI_C_BEGIN

/* WEFT_EINPUT, naming an outgoing arc with a refused weight. */
weft_status wfi_refuse_share(weft_ctx *ctx, const char *algorithm, const weft_graph *g, weft_eid arc);

/* row_sums.cu: wfi_row_sums (fixed_sums.h) on the GPU, for rows and sums that lie there.  scratch: a word there, which
 * is 0 afterwards. */
weft_status wfi_row_sums_cuda(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                              double *sum, uint64_t *scratch);

WFI_C_END
#endif
