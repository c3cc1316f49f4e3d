/* Sense-reversing barrier for the threads of a team that synchronise often: spin, then yield, then sleep. It spins as
 * long as a short step takes. Then it yields its core, so that on a busy machine the threads it waits for can run. It
 * sleeps only after milliseconds: a virtual core that sleeps may be given to another machine and come back late (a
 * search of a thousand steps took three times as long). OpenMP's own barrier spins for milliseconds without yielding:
 * ten times as long beside another program. */
#ifndef WFI_BARRIER_H
#define WFI_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct wfi_barrier {
    unsigned threads;
    _Atomic unsigned arrived;
    char apart[64]; /* keeps `arrived` off the cache line that waiting threads read */
    _Atomic unsigned phase, sleepers;
    pthread_mutex_t lock;
    pthread_cond_t opened;
} wfi_barrier;

void wfi_barrier_open(wfi_barrier *b, int threads);
void wfi_barrier_close(wfi_barrier *b);

/* Returns true for the last thread to arrive, at once: it may do serial work and then calls wfi_barrier_release.
 * Returns false for the others, after the release. */
bool wfi_barrier_arrive(wfi_barrier *b);
void wfi_barrier_release(wfi_barrier *b);

static inline void wfi_barrier_wait(wfi_barrier *b) {
    if (wfi_barrier_arrive(b)) wfi_barrier_release(b);
}

#endif
