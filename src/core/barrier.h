/* A sense-reversing barrier for the threads of a team that meet many times: spin, then yield, then sleep.  It spins as
 * long as a short step takes; then it yields its core, so that a team on a busy machine lets those run whom it waits
 * for; only after milliseconds does it sleep, since a virtual core that sleeps may be given to another machine and
 * comes back late: a search of a thousand steps took three times as long.  (The OpenMP runtime's own spins for
 * milliseconds and does not yield: with another program on the cores ten times as long.) */
#ifndef WFI_BARRIER_H
#define WFI_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct wfi_barrier {
    unsigned threads;
    _Atomic unsigned arrived;
    char apart[64]; /* who waits looks at what follows */
    _Atomic unsigned phase, sleepers;
    pthread_mutex_t lock;
    pthread_cond_t opened;
} wfi_barrier;

void wfi_barrier_open(wfi_barrier *b, int threads);
void wfi_barrier_close(wfi_barrier *b);

/* True for the last to arrive, at once: it may do what concerns all, and then lets them go.  False for the others, when
 * it has. */
bool wfi_barrier_arrive(wfi_barrier *b);
void wfi_barrier_release(wfi_barrier *b);

static inline void wfi_barrier_wait(wfi_barrier *b) {
    if (wfi_barrier_arrive(b)) wfi_barrier_release(b);
}

#endif
