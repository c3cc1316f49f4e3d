/* The crew of crew.h.  Encoding: a ticket is the job's number << 8 and the next share.  Shares are taken by compare-and-swap on it, so that
 * nobody takes a share of a job that has made way for another: a job's place is used again when all its shares are done. */
#include "cuda/crew.h"

#include <omp.h>
#include <sched.h>
#include <time.h>

enum { NUMBER_AT = 8, YIELD_EVERY = 64, DOZE_AFTER = 1 << 14, DOZE_NS = 20000 };

/* After so many pauses. */
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

/* Takes and does a share of the job; false when there is none left. */
static bool do_share(wfi_crew *crew, uint64_t number) {
    unsigned place = (unsigned)(number % WFI_CREW_JOBS);
    uint64_t ticket = __atomic_load_n(&crew->at[place].ticket, __ATOMIC_ACQUIRE);
    do {
        if (ticket >> NUMBER_AT != number || (ticket & ((1 << NUMBER_AT) - 1)) >= WFI_CREW_SHARES) return false;
    } while (!__atomic_compare_exchange_n(&crew->at[place].ticket, &ticket, ticket + 1, true, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    crew->at[place].work(crew->at[place].job, (unsigned)(ticket & ((1 << NUMBER_AT) - 1)));
    __atomic_fetch_add(&crew->at[place].done, 1, __ATOMIC_RELEASE);
    return true;
}

static void serve(wfi_crew *crew) {
    unsigned pauses = 0;
    for (uint64_t number = 0; !__atomic_load_n(&crew->over, __ATOMIC_ACQUIRE);) {
        if (__atomic_load_n(&crew->posted, __ATOMIC_ACQUIRE) <= number) {
            wait_a_moment(++pauses);
            continue;
        }
        pauses = 0;
        if (!do_share(crew, number)) number++;
    }
}

void wfi_crew_run(wfi_crew *crew, int threads, void (*body)(void *given), void *given) {
    *crew = (wfi_crew){.posted = 0};
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() == 0) {
        body(given);
        __atomic_store_n(&crew->over, true, __ATOMIC_RELEASE);
    } else {
        serve(crew);
    }
}

uint64_t wfi_crew_post(wfi_crew *crew, wfi_crew_work work, void *job) {
    uint64_t number = crew->posted;
    unsigned place = (unsigned)(number % WFI_CREW_JOBS);
    crew->at[place].work = work;
    crew->at[place].job = job;
    __atomic_store_n(&crew->at[place].done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&crew->at[place].ticket, number << NUMBER_AT, __ATOMIC_RELEASE);
    __atomic_store_n(&crew->posted, number + 1, __ATOMIC_RELEASE);
    return number;
}

bool wfi_crew_done(const wfi_crew *crew, uint64_t number) {
    return __atomic_load_n(&crew->at[number % WFI_CREW_JOBS].done, __ATOMIC_ACQUIRE) == WFI_CREW_SHARES;
}

void wfi_crew_help(wfi_crew *crew) {
    while (crew->oldest < crew->posted && wfi_crew_done(crew, crew->oldest)) crew->oldest++;
    for (uint64_t number = crew->oldest; number < crew->posted; number++)
        if (do_share(crew, number)) return;
    wait_a_moment(++crew->idle % DOZE_AFTER); /* the one who posts does not doze */
}
