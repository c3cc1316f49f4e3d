/* Memory: what a run holds, on the host and on the GPU, is what its plan said, to the byte where nothing depends on
 * what the run meets, within the declared bounds elsewhere; and nothing is declared in vain. */
#include "cuda/device.h"
#include "plan_bytes.h"
#include "variants.h"

/* Smaller ones where every access is watched; there a tenth is still a tenth.  The largest are for WEFT_PLAN_MEMORY=all
 * (make slow). */
static uint64_t scale_of(uint64_t wanted) {
    uint64_t most = asked_for_all("WEFT_PLAN_MEMORY") && !under_a_microscope() ? wanted : 14;
    return wanted < most ? wanted : most;
}

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
static weft_graph *with_real_weights(weft_ctx *ctx, const weft_graph *g, weft_weight_type type) {
    weft_csr out = out_rows(g);
    weft_vid *sources = malloc((size_t)out.arcs * sizeof *sources + 1);
    float *weights = malloc((size_t)out.arcs * sizeof *weights + 1);
    double *wide = malloc((size_t)out.arcs * sizeof *wide + 1);
    if (!sources || !weights || !wide) exit(1);
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            sources[e] = u;
            weights[e] = (float)(1 + random_at(5, e) % 1000) / 8;
            wide[e] = (double)(1 + random_at(5, e) % 1000) / 7;
        }
    weft_graph *real = NULL;
    if (weft_graph_from_edges(ctx, out.vertices, out.arcs, sources, out.targets,
                              type == WEFT_WEIGHT_F64 ? (void *)wide : weights, type, NULL, &real))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(sources);
    free(weights);
    free(wide);
    return real;
}

