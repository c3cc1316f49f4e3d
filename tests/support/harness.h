/* The test harness: one header, no library, so that tests also run where nothing can be installed.
 *
 *   TEST(an_empty_graph_has_no_arcs) { CHECK(arcs == 0); CHECK_U64(n, 3); CHECK_TEXT(message, "bad"); }
 *   TEST(the_gpu_agrees) { if (!gpu) SKIP("no GPU here"); ... }
 *   TEST_MAIN()
 *
 * A failed CHECK is reported with file, line and values, and the test goes on; REQUIRE leaves the test.  The program
 * ends with "N passed, N failed, N skipped"; arguments choose tests by part of their name.  Exit code 0 all right,
 * 1 something failed, 77 everything was skipped. */
#ifndef WEFT_TESTS_HARNESS_H
#define WEFT_TESTS_HARNESS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct harness_test {
    const char *name;
    void (*run)(void);
    struct harness_test *next;
} harness_test;

static harness_test *harness_first, **harness_last = &harness_first;
static int harness_failures;            /* in the running test */
static const char *harness_skip_reason; /* of the running test */

static inline void harness_add(harness_test *t) {
    *harness_last = t;
    harness_last = &t->next;
}

#define TEST(title)                                                                                             \
    static void title(void);                                                                                    \
    static harness_test harness_entry_##title = {#title, title, NULL};                                          \
    __attribute__((constructor)) static void harness_add_##title(void) { harness_add(&harness_entry_##title); } \
    static void title(void)

#define SKIP(reason)                    \
    do {                                \
        harness_skip_reason = (reason); \
        return;                         \
    } while (0)

#define HARNESS_FAIL(...)                               \
    do {                                                \
        harness_failures++;                             \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__);                   \
        fputc('\n', stderr);                            \
    } while (0)

#define CHECK(condition)                                           \
    do {                                                           \
        if (!(condition)) HARNESS_FAIL("expected %s", #condition); \
    } while (0)

#define REQUIRE(condition)                         \
    do {                                           \
        if (!(condition)) {                        \
            HARNESS_FAIL("needed %s", #condition); \
            return;                                \
        }                                          \
    } while (0)

/* Unsigned, signed, floating and text comparisons that show both values. */
#define CHECK_U64(got, want)                                                              \
    do {                                                                                  \
        uint64_t g_ = (uint64_t)(got), w_ = (uint64_t)(want);                             \
        if (g_ != w_) HARNESS_FAIL("%s is %" PRIu64 ", expected %" PRIu64, #got, g_, w_); \
    } while (0)
#define CHECK_I64(got, want)                                                              \
    do {                                                                                  \
        int64_t g_ = (int64_t)(got), w_ = (int64_t)(want);                                \
        if (g_ != w_) HARNESS_FAIL("%s is %" PRId64 ", expected %" PRId64, #got, g_, w_); \
    } while (0)
#define CHECK_NEAR(got, want, tolerance)                                                     \
    do {                                                                                     \
        double g_ = (double)(got), w_ = (double)(want), d_ = g_ > w_ ? g_ - w_ : w_ - g_;    \
        if (!(d_ <= (tolerance))) HARNESS_FAIL("%s is %.17g, expected %.17g", #got, g_, w_); \
    } while (0)
#define CHECK_TEXT(got, want)                                                            \
    do {                                                                                 \
        const char *g_ = (got), *w_ = (want);                                            \
        if (strcmp(g_, w_)) HARNESS_FAIL("%s is \"%s\", expected \"%s\"", #got, g_, w_); \
    } while (0)
#define CHECK_HAS(text, part)                                                                            \
    do {                                                                                                 \
        const char *t_ = (text), *p_ = (part);                                                           \
        if (!strstr(t_, p_)) HARNESS_FAIL("%s is \"%s\", expected it to contain \"%s\"", #text, t_, p_); \
    } while (0)

static inline bool harness_chosen(const char *name, int argc, char **argv) {
    if (argc < 2) return true;
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i])) return true;
    return false;
}

static inline int harness_main(int argc, char **argv) {
    int passed = 0, failed = 0, skipped = 0;
    for (harness_test *t = harness_first; t; t = t->next) {
        if (!harness_chosen(t->name, argc, argv)) continue;
        harness_failures = 0;
        harness_skip_reason = NULL;
        t->run();
        if (harness_failures) {
            failed++;
            printf("FAILED  %s\n", t->name);
        } else if (harness_skip_reason) {
            skipped++;
            printf("skipped %s: %s\n", t->name, harness_skip_reason);
        } else {
            passed++;
        }
        fflush(stdout);
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    if (failed) return 1;
    return passed ? 0 : 77;
}

#define TEST_MAIN() \
    int main(int argc, char **argv) { return harness_main(argc, argv); }

#endif
