/* The cost model of --device auto: what it adds up, the work it sees in graphs and parameters, and the choice. */
#include "algo/bfs/bfs.h"
#include "core/machine.h"
#include "cuda/device.h"
#include "graph_matrix.h"
#include "random_sources.h"
#include "run/costs.h"
#include "run/device.h"
#include "weft/components.h"
#include "weft/pagerank.h"

static const wfi_costs rows[] = {
    {"bfs", {10000, 1000000, 7000000, 20000, 0}, {100000, 10000, 20000, 5000, 100000}},
    {"pagerank", {10000, 2000000, 0, 0, 0}, {100000, 10000, 0, 0, 300000}},
};
static const wfi_machine_costs model = {
    .machine = "made up", .threads = 4, .context_ns = 200000000, .count = LENGTH(rows), .at = rows};

static wfi_situation of(const char *algorithm, uint64_t arcs) {
    return (wfi_situation){.algorithm = algorithm, .arcs = arcs, .work = {.passes = 1, .levels = 1}, .threads = 4};
}

TEST(the_estimate_adds_up_what_is_not_there_yet) {
    wfi_situation s = of("bfs", 1000000000);
    wfi_estimate cold = wfi_estimate_run(&model, &s);
    CHECK_NEAR(cold.start, 200, 1e-9);
    CHECK_NEAR(cold.upload, 100, 1e-9);
    CHECK_NEAR(cold.work, 0.1 + 10 + 0.005, 1e-9);
    CHECK_NEAR(cold.gpu, cold.start + cold.upload + cold.work, 1e-9);
    CHECK_NEAR(cold.cpu, 0.01 + 1000 + 0.02, 1e-9);
    s.started = s.mirrored = true;
    wfi_estimate warm = wfi_estimate_run(&model, &s);
    CHECK_NEAR(warm.gpu, cold.work, 1e-9);
    s.mirrored = false;
    s.weight_bytes = 4;
    CHECK_NEAR(wfi_estimate_run(&model, &s).upload, 200, 1e-9);
    s.weight_bytes = 8;
    CHECK_NEAR(wfi_estimate_run(&model, &s).upload, 300, 1e-9);
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

TEST(an_algorithm_without_a_row_costs_what_the_first_does) {
    wfi_situation known = of("bfs", 1000000), unknown = of("new", 1000000);
    CHECK_NEAR(wfi_estimate_run(&model, &unknown).cpu, wfi_estimate_run(&model, &known).cpu, 0);
    CHECK(!wfi_costs_find(&model, "new") && wfi_costs_find(&model, "pagerank") == &rows[1]);
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
        }
        if (!strcmp(a->info.name, "bfs")) {
            weft_bfs_params one = WEFT_BFS_DEFAULTS, many = WEFT_BFS_DEFAULTS;
            draw_sources(&many, g, 64);
            CHECK(wfi_work_of(a, g, &one).levels > 100 && wfi_work_of(a, g, &one).deep);
            CHECK_NEAR(wfi_work_of(a, g, &many).passes, 64, 0);
            CHECK_NEAR(wfi_work_of(a, g, &many).gpu_at_once, 32, 0); /* the last again, by itself */
        }
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- the choice ------------------------------------------------------------------------------------- */

static void plan_nothing(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx, (void)g, (void)params, (void)choice;
}

static weft_status run_nothing(wfi_job *job) {
    (void)job;
    return WEFT_OK;
}

/* Always worth it. */
static const wfi_costs any = {"any", {1, 1000000, 1000000, 0, 0}, {0, 0, 0, 0, 0}};
static const wfi_machine_costs easy = {.machine = "made up", .threads = 1, .count = 1, .at = &any};

static const matrix_graph rmat = {"rmat",       "rmat",           .scale = 13,
                                  .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED};

static const wfi_algorithm toy = {
    .info = {.name = "toy"}, .plan_cpu = plan_nothing, .plan_cuda = plan_nothing, .run_cuda = run_nothing};

static weft_device choose(const wfi_machine_costs *costs, bool pretend, char reason[256]) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make_matrix_graph(ctx, &rmat);
    wfi_placement placement;
    wfi_choice choice = {.method = 0};
    wfi_machine_costs_pretend(costs);
    wfi_cuda_pretend(pretend);
    weft_ctx_set_device(ctx, WEFT_DEVICE_AUTO);
    CHECK(g && wfi_choose(ctx, &toy, g, NULL, &placement, &choice) == WEFT_OK);
    wfi_cuda_pretend(false);
    wfi_machine_costs_pretend(NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    snprintf(reason, 256, "%s", placement.reason);
    return placement.device;
}

TEST(the_reason_says_what_both_devices_would_take) {
    char reason[256];
    CHECK(choose(&easy, true, reason) == WEFT_DEVICE_CUDA);
    CHECK_HAS(reason, " ms on the GPU (");
    CHECK_HAS(reason, " on the CPU, by the costs of made up");
}

TEST(without_a_gpu_the_reason_is_that_none_is_seen) {
    char reason[256];
    CHECK(choose(NULL, false, reason) == WEFT_DEVICE_CPU);
    CHECK_HAS(reason, wfi_cuda_started() || wfi_gpu_seen("") ? "about " : "no GPU is seen");
}

TEST_MAIN()
