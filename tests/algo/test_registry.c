/* Every registered algorithm has its verifier, its tests, its page and a complete descriptor (docs/ADDING.md); every
 * format and generator says what it is. */
#include "harness.h"

#include "difference.h"
#include "run/costs.h"
#include "run/method.h"
#include "weft/check.h"
#include "weft/generate.h"

#include <sys/stat.h>

/* Is there such a file, with something in it? */
static bool exists(const char *name) {
    char path[512];
    struct stat about;
    const char *root = getenv("WEFT_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
}

/* What docs/ADDING.md asks for, each with %s for the algorithm. */
static const char *const files[] = {
    "src/algo/%s/%s.c",           "docs/algo/%s.md",
    "tests/algo/%s/test_%s.c",    "tests/algo/%s/option_sets.h",
    "tests/algo/%s/reference.py", "tests/algo/%s/sanitize.txt",
};

TEST(every_algorithm_has_its_files_and_a_verifier) {
    CHECK(weft_algorithm_count() > 0);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        if (!weft_check_exists(a->name)) HARNESS_FAIL("%s has no verifier in check/", a->name);
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            char path[256];
            snprintf(path, sizeof path, files[k], a->name, a->name);
            if (!exists(path)) HARNESS_FAIL("%s has no %s (docs/ADDING.md)", a->name, path);
        }
    }
}

/* "registers estimate|seed error": words that are its parameters. */
static void check_company(const weft_algorithm_info *a, const char *pairs) {
    for (const char *at = pairs; at && *at; at += strspn(at, " |,")) {
        size_t length = strcspn(at, " |,"), i = 0;
        while (i < a->param_count && (strlen(weft_algorithm_param_at(a, i)->name) != length ||
                                      strncmp(weft_algorithm_param_at(a, i)->name, at, length) != 0))
            i++;
        CHECK(i < a->param_count);
        at += length;
    }
}

TEST(every_descriptor_is_complete) {
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        CHECK(weft_algorithm_find(a->name) == a);
        CHECK(a->help && a->help[0] && a->params_standard && a->result_count && (a->on_cpu || a->on_cuda));
        CHECK(a->top_by && a->top_by[0]);
        size_t size;
        memcpy(&size, a->params_standard, sizeof size);
        CHECK(size <= a->params_size && size + sizeof(uint64_t) > a->params_size); /* up to the last field */
        for (size_t p = 0; p < a->param_count; p++) {
            CHECK(weft_algorithm_param_at(a, p)->name && weft_algorithm_param_at(a, p)->help);
            CHECK(weft_algorithm_param_at(a, p)->offset + sizeof(int) <= a->params_size);
        }
        check_company(a, a->needs);
        check_company(a, a->excludes);
        if (a->weights && *a->weights) check_company(a, a->weights);
        check_company(a, a->rows_each);
    }
}

static bool has_result(const weft_algorithm_info *a, const char *name) {
    for (size_t i = 0; i < a->result_count; i++)
        if (!strcmp(weft_algorithm_result_at(a, i)->name, name)) return true;
    return false;
}

/* What the choice of the device, the bench and the program would otherwise have to know about single algorithms. */
TEST(every_algorithm_has_costs_a_model_and_how_results_are_shown) {
    for (size_t i = 0; i < wfi_algorithm_total; i++) {
        const wfi_algorithm *a = wfi_algorithms[i];
        const weft_algorithm_info *info = &a->info;
        const wfi_costs *costs = wfi_costs_find(wfi_machine_costs_here(), info->name);
        if (!costs) HARNESS_FAIL("src/run/costs.c has no row for %s", info->name);
        const wfi_cost *cpu = &costs->cpu, *gpu = &costs->gpu;
        if (!cpu->fixed_ns || !cpu->arc_fs || !cpu->deep_fs) HARNESS_FAIL("%s has no costs on the CPU", info->name);
        if (a->run_cuda && (!gpu->fixed_ns || !gpu->arc_fs || !gpu->deep_fs || !gpu->first_fs))
            HARNESS_FAIL("%s has no costs on the GPU", info->name);
        bool none = info->model && !strncmp(info->model, "none: ", 6) && info->model[6];
        if (!info->model || !info->model[0] || none == (a->model_bytes || (a->operators && a->operators->arc_bytes)))
            HARNESS_FAIL("%s states neither a model with model_bytes, nor \"none: \" with the reason", info->name);
        if (info->verdict && !has_result(info, info->verdict)) HARNESS_FAIL("%s has no %s", info->name, info->verdict);
        if (info->witness && !has_result(info, info->witness)) HARNESS_FAIL("%s has no %s", info->name, info->witness);
        if (info->ordinal && !has_result(info, info->ordinal)) HARNESS_FAIL("%s has no %s", info->name, info->ordinal);
        if (info->witness && !info->verdict) HARNESS_FAIL("%s has a witness and no verdict", info->name);
    }
}

