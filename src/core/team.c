/* Tests whether threads can be started before they are needed: if the OpenMP runtime cannot create a thread (ulimit
 * -u, a container's limit, no memory for a stack) it ends the process, which a library must not do.
 * Method: as many threads as a team would have wait on a mutex, so that they exist at the same time, and end. Their
 * number bounds all later teams. Limits: another process of the same user may take the slots between test and use;
 * only a runtime of our own could close that gap.
 * After a fork the forked thread works alone: libgomp keeps a pool of threads per thread that starts teams and would
 * wait for pool threads that exist only in the parent. It ignores the pool for a team of one, and a new thread has a
 * new pool (tests/core/test_fork.c). */
#include "core/team.h"

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 4096 }; /* the maximum of weft_ctx_set_threads */

static atomic_int proven = 1;     /* largest number of threads that existed at once */
static atomic_int most = INT_MAX; /* limit found by a failed test */
static atomic_int reason;         /* errno of that failure */

/* Parses "64M", "8 m", "4096" (KiB) as OpenMP defines it; 0 if not set. */
static size_t stack_bytes(void) {
    const char *text = getenv("OMP_STACKSIZE");
    if (!text) text = getenv("GOMP_STACKSIZE");
    if (!text) return 0;
    char *end;
    unsigned long long size = strtoull(text, &end, 10);
    while (*end == ' ') end++;
    unsigned shift = *end == 'b' || *end == 'B'   ? 0
                     : *end == 'm' || *end == 'M' ? 20
                     : *end == 'g' || *end == 'G' ? 30
                                                  : 10;
    return size > SIZE_MAX >> shift ? 0 : (size_t)size << shift;
}

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Number of the `wanted` threads beside this one that can exist at once. */
static int make_and_end(int wanted) {
    static pthread_t threads[MOST]; /* guarded by WFI_LOCK_TRIAL, as all of this function */
    static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    int made = 0, fault = pthread_attr_init(&attributes);
    if (!fault && stack_bytes()) pthread_attr_setstacksize(&attributes, stack_bytes());
    pthread_mutex_lock(&gate);
    while (!fault && made < wanted && !(fault = pthread_create(&threads[made], &attributes, wait_at, &gate))) made++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++) pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    if (fault) atomic_store(&reason, fault);
    return made;
}

static bool fixed;
static pthread_once_t fixed_once = PTHREAD_ONCE_INIT;

/* Threads may take half of a limited address space; each one has a stack, and malloc reserves 64 MiB per thread. */
static void look_at_limit(void) {
    struct rlimit limit;
    pthread_attr_t attributes;
    size_t stack = stack_bytes();
    fixed = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (!fixed || pthread_attr_init(&attributes)) return;
    if (!stack) pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
    uint64_t fit = limit.rlim_cur / 2 / (stack + (64u << 20)) + 1;
    if (fit >= MOST) return;
    atomic_store(&most, (int)fit);
    atomic_store(&reason, ENOMEM);
}

/* True if the address space is limited (ulimit -v). A thread created later might find no memory for its stack, so
 * teams have all threads or one: the OpenMP runtime keeps its threads as long as no smaller team comes in between. */
static bool is_fixed(void) {
    pthread_once(&fixed_once, look_at_limit);
    return fixed;
}

static int try_team(int wanted) {
    is_fixed();               /* sets `most` */
    wfi_lock(WFI_LOCK_TRIAL); /* also watches forks from here on; before the first team they do no harm */
    int known = atomic_load(&proven), largest = atomic_load(&most);
    if (wanted > MOST) wanted = MOST;
    if (wanted > largest) wanted = largest;
    if (wanted > known) {
        int made = make_and_end(wanted - 1) + 1;
        if (made < known) made = known; /* never below an earlier answer */
        if (made < wanted) atomic_store(&most, made);
        atomic_store(&proven, made);
        wanted = made;
    }
    wfi_unlock(WFI_LOCK_TRIAL);
    return wanted;
}

/* Starts the runtime's threads once per thread with teams, while there is memory for their stacks. */
static void start_team(int size) {
    static _Thread_local int started;
    if (size <= started || omp_in_parallel()) return;
    started = size;
#pragma omp parallel num_threads(size)
    {}
}

/* True in a forked thread whose teams stayed in the parent. */
static bool is_orphan(void) {
    return wfi_is_forked_thread() && atomic_load_explicit(&proven, memory_order_relaxed) > 1;
}

int wfi_team(int wanted) {
    if (is_orphan()) return 1;
    if (wanted > atomic_load_explicit(&proven, memory_order_relaxed)) wanted = try_team(wanted);
    if (wanted > 1 && is_fixed()) start_team(wanted);
    return wanted;
}

const char *wfi_team_shortage(void) {
    if (is_orphan())
        return "this process was forked after a run and has no worker threads; a new thread may use them all";
    return atomic_load(&most) == INT_MAX ? NULL : strerror(atomic_load(&reason));
}

/* --- forks: detected by pthread_atfork, since getpid would be a system call per team --- */

static pthread_mutex_t locks[WFI_LOCK_COUNT] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
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

void wfi_detect_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}

unsigned wfi_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }
bool wfi_is_forked_thread(void) { return forked; }

void wfi_lock(int which) {
    wfi_detect_forks();
    pthread_mutex_lock(&locks[which]);
}

void wfi_unlock(int which) { pthread_mutex_unlock(&locks[which]); }
