/* The result of sssp, whichever way it is found. */
#ifndef WFI_SSSP_COLUMNS_H
#define WFI_SSSP_COLUMNS_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wfi_sssp_columns {
    double *distance;
    weft_vid *parent; /* NULL: not asked for */
} wfi_sssp_columns;
void wfi_sssp_columns_lay_out(wfi_workspace *w, weft_vid n, const weft_sssp_params *params, wfi_sssp_columns *c);
/* The scalars of the result.  beyond: an arc leads from a vertex that was reached to one that was not, because the path
 * would be longer than the largest double; that is warned of. */
weft_status wfi_sssp_scalars(weft_ctx *ctx, uint64_t reached, double farthest, bool beyond, weft_result *result);

#ifdef __cplusplus
}
#endif
#endif
