/* What both backends of clustering add up over all vertices, and the scalars of the result from it.
 * Encoding: the average adds coefficients in fixed point, 62 bits behind the point, the upper and the lower 31 bits apart, so that
 * 2^32 of them cannot overflow and the order of adding does not matter. */
#ifndef WFI_CLUSTERING_H
#define WFI_CLUSTERING_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WFI_HALF = 31 };

typedef struct wfi_clustering_totals {
    uint64_t triangles, wedges;
    uint64_t upper, lower; /* of the sum of the coefficients */
} wfi_clustering_totals;

weft_status wfi_clustering_scalars(weft_ctx *ctx, uint64_t n, const wfi_clustering_totals *totals, weft_result *result);

#ifdef __cplusplus
}
#endif
#endif
