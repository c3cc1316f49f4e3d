/* Calibrating: times that follow known costs give these costs back, times that cannot be explained give none below 0;
 * and time that does not suffice leaves out what it does not suffice for. */
#include "algo/pagerank/pagerank.h"
#include "cuda/device.h"
#include "run/calibrate.h"
#include "support.h"

static const double arcs[WFI_TIMED] = {4096, 3e7, 2.6e5, 4.2e6}, levels[WFI_TIMED] = {3, 6, 500, 2000};

/* What runs with these costs would take. */
static void make_times(const wfi_cost *c, double passes, wfi_times t[WFI_TIMED]) {
    for (int i = 0; i < WFI_TIMED; i++) {
        bool grid = i >= WFI_TIMED_NEAR;
        double arc_ms = (double)(grid ? c->deep_fs : c->arc_fs) * 1e-12, level_ms = (double)c->level_ns * 1e-6;
        t[i] = (wfi_times){.arcs = arcs[i], .work = {.passes = passes, .levels = levels[i], .deep = grid}};
        t[i].later = (double)c->fixed_ns * 1e-6;
        if (i != WFI_TIMED_TINY) t[i].later += passes * arcs[i] * arc_ms + (grid ? levels[i] * level_ms : 0);
        t[i].first = t[i].later + 1;
    }
}

static bool near(uint64_t got, uint64_t want) { return got <= want + 1 && got + 1 >= want; }

TEST(known_costs_are_found_again) {
    static const wfi_cost known[] = {
        {.fixed_ns = 10000, .arc_fs = 1000000, .deep_fs = 7000000, .level_ns = 20000},
        {.fixed_ns = 100000, .arc_fs = 10000, .deep_fs = 20000, .level_ns = 5000},
        {.fixed_ns = 1, .arc_fs = 5, .deep_fs = 0, .level_ns = 900},
    };
    for (size_t i = 0; i < LENGTH(known); i++) {
        wfi_times t[WFI_TIMED];
        make_times(&known[i], 1, t);
        wfi_cost got = wfi_cost_of(t, true);
        CHECK(near(got.fixed_ns, known[i].fixed_ns) && near(got.arc_fs, known[i].arc_fs));
        if (!near(got.deep_fs, known[i].deep_fs) || !near(got.level_ns, known[i].level_ns))
            HARNESS_FAIL("%zu: an arc of %" PRIu64 " fs, a level of %" PRIu64 " ns", i, got.deep_fs, got.level_ns);
        CHECK_U64(got.first_fs, 0);
    }
}

TEST(passes_share_the_time_of_a_run) {
    static const wfi_cost known = {.fixed_ns = 3000, .arc_fs = 400000, .deep_fs = 400000};
    wfi_times t[WFI_TIMED];
    make_times(&known, 20, t);
    wfi_cost got = wfi_cost_of(t, false);
    CHECK(near(got.arc_fs, known.arc_fs) && near(got.deep_fs, known.deep_fs));
    CHECK_U64(got.level_ns, 0); /* the grids were not timed */
}

TEST(no_cost_is_below_nothing) {
    static const wfi_cost some = {.fixed_ns = 5000, .arc_fs = 1000, .deep_fs = 1000, .level_ns = 100};
    wfi_times t[WFI_TIMED];
    make_times(&some, 1, t);
    t[WFI_TIMED_LARGE].later = t[WFI_TIMED_TINY].later / 2; /* a hiccup while next to nothing was timed */
    CHECK_U64(wfi_cost_of(t, true).arc_fs, 0);
    make_times(&some, 1, t);
    t[WFI_TIMED_NEAR].later = t[WFI_TIMED_TINY].later; /* then the level would be below 0: arcs have it all */
    wfi_cost got = wfi_cost_of(t, true);
    CHECK_U64(got.level_ns, 0);
    CHECK(
        near(got.deep_fs, (uint64_t)((t[WFI_TIMED_FAR].later - t[WFI_TIMED_TINY].later) / arcs[WFI_TIMED_FAR] * 1e12)));
    make_times(&some, 1, t);
    t[WFI_TIMED_NEAR].later += 100; /* then an arc would: levels have it all */
    got = wfi_cost_of(t, true);
    CHECK_U64(got.deep_fs, 0);
    CHECK(near(got.level_ns,
               (uint64_t)((t[WFI_TIMED_FAR].later - t[WFI_TIMED_TINY].later) / levels[WFI_TIMED_FAR] * 1e6)));
    for (int i = 0; i < WFI_TIMED; i++) t[i].later = t[WFI_TIMED_TINY].later;
    got = wfi_cost_of(t, true);
    CHECK(got.arc_fs == 0 && got.deep_fs == 0 && got.level_ns == 0);
}

