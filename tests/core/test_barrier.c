/* The barrier for teams: nobody passes before all have come, what the last one does is seen by all, and sleepers are woken. */
#include "core/barrier.h"
#include "support.h"

#include <time.h>

enum { THREADS = 5, ROUNDS = 2000, NAPS = 3 };

typedef struct meeting {
    wfi_barrier barrier;
    _Atomic unsigned came; /* in all rounds together */
    unsigned told;         /* by the last of a round, as a plain variable */
    _Atomic unsigned early, untold, lasts;
} meeting;

static void nap(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

static void *meet(void *user) {
    meeting *m = user;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        /* Sometimes one is late by far more than the others spin. */
        if (atomic_fetch_add(&m->came, 1) % THREADS == 0 && round <= NAPS) nap();
        if (wfi_barrier_arrive(&m->barrier)) {
            m->told = round;
            atomic_fetch_add(&m->lasts, 1);
            wfi_barrier_release(&m->barrier);
        }
        if (atomic_load(&m->came) < round * THREADS) atomic_fetch_add(&m->early, 1);
        if (m->told != round) atomic_fetch_add(&m->untold, 1);
        wfi_barrier_wait(&m->barrier);
    }
    return NULL;
}

TEST(all_meet_in_each_round) {
    meeting m = {.told = 0};
    pthread_t threads[THREADS];
    wfi_barrier_open(&m.barrier, THREADS);
    for (int i = 0; i < THREADS; i++) REQUIRE(!pthread_create(&threads[i], NULL, meet, &m));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    wfi_barrier_close(&m.barrier);
    CHECK_U64(atomic_load(&m.early), 0);
    CHECK_U64(atomic_load(&m.untold), 0);
    CHECK_U64(atomic_load(&m.lasts), ROUNDS);
    CHECK_U64(atomic_load(&m.came), THREADS * ROUNDS);
}

TEST(one_alone_waits_for_nobody) {
    wfi_barrier b;
    wfi_barrier_open(&b, 1);
    for (int i = 0; i < 3; i++) {
        CHECK(wfi_barrier_arrive(&b));
        wfi_barrier_release(&b);
    }
    wfi_barrier_close(&b);
}

TEST_MAIN()
