/* Graphs that do not fit the GPU's memory: with a limit there of half of what a run would like, and with the smallest
 * limit that a plan accepts, the arcs are streamed, in several pieces, and the bytes of the answer are the CPU's.
 * Plans say what they take. */
#include "cuda/device.h"
#include "cuda/stream.h"
#include "graph_matrix.h"
#include "plan_bytes.h"
#include "run/costs.h"
#include "variants.h"
#include "weft/bfs.h"

/* --- sizes, without a GPU -------------------------------------------------------- */

static const uint64_t MIB = (uint64_t)1 << 20;

TEST(what_fits_needs_no_ring) {
    wfi_stream_size fit = wfi_stream_fit(100 * MIB, 10 * MIB, 410 * MIB, true);
    CHECK_U64(fit.bytes, 410 * MIB);
    CHECK(fit.homes == fit.pieces && fit.pieces == 50);
}

TEST(half_of_what_is_wanted_keeps_most_of_that) {
    wfi_stream_size fit = wfi_stream_fit(100 * MIB, 10 * MIB, 210 * MIB, true);
    CHECK_U64(fit.pieces, 50);
    CHECK_U64(fit.homes, (200 - 4 * 8) / 8);
    CHECK_U64(fit.bytes, (10 + 21 * 8 + 32) * MIB);
    CHECK_U64(wfi_stream_fit(100 * MIB, 10 * MIB, 210 * MIB, false).homes, 0);
    CHECK_U64(wfi_stream_fit(100 * MIB, 10 * MIB, 210 * MIB, false).bytes, 42 * MIB);
}

/* Half of the bytes of a small graph is enough for half of it, as it is of a large one. */
TEST(small_graphs_are_cut_into_small_pieces) {
    for (weft_eid arcs = 1000; arcs < 100 * MIB; arcs = arcs * 3) {
        wfi_stream_size fit = wfi_stream_fit(arcs, 100, 100 + 2 * arcs, true);
        CHECK(fit.piece && fit.homes && fit.bytes <= 100 + 2 * arcs);
        CHECK(fit.homes * 8 >= fit.pieces);
    }
}

/* For any room: never more than it, no plan that a run with just its bytes cannot follow, and the least is enough. */
TEST(a_size_fits_its_room) {
    for (uint64_t i = 0; i < 20000; i++) {
        weft_eid arcs = random_at(1, i) % (50 * MIB);
        uint64_t state = random_at(2, i) % (40 * MIB), room = random_at(3, i) % (300 * MIB);
        bool keep = i % 2;
        wfi_stream_size fit = wfi_stream_fit(arcs, state, room, keep), again;
        again = wfi_stream_fit(arcs, state, fit.bytes, keep);
        CHECK(again.piece && again.bytes <= fit.bytes && again.bytes + fit.bytes / 10 >= fit.bytes);
        if (fit.piece)
            CHECK(fit.bytes <= room && fit.homes <= fit.pieces && fit.pieces * fit.piece >= arcs);
        else
            CHECK(fit.bytes > room);
    }
}

/* --- runs ---------------------------------------------------------------------------- */

enum { PIECES = 7, LEAST = 16, DEEP = 300 };

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

/* Does a plan under this limit stream? */
static bool streams(weft_ctx *ctx, const weft_algorithm_info *a, const weft_graph *g, const void *params,
                    uint64_t limit, uint64_t *planned) {
    weft_plan *plan = NULL;
    weft_ctx_set_device_memory_limit(ctx, limit);
    if (weft_plan_new(ctx, a->name, g, params, &plan)) return false;
    bool streamed = strstr(weft_plan_method(plan), "streamed") != NULL;
    *planned = weft_plan_device_bytes(plan);
    weft_plan_free(plan);
    return streamed;
}

/* The smallest limit under which a plan streams, given one under which it does. */
static uint64_t least_limit(weft_ctx *ctx, const weft_algorithm_info *a, const weft_graph *g, const void *params,
                            uint64_t enough) {
    uint64_t low = 0, planned;
    while (enough - low > 1) {
        uint64_t middle = low + (enough - low) / 2;
        if (streams(ctx, a, g, params, middle, &planned))
            enough = middle;
        else
            low = middle;
    }
    return enough;
}

static int same_under(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, const weft_graph *g,
                      const char *graph, uint64_t limit, const weft_result *cpu) {
    weft_result *gpu = NULL;
    weft_ctx_set_device_memory_limit(ctx, limit);
    weft_status st = run_variant(ctx, a, v, g, &gpu);
    const char *where = st ? weft_ctx_message(ctx) : difference(cpu, gpu);
    if (where)
        HARNESS_FAIL("%s, %s, of %s, streamed within %" PRIu64 " bytes: %s", a->name, v->name, graph, limit, where);
    weft_result_free(gpu);
    return 1;
}