/* Two methods whose arcs, and sorting, cost this many ms an iteration and once. */
TEST(known_sweeps_are_found_again) {
    const double pull = 30, tile = 20, sort = 50, fixed = 4, edges = 2e7;
    const double ms[2][2] = {{fixed + 2 * pull, fixed + 6 * pull}, {fixed + sort + 2 * tile, fixed + sort + 6 * tile}};
    wfi_sweep_costs got = wfi_sweep_costs_of(ms, edges, 4); /* 4 threads: a ms of all is 4 of one */
    CHECK(near(got.pull_fs, 6000000) && near(got.tile_fs, 4000000) && near(got.sort_fs, 10000000));
    const double odd[2][2] = {{10, 5}, {3, 2}};
    got = wfi_sweep_costs_of(odd, edges, 4);
    CHECK(got.pull_fs == 0 && got.tile_fs == 0 && got.sort_fs == 0);
}

TEST(sweeps_are_measured) {
    wfi_sweep_costs few = {0}, many = {0};
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = 12;
    build.direction = WEFT_UNDIRECTED;
    REQUIRE(weft_generate(ctx, "rmat", &p, &build, &g) == WEFT_OK);
    REQUIRE(wfi_measure_sweeps(ctx, g, &few, &many) == WEFT_OK);
    weft_graph_free(g);
    CHECK(!memcmp(&few, &many, sizeof few)); /* three are few */
    CHECK(weft_ctx_threads(ctx) == 3);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* Where tiles cost nothing they are taken, and where pulling does it is; nothing measured is the family's. */
TEST(pagerank_goes_by_what_was_measured) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph g = {.n = 1u << 22, .arcs = 1u << 26};
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    wfi_figures f;
    const wfi_caches caches = {.l2 = 1 << 20, .l3 = 32 << 20, .l3_instances = 1};
    const char *why;
    wfi_figures_standard(&f);
    for (int tiles = 0; tiles < 2; tiles++) {
        f.few = (wfi_sweep_costs){1000, tiles ? 1 : 2000, tiles ? 1 : 2000};
        wfi_figures_use(&f, "made up");
        wfi_pagerank_machine here = {&caches, wfi_sweep_costs_here(2), 2, UINT64_MAX};
        CHECK(wfi_pagerank_pick(&here, &g, &p, &why) == (tiles ? WFI_TILED : WFI_PULL));
    }
    wfi_sweep_costs unmeasured = wfi_sweep_costs_here(16), usual = wfi_sweep_costs_usual(16);
    CHECK(!memcmp(&unmeasured, &usual, sizeof usual));
    wfi_figures_use(NULL, NULL);
    weft_ctx_free(ctx);
}

/* --- as much as there is time for ------------------------------------------------------------------------ */

static bool has(const wfi_figures *f, const char *algorithm) {
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->at[i].algorithm, algorithm)) return true;
    return false;
}

/* The CPU twice, on graphs so small that this takes no time. */
static wfi_calibration small_ones(double seconds) {
    return (wfi_calibration){
        .seconds = seconds, .costs = true, .other = WEFT_DEVICE_CPU, .small = 6, .large = 7, .side = 16};
}

