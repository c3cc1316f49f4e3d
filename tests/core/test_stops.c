/* A stopped run never says OK with a wrong answer: every algorithm of the registry, with each of its option sets, is
 * told to stop at each of its last polls in turn, in one thread; at random ones of its last tenth in several threads
 * and on a GPU.  It returns WEFT_ECANCELLED, or the bytes of a run that nobody stopped.
 * The graph is small; those that hardly poll there have a wider one as well, in which loops have several chunks.  With
 * WEFT_STOPS=all (make slow) all have the wide one, and it is larger.  test_stops_graphs.c has what makes graphs. */
#include "graph_matrix.h"
#include "stops.h"
#include "variants.h"

#include "cuda/device.h"

enum { LAST = 60, FEW_POLLS = 60, RANDOM = 60 };

static const matrix_graph small[] = {
    {"small", "random", .n = 240, .m = 1000, .direction = WEFT_DIRECTED, .weights = WHOLE},
    {"small, undirected", "random", .n = 240, .m = 700, .direction = WEFT_UNDIRECTED, .weights = REAL},
    {"dag", "dag", .n = 200, .depth = 9, .degree = 3, .p = (double)NAN, .direction = WEFT_DIRECTED},
};

static const matrix_graph wide[] = {
    {"wide", "uniform", .n = 20000, .degree = 1.5, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"wide, undirected", "uniform", .n = 20000, .degree = 1.5, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
};

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

typedef struct running {
    const weft_algorithm_info *algorithm;
    const variant *v;
    weft_graph *g;
    bool first; /* of the algorithm's option sets */
} running;

static weft_status work_run(weft_ctx *ctx, const void *input, uint64_t *print) {
    const running *run = input;
    weft_result *r = NULL;
    weft_status st = run_variant(ctx, run->algorithm, run->v, run->g, &r);
    forget_stop(ctx);
    if (!st) st = weft_result_digest(ctx, r, print);
    weft_result_free(r);
    return st;
}

static bool is_for(weft_ctx *ctx, const running *run) {
    weft_plan *plan = NULL;
    if (!variant_fits(run->v, run->g)) return false;
    weft_status st = weft_plan_new(ctx, run->algorithm->name, run->g, run->v->params, &plan);
    weft_plan_free(plan);
    if (st == WEFT_EDEVICE && !descriptor_of(run->algorithm)->run_cuda) return false;
    return !refused_as_undirected(run->algorithm, run->g, st) && !refused_by_gpu(run->algorithm, run->v, run->g, st);
}

/* Calls `check` for every option set of every algorithm on the graph. */
typedef void (*run_check)(weft_ctx *ctx, const running *run, const char *what, size_t turn);

static void for_all_runs(weft_ctx *ctx, const matrix_graph *shape, bool forced, run_check check) {
    weft_csr in = {.size = sizeof in};
    size_t turn = 0;
    weft_graph *g = make_matrix_graph(ctx, shape);
    REQUIRE(g && weft_graph_in(ctx, g, &in) == WEFT_OK);
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        variants list = variants_of(weft_algorithm_at(a), g, true);
        for (size_t i = 0; i < list.count; i++) {
            running run = {list.algorithm, &list.at[i], g, i == 0};
            if ((run.v->run && !forced) || !is_for(ctx, &run)) continue;
            char what[256];
            snprintf(what, sizeof what, "%s, %s, of %s", list.algorithm->name, run.v->name, shape->name);
            check(ctx, &run, what, turn++);
        }
        variants_free(&list);
    }
    weft_graph_free(g);
}

/* --- in one thread ------------------------------------------------------------------------- */

static uint64_t polls_of[64]; /* of each algorithm: the fewest of its runs on small graphs */

static size_t number_of(const weft_algorithm_info *a) {
    size_t i = 0;
    while (weft_algorithm_at(i) != a) i++;
    return i;
}

/* A method that a test forces has no plan around it, which hears what is said once. */
static void check_last(weft_ctx *ctx, const running *run, const char *what, size_t turn) {
    (void)turn;
    uint64_t polls = check_last_polls(ctx, work_run, run, LAST, !run->v->run, what);
    uint64_t *fewest = &polls_of[number_of(run->algorithm)];
    if (!*fewest || polls < *fewest) *fewest = polls;
}

static void check_last_of_wide(weft_ctx *ctx, const running *run, const char *what, size_t turn) {
    (void)turn;
    bool all = asked_for_all("WEFT_STOPS");
    if (all || polls_of[number_of(run->algorithm)] < FEW_POLLS)
        check_last_polls(ctx, work_run, run, all ? LAST : LAST / 3, false, what);
}

TEST(one_thread_at_each_of_the_last_polls) {
    for (size_t i = 0; i < LENGTH(small); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        for_all_runs(ctx, &small[i], true, check_last);
        weft_ctx_free(ctx);
    }
    for (size_t a = 0; a < weft_algorithm_count(); a++)
        if (!polls_of[a]) HARNESS_FAIL("%s was not run", weft_algorithm_at(a)->name);
}

TEST(one_thread_where_loops_have_several_chunks) {
    if (under_a_microscope()) SKIP("too long here");
    for (size_t i = 0; i < LENGTH(wide); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        matrix_graph shape = wide[i];
        if (asked_for_all("WEFT_STOPS")) shape.n *= 10;
        for_all_runs(ctx, &shape, false, check_last_of_wide);
        weft_ctx_free(ctx);
    }
}

/* --- in several threads, and on a GPU --------------------------------------------------------- */

/* Each run with the next number of threads: 2 to 7. */
static void check_threads(weft_ctx *ctx, const running *run, const char *what, size_t turn) {
    bool all = asked_for_all("WEFT_STOPS");
    for (size_t threads = 2; threads <= 7; threads++) {
        if (!all && turn % 6 + 2 != threads) continue;
        if (weft_ctx_set_threads(ctx, (int)threads)) exit(1);
        check_random_polls(ctx, work_run, run, under_a_microscope() ? RANDOM / 10 : RANDOM, turn, what);
    }
}

TEST(several_threads_at_random_polls) {
    for (size_t i = 0; i < LENGTH(small); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        for_all_runs(ctx, &small[i], true, check_threads);
        weft_ctx_free(ctx);
    }
}

static void check_gpu(weft_ctx *ctx, const running *run, const char *what, size_t turn) {
    bool all = run->first || asked_for_all("WEFT_STOPS");
    check_random_polls(ctx, work_run, run, all ? RANDOM : RANDOM / 10, turn, what);
}

TEST(a_gpu_at_random_polls) {
    if (no_gpu()) SKIP("no GPU");
    for (size_t i = 0; i < LENGTH(small); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        for_all_runs(ctx, &small[i], false, check_gpu);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
