/* Forks are detected by pthread_atfork, since getpid would be a system call for each team: see team.h. */
#include "core/team.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t locks[WFI_LOCK_COUNT] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                                PTHREAD_MUTEX_INITIALIZER};
static atomic_uint forks;
static _Thread_local bool forked;

static void take_all(void) {
    for (int i = 0; i < WFI_LOCK_COUNT; i++) pthread_mutex_lock(&locks[i]);
}

static void give_all(void) {
    for (int i = WFI_LOCK_COUNT; i-- > 0;) pthread_mutex_unlock(&locks[i]);
}

static void begin_child(void) {
    atomic_fetch_add(&forks, 1);
    forked = true;
    give_all();
}

static void watch(void) { pthread_atfork(take_all, give_all, begin_child); }

void wfi_watched_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}

unsigned wfi_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }
bool wfi_is_forked_thread(void) { return forked; }

void wfi_lock(int which) {
    wfi_watched_forks();
    pthread_mutex_lock(&locks[which]);
}

void wfi_unlock(int which) { pthread_mutex_unlock(&locks[which]); }
