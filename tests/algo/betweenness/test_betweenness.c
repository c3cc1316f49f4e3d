/* betweenness: small graphs by eye, counts of paths beyond doubles, recorded values on any number of threads, and
 * results that the verifier refuses. */
#include "triangle_support.h"
#include "weft/betweenness.h"

static const weft_betweenness_params standard = WEFT_BETWEENNESS_DEFAULTS;

/* Values between blanks, as %g, of a column of the result, which the verifier accepts. */
static void check_values(weft_direction direction, uint64_t n, const char *edges, const weft_betweenness_params *p,
                         const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = small_graph(ctx, n, edges, direction, WEFT_DUPLICATES_KEEP);
    weft_result *r = NULL;
    if (weft_betweenness(ctx, g, p, &r)) HARNESS_FAIL("%s: %s", edges, weft_ctx_message(ctx));
    REQUIRE(r);
    const weft_column *column = weft_result_column(r, p->edges ? "edge_betweenness" : "betweenness");
    char got[512] = "";
    for (size_t i = 0; i < column->length; i++)
        append(got, sizeof got, "%s%g", i ? " " : "", ((const double *)column->data)[i]);
    CHECK_TEXT(got, want);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    REQUIRE(weft_check(ctx, "betweenness", g, p, r, &report) == WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s: %s", edges, report.message);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(small_graphs_by_eye) {
    weft_betweenness_params p = standard;
    check_values(WEFT_UNDIRECTED, 0, "", &p, "");
    check_values(WEFT_UNDIRECTED, 1, "0-0", &p, "0");
    check_values(WEFT_UNDIRECTED, 2, "0-1", &p, "0 0");
    check_values(WEFT_UNDIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "0 3 4 3 0");
    check_values(WEFT_DIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "0 3 4 3 0");
    check_values(WEFT_UNDIRECTED, 5, "0-1 0-2 0-3 0-4", &p, "6 0 0 0 0");
    check_values(WEFT_UNDIRECTED, 4, "0-1 1-2 2-3 3-0", &p, "0.5 0.5 0.5 0.5");
    check_values(WEFT_DIRECTED, 4, "0-1 0-2 1-3 2-3", &p, "0 0.5 0.5 0");
    check_values(WEFT_UNDIRECTED, 6, "0-1 1-2 3-4 4-5", &p, "0 1 0 0 1 0");
}

TEST(parallel_edges_are_paths_of_their_own_and_loops_are_on_none) {
    weft_betweenness_params p = standard;
    check_values(WEFT_DIRECTED, 4, "0-1 0-1 0-1 0-2 1-3 2-3 1-1 0-0", &p, "0 0.75 0.25 0");
    p.edges = 1;
    check_values(WEFT_UNDIRECTED, 3, "0-1 0-1 1-2 2-2", &p, "1 1 2 0");
    check_values(WEFT_DIRECTED, 4, "0-1 0-1 0-1 0-2 1-3 2-3", &p, "0.583333 0.583333 0.583333 1.25 1.75 1.25");
}

TEST(ends_factors_and_edges) {
    weft_betweenness_params p = standard;
    p.endpoints = 1;
    check_values(WEFT_UNDIRECTED, 4, "0-1 1-2 2-3", &p, "3 5 5 3");
    check_values(WEFT_DIRECTED, 3, "0-1 1-2", &p, "2 3 2");
    p.normalized = 1;
    check_values(WEFT_UNDIRECTED, 4, "0-1 1-2 2-3", &p, "0.5 0.833333 0.833333 0.5");
    p.endpoints = 0;
    check_values(WEFT_UNDIRECTED, 4, "0-1 1-2 2-3", &p, "0 0.666667 0.666667 0");
    p.edges = 1;
    check_values(WEFT_UNDIRECTED, 4, "0-1 1-2 2-3", &p, "0.5 0.666667 0.5");
    p.normalized = 0;
    check_values(WEFT_UNDIRECTED, 4, "0-1 1-2 2-3", &p, "3 4 3");
}

/* A sample of 2 of the 4 sources that a vertex has, or of 3 if it is none of them, stands for all. */
TEST(sources_stand_for_all_and_with_targets_for_themselves) {
    static const weft_vid two[] = {0, 4, 4}, one[] = {0}, end[] = {3, 4};
    weft_betweenness_params p = standard;
    p.sources = two;
    p.source_count = 3;
    check_values(WEFT_UNDIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "0 4 4 4 0");
    p.source_count = 1;
    p.sources = one;
    check_values(WEFT_DIRECTED, 4, "0-1 1-2 2-3", &p, "nan 6 3 0");
    p.targets = end;
    p.target_count = 2;
    check_values(WEFT_DIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "0 2 2 1 0");
    check_values(WEFT_UNDIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "0 1 1 0.5 0");
    p.edges = 1;
    check_values(WEFT_DIRECTED, 5, "0-1 1-2 2-3 3-4", &p, "2 2 2 1");
}

/* From vertex 0 a chain of `diamonds` diamonds, and a path of the same length that ends where they do.  Of the paths to
 * the end all but one lead through the diamonds. */
TEST(counts_of_paths_beyond_doubles_stand_beside_1) {
    enum { DIAMONDS = 1500, PATH = 2 * DIAMONDS - 1 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_DIRECTED;
    static weft_vid u[4 * DIAMONDS + PATH + 1], v[4 * DIAMONDS + PATH + 1];
    weft_vid n = 3 * DIAMONDS + 1, at = 0, end = 3 * DIAMONDS;
    for (weft_vid i = 0; i < DIAMONDS; i++)
        for (weft_vid k = 1; k < 3; k++) {
            u[at] = 3 * i, v[at++] = 3 * i + k;
            u[at] = 3 * i + k, v[at++] = 3 * i + 3;
        }
    for (weft_vid i = 0; i <= PATH; i++) {
        u[at] = i ? n + i - 1 : 0;
        v[at++] = i < PATH ? n + i : end;
    }
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, n + PATH, at, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
    static const weft_vid first[] = {0};
    weft_vid *all = malloc((n + PATH) * sizeof *all);
    REQUIRE(all);
    for (weft_vid i = 0; i < n + PATH; i++) all[i] = i;
    weft_betweenness_params p = standard;
    p.sources = first;
    p.source_count = 1;
    p.targets = all;
    p.target_count = n + PATH;
    REQUIRE(weft_betweenness(ctx, g, &p, &r) == WEFT_OK);
    const double *got = weft_result_f64(r, "betweenness");
    for (weft_vid i = 1; i < n; i++) {
        double behind = 3 * (DIAMONDS - (double)((i + 2) / 3)); /* what the next corner and all behind it are, less 1 */
        double want = i % 3 == 0 ? 3 * (DIAMONDS - (double)i / 3) : (behind + 1) / 2;
        if (fabs(got[i] - want) > 1e-9 * want) HARNESS_FAIL("vertex %u: %.17g, not %.17g", i, got[i], want);
    }
    for (weft_vid i = 0; i < PATH; i++)
        if (got[n + i] != (double)(PATH - 1 - i)) HARNESS_FAIL("path %u: %.17g", i, got[n + i]);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    REQUIRE(weft_check(ctx, "betweenness", g, &p, r, &report) == WEFT_OK);
    CHECK(report.passed);
    free(all);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Arcs of the vertices after `from`: chains of diamonds, if any, and then 4 random ones for each of SOME vertices, of
 * which paths are counted from all vertices to all.  Values of the last SOME vertices. */
enum { SOME = 300, CHAIN = 1000 };
static void run_beside(weft_vid diamonds, double *values) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    static weft_vid u[4 * (CHAIN + SOME)], v[4 * (CHAIN + SOME)], all[3 * CHAIN + 1 + SOME];
    weft_vid at = 0, first = diamonds ? 3 * diamonds + 1 : 0, n = first + SOME;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    build.direction = WEFT_DIRECTED;
    for (weft_vid i = 0; i < diamonds; i++)
        for (weft_vid k = 1; k < 3; k++) {
            u[at] = 3 * i, v[at++] = 3 * i + k;
            u[at] = 3 * i + k, v[at++] = 3 * i + 3;
        }
    for (weft_vid i = 0; i < 4 * SOME; i++) {
        u[at] = first + i / 4;
        v[at++] = first + (weft_vid)(random_at(5, i) % SOME);
    }
    for (weft_vid i = 0; i < n; i++) all[i] = i;
    weft_betweenness_params p = standard;
    p.targets = all;
    p.target_count = n;
    REQUIRE(!weft_graph_from_edges(ctx, n, at, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
    REQUIRE(weft_betweenness(ctx, g, &p, &r) == WEFT_OK);
    memcpy(values, weft_result_f64(r, "betweenness") + first, SOME * sizeof *values);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(numbers_without_bounds_have_the_bits_of_doubles) {
    double near[SOME], far[SOME];
    run_beside(0, near);
    run_beside(CHAIN, far);
    CHECK(!memcmp(near, far, sizeof near));
    CHECK(near[0] > 0);
}

/* A path: sources at both ends and in the middle; half of what is in front of a vertex times what is behind it. */
TEST(a_long_path_has_a_value_at_each_of_its_levels) {
    enum { N = 1000001 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_vid *u = malloc(2 * N * sizeof *u), *all = malloc(N * sizeof *all);
    REQUIRE(u && all);
    for (weft_vid i = 0; i < N; i++) {
        u[i] = all[i] = i;
        u[N + i] = i + 1;
    }
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    build.direction = WEFT_UNDIRECTED;
    REQUIRE(!weft_graph_from_edges(ctx, N, N - 1, u, u + N, NULL, WEFT_WEIGHT_NONE, &build, &g));
    static const weft_vid ends[] = {0, N / 2, N - 1};
    weft_betweenness_params p = standard;
    p.sources = ends;
    p.source_count = 3;
    p.targets = all;
    p.target_count = N;
    REQUIRE(weft_betweenness(ctx, g, &p, &r) == WEFT_OK);
    const double *got = weft_result_f64(r, "betweenness");
    for (weft_vid i = 1; i < N - 1; i++) {
        weft_vid outer = i < N / 2 ? i : N - 1 - i, sum = N - 1 + (i == N / 2 ? 0 : outer);
        if (got[i] != sum / 2.0) {
            HARNESS_FAIL("vertex %u: %.17g, not %.17g", i, got[i], sum / 2.0);
            break;
        }
    }
    free(u);
    free(all);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- trees ---------------------------------------------------------------------------------- */

TEST(trees_are_exact_whatever_hangs_where) {
    weft_betweenness_params p = standard;
    check_values(WEFT_UNDIRECTED, 7, "0-1 0-2 1-3 1-4 2-5 2-6", &p, "9 9 9 0 0 0 0");
    check_values(WEFT_UNDIRECTED, 6, "0-1 1-2 2-0 2-3 3-4 4-5", &p, "0 0 6 6 4 0");
    check_values(WEFT_UNDIRECTED, 5, "0-0 0-1 1-2 3-4 4-4", &p, "0 1 0 0 0");
    check_values(WEFT_UNDIRECTED, 4, "0-1 0-1 1-2 2-3", &p, "0 2 2 0");
    p.edges = 1;
    check_values(WEFT_UNDIRECTED, 6, "0-1 1-2 2-0 2-3 3-4 4-5", &p, "1 4 4 9 8 5");
    p.edges = 0;
    p.endpoints = 1;
    check_values(WEFT_UNDIRECTED, 6, "0-1 1-2 2-0 2-3 3-4 4-5", &p, "5 5 11 11 9 5");
}

/* A path of a million vertices, of which one is searched from. */
TEST(a_tree_of_a_million_vertices_takes_one_search) {
    enum { N = 1000001 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params generate = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    generate.n = N;
    REQUIRE(!weft_generate(ctx, "path", &generate, NULL, &g));
    REQUIRE(weft_betweenness(ctx, g, NULL, &r) == WEFT_OK);
    const double *got = weft_result_f64(r, "betweenness");
    for (uint64_t i = 0, wrong = 0; i < N && !wrong; i++) {
        wrong = got[i] != (double)(i * (N - 1 - i));
        if (wrong) HARNESS_FAIL("vertex %u: %.17g", (unsigned)i, got[i]);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static bool alike(const weft_result *a, const weft_result *b, const char *name) {
    const weft_column *x = weft_result_column(a, name), *y = weft_result_column(b, name);
    bool same = !x == !y && (!x || x->length == y->length);
    for (size_t i = 0; same && x && i < x->length; i++) {
        double p = ((const double *)x->data)[i], q = ((const double *)y->data)[i];
        same = fabs(p - q) <= 1e-12 * fabs(p);
    }
    return same;
}

/* Half of the vertices hang on each other at random, below a random part; searches from a list that has all of them
 * are not folded. */
TEST(folded_searches_give_what_all_searches_give) {
    for (uint64_t seed = 1; seed <= 24; seed++) {
        enum { MOST = 200 };
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        weft_result *folded = NULL, *whole = NULL;
        weft_vid u[2 * MOST], v[2 * MOST], all[MOST], at = 0;
        dice d = {seed, 0};
        weft_vid core = 2 + (weft_vid)roll(&d, 90), n = core + (weft_vid)roll(&d, MOST - core);
        for (weft_vid i = 0; i < core + core / 3; i++)
            u[at] = (weft_vid)roll(&d, core), v[at++] = (weft_vid)roll(&d, core);
        for (weft_vid i = core; i < n; i++) u[at] = i, v[at++] = (weft_vid)roll(&d, i);
        for (weft_vid i = 0; i < n; i++) all[i] = i;
        build.direction = WEFT_UNDIRECTED;
        if (seed % 3 == 0) build.duplicates = WEFT_DUPLICATES_KEEP;
        REQUIRE(!weft_graph_from_edges(ctx, n, at, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
        weft_betweenness_params p = standard;
        p.edges = 1;
        p.endpoints = seed % 2;
        p.normalized = seed % 5 == 0;
        REQUIRE(weft_betweenness(ctx, g, &p, &folded) == WEFT_OK);
        p.sources = all;
        p.source_count = n;
        REQUIRE(weft_betweenness(ctx, g, &p, &whole) == WEFT_OK);
        CHECK(alike(folded, whole, "betweenness"));
        CHECK(alike(folded, whole, "edge_betweenness"));
        weft_result_free(folded);
        weft_result_free(whole);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* --- recorded ----------------------------------------------------------------------------- */

enum { DRAWN = 20, PATHS = 1000 /* random ones */ };
static const struct record {
    const char *kind;
    uint64_t side, scale; /* of a grid; of R-MAT */
    double degree;
    weft_direction direction;
    int edges, endpoints;
    size_t sources; /* of them; 0: all */
    uint64_t digest;
} records[] = {
    {"karate", 0, 0, 0, WEFT_UNDIRECTED, 0, 0, 0, 0x6fb2e483b6197e46},
    {"karate", 0, 0, 0, WEFT_UNDIRECTED, 1, 1, 0, 0x2bcbd097ddcddb5f},
    {"rmat", 0, 9, 8, WEFT_DIRECTED, 1, 0, 0, 0x4bf3f55f53ff03c8},
    {"rmat", 0, 10, 8, WEFT_UNDIRECTED, 0, 0, 0, 0xc7ee7a1f6a29b5aa},
    {"rmat", 0, 13, 8, WEFT_DIRECTED, 0, 1, DRAWN, 0x9a93390dd8538711},
    {"grid", 100, 0, 0, WEFT_UNDIRECTED, 0, 0, DRAWN, 0x974922af74a0e6b9}, /* 2^194 paths to a corner */
    {"grid", 600, 0, 0, WEFT_UNDIRECTED, 0, 0, 2, 0xfe8ed201f2d0d6d1},     /* 2^1192, beyond doubles */
    {"rmat", 0, 11, 8, WEFT_DIRECTED, 0, 0, PATHS, 0x3558f955f6640cda},
    {"grid", 100, 0, 0, WEFT_UNDIRECTED, 0, 0, PATHS, 0x621787d4a01ff89d},
};

static uint64_t digest_of(const struct record *k, int threads) {
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_generate_params generate = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_betweenness_params p = standard;
    weft_vid drawn[DRAWN] = {0};
    weft_graph *g = NULL;
    weft_result *r = NULL;
    uint64_t digest = 0;
    if (k->side) generate.rows = generate.columns = k->side;
    if (k->scale) generate.scale = k->scale;
    if (k->degree > 0) generate.degree = k->degree;
    build.direction = k->direction;
    if (weft_generate(ctx, k->kind, &generate, &build, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (k->sources == PATHS) p.error = 0.1;
    for (size_t i = 0; i < k->sources && i < DRAWN; i++) drawn[i] = (weft_vid)(i * 97 % weft_graph_vertices(g));
    p.edges = k->edges;
    p.endpoints = k->endpoints;
    p.sources = k->sources && k->sources <= DRAWN ? drawn : NULL;
    p.source_count = p.sources ? k->sources : 0;
    if (weft_betweenness(ctx, g, &p, &r) || weft_result_digest(ctx, r, &digest))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return digest;
}

TEST(values_are_as_recorded_on_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < LENGTH(records); i++)
        for (size_t t = 0; t < LENGTH(threads); t++) {
            if (records[i].side > 500 && (t > 1 || under_a_microscope())) continue;
            uint64_t got = digest_of(&records[i], threads[t]);
            if (got != records[i].digest)
                HARNESS_FAIL("%s, record %zu on %d threads: 0x%016" PRIx64, records[i].kind, i, threads[t], got);
        }
}

/* --- from random paths -------------------------------------------------------------------- */

/* The largest difference of normalised values from those of all paths; the result, if it is asked for. */
static double error_of(weft_ctx *ctx, const weft_graph *g, weft_betweenness_params p, weft_result **out) {
    weft_betweenness_params all = standard;
    weft_result *exact = NULL, *drawn = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    double worst = 0;
    all.normalized = p.normalized = 1;
    if (weft_betweenness(ctx, g, &all, &exact) || weft_betweenness(ctx, g, &p, &drawn) ||
        weft_check(ctx, "betweenness", g, &p, drawn, &report))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    if (drawn && !report.passed) HARNESS_FAIL("%s", report.message);
    for (weft_vid v = 0; exact && drawn && v < weft_graph_vertices(g); v++)
        worst = fmax(worst, fabs(weft_result_f64(exact, "betweenness")[v] - weft_result_f64(drawn, "betweenness")[v]));
    weft_result_free(exact);
    if (out)
        *out = drawn;
    else
        weft_result_free(drawn);
    return worst;
}

/* Two ends joined by `diamonds` diamonds in a row, and by a path that is as long: 2^diamonds paths beside one. */
static weft_graph *diamonds_and_a_path(weft_ctx *ctx, weft_vid diamonds) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_vid n = 3 * diamonds + 1, path = 2 * diamonds - 1, at = 0, *u = malloc(2 * 6 * n * sizeof *u), *v = u + 6 * n;
    weft_graph *g = NULL;
    build.direction = WEFT_UNDIRECTED;
    for (weft_vid i = 0; i < diamonds; i++)
        for (weft_vid k = 1; k < 3; k++) {
            u[at] = 3 * i, v[at++] = 3 * i + k;
            u[at] = 3 * i + k, v[at++] = 3 * i + 3;
        }
    for (weft_vid i = 0; i <= path; i++) {
        u[at] = i ? n + i - 1 : 0;
        v[at++] = i < path ? n + i : n - 1;
    }
    if (weft_graph_from_edges(ctx, n + path, at, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g)) exit(1);
    free(u);
    return g;
}

TEST(random_paths_are_as_probable_as_shortest_ones_are_many) {
    enum { DIAMONDS = 700 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_betweenness_params p = standard;
    p.error = under_a_microscope() ? 0.01 : 0.004;
    static const char *const edges[] = {"0-1 0-1 0-1 0-2 1-3 2-3", "0-1 0-2 1-3 2-3 1-4 3-5 4-5 5-5 3-6", "0-1 2-3",
                                        "0-1 1-2 2-0 2-3 3-4 4-2 3-4 4-5 5-6 6-4"};
    for (size_t i = 0; i < LENGTH(edges); i++)
        for (int directed = 0; directed < 2; directed++) {
            weft_graph *g =
                small_graph(ctx, 7, edges[i], directed ? WEFT_DIRECTED : WEFT_UNDIRECTED, WEFT_DUPLICATES_KEEP);
            double worst = error_of(ctx, g, p, NULL);
            if (worst > p.error) HARNESS_FAIL("%s: off by %g", edges[i], worst);
            weft_graph_free(g);
        }
    weft_graph *g = diamonds_and_a_path(ctx, DIAMONDS);
    p.error = 0.05;
    double worst = error_of(ctx, g, p, NULL);
    if (worst > p.error) HARNESS_FAIL("diamonds: off by %g", worst);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_first_are_apart_or_the_error_is_reached) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_betweenness_params p = standard;
    p.error = 0.001;
    p.apart = 2;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    CHECK(error_of(ctx, g, p, &r) < weft_result_scalar(r, "error")->value.f64);
    CHECK(weft_result_scalar(r, "apart")->value.u64 >= 2);      /* long before ... */
    CHECK(weft_result_scalar(r, "error")->value.f64 > p.error); /* ... the error is reached */
    weft_result_free(r);
    weft_graph_free(g);
    /* In a cycle all are equal. */
    g = small_graph(ctx, 5, "0-1 1-2 2-3 3-4 4-0", WEFT_UNDIRECTED, WEFT_DUPLICATES_KEEP);
    p.error = 0.02;
    CHECK(error_of(ctx, g, p, &r) <= p.error);
    CHECK_U64(weft_result_scalar(r, "apart")->value.u64, 0);
    CHECK(weft_result_scalar(r, "error")->value.f64 <= p.error);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- by weights --------------------------------------------------------------------------- */

/* Edges with weights: values of the column between blanks, or the message of the refusal. */
static void check_weighted(const char *edges, const double *weights, weft_betweenness_params p, const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_vid u[32], v[32], n = 0;
    uint64_t m = 0;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    build.direction = WEFT_UNDIRECTED;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    for (const char *at = edges; *at; at += strcspn(at, " "), at += *at == ' ', m++) {
        if (sscanf(at, "%u-%u", &u[m], &v[m]) != 2) exit(1);
        n = u[m] >= n ? u[m] + 1 : n;
        n = v[m] >= n ? v[m] + 1 : n;
    }
    REQUIRE(!weft_graph_from_edges(ctx, n, m, u, v, weights, WEFT_WEIGHT_F64, &build, &g));
    p.weights = 1;
    char got[512] = "";
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_betweenness(ctx, g, &p, &r)) {
        CHECK_HAS(weft_ctx_message(ctx), want);
    } else {
        const weft_column *column = weft_result_column(r, p.edges ? "edge_betweenness" : "betweenness");
        for (size_t i = 0; i < column->length; i++)
            append(got, sizeof got, "%s%g", i ? " " : "", ((const double *)column->data)[i]);
        CHECK_TEXT(got, want);
        REQUIRE(weft_check(ctx, "betweenness", g, &p, r, &report) == WEFT_OK);
        if (!report.passed) HARNESS_FAIL("%s: %s", edges, report.message);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(paths_by_weights_and_their_ties) {
    weft_betweenness_params p = standard;
    const double detour[] = {1, 1, 1, 4}, tie[] = {1, 1, 1, 3}, parallel[] = {2, 2, 5, 1, 1};
    check_weighted("0-1 1-2 2-3 3-0", detour, p, "0 2 2 0");
    check_weighted("0-1 1-2 2-3 3-0", tie, p, "0 1.5 1.5 0");
    check_weighted("0-1 0-1 0-1 1-2 2-2", parallel, p, "0 1 0"); /* the third is too long to be a path */
    p.edges = 1;
    check_weighted("0-1 0-1 0-1 1-2 2-2", parallel, p, "1 1 0 2 0");
    check_weighted("0-1 1-2 2-3 3-0", tie, p, "2.5 0.5 3.5 2.5");
}

TEST(weights_that_lead_nowhere_are_refused_with_their_edge) {
    weft_betweenness_params p = standard;
    const double zero[] = {1, 0, 1}, below[] = {1, 1, -2}, lost[] = {1e17, 1, 1}, far[] = {1e308, 1e308, 1};
    check_weighted("0-1 1-2 2-3", zero, p, "the edge from 1 to 2 has weight 0");
    check_weighted("0-1 1-2 2-3", below, p, "the edge from 2 to 3 has weight -2");
    check_weighted("0-1 1-2 2-3", lost, p, "the edge from 1 to 2 has weight 1");
    check_weighted("0-1 1-2 2-3", far, p, "the edge from 1 to 2 has weight 1e+308");
}

/* --- refusals ----------------------------------------------------------------------------- */

TEST(what_cannot_be_answered_is_refused_by_name) {
    static const weft_vid list[] = {1, 34};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    weft_betweenness_params p = standard;
    p.sources = list;
    p.source_count = 2;
    CHECK(weft_betweenness(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "sources[1] is vertex 34");
    p = standard;
    p.targets = list;
    p.target_count = 1;
    p.endpoints = 1;
    CHECK(weft_betweenness(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "endpoints");
    p.target_count = 0;
    p.endpoints = 0;
    CHECK(weft_betweenness(ctx, g, &p, &r) == WEFT_EINVAL && !r);
    for (int i = 0; i < 10; i++) {
        static const char *const names[] = {"sources", "targets",       "endpoints",  "edges", "weights",
                                            "exact",   "1e-08 or more", "confidence", "seed",  "apart"};
        p = standard;
        p.error = i < 6 ? 0.1 : i == 6 ? 1e-9 : 0;
        p.sources = i == 0 ? list : NULL;
        p.targets = i == 1 ? list : NULL;
        p.source_count = i == 0;
        p.target_count = i == 1;
        p.endpoints = i == 2;
        p.edges = i == 3;
        p.weights = i == 4;
        p.exact = i == 5;
        if (i == 7) p.confidence = 0.9;
        if (i == 8) p.seed = 2;
        if (i == 9) p.apart = 3;
        CHECK(weft_betweenness(ctx, g, &p, &r) == WEFT_EINVAL && !r);
        CHECK_HAS(weft_ctx_message(ctx), names[i]);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* What takes long is begun when it is asked for twice; the plan says how long. */
TEST(a_long_run_asks_for_exact) {
    enum { N = 3000000 };
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params generate = WEFT_GENERATE_DEFAULTS;
    weft_betweenness_params p = standard;
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    generate.n = N;
    REQUIRE(!weft_generate(ctx, "cycle", &generate, NULL, &g));
    REQUIRE(!weft_plan_new(ctx, "betweenness", g, &p, &plan));
    CHECK_HAS(weft_plan_reason(plan), "3000000 sources, about ");
    CHECK_HAS(weft_plan_reason(plan), " hours");
    CHECK(weft_plan_run(plan, &r) == WEFT_EINVAL && !r);
    CHECK_HAS(weft_ctx_message(ctx), "`error=0.01`");
    CHECK_HAS(weft_ctx_message(ctx), "`exact`");
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Does the verifier refuse the karate club's result, once its value is changed by so much? */
static bool refuses(const char *column, size_t at, double by) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_betweenness_params p = standard;
    p.edges = 1;
    if (weft_generate(ctx, "karate", NULL, NULL, &g) || weft_betweenness(ctx, g, &p, &r)) exit(1);
    ((double *)(uintptr_t)weft_result_f64(r, column))[at] += by;
    if (weft_check(ctx, "betweenness", g, &p, r, &report)) exit(1);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return !report.passed;
}

TEST(the_verifier_refuses_what_was_tampered_with) {
    CHECK(!refuses("betweenness", 0, 0));
    CHECK(refuses("betweenness", 0, 1e-6));
    CHECK(refuses("betweenness", 11, 1e-8)); /* vertex 12 is a leaf */
    CHECK(refuses("betweenness", 5, (double)NAN));
    CHECK(refuses("edge_betweenness", 3, -1e-6));
}

TEST(the_verifier_refuses_what_paths_cannot_give) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_betweenness_params p = standard;
    p.error = 0.05;
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    REQUIRE(weft_betweenness(ctx, g, &p, &r) == WEFT_OK);
    double *values = (double *)(uintptr_t)weft_result_f64(r, "betweenness"), first = values[0];
    double path = 34 * 33 / 2.0 / (double)weft_result_scalar(r, "samples")->value.u64;
    for (int i = 0; i < 4; i++) {
        weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
        values[0] = first + (double[]){0, path / 3, 0.08 * 34 * 33 / 2, 0}[i];
        if (i == 2) values[0] = path * round(values[0] / path);
        if (i == 3) values[11] = path; /* vertex 12 is a leaf */
        REQUIRE(weft_check(ctx, "betweenness", g, &p, r, &report) == WEFT_OK);
        CHECK(report.passed == (i == 0));
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
