/* Generators as a whole: the same graph for any number of threads and on any machine, sound tables of flags, and what
 * happens when parameters, memory or patience run out.  Each kind: test_gen_random_kinds.c, test_gen_kinds.c. */
#include "gen.h"

/* --- every kind ------------------------------------------------------------ */

/* The fingerprints pin the graphs: a machine, compiler or change that makes another graph is caught here. */
static const struct variant {
    const char *kind;
    weft_direction direction;
    uint64_t n, m, k, rows, columns, layers, depth, scale, max_weight, communities;
    double p, degree, mixing;
    int torus, unscrambled, power_law;
    uint64_t fingerprint;
} variants[] = {
    {.kind = "er", .n = 20000, .degree = 20, .fingerprint = 0x96574c1a6a4aff18u},
    {.kind = "er", .n = 300, .p = 0.7, .direction = WEFT_DIRECTED, .fingerprint = 0x4180c429de3db2bau},
    {.kind = "er", .n = 3000000, .p = 3e-9, .fingerprint = 0xefdfdffb9aecc3b2u},
    {.kind = "er", .n = 5000, .m = 100000, .max_weight = 100, .fingerprint = 0x9348d2cabb3c5bbeu},
    {.kind = "er", .n = 500, .m = 100000, .direction = WEFT_DIRECTED, .fingerprint = 0xcfb88460e8445ae7u},
    {.kind = "rmat", .scale = 14, .fingerprint = 0x80270db4f1dc254au},
    {.kind = "rmat",
     .scale = 13,
     .unscrambled = 1,
     .direction = WEFT_UNDIRECTED,
     .max_weight = 9,
     .fingerprint = 0xa94aad844d3abe5fu},
    {.kind = "uniform", .n = 50000, .fingerprint = 0xb6bb8e78d0bc2452u},
    {.kind = "ba", .n = 30000, .k = 5, .fingerprint = 0xb49ade03e46142c0u},
    {.kind = "smallworld", .n = 30000, .k = 8, .fingerprint = 0xebe2b69902f9a186u},
    {.kind = "planted", .n = 20000, .communities = 100, .fingerprint = 0x82015cb254fe5d31u},
    {.kind = "planted", .n = 20000, .communities = 2, .degree = 30, .mixing = 0.6, .max_weight = 9, .fingerprint = 0xbf2421ff24187ea1u},
    {.kind = "planted",
     .n = 30000,
     .communities = 300,
     .power_law = 1,
     .direction = WEFT_DIRECTED,
     .fingerprint = 0x81a8c3ba4de8331eu},
    {.kind = "grid", .rows = 200, .columns = 300, .fingerprint = 0x1f63ef94d68c0dafu},
    {.kind = "grid", .rows = 20, .columns = 30, .layers = 40, .torus = 1, .fingerprint = 0x7dfa3cbf29afe04fu},
    {.kind = "dag", .n = 2000, .p = 0.1, .fingerprint = 0x74cb4a60c864a26du},
    {.kind = "dag", .n = 20000, .depth = 100, .max_weight = 7, .fingerprint = 0x8fe79f3f0dcb45dbu},
    {.kind = "cyclic", .n = 1000, .p = 0.2, .fingerprint = 0xeacf6b775c3eb1f4u},
    {.kind = "path", .n = 100000, .fingerprint = 0x2ad0999bcc9a7965u},
    {.kind = "cycle", .n = 100000, .direction = WEFT_DIRECTED, .fingerprint = 0x1dd05523b5a6561fu},
    {.kind = "star", .n = 100000, .fingerprint = 0x6da5cce6de03d9dau},
    {.kind = "complete", .n = 500, .fingerprint = 0x2555a6986ebf706du},
    {.kind = "tree", .n = 100000, .k = 3, .fingerprint = 0x62785a1c692d2124u},
    {.kind = "karate", .fingerprint = 0x34df2489cd84682du},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static weft_generate_params params_of(const struct variant *v) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = v->n, p.m = v->m, p.k = v->k, p.scale = v->scale;
    p.rows = v->rows, p.columns = v->columns, p.layers = v->layers, p.depth = v->depth;
    p.p = v->p > 0 ? v->p : p.p, p.degree = v->degree > 0 ? v->degree : p.degree, p.torus = v->torus,
    p.unscrambled = v->unscrambled;
    p.max_weight = v->max_weight;
    p.communities = v->communities, p.power_law = v->power_law, p.mixing = v->mixing > 0 ? v->mixing : p.mixing;
    return p;
}

