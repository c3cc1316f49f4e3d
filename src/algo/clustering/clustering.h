/* The scalars of clustering, from what either backend added up. */
#ifndef WFI_CLUSTERING_H
#define WFI_CLUSTERING_H

#include "algo/algo.h"
#include "shared/triangles/coefficient.h"

#ifdef __cplusplus
extern "C" {
#endif

weft_status wfi_clustering_scalars(weft_ctx *ctx, uint64_t n, const wfi_clustering_totals *totals, weft_result *result);

#ifdef __cplusplus
}
#endif
#endif
