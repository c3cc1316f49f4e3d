/* Where a run goes and how it fails there: the cost model of --device auto, the stages of a run; with a GPU, every call
 * to CUDA failing in turn. */
#include "algo/auto.h"
#include "algo/bfs/bfs.h"
#include "cuda/device.h"
#include "graph_matrix.h"
#include "variants.h"

/* CUDA's numbers. */
enum { OUT_OF_MEMORY = 2, DEVICE_UNAVAILABLE = 46, ILLEGAL_ADDRESS = 700 };

static const wfi_figures model = {
    .threads = 4,
    .context_ns = 200000000,
    .count = 2,
    .at = {{"bfs", {10000, 1000000, 7000000, 20000, 0}, {100000, 10000, 20000, 5000, 100000}},
           {"pagerank", {10000, 2000000, 0, 0, 0}, {100000, 10000, 0, 0, 300000}}},
};

static wfi_situation of(const char *algorithm, uint64_t arcs) {
    return (wfi_situation){.algorithm = algorithm, .arcs = arcs, .work = {.passes = 1, .levels = 1}, .threads = 4};
}

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

TEST(the_estimate_adds_up_what_is_not_there_yet) {
    wfi_situation s = of("bfs", 1000000000);
    wfi_estimate cold = wfi_estimate_run(&model, &s);
    CHECK_NEAR(cold.start, 200, 1e-9);
    CHECK_NEAR(cold.bring, 100, 1e-9);
    CHECK_NEAR(cold.work, 0.1 + 10 + 0.005, 1e-9);
    CHECK_NEAR(cold.gpu, cold.start + cold.bring + cold.work, 1e-9);
    CHECK_NEAR(cold.cpu, 0.01 + 1000 + 0.02, 1e-9);
    s.started = s.mirrored = true;
    wfi_estimate warm = wfi_estimate_run(&model, &s);
    CHECK_NEAR(warm.gpu, cold.work, 1e-9);
    s.mirrored = false;
    s.weighted = true;
    CHECK_NEAR(wfi_estimate_run(&model, &s).bring, 200, 1e-9);
    s.threads = 2;
    CHECK_NEAR(wfi_estimate_run(&model, &s).cpu, 0.01 + 2000 + 0.02, 1e-9);
    s.work = (wfi_work){.passes = 3, .levels = 1000};
    CHECK_NEAR(wfi_estimate_run(&model, &s).cpu, 0.01 + 6000 + 20, 1e-9);
    s.work.deep = true;
    CHECK_NEAR(wfi_estimate_run(&model, &s).cpu, 0.01 + 42000 + 20, 1e-9);
    s.work.cpu_dearer = 2;
    CHECK_NEAR(wfi_estimate_run(&model, &s).cpu, 0.01 + 84000 + 20, 1e-9);
    CHECK_NEAR(wfi_estimate_run(&model, &s).work, 0.1 + 60 + 5, 1e-9);
    s.work.gpu_at_once = 3;
    CHECK_NEAR(wfi_estimate_run(&model, &s).work, 0.1 + 20 + 5. / 3, 1e-9);
    CHECK_NEAR(wfi_estimate_run(&model, &s).cpu, 0.01 + 84000 + 20, 1e-9);
}

TEST(the_gpu_pays_from_its_break_even_on) {
    wfi_work once = {.passes = 1, .levels = 1};
    for (int warm = 0; warm < 2; warm++) {
        uint64_t even = wfi_break_even(&model, "bfs", once, 4, warm);
        wfi_situation s = of("bfs", even / 2);
        s.started = s.mirrored = warm;
        wfi_estimate below = wfi_estimate_run(&model, &s);
        s.arcs = even * 2;
        wfi_estimate above = wfi_estimate_run(&model, &s);
        CHECK(below.cpu < below.gpu && above.gpu < above.cpu);
    }
    CHECK(wfi_break_even(&model, "bfs", once, 4, true) < wfi_break_even(&model, "bfs", once, 4, false));
    CHECK(wfi_break_even(&model, "bfs", once, 4, false) < wfi_break_even(&model, "bfs", once, 64, false));
    wfi_figures slow = model;
    slow.at[0].gpu.arc_fs = 10 * slow.at[0].cpu.arc_fs;
    CHECK(wfi_break_even(&slow, "bfs", once, 4, true) == UINT64_MAX);
}

