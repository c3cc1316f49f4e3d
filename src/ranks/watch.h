/* Who looks after the ranks while they run: a thread on each that notices when another rank of its machine is gone, or
 * when this one has waited too long.  The ranks of a machine share a page, the board, where each shows its process, how
 * many collective calls it has made, and since when it waits in one.  All ranks make the same calls in the same order,
 * so that the board tells who has not come.  Nothing of it uses the transport: a rank that hangs would not answer. */
#ifndef WFI_WATCH_H
#define WFI_WATCH_H

#include "core/core.h"

#include <stdatomic.h>

struct wfi_comm;

/* A rank's place on the board. */
typedef struct wfi_watched {
    _Atomic int32_t rank, process;
    _Atomic uint64_t calls; /* that have returned */
    _Atomic uint64_t since; /* ms: when the one began that has not; 0: there is none */
    _Atomic int32_t left;   /* it ends as it should */
} wfi_watched;

typedef struct wfi_watch {
    wfi_watched *own;
    struct wfi_looking *looking;
} wfi_watch;

/* Together.  seconds: that a rank may wait, 0 = as long as it takes. */
weft_status wfi_watch_new(weft_ctx *ctx, struct wfi_comm *comm, double seconds, weft_rank_lost_fn lost, void *user,
                          wfi_watch **out);
/* This rank leaves. */
void wfi_watch_free(wfi_watch *watch);

/* Around a collective call; watch may be NULL. */
static inline void wfi_watch_enter(wfi_watch *watch) {
    if (watch) atomic_store(&watch->own->since, (uint64_t)wfi_now_ms() + 1);
}
static inline void wfi_watch_leave(wfi_watch *watch) {
    if (!watch) return;
    atomic_store(&watch->own->since, 0);
    atomic_fetch_add(&watch->own->calls, 1);
}

#endif
