/* Memory: the high-water mark of the context during a run is within a tenth of what the plan said, either way, for every
 * algorithm and method. */
#include "cuda/device.h"
#include "variants.h"

/* Smaller ones where every access is watched; there a tenth is still a tenth. */
static uint64_t scale_of(uint64_t wanted) { return under_a_microscope() && wanted > 15 ? 15 : wanted; }

static weft_graph *rmat(weft_ctx *ctx, uint64_t scale, weft_direction direction, uint64_t max_weight) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.scale = scale_of(scale);
    p.degree = 16;
    p.max_weight = max_weight;
    build.direction = direction;
    build.loops = WEFT_LOOPS_DROP; /* with a loop, cycle has nothing to do */
    weft_graph *g = NULL;
    if (weft_generate(ctx, "rmat", &p, &build, &g)) HARNESS_FAIL("rmat: %s", weft_ctx_message(ctx));
    return g;
}

/* The same with weights that are not whole. */
static weft_graph *with_real_weights(weft_ctx *ctx, const weft_graph *g) {
    weft_csr out = out_rows(g);
    weft_vid *sources = malloc((size_t)out.arcs * sizeof *sources + 1);
    float *weights = malloc((size_t)out.arcs * sizeof *weights + 1);
    if (!sources || !weights) exit(1);
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            sources[e] = u;
            weights[e] = (float)(1 + random_at(5, e) % 1000) / 8;
        }
    weft_graph *real = NULL;
    if (weft_graph_from_edges(ctx, out.vertices, out.arcs, sources, out.targets, weights, WEFT_WEIGHT_F32, NULL, &real))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(sources);
    free(weights);
    return real;
}

/* A run on a context of its own, so that what it holds is what the run takes.  No run when the method is *known, unless
 * that is NULL; it becomes *known. */
static void check_peak(const weft_algorithm_info *a, const variant *v, const weft_graph *g, int threads,
                       const char *graph, const char **known) {
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU); /* the GPU has a test of its own below */
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    weft_status st = weft_plan_new(ctx, a->name, g, v->params, &plan);
    bool again = !st && known && *known && !strcmp(*known, weft_plan_method(plan));
    if (!st && known) *known = weft_plan_method(plan); /* static text */
    if (!st && !again) st = weft_plan_run(plan, &r);
    if (st && !refused_as_undirected(ctx, g, st))
        HARNESS_FAIL("%s, %s, of %s: %s", a->name, v->name, graph, weft_ctx_message(ctx));
    if (!st && !again) {
        double planned = (double)weft_plan_host_bytes(plan), peak = (double)weft_ctx_memory_peak(ctx);
        if (!held_as_planned(planned, peak))
            HARNESS_FAIL("%s, %s (%s), of %s, %d threads: the plan says %.0f bytes, the run held %.0f: %+.1f %%",
                         a->name, v->name, weft_plan_method(plan), graph, threads, planned, peak,
                         100 * (peak / planned - 1));
    }
    weft_result_free(r);
    weft_plan_free(plan);
    weft_ctx_free(ctx);
}

/* transpose: at hand before each run; otherwise what a run makes is taken away again.  every_option: not only once with
 * each method. */
static void check_all_peaks(weft_graph *g, bool transpose, bool every_option, int threads, const char *graph) {
    weft_ctx *other = new_ctx(2, NULL);
    weft_csr in = {.size = sizeof in};
    for (size_t i = 0; g && i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        variants list = variants_of(a, g, true);
        const char *method = NULL;
        for (size_t k = 0; k < list.count; k++) {
            if (list.at[k].run || !variant_fits(&list.at[k], g)) continue;
            if (transpose)
                CHECK(weft_graph_in(other, g, &in) == WEFT_OK);
            else
                forget_transpose(g);
            check_peak(a, &list.at[k], g, threads, graph, every_option ? NULL : &method);
        }
        variants_free(&list);
    }
    weft_ctx_free(other);
}

TEST(on_rmat_20_directed) {
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *g = rmat(maker, 20, WEFT_DIRECTED, 0);
    check_all_peaks(g, false, false, 2, "rmat-20");
    weft_graph_free(g);
    weft_ctx_free(maker);
}

TEST(on_rmat_18_undirected_with_whole_weights) {
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *g = rmat(maker, 18, WEFT_UNDIRECTED, 255);
    check_all_peaks(g, false, false, 2, "rmat-18, undirected, whole weights");
    weft_graph_free(g);
    weft_ctx_free(maker);
}

