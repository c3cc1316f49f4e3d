/* Pages that are there before they are needed: the first write to a page of fresh memory costs as much as filling
 * it. */
#ifndef WFI_TOUCH_H
#define WFI_TOUCH_H

#include "core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wfi_span {
    void *begin;
    size_t bytes;
} wfi_span;

/* Writes to every page what it holds, with all threads, until the caller asks to stop.  Nobody else may write
 * meanwhile. */
void wfi_touch(weft_ctx *ctx, const wfi_span *span, size_t spans);

#ifdef __cplusplus
}
#endif
#endif
