/* The cost model of --device auto: what it adds up, the work it sees in graphs and parameters, and the choice. */
#include "algo/bfs/bfs.h"
#include "core/machine.h"
#include "cuda/device.h"
#include "graph_matrix.h"
#include "run/auto.h"

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
    s.weight_bytes = 4;
    CHECK_NEAR(wfi_estimate_run(&model, &s).bring, 200, 1e-9);
    s.weight_bytes = 8;
    CHECK_NEAR(wfi_estimate_run(&model, &s).bring, 300, 1e-9);
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
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
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
            draw_sources(&many, g, 64);
            CHECK(wfi_work_of(a, g, &one).levels > 100 && wfi_work_of(a, g, &one).deep);
            CHECK(wfi_work_of(a, NULL, &one).levels < 20);
            CHECK_NEAR(wfi_work_of(a, g, &many).passes, 64, 0);
            CHECK_NEAR(wfi_work_of(a, g, &many).gpu_at_once, 32, 0); /* the last again, by itself */
        }
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- the choice ------------------------------------------------------------------------------------- */

static void plan_nothing(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx, (void)g, (void)params;
    choice->method = "nothing";
}

static weft_status run_nothing(wfi_job *job) {
    (void)job;
    return WEFT_OK;
}

/* Always worth it. */
static const wfi_figures easy = {
    .threads = 1, .count = 1, .at = {{"any", {1, 1000000, 1000000, 0, 0}, {0, 0, 0, 0, 0}}}};

static const matrix_graph rmat = {"rmat",       "rmat",           .scale = 13,
                                  .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED};

static const wfi_algorithm toy = {
    .info = {.name = "toy"}, .plan_cpu = plan_nothing, .plan_cuda = plan_nothing, .run_cuda = run_nothing};

static weft_device choose(const wfi_figures *figures, bool pretend, char reason[256]) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make_matrix_graph(ctx, &rmat);
    wfi_verdict verdict;
    wfi_choice choice = {.method = NULL};
    wfi_figures_use(figures, "made up");
    wfi_cuda_pretend(pretend);
    weft_ctx_set_device(ctx, WEFT_DEVICE_AUTO);
    CHECK(g && wfi_choose(ctx, &toy, g, NULL, &verdict, &choice) == WEFT_OK);
    wfi_cuda_pretend(false);
    wfi_figures_use(NULL, "");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    snprintf(reason, 256, "%s", verdict.reason);
    return verdict.device;
}

TEST(figures_of_another_gpu_make_way) {
    char reason[256];
    wfi_figures other = easy;
    CHECK(choose(&other, true, reason) == WEFT_DEVICE_CUDA);
    CHECK_HAS(reason, "made up");
    snprintf(other.gpu, sizeof other.gpu, "Another GPU");
    CHECK(choose(&other, true, reason) == WEFT_DEVICE_CPU);
    CHECK_HAS(reason, "is of another GPU");
}

TEST(where_no_gpu_is_seen_nobody_is_told_to_calibrate) {
    char reason[256];
    wfi_figures standard;
    wfi_figures_standard(&standard);
    CHECK(choose(&standard, false, reason) == WEFT_DEVICE_CPU);
    CHECK_HAS(reason, wfi_cuda_started() || wfi_gpu_seen("") ? "about " : "no GPU is seen");
}

TEST_MAIN()