/* Small enough for all the rest. */
TEST(on_rmat_16_with_and_without_weights_and_transpose) {
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *plain = rmat(maker, 16, WEFT_DIRECTED, 0), *whole = rmat(maker, 16, WEFT_DIRECTED, 255);
    REQUIRE(plain && whole);
    weft_graph *real = with_real_weights(maker, plain);
    check_all_peaks(plain, false, true, 3, "rmat-16");
    check_all_peaks(whole, false, true, 1, "rmat-16, whole weights");
    check_all_peaks(real, false, true, 3, "rmat-16, real weights");
    check_all_peaks(plain, true, true, 1, "rmat-16, transpose at hand");
    check_all_peaks(real, true, true, 3, "rmat-16, real weights, transpose at hand");
    weft_graph_free(plain);
    weft_graph_free(whole);
    weft_graph_free(real);
    weft_ctx_free(maker);
}

static const wfi_algorithm *descriptor_of(const weft_algorithm_info *info) {
    for (size_t i = 0; i < wfi_algorithm_total; i++)
        if (&wfi_algorithms[i]->info == info) return wfi_algorithms[i];
    return NULL;
}

/* What a plan counts for columns that stay on the GPU is what they have: also for matrices, and where options change the type. */
TEST(columns_are_as_large_as_is_counted) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = rmat(ctx, 8, WEFT_DIRECTED, 9);
    int wide = 0;
    for (size_t i = 0; g && i < weft_algorithm_count(); i++) {
        variants list = variants_of(weft_algorithm_at(i), g, true);
        for (size_t k = 0; k < list.count; k++) {
            weft_result *r = NULL;
            uint64_t bytes = 0, counted = wfi_column_bytes(descriptor_of(list.algorithm), g, list.at[k].params);
            if (!variant_fits(&list.at[k], g) || run_variant(ctx, list.algorithm, &list.at[k], g, &r)) continue;
            for (size_t c = 0; c < weft_result_column_count(r); c++) {
                const weft_column *column = weft_result_column_at(r, c);
                size_t width = column->width ? column->width : 1;
                if (column->shape == WEFT_SHAPE_VERTICES)
                    bytes += column->length * width * weft_type_size(column->type);
                wide += width > 1;
            }
            if (bytes != counted)
                HARNESS_FAIL("%s, %s: the columns have %" PRIu64 " bytes, %" PRIu64 " are counted",
                             list.algorithm->name, list.at[k].name, bytes, counted);
            weft_result_free(r);
        }
        variants_free(&list);
    }
    CHECK(wide > 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* On the GPU: what the graph's copy there takes is in the plan of the run that makes it.  With less it is not begun. */
TEST(the_gpu_holds_what_was_planned) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (int undirected = 0; undirected < 2; undirected++)
        for (size_t i = 0; i < weft_algorithm_count(); i++) {
            const weft_algorithm_info *a = weft_algorithm_at(i);
            if (!a->on_cuda) continue;
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_graph *g = rmat(ctx, 18, undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED, 0);
            weft_plan *plan = NULL, *less = NULL;
            weft_result *r = NULL;
            weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
            REQUIRE(g);
            variants list = variants_of(a, g, true);
            REQUIRE(list.count);
            weft_status begun = weft_plan_new(ctx, a->name, g, list.at[0].params, &plan);
            if (refused_as_undirected(ctx, g, begun)) {
                variants_free(&list);
                weft_graph_free(g);
                weft_ctx_free(ctx);
                continue;
            }
            REQUIRE(begun == WEFT_OK);
            double planned = (double)weft_plan_device_bytes(plan);
            weft_ctx_set_device_memory_limit(ctx, (uint64_t)(planned / 2));
            if (!weft_plan_new(ctx, a->name, g, list.at[0].params,
                               &less)) /* what can be streamed takes what there is: test_stream */
                CHECK_HAS(weft_plan_method(less), "streamed");
            else
                CHECK_HAS(weft_ctx_message(ctx), "GPU memory limit");
            weft_plan_free(less);
            CHECK(weft_plan_run(plan, &r) == WEFT_ENOMEM && !r); /* were it begun all the same */
            weft_ctx_set_device_memory_limit(ctx, 0);
            CHECK(weft_plan_run(plan, &r) == WEFT_OK);
            double peak = (double)weft_ctx_device_memory_peak(ctx);
            if (!held_as_planned(planned, peak))
                HARNESS_FAIL("%s: the plan says %.0f bytes on the GPU, the run held %.0f: %+.1f %%", a->name, planned,
                             peak, 100 * (peak / planned - 1));
            weft_result_free(r);
            weft_plan_free(plan);
            variants_free(&list);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST_MAIN()
