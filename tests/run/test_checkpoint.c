/* Checkpoints: a run that is stopped after any iteration, on any number of ranks, and gone on with on any other gives
 * the bytes of one that was never stopped.  A disk that is full ends no run that could go on.  What is refused:
 * test_checkpoint_refused.c. */
#include "graph_matrix.h"

#include "checkpoint_support.h"
#include "weft/pagerank.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

/* --- stopped and gone on with ----------------------------------------------------------- */

/* Stopped after iteration `at` of `all` on some ranks, gone on with on others: the state of the last rank to hear of it
 * counts. */
static void stop_and_go(attempt *a, uint64_t at, uint64_t all, int first, int second, const char *name) {
    char path[512];
    a->stop_after = at;
    a->listener = first > 1 ? first - 1 : 0;
    try_on(a, first);
    if (a->st != WEFT_ECANCELLED || !a->info.stopped || a->info.iteration != at)
        HARNESS_FAIL("%s, %s: not stopped after %" PRIu64 ": %s", a->algorithm, name, at, a->message);
    a->stop_after = 0;
    try_on(a, second);
    if (a->st || *a->trouble || a->info.resumed_from != at || a->info.written)
        HARNESS_FAIL("%s, %s: %d to %d ranks after %" PRIu64 " of %" PRIu64 ": %s %s", a->algorithm, name, first,
                     second, at, all, a->trouble, a->message);
    path_of(a, path);
    CHECK_U64(count_entries(a->folder), 1);
    CHECK(!unlink(path));
}

static const struct { int first, second; } turns[] = {{3, 5}, {5, 3}, {1, 4}, {3, 0}, {0, 5}, {0, 0}};

/* Each option set, stopped after an iteration that the dice choose on three ranks and gone on with on five; and in some
 * other way after the last. */