static int cells(weft_ctx *ctx, const weft_algorithm_info *a, variant *v, const weft_graph *g, const char *graph) {
    /* A level of a streamed search takes many times as long as one on the GPU: deep graphs not to the end. */
    weft_bfs_params *search = strcmp(a->name, "bfs") ? NULL : (weft_bfs_params *)(void *)v->params;
    if (search && !search->max_depth) search->max_depth = DEEP;
    weft_result *cpu = NULL;
    weft_plan *plan = NULL;
    int done = 0;
    uint64_t wanted = 0, planned;
    weft_ctx_set_device_memory_limit(ctx, 0);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    if (run_variant(ctx, a, v, g, &cpu)) return 0;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    if (!weft_plan_new(ctx, a->name, g, v->params, &plan)) wanted = weft_plan_device_bytes(plan);
    weft_plan_free(plan);
    if (wanted && streams(ctx, a, g, v->params, wanted - 1, &planned)) {
        uint64_t least = least_limit(ctx, a, g, v->params, wanted - 1);
        if (wanted / 2 > least) done += same_under(ctx, a, v, g, graph, wanted / 2, cpu);
        done += same_under(ctx, a, v, g, graph, least, cpu);
    }
    weft_result_free(cpu);
    return done;
}

static int all_variants(weft_ctx *ctx, const weft_algorithm_info *a, const weft_graph *g, const char *graph) {
    int done = 0;
    weft_csr out = out_rows(g);
    /* Until the ranks are settled where there are few vertices, or parts of them. */
    variants list = variants_of(a, g, out.vertices > 4096 && out.vertices <= 1 << 16);
    wfi_stream_set_piece(out.arcs / PIECES + LEAST);
    for (size_t k = 0; k < list.count; k++)
        if (!list.at[k].run && variant_fits(&list.at[k], g)) done += cells(ctx, a, &list.at[k], g, graph);
    wfi_stream_set_piece(0);
    variants_free(&list);
    return done;
}

static void same_bytes_on_all_graphs(const char *algorithm) {
    int done = 0;
    for (size_t k = 0; k < LENGTH(matrix_graphs); k++) {
        weft_ctx *ctx = new_ctx(3, NULL);
        weft_graph *g = make_matrix_graph(ctx, &matrix_graphs[k]);
        if (g) done += all_variants(ctx, weft_algorithm_find(algorithm), g, matrix_graphs[k].name);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    if (done < 20) HARNESS_FAIL("%s was streamed %d times only", algorithm, done);
}

TEST(a_small_limit_gives_the_same_bytes_of_pagerank) {
    if (no_gpu()) SKIP("no GPU");
    same_bytes_on_all_graphs("pagerank");
}

TEST(a_small_limit_gives_the_same_bytes_of_bfs) {
    if (no_gpu()) SKIP("no GPU");
    same_bytes_on_all_graphs("bfs");
}

TEST(a_small_limit_gives_the_same_bytes_of_components) {
    if (no_gpu()) SKIP("no GPU");
    same_bytes_on_all_graphs("components");
}

static const char *const streamed[] = {"pagerank", "bfs", "components"};

static weft_graph *rmat(weft_ctx *ctx, weft_direction direction) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = 17;
    p.degree = 16;
    build.direction = direction;
    if (weft_generate(ctx, "rmat", &p, &build, &g)) HARNESS_FAIL("rmat: %s", weft_ctx_message(ctx));
    return g;
}

/* What the run says it sent while it worked. */
static uint64_t bytes_sent(const weft_result *result) {
    for (size_t i = 0; i < weft_result_stage_count(result); i++)
        if (!strcmp(weft_result_stage_at(result, i)->name, "iterations")) return weft_result_stage_at(result, i)->bytes;
    return 0;
}

