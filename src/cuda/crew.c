/* The crew of crew.h.  A job's place is used again when all its shares are done, so nobody can still be looking at it. */
#include "cuda/crew.h"

#include <sched.h>

enum { PATIENCE = 64 }; /* pauses before another thread may have the core */

void wfi_crew_pause(void) {
    static _Thread_local unsigned turns;
    if (++turns % PATIENCE == 0)
        sched_yield();
    else
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#else
        sched_yield();
#endif
}

/* Waits for job number `number`; false when the crew is dismissed. */
static bool await(const wfi_crew *crew, uint64_t number) {
    while (__atomic_load_n(&crew->posted, __ATOMIC_ACQUIRE) <= number) {
        if (__atomic_load_n(&crew->over, __ATOMIC_ACQUIRE)) return false;
        wfi_crew_pause();
    }
    return !__atomic_load_n(&crew->over, __ATOMIC_ACQUIRE);
}

static void *serve(void *given) {
    wfi_crew *crew = given;
    unsigned me = __atomic_fetch_add(&crew->begun, 1, __ATOMIC_RELAXED);
    for (uint64_t number = 0; await(crew, number); number++) {
        unsigned place = (unsigned)(number % WFI_CREW_JOBS);
        crew->at[place].work(crew->at[place].job, me, crew->count);
        __atomic_fetch_add(&crew->at[place].done, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

void wfi_crew_open(wfi_crew *crew, unsigned threads) {
    *crew = (wfi_crew){.count = 0};
    unsigned most = threads < WFI_CREW_MOST ? threads : WFI_CREW_MOST;
    /* Nobody looks at count before the first job is posted, which releases it. */
    while (crew->count < most && !pthread_create(&crew->thread[crew->count], NULL, serve, crew)) crew->count++;
}

uint64_t wfi_crew_post(wfi_crew *crew, wfi_crew_work work, void *job) {
    uint64_t number = crew->posted;
    unsigned place = (unsigned)(number % WFI_CREW_JOBS);
    crew->at[place].work = work;
    crew->at[place].job = job;
    __atomic_store_n(&crew->at[place].done, 0, __ATOMIC_RELAXED);
    if (!crew->count) work(job, 0, 1);
    __atomic_store_n(&crew->posted, number + 1, __ATOMIC_RELEASE);
    return number;
}

bool wfi_crew_done(const wfi_crew *crew, uint64_t number) {
    return __atomic_load_n(&crew->at[number % WFI_CREW_JOBS].done, __ATOMIC_ACQUIRE) == crew->count;
}

void wfi_crew_close(wfi_crew *crew) {
    __atomic_store_n(&crew->over, true, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < crew->count; i++) pthread_join(crew->thread[i], NULL);
    crew->count = 0;
}
