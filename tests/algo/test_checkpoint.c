/* Checkpoints: a run that is stopped after any iteration, on any number of ranks, and gone on with on any other gives the bytes of one that was never
 * stopped.  What is damaged or of another run is refused, and a disk that is full ends no run that could go on. */
#include "graph_matrix.h"
#include "variants.h"
#include "virtual_ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

/* One run: on `ranks` ranks, or 0: in a process that has no ranks. */
typedef struct attempt {
    const char *algorithm;
    const void *params;
    const weft_graph *g;
    const char *folder;
    double seconds;
    uint64_t stop_after; /* iterations of this run; 0 = it goes on to the end */
    int listener;        /* the rank that hears the request */
    const weft_result *expected;
    void (*meanwhile)(struct attempt *a); /* on that rank, after each iteration */
    weft_status st;                       /* the first rank's */
    char message[512], trouble[256];
    weft_checkpoint_info info;
    warnings said;
} attempt;

typedef struct ear {
    attempt *a;
    uint64_t heard;
    bool listens;
} ear;

static int asked_to_stop(void *user) {
    ear *e = user;
    if (e->listens && e->a->meanwhile) e->a->meanwhile(e->a);
    return e->listens && ++e->heard == e->a->stop_after;
}

/* What the first rank has learned; the result of all ranks must be as expected. */
static void judge(attempt *a, weft_ctx *ctx, weft_plan *plan, weft_status st, const weft_result *whole) {
    const char *where = !st && a->expected ? difference(whole, a->expected) : NULL;
    a->st = st;
    snprintf(a->message, sizeof a->message, "%s", weft_ctx_message(ctx));
    if (where) snprintf(a->trouble, sizeof a->trouble, "differs in %s", where);
    a->info = (weft_checkpoint_info){.size = sizeof a->info};
    if (plan && weft_plan_checkpoint(plan, &a->info)) snprintf(a->trouble, sizeof a->trouble, "no info");
}

static void run_part(weft_ctx *ctx, wfi_comm *comm, void *user) {
    attempt *a = user;
    int rank = comm ? comm->link.rank : 0;
    ear e = {.a = a, .listens = rank == a->listener};
    weft_plan *plan = NULL;
    weft_result *r = NULL, *whole = NULL;
    if (!rank) weft_ctx_set_warning(ctx, note_warning, &a->said);
    weft_status st = weft_ctx_set_checkpoint(ctx, a->folder, a->seconds, asked_to_stop, &e);
    if (!st) st = weft_plan_new(ctx, a->algorithm, a->g, a->params, &plan);
    if (!st) st = weft_plan_run(plan, &r);
    if (comm && !st) {
        uint64_t sent[MOST_RANKS], planned[MOST_RANKS];
        st = weft_plan_ranks(plan, WEFT_RANK_SENT, sent);
        if (!st) st = weft_plan_ranks(plan, WEFT_RANK_SENDS, planned);
        if (!st && sent[rank] != planned[rank])
            snprintf(a->trouble, sizeof a->trouble, "rank %d sent %" PRIu64 " bytes, by the plan %" PRIu64, rank,
                     sent[rank], planned[rank]);
        if (!st) st = weft_plan_gather(plan, r, &whole);
    }
    if (!rank) judge(a, ctx, plan, st, comm ? whole : r);
    weft_result_free(whole);
    weft_result_free(r);
    weft_plan_free(plan);
}

static void try_on(attempt *a, int ranks) {
    a->said = (warnings){0, ""};
    *a->trouble = 0;
    if (ranks) {
        on_ranks(ranks, run_part, a);
        return;
    }
    weft_ctx *ctx = new_ctx(2, NULL);
    run_part(ctx, NULL, a);
    weft_ctx_free(ctx);
}

static void path_of(const attempt *a, char path[512]) {
    snprintf(path, 512, "%.200s/%.40s.checkpoint", a->folder, a->algorithm);
}

/* --- stopped and gone on with ----------------------------------------------------------- */

/* Stopped after iteration `at` of `all` on some ranks, gone on with on others: the state of the last rank to hear of it counts. */
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

/* Each option set, stopped after an iteration that the dice choose on three ranks and gone on with on five; and in some other way after the last. */
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

/* --- one small graph for all that follows ------------------------------------------------- */

typedef struct stage {
    weft_ctx *ctx;
    weft_graph *g, *other; /* other: as many vertices and arcs */
    weft_hits_params params;
    weft_result *expected;
    char folder[300], path[512];
    attempt a;
} stage;

