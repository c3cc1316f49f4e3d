/* A child that is forked after a run gives the same bytes, and does not wait for threads that stayed in the parent.
 * Every child has an alarm: one that hangs dies of it, and the test fails. */
#include "answers.h"
#include "graph_matrix.h"
#include "weft/degree.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

enum { THREADS = 4, SECONDS = 120 };

static bool can_fork(void) {
#if defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return false;
#endif
#endif
    return true;
}

#define NEED_FORK \
    if (!can_fork()) SKIP("ThreadSanitizer does not outlive a fork with threads")

/* Runs it in a child; 0 = it returned 0. */
static int in_child(int (*body)(void *given), void *given) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        alarm(SECONDS);
        int rc = body(given);
        fflush(stderr);
        _exit(rc ? 1 : 0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return -1;
    if (WIFSIGNALED(status)) fprintf(stderr, "the child was ended by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

typedef struct scene {
    weft_ctx *ctx;
    weft_graph *g;
    warnings told;
    answers before; /* the fork */
} scene;

static weft_graph *make_graph(weft_ctx *ctx, uint64_t scale) {
    matrix_graph shape = {
        "rmat", "rmat", .scale = scale, .degree = 8, .p = (double)NAN, .direction = WEFT_DIRECTED, .weights = WHOLE};
    return make_matrix_graph(ctx, &shape);
}

/* A graph that all threads are needed for, and the answers about it. */
static void set_up(scene *s) {
    s->ctx = new_ctx(THREADS, &s->told);
    s->g = make_graph(s->ctx, under_a_microscope() ? 12 : asked_for_all("WEFT_FORK") ? 15 : 13);
    CHECK(s->g != NULL);
    CHECK_U64(weft_ctx_threads(s->ctx), THREADS);
    answer_all(s->ctx, s->g, &s->before);
    CHECK(s->before.given > 20);
}

static void tear_down(scene *s) {
    answers_free(&s->before);
    weft_graph_free(s->g);
    CHECK_U64(weft_ctx_memory_in_use(s->ctx), 0);
    weft_ctx_free(s->ctx);
}

static int same_again(weft_ctx *ctx, const scene *s) {
    answers here;
    answer_all(ctx, s->g, &here);
    int differ = answers_differ(&s->before, &here);
    answers_free(&here);
    return differ;
}

/* --- the context and the graph of the parent ------------------------------------------- */

static int with_what_there_was(void *given) {
    scene *s = given;
    int bad = same_again(s->ctx, s);
    if (weft_ctx_threads(s->ctx) != 1) bad++, fprintf(stderr, "there are threads\n");
    if (s->told.count != 1 || !strstr(s->told.text, "forked"))
        bad++, fprintf(stderr, "%d warnings: %s\n", s->told.count, s->told.text);
    answers_free(&s->before);
    weft_graph_free(s->g);
    weft_ctx_free(s->ctx);
    return bad;
}

TEST(a_child_gives_the_same_bytes_and_says_that_it_is_alone) {
    NEED_FORK;
    scene s;
    set_up(&s);
    CHECK_I64(in_child(with_what_there_was, &s), 0);
    CHECK_U64(weft_ctx_threads(s.ctx), THREADS);
    CHECK_I64(same_again(s.ctx, &s), 0);
    CHECK_U64(s.told.count, 0);
    tear_down(&s);
}

static int a_child_of_its_own(void *given) { return in_child(with_what_there_was, given); }

TEST(so_does_its_child) {
    NEED_FORK;
    scene s;
    set_up(&s);
    CHECK_I64(in_child(a_child_of_its_own, &s), 0);
    tear_down(&s);
}

/* --- new ones ---------------------------------------------------------------------------- */

/* Reading, building, writing and running, from the beginning. */
static int all_anew(void *given) {
    (void)given;
    scene s;
    harness_failures = 0;
    s.ctx = new_ctx(THREADS, &s.told);
    s.g = make_graph(s.ctx, 13);
    answer_all(s.ctx, s.g, &s.before);
    int bad = harness_failures + (s.before.given <= 20);
    char folder[256], path[300];
    weft_graph *again = NULL;
    int equal = 0;
    if (!make_temp(folder, sizeof folder)) return 1;
    snprintf(path, sizeof path, "%s/forked.weft", folder);
    bad += weft_write(s.ctx, s.g, path, NULL) || weft_read(s.ctx, path, NULL, &again) ||
           weft_graph_compare(s.ctx, s.g, again, &equal) || !equal;
    weft_graph_free(again);
    remove_temp(folder);
    tear_down(&s);
    return bad;
}

TEST(a_child_can_begin_anew) {
    NEED_FORK;
    scene s;
    set_up(&s);
    CHECK_I64(in_child(all_anew, NULL), 0);
    tear_down(&s);
}

/* --- threads made after the fork ----------------------------------------------------------- */

typedef struct errand {
    const scene *s;
    int bad;
} errand;

static void *on_a_new_thread(void *given) {
    errand *e = given;
    warnings told;
    weft_ctx *ctx = new_ctx(THREADS, &told);
    if (weft_ctx_threads(ctx) != THREADS) e->bad++, fprintf(stderr, "%d threads\n", weft_ctx_threads(ctx));
    e->bad += same_again(ctx, e->s);
    if (told.count) e->bad++, fprintf(stderr, "%s", told.text);
    weft_ctx_free(ctx);
    return NULL;
}

static int two_new_threads(void *given) {
    pthread_t thread[2];
    errand e[2] = {{given, 0}, {given, 0}};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, on_a_new_thread, &e[i])) return 1;
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    return e[0].bad + e[1].bad + same_again(((scene *)given)->ctx, given);
}