TEST(what_there_is_time_for_is_measured) {
    weft_ctx *ctx = new_ctx(2, NULL);
    wfi_figures f, none;
    wfi_calibration c = small_ones(1e6);
    if (wfi_calibrate(ctx, &c, &f)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    size_t all = 0;
    for (size_t i = 0; i < weft_algorithm_count() && i < WFI_FIGURES_MOST; i++) {
        const char *name = weft_algorithm_at(i)->name;
        if (!has(&f, name)) HARNESS_FAIL("%s was not measured", name);
        if (i && all) CHECK_TEXT(f.at[all].algorithm, name); /* in the order of all */
        all++;
    }
    CHECK(f.count == all && f.at[0].cpu.fixed_ns > 0);
    c = small_ones(1e-9);
    REQUIRE(wfi_calibrate(ctx, &c, &none) == WEFT_OK);
    CHECK(none.count == 0 && none.few.pull_fs == 0 && none.many.pull_fs == 0);
    CHECK_TEXT(weft_ctx_message(ctx), "");
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* After any number of polls: WEFT_ECANCELLED, never mistaken for the end of the time. */
TEST(a_calibration_stops_on_request) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (int polls = 0; polls < 3000; polls = 3 * polls + 1) {
        _Atomic int left = polls;
        wfi_figures f;
        wfi_calibration c = small_ones(1e6);
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(wfi_calibrate(ctx, &c, &f) == WEFT_ECANCELLED);
        CHECK(weft_ctx_cancelled(ctx)); /* the callback is the caller's again */
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    }
    weft_ctx_free(ctx);
}

TEST(who_asks_is_told_what_was_measured) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int measured = -1;
    wfi_figures f = {.threads = 2, .few = {1, 2, 3}, .count = 1, .measured = 1, .at = {{.algorithm = "bfs"}}};
    wfi_figures_use(&f, "made up");
    CHECK(weft_calibrated(ctx, "bfs", &measured) == WEFT_OK && measured == 1);
    CHECK(weft_calibrated(ctx, "kcore", &measured) == WEFT_OK && measured == 0);
    CHECK(weft_calibrated(ctx, NULL, &measured) == WEFT_OK && measured == 1);
    CHECK(weft_ctx_set_threads(ctx, 8) == WEFT_OK);
    CHECK(weft_calibrated(ctx, NULL, &measured) == WEFT_OK && measured == 0);
    CHECK(weft_calibrated(ctx, NULL, NULL) == WEFT_EINVAL);
    wfi_figures_use(NULL, NULL);
    weft_ctx_free(ctx);
}

TEST(a_gpu_is_calibrated) {
    char none[256], folder[256], at[4096], note[200] = "";
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    if (under_a_microscope()) SKIP("it would take minutes, and its times mean nothing here");
    REQUIRE(make_temp(folder, sizeof folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    weft_ctx *ctx = new_ctx(0, NULL);
    wfi_figures f;
    if (weft_calibrate(ctx, 3, at, sizeof at)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    CHECK(!strncmp(at, folder, strlen(folder)));
    REQUIRE(wfi_figures_read(at, &f, note, sizeof note));
    CHECK((f.count > 0) == (f.context_ns > 0) && (f.count > 0) == (f.gpu[0] != '\0'));
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const char *name = weft_algorithm_at(i)->name;
        int measured = -1;
        CHECK(weft_calibrated(ctx, name, &measured) == WEFT_OK && measured == has(&f, name));
        CHECK(!measured || weft_algorithm_at(i)->on_cuda);
    }
    for (size_t k = 0; k < f.count; k++)
        if (!f.at[k].cpu.fixed_ns || !f.at[k].gpu.fixed_ns) HARNESS_FAIL("%s costs nothing", f.at[k].algorithm);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST_MAIN()
