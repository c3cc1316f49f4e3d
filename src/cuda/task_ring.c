/* task_ring.h.  Encoding: a ticket is the job's number << 8
 *  the next share.  Shares are taken by compare-and-swap on the ticket, so that no thread takes a share of a job whose
 *  place has a new job: a place is used again when all shares of its job are done. */
#include "cuda/task_ring.h"

#include <omp.h>
#include <sched.h>
#include <time.h>

enum { NUMBER_AT = 8, YIELD_EVERY = 64, DOZE_AFTER = 1 << 14, DOZE_NS = 20000 };

/* Waits longer the more pauses there have been. */
static void wait_a_moment(unsigned pauses) {
    if (pauses > DOZE_AFTER) {
        nanosleep(&(struct timespec){0, DOZE_NS}, NULL);
    } else if (pauses % YIELD_EVERY == 0) {
        sched_yield();
    } else {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }
}

/* Takes and does a share of the job; false if no share is left. */
static bool do_share(wfi_task_ring *ring, uint64_t number) {
    unsigned place = (unsigned)(number % WFI_TASK_RING_JOBS);
    uint64_t ticket = __atomic_load_n(&ring->at[place].ticket, __ATOMIC_ACQUIRE);
    do {
        if (ticket >> NUMBER_AT != number || (ticket & ((1 << NUMBER_AT) - 1)) >= WFI_TASK_SHARES) return false;
    } while (!__atomic_compare_exchange_n(&ring->at[place].ticket, &ticket, ticket + 1, true, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    ring->at[place].work(ring->at[place].job, (unsigned)(ticket & ((1 << NUMBER_AT) - 1)));
    __atomic_fetch_add(&ring->at[place].done, 1, __ATOMIC_RELEASE);
    return true;
}

static void serve(wfi_task_ring *ring) {
    unsigned pauses = 0;
    for (uint64_t number = 0; !__atomic_load_n(&ring->over, __ATOMIC_ACQUIRE);) {
        if (__atomic_load_n(&ring->posted, __ATOMIC_ACQUIRE) <= number) {
            wait_a_moment(++pauses);
            continue;
        }
        pauses = 0;
        if (!do_share(ring, number)) number++;
    }
}

void wfi_task_ring_run(wfi_task_ring *ring, int threads, void (*body)(void *given), void *given) {
    *ring = (wfi_task_ring){.posted = 0};
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
        body(given);
        __atomic_store_n(&ring->over, true, __ATOMIC_RELEASE);
    } else {
        serve(ring);
    }
}

uint64_t wfi_task_ring_post(wfi_task_ring *ring, wfi_task work, void *job) {
    uint64_t number = ring->posted;
    unsigned place = (unsigned)(number % WFI_TASK_RING_JOBS);
    ring->at[place].work = work;
    ring->at[place].job = job;
    __atomic_store_n(&ring->at[place].done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->at[place].ticket, number << NUMBER_AT, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->posted, number + 1, __ATOMIC_RELEASE);
    return number;
}

bool wfi_task_ring_done(const wfi_task_ring *ring, uint64_t number) {
    return __atomic_load_n(&ring->at[number % WFI_TASK_RING_JOBS].done, __ATOMIC_ACQUIRE) == WFI_TASK_SHARES;
}

void wfi_task_ring_help(wfi_task_ring *ring) {
    while (ring->oldest < ring->posted && wfi_task_ring_done(ring, ring->oldest)) ring->oldest++;
    for (uint64_t number = ring->oldest; number < ring->posted; number++)
        if (do_share(ring, number)) return;
    wait_a_moment(++ring->idle % DOZE_AFTER); /* the posting thread never sleeps */
}