TEST(the_same_graph_on_any_machine_and_with_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < VARIANTS; i++)
        for (size_t t = 0; t < 4; t++) {
            weft_ctx *ctx;
            REQUIRE(!weft_ctx_new(&ctx));
            weft_ctx_set_threads(ctx, threads[t]);
            weft_graph *g = make_with(ctx, variants[i].kind, params_of(&variants[i]), variants[i].direction);
            uint64_t got = 0;
            CHECK(g && !weft_graph_fingerprint(ctx, g, &got));
            if (got != variants[i].fingerprint)
                HARNESS_FAIL("variant %zu, %s with %d threads has fingerprint 0x%016" PRIx64, i, variants[i].kind,
                             threads[t], got);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(every_kind_has_a_variant_here_and_works_by_default) {
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!weft_generator_at(weft_generator_count()));
    for (size_t i = 0; i < weft_generator_count(); i++) {
        const char *name = weft_generator_at(i)->name;
        bool tested = false;
        for (size_t v = 0; v < VARIANTS; v++) tested = tested || !strcmp(variants[v].kind, name);
        if (!tested) HARNESS_FAIL("no variant of %s", name);
        weft_graph *g = NULL, *again = NULL;
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        CHECK(!weft_generate(ctx, name, NULL, NULL, &g) && !weft_generate(ctx, name, &p, NULL, &again));
        int equal = 0;
        CHECK(!weft_graph_compare(ctx, g, again, &equal) && equal);
        CHECK_TEXT(info_of(ctx, g).format, "generated");
        weft_graph_free(g);
        weft_graph_free(again);
    }
    weft_ctx_free(ctx);
}

TEST(another_seed_makes_another_graph) {
    static const char *const random[] = {"er", "rmat", "uniform", "ba", "smallworld", "planted", "dag", "cyclic"};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < sizeof random / sizeof *random; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        CHECK_U64(p.seed, 42);
        weft_graph *a = make(ctx, random[i], p);
        p.seed = 0;
        weft_graph *b = make(ctx, random[i], p);
        int equal = 1;
        CHECK(!weft_graph_compare(ctx, a, b, &equal) && !equal);
        weft_graph_free(a);
        weft_graph_free(b);
    }
    weft_ctx_free(ctx);
}

TEST(the_tables_of_flags_are_sound) {
    for (size_t i = 0; i < weft_generator_count(); i++) {
        const weft_generator_info *info = weft_generator_at(i);
        CHECK(info->help && *info->help);
        for (size_t k = 0; k < info->param_count; k++) {
            const weft_param_info *p = weft_generator_param_at(info, k);
            CHECK(p->help && *p->help && p->standard);
            CHECK(p->offset >= sizeof(size_t) && p->offset < sizeof(weft_generate_params));
            CHECK(p->min <= p->max);
            char *end;
            double standard = strtod(p->standard, &end);
            if (end != p->standard) CHECK(standard >= p->min && standard <= p->max);
            for (size_t other = 0; other < k; other++)
                CHECK(strcmp(weft_generator_param_at(info, other)->name, p->name));
        }
    }
}

/* --- what can go wrong ----------------------------------------------------- */

static void check_refusal(weft_ctx *ctx, const char *kind, weft_generate_params p, weft_direction direction,
                          weft_status status, const char *part) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    weft_graph *g = NULL;
    CHECK_U64(weft_generate(ctx, kind, &p, &build, &g), status);
    CHECK(!g);
    CHECK_HAS(weft_ctx_message(ctx), part);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
}

TEST(wrong_parameters_are_named) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params fresh = WEFT_GENERATE_DEFAULTS, p = fresh;
#define REFUSED(kind, part, ...)                                      \
    do {                                                              \
        p = fresh;                                                    \
        __VA_ARGS__;                                                  \
        check_refusal(ctx, kind, p, WEFT_AS_FILE, WEFT_EINVAL, part); \
    } while (0)
    REFUSED("er", "`n` is 4294967295, expected a whole number from 1 to 4294967294", p.n = 4294967295u);
    REFUSED("er", "`p` is 1.5, expected a number from 0 to 1", p.p = 1.5);
    REFUSED("er", "`p` is -0.1", p.p = -0.1);
    REFUSED("er", "`p` is inf", p.p = (double)INFINITY);
    REFUSED("er", "`p` or `m`", p.p = 0.5, p.m = 3);
    REFUSED("er", "`m` is 7, but 4 vertices have only 6 possible edges", p.n = 4, p.m = 7);
    REFUSED("er", "`max-weight`", p.max_weight = 4294967296u);
    REFUSED("rmat", "`scale` is 32, expected a whole number from 1 to 31", p.scale = 32);
    REFUSED("rmat", "their sum must be at most 1", p.a = 0.6, p.b = 0.3, p.c = 0.2);
    REFUSED("rmat", "`degree`", p.degree = -1);
    REFUSED("rmat", "`unscrambled` is 2", p.unscrambled = 2);
    REFUSED("ba", "`k` is 5", p.n = 5, p.k = 5);
    REFUSED("planted", "`communities` is 9", p.n = 8, p.communities = 9);
    REFUSED("planted", "the smallest community has 10", p.n = 100, p.degree = 20);
    REFUSED("planted", "one community", p.communities = 1);
    REFUSED("planted", "fewer pairs of vertices", p.n = 30, p.communities = 2, p.degree = 20, p.mixing = 0.9);
    REFUSED("planted", "`mixing` is 1.5", p.mixing = 1.5);
    REFUSED("smallworld", "`k` is 3", p.n = 9, p.k = 3);
    REFUSED("smallworld", "`k` is 10", p.n = 10, p.k = 10);
    REFUSED("grid", "`rows` 70000 `columns` 70000", p.rows = p.columns = 70000);
    REFUSED("grid", "more than 4294967294", p.rows = p.columns = p.layers = 4294967294u);
    REFUSED("dag", "`p` (by density) or `depth`", p.p = 0.5, p.depth = 3);
    REFUSED("dag", "`depth` is 11", p.n = 10, p.depth = 11);
    REFUSED("cycle", "at least 3 vertices", p.n = 2);
    REFUSED("path", "no size", p.size = 0);