static int stop_variants(weft_ctx *ctx, const weft_algorithm_info *algorithm, const weft_graph *g, const char *folder,
                         dice *d) {
    variants list = variants_of(algorithm, g, false);
    int done = 0;
    for (size_t i = 0; i < list.count; i++) {
        const variant *v = &list.at[i];
        weft_result *expected = NULL;
        if (v->run || !variant_fits(v, g)) continue;
        if (wfi_run(ctx, algorithm->name, g, v->params, &expected)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
        uint64_t all = expected ? weft_result_scalar(expected, "iterations")->value.u64 : 0;
        attempt a = {algorithm->name, v->params, g, folder, .seconds = 1e6, .expected = expected};
        size_t other = 1 + i % (LENGTH(turns) - 1);
        if (!all) HARNESS_FAIL("%s, %s: no iterations", algorithm->name, v->name);
        stop_and_go(&a, 1 + roll(d, all), all, turns[0].first, turns[0].second, v->name);
        stop_and_go(&a, all, all, turns[other].first, turns[other].second, v->name);
        done += 2;
        weft_result_free(expected);
    }
    variants_free(&list);
    return done;
}

TEST(a_run_goes_on_with_the_same_bytes_on_any_number_of_ranks) {
    static const matrix_graph graphs[] = {
        {"weighted", "random", .n = 1003, .m = 6000, .direction = WEFT_DIRECTED, .weights = REAL},
        {"undirected", "random", .n = 801, .m = 2000, .direction = WEFT_UNDIRECTED, .weights = WHOLE},
    };
    char folder[300];
    dice d = {.seed = (uint64_t)getpid()};
    REQUIRE(make_temp(folder, sizeof folder));
    printf("  seed %" PRIu64 "\n", d.seed);
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        for (size_t k = 0; g && k < weft_algorithm_count(); k++) {
            const weft_algorithm_info *algorithm = weft_algorithm_at(k);
            if (!algorithm->checkpoints) continue;
            int done = stop_variants(ctx, algorithm, g, folder, &d);
            if (done < 4) HARNESS_FAIL("%s was stopped %d times only", algorithm->name, done);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    remove_temp(folder);
}

/* Ranks are swept in four parts and scaled after each iteration; of the parts each rank has a range. */
TEST(parts_that_are_swept_in_turn_go_on_from_the_ranks_and_shares_that_they_had) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *expected = NULL;
    weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS;
    char folder[300];
    p.n = 200003, p.degree = 3;
    rank.max_iterations = 6;
    rank.tolerance = 0;
    REQUIRE(make_temp(folder, sizeof folder));
    REQUIRE(weft_generate(ctx, "uniform", &p, NULL, &g) == WEFT_OK);
    REQUIRE(weft_pagerank(ctx, g, &rank, &expected) == WEFT_OK);
    attempt a = {"pagerank", &rank, g, folder, .seconds = 1e6, .expected = expected};
    stop_and_go(&a, 2, 6, 3, 5, "parts");
    stop_and_go(&a, 4, 6, 0, 3, "parts");
    stop_and_go(&a, 5, 6, 2, 0, "parts");
    weft_result_free(expected);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(stopped_after_each_iteration_a_run_still_ends_as_it_should) {
    stage s;
    REQUIRE(set_up(&s));
    s.a.stop_after = 1;
    for (uint64_t i = 1; i <= 12; i++) {
        s.a.listener = (int)(i % 2);
        try_on(&s.a, (int)(2 + i % 4));
        CHECK_U64(s.a.info.iteration, i);
        CHECK(s.a.info.stopped);
    }
    s.a.listener = 0;
    try_on(&s.a, 0);
    CHECK(!s.a.st && !*s.a.trouble);
    CHECK_U64(s.a.info.resumed_from, 12);
    tear_down(&s);
}

static void stop_hearing(attempt *a) { (void)a; }

TEST(every_0_seconds_is_after_each_iteration_and_never_is_never) {
    stage s;
    REQUIRE(set_up(&s));
    s.a.meanwhile = stop_hearing;
    s.a.seconds = 0;
    try_on(&s.a, 3);
    CHECK(!s.a.st && !*s.a.trouble);
    CHECK_U64(s.a.info.written, 12);
    CHECK_U64(s.a.info.iteration, 12);
    CHECK(!unlink(s.path));
    s.a.seconds = 1e6;
    try_on(&s.a, 3);
    CHECK_U64(s.a.info.written, 0);
    CHECK_U64(count_entries(s.folder), 0);
    tear_down(&s);
}

TEST(the_file_is_forgotten_on_request) {
    stage s;
    REQUIRE(set_up(&s));
    leave_one(&s, 3);
    weft_plan *plan = NULL;
    REQUIRE(weft_ctx_set_checkpoint(s.ctx, s.folder, 1, NULL, NULL) == WEFT_OK);
    REQUIRE(weft_plan_new(s.ctx, "hits", s.g, &s.params, &plan) == WEFT_OK);
    CHECK(weft_plan_forget_checkpoint(plan) == WEFT_OK);
    CHECK(access(s.path, F_OK) != 0);
    CHECK(weft_plan_forget_checkpoint(plan) == WEFT_OK);
    weft_plan_free(plan);
    tear_down(&s);
}

/* --- folders and disks ------------------------------------------------------------------------ */

TEST(a_folder_is_made_but_not_the_folders_above_it) {
    stage s;
    char below[400], deep[500];
    REQUIRE(set_up(&s));
    snprintf(below, sizeof below, "%s/new", s.folder);
    snprintf(deep, sizeof deep, "%s/other/new", s.folder);
    s.a.folder = below;
    leave_one(&s, 3);
    CHECK_U64(count_entries(below), 1);
    s.a.folder = deep;
    try_on(&s.a, 3);
    CHECK(s.a.st == WEFT_EIO && strstr(s.a.message, "/other/new: cannot make the folder: No such file or directory"));
    snprintf(below, sizeof below, "%s/file", s.folder);
    CHECK(write_file(below, "x", 1));
    s.a.folder = below;
    try_on(&s.a, 0);
    CHECK(s.a.st == WEFT_EIO && strstr(s.a.message, "/file: cannot open the folder: Not a directory"));
    tear_down(&s);
}

static rlim_t set_file_limit(rlim_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit)) exit(1);
    rlim_t old = limit.rlim_cur;
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit)) exit(1);
    return old;
}

/* After iteration 7 no file may be longer than the head. */
static void run_out_of_disk(attempt *a) {
    static int times;
    if (!a) times = 0;
    if (a && ++times == 7) set_file_limit(4096);
}

