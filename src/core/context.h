/* State of a context that other rooms use: result columns that stay on the GPU, checkpoints, requests to stop. */
#ifndef WFI_CONTEXT_H
#define WFI_CONTEXT_H

#include "core/core.h"

WFI_C_BEGIN

/* Result columns of a run on the GPU, listed by their host memory while the run goes on. wfi_deliver
 * (cuda/resident.cu) copies a complete column to the host; or, if columns are to stay on the GPU, to a GPU block that
 * is noted here and that run/result.c takes over. Algorithms only deliver their columns; an algorithm whose column is
 * larger than all of its other arrays may build it in such a block (cuda/buffers.cuh). */
enum { WFI_MOST_RESIDENTS = 16 };

struct wfi_device_block; /* cuda/device.h */

typedef struct wfi_resident {
    void *host;
    size_t bytes;
    struct wfi_device_block *block; /* NULL: the column went to the host */
} wfi_resident;

typedef struct wfi_residents {
    bool wanted;           /* by the caller, for all later runs */
    bool open;             /* a run on the GPU is in progress */
    size_t count, touched; /* columns, and columns already prefaulted by wfi_columns_touch */
    wfi_resident at[WFI_MOST_RESIDENTS];
} wfi_residents;

/* The context's. */
wfi_residents *wfi_ctx_residents(weft_ctx *ctx);

/* The caller's settings for checkpoints (run/checkpoint.h). */
typedef struct wfi_checkpoints {
    char *folder;        /* allocated by malloc; NULL: no checkpoints */
    double seconds;      /* between two checkpoints */
    weft_cancel_fn stop; /* asks whether to stop after a checkpoint; may be NULL */
    void *user;
} wfi_checkpoints;
wfi_checkpoints *wfi_ctx_checkpoints(weft_ctx *ctx);

/* Number of polls (wfi_cancelled) that the caller answered with a request to stop. If it has changed since a call
 * began, the call was asked to stop and may have skipped steps. */
uint64_t wfi_ctx_stops(const weft_ctx *ctx);

WFI_C_END
#endif
