/* pagerank, whatever the answer: the same bytes with any number of threads and either method, memory as planned, failing
 * allocations, cancelling. */
#include "pagerank_support.h"
#include "run_as.h"

#include "algo/pagerank/pagerank.h"
#include "cuda/device.h"

static bool real_equal(const weft_result *a, const weft_result *b) {
    return whole(a, "iterations") == whole(b, "iterations") && real(a, "residual") == real(b, "residual") &&
           real(a, "sum") == real(b, "sum");
}

/* Graphs of several chunks of rows, so that threads really share them. */
TEST(any_number_of_threads_gives_the_same_bytes) {
    static const int threads[] = {1, 2, 3, 7};
    static const char *const kinds[] = {"rmat", "uniform", "star"};
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (int mode = 0; mode < 6; mode++) {
            weft_result *first = NULL;
            weft_ctx *owner = new_ctx(2, NULL);
            weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
            gp.scale = 14;
            gp.n = k == 2 ? 200000 : 16384;
            gp.degree = k == 2 ? NAN : 8;
            gp.max_weight = 9;
            weft_graph *g = generated(owner, kinds[k], gp, mode % 2 ? WEFT_UNDIRECTED : WEFT_AS_FILE);
            weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
            p.precision = mode < 3 ? WEFT_PRECISION_F32 : WEFT_PRECISION_F64;
            p.weights = mode == 2 || mode == 5;
            p.iterations = 5;
            for (size_t t = 0; g && t < LENGTH(threads); t++) {
                weft_ctx *ctx = new_ctx(threads[t], NULL);
                weft_result *r = NULL;
                REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
                if (!first) {
                    first = r;
                    CHECK(verified(ctx, g, &p, r));
                } else {
                    const weft_column *a = weft_result_column(first, "rank"), *b = weft_result_column(r, "rank");
                    CHECK(!memcmp(a->data, b->data, a->length * (mode < 3 ? 4 : 8)));
                    CHECK(real(first, "residual") == real(r, "residual") && real(first, "sum") == real(r, "sum"));
                    weft_result_free(r);
                }
                weft_ctx_free(ctx);
            }
            weft_result_free(first);
            weft_graph_free(g);
            weft_ctx_free(owner);
        }
}

TEST(a_run_stops_on_request) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 14;
    weft_graph *g = generated(ctx, "rmat", gp, WEFT_UNDIRECTED);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.iterations = 1000000000;
    REQUIRE(g);
    for (int polls = 0; polls < 40; polls += 13) {
        _Atomic int left = polls;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_ECANCELLED && !r);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(every_allocation_may_fail) {
    static const double restart[] = {2, 0, 1, 0};
    bool done = false;
    for (uint64_t allowed = 0; !done && allowed < 400; allowed++) {
        counting c = {.allowed = COUNT_ONLY};
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        weft_result *r = NULL;
        p.weights = 1;
        p.restart = restart;
        CHECK(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c) == WEFT_OK);
        weft_graph *g = read_text(ctx, "1 2 3\n2 3 1\n3 1 2\n3 4 1\n", NULL);
        REQUIRE(g);
        c.calls = 0;
        c.allowed = allowed;
        weft_status st = weft_pagerank(ctx, g, &p, &r);
        done = st == WEFT_OK;
        CHECK(done ? r != NULL : st == WEFT_ENOMEM && !r);
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        CHECK_U64(c.live_blocks, 0);
    }
    CHECK(done);
}