TEST(the_work_follows_the_parameters) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = weft_generate_defaults();
    weft_graph *g = NULL;
    p.rows = p.columns = 100;
    REQUIRE(weft_generate(ctx, "grid", &p, NULL, &g) == WEFT_OK);
    for (size_t i = 0; i < wfi_algorithm_total; i++) {
        const wfi_algorithm *a = wfi_algorithms[i];
        if (!strcmp(a->info.name, "pagerank")) {
            weft_pagerank_params few = WEFT_PAGERANK_DEFAULTS;
            few.iterations = 7;
            CHECK_NEAR(wfi_work_of(a, g, &few).passes, 7, 0);
            few.iterations = 0;
            few.max_iterations = 3;
            CHECK_NEAR(wfi_work_of(a, g, &few).passes, 3, 0);
            few.max_iterations = 1000;
            few.precision = WEFT_PRECISION_F16;
            CHECK_NEAR(wfi_work_of(a, g, &few).passes, 1000, 0);
            CHECK(wfi_work_of(a, g, &few).cpu_dearer > 1);
        }
        if (!strcmp(a->info.name, "components")) {
            weft_components_params strong = WEFT_COMPONENTS_DEFAULTS;
            CHECK_NEAR(wfi_work_of(a, g, &strong).cpu_dearer, 0, 0);
            strong.strong = 1;
            CHECK((wfi_work_of(a, g, &strong).cpu_dearer > 1) == (weft_graph_directed(g) != 0));
            CHECK_NEAR(wfi_work_of(a, NULL, &strong).cpu_dearer, 0, 0);
        }
        if (!strcmp(a->info.name, "bfs")) {
            weft_bfs_params one = WEFT_BFS_DEFAULTS, many = WEFT_BFS_DEFAULTS;
            many.sources = "random:64";
            CHECK(wfi_work_of(a, g, &one).levels > 100 && wfi_work_of(a, g, &one).deep);
            CHECK(wfi_work_of(a, NULL, &one).levels < 20);
            CHECK_NEAR(wfi_work_of(a, g, &many).passes, 64, 0);
            CHECK_NEAR(wfi_work_of(a, g, &many).gpu_at_once, 32, 0); /* the last again, by itself */
        }
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(sources_of_a_file_count_as_passes) {
    static const char line[] = "1234567\n";
    char folder[256], path[300], fifo[300];
    FILE *many = NULL;
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/sources", folder);
    snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    REQUIRE(write_file(path, "3\n4\n5\n", 6) && mkfifo(fifo, 0600) == 0);
    CHECK_U64(wfi_bfs_guess_count(path), 3);
    REQUIRE((many = fopen(path, "w")) != NULL);
    for (int i = 0; i < 1000000; i++) fputs(line, many);
    fclose(many);
    CHECK_NEAR((double)wfi_bfs_guess_count(path), 1e6, 1);
    CHECK_U64(wfi_bfs_guess_count("random:70"), 70);
    CHECK_U64(wfi_bfs_guess_count(fifo), 1);
    CHECK_U64(wfi_bfs_guess_count(folder), 1);
    CHECK_U64(wfi_bfs_guess_count("/nothing/here"), 1);
    remove_temp(folder);
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

static const matrix_graph graphs[] = {
    {"rmat", "rmat", .scale = 13, .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"rmat, undirected", "rmat", .scale = 13, .degree = 16, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
};

/* Always worth it. */
static const wfi_figures easy = {
    .threads = 1, .count = 1, .at = {{"any", {1, 1000000, 1000000, 0, 0}, {0, 0, 0, 0, 0}}}};

typedef struct trial {
    weft_ctx *ctx;
    const weft_algorithm_info *algorithm;
    const weft_graph *g;
    const weft_result *want;
    const char *graph;
    warnings *said;
} trial;

static void complain(const trial *t, long after, const char *what) {
    HARNESS_FAIL("%s of %s, CUDA's call %ld fails: %s", t->algorithm->name, t->graph, after, what);
}

/* A run in which CUDA's call number `after` fails; true when it was not reached. */
static bool fails_well(const trial *t, long after, int error, bool lasts) {
    weft_result *r = NULL;
    wfi_cuda_trouble(after, error, lasts);
    weft_status st = wfi_run(t->ctx, t->algorithm->name, t->g, NULL, &r);
    wfi_cuda_trouble(0, 0, false);
    if (!st) {
        if (difference(t->want, r)) complain(t, after, "another answer");
        weft_result_free(r);
        return true;
    }
    if (st != (error == OUT_OF_MEMORY ? WEFT_ENOMEM : WEFT_EDEVICE)) complain(t, after, "another status");
    if (r || !strstr(weft_ctx_message(t->ctx), "the GPU failed in ")) complain(t, after, weft_ctx_message(t->ctx));
    st = wfi_run(t->ctx, t->algorithm->name, t->g, NULL, &r); /* the context can go on */
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
    wfi_cuda_trouble(after, error, lasts);
    weft_status st = wfi_run(t->ctx, t->algorithm->name, t->g, NULL, &r);
    wfi_cuda_trouble(0, 0, false);
    if (st)
        complain(t, after, weft_ctx_message(t->ctx));
    else if (difference(t->want, r))
        complain(t, after, "another answer from the CPU");
    bool on_gpu = !st && stage_of(r, "context");
    if (!st && !on_gpu && after > 1 && t->said->count == before) complain(t, after, "nothing was said");
    weft_result_free(r);
    return on_gpu;
}

static void fail_everywhere(const trial *t, bool (*run)(const trial *t, long after, int error, bool lasts), int error,
                            bool lasts) {
    int before = harness_failures;
    long after = 0;
    while (!run(t, after, error, lasts) && harness_failures == before && after < 1000) after++;
    if (after < 3 || after == 1000) complain(t, after, "no call was missed, or it never gets through");
}

/* Every algorithm with a GPU version, on a graph whose copy is made anew. */
static void each_algorithm(weft_device device, int error, bool lasts) {
    for (size_t i = 0; i < LENGTH(graphs); i++)
        for (size_t a = 0; a < weft_algorithm_count(); a++) {
            warnings said;
            weft_ctx *ctx = new_ctx(2, &said);
            weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
            weft_result *want = NULL;
            trial t = {ctx, weft_algorithm_at(a), g, NULL, graphs[i].name, &said};
            weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
            if (t.algorithm->on_cuda && wfi_run(ctx, t.algorithm->name, g, NULL, &want) == WEFT_OK) {
                t.want = want;
                weft_ctx_set_device(ctx, device);
                fail_everywhere(&t, device == WEFT_DEVICE_CUDA ? fails_well : falls_back, error, lasts);
            }
            weft_result_free(want);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
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
    each_algorithm(WEFT_DEVICE_CUDA, OUT_OF_MEMORY, false);
    each_algorithm(WEFT_DEVICE_CUDA, ILLEGAL_ADDRESS, false);
    each_algorithm(WEFT_DEVICE_CUDA, DEVICE_UNAVAILABLE, true);
}

TEST(what_the_gpu_fails_at_the_cpu_does) {
    if (no_gpu()) SKIP("no GPU");
    wfi_figures_use(&easy, "easy");
    each_algorithm(WEFT_DEVICE_AUTO, OUT_OF_MEMORY, false);
    each_algorithm(WEFT_DEVICE_AUTO, DEVICE_UNAVAILABLE, true);
    wfi_figures_use(NULL, "");
}

/* Runs on the GPU that would take for ever end when asked, whichever time they are asked. */
TEST(a_run_on_the_gpu_stops_on_request) {
    if (no_gpu()) SKIP("no GPU");
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
            CHECK(stage_of(r, "upload")->bytes >= 4 * weft_graph_out(g).arcs + 8 * (uint64_t)weft_graph_vertices(g));
        weft_result_free(r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Columns that stay there are the same bytes when they come, and go with the result. */
TEST(results_can_stay_on_the_gpu) {
    if (no_gpu()) SKIP("no GPU");
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const weft_algorithm_info *info = weft_algorithm_at(a);
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[1]);
        weft_result *cpu = NULL, *gpu = NULL;
        weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
        weft_ctx_set_results_on_device(ctx, 1);
        if (info->on_cuda && wfi_run(ctx, info->name, g, NULL, &cpu) == WEFT_OK) {
            CHECK(weft_result_device_column(cpu, info->top_by) == NULL);
            weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
            REQUIRE(wfi_run(ctx, info->name, g, NULL, &gpu) == WEFT_OK);
            uint64_t held = weft_ctx_device_memory_in_use(ctx);
            const void *there = weft_result_device_column(gpu, info->top_by);
            CHECK(weft_result_device_column(gpu, "no such column") == NULL);
            CHECK(there != NULL);
            CHECK(stage_of(gpu, "download") == NULL);
            weft_ctx_free(ctx); /* the result may outlive it */
            const char *where = difference(cpu, gpu);
            if (where) HARNESS_FAIL("%s: %s differs when it comes later", info->name, where);
            CHECK(weft_result_device_column(gpu, info->top_by) == there);
            CHECK(held >= 4 * (uint64_t)weft_graph_vertices(g));
            ctx = NULL;
        }
        weft_result_free(cpu);
        weft_result_free(gpu);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
