/* Generators: what each graph is defined to be, the same graph for any number of threads and on any machine, and what
 * happens when parameters, memory or patience run out. */
#include "harness.h"
#include "weft.h"

#include <math.h>

static weft_graph *make_with(weft_ctx *ctx, const char *kind, weft_generate_params p, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    weft_graph *g = NULL;
    weft_status st = weft_generate(ctx, kind, &p, &build, &g);
    if (st) HARNESS_FAIL("%s: %s", kind, weft_ctx_message(ctx));
    return g;
}

static weft_graph *make(weft_ctx *ctx, const char *kind, weft_generate_params p) {
    return make_with(ctx, kind, p, WEFT_AS_FILE);
}

static weft_graph_info describe(weft_ctx *ctx, const weft_graph *g) {
    weft_graph_info info = {.size = sizeof info};
    if (weft_graph_describe(ctx, g, &info)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return info;
}

static uint64_t degree(const weft_graph *g, weft_vid v) {
    weft_csr out = weft_graph_out(g);
    return out.offsets[v + 1] - out.offsets[v];
}

static bool has(const weft_graph *g, weft_vid u, weft_vid v) { return weft_graph_has_arc(g, u, v, NULL); }

static bool all_arcs_go_up(const weft_graph *g) {
    weft_csr out = weft_graph_out(g);
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid i = out.offsets[u]; i < out.offsets[u + 1]; i++)
            if (out.targets[i] <= u) return false;
    return true;
}

static double degree_variance(const weft_graph *g) {
    double n = weft_graph_vertices(g), mean = (double)weft_graph_arcs(g) / n, sum = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        double off = (double)degree(g, v) - mean;
        sum += off * off;
    }
    return sum / n;
}

/* --- every kind ------------------------------------------------------------ */

/* The fingerprints pin the graphs: a machine, compiler or change that makes another graph is caught here. */
static const struct variant {
    const char *kind;
    weft_direction direction;
    uint64_t n, m, k, rows, columns, layers, depth, scale, max_weight;
    double p, degree;
    int torus, unscrambled;
    uint64_t fingerprint;
} variants[] = {
    {.kind = "er", .n = 20000, .degree = 20, .fingerprint = 0x96574c1a6a4aff18u},
    {.kind = "er", .n = 300, .p = 0.7, .direction = WEFT_DIRECTED, .fingerprint = 0x4180c429de3db2bau},
    {.kind = "er", .n = 3000000, .p = 3e-9, .fingerprint = 0xefdfdffb9aecc3b2u},
    {.kind = "er", .n = 5000, .m = 100000, .max_weight = 100, .fingerprint = 0x9348d2cabb3c5bbeu},
    {.kind = "er", .n = 500, .m = 100000, .direction = WEFT_DIRECTED, .fingerprint = 0xcfb88460e8445ae7u},
    {.kind = "rmat", .scale = 14, .fingerprint = 0x80270db4f1dc254au},
    {.kind = "rmat", .scale = 13, .unscrambled = 1, .direction = WEFT_UNDIRECTED, .max_weight = 9, .fingerprint = 0xa94aad844d3abe5fu},
    {.kind = "uniform", .n = 50000, .fingerprint = 0xb6bb8e78d0bc2452u},
    {.kind = "ba", .n = 30000, .k = 5, .fingerprint = 0xb49ade03e46142c0u},
    {.kind = "smallworld", .n = 30000, .k = 8, .fingerprint = 0xebe2b69902f9a186u},
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
    weft_generate_params p = weft_generate_defaults();
    p.n = v->n, p.m = v->m, p.k = v->k, p.scale = v->scale;
    p.rows = v->rows, p.columns = v->columns, p.layers = v->layers, p.depth = v->depth;
    p.p = v->p > 0 ? v->p : p.p, p.degree = v->degree > 0 ? v->degree : p.degree, p.torus = v->torus, p.unscrambled = v->unscrambled;
    p.max_weight = v->max_weight;
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
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    CHECK(!weft_generator_at(weft_generator_count()));
    for (size_t i = 0; i < weft_generator_count(); i++) {
        const char *name = weft_generator_at(i)->name;
        bool tested = false;
        for (size_t v = 0; v < VARIANTS; v++) tested = tested || !strcmp(variants[v].kind, name);
        if (!tested) HARNESS_FAIL("no variant of %s", name);
        weft_graph *g = NULL, *again = NULL;
        weft_generate_params p = weft_generate_defaults();
        CHECK(!weft_generate(ctx, name, NULL, NULL, &g) && !weft_generate(ctx, name, &p, NULL, &again));
        int equal = 0;
        CHECK(!weft_graph_compare(ctx, g, again, &equal) && equal);
        CHECK_TEXT(describe(ctx, g).format, "generated");
        weft_graph_free(g);
        weft_graph_free(again);
    }
    weft_ctx_free(ctx);
}