/* Several parts of PageRank, and pieces of the usual size; the plan's bytes, on the host too. */
TEST(what_is_streamed_holds_what_was_planned) {
    if (no_gpu()) SKIP("no GPU");
    for (size_t i = 0; i < 2 * LENGTH(streamed); i++) {
        const weft_algorithm_info *a = weft_algorithm_find(streamed[i / 2]);
        weft_ctx *maker = new_ctx(2, NULL), *ctx = new_ctx(2, NULL);
        weft_graph *g = rmat(maker, i % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED);
        weft_plan *plan = NULL;
        weft_result *cpu = NULL, *gpu = NULL;
        REQUIRE(g);
        weft_csr out = out_rows(g);
        uint64_t limit = 4 * (out.arcs + 2 * (uint64_t)out.vertices) / 2 + (3 << 20);
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        weft_ctx_set_device_memory_limit(ctx, limit);
        wfi_stream_set_piece(1 << 18);
        REQUIRE(weft_plan_new(ctx, a->name, g, NULL, &plan) == WEFT_OK);
        CHECK_HAS(weft_plan_method(plan), "streamed");
        CHECK_HAS(weft_plan_reason(plan), "too large for the GPU's memory");
        uint64_t planned = weft_plan_device_bytes(plan), before = weft_ctx_memory_in_use(ctx);
        CHECK(planned <= limit);
        weft_ctx_restart_memory_peak(ctx);
        if (weft_plan_run(plan, &gpu)) HARNESS_FAIL("%s: %s", a->name, weft_ctx_message(ctx));
        CHECK_U64(weft_ctx_device_memory_peak(ctx), planned);
        uint64_t held = weft_ctx_memory_peak(ctx) - before;
        if (!held_as_declared(plan, held))
            HARNESS_FAIL("%s: the plan says %" PRIu64 " to %" PRIu64 " bytes on the host, the run held %" PRIu64,
                         a->name, least_bytes(plan), weft_plan_host_bytes(plan), held);
        weft_plan_free(plan);
        wfi_stream_set_piece(0);
        weft_ctx_set_device(maker, WEFT_DEVICE_CPU);
        REQUIRE(wfi_run(maker, a->name, g, NULL, &cpu) == WEFT_OK);
        const char *where = gpu ? difference(cpu, gpu) : NULL;
        if (where) HARNESS_FAIL("%s: %s differs", a->name, where);
        if (gpu) CHECK(bytes_sent(gpu) > out.vertices); /* bfs may do with the first arcs of rows */
        weft_result_free(cpu);
        weft_result_free(gpu);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
        weft_ctx_free(maker);
    }
}

/* Even the vertices' own arrays do not fit: refused, with what is needed, before anything is begun. */
TEST(less_than_the_least_is_refused) {
    if (no_gpu()) SKIP("no GPU");
    for (size_t i = 0; i < LENGTH(streamed); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = rmat(ctx, WEFT_UNDIRECTED);
        weft_plan *plan = NULL;
        uint64_t planned = 0;
        const weft_algorithm_info *a = weft_algorithm_find(streamed[i]);
        REQUIRE(g);
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        uint64_t least = least_limit(ctx, a, g, a->params_standard, (uint64_t)8 << 20);
        CHECK(streams(ctx, a, g, a->params_standard, least, &planned));
        CHECK(planned <= least && least - planned <= WFI_STREAM_PADDING);
        weft_ctx_set_device_memory_limit(ctx, least - 1);
        CHECK(weft_plan_new(ctx, a->name, g, NULL, &plan) == WEFT_ENOMEM && !plan);
        CHECK_HAS(weft_ctx_message(ctx), "GPU memory limit");
        CHECK_HAS(weft_ctx_message(ctx), "streamed");
        CHECK_U64(weft_ctx_device_memory_peak(ctx), 0);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Left to itself, a plan streams where many passes make that pay, and leaves a single one to the CPU. */
TEST(auto_streams_what_pays) {
    static const wfi_cost cpu = {.arc_fs = 1000000}, gpu = {.arc_fs = 1000, .first_fs = 900000};
    static const wfi_cost slow = {.arc_fs = 1000, .first_fs = 2000000};
    const wfi_costs at[] = {{"pagerank", cpu, gpu}, {"components", cpu, slow}};
    const wfi_machine_costs costs = {.machine = "made up", .threads = 2, .count = LENGTH(at), .at = at};
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = rmat(ctx, WEFT_UNDIRECTED);
    weft_plan *plan = NULL;
    REQUIRE(g);
    wfi_machine_costs_pretend(&costs);
    weft_ctx_set_device(ctx, WEFT_DEVICE_AUTO);
    weft_ctx_set_device_memory_limit(ctx, 2 * out_rows(g).arcs);
    REQUIRE(weft_plan_new(ctx, "pagerank", g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CUDA);
    CHECK_HAS(weft_plan_method(plan), "streamed");
    CHECK_HAS(weft_plan_device_reason(plan), "sent in each pass");
    weft_plan_free(plan);
    REQUIRE(weft_plan_new(ctx, "components", g, NULL, &plan) == WEFT_OK);
    CHECK(weft_plan_device(plan) == WEFT_DEVICE_CPU);
    weft_plan_free(plan);
    wfi_machine_costs_pretend(NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
