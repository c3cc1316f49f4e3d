/* How a run goes where it goes: a small one without waking the GPU, its stages; with a GPU, every call to CUDA failing
 * in turn.  An algorithm meets each kind of failure on one graph, and its calls on several; with
 * WEFT_DEVICE_FAILURES=all (make slow) on both.  Algorithms are dealt out to the parts of the test. */
#include "cuda/device.h"
#include "graph_matrix.h"
#include "run/costs.h"
#include "variants.h"
#include "weft/labelprop.h"
#include "weft/layout.h"
#include "weft/pagerank.h"

#include <pthread.h>

/* CUDA's numbers. */
enum { OUT_OF_MEMORY = 2, DEVICE_UNAVAILABLE = 46, ILLEGAL_ADDRESS = 700 };

static const matrix_graph graphs[] = {
    {"rmat", "rmat", .scale = 13, .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"rmat, undirected", "rmat", .scale = 13, .degree = 16, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
};

/* Always worth it. */
static const wfi_costs any = {"any", {1, 1000000, 1000000, 0, 0}, {0, 0, 0, 0, 0}};
static const wfi_machine_costs easy = {.machine = "made up", .threads = 1, .count = 1, .at = &any};

/* Runs first: nothing here has touched a GPU yet. */
TEST(a_small_graph_does_not_wake_the_gpu) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1\n1 2\n", NULL);
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    REQUIRE(g && weft_plan_new(ctx, "pagerank", g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CPU);
    CHECK(weft_plan_device_reason(plan)[0] != '\0');
    CHECK(weft_plan_run(plan, &r) == WEFT_OK);
    CHECK(!wfi_cuda_started());
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- stages ----------------------------------------------------------------------------------------- */

static const weft_stage *stage_of(const weft_result *r, const char *name) {
    for (size_t i = 0; i < weft_result_stage_count(r); i++)
        if (!strcmp(weft_result_stage_at(r, i)->name, name)) return weft_result_stage_at(r, i);
    return NULL;
}

TEST(a_run_on_the_cpu_tells_the_transpose_from_the_rest) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = make_matrix_graph(
        ctx, &(matrix_graph){"rmat", "rmat", .scale = 10, .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED});
    REQUIRE(g != NULL);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    for (int again = 0; again < 2; again++) {
        weft_result *r = NULL;
        REQUIRE(weft_labelprop(ctx, g, NULL, &r) == WEFT_OK);
        CHECK(stage_of(r, "run") && stage_of(r, "run")->ms > 0);
        CHECK((stage_of(r, "transpose") != NULL) == !again); /* it is made once */
        CHECK(weft_result_device_column(r, "label") == NULL && weft_result_device_column(r, NULL) == NULL);
        CHECK(weft_result_stage_at(r, weft_result_stage_count(r)) == NULL);
        weft_result_free(r);
    }
    CHECK(weft_result_device_column(NULL, "label") == NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- with a GPU ---------------------------------------------------------------------------------------- */

typedef struct trial {
    weft_ctx *ctx;
    const weft_algorithm_info *algorithm;
    const void *params;
    const weft_graph *g;
    const weft_result *want;
    const char *graph;
    warnings *said;
} trial;

/* The defaults, but few steps where each makes the same calls again. */
static const void *params_of(const char *algorithm) {
    static const weft_layout_params few_steps = {WEFT_SIZE_UP_TO(weft_layout_params, seed), .steps = 2, .seed = 1};
    return strcmp(algorithm, "layout") ? NULL : &few_steps;
}

static void complain(const trial *t, long after, const char *what) {
    HARNESS_FAIL("%s of %s, CUDA's call %ld fails: %s", t->algorithm->name, t->graph, after, what);
}

/* A context goes on after every third failure. */
enum { GO_ON = 3 };

/* A run in which CUDA's call number `after` fails; true when it was not reached. */
static bool fails_well(const trial *t, long after, int error, bool lasts) {
    weft_result *r = NULL;
    wfi_cuda_inject_failure(after, error, lasts);
    weft_status st = wfi_run(t->ctx, t->algorithm->name, t->g, t->params, &r);
    wfi_cuda_inject_failure(0, 0, false);
    if (!st) {
        if (difference(t->want, r)) complain(t, after, "another answer");
        weft_result_free(r);
        return true;
    }
    if (st != (error == OUT_OF_MEMORY ? WEFT_ENOMEM : WEFT_EDEVICE)) complain(t, after, "another status");
    if (r || !strstr(weft_ctx_message(t->ctx), "the GPU failed in ")) complain(t, after, weft_ctx_message(t->ctx));
    if (after % GO_ON && !asked_for_all("WEFT_DEVICE_FAILURES")) return false;
    st = wfi_run(t->ctx, t->algorithm->name, t->g, t->params, &r); /* the context can go on */
    if (st)
        complain(t, after, weft_ctx_message(t->ctx));
    else if (difference(t->want, r))
        complain(t, after, "another answer afterwards");
    weft_result_free(r);
    return false;
}

static bool falls_back(const trial *t, long after, int error, bool lasts) {
    weft_result *r = NULL;
    int before = t->said->count;
    wfi_cuda_inject_failure(after, error, lasts);
    weft_status st = wfi_run(t->ctx, t->algorithm->name, t->g, t->params, &r);
    wfi_cuda_inject_failure(0, 0, false);
    if (st)
        complain(t, after, weft_ctx_message(t->ctx));
    else if (difference(t->want, r))
        complain(t, after, "another answer from the CPU");
    bool on_gpu = !st && stage_of(r, "context");
    if (!st && !on_gpu && after > 1 && t->said->count == before) complain(t, after, "nothing was said");
    weft_result_free(r);
    return on_gpu;
}

/* At each of the first calls; later, where rounds repeat the same ones, at some. */
static void fail_everywhere(const trial *t, bool (*run)(const trial *t, long after, int error, bool lasts), int error,
                            bool lasts) {
    enum { EACH = 12, MOST = 1 << 16 };
    int before = harness_failures;
    long after = 0;
    while (!run(t, after, error, lasts) && harness_failures == before && after < MOST) after += 1 + after / EACH;
    if (after < 3 || after >= MOST) complain(t, after, "no call was missed, or it never gets through");
}

/* Does a run hold anything on the GPU?  A loop that is known needs none for `cycle`. */
static bool needs_gpu(weft_ctx *ctx, const char *algorithm, const weft_graph *g) {
    weft_plan *plan = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    bool needs = !weft_plan_new(ctx, algorithm, g, NULL, &plan) && weft_plan_device_bytes(plan) > 0;
    weft_plan_free(plan);
    return needs;
}

/* One algorithm on a graph whose copy is made anew; false where the GPU does not serve it. */
static bool one_algorithm(const weft_algorithm_info *a, const matrix_graph *graph, weft_device device, int error,
                          bool lasts) {
    warnings said;
    weft_ctx *ctx = new_ctx(2, &said);
    weft_graph *g = make_matrix_graph(ctx, graph);
    weft_result *want = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    bool served = wfi_run(ctx, a->name, g, params_of(a->name), &want) == WEFT_OK && needs_gpu(ctx, a->name, g);
    if (served) {
        trial t = {ctx, a, params_of(a->name), g, want, graph->name, &said};
        weft_ctx_set_device(ctx, device);
        fail_everywhere(&t, device == WEFT_DEVICE_CUDA ? fails_well : falls_back, error, lasts);
    }
    weft_result_free(want);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    return served;
}

/* Every algorithm with a GPU version, on one of the graphs: the next kind of failure (turn) finds it on the other. */
static void each_algorithm(size_t turn, weft_device device, int error, bool lasts) {
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const weft_algorithm_info *info = weft_algorithm_at(a);
        if (!info->on_cuda || a % part_of_test().of != part_of_test().at) continue;
        for (size_t i = 0; i < LENGTH(graphs); i++) {
            bool served = one_algorithm(info, &graphs[(i + turn + a) % LENGTH(graphs)], device, error, lasts);
            if (served && !asked_for_all("WEFT_DEVICE_FAILURES")) break;
        }
    }
}

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

TEST(the_context_can_be_made_ahead_of_time) {
    weft_device_begin();
    weft_device_begin(); /* no second one */
    weft_device_settle();
    weft_device_settle(); /* nothing to wait for */
    CHECK(wfi_cuda_started() == !no_gpu());
}

TEST(every_failure_of_the_gpu_is_told_and_leaves_nothing) {
    if (no_gpu()) SKIP("no GPU");
    each_algorithm(0, WEFT_DEVICE_CUDA, OUT_OF_MEMORY, false);
    each_algorithm(1, WEFT_DEVICE_CUDA, ILLEGAL_ADDRESS, false);
    each_algorithm(2, WEFT_DEVICE_CUDA, DEVICE_UNAVAILABLE, true);
}

TEST(what_the_gpu_fails_at_the_cpu_does) {
    if (no_gpu()) SKIP("no GPU");
    wfi_machine_costs_pretend(&easy);
    each_algorithm(1, WEFT_DEVICE_AUTO, OUT_OF_MEMORY, false);
    each_algorithm(0, WEFT_DEVICE_AUTO, DEVICE_UNAVAILABLE, true);
    wfi_machine_costs_pretend(NULL);
}

/* Runs on the GPU that would take for ever end when asked, whichever time they are asked. */
TEST(a_run_on_the_gpu_stops_on_request) {
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.iterations = 1000000000;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        REQUIRE(g);
        for (int polls = 0; polls < 30; polls += 7) {
            _Atomic int left = polls;
            weft_result *r = NULL;
            weft_ctx_set_cancel(ctx, stop_after, &left);
            CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_ECANCELLED && !r);
        }
        weft_ctx_set_cancel(ctx, NULL, NULL);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_run_on_the_gpu_has_its_stages) {
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = make_matrix_graph(ctx, &graphs[0]);
    REQUIRE(g != NULL);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int again = 0; again < 2; again++) {
        weft_result *r = NULL;
        REQUIRE(weft_pagerank(ctx, g, NULL, &r) == WEFT_OK);
        CHECK(stage_of(r, "iterations") && stage_of(r, "iterations")->kernel_ms > 0);
        CHECK((stage_of(r, "upload") != NULL) == !again);
        CHECK((stage_of(r, "relabel") != NULL) == !again);
        if (!again && stage_of(r, "upload"))
            CHECK(stage_of(r, "upload")->bytes >= 4 * out_rows(g).arcs + 8 * (uint64_t)weft_graph_vertices(g));
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Of rows and of edges there are as many as a run finds: their columns come. */
static bool is_of_vertices(const weft_result *r, const char *column) {
    const weft_column *c = weft_result_column(r, column);
    return c && c->shape == WEFT_SHAPE_VERTICES;
}

static bool serves_defaults(const weft_algorithm_info *info, const weft_graph *g) {
    const wfi_algorithm *a = (const wfi_algorithm *)(const void *)info;
    return info->on_cuda && !(a->serves_cuda && a->serves_cuda(g, info->params_standard));
}

/* Columns that stay there are the same bytes when they come, and go with the result. */
TEST(results_can_stay_on_the_gpu) {
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const weft_algorithm_info *info = weft_algorithm_at(a);
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[1]);
        weft_result *cpu = NULL, *gpu = NULL;
        weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
        weft_ctx_set_results_on_device(ctx, 1);
        if (serves_defaults(info, g) && wfi_run(ctx, info->name, g, NULL, &cpu) == WEFT_OK) {
            CHECK(weft_result_device_column(cpu, info->top_by) == NULL);
            weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
            REQUIRE(wfi_run(ctx, info->name, g, NULL, &gpu) == WEFT_OK);
            uint64_t held = weft_ctx_device_memory_in_use(ctx);
            const void *there = weft_result_device_column(gpu, info->top_by);
            CHECK(weft_result_device_column(gpu, "no such column") == NULL);
            if (is_of_vertices(cpu, info->top_by)) {
                CHECK(there != NULL);
                CHECK(stage_of(gpu, "download") == NULL);
            }
            weft_ctx_free(ctx); /* the result may outlive it */
            const char *where = difference(cpu, gpu);
            if (where) HARNESS_FAIL("%s: %s differs when it comes later", info->name, where);
            CHECK(weft_result_device_column(gpu, info->top_by) == there);
            CHECK(!there || held >= 4 * (uint64_t)weft_graph_vertices(g));
            ctx = NULL;
        }
        weft_result_free(cpu);
        weft_result_free(gpu);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* --- several threads ----------------------------------------------------------------------------------- */

static weft_pagerank_params ranking(bool weights) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.iterations = 5;
    p.weights = weights;
    return p;
}

/* What one run reads, another does not make anew. */
TEST(a_layout_that_is_there_stays) {
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = make_matrix_graph(ctx, &(matrix_graph){"rmat", "rmat", .scale = 13, .degree = 16, .p = (double)NAN,
                                                           .direction = WEFT_DIRECTED, .weights = WHOLE});
    REQUIRE(g);
    uint64_t held[4], n = weft_graph_vertices(g), arcs = out_rows(g).arcs;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int i = 0; i < 4; i++) { /* without weights, with them, and both again */
        weft_pagerank_params p = ranking(i % 2);
        weft_result *r = NULL;
        REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
        CHECK((stage_of(r, "relabel") != NULL) == (i < 2));
        weft_result_free(r);
        held[i] = weft_ctx_device_memory_in_use(ctx);
    }
    CHECK(held[1] - held[0] >= 8 * arcs + 12 * n); /* all of the second one, none of the first given up */
    CHECK_U64(held[2], held[1]);
    CHECK_U64(held[3], held[1]);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

typedef struct ranker {
    const weft_graph *g;
    const weft_result *want;
    bool weights;
    int wrong; /* runs */
} ranker;

static void *rank_again_and_again(void *user) {
    ranker *me = user;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_pagerank_params p = ranking(me->weights);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int i = 0; i < 12; i++) {
        weft_result *r = NULL;
        me->wrong += weft_pagerank(ctx, me->g, &p, &r) || difference(me->want, r);
        weft_result_free(r);
    }
    weft_ctx_free(ctx);
    return NULL;
}

