/* A stage that lasts keeps telling: whoever asks whether to stop also says that the work goes on, but only in the thread that
 * entered the library; and a team has the threads that can be made. */
#include "support.h"

#include "core/core.h"
#include "core/team.h"

#include <pthread.h>
#include <time.h>

typedef struct told {
    _Atomic int count;
    char stage[64];
    uint64_t done;
} told;

static void listen(void *user, const char *stage, uint64_t done, uint64_t total) {
    told *t = user;
    (void)total;
    t->count++;
    t->done = done;
    snprintf(t->stage, sizeof t->stage, "%s", stage);
}

static void nap(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

/* Asks until a stage that was just told is told again, for a minute at most. */
static void ask_until_told(weft_ctx *ctx, const told *t) {
    int before = t->count;
    for (int i = 0; i < 30000 && t->count == before; i++) {
        nap();
        wfi_cancelled(ctx);
    }
}

static void *ask(void *ctx) {
    wfi_cancelled(ctx);
    return NULL;
}

TEST(asking_whether_to_stop_tells_the_stage_again) {
    told t = {0}, later = {0};
    weft_ctx *ctx = new_ctx(1, NULL), *clock = new_ctx(1, NULL);
    wfi_cancelled(ctx); /* nobody listens, and there is no stage */
    weft_ctx_set_progress(ctx, listen, &t);
    wfi_cancelled(ctx);
    CHECK_U64(t.count, 0);
    wfi_progress(ctx, "first", 1, 9);
    CHECK_U64(t.count, 1);
    wfi_progress(ctx, "second", 2, 9); /* too soon to be told, but not forgotten */
    wfi_cancelled(ctx);
    CHECK_U64(t.count, 1);
    ask_until_told(ctx, &t);
    CHECK_U64(t.count, 2);
    CHECK(!strcmp(t.stage, "second") && t.done == 2);
    /* When another context would tell again, this one would, too: but not in another thread. */
    pthread_t other;
    weft_ctx_set_progress(clock, listen, &later);
    wfi_progress(clock, "clock", 0, 0);
    ask_until_told(clock, &later);
    CHECK_U64(later.count, 2);
    REQUIRE(pthread_create(&other, NULL, ask, ctx) == 0);
    pthread_join(other, NULL);
    CHECK_U64(t.count, 2);
    weft_ctx_free(ctx);
    weft_ctx_free(clock);
}

TEST(a_share_that_is_done_waits_for_the_others_aloud) {
    told t = {0};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_ctx_set_progress(ctx, listen, &t);
    wfi_progress(ctx, "sharing", 0, 0);
    _Atomic int through = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 2; i++)
            for (int k = 0; i && k < 30000 && t.count < 2; k++) nap();
        wfi_share_done(ctx, &through);
    }
    CHECK(t.count >= 2);
    weft_ctx_free(ctx);
}

TEST(a_team_is_not_larger_than_asked_for_and_stays_what_it_was) {
    int five = wfi_team(5);
    CHECK(five >= 1 && five <= 5);
    CHECK_U64(wfi_team(1), 1);
    CHECK_U64(wfi_team(5), five);
    int many = wfi_team(40);
    CHECK(many >= five && many <= 40);
    CHECK_U64(wfi_team(40), many);
    CHECK_U64(wfi_team(5), five);
}

TEST_MAIN()