static weft_graph *small_graph(weft_ctx *ctx, uint64_t seed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = 203, p.m = 900, p.seed = seed;
    build.duplicates = WEFT_DUPLICATES_KEEP; /* so that all have as many arcs */
    if (weft_generate(ctx, "uniform", &p, &build, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static bool set_up(stage *s) {
    *s = (stage){.ctx = new_ctx(1, NULL), .params = WEFT_HITS_DEFAULTS};
    s->params.iterations = 12;
    s->g = small_graph(s->ctx, 1);
    if (!s->g || !make_temp(s->folder, sizeof s->folder)) return false;
    s->a = (attempt){"hits", &s->params, s->g, s->folder, .seconds = 1e6};
    path_of(&s->a, s->path);
    return weft_hits(s->ctx, s->g, &s->params, &s->expected) == WEFT_OK && (s->a.expected = s->expected);
}

static void tear_down(stage *s) {
    remove_temp(s->folder);
    weft_result_free(s->expected);
    weft_graph_free(s->other);
    weft_graph_free(s->g);
    weft_ctx_free(s->ctx);
}

/* Leaves a checkpoint of iteration 5. */
static void leave_one(stage *s, int ranks) {
    s->a.stop_after = 5;
    try_on(&s->a, ranks);
    CHECK(s->a.info.stopped && s->a.info.iteration == 5);
    s->a.stop_after = 0;
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

/* --- what is refused -------------------------------------------------------------------------- */

static void check_refused(stage *s, int ranks, const char *words, const char *what) {
    try_on(&s->a, ranks);
    if (s->a.st != WEFT_EINPUT || !strstr(s->a.message, words) || !strstr(s->a.message, s->folder))
        HARNESS_FAIL("%s: status %d: %s", what, (int)s->a.st, s->a.message);
}

/* In place: making the file anew each time takes the disk some milliseconds. */
static bool flip(int fd, size_t at) {
    unsigned char byte;
    if (pread(fd, &byte, 1, (off_t)at) != 1) return false;
    byte ^= 0x10;
    return pwrite(fd, &byte, 1, (off_t)at) == 1;
}

TEST(a_byte_that_is_not_as_it_was_is_noticed_wherever_it_is) {
    stage s;
    struct stat facts;
    REQUIRE(set_up(&s));
    leave_one(&s, 3);
    int fd = open(s.path, O_RDWR);
    REQUIRE(fd >= 0 && !fstat(fd, &facts) && facts.st_size == 4096 + 16 * 203);
    size_t bytes = (size_t)facts.st_size;
    for (size_t at = 0; at < bytes;
         at += at < 128 || (at > 3900 && at < 4200) ? 1 : 13) { /* fields; and here and there */
        char what[32];
        snprintf(what, sizeof what, "byte %zu", at);
        REQUIRE(flip(fd, at));
        check_refused(&s, at % 97 ? 0 : 3,
                      at < 16   ? "is no checkpoint of Weft's"
                      : at < 24 ? "another order of bytes"
                                : "is damaged: ",
                      what);
        REQUIRE(flip(fd, at));
    }
    close(fd);
    try_on(&s.a, 2);
    CHECK(!s.a.st && !*s.a.trouble && s.a.info.resumed_from == 5);
    tear_down(&s);
}

TEST(a_file_of_another_length_is_refused) {
    static const size_t lengths[] = {
        0, 1, 15, 4095, 4096, 4097, 4096 + 8 * 203, 4096 + 16 * 203 - 1, 4096 + 16 * 203 + 1};
    stage s;
    size_t bytes;
    REQUIRE(set_up(&s));
    leave_one(&s, 0);
    char *file = read_file(s.path, &bytes);
    REQUIRE(file && bytes == 4096 + 16 * 203);
    for (size_t i = 0; i < LENGTH(lengths); i++) { /* the byte more is the 0 that read_file adds */
        REQUIRE(write_file(s.path, file, lengths[i]));
        check_refused(&s, i % 2 ? 2 : 0, lengths[i] < 4096 ? "is no checkpoint of Weft's" : "is damaged: it has",
                      "length");
    }
    free(file);
    tear_down(&s);
}

TEST(what_belongs_to_another_run_is_refused_and_stays) {
    stage s;
    size_t before, after;
    REQUIRE(set_up(&s));
    leave_one(&s, 3);
    char *file = read_file(s.path, &before);
    s.params.iterations = 13;
    check_refused(&s, 0, "is of a run with iterations=12, and this one has iterations=13", "iterations");
    check_refused(&s, 3, "is of a run with iterations=12, and this one has iterations=13", "iterations");
    s.params.iterations = 12;
    s.params.tolerance = 0.5;
    check_refused(&s, 2, "is of a run with tolerance=1e-08, and this one has tolerance=0.5", "tolerance");
    s.params = (weft_hits_params)WEFT_HITS_DEFAULTS;
    s.params.iterations = 12;
    s.other = small_graph(s.ctx, 2);
    REQUIRE(s.other && weft_graph_arcs(s.other) == weft_graph_arcs(s.g));
    s.a.g = s.other;
    check_refused(&s, 0, "is of another graph, with as many vertices and arcs", "graph");
    check_refused(&s, 3, "is of another graph, with as many vertices and arcs", "graph");
    weft_graph *smaller = read_text(s.ctx, "0 1\n1 2\n", NULL);
    s.a.g = smaller;
    check_refused(&s, 0, "is of a graph with 203 vertices and 1015 arcs, and this one has 3 and 2", "size");
    weft_graph_free(smaller);
    s.a.g = s.g;
    char *still = read_file(s.path, &after);
    CHECK(before == after && file && still && !memcmp(file, still, before));
    free(file), free(still);
    try_on(&s.a, 5);
    CHECK(!s.a.st && !*s.a.trouble);
    tear_down(&s);
}

/* Weights count where they are used, and only there; a vector of the caller's counts. */
TEST(weights_and_vectors_tell_runs_apart) {
    char folder[300];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1 5\n1 2 7\n2 0 1\n2 1 1\n", NULL),
               *h = read_text(ctx, "0 1 5\n1 2 7\n2 0 1\n2 1 2\n", NULL);
    double restart[] = {1, 0, 2};
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    REQUIRE(g && h && make_temp(folder, sizeof folder));
    attempt a = {"pagerank", &p, g, folder, .seconds = 1e6, .stop_after = 2};
    try_on(&a, 0);
    a.g = h;
    try_on(&a, 0); /* weights do not count: it goes on */
    CHECK(a.info.resumed_from == 2 && a.info.iteration == 4);
    p.restart = restart;
    try_on(&a, 0);
    CHECK(a.st == WEFT_EINPUT && strstr(a.message, "is of a run with personalize=none"));
    p.restart = NULL;
    remove_temp(folder);
    p.weights = 1;
    a.g = g;
    try_on(&a, 0);
    CHECK(a.info.stopped);
    a.g = h;
    try_on(&a, 0);
    CHECK(a.st == WEFT_EINPUT && strstr(a.message, "is of another graph"));
    weft_graph_free(g);
    weft_graph_free(h);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(algorithms_without_checkpoints_and_the_gpu_are_refused_by_name) {
    stage s;
    weft_plan *plan = NULL;
    REQUIRE(set_up(&s));
    REQUIRE(weft_ctx_set_checkpoint(s.ctx, s.folder, 1, NULL, NULL) == WEFT_OK);
    CHECK(weft_plan_new(s.ctx, "bfs", s.g, NULL, &plan) == WEFT_EUNSUPPORTED && !plan);
    CHECK_TEXT(weft_ctx_message(s.ctx), "bfs: it has no checkpoints to go on from");
    weft_ctx_set_device(s.ctx, WEFT_DEVICE_CUDA);
    CHECK(weft_plan_new(s.ctx, "hits", s.g, NULL, &plan) == WEFT_EDEVICE && !plan);
    weft_ctx_set_device(s.ctx, WEFT_DEVICE_AUTO);
    REQUIRE(weft_plan_new(s.ctx, "hits", s.g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CPU);
    weft_plan_free(plan);
    CHECK(weft_ctx_set_checkpoint(s.ctx, "", 1, NULL, NULL) == WEFT_EINVAL);
    CHECK(weft_ctx_set_checkpoint(s.ctx, s.folder, -1, NULL, NULL) == WEFT_EINVAL);
    CHECK(weft_ctx_set_checkpoint(s.ctx, NULL, 0, NULL, NULL) == WEFT_OK);
    CHECK(weft_plan_new(s.ctx, "bfs", s.g, NULL, &plan) == WEFT_OK);
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