TEST(another_seed_makes_another_graph) {
    static const char *const random[] = {"er", "rmat", "uniform", "ba", "smallworld", "dag", "cyclic"};
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    for (size_t i = 0; i < sizeof random / sizeof *random; i++) {
        weft_generate_params p = weft_generate_defaults();
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
            const weft_param_info *p = &info->params[k];
            CHECK(p->help && *p->help && p->standard);
            CHECK(p->offset >= sizeof(size_t) && p->offset < sizeof(weft_generate_params));
            CHECK(p->min <= p->max);
            char *end;
            double standard = strtod(p->standard, &end);
            if (end != p->standard) CHECK(standard >= p->min && standard <= p->max);
            for (size_t other = 0; other < k; other++) CHECK(strcmp(info->params[other].name, p->name));
        }
    }
}

/* --- by definition --------------------------------------------------------- */

TEST(er_by_probability_has_the_right_number_of_edges) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    static const double densities[] = {1e-4, 0.01, 0.3, 0.8};
    for (int i = 0; i < 4; i++) {
        weft_generate_params p = weft_generate_defaults();
        p.n = 2000, p.p = densities[i];
        weft_graph *g = make(ctx, "er", p);
        double pairs = 1999.0 * 1000, sigma = sqrt(pairs * p.p * (1 - p.p));
        weft_graph_info info = describe(ctx, g);
        CHECK_NEAR(info.edges, pairs * p.p, 5 * sigma);
        CHECK_U64(info.records, info.edges);
        CHECK_U64(info.self_loops, 0);
        CHECK(!info.directed);
        /* Degrees are binomial; their variance is known to about 3 %. */
        double variance = 1999 * p.p * (1 - p.p);
        CHECK_NEAR(degree_variance(g), variance, 0.2 * variance);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(er_at_the_ends_of_probability) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 300, p.p = 0;
    weft_graph *none = make(ctx, "er", p);
    CHECK_U64(weft_graph_edges(none), 0);
    CHECK_U64(weft_graph_vertices(none), 300);
    p.p = 1;
    weft_graph *all = make(ctx, "er", p), *complete = make(ctx, "complete", p);
    p.p = (double)NAN, p.m = 300 * 299 / 2;
    weft_graph *chosen = make(ctx, "er", p);
    int equal = 0;
    CHECK(!weft_graph_compare(ctx, all, complete, &equal) && equal);
    CHECK(!weft_graph_compare(ctx, chosen, complete, &equal) && equal);
    weft_graph_free(none);
    weft_graph_free(all);
    weft_graph_free(complete);
    weft_graph_free(chosen);
    p.n = 1, p.m = 0;
    weft_graph *one = make(ctx, "er", p);
    CHECK_U64(weft_graph_arcs(one), 0);
    weft_graph_free(one);
    weft_ctx_free(ctx);
}