TEST(the_plan_knows_the_peak_of_memory) {
    for (int mode = 0; mode < 12; mode++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
        gp.scale = 15;
        gp.max_weight = mode % 3 == 2 ? 5 : 0;
        weft_graph *g = generated(ctx, "rmat", gp, mode & 1 ? WEFT_UNDIRECTED : WEFT_AS_FILE);
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        p.weights = mode % 3 == 2;
        p.precision = mode < 6 ? WEFT_PRECISION_F32 : WEFT_PRECISION_F64;
        p.iterations = 2;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(g && weft_plan_new(ctx, "pagerank", g, &p, &plan) == WEFT_OK);
        uint64_t before = weft_ctx_memory_in_use(ctx), planned = weft_plan_host_bytes(plan);
        /* The graph's building has its own, higher peak: a limit tells what the run takes. */
        weft_ctx_set_memory_limit(ctx, before + planned);
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        ctx = new_ctx(2, NULL);
        g = generated(ctx, "rmat", gp, mode & 1 ? WEFT_UNDIRECTED : WEFT_AS_FILE);
        REQUIRE(g && weft_plan_new(ctx, "pagerank", g, &p, &plan) == WEFT_OK);
        wfi_workspace sure = wfi_plan_choice(plan)->space; /* what is held while a transpose is made has a bound only */
        sure.making = 0;
        weft_ctx_set_memory_limit(ctx, before + wfi_workspace_bytes(&sure));
        r = NULL;
        CHECK(weft_plan_run(plan, &r) == WEFT_ENOMEM && !r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* On the GPU, the layout with weights included, and the peak of making it. */
TEST(the_plan_knows_what_the_gpu_will_hold) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (int mode = 0; mode < 8; mode++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
        gp.scale = 18;
        gp.max_weight = 9;
        weft_graph *g = generated(ctx, "rmat", gp, mode & 1 ? WEFT_UNDIRECTED : WEFT_AS_FILE);
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        p.weights = mode >= 2 && mode < 6;
        p.precision = mode < 4 ? WEFT_PRECISION_F32 : WEFT_PRECISION_F64;
        p.iterations = 2;
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        REQUIRE(g && weft_plan_new(ctx, "pagerank", g, &p, &plan) == WEFT_OK);
        double planned = (double)weft_plan_device_bytes(plan);
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        double peak = (double)weft_ctx_device_memory_peak(ctx);
        if (!held_as_planned(planned, peak))
            HARNESS_FAIL("mode %d: planned %.0f bytes on the GPU, held %.0f", mode, planned, peak);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Sums of weights are in the order of the row there too, and a bad weight is named alike. */
TEST(the_gpu_weighs_as_the_cpu_does) {
    char none[256], said[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (int mode = 0; mode < 8; mode++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
        gp.scale = 17; /* several parts */
        gp.max_weight = 63;
        weft_graph *g = generated(ctx, "rmat", gp, mode & 1 ? WEFT_UNDIRECTED : WEFT_AS_FILE);
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        weft_result *on[2] = {NULL, NULL};
        REQUIRE(g);
        float *fraction = (float *)g->out.weights;
        if (mode & 2) { /* whose sums depend on the order; some vertices weigh nothing */
            g->weight_type = WEFT_WEIGHT_F32;
            for (weft_eid e = 0; e < g->arcs; e++) {
                uint32_t w;
                memcpy(&w, &fraction[e], sizeof w);
                fraction[e] = sqrtf((float)w) * (w == 17 ? 1e9F : 1) * (float)(w % 3 != 0);
            }
        }
        p.weights = 1;
        p.precision = mode & 4 ? WEFT_PRECISION_F64 : WEFT_PRECISION_F32;
        for (int gpu = 0; gpu < 2; gpu++) {
            weft_ctx_set_device(ctx, gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
            REQUIRE(weft_pagerank(ctx, g, &p, &on[gpu]) == WEFT_OK);
        }
        const weft_column *a = weft_result_column(on[0], "rank"), *b = weft_result_column(on[1], "rank");
        CHECK(!memcmp(a->data, b->data, a->length * (mode & 4 ? 8 : 4)));
        CHECK(real_equal(on[0], on[1]));
        for (int gpu = 0; gpu < 2; gpu++) weft_result_free(on[gpu]);
        if (mode & 2) {
            fraction[g->arcs / 3] = -3;
            fraction[g->arcs / 2] = NAN;
            for (int gpu = 0; gpu < 2; gpu++) {
                weft_ctx_set_device(ctx, gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
                weft_result *r = NULL;
                if (gpu && g->mirror) g->mirror_free(g->mirror), g->mirror = NULL;
                CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINPUT && !r);
                if (!gpu) snprintf(said, sizeof said, "%s", weft_ctx_message(ctx));
            }
            CHECK_HAS(weft_ctx_message(ctx), said);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Doubles that no float holds, whose sums depend on the order; some vertices weigh nothing.  bad: in the place of one of them. */
static weft_graph *with_doubles(weft_ctx *ctx, const weft_graph *g, weft_direction direction, double bad) {
    weft_vid *sources = malloc((size_t)g->arcs * sizeof *sources);
    double *weights = malloc((size_t)g->arcs * sizeof *weights);
    if (!sources || !weights) exit(1);
    for (weft_vid u = 0; u < g->n; u++)
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++) {
            uint32_t w = (uint32_t)(random_at(9, e) % 63);
            sources[e] = u;
            weights[e] = sqrt(w) * (w == 17 ? 1e90 : 1e-3) * (w % 3 != 0);
        }
    if (!isnan(bad)) weights[g->arcs / 3] = bad;
    weft_graph *made = graph_of(ctx, g->n, g->arcs, sources, g->out.targets, weights, WEFT_WEIGHT_F64, direction);
    free(sources);
    free(weights);
    return made;
}

TEST(the_gpu_weighs_doubles_as_the_cpu_does) {
    char none[256], said[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 17; /* several parts */
    weft_graph *plain = generated(ctx, "rmat", gp, WEFT_AS_FILE);
    REQUIRE(plain);
    for (int mode = 0; mode < 6; mode++) {
        weft_direction direction = mode & 1 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
        weft_graph *g = with_doubles(ctx, plain, direction, mode < 4 ? (double)NAN : mode == 4 ? -3 : 1e-250);
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        p.weights = 1;
        p.precision = mode & 2 ? WEFT_PRECISION_F64 : WEFT_PRECISION_F32;
        weft_result *on[2] = {NULL, NULL};
        REQUIRE(g);
        for (int gpu = 0; gpu < 2; gpu++) {
            weft_ctx_set_device(ctx, gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
            CHECK_U64(weft_pagerank(ctx, g, &p, &on[gpu]), mode < 4 ? WEFT_OK : WEFT_EINPUT);
            if (!gpu) snprintf(said, sizeof said, "%s", weft_ctx_message(ctx));
        }
        if (mode < 4) {
            const weft_column *a = weft_result_column(on[0], "rank"), *b = weft_result_column(on[1], "rank");
            CHECK(!memcmp(a->data, b->data, a->length * (mode & 2 ? 8 : 4)));
            CHECK(real_equal(on[0], on[1]));
        } else {
            CHECK_HAS(weft_ctx_message(ctx), said);
        }
        for (int gpu = 0; gpu < 2; gpu++) weft_result_free(on[gpu]);
        weft_graph_free(g);
    }
    weft_graph_free(plain);
    weft_ctx_free(ctx);
}

/* So many that long rows are sorted into blocks of sources; and some vertices have no arcs at all. */
TEST(the_gpu_ranks_many_arcs_as_the_cpu_does) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 18;
    gp.degree = 200;
    weft_graph *g = generated(ctx, "rmat", gp, WEFT_AS_FILE);
    REQUIRE(g && g->arcs >= 1u << 25);
    for (int mode = 0; mode < 3; mode++) {
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        weft_result *on[2] = {NULL, NULL};
        p.precision = mode == 2 ? WEFT_PRECISION_F64 : WEFT_PRECISION_F32;
        p.tolerance = 1e-3;
        if (mode != 1) p.iterations = 3; /* else parts in turn */
        for (int gpu = 0; gpu < 2; gpu++) {
            weft_ctx_set_device(ctx, gpu ? WEFT_DEVICE_CUDA : WEFT_DEVICE_CPU);
            REQUIRE(weft_pagerank(ctx, g, &p, &on[gpu]) == WEFT_OK);
        }
        const weft_column *a = weft_result_column(on[0], "rank"), *b = weft_result_column(on[1], "rank");
        CHECK(!memcmp(a->data, b->data, a->length * (mode == 2 ? 8 : 4)));
        CHECK(real_equal(on[0], on[1]));
        for (int gpu = 0; gpu < 2; gpu++) weft_result_free(on[gpu]);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static wfi_pagerank_method pick(const wfi_caches *caches, const weft_graph *g, const weft_pagerank_params *p,
                                uint64_t bytes_left, const char **why) {
    wfi_pagerank_machine machine = {caches, wfi_sweep_costs_of(2), 2, bytes_left};
    return wfi_pagerank_pick(&machine, g, p, why);
}

TEST(tiles_are_picked_when_the_contributions_outgrow_the_caches) {
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    const wfi_caches usual = {.l1_data = 64 << 10, .l2 = 1 << 20, .l3 = 32 << 20, .l3_instances = 1}, hidden = {0};
    weft_graph small = {.n = 1000, .arcs = 1000000}, thin = {.n = 1u << 22, .arcs = 1u << 22},
               large = {.n = 1u << 22, .arcs = 1u << 26}, huge = {.n = 1u << 24, .arcs = 1u << 28};
    const char *why = NULL;
    CHECK(pick(&usual, &small, &p, UINT64_MAX, &why) == WFI_PULL);
    CHECK_HAS(why, "cache");
    CHECK(pick(&usual, &thin, &p, UINT64_MAX, &why) == WFI_PULL);
    CHECK_HAS(why, "arcs a vertex");
    CHECK(pick(&usual, &large, &p, UINT64_MAX, &why) == WFI_TILED);
    CHECK(pick(&hidden, &large, &p, UINT64_MAX, &why) == WFI_TILED);
    CHECK_HAS(why, "tiles");
    CHECK(pick(&usual, &large, &p, 1u << 28, &why) == WFI_PULL);
    CHECK_HAS(why, "memory limit");
    p.iterations = 1;
    CHECK(pick(&usual, &large, &p, UINT64_MAX, &why) == WFI_PULL);
    CHECK_HAS(why, "too few iterations");
    p.iterations = 3;
    CHECK(pick(&usual, &huge, &p, UINT64_MAX, &why) == WFI_TILED); /* beyond the last cache */
    p.iterations = 0;
    p.weights = 1;
    CHECK(pick(&usual, &large, &p, UINT64_MAX, &why) == WFI_PULL);
    p.weights = 0;
    p.precision = WEFT_PRECISION_F64;
    CHECK(pick(&usual, &large, &p, UINT64_MAX, &why) == WFI_PULL);
    CHECK_HAS(why, "8-byte");
}

static weft_status run_pagerank_as(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *p,
                                   wfi_pagerank_method method, weft_result *r) {
    wfi_choice choice = {.method = (int)method};
    if (method == WFI_PULL) wfi_need_in(&choice.space, ctx, g);
    wfi_pagerank_space(&choice.space, g, p, wfi_threads(ctx), method);
    return run_as(ctx, wfi_pagerank_cpu, g, p, &choice, r);
}

/* Odd numbers of threads iterate as often as they are many, even ones to a tolerance, in parts when there are more
 * than 2^16 vertices. */
TEST(tiles_and_pulling_give_the_same_bytes) {
    static const char *const kinds[] = {"rmat", "uniform", "star", "path"};
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (int threads = 1; threads <= 7; threads++) {
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
            gp.scale = 14;
            gp.n = k == 1 ? 200000 : 140000;
            weft_graph *g = generated(ctx, kinds[k], gp, threads / 2 == 1 ? WEFT_UNDIRECTED : WEFT_AS_FILE);
            weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
            p.iterations = threads & 1 ? (uint64_t)threads : 0;
            p.dangling = threads == 4 ? WEFT_DANGLING_DROP : WEFT_DANGLING_REDISTRIBUTE;
            weft_result *pulled = wfi_result_new(ctx, NULL), *tiled = wfi_result_new(ctx, NULL);
            REQUIRE(g && pulled && tiled);
            CHECK(run_pagerank_as(ctx, g, &p, WFI_PULL, pulled) == WEFT_OK);
            CHECK(run_pagerank_as(ctx, g, &p, WFI_TILED, tiled) == WEFT_OK);
            CHECK(!memcmp(weft_result_f32(pulled, "rank"), weft_result_f32(tiled, "rank"),
                          weft_graph_vertices(g) * sizeof(float)));
            CHECK(real(pulled, "residual") == real(tiled, "residual") && real(pulled, "sum") == real(tiled, "sum"));
            CHECK(whole(pulled, "iterations") == whole(tiled, "iterations"));
            CHECK(verified(ctx, g, &p, tiled));
            weft_result_free(pulled);
            weft_result_free(tiled);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
}

/* Sweeping in parts and beginning with the degrees must end where plain iteration ends, and sooner. */
TEST(a_tolerance_is_met_sooner_than_by_plain_iteration) {
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.n = 300000;
    gp.degree = 8;
    for (int undirected = 0; undirected < 2; undirected++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = generated(ctx, "uniform", gp, undirected ? WEFT_UNDIRECTED : WEFT_AS_FILE);
        weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
        weft_result *met = NULL, *plain = NULL;
        p.precision = WEFT_PRECISION_F64;
        p.tolerance = 1e-9;
        REQUIRE(g && weft_pagerank(ctx, g, &p, &met) == WEFT_OK);
        p.iterations = 60;
        REQUIRE(weft_pagerank(ctx, g, &p, &plain) == WEFT_OK);
        double apart = 0;
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++)
            apart += fabs(weft_result_f64(met, "rank")[v] - weft_result_f64(plain, "rank")[v]);
        CHECK(apart < 1e-8);
        CHECK(fabs(real(met, "sum") - 1) < 1e-12);
        uint64_t sooner = whole(met, "iterations");
        weft_result_free(plain);
        p.iterations = sooner;
        REQUIRE(weft_pagerank(ctx, g, &p, &plain) == WEFT_OK);
        CHECK(real(plain, "residual") > 2 * real(met, "residual"));
        weft_result_free(plain);
        weft_result_free(met);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Memory, failing allocations and cancelling of the tiled method, which only large graphs would take. */
TEST(tiles_take_what_they_say_and_fail_cleanly) {
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 15;
    gp.degree = 32;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.iterations = 2;
    bool done = false;
    for (uint64_t allowed = 0; !done && allowed < 50; allowed++) {
        counting c = {.allowed = COUNT_ONLY};
        weft_ctx *ctx = new_ctx(2, NULL);
        CHECK(weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c) == WEFT_OK);
        weft_graph *g = generated(ctx, "rmat", gp, WEFT_AS_FILE);
        weft_result *r = wfi_result_new(ctx, NULL);
        REQUIRE(g && r);
        c.calls = 0;
        c.allowed = allowed;
        weft_status st = run_pagerank_as(ctx, g, &p, WFI_TILED, r);
        done = st == WEFT_OK;
        CHECK(done || st == WEFT_ENOMEM);
        weft_result_free(r);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        CHECK_U64(c.live_blocks, 0);
    }
    CHECK(done);
    for (int part = 9; part <= 11; part += 2) { /* nine tenths of what is planned do not do, eleven do */
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = generated(ctx, "rmat", gp, WEFT_AS_FILE);
        weft_result *r = wfi_result_new(ctx, NULL);
        REQUIRE(g && r);
        wfi_workspace tiled = {0};
        wfi_pagerank_space(&tiled, g, &p, 2, WFI_TILED);
        uint64_t planned = wfi_workspace_bytes(&tiled);
        weft_ctx_set_memory_limit(ctx, weft_ctx_memory_in_use(ctx) + planned * (uint64_t)part / 10);
        CHECK(run_pagerank_as(ctx, g, &p, WFI_TILED, r) == (part < 10 ? WEFT_ENOMEM : WEFT_OK));
        weft_result_free(r);
        weft_ctx_set_memory_limit(ctx, 0);
        for (int polls = 0; polls < 60; polls += 7) {
            _Atomic int left = polls;
            weft_result *stopped = wfi_result_new(ctx, NULL);
            p.iterations = 1000000000;
            weft_ctx_set_cancel(ctx, stop_after, &left);
            CHECK(run_pagerank_as(ctx, g, &p, WFI_TILED, stopped) == WEFT_ECANCELLED);
            weft_result_free(stopped);
        }
        p.iterations = 2;
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