TEST(a_full_disk_costs_a_checkpoint_and_not_the_run) {
    stage s;
    REQUIRE(set_up(&s));
    signal(SIGXFSZ, SIG_IGN);
    run_out_of_disk(NULL);
    s.a.seconds = 0;
    s.a.meanwhile = run_out_of_disk;
    rlim_t old = set_file_limit(RLIM_INFINITY);
    try_on(&s.a, 3);
    set_file_limit(old);
    CHECK(!s.a.st && !*s.a.trouble);
    CHECK_U64(s.a.info.written, 6);
    CHECK_U64(s.a.said.count, 6);
    CHECK(strstr(s.a.said.text, "no checkpoint of iteration 7: ") &&
          strstr(s.a.said.text, "File too large; the run goes on"));
    CHECK_TEXT(s.a.message, "");
    CHECK_U64(count_entries(s.folder), 1); /* that of iteration 6, and nothing beside it */
    s.a.meanwhile = NULL;
    s.a.seconds = 1e6;
    try_on(&s.a, 2);
    CHECK_U64(s.a.info.resumed_from, 6);
    CHECK(!s.a.st && !*s.a.trouble);
    tear_down(&s);
}

TEST(a_run_that_is_to_stop_but_cannot_save_its_state_says_so) {
    stage s;
    REQUIRE(set_up(&s));
    signal(SIGXFSZ, SIG_IGN);
    run_out_of_disk(NULL);
    s.a.meanwhile = run_out_of_disk;
    s.a.stop_after = 9;
    rlim_t old = set_file_limit(RLIM_INFINITY);
    try_on(&s.a, 3);
    set_file_limit(old);
    CHECK(s.a.st == WEFT_EIO && !s.a.info.stopped);
    CHECK(strstr(s.a.message, "stopped on request after iteration 9, but without a checkpoint: "));
    CHECK_U64(count_entries(s.folder), 0);
    tear_down(&s);
}

static void take_folder_away(attempt *a) { remove_temp(a->folder); }

TEST(a_folder_that_goes_away_costs_a_checkpoint_and_not_the_run) {
    stage s;
    REQUIRE(set_up(&s));
    s.a.seconds = 0;
    s.a.meanwhile = take_folder_away;
    try_on(&s.a, 3);
    CHECK(!s.a.st && !*s.a.trouble);
    CHECK(strstr(s.a.said.text, "No such file or directory; the run goes on"));
    tear_down(&s);
}

static void run_beside(attempt *a) {
    attempt other = *a;
    other.meanwhile = NULL;
    try_on(&other, 0);
    if (other.st != WEFT_EIO || !strstr(other.message, ": another run has its checkpoints there"))
        snprintf(a->said.text, sizeof a->said.text, "not refused: %s", other.message);
}

TEST(one_run_at_a_time_uses_a_folder) {
    stage s;
    REQUIRE(set_up(&s));
    s.a.meanwhile = run_beside;
    try_on(&s.a, 0);
    CHECK(!s.a.st && !*s.a.trouble);
    CHECK_TEXT(s.a.said.text, "");
    tear_down(&s);
}

/* --- memory and requests ------------------------------------------------------------------------ */

TEST(every_allocation_may_fail) {
    stage s;
    REQUIRE(set_up(&s));
    leave_one(&s, 3);
    weft_status st = WEFT_ENOMEM;
    for (uint64_t allowed = 0; st == WEFT_ENOMEM && allowed < 100; allowed++) {
        counting memory = {.allowed = allowed};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_result *r = NULL;
        REQUIRE(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &memory) == WEFT_OK);
        REQUIRE(weft_ctx_set_checkpoint(ctx, s.folder, 1e6, NULL, NULL) == WEFT_OK);
        st = weft_hits(ctx, s.g, &s.params, &r);
        CHECK(st == WEFT_OK || st == WEFT_ENOMEM);
        CHECK(st || same_results(r, s.expected));
        weft_result_free(r);
        weft_ctx_free(ctx);
        CHECK_U64(memory.live_blocks, 0);
    }
    CHECK(st == WEFT_OK);
    tear_down(&s);
}

/* A request to stop at once leaves no state behind but that of the iteration before. */
TEST(cancelling_writes_nothing) {
    stage s;
    REQUIRE(set_up(&s));
    for (int calls = 0; calls < 40; calls++) {
        _Atomic int left = calls;
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        REQUIRE(weft_ctx_set_checkpoint(ctx, s.folder, 0, NULL, NULL) == WEFT_OK);
        weft_status st = weft_hits(ctx, s.g, &s.params, &r);
        CHECK(st == WEFT_OK || st == WEFT_ECANCELLED);
        weft_result_free(r);
        weft_ctx_free(ctx);
        CHECK(count_entries(s.folder) <= 1);
    }
    try_on(&s.a, 3);
    CHECK(!s.a.st && !*s.a.trouble);
    CHECK(s.a.info.resumed_from > 0);
    tear_down(&s);
}

TEST_MAIN()
