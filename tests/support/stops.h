/* Work that is told to stop at one of its polls: it returns WEFT_ECANCELLED, or what it gives when nobody stops it. */
#ifndef WEFT_TESTS_STOPS_H
#define WEFT_TESTS_STOPS_H

#include "support.h"

/* A callback that counts how often it is asked.  It says stop at poll `at` (the first is 0), and at those that follow
 * unless `once`. */
typedef struct stop_at {
    _Atomic uint64_t polls;
    uint64_t at;
    bool once;
} stop_at;

#define NEVER UINT64_MAX

static inline int asked_at(void *user) {
    stop_at *s = user;
    uint64_t poll = atomic_fetch_add(&s->polls, 1);
    return s->once ? poll == s->at : poll >= s->at;
}

/* Does the work; *print is of what it made, computed after forget_stop. */
typedef weft_status (*printed_work)(weft_ctx *ctx, const void *input, uint64_t *print);

static inline void forget_stop(weft_ctx *ctx) { weft_ctx_set_cancel(ctx, NULL, NULL); }

/* Polls of a run that nobody stops. */
static inline uint64_t count_polls(weft_ctx *ctx, printed_work work, const void *input, uint64_t *print,
                                   weft_status *st) {
    stop_at s = {.at = NEVER};
    weft_ctx_set_cancel(ctx, asked_at, &s);
    *st = work(ctx, input, print);
    forget_stop(ctx);
    return atomic_load(&s.polls);
}

/* Is the work right when it is stopped at that poll?  Else `why` says what is wrong. */
static inline bool stops_right(weft_ctx *ctx, printed_work work, const void *input, uint64_t want, stop_at *s,
                               char why[200]) {
    uint64_t print = 0, held = weft_ctx_memory_in_use(ctx);
    weft_ctx_set_cancel(ctx, asked_at, s);
    weft_status st = work(ctx, input, &print);
    forget_stop(ctx);
    uint64_t left = weft_ctx_memory_in_use(ctx);
    bool cancelled = st == WEFT_ECANCELLED && !strcmp(weft_ctx_message(ctx), "stopped on request");
    *why = 0;
    if (st == WEFT_OK && print != want) snprintf(why, 200, "WEFT_OK with another answer");
    if (st && !cancelled) snprintf(why, 200, "status %d: %.150s", (int)st, weft_ctx_message(ctx));
    if (!*why && left != held) snprintf(why, 200, "%" PRIu64 " bytes are held, before it %" PRIu64, left, held);
    return !*why;
}

/* At each of the last `most` polls of a run of one thread, as a request that lasts and as one that is said once. */
static inline uint64_t check_last_polls(weft_ctx *ctx, printed_work work, const void *input, uint64_t most, bool once,
                                        const char *what) {
    uint64_t want, wrong = 0, first = 0;
    weft_status st;
    char why[200], shown[200] = "";
    uint64_t polls = count_polls(ctx, work, input, &want, &st);
    if (st) {
        HARNESS_FAIL("%s: status %d: %s", what, (int)st, weft_ctx_message(ctx));
        return 0;
    }
    if (!polls) HARNESS_FAIL("%s never asks whether to stop", what);
    for (uint64_t at = polls > most ? polls - most : 0; at < polls; at++)
        for (int how = 0; how < 1 + once; how++) {
            stop_at s = {.at = at, .once = how != 0};
            if (stops_right(ctx, work, input, want, &s, why)) continue;
            if (!wrong++) first = at, memcpy(shown, why, sizeof shown);
        }
    if (wrong)
        HARNESS_FAIL("%s: wrong at %" PRIu64 " of the last %" PRIu64 " of %" PRIu64 " polls, first at %" PRIu64 ": %s",
                     what, wrong, polls < most ? polls : most, polls, first, shown);
    return polls;
}

/* At `times` polls at random of the last tenth. */
static inline void check_random_polls(weft_ctx *ctx, printed_work work, const void *input, int times, uint64_t seed,
                                      const char *what) {
    uint64_t want;
    weft_status st;
    char why[200];
    uint64_t polls = count_polls(ctx, work, input, &want, &st), tenth = polls / 10 + 1;
    if (st) HARNESS_FAIL("%s: status %d: %s", what, (int)st, weft_ctx_message(ctx));
    for (int i = 0; i < times && !st; i++) {
        stop_at s = {.at = polls - 1 - random_at(seed, (uint64_t)i) % tenth};
        if (stops_right(ctx, work, input, want, &s, why)) continue;
        HARNESS_FAIL("%s: stopped at poll %" PRIu64 " of about %" PRIu64 ": %s", what, s.at, polls, why);
        return;
    }
}

#endif