#undef REFUSED
    p = fresh;
    p.undirected = 1;
    check_refusal(ctx, "rmat", p, WEFT_DIRECTED, WEFT_EINVAL, "directed");
    check_refusal(ctx, "moebius", fresh, WEFT_AS_FILE, WEFT_ENOTFOUND, "moebius");
    weft_graph *g = NULL;
    CHECK_U64(weft_generate(ctx, NULL, NULL, NULL, &g), WEFT_EINVAL);
    CHECK_U64(weft_generate(ctx, "path", NULL, NULL, NULL), WEFT_EINVAL);
    CHECK_U64(weft_generate(NULL, "path", NULL, NULL, &g), WEFT_EINVAL);
    weft_ctx_free(ctx);
}

TEST(undirected_symmetrises) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.undirected = 1;
    weft_graph *field = make(ctx, "uniform", p);
    p.undirected = 0;
    weft_graph *build = make_with(ctx, "uniform", p, WEFT_UNDIRECTED);
    int equal = 0;
    CHECK(!weft_graph_directed(field));
    CHECK(!weft_graph_compare(ctx, field, build, &equal) && equal);
    weft_graph_free(field);
    weft_graph_free(build);
    weft_ctx_free(ctx);
}

TEST(a_shorter_struct_of_an_older_caller_is_understood) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.size = offsetof(weft_generate_params, unscrambled);
    p.scale = 8, p.unscrambled = 77; /* beyond its end: not looked at */
    weft_graph *g = make(ctx, "rmat", p);
    REQUIRE(g);
    CHECK_U64(weft_graph_vertices(g), 256);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_can_never_fit_is_refused_at_once) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 4294967294u;
    check_refusal(ctx, "complete", p, WEFT_AS_FILE, WEFT_ENOMEM, "GB");
    p.p = 1;
    check_refusal(ctx, "cyclic", p, WEFT_AS_FILE, WEFT_ENOMEM, "GB");
    p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    p.scale = 31, p.degree = 1e9;
    check_refusal(ctx, "rmat", p, WEFT_AS_FILE, WEFT_ENOMEM, "GB");
    weft_ctx_free(ctx);
}

TEST(cancelling_stops_and_leaves_nothing) {
    weft_ctx *ctx = new_ctx(0, NULL);
    _Atomic int left;
    weft_ctx_set_cancel(ctx, stop_after, &left);
    for (size_t i = 0; i < VARIANTS; i++) {
        left = 0;
        check_refusal(ctx, variants[i].kind, params_of(&variants[i]), variants[i].direction, WEFT_ECANCELLED,
                      "stopped");
        left = 1;
        weft_graph *g = NULL;
        weft_generate_params p = params_of(&variants[i]);
        weft_status st = weft_generate(ctx, variants[i].kind, &p, NULL, &g);
        CHECK(st == WEFT_ECANCELLED || st == WEFT_OK);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    }
    weft_ctx_free(ctx);
}

static long allowance;
static void *take_if_allowed(void *user, size_t bytes) {
    (void)user;
    return __atomic_sub_fetch(&allowance, 1, __ATOMIC_RELAXED) < 0 ? NULL : malloc(bytes);
}
static void give(void *user, void *block, size_t bytes) {
    (void)user, (void)bytes;
    free(block);
}

TEST(every_allocation_may_fail) {
    static const char *const kinds[] = {"er", "rmat", "ba", "smallworld", "grid", "dag", "karate"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        weft_ctx *ctx;
        REQUIRE(!weft_ctx_new(&ctx));
        REQUIRE(!weft_ctx_set_allocator(ctx, take_if_allowed, give, NULL));
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.max_weight = 5, p.scale = 9;
        weft_status st = WEFT_ENOMEM;
        for (long allowed = 0; st && allowed < 2000; allowed++) {
            allowance = allowed;
            weft_graph *g = NULL;
            st = weft_generate(ctx, kinds[k], &p, NULL, &g);
            CHECK(st == WEFT_OK || (st == WEFT_ENOMEM && !g));
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        }
        CHECK_U64(st, WEFT_OK);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