TEST(er_with_m_has_exactly_m_edges_spread_evenly) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 4000, p.m = 80000;
    weft_graph *g = make(ctx, "er", p), *arcs = make_with(ctx, "er", p, WEFT_DIRECTED);
    CHECK_U64(weft_graph_edges(g), 80000);
    CHECK_U64(describe(ctx, g).self_loops, 0);
    CHECK_NEAR(degree_variance(g), 40, 4);
    CHECK_U64(weft_graph_arcs(arcs), 80000);
    CHECK_U64(describe(ctx, arcs).self_loops, 0);
    CHECK(!all_arcs_go_up(arcs));
    weft_graph_free(g);
    weft_graph_free(arcs);
    weft_ctx_free(ctx);
}

TEST(rmat_fills_the_quadrants_as_asked) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.scale = 12, p.degree = 64, p.unscrambled = 1;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    REQUIRE(!weft_generate(ctx, "rmat", &p, &build, &g));
    double m = (double)weft_graph_arcs(g);
    CHECK_U64(weft_graph_arcs(g), 64 << 12);
    CHECK(weft_graph_directed(g));
    static const double want[4] = {0.57, 0.19, 0.19, 0.05};
    weft_csr out = weft_graph_out(g);
    /* Level 0 is in the first draw, levels 9 and 10 in the second and third. */
    static const int bits[] = {11, 7, 6, 2, 1, 0};
    for (int b = 0; b < 6; b++) {
        double share[4] = {0};
        for (weft_vid u = 0; u < out.vertices; u++)
            for (weft_eid i = out.offsets[u]; i < out.offsets[u + 1]; i++)
                share[(u >> bits[b] & 1) * 2 + (out.targets[i] >> bits[b] & 1)]++;
        for (int q = 0; q < 4; q++) CHECK_NEAR(share[q] / m, want[q], 5 * sqrt(want[q] * (1 - want[q]) / m));
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(rmat_scrambling_renames_vertices_and_nothing_else) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    for (uint64_t scale = 1; scale <= 13; scale++) {
        weft_generate_params p = weft_generate_defaults();
        p.scale = scale;
        weft_graph *named = make(ctx, "rmat", p);
        p.unscrambled = 1;
        weft_graph *plain = make(ctx, "rmat", p);
        CHECK_U64(weft_graph_arcs(named), weft_graph_arcs(plain));
        for (int side = 0; side < 2; side++) {
            uint64_t *value[2], *count[2];
            size_t length[2];
            REQUIRE(!weft_graph_degree_distribution(ctx, named, side, &value[0], &count[0], &length[0]));
            REQUIRE(!weft_graph_degree_distribution(ctx, plain, side, &value[1], &count[1], &length[1]));
            CHECK_U64(length[0], length[1]);
            CHECK(length[0] == length[1] && !memcmp(value[0], value[1], length[0] * sizeof *value[0]) &&
                  !memcmp(count[0], count[1], length[0] * sizeof *count[0]));
            for (int g = 0; g < 2; g++) weft_free(ctx, value[g]), weft_free(ctx, count[g]);
        }
        if (scale == 13) CHECK(degree(plain, 0) == describe(ctx, plain).max_degree && degree(named, 0) < degree(plain, 0));
        weft_graph_free(named);
        weft_graph_free(plain);
    }
    weft_ctx_free(ctx);
}

