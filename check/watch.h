/* Verifiers end early when the context's cancel callback asks for it: the loops that pass over a graph ask now and
 * then. */
#ifndef WEFT_CHECK_WATCH_H
#define WEFT_CHECK_WATCH_H

#include "weft.h"

#include <stdatomic.h>

/* One for each call of a verifier, shared by its threads.  Once stopped it stays so, and what was found until then
 * means nothing. */
typedef struct check_watch {
    weft_ctx *ctx;
    atomic_int stopped;
} check_watch;

/* For step i of a loop whose steps are some rows or vertices: asks at every 1024th. */
static inline int check_stops(check_watch *w, uint64_t i) {
    int stopped = atomic_load_explicit(&w->stopped, memory_order_relaxed);
    if (stopped || i % 1024) return stopped;
    if (weft_ctx_cancelled(w->ctx)) atomic_store_explicit(&w->stopped, 1, memory_order_relaxed);
    return atomic_load_explicit(&w->stopped, memory_order_relaxed);
}

/* The rows of a graph.  weft_check has asked for them before, and they are kept: this cannot fail. */
static inline weft_csr check_out(const check_watch *w, const weft_graph *g) {
    weft_csr rows = {.size = sizeof rows};
    weft_graph_out(w->ctx, g, &rows);
    return rows;
}

/* What the verifier returns: its own status, unless it was stopped. */
static inline weft_status check_ended(check_watch *w, weft_status st, int *passed) {
    if (!atomic_load_explicit(&w->stopped, memory_order_relaxed)) return st;
    *passed = 0;
    return WEFT_ECANCELLED;
}

#endif