/* What `weft predict` names a model by. */
/* Runs have so much room for it on the stack, and kernels are given it by value. */
TEST(every_state_on_operators_has_room) {
    size_t on_operators = 0;
    for (size_t i = 0; i < wfi_algorithm_total; i++) {
        const wfi_method *m = wfi_algorithms[i]->operators;
        if (!m) continue;
        on_operators++;
        if (!m->state_size || m->state_size > WFI_METHOD_STATE)
            HARNESS_FAIL("%s has a state of %zu bytes", wfi_algorithms[i]->info.name, m->state_size);
        for (size_t k = 0; k < m->array_count; k++) CHECK(m->arrays[k].offset + sizeof(void *) <= m->state_size);
    }
    CHECK(on_operators > 0);
}

enum { CLUB = 34, COLUMNS = 3 };

/* A parameter struct with the defaults, and with something in the place of what has no default and must be given. */
static void *filled_params(const weft_algorithm_info *a) {
    static const float numbers[CLUB * COLUMNS];
    static const weft_matrix matrix = {sizeof matrix, numbers, CLUB, COLUMNS, WEFT_F32};
    const weft_matrix *given = &matrix;
    char *params = malloc(a->params_size);
    if (!params) exit(1);
    memcpy(params, a->params_standard, a->params_size);
    for (size_t i = 0; i < a->param_count; i++) {
        if (weft_algorithm_param_at(a, i)->standard) continue;
        if (weft_algorithm_param_at(a, i)->type == WEFT_PARAM_MATRIX)
            memcpy(params + weft_algorithm_param_at(a, i)->offset, &given, sizeof given);
        else
            HARNESS_FAIL("%s: %s must be given, and this test has nothing to give", a->name,
                         weft_algorithm_param_at(a, i)->name);
    }
    return params;
}

/* What must be given and is not is asked for by its name. */
TEST(what_has_no_default_is_asked_for) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        for (size_t p = 0; p < a->param_count; p++) {
            weft_plan *plan = NULL;
            if (weft_algorithm_param_at(a, p)->standard) continue;
            CHECK(weft_plan_new(ctx, a->name, g, NULL, &plan) == WEFT_EINVAL && !plan);
            CHECK_HAS(weft_ctx_message(ctx), weft_algorithm_param_at(a, p)->name);
        }
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The karate club, or for algorithms of directed graphs only the same with each edge taken one way. */
static weft_status plan_for_karate(weft_ctx *ctx, const weft_algorithm_info *a, weft_graph *const g[2],
                                   weft_plan **plan) {
    void *params = filled_params(a);
    weft_status st = weft_plan_new(ctx, a->name, g[((const wfi_algorithm *)a)->directed_only != NULL], params, plan);
    free(params);
    return st;
}

static bool on_request(const weft_algorithm_info *a, const char *column) {
    const char *const *name = ((const wfi_algorithm *)a)->on_request;
    while (name && *name && strcmp(*name, column)) name++;
    return name && *name;
}

/* What the descriptor promises is what a run gives. */
TEST(results_are_as_described) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_graph *g[2] = {NULL, NULL};
    weft_build_params one_way = WEFT_BUILD_DEFAULTS;
    one_way.direction = WEFT_DIRECTED;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g[0]) == WEFT_OK);
    REQUIRE(weft_generate(ctx, "karate", NULL, &one_way, &g[1]) == WEFT_OK);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(plan_for_karate(ctx, a, g, &plan) == WEFT_OK);
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        size_t promised = 0;
        for (size_t k = 0; k < a->result_count; k++) {
            const weft_result_info *info = weft_algorithm_result_at(a, k);
            const weft_column *column = weft_result_column(r, info->name);
            const weft_scalar *scalar = weft_result_scalar(r, info->name);
            if (on_request(a, info->name)) {
                CHECK(!column && !scalar);
                continue;
            }
            promised++;
            if (info->shape) {
                REQUIRE(column);
                CHECK(column->type == info->type && column->shape == info->shape);
                if (info->shape == WEFT_SHAPE_VERTICES) CHECK_U64(column->length, weft_graph_vertices(g[0]));
            } else {
                REQUIRE(scalar);
                CHECK(scalar->type == info->type);
            }
        }
        CHECK_U64(weft_result_column_count(r) + weft_result_scalar_count(r), promised);
        weft_result_free(r);
        weft_plan_free(plan);
    }
    for (int i = 0; i < 2; i++) weft_graph_free(g[i]);
    weft_ctx_free(ctx);
}

/* --- weights --------------------------------------------------------------------------------- */