TEST(rmat_takes_quadrants_at_their_limits) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.scale = 7, p.a = 1, p.b = p.c = 0, p.unscrambled = 1;
    weft_graph *g = make(ctx, "rmat", p);
    CHECK(weft_graph_arcs(g) == 1 && has(g, 0, 0));
    weft_graph_free(g);
    p.a = 0;
    g = make(ctx, "rmat", p);
    CHECK(weft_graph_arcs(g) == 1 && has(g, 127, 127));
    weft_graph_free(g);
    p.a = p.b = p.c = 1.0 / 3;
    g = make(ctx, "rmat", p);
    CHECK(!has(g, 127, 127) && weft_graph_arcs(g) > 100);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(uniform_draws_both_ends_from_all_vertices) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 10000;
    weft_graph *g = make(ctx, "uniform", p);
    weft_graph_info info = describe(ctx, g);
    CHECK(info.directed);
    CHECK_U64(info.records, 50000);
    CHECK_U64(info.edges + info.duplicates_dropped, 50000);
    CHECK_NEAR(info.self_loops, 5, 11);
    CHECK_NEAR(degree_variance(g), 5, 0.4);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(ba_vertices_join_k_different_older_ones) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    static const uint64_t ks[] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        weft_generate_params p = weft_generate_defaults();
        p.n = 20000, p.k = ks[i];
        weft_graph *g = make_with(ctx, "ba", p, WEFT_DIRECTED);
        weft_graph_info info = describe(ctx, g);
        CHECK_U64(info.edges, p.k * (p.k + 1) / 2 + (p.n - p.k - 1) * p.k);
        CHECK_U64(info.duplicates_dropped + info.self_loops, 0);
        CHECK(info.label == WEFT_LABEL_ACYCLIC);
        weft_csr out = weft_graph_out(g);
        for (weft_vid v = 0; v < p.n; v++) {
            CHECK_U64(degree(g, v), v < p.k ? v : p.k);
            if (degree(g, v)) CHECK(out.targets[out.offsets[v + 1] - 1] < v);
        }
        /* The oldest vertices grow like sqrt(n): far above what equal chances would give. */
        CHECK(info.max_in_degree > 100 * p.k / 2);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* P(degree d) = 2k(k+1) / (d(d+1)(d+2)) for large n [Dorogovtsev, Mendes, Samukhin 2000]. */
