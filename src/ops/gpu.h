/* Operators on the GPU: what a run's wfi_ops is given there, and kernels of its own. */
#ifndef WFI_OPS_GPU_H
#define WFI_OPS_GPU_H

#include "ops/ops.h"

WFI_C_BEGIN

extern const wfi_ops_gpu wfi_ops_on_gpu;

/* --- gpu.cu --- */

/* A driver, timed by the GPU's clock as the stage "iterations". */
struct wfi_job;
weft_status wfi_ops_timed(wfi_ops *o, weft_status (*drive)(wfi_ops *o, void *state, struct wfi_job *job), void *state,
                          struct wfi_job *job);

/* --- add_rows.cu --- */

weft_status wfi_ops_add_rows(wfi_ops *o, const wfi_view *rows, const double *share);

/* --- gpu.cu; group_tables.cu --- */

weft_status wfi_ops_repeats_gpu(wfi_ops *o, const wfi_view *rows, wfi_op_totals *to);
weft_status wfi_group_begin_gpu(wfi_ops *o, const char *algorithm, const weft_graph *g, struct wfi_row_group *group,
                                double *widest);

WFI_C_END
#endif
