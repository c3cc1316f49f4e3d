/* Exclusive times of named stages of a run, recorded in the context between wfi_stages_begin and wfi_stages_end.
 *
 *     wfi_stage_enter(ctx, "upload");
 *     ...
 *     wfi_stage_leave(ctx, bytes, 0);
 *
 * The time of a nested stage is subtracted from the outer stage, so that stages add up to the whole. Entering a stage
 * again adds to it. Without a recording the calls do nothing. Only on the thread that entered the library. */
#ifndef WFI_STAGES_H
#define WFI_STAGES_H

#include "core/core.h"

WFI_C_BEGIN

enum { WFI_MOST_STAGES = 12, WFI_DEEPEST_STAGE = 8 };

typedef struct wfi_stages {
    size_t count;
    weft_stage at[WFI_MOST_STAGES];
    size_t depth; /* 0: no recording */
    size_t open[WFI_DEEPEST_STAGE];
    double since; /* last change of the innermost open stage, ms */
} wfi_stages;

/* Starts a new recording. Time outside of all stages goes to `rest`. */
void wfi_stages_begin(weft_ctx *ctx, const char *rest);
void wfi_stages_end(weft_ctx *ctx);

/* Needs a `name` with static storage. */
void wfi_stage_enter(weft_ctx *ctx, const char *name);
/* bytes: moved between host and GPU; kernel_ms: time by the GPU's clock, or 0. */
void wfi_stage_leave(weft_ctx *ctx, uint64_t bytes, double kernel_ms);

/* Adds time spent before the recording began. */
void wfi_stage_spent(weft_ctx *ctx, const char *name, double ms);

/* The context's recording. */
wfi_stages *wfi_ctx_stages(weft_ctx *ctx);

WFI_C_END
#endif