/* The karate club with a weight for each edge: 1 to 97 and its half, or, of one edge only, a negative one. */
static void weighted_club(weft_ctx *ctx, weft_direction direction, size_t seed, bool negative, weft_graph **g) {
    weft_build_params one_way = WEFT_BUILD_DEFAULTS, build = WEFT_BUILD_DEFAULTS;
    weft_csr out = {.size = sizeof out};
    weft_arrays arrays = WEFT_ARRAYS_DEFAULTS;
    weft_graph *club = NULL;
    double weights[256];
    *g = NULL;
    one_way.direction = WEFT_DIRECTED;
    build.direction = direction;
    REQUIRE(weft_generate(ctx, "karate", NULL, &one_way, &club) == WEFT_OK &&
            weft_graph_out(ctx, club, &out) == WEFT_OK);
    REQUIRE(out.arcs && out.arcs <= sizeof weights / sizeof *weights);
    for (size_t e = 0; e < out.arcs; e++) weights[e] = (double)(1 + (e + 1) * seed % 97) / 2;
    if (negative) weights[out.arcs / 2] = -2;
    arrays.vertices = out.vertices;
    arrays.edges = out.arcs;
    arrays.offsets = out.offsets;
    arrays.offset_type = WEFT_U64;
    arrays.targets = out.targets;
    arrays.id_type = WEFT_U32;
    arrays.weights = weights;
    arrays.weight_type = WEFT_F64;
    REQUIRE(weft_graph_from_arrays(ctx, &arrays, &build, g) == WEFT_OK);
    weft_graph_free(club);
}

/* A run where the parameter of the descriptor, if there is one, says whether weights count. */
static weft_status run_weighing(weft_ctx *ctx, const weft_algorithm_info *a, const weft_graph *g, int weigh,
                                weft_result **r) {
    char *params = filled_params(a);
    for (size_t i = 0; i < a->param_count; i++)
        if (a->weights && !strcmp(weft_algorithm_param_at(a, i)->name, a->weights)) {
            CHECK(weft_algorithm_param_at(a, i)->type == WEFT_PARAM_BOOL);
            memcpy(params + weft_algorithm_param_at(a, i)->offset, &weigh, sizeof weigh);
        }
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, a->name, g, params, &plan);
    if (!st) st = weft_plan_run(plan, r);
    weft_plan_free(plan);
    free(params);
    return st;
}

/* Two graphs that differ in their weights only have the same result, but where the descriptor says that weights count
 * and they are asked for. */
TEST(weights_count_where_the_descriptor_says_so) {
    weft_ctx *ctx;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        bool directed = ((const wfi_algorithm *)a)->directed_only != NULL;
        weft_graph *g[2];
        for (int k = 0; k < 2; k++)
            weighted_club(ctx, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED, k ? 31 : 17, false, &g[k]);
        for (int weigh = 0; weigh < 2; weigh++) {
            weft_result *r[2] = {NULL, NULL};
            for (int k = 0; k < 2; k++)
                if (run_weighing(ctx, a, g[k], weigh, &r[k])) HARNESS_FAIL("%s", weft_ctx_message(ctx));
            bool counts = a->weights && (weigh || !*a->weights);
            if (same_results(r[0], r[1]) == counts)
                HARNESS_FAIL("%s: weights %s", a->name, counts ? "should count" : "should not count");
            for (int k = 0; k < 2; k++) weft_result_free(r[k]);
        }
        for (int k = 0; k < 2; k++) weft_graph_free(g[k]);
    }
    weft_ctx_free(ctx);
}

/* A negative weight is either of use or bad input, with its edge, whatever the algorithm. */
TEST(negative_weights_are_taken_or_bad_input) {
    weft_ctx *ctx;
    int refused = 0;
    REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        bool directed = ((const wfi_algorithm *)a)->directed_only != NULL;
        weft_graph *g;
        weighted_club(ctx, directed ? WEFT_DIRECTED : WEFT_UNDIRECTED, 17, true, &g);
        weft_result *r = NULL;
        weft_status st = run_weighing(ctx, a, g, 1, &r);
        if (st != WEFT_OK && st != WEFT_EINPUT) HARNESS_FAIL("%s: status %d: %s", a->name, st, weft_ctx_message(ctx));
        if (st) CHECK_HAS(weft_ctx_message(ctx), "has weight -2, but");
        refused += st != WEFT_OK;
        weft_result_free(r);
        weft_graph_free(g);
    }
    CHECK(refused > 10);
    weft_ctx_free(ctx);
}

TEST(formats_and_generators_introduce_themselves) {
    CHECK(weft_format_count() >= 14);
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        CHECK(f->name[0] && f->title[0] && (f->can_read || f->can_write));
    }
    CHECK(weft_format_at(weft_format_count()) == NULL);
    CHECK(weft_generator_count() >= 14);
    for (size_t i = 0; i < weft_generator_count(); i++) {
        const weft_generator_info *k = weft_generator_at(i);
        CHECK(k->name[0] && k->help[0]);
        for (size_t p = 0; p < k->param_count; p++)
            CHECK(weft_generator_param_at(k, p)->offset < sizeof(weft_generate_params));
    }
}

TEST_MAIN()