/* A chain from whose every vertex the way to all others is shorter than from the one before: they wait many times. */
static weft_graph *ever_nearer(weft_ctx *ctx, bool real) {
    enum { CHAIN = 40, REST = 20000, N = CHAIN + REST, M = CHAIN - 1 + CHAIN * REST };
    weft_vid *u = malloc(M * sizeof *u), *v = malloc(M * sizeof *v);
    uint32_t *whole = malloc(M * sizeof *whole);
    float *broken = malloc(M * sizeof *broken);
    weft_graph *g = NULL;
    size_t m = 0;
    if (!u || !v || !whole || !broken) exit(1);
    for (weft_vid i = 0; i < CHAIN; i++)
        for (weft_vid k = i + 1 < CHAIN ? i + 1 : CHAIN; k < N; k = k < CHAIN ? CHAIN : k + 1) {
            u[m] = i;
            v[m] = k;
            whole[m] = k < CHAIN ? 1 : 1000 - 20 * i;
            broken[m] = (float)whole[m] + 0.5f;
            m++;
        }
    if (weft_graph_from_edges(ctx, N, m, u, v, real ? (void *)broken : (void *)whole,
                              real ? WEFT_WEIGHT_F32 : WEFT_WEIGHT_U32, NULL, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(u);
    free(v);
    free(whole);
    free(broken);
    return g;
}

/* A path, walked top-down, into a crowd that is searched bottom-up. */
static weft_graph *path_into_crowd(weft_ctx *ctx) {
    enum { PATH = 30000, CROWD = 800, M = PATH + CROWD * (CROWD - 1) / 2 };
    static weft_vid u[M], v[M];
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    size_t m = 0;
    build.direction = WEFT_UNDIRECTED;
    for (weft_vid i = 0; i < PATH; i++, m++) u[m] = i, v[m] = i + 1;
    for (weft_vid i = PATH; i < PATH + CROWD; i++)
        for (weft_vid k = i + 1; k < PATH + CROWD; k++, m++) u[m] = i, v[m] = k;
    if (weft_graph_from_edges(ctx, PATH + CROWD, m, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* Each vertex has arcs to half of the others. */
static weft_graph *dense(weft_ctx *ctx, uint64_t n) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = n;
    p.p = 0.5;
    weft_graph *g = NULL;
    if (weft_generate(ctx, "cyclic", &p, NULL, &g)) HARNESS_FAIL("cyclic: %s", weft_ctx_message(ctx));
    return g;
}

/* Many small components. */
static weft_graph *pairs(weft_ctx *ctx) {
    enum { N = 40000 };
    static weft_vid u[N / 2], v[N / 2];
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    build.direction = WEFT_UNDIRECTED;
    for (weft_vid i = 0; i < N / 2; i++) {
        u[i] = 2 * i;
        v[i] = 2 * i + 1;
    }
    if (weft_graph_from_edges(ctx, N, N / 2, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* Paths along which every second arc weighs nothing: sssp finds parents by hops. */
static weft_graph *zero_weights(weft_ctx *ctx) {
    enum { N = 50000 };
    static weft_vid u[N], v[N];
    static float w[N];
    weft_graph *g = NULL;
    for (weft_vid i = 0; i + 1 < N; i++) {
        u[i] = i;
        v[i] = i + 1;
        w[i] = (float)(i % 2) / 2;
    }
    if (weft_graph_from_edges(ctx, N, N - 1, u, v, w, WEFT_WEIGHT_F32, NULL, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* A run on a context of its own, so that what it holds is what the run takes.  No run when the method is *known, unless
 * that is NULL; it becomes *known. */
static void check_peak(const weft_algorithm_info *a, const variant *v, const weft_graph *g, int threads,
                       const char *graph, const char **known) {
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    bool at_hand = wfi_in_at_hand(g);
    weft_status st = weft_plan_new(ctx, a->name, g, v->params, &plan);
    bool again = !st && known && *known && !strcmp(*known, weft_plan_method(plan));
    if (!st && known) *known = weft_plan_method(plan); /* static text */
    uint64_t before = weft_ctx_memory_in_use(ctx);
    weft_ctx_restart_memory_peak(ctx);
    if (!st && !again) st = weft_plan_run(plan, &r);
    if (st && !refused_as_undirected(a, g, st))
        HARNESS_FAIL("%s, %s, of %s: %s", a->name, v->name, graph, weft_ctx_message(ctx));
    if (!st && !again) {
        uint64_t planned = weft_plan_host_bytes(plan), peak = weft_ctx_memory_peak(ctx) - before;
        if (!held_as_declared(plan, peak))
            HARNESS_FAIL("%s, %s (%s), of %s, %d threads: the plan says %" PRIu64 " to %" PRIu64
                         " bytes, the run held %" PRIu64,
                         a->name, v->name, weft_plan_method(plan), graph, threads, least_bytes(plan), planned, peak);
    }
    weft_result_free(r);
    weft_plan_free(plan);
    /* A transpose that was made on the way stays with the graph, and nothing else does. */
    bool made = !at_hand && wfi_in_at_hand(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), made ? wfi_rows_bytes(g->n, g->arcs, g->weight_type) : 0);
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

TEST(on_a_large_directed_graph) {
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *g = rmat(maker, 18, WEFT_DIRECTED, 0);
    check_all_peaks(g, false, false, 2, "a large rmat");
    weft_graph_free(g);
    weft_ctx_free(maker);
}

TEST(on_a_large_undirected_graph_with_whole_weights) {
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *g = rmat(maker, 17, WEFT_UNDIRECTED, 255);
    check_all_peaks(g, false, false, 2, "a large rmat, undirected, whole weights");
    weft_graph_free(g);
    weft_ctx_free(maker);
}

/* Small enough for all the rest. */
TEST(on_a_small_graph_with_and_without_weights_and_transpose) {
    uint64_t scale = asked_for_all("WEFT_PLAN_MEMORY") ? 16 : 12;
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *plain = rmat(maker, scale, WEFT_DIRECTED, 0), *whole = rmat(maker, scale, WEFT_DIRECTED, 255);
    REQUIRE(plain && whole);
    weft_graph *real = with_real_weights(maker, plain, WEFT_WEIGHT_F32);
    weft_graph *wide = with_real_weights(maker, plain, WEFT_WEIGHT_F64);
    check_all_peaks(plain, false, true, 3, "a small rmat");
    check_all_peaks(whole, false, true, 1, "a small rmat, whole weights");
    check_all_peaks(real, false, true, 3, "a small rmat, real weights");
    check_all_peaks(wide, false, true, 3, "a small rmat, double weights");
    check_all_peaks(plain, true, true, 1, "a small rmat, transpose at hand");
    check_all_peaks(real, true, true, 3, "a small rmat, real weights, transpose at hand");
    weft_graph_free(plain);
    weft_graph_free(whole);
    weft_graph_free(real);
    weft_graph_free(wide);
    weft_ctx_free(maker);
}

/* --- nothing is declared in vain --------------------------------------------------- */

enum { MOST_METHODS = 128 };

/* Of each method, the run that wrote to most of its arena. */
static struct {
    const char *algorithm, *method;
    bool on_device;
    double share;
    char unwritten[256]; /* the array of which most was left */
} written[MOST_METHODS];
static size_t methods;
static const double enough = 0.95;

static size_t place_of(const weft_algorithm_info *a, const char *method, bool on_device) {
    size_t at = 0;
    while (at < methods && (written[at].on_device != on_device || strcmp(written[at].algorithm, a->name) ||
                            strcmp(written[at].method, method)))
        at++;
    return at;
}

/* Was enough written by an earlier run? */
static bool is_written(const weft_algorithm_info *a, const char *method, bool on_device) {
    size_t at = place_of(a, method, on_device);
    return at < methods && written[at].share >= enough;
}

/* A copy of the plan's arena after a run that found it full of `pattern`. */
static void run_in_pattern(weft_plan *plan, bool on_device, int pattern, unsigned char *copy, uint64_t bytes) {
    weft_result *r = NULL;
    if (on_device)
        CHECK(wfi_device_block_fill(wfi_plan_device_arena(plan), pattern));
    else
        memset(wfi_plan_arena(plan), pattern, bytes);
    CHECK(weft_plan_run(plan, &r) == WEFT_OK);
    if (on_device)
        CHECK(wfi_device_block_download(wfi_plan_device_arena(plan), copy));
    else
        memcpy(copy, wfi_plan_arena(plan), bytes);
    weft_result_free(r);
}

/* What no run has written keeps its pattern; two patterns, so that none is taken for what was written.  Counted are the
 * bytes of arrays whose size is no bound. */
static void look_into(weft_plan *plan, const weft_algorithm_info *a, bool on_device) {
    static const int patterns[] = {0xa5, 0x5a};
    static wfi_array_note notes[256];
    enum { DECLARED = 1, WRITTEN = 2 };
    const wfi_choice *choice = wfi_plan_choice(plan);
    uint64_t bytes = on_device ? choice->device.peak : choice->space.peak, declared = 0, kept = 0, most = 0;
    size_t count = wfi_plan_notes(plan, on_device, notes, LENGTH(notes)), at;
    unsigned char *seen = calloc(bytes + 1, 1), *copy = malloc(bytes + 1);
    if (!seen || !copy) exit(1);
    CHECK(count <= LENGTH(notes));
    for (size_t i = 0; i < count && i < LENGTH(notes); i++)
        if (!notes[i].within) memset(seen + notes[i].at, DECLARED, notes[i].bytes);
    for (size_t k = 0; bytes && k < LENGTH(patterns); k++) {
        run_in_pattern(plan, on_device, patterns[k], copy, bytes);
        for (uint64_t i = 0; i < bytes; i++)
            if (copy[i] != patterns[k]) seen[i] |= WRITTEN;
    }
    for (uint64_t i = 0; i < bytes; i++) {
        declared += seen[i] & DECLARED;
        kept += seen[i] == DECLARED;
    }
    double share = declared ? 1 - (double)kept / (double)declared : 1;
    const char *method = weft_plan_method(plan);
    at = place_of(a, method, on_device);
    if (at == methods && methods < MOST_METHODS) written[methods++].share = -1;
    if (share > written[at].share) {
        written[at].algorithm = a->name;
        written[at].method = method;
        written[at].on_device = on_device;
        written[at].share = share;
        for (size_t i = 0; i < count && i < LENGTH(notes); i++) {
            uint64_t left = 0;
            for (uint64_t b = notes[i].at; b < notes[i].at + notes[i].bytes; b++) left += seen[b] == DECLARED;
            if (left <= most) continue;
            most = left;
            snprintf(written[at].unwritten, sizeof written[at].unwritten, "%s: %" PRIu64 " of %" PRIu64 " bytes",
                     notes[i].name, left, notes[i].bytes);
        }
    }
    free(seen);
    free(copy);
}

/* The graph keeps incoming arcs once a run has made them: runs that do without come before. */
static void look_at_arena(const weft_algorithm_info *a, const variant *v, const weft_graph *g, weft_device device,
                          bool make_in) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    CHECK(weft_ctx_set_device(ctx, device) == WEFT_OK);
    weft_status st = weft_plan_new(ctx, a->name, g, v->params, &plan);
    const char *method = st ? NULL : weft_plan_method(plan);
    bool on_device = device == WEFT_DEVICE_CUDA, other = !st && wfi_plan_choice(plan)->space.needs_in && !make_in;
    bool known = other || (method && is_written(a, method, false) && (!on_device || is_written(a, method, true)));
    if (!st && !known) st = weft_plan_run(plan, &r);
    weft_result_free(r);
    if (!st) {
        if (!known) look_into(plan, a, false);
        if (!known && on_device) look_into(plan, a, true);
    } else if (!refused_as_undirected(a, g, st) && !refused_by_gpu(a, v, g, st)) {
        HARNESS_FAIL("%s, %s: %s", a->name, v->name, weft_ctx_message(ctx));
    }
    weft_plan_free(plan);
    weft_ctx_free(ctx);
}

static void look_at_arenas(weft_graph *g, weft_device device, bool make_in) {
    for (size_t i = 0; g && i < weft_algorithm_count(); i++) {
        if (device == WEFT_DEVICE_CUDA && !weft_algorithm_at(i)->on_cuda) continue;
        variants list = variants_of(weft_algorithm_at(i), g, true);
        for (size_t k = 0; k < list.count; k++)
            if (!list.at[k].run && variant_fits(&list.at[k], g))
                look_at_arena(list.algorithm, &list.at[k], g, device, make_in);
        variants_free(&list);
    }
}

static void check_all_arenas(weft_device device) {
    weft_ctx *maker = new_ctx(0, NULL);
    weft_graph *graphs[] = {rmat(maker, 14, WEFT_UNDIRECTED, 255),
                            rmat(maker, 16, WEFT_DIRECTED, 0),
                            rmat(maker, 14, WEFT_DIRECTED, 255),
                            dense(maker, 1500),
                            zero_weights(maker),
                            pairs(maker),
                            path_into_crowd(maker),
                            ever_nearer(maker, false),
                            ever_nearer(maker, true)};
    methods = 0;
    for (size_t i = 0; i < LENGTH(graphs); i++)
        for (int make_in = 0; make_in < 2; make_in++) look_at_arenas(graphs[i], device, make_in);
    for (size_t i = 0; i < methods; i++)
        if (written[i].share < enough)
            HARNESS_FAIL("%s, %s%s: runs wrote to %.1f %% of the arena; of %s nothing", written[i].algorithm,
                         written[i].method, written[i].on_device ? ", on the GPU" : "", 100 * written[i].share,
                         written[i].unwritten);
    CHECK(methods >= weft_algorithm_count() && methods < MOST_METHODS);
    for (size_t i = 0; i < LENGTH(graphs); i++) weft_graph_free(graphs[i]);
    weft_ctx_free(maker);
}

TEST(runs_write_to_all_that_is_declared) {
    if (under_a_microscope()) SKIP("the graphs are too small here: tables of threads are larger than they");
    check_all_arenas(WEFT_DEVICE_CPU);
}

TEST(runs_on_the_gpu_write_to_all_that_is_declared) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    check_all_arenas(WEFT_DEVICE_CUDA);
}

/* What a plan counts for columns that stay on the GPU is what they have: also for matrices, and where options change
 * the type.  Where the run finds how many columns there are, it is a bound. */
TEST(columns_are_as_large_as_is_counted) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = rmat(ctx, 8, WEFT_DIRECTED, 9);
    int wide = 0;
    for (size_t i = 0; g && i < weft_algorithm_count(); i++) {
        variants list = variants_of(weft_algorithm_at(i), g, true);
        for (size_t k = 0; k < list.count; k++) {
            weft_result *r = NULL;
            uint64_t bytes = 0, counted = wfi_column_bytes(descriptor_of(list.algorithm), g, list.at[k].params);
            bool bound = false;
            if (!variant_fits(&list.at[k], g)) continue;
            if (run_variant(ctx, list.algorithm, &list.at[k], g, &r)) {
                HARNESS_FAIL("%s, %s: %s", list.algorithm->name, list.at[k].name, weft_ctx_message(ctx));
                continue;
            }
            for (size_t c = 0; c < weft_result_column_count(r); c++) {
                const weft_column *column = weft_result_column_at(r, c);
                size_t width = column->width ? column->width : 1;
                if (column->shape == WEFT_SHAPE_VERTICES)
                    bytes += column->length * width * weft_type_size(column->type);
                wide += width > 1;
                bound |= !strcmp(column->name, "level_1");
            }
            if (bound ? bytes > counted : bytes != counted)
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

/* --- on the GPU -------------------------------------------------------------------- */

/* The first run adds to the graph's copy there, within bounds; another plan finds it all, and its run holds what is
 * declared. */
static void check_gpu_peak(const weft_algorithm_info *a, const variant *v, weft_graph *g, const char *graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    bool there = g->mirror != NULL;
    CHECK(weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA) == WEFT_OK);
    for (int again = 0; again < 2; again++) {
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        uint64_t before = weft_ctx_device_memory_in_use(ctx);
        weft_status st = weft_plan_new(ctx, a->name, g, v->params, &plan);
        uint64_t host_before = weft_ctx_memory_in_use(ctx);
        weft_ctx_restart_memory_peak(ctx);
        if (!st) st = weft_plan_run(plan, &r);
        if (!st) {
            uint64_t planned = weft_plan_device_bytes(plan), held = weft_ctx_device_memory_peak(ctx) - before;
            uint64_t least = wfi_plan_choice(plan)->device.peak;
            bool exact = !wfi_plan_choice(plan)->device.kept && !wfi_plan_choice(plan)->device.growth;
            if (exact ? held != planned : held < least || held > planned)
                HARNESS_FAIL(
                    "%s, %s (%s), of %s, run %d: the plan says %s%" PRIu64 " bytes on the GPU, the run held %" PRIu64,
                    a->name, v->name, weft_plan_method(plan), graph, again, exact ? "" : "at most ", planned, held);
            if (again && !there) CHECK(exact);
            uint64_t host = weft_ctx_memory_peak(ctx) - host_before;
            if (!held_as_declared(plan, host))
                HARNESS_FAIL("%s, %s (%s), of %s, on the GPU: the plan says %" PRIu64 " to %" PRIu64
                             " bytes on the host, the run held %" PRIu64,
                             a->name, v->name, weft_plan_method(plan), graph, least_bytes(plan),
                             weft_plan_host_bytes(plan), host);
        } else if (!refused_as_undirected(a, g, st) && !refused_by_gpu(a, v, g, st)) {
            HARNESS_FAIL("%s, %s, of %s: %s", a->name, v->name, graph, weft_ctx_message(ctx));
        }
        weft_result_free(r);
        weft_plan_free(plan);
    }
    weft_ctx_free(ctx);
}

/* Each option set on a graph that has nothing on the GPU yet. */
static void check_gpu_peaks(weft_direction direction, uint64_t max_weight, const char *graph) {
    weft_ctx *maker = new_ctx(0, NULL);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        if (!a->on_cuda) continue;
        for (size_t k = 0, count = 1; k < count; k++) {
            weft_graph *g = rmat(maker, 15, direction, max_weight);
            REQUIRE(g);
            variants list = variants_of(a, g, true);
            count = list.count;
            if (!list.at[k].run && variant_fits(&list.at[k], g)) check_gpu_peak(a, &list.at[k], g, graph);
            variants_free(&list);
            weft_graph_free(g);
        }
    }
    weft_ctx_free(maker);
}

TEST(the_gpu_holds_what_was_planned) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    check_gpu_peaks(WEFT_DIRECTED, 0, "rmat-15");
    check_gpu_peaks(WEFT_UNDIRECTED, 255, "rmat-15, undirected, whole weights");
}

/* With less than was planned a run is not begun, or fails in words. */
TEST(half_of_it_is_not_enough) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = rmat(ctx, 16, WEFT_DIRECTED, 0);
        weft_plan *plan = NULL, *less = NULL;
        weft_result *r = NULL;
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        variants list = variants_of(a, g, true);
        REQUIRE(g && list.count);
        if (!a->on_cuda || refused_as_undirected(a, g, weft_plan_new(ctx, a->name, g, list.at[0].params, &plan)))
            goto next;
        REQUIRE(plan);
        uint64_t least = wfi_plan_choice(plan)->device.peak;
        weft_ctx_set_device_memory_limit(ctx, least > 1 ? least - 1 : 1);
        if (!weft_plan_new(ctx, a->name, g, list.at[0].params, &less)) /* what can be streamed takes what there is */
            CHECK(weft_plan_streamed(less));
        else
            CHECK_HAS(weft_ctx_message(ctx), "GPU memory limit");
        weft_plan_free(less);
        if (least) CHECK(weft_plan_run(plan, &r) == WEFT_ENOMEM && !r); /* were it begun all the same */
        weft_ctx_set_device_memory_limit(ctx, 0);
        CHECK(weft_plan_run(plan, &r) == WEFT_OK);
        weft_result_free(r);
    next:
        weft_plan_free(plan);
        variants_free(&list);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
