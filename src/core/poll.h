/* Polls for requests to stop once per amount of work, for loops with steps of different lengths (rows). */
#ifndef WFI_POLL_H
#define WFI_POLL_H

#include "core/core.h"

#include <string.h>

/* Steps of some nanoseconds each between two polls. */
#define WFI_POLL_WORK ((uint64_t)1 << 16)

/* State of one thread. */
typedef struct wfi_polling {
    weft_ctx *ctx;
    uint64_t work; /* since the last poll */
    bool stop;     /* the caller requested a stop */
} wfi_polling;

/* Adds `steps` to the work; true if the loop must end. */
static inline bool wfi_poll(wfi_polling *p, uint64_t steps) {
    p->work += steps;
    if (p->work < WFI_POLL_WORK) return p->stop;
    p->work = 0;
    return p->stop = p->stop || wfi_cancelled(p->ctx);
}

/* memset of an array that may take seconds. False if the caller requests a stop; then part of the array is
 * unchanged. */
static inline bool wfi_fill_bytes(weft_ctx *ctx, void *at, int byte, uint64_t bytes) {
    const uint64_t piece = (uint64_t)1 << 24;
    for (uint64_t from = 0; from < bytes; from += piece) {
        if (from && wfi_cancelled(ctx)) return false;
        memset((char *)at + from, byte, (size_t)wfi_min_u64(piece, bytes - from));
    }
    return true;
}

#endif