TEST(ba_degrees_follow_the_known_law) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 100000, p.k = 3;
    weft_graph *g = make(ctx, "ba", p);
    double found[12] = {0};
    for (weft_vid v = 0; v < p.n; v++)
        if (degree(g, v) < 12) found[degree(g, v)]++;
    for (int d = 3; d < 12; d++) {
        double law = 2.0 * 3 * 4 / (d * (d + 1.0) * (d + 2.0));
        CHECK_NEAR(found[d] / 1e5, law, 0.03 * law + 5 * sqrt(law / 1e5));
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(smallworld_without_rewiring_is_the_ring) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 1000, p.k = 6, p.p = 0;
    weft_graph *g = make(ctx, "smallworld", p);
    CHECK_U64(weft_graph_edges(g), 3000);
    for (weft_vid v = 0; v < 1000; v++)
        for (weft_vid step = 1; step <= 4; step++) CHECK(has(g, v, (v + step) % 1000) == (step <= 3));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(smallworld_rewires_the_share_it_is_asked_to) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    static const double shares[] = {0.1, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        weft_generate_params p = weft_generate_defaults();
        p.n = 10000, p.k = 10, p.p = shares[i];
        weft_graph *g = make_with(ctx, "smallworld", p, WEFT_DIRECTED);
        weft_csr out = weft_graph_out(g);
        double moved = 0;
        for (weft_vid v = 0; v < 10000; v++)
            for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++)
                moved += (out.targets[e] + 10000 - v) % 10000 > 5;
        CHECK_U64(weft_graph_arcs(g), 50000);
        CHECK_NEAR(moved, 50000 * p.p, 5 * sqrt(50000 * p.p * (1 - p.p)));
        CHECK_U64(describe(ctx, g).self_loops, 0);
        weft_graph_free(g);
        g = make(ctx, "smallworld", p);
        weft_graph_info info = describe(ctx, g);
        CHECK_U64(info.edges + info.duplicates_dropped, 50000);
        CHECK_NEAR(info.duplicates_dropped, 100 * p.p * p.p / 8, 20);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(smallworld_keeps_the_ring_where_nothing_is_far) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 9, p.k = 8, p.p = 1;
    weft_graph *g = make(ctx, "smallworld", p);
    CHECK_U64(weft_graph_edges(g), 36);
    weft_graph_free(g);
    /* One vertex is far from each: the first edge moves there, the second finds it taken and stays. */
    p.n = 8, p.k = 6;
    g = make_with(ctx, "smallworld", p, WEFT_DIRECTED);
    for (weft_vid v = 0; v < 8; v++) CHECK(has(g, v, (v + 4) % 8) && has(g, v, (v + 2) % 8) && has(g, v, (v + 3) % 8));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(grids_join_neighbours) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.rows = 3, p.columns = 4, p.layers = 5;
    weft_graph *g = make(ctx, "grid", p), *arcs = make_with(ctx, "grid", p, WEFT_DIRECTED);
    CHECK_U64(weft_graph_vertices(g), 60);
    CHECK_U64(weft_graph_edges(g), 5 * (3 * 3 + 2 * 4) + 4 * 12);
    for (weft_vid u = 0; u < 60; u++)
        for (weft_vid v = 0; v < 60; v++) {
            int x = abs((int)(u % 4) - (int)(v % 4)), y = abs((int)(u / 4 % 3) - (int)(v / 4 % 3));
            int z = abs((int)(u / 12) - (int)(v / 12));
            CHECK(has(g, u, v) == (x + y + z == 1));
        }
    CHECK(all_arcs_go_up(arcs) && describe(ctx, arcs).label == WEFT_LABEL_ACYCLIC);
    CHECK(describe(ctx, g).label == WEFT_LABEL_NONE);
    weft_graph_free(g);
    weft_graph_free(arcs);
    p.columns = 0, p.layers = 0;
    g = make(ctx, "grid", p);
    CHECK_U64(weft_graph_vertices(g), 9);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_torus_has_no_border) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    static const struct {
        uint64_t rows, columns, layers, degree, out_degree;
    } shapes[] = {{5, 7, 0, 4, 2}, {3, 4, 5, 6, 3}, {2, 5, 0, 3, 2}, {2, 2, 2, 3, 3}, {1, 6, 0, 2, 1}, {1, 1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        weft_generate_params p = weft_generate_defaults();
        p.rows = shapes[i].rows, p.columns = shapes[i].columns, p.layers = shapes[i].layers, p.torus = 1;
        weft_graph *g = make(ctx, "grid", p), *arcs = make_with(ctx, "grid", p, WEFT_DIRECTED);
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
            CHECK_U64(degree(g, v), shapes[i].degree);
            CHECK_U64(degree(arcs, v), shapes[i].out_degree);
        }
        weft_graph_info info = describe(ctx, g);
        CHECK_U64(info.duplicates_dropped + info.self_loops, 0);
        CHECK(describe(ctx, arcs).label == WEFT_LABEL_NONE);
        weft_graph_free(g);
        weft_graph_free(arcs);
    }
    weft_ctx_free(ctx);
}

TEST(dag_is_upper_triangular_with_the_density_asked_for) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 1000, p.p = 0.05;
    weft_graph *g = make(ctx, "dag", p), *edges = make_with(ctx, "dag", p, WEFT_UNDIRECTED);
    double pairs = 999.0 * 500;
    CHECK_NEAR(weft_graph_arcs(g), pairs * p.p, 5 * sqrt(pairs * p.p * (1 - p.p)));
    CHECK(all_arcs_go_up(g));
    CHECK(describe(ctx, g).label == WEFT_LABEL_ACYCLIC);
    CHECK(describe(ctx, edges).label == WEFT_LABEL_NONE);
    CHECK_U64(weft_graph_edges(edges), weft_graph_arcs(g));
    weft_graph_free(g);
    weft_graph_free(edges);
    weft_ctx_free(ctx);
}

