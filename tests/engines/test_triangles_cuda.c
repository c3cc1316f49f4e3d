/* triangles and clustering on the GPU: the CPU's bytes on graphs whose rows take every way there is, of which
 * test_matrix has short ones only; a request to stop is answered. */
#include "cuda/device.h"
#include "graph_matrix.h"
#include "variants.h"
#include "weft/clustering.h"
#include "weft/triangles.h"

static const matrix_graph graphs[] = {
    {"all hubs", "complete", .n = 700, OPEN, .direction = WEFT_UNDIRECTED},
    {"all hubs, several shares", "uniform", .n = 9000, .degree = 1200, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"long rows beyond the hubs", "uniform", .n = 40000, .degree = 120, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"ranks without a bit of their own", "smallworld", .n = 100000, .k = 80, OPEN, .direction = WEFT_UNDIRECTED},
    {"rows in segments", "uniform", .n = 12000, .degree = 600, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"rmat", "rmat", .scale = 15, .degree = 16, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"rmat, directed", "rmat", .scale = 14, .degree = 24, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"both ways often", "cyclic", .n = 900, .degree = (double)NAN, .p = 0.4, .direction = WEFT_DIRECTED},
    {"small world", "smallworld", .n = 20000, .k = 8, OPEN, .direction = WEFT_UNDIRECTED},
    {"loops and repeats", "random", .n = 2000, .m = 200000, .direction = WEFT_DIRECTED,
     .duplicates = WEFT_DUPLICATES_KEEP},
};

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

static void same_on_gpu(weft_ctx *ctx, const weft_graph *g, const char *graph, const char *algorithm,
                        const void *params) {
    weft_result *cpu = NULL, *gpu = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    REQUIRE(wfi_run(ctx, algorithm, g, params, &cpu) == WEFT_OK);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int i = 0; i < 2; i++) {
        weft_status st = wfi_run(ctx, algorithm, g, params, &gpu);
        const char *where = st ? weft_ctx_message(ctx) : difference(cpu, gpu);
        if (where) HARNESS_FAIL("%s of %s, run %d: %s", algorithm, graph, i + 1, where);
        weft_result_free(gpu);
    }
    weft_result_free(cpu);
}

TEST(the_bytes_of_the_cpu_whichever_way_rows_take) {
    if (no_gpu()) SKIP("no GPU");
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(0, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        weft_clustering_params fagiolo = WEFT_CLUSTERING_DEFAULTS;
        weft_triangles_params edges = WEFT_TRIANGLES_DEFAULTS;
        fagiolo.directed_mode = WEFT_DIRECTED_FAGIOLO;
        edges.edges = 1;
        REQUIRE(g != NULL);
        same_on_gpu(ctx, g, graphs[i].name, "triangles", NULL);
        same_on_gpu(ctx, g, graphs[i].name, "triangles", &edges);
        same_on_gpu(ctx, g, graphs[i].name, "clustering", NULL);
        same_on_gpu(ctx, g, graphs[i].name, "clustering", &fagiolo);
        same_on_gpu(ctx, g, graphs[i].name, "triangles", NULL); /* from rows that know their arcs */
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Also where no row of the view is long enough for a matrix of hubs, and where few are listed at all. */
TEST(the_gpu_holds_what_was_planned) {
    static const matrix_graph of[] = {
        {"star", "star", .n = 100001, OPEN, .direction = WEFT_UNDIRECTED},
        {"path", "path", .n = 100000, OPEN, .direction = WEFT_UNDIRECTED},
        {"grid", "grid", .rows = 300, OPEN, .direction = WEFT_UNDIRECTED},
        {"complete", "complete", .n = 1500, OPEN, .direction = WEFT_UNDIRECTED},
        {"rmat", "rmat", .scale = 16, .degree = 16, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    };
    if (no_gpu()) SKIP("no GPU");
    for (size_t i = 0; i < 2 * LENGTH(of); i++) {
        const char *algorithm = i % 2 ? "clustering" : "triangles";
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &of[i / 2]);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(g != NULL);
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        REQUIRE(weft_plan_new(ctx, algorithm, g, NULL, &plan) == WEFT_OK && weft_plan_run(plan, &r) == WEFT_OK);
        double planned = (double)weft_plan_device_bytes(plan), peak = (double)weft_ctx_device_memory_peak(ctx);
        if (!held_as_planned(planned, peak))
            HARNESS_FAIL("%s of %s: the plan says %.0f bytes on the GPU, the run held %.0f", algorithm, of[i / 2].name,
                         planned, peak);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* However late it is asked: the run ends with the answer or with that word, and the graph serves again. */
TEST(a_request_to_stop_is_answered) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = make_matrix_graph(ctx, &graphs[5]);
    REQUIRE(g != NULL);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int which = 0; which < 2; which++) {
        int stopped = 0, later = 0;
        for (weft_status st = WEFT_ECANCELLED; st == WEFT_ECANCELLED && later < 100; later++) {
            _Atomic int left = later;
            weft_result *r = NULL;
            weft_ctx_set_cancel(ctx, stop_after, &left);
            st = wfi_run(ctx, which ? "clustering" : "triangles", g, NULL, &r);
            stopped += st == WEFT_ECANCELLED;
            CHECK(st == WEFT_OK || (st == WEFT_ECANCELLED && !r));
            weft_result_free(r);
        }
        CHECK(stopped >= 2 && later < 100);
    }
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
