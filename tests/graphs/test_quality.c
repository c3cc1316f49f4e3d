/* weft_partition_quality: known answers; random graphs against the definition, arc by arc; weights of any size; the
 * same bytes on any number of threads; what is refused; memory that is not there.  tests/quality/reference.py compares
 * with NetworkX. */
#include "support.h"

enum { MOST = 64 };

static double scalar(const weft_result *r, const char *name) {
    const weft_scalar *s = weft_result_scalar(r, name);
    return s->type == WEFT_F64 ? s->value.f64 : (double)s->value.u64;
}

static bool near(double x, double y) { return fabs(x - y) <= 1e-12 * fmax(1, fabs(y)); }

static weft_result *judge(weft_ctx *ctx, const weft_graph *g, const uint32_t *labels, double resolution, int weights) {
    weft_quality_params p = WEFT_QUALITY_DEFAULTS;
    weft_result *r = NULL;
    p.resolution = resolution;
    p.weights = weights;
    return weft_partition_quality(ctx, g, labels, &p, &r) ? NULL : r;
}

static weft_graph *undirected(weft_ctx *ctx, const char *text) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    return read_text(ctx, text, &p);
}

/* --- known answers --------------------------------------------------------------------- */

TEST(two_triangles_with_a_bridge) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = undirected(ctx, "0 1\n1 2\n0 2\n3 4\n4 5\n3 5\n2 3\n");
    uint32_t labels[] = {7, 7, 7, 4000000000u, 4000000000u, 4000000000u};
    weft_result *r = judge(ctx, g, labels, 1, 0);
    REQUIRE(r);
    CHECK(near(scalar(r, "modularity"), 6.0 / 7 - 0.5));
    CHECK(scalar(r, "cpm") == 0 && near(scalar(r, "coverage"), 6.0 / 7));
    CHECK(scalar(r, "communities") == 2 && scalar(r, "largest") == 3 && scalar(r, "disconnected") == 0);
    CHECK_U64(weft_result_column(r, "community")->length, 2);
    CHECK(weft_result_u32(r, "community")[0] == 7 && weft_result_u32(r, "community")[1] == 4000000000u);
    CHECK(weft_result_f64(r, "internal")[0] == 3 && weft_result_f64(r, "cut")[0] == 1);
    CHECK(near(weft_result_f64(r, "conductance")[1], 1.0 / 7));
    weft_result_free(r);
    REQUIRE(r = judge(ctx, g, labels, 2, 0));
    CHECK(near(scalar(r, "modularity"), 6.0 / 7 - 1) && scalar(r, "cpm") == -6);
    weft_result_free(r);
    uint32_t torn[] = {1, 2, 2, 2, 1, 1}; /* 0 | 4 5 and 1 2 3 */
    REQUIRE(r = judge(ctx, g, torn, 1, 0));
    CHECK(scalar(r, "disconnected") == 1 && weft_result_u64(r, "pieces")[0] == 2 &&
          weft_result_u64(r, "pieces")[1] == 1);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* All in one community is 0, each alone is below; a loop counts twice, a parallel edge each time. */