/* Longest path by vertices, in topological order 0, 1, 2, ... */
static uint64_t longest_path(const weft_graph *g) {
    weft_csr out = weft_graph_out(g);
    uint64_t *length = calloc((size_t)out.vertices + 1, sizeof *length), longest = 0;
    for (weft_vid v = 0; length && v < out.vertices; v++) {
        longest = length[v] + 1 > longest ? length[v] + 1 : longest;
        for (weft_eid i = out.offsets[v]; i < out.offsets[v + 1]; i++)
            if (length[out.targets[i]] < length[v] + 1) length[out.targets[i]] = length[v] + 1;
    }
    free(length);
    return longest;
}

TEST(a_layered_dag_has_exactly_its_depth) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    static const uint64_t depths[] = {1, 2, 7, 100, 999, 1000};
    for (int i = 0; i < 6; i++) {
        weft_generate_params p = weft_generate_defaults();
        p.n = 1000, p.depth = depths[i], p.degree = 3;
        weft_graph *g = make(ctx, "dag", p);
        weft_csr in;
        REQUIRE(!weft_graph_in(ctx, g, &in));
        CHECK(all_arcs_go_up(g));
        CHECK_U64(longest_path(g), p.depth);
        uint64_t roots = 0;
        for (weft_vid v = 0; v < 1000; v++) roots += in.offsets[v + 1] == in.offsets[v];
        CHECK_U64(roots, 1000 / p.depth);
        CHECK(describe(ctx, g).label == WEFT_LABEL_ACYCLIC);
        if (p.depth > 1) CHECK_U64(describe(ctx, g).records, 3000);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(cyclic_is_a_random_matrix_with_its_diagonal) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 2000, p.p = 0.1;
    weft_graph *g = make(ctx, "cyclic", p);
    weft_graph_info info = describe(ctx, g);
    CHECK(info.directed && info.label == WEFT_LABEL_NONE);
    CHECK_NEAR(info.arcs, 4e5, 5 * sqrt(4e6 * 0.09));
    CHECK_NEAR(info.self_loops, 200, 5 * sqrt(180));
    CHECK_U64(info.duplicates_dropped, 0);
    weft_graph_free(g);
    p.p = 1, p.n = 50;
    g = make(ctx, "cyclic", p);
    CHECK_U64(weft_graph_arcs(g), 2500);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(graphs_without_chance_are_what_their_names_say) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    static const char *const kinds[] = {"path", "cycle", "star", "complete", "tree"};
    weft_generate_params p = weft_generate_defaults();
    p.n = 40, p.k = 3;
    for (int i = 0; i < 5; i++)
        for (int directed = 0; directed < 2; directed++) {
            weft_graph *g = make_with(ctx, kinds[i], p, directed ? WEFT_DIRECTED : WEFT_AS_FILE);
            for (weft_vid u = 0; u < 40; u++)
                for (weft_vid v = 0; v < 40; v++) {
                    weft_vid low = u < v ? u : v, high = u < v ? v : u;
                    bool closing = i == 1 && low == 0 && high == 39;
                    bool edge = i < 2 ? high == low + 1 || closing
                                : i == 2 ? low == 0 && high > 0
                                : i == 3 ? low != high
                                         : high > 0 && low == (high - 1) / 3;
                    bool right_way = !directed || (closing ? u == 39 : u < v);
                    CHECK(has(g, u, v) == (edge && right_way));
                }
            weft_label want = !directed ? WEFT_LABEL_NONE : i == 1 ? WEFT_LABEL_CYCLIC : WEFT_LABEL_ACYCLIC;
            CHECK(describe(ctx, g).label == want);
            weft_graph_free(g);
        }
    p.n = 1;
    for (int i = 0; i < 5; i++) {
        weft_graph *g = make_with(ctx, kinds[i], p, WEFT_DIRECTED);
        CHECK_U64(weft_graph_vertices(g), 1);
        CHECK_U64(weft_graph_arcs(g), i == 1); /* a cycle of one is a loop */
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* --- karate ---------------------------------------------------------------- */

static uint64_t triangles(const weft_graph *g) {
    uint64_t count = 0;
    weft_vid n = weft_graph_vertices(g);
    for (weft_vid a = 0; a < n; a++)
        for (weft_vid b = a + 1; b < n; b++)
            for (weft_vid c = b + 1; c < n; c++) count += has(g, a, b) && has(g, b, c) && has(g, a, c);
    return count;
}

TEST(karate_has_the_published_facts) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_graph *g = make(ctx, "karate", weft_generate_defaults());
    weft_graph_info info = describe(ctx, g);
    CHECK_U64(info.vertices, 34);
    CHECK_U64(info.edges, 78);
    CHECK_U64(info.duplicates_dropped + info.self_loops + info.isolated, 0);
    CHECK(!info.directed && info.id_base == 1);
    CHECK_U64(degree(g, 0), 16);
    CHECK_U64(degree(g, 33), 17);
    CHECK_U64(degree(g, 32), 12);
    CHECK_U64(degree(g, 11), 1);
    CHECK_U64(triangles(g), 45);
    weft_vid first, last;
    CHECK(!weft_graph_find(ctx, g, "1", &first) && first == 0);
    CHECK(!weft_graph_find(ctx, g, "34", &last) && last == 33);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(karate_is_the_karate_that_others_ship) {
    char path[1000], line[1000];
    const char *data = getenv("WEFT_SHARED_DATA");
    snprintf(path, sizeof path, "%s/networkit/karate.graph", data ? data : "../shared/data");
    FILE *file = fopen(path, "r");
    if (!file) SKIP("no networkit/karate.graph here");
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_graph *g = make(ctx, "karate", weft_generate_defaults());
    CHECK(fgets(line, sizeof line, file)); /* METIS: a header, then one row of 1-based neighbours per vertex */
    for (weft_vid u = 0; u < 34 && fgets(line, sizeof line, file); u++) {
        uint64_t neighbours = 0;
        char *at = line, *end;
        for (long v; v = strtol(at, &end, 10), end != at; at = end, neighbours++) CHECK(has(g, u, (weft_vid)(v - 1)));
        CHECK_U64(neighbours, degree(g, u));
    }
    fclose(file);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- weights --------------------------------------------------------------- */

TEST(weights_belong_to_edges) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 2000, p.max_weight = 20;
    weft_graph *g = make(ctx, "er", p);
    CHECK(weft_graph_weight_type(g) == WEFT_WEIGHT_U32);
    weft_csr out = weft_graph_out(g);
    const uint32_t *weight = out.weights;
    uint64_t times[21] = {0};
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid i = out.offsets[u]; i < out.offsets[u + 1]; i++) {
            weft_eid back;
            REQUIRE(weft_graph_has_arc(g, out.targets[i], u, &back));
            CHECK_U64(weight[back], weight[i]);
            REQUIRE(weight[i] >= 1 && weight[i] <= 20);
            times[weight[i]]++;
        }
    double each = (double)out.arcs / 2 / 20;
    for (int w = 1; w <= 20; w++) CHECK_NEAR((double)times[w] / 2, each, 5 * sqrt(each));
    weft_graph_free(g);
    p.max_weight = 4294967295u;
    g = make(ctx, "path", p);
    CHECK(describe(ctx, g).max_weight > 4e9);
    weft_graph_free(g);
    weft_ctx_free(ctx);
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
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params fresh = weft_generate_defaults(), p = fresh;
#define REFUSED(kind, part, ...)                                                 \
    do {                                                                         \
        p = fresh;                                                               \
        __VA_ARGS__;                                                             \
        check_refusal(ctx, kind, p, WEFT_AS_FILE, WEFT_EINVAL, part);            \
    } while (0)
    REFUSED("er", "--n is 4294967295, expected a whole number from 1 to 4294967294", p.n = 4294967295u);
    REFUSED("er", "--p is 1.5, expected a number from 0 to 1", p.p = 1.5);
    REFUSED("er", "--p is -0.1", p.p = -0.1);
    REFUSED("er", "--p is inf", p.p = (double)INFINITY);
    REFUSED("er", "--p or --m", p.p = 0.5, p.m = 3);
    REFUSED("er", "--m is 7, but 4 vertices have only 6 possible edges", p.n = 4, p.m = 7);
    REFUSED("er", "--max-weight", p.max_weight = 4294967296u);
    REFUSED("rmat", "--scale is 32, expected a whole number from 1 to 31", p.scale = 32);
    REFUSED("rmat", "their sum must be at most 1", p.a = 0.6, p.b = 0.3, p.c = 0.2);
    REFUSED("rmat", "--degree", p.degree = -1);
    REFUSED("rmat", "--unscrambled is 2", p.unscrambled = 2);
    REFUSED("ba", "--k is 5", p.n = 5, p.k = 5);
    REFUSED("smallworld", "--k is 3", p.n = 9, p.k = 3);
    REFUSED("smallworld", "--k is 10", p.n = 10, p.k = 10);
    REFUSED("grid", "--rows 70000 --columns 70000", p.rows = p.columns = 70000);
    REFUSED("grid", "more than 4294967294", p.rows = p.columns = p.layers = 4294967294u);
    REFUSED("dag", "--p (by density) or --depth", p.p = 0.5, p.depth = 3);
    REFUSED("dag", "--depth is 11", p.n = 10, p.depth = 11);
    REFUSED("cycle", "at least 3 vertices", p.n = 2);
    REFUSED("path", "no size", p.size = 0);
#undef REFUSED
    p = fresh;
    p.undirected = 1;
    check_refusal(ctx, "rmat", p, WEFT_DIRECTED, WEFT_EINVAL, "directed");
    check_refusal(ctx, "moebius", fresh, WEFT_AS_FILE, WEFT_ENOTFOUND, "moebius");
    weft_graph *g = NULL;
    CHECK_U64(weft_generate(ctx, NULL, NULL, NULL, &g), WEFT_ENOTFOUND);
    CHECK_U64(weft_generate(ctx, "path", NULL, NULL, NULL), WEFT_EINVAL);
    weft_ctx_free(ctx);
}

TEST(undirected_symmetrises) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
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
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.size = offsetof(weft_generate_params, unscrambled);
    p.scale = 8, p.unscrambled = 77; /* beyond its end: not looked at */
    weft_graph *g = make(ctx, "rmat", p);
    REQUIRE(g);
    CHECK_U64(weft_graph_vertices(g), 256);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_can_never_fit_is_refused_at_once) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_generate_params p = weft_generate_defaults();
    p.n = 4294967294u;
    check_refusal(ctx, "complete", p, WEFT_AS_FILE, WEFT_ENOMEM, "GB");
    p.p = 1;
    check_refusal(ctx, "cyclic", p, WEFT_AS_FILE, WEFT_ENOMEM, "GB");
    p = weft_generate_defaults();
    p.scale = 31, p.degree = 1e9;
    check_refusal(ctx, "rmat", p, WEFT_AS_FILE, WEFT_ENOMEM, "GB");
    weft_ctx_free(ctx);
}

static int patience;
static int lose_patience(void *user) {
    (void)user;
    return __atomic_sub_fetch(&patience, 1, __ATOMIC_RELAXED) < 0;
}

TEST(cancelling_stops_and_leaves_nothing) {
    weft_ctx *ctx;
    REQUIRE(!weft_ctx_new(&ctx));
    weft_ctx_set_cancel(ctx, lose_patience, NULL);
    for (size_t i = 0; i < VARIANTS; i++) {
        patience = 0;
        check_refusal(ctx, variants[i].kind, params_of(&variants[i]), variants[i].direction, WEFT_ECANCELLED,
                      "stopped");
        patience = 1;
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
        weft_generate_params p = weft_generate_defaults();
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
