/* What the caller wants of checkpoints (algo/checkpoint.h): where they go, how often, and who says when to stop. */
#ifndef WFI_CHECKPOINTS_H
#define WFI_CHECKPOINTS_H

#include "core/core.h"

typedef struct wfi_checkpoints {
    char *folder; /* of malloc; NULL: none are written */
    double seconds;
    weft_cancel_fn stop; /* or NULL */
    void *user;
} wfi_checkpoints;

/* The context's. */
wfi_checkpoints *wfi_ctx_checkpoints(weft_ctx *ctx);

#endif
