/* See barrier.h. No wake-up is lost: a sleeper increments the count of sleepers before it reads the phase, and the
 * releaser advances the phase before it reads that count. */
#include "core/barrier.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

enum { SPIN_NS = 50000, YIELD_NS = 4000000, LOOKS = 16 /* spins between two readings of the clock */ };

void wfi_barrier_open(wfi_barrier *b, int threads) {
    b->threads = (unsigned)threads;
    atomic_init(&b->arrived, 0);
    atomic_init(&b->phase, 0);
    atomic_init(&b->sleepers, 0);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->opened, NULL);
}

void wfi_barrier_close(wfi_barrier *b) {
    pthread_cond_destroy(&b->opened);
    pthread_mutex_destroy(&b->lock);
}

static inline void breathe(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb" : : : "memory");
#endif
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool spin(const wfi_barrier *b, unsigned mine) {
    int64_t begin = now(), spent;
    while ((spent = now() - begin) < YIELD_NS) {
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&b->phase, memory_order_acquire) != mine) return true;
            breathe();
        }
        if (spent > SPIN_NS) sched_yield();
    }
    return false;
}

static void sleep_until_open(wfi_barrier *b, unsigned mine) {
    atomic_fetch_add(&b->sleepers, 1);
    pthread_mutex_lock(&b->lock);
    while (atomic_load(&b->phase) == mine) pthread_cond_wait(&b->opened, &b->lock);
    pthread_mutex_unlock(&b->lock);
    atomic_fetch_sub(&b->sleepers, 1);
}

bool wfi_barrier_arrive(wfi_barrier *b) {
    unsigned mine = atomic_load_explicit(&b->phase, memory_order_acquire);
    if (atomic_fetch_add_explicit(&b->arrived, 1, memory_order_acq_rel) + 1 == b->threads) return true;
    if (!spin(b, mine)) sleep_until_open(b, mine);
    return false;
}

void wfi_barrier_release(wfi_barrier *b) {
    atomic_store_explicit(&b->arrived, 0, memory_order_relaxed);
    atomic_fetch_add(&b->phase, 1);
    if (!atomic_load(&b->sleepers)) return;
    pthread_mutex_lock(&b->lock);
    pthread_cond_broadcast(&b->opened);
    pthread_mutex_unlock(&b->lock);
}
