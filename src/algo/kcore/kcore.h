/* kcore: what its files share. */
#ifndef WFI_KCORE_H
#define WFI_KCORE_H

#include "algo/algo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a run gives, on either device: the column of core numbers, and the members, which grow when they are counted. */
void wfi_kcore_columns(wfi_workspace *w, weft_vid n, uint64_t k, uint32_t **core);

/* The arrays of a run. */
void wfi_kcore_space(wfi_workspace *w, weft_vid n, uint64_t k);
weft_status wfi_kcore_cpu(wfi_job *job);

/* kcore_ranks.c */
void wfi_kcore_plan_ranks(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params, wfi_choice *choice);
weft_status wfi_kcore_ranks(wfi_job *job);

#ifdef __cplusplus
}
#endif

#endif