TEST(one_community_and_loops) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = undirected(ctx, "0 0\n0 1\n0 1\n2 3\n");
    uint32_t one[] = {5, 5, 5, 5}, each[] = {0, 1, 2, 3}, some[] = {0, 1, 1, 1};
    weft_result *r = judge(ctx, g, one, 1, 0);
    REQUIRE(r);
    CHECK(scalar(r, "modularity") == 0 && scalar(r, "coverage") == 1 && scalar(r, "disconnected") == 1);
    CHECK(weft_result_f64(r, "conductance")[0] == 0 && weft_result_f64(r, "internal")[0] == 4);
    weft_result_free(r);
    REQUIRE(r = judge(ctx, g, each, 1, 0)); /* degrees 4 2 1 1 of 8 */
    CHECK(scalar(r, "modularity") == (8.0 * 2 - (16 + 4 + 1 + 1)) / 64);
    weft_result_free(r);
    REQUIRE(r = judge(ctx, g, some, 1, 0));
    CHECK(weft_result_f64(r, "cut")[0] == 2 && weft_result_f64(r, "conductance")[0] == 0.5);
    CHECK(weft_result_u64(r, "pieces")[0] == 2);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(nothing_to_count_is_0_and_said) {
    warnings said = {0};
    weft_ctx *ctx = new_ctx(1, &said);
    weft_vid none = 0;
    uint32_t labels[] = {0, 1, 0};
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_graph_from_edges(ctx, 3, 0, &none, &none, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    weft_ctx_set_note(ctx, note_warning, &said);
    REQUIRE(r = judge(ctx, g, labels, 1, 0));
    CHECK(scalar(r, "modularity") == 0 && scalar(r, "coverage") == 0 && scalar(r, "cpm") == -2); /* directed */
    CHECK(strstr(said.text, "no edges: modularity, coverage and conductance are 0"));
    weft_result_free(r);
    weft_graph_free(g);
    g = read_text(ctx, "0 1 0\n", NULL);
    REQUIRE(r = judge(ctx, g, labels, 1, 1));
    CHECK(scalar(r, "modularity") == 0);
    CHECK(strstr(said.text, "all weights are 0"));
    weft_result_free(r);
    weft_graph_free(g);
    REQUIRE(weft_graph_from_edges(ctx, 0, 0, &none, &none, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    REQUIRE(weft_partition_quality(ctx, g, NULL, NULL, &r) == WEFT_OK);
    CHECK(scalar(r, "communities") == 0 && scalar(r, "modularity") == 0);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- against the definition --------------------------------------------------------------- */

typedef struct sample {
    weft_vid n;
    uint64_t m;
    weft_vid from[4 * MOST], to[4 * MOST];
    double weight[4 * MOST];
    uint32_t labels[MOST];
} sample;

static sample draw(uint64_t seed) {
    sample s = {.n = (weft_vid)(1 + random_at(seed, 0) % MOST)};
    uint32_t groups = (uint32_t)(1 + random_at(seed, 1) % 6);
    s.m = random_at(seed, 2) % (4 * s.n);
    for (uint64_t i = 0; i < s.m; i++) {
        s.from[i] = (weft_vid)(random_at(seed, 3 * i + 10) % s.n);
        s.to[i] = (weft_vid)(random_at(seed, 3 * i + 11) % s.n);
        s.weight[i] = (double)(random_at(seed, 3 * i + 12) % 1000) / 64;
    }
    for (weft_vid v = 0; v < s.n; v++) s.labels[v] = (uint32_t)(random_at(seed, 5000 + v) % groups) * 17;
    return s;
}

/* Sums over all pairs of vertices: the formula as it is printed. */
static double plain_modularity(const sample *s, bool directed, bool weighted, double resolution) {
    static double a[MOST][MOST];
    double out[MOST] = {0}, in[MOST] = {0}, all = 0, sum = 0;
    memset(a, 0, sizeof a);
    for (uint64_t i = 0; i < s->m; i++) {
        double w = weighted ? s->weight[i] : 1;
        a[s->from[i]][s->to[i]] += w;
        if (!directed) a[s->to[i]][s->from[i]] += w; /* a loop twice */
    }
    for (weft_vid u = 0; u < s->n; u++)
        for (weft_vid v = 0; v < s->n; v++) {
            out[u] += a[u][v];
            in[v] += a[u][v];
            all += a[u][v];
        }
    for (weft_vid u = 0; u < s->n && all > 0; u++)
        for (weft_vid v = 0; v < s->n; v++)
            if (s->labels[u] == s->labels[v]) sum += a[u][v] / all - resolution * out[u] * in[v] / (all * all);
    return sum;
}

/* Of the community of row i: edges inside and across, by the list of edges. */
static void compare_row(const sample *s, bool weighted, const weft_result *r, size_t i) {
    uint32_t label = weft_result_u32(r, "community")[i];
    double inside = 0, cut = 0;
    uint64_t size = 0;
    for (uint64_t e = 0; e < s->m; e++) {
        int ends = (s->labels[s->from[e]] == label) + (s->labels[s->to[e]] == label);
        double w = weighted ? s->weight[e] : 1;
        inside += ends == 2 ? w : 0;
        cut += ends == 1 ? w : 0;
    }
    for (weft_vid v = 0; v < s->n; v++) size += s->labels[v] == label;
    CHECK_U64(weft_result_u64(r, "size")[i], size);
    CHECK(near(weft_result_f64(r, "internal")[i], inside) && near(weft_result_f64(r, "cut")[i], cut));
    double all = 0;
    for (uint64_t e = 0; e < s->m; e++) all += 2 * (weighted ? s->weight[e] : 1);
    double volume = 2 * inside + cut, smaller = fmin(volume, all - volume);
    CHECK(near(weft_result_f64(r, "conductance")[i], smaller > 1e-9 ? cut / smaller : 0));
    if (i) CHECK(weft_result_u64(r, "size")[i] <= weft_result_u64(r, "size")[i - 1]);
}

static uint64_t plain_pieces(const sample *s) {
    weft_vid root[MOST];
    uint64_t pieces = 0;
    for (weft_vid v = 0; v < s->n; v++) root[v] = v;
    for (weft_vid round = 0; round < s->n; round++)
        for (uint64_t e = 0; e < s->m; e++) {
            weft_vid u = s->from[e], v = s->to[e];
            if (s->labels[u] != s->labels[v]) continue;
            root[u] = root[v] = root[u] < root[v] ? root[u] : root[v];
        }
    for (weft_vid v = 0; v < s->n; v++) pieces += root[v] == v;
    return pieces;
}

TEST(random_partitions_are_judged_by_the_definition) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (uint64_t seed = 0; seed < 300; seed++) {
        sample s = draw(seed);
        bool directed = seed % 2, weighted = seed % 3 == 0;
        double resolution = seed % 5 ? 1 : 0.3;
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        weft_graph *g = NULL;
        build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
        build.duplicates = WEFT_DUPLICATES_KEEP;
        REQUIRE(weft_graph_from_edges(ctx, s.n, s.m, s.from, s.to, s.weight, WEFT_WEIGHT_F64, &build, &g) == WEFT_OK);
        weft_result *r = judge(ctx, g, s.labels, resolution, weighted);
        REQUIRE(r);
        CHECK(near(scalar(r, "modularity"), plain_modularity(&s, directed, weighted, resolution)));
        uint64_t pieces = 0;
        double inside = 0, pairs = 0;
        for (size_t i = 0; i < weft_result_column(r, "size")->length; i++) {
            compare_row(&s, weighted, r, i);
            double size = (double)weft_result_u64(r, "size")[i];
            pieces += weft_result_u64(r, "pieces")[i];
            inside += weft_result_f64(r, "internal")[i];
            pairs += directed ? size * (size - 1) : size * (size - 1) / 2;
        }
        CHECK_U64(pieces, plain_pieces(&s));
        CHECK(near(scalar(r, "cpm"), inside - resolution * pairs));
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* --- weights and threads --------------------------------------------------------------------- */

TEST(weights_of_any_size_give_the_same_modularity) {
    static const double scales[] = {1, 1e30, 1e-30, 1e300, 1e-300, 4.9406564584124654e-324};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_vid from[] = {0, 1, 0, 3, 4, 3, 2}, to[] = {1, 2, 2, 4, 5, 5, 3};
    uint32_t labels[] = {0, 0, 0, 1, 1, 1};
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_UNDIRECTED;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        double weight[7];
        weft_graph *g = NULL;
        for (int e = 0; e < 7; e++) weight[e] = (e + 1) * scales[i];
        REQUIRE(weft_graph_from_edges(ctx, 6, 7, from, to, weight, WEFT_WEIGHT_F64, &build, &g) == WEFT_OK);
        weft_result *r = judge(ctx, g, labels, 1, 1);
        REQUIRE(r);
        CHECK(near(scalar(r, "modularity"), 21.0 / 28 - (19.0 * 19 + 37 * 37) / (56 * 56)));
        CHECK(fabs(weft_result_f64(r, "internal")[0] / scales[i] - 6) < 1e-12);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(weights_that_vanish_are_said_and_sums_beyond_doubles_refused) {
    warnings said = {0};
    weft_ctx *ctx = new_ctx(1, &said);
    weft_vid from[] = {0, 1}, to[] = {1, 2};
    double weight[] = {1e30, 1e-30}, huge[] = {1.7e308, 1.7e308};
    uint32_t labels[] = {0, 0, 1};
    weft_graph *g = NULL;
    weft_result *r;
    REQUIRE(weft_graph_from_edges(ctx, 3, 2, from, to, weight, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    REQUIRE(r = judge(ctx, g, labels, 1, 1));
    CHECK(strstr(said.text, "1 arc with a weight below 2^-62"));
    CHECK(weft_result_f64(r, "cut")[0] == 0);
    weft_result_free(r);
    weft_graph_free(g);
    REQUIRE(weft_graph_from_edges(ctx, 3, 2, from, to, huge, WEFT_WEIGHT_F64, NULL, &g) == WEFT_OK);
    CHECK(!judge(ctx, g, labels, 1, 1) && strstr(weft_ctx_message(ctx), "more than a double"));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(any_number_of_threads_gives_the_same_bytes) {
    static const int threads[] = {1, 2, 3, 7};
    for (int directed = 0; directed < 2; directed++) {
        uint64_t digest[4] = {0};
        for (int i = 0; i < 4; i++) {
            weft_ctx *ctx = new_ctx(threads[i], NULL);
            weft_generate_params p = WEFT_GENERATE_DEFAULTS;
            weft_graph *g = NULL;
            weft_result *r = NULL;
            p.scale = 13;
            p.max_weight = 1000;
            p.undirected = !directed;
            REQUIRE(weft_generate(ctx, "rmat", &p, NULL, &g) == WEFT_OK);
            weft_vid n = weft_graph_vertices(g);
            uint32_t *labels = calloc(n, sizeof *labels);
            REQUIRE(labels);
            for (weft_vid v = 0; v < n; v++) labels[v] = v % 5 ? (uint32_t)(random_at(3, v) % 300) : 1000;
            REQUIRE(r = judge(ctx, g, labels, 0.7, 1));
            CHECK(weft_result_digest(ctx, r, &digest[i]) == WEFT_OK);
            CHECK_U64(digest[i], digest[0]);
            weft_result_free(r);
            free(labels);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
    }
}

/* --- what is refused ----------------------------------------------------------------------- */

TEST(what_cannot_be_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "0 1 2\n1 2 -1.5\n", NULL);
    uint32_t labels[] = {0, 0, 1};
    static const double wrong[] = {0, -1, NAN, INFINITY};
    REQUIRE(g);
    for (size_t i = 0; i < 4; i++) {
        CHECK(!judge(ctx, g, labels, wrong[i], 0));
        CHECK(strstr(weft_ctx_message(ctx), "`resolution` is"));
    }
    CHECK(!judge(ctx, g, labels, 1, 1));
    CHECK(strstr(weft_ctx_message(ctx), "-1.5"));
    weft_graph_free(g);
    g = read_text(ctx, "0 1\n1 2\n", NULL);
    CHECK(!judge(ctx, g, labels, 1, 1) && strstr(weft_ctx_message(ctx), "has none"));
    weft_graph_free(g);
    g = read_text(ctx, "0 1 1\n0 1 2\n1 2 1\n", NULL); /* which weight? */
    CHECK(!judge(ctx, g, labels, 1, 1) && strstr(weft_ctx_message(ctx), "parallel edges"));
    weft_result *r = judge(ctx, g, labels, 1, 0);
    CHECK(r);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    uint32_t labels[] = {0, 0, 1, 1};
    uint64_t failed = 0;
    for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
        weft_graph *g =
            read_text(ctx, "0 1 1\n1 2 1\n0 3 1\n3 2 2\n1 3 1\n", NULL); /* whose transpose is made each time */
        weft_result *r;
        REQUIRE(g);
        heap.allowed = atomic_load(&heap.calls) + failed;
        st = weft_partition_quality(ctx, g, labels, NULL, &r);
        heap.allowed = COUNT_ONLY;
        CHECK(st == WEFT_ENOMEM ? !r : st == WEFT_OK);
        weft_result_free(r);
        weft_graph_free(g);
    }
    CHECK(failed > 10);
    CHECK_U64(heap.live_blocks, 0);
    weft_ctx_free(ctx);
}

TEST_MAIN()