TEST(threads_made_in_the_child_have_teams) {
    NEED_FORK;
    scene s;
    set_up(&s);
    CHECK_I64(in_child(two_new_threads, &s), 0);
    tear_down(&s);
}

static void *fork_here(void *given) {
    errand *e = given;
    e->bad = same_again(e->s->ctx, e->s) || in_child(with_what_there_was, (void *)(uintptr_t)e->s);
    return NULL;
}

TEST(another_thread_than_the_first_may_fork) {
    NEED_FORK;
    scene s;
    pthread_t thread;
    set_up(&s);
    errand e = {&s, 0};
    REQUIRE(pthread_create(&thread, NULL, fork_here, &e) == 0);
    pthread_join(thread, NULL);
    CHECK_I64(e.bad, 0);
    tear_down(&s);
}

/* --- a fork while other threads are at work -------------------------------------------------- */

static atomic_int over;

static void *keep_busy(void *given) {
    errand *e = given;
    for (int threads = 2; !over; threads = threads % 12 + 1) { /* numbers that were not tried before, too */
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_result *r = NULL;
        e->bad += weft_degree(ctx, e->s->g, NULL, &r) != WEFT_OK;
        weft_result_free(r);
        weft_ctx_free(ctx);
    }
    return NULL;
}

static int small_work(void *given) {
    (void)given;
    weft_ctx *ctx = new_ctx(THREADS, NULL);
    weft_graph *g = make_graph(ctx, 12);
    weft_result *r = NULL;
    int bad = !g || run_default(ctx, "pagerank", g, &r);
    weft_ctx_set_device(ctx, WEFT_DEVICE_AUTO); /* looks for figures */
    weft_result *again = NULL;
    bad += run_default(ctx, "pagerank", g, &again) || difference(r, again);
    weft_result_free(r);
    weft_result_free(again);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return bad;
}

TEST(other_threads_may_be_at_work_meanwhile) {
    NEED_FORK;
    if (under_a_microscope()) SKIP("AddressSanitizer's allocator may be locked at the fork");
    scene s;
    pthread_t thread[2];
    set_up(&s);
    errand e[2] = {{&s, 0}, {&s, 0}};
    over = 0;
    for (int i = 0; i < 2; i++) REQUIRE(pthread_create(&thread[i], NULL, keep_busy, &e[i]) == 0);
    for (int i = 0; i < 30; i++) CHECK_I64(in_child(small_work, NULL), 0);
    over = 1;
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    CHECK_I64(e[0].bad + e[1].bad, 0);
    tear_down(&s);
}

TEST_MAIN()
