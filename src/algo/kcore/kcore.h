/* The interface of kcore's files. */
#ifndef WFI_KCORE_H
#define WFI_KCORE_H

#include "run/algorithm.h"

WFI_C_BEGIN

enum { WFI_KCORE_ROUNDS, WFI_KCORE_WAVES }; /* methods, in the order of info.methods */

/* The results of a run, on either device: the column of core numbers, and the members, which grow when they are
 * counted. */
void wfi_kcore_columns(wfi_workspace *w, weft_vid n, uint64_t k, uint32_t **core);

/* The arrays of a run. */
void wfi_kcore_space(wfi_workspace *w, weft_vid n, uint64_t k);
weft_status wfi_kcore_cpu(wfi_job *job);

extern const struct wfi_method wfi_kcore_on_ranks;

/* --- the GPU --- */

void wfi_kcore_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
/* The same columns and scalars as on the CPU. */
weft_status wfi_kcore_cuda(wfi_job *job);

WFI_C_END
#endif