/* Each graph by two threads, and graphs whose kernels want more shared memory beside those that want less. */
TEST(threads_may_rank_at_once) {
    enum { GRAPHS = 4, ROUNDS = 3 };
    static const struct {
        uint64_t scale;
        double degree;
    } of[GRAPHS] = {{16, 16}, {16, 2}, {12, 8}, {8, 8}};
    if (no_gpu()) SKIP("no GPU");
    if (part_of_test().at) SKIP("the first part does this");
    weft_ctx *ctx = new_ctx(2, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        weft_graph *g[GRAPHS];
        weft_result *want[2 * GRAPHS] = {NULL};
        ranker rankers[2 * GRAPHS];
        pthread_t thread[2 * GRAPHS];
        for (int i = 0; i < 2 * GRAPHS; i++) {
            if (i % 2 == 0)
                g[i / 2] = make_matrix_graph(ctx, &(matrix_graph){"rmat", "rmat", .scale = of[i / 2].scale,
                                                                  .degree = of[i / 2].degree, .p = (double)NAN,
                                                                  .direction = WEFT_DIRECTED, .weights = WHOLE});
            weft_pagerank_params p = ranking(i % 2);
            REQUIRE(g[i / 2] && weft_pagerank(ctx, g[i / 2], &p, &want[i]) == WEFT_OK); /* on the CPU */
            rankers[i] = (ranker){g[i / 2], want[i], i % 2, 0};
        }
        for (int i = 0; i < 2 * GRAPHS; i++)
            REQUIRE(pthread_create(&thread[i], NULL, rank_again_and_again, &rankers[i]) == 0);
        for (int i = 0; i < 2 * GRAPHS; i++) {
            pthread_join(thread[i], NULL);
            if (rankers[i].wrong)
                HARNESS_FAIL("graph %d%s: %d runs failed or differ", i / 2, i % 2 ? ", weights" : "", rankers[i].wrong);
            weft_result_free(want[i]);
        }
        for (int i = 0; i < GRAPHS; i++) weft_graph_free(g[i]);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
