/* Where the time of a run goes: named stages, recorded in the context between wfi_stages_begin and wfi_stages_end.
 *
 *     wfi_stage_enter(ctx, "upload");
 *     ...
 *     wfi_stage_leave(ctx, bytes, 0);
 *
 * A stage inside another takes its time from it, so that the stages add up to the whole.  Entering a stage again adds
 * to it.  Outside of a recording nothing happens.  Only the thread that entered the library may call. */
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
    double since; /* when the innermost open stage was entered, or came back to */
} wfi_stages;

/* Forgets what was recorded.  Time that no stage claims goes to `rest`. */
void wfi_stages_begin(weft_ctx *ctx, const char *rest);
void wfi_stages_end(weft_ctx *ctx);

/* name is static text. */
void wfi_stage_enter(weft_ctx *ctx, const char *name);
/* bytes moved between host and GPU, and time by the GPU's own clock, if any. */
void wfi_stage_leave(weft_ctx *ctx, uint64_t bytes, double kernel_ms);

/* Time spent before the recording began. */
void wfi_stage_spent(weft_ctx *ctx, const char *name, double ms);

/* The context's. */
wfi_stages *wfi_ctx_stages(weft_ctx *ctx);

WFI_C_END
#endif
