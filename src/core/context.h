/* What a context keeps for other rooms: columns that stay on the GPU, checkpoints, and requests to stop. */
#ifndef WFI_CONTEXT_H
#define WFI_CONTEXT_H

#include "core/core.h"

WFI_C_BEGIN

/* The columns that a run on the GPU has made (their memory on the host), listed while it goes on.  wfi_deliver
 * (cuda/resident.cu), given one of them whole, fills it; or, where columns are to stay on the GPU, copies it aside
 * there and notes the copy here, and run/result.c takes the copies over.  Algorithms deliver their columns and need
 * not know, except that one whose column is larger than everything else may build it there directly
 * (cuda/buffers.cuh). */
enum { WFI_MOST_RESIDENTS = 16 };

struct wfi_device_block; /* cuda/device.h */

typedef struct wfi_resident {
    void *host;
    size_t bytes;
    struct wfi_device_block *block; /* NULL: it went to the host */
} wfi_resident;

typedef struct wfi_residents {
    bool wanted;           /* by the caller, for all runs to come */
    bool open;             /* a run on the GPU goes on */
    size_t count, touched; /* columns, and how many of them were seen to by wfi_columns_touch */
    wfi_resident at[WFI_MOST_RESIDENTS];
} wfi_residents;

/* The context's. */
wfi_residents *wfi_ctx_residents(weft_ctx *ctx);

/* What the caller wants of checkpoints (run/checkpoint.h): where they go, how often, and who says when to stop. */
typedef struct wfi_checkpoints {
    char *folder; /* of malloc; NULL: none are written */
    double seconds;
    weft_cancel_fn stop; /* or NULL */
    void *user;
} wfi_checkpoints;
wfi_checkpoints *wfi_ctx_checkpoints(weft_ctx *ctx);

/* The caller's cancel callback, NULL if there is none, and its argument. */
weft_cancel_fn wfi_ctx_cancel(const weft_ctx *ctx, void **user);

/* How often the caller has answered a poll (wfi_cancelled) with a request to stop.  Where the number is not what it was
 * when a call began, the call was to stop, and some step may have been left out. */
uint64_t wfi_ctx_stops(const weft_ctx *ctx);

WFI_C_END
#endif
