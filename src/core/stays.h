/* Columns of a result that stay on the GPU.  While a run goes on, the context lists the columns it has made (their memory on
 * the host); wfi_deliver (cuda/stays.cu), given one of them whole, copies it aside on the GPU instead and notes the copy here;
 * algo/result.c takes the copies over.  Algorithms deliver their columns and know no more of it, but one whose column is large beside all else may make it there
 * at once (cuda/stays.cuh). */
#ifndef WFI_STAYS_H
#define WFI_STAYS_H

#include "core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WFI_MOST_STAYS = 16 };

struct wfi_device_block; /* cuda/device.h */

typedef struct wfi_stay {
    void *host;
    size_t bytes;
    struct wfi_device_block *block; /* NULL: it went to the host */
} wfi_stay;

typedef struct wfi_stays {
    bool wanted; /* by the caller, for all runs to come */
    bool open;   /* a run on the GPU goes on */
    size_t count;
    wfi_stay at[WFI_MOST_STAYS];
} wfi_stays;

/* The context's. */
wfi_stays *wfi_ctx_stays(weft_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
