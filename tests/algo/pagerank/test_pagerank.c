/* pagerank: known answers, a plain double reference on graphs of every shape and option, the verifier on right and wrong
 * results, restarts, and weights. */
#include "pagerank_support.h"

/* The formula as it stands, arc matrix and all: want[v] after `steps` iterations. */
static void reference(const weft_graph *g, const weft_pagerank_params *p, int steps, double *want) {
    weft_csr out = out_rows(g);
    weft_vid n = out.vertices;
    double *matrix = calloc((size_t)n * n + 1, sizeof *matrix), *next = calloc((size_t)n + 1, sizeof *next), sum = 0;
    for (weft_vid u = 0; u < n; u++) {
        double parts = 0;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) parts += p->weights ? weight_at(g, &out, e) : 1;
        for (weft_eid e = out.offsets[u]; parts > 0 && e < out.offsets[u + 1]; e++)
            matrix[(size_t)u * n + out.targets[e]] += (p->weights ? weight_at(g, &out, e) : 1) / parts;
        want[u] = 1 / (double)n;
        sum += p->restart ? p->restart[u] : 1;
    }
    for (int i = 0; i < steps; i++) {
        double lost = 1;
        for (weft_vid v = 0; v < n; v++) next[v] = 0;
        for (weft_vid u = 0; u < n; u++)
            for (weft_vid v = 0; v < n; v++) next[v] += want[u] * matrix[(size_t)u * n + v];
        for (weft_vid v = 0; v < n; v++) lost -= next[v];
        if (p->dangling == WEFT_DANGLING_DROP) lost = 0;
        for (weft_vid v = 0; v < n; v++) {
            double restart = (p->restart ? p->restart[v] : 1) / sum;
            want[v] = (1 - p->damping) * restart + p->damping * (next[v] + lost * restart);
        }
    }
    free(matrix);
    free(next);
}

TEST(an_empty_graph_has_no_ranks) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = graph_of(ctx, 0, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
    weft_result *r = NULL;
    REQUIRE(g && weft_pagerank(ctx, g, NULL, &r) == WEFT_OK);
    CHECK_U64(weft_result_column(r, "rank")->length, 0);
    CHECK_NEAR(real(r, "sum"), 0, 0);
    CHECK(verified(ctx, g, NULL, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(one_vertex_has_all_the_rank) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const weft_vid zero[] = {0};
    static const double one[] = {1};
    for (uint64_t loops = 0; loops < 2; loops++) {
        weft_graph *g = graph_of(ctx, 1, loops, zero, zero, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
        expect_ranks(ctx, g, NULL, one, 1e-7);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(symmetric_graphs_have_equal_ranks) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 20;
    static const char *const kinds[] = {"complete", "cycle"};
    double equal[20];
    for (int v = 0; v < 20; v++) equal[v] = 0.05;
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (int d = 0; d < 2; d++) {
            weft_graph *g = generated(ctx, kinds[k], p, d ? WEFT_UNDIRECTED : WEFT_AS_FILE);
            expect_ranks(ctx, g, NULL, equal, 1e-8);
            weft_graph_free(g);
        }
    weft_ctx_free(ctx);
}

/* Added one after the other, a million ranks of a leaf are off by 5e-11. */
TEST(the_verifier_adds_up_a_million_ranks_to_the_last_digits) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_generate_params star = WEFT_GENERATE_DEFAULTS;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *r = NULL;
    star.n = 1000000;
    p.iterations = 3;
    p.precision = WEFT_PRECISION_F64;
    REQUIRE(!weft_generate(ctx, "star", &star, NULL, &g) && !weft_pagerank(ctx, g, &p, &r));
    CHECK(verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Leaves of a star have (1-d)/n + d centre/(n-1); the centre has the rest. */
TEST(a_star_has_its_closed_form) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_vid u[9], v[9];
    double want[10], d = 0.85;
    for (weft_vid i = 0; i < 9; i++) u[i] = 0, v[i] = i + 1;
    want[0] = ((1 - d) / 10 + d) / (1 + d); /* centre = (1-d)/n + d (1 - centre) */
    for (int i = 1; i < 10; i++) want[i] = (1 - want[0]) / 9;
    weft_graph *g = graph_of(ctx, 10, 9, u, v, NULL, WEFT_WEIGHT_NONE, WEFT_UNDIRECTED);
    weft_pagerank_params p = precise();
    expect_ranks(ctx, g, &p, want, 1e-12);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* 0 - 1 and 2 - 3 are pairs, 4 has a loop, 5 no arc, 6 - 7 - 8 is a path.  Nothing leaves a pair, so its ranks are the mean of what is
 * not lost, and a graph of nothing else is settled by its first iteration. */
TEST(pairs_are_settled_from_the_beginning) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const weft_vid u[] = {0, 2, 4, 6, 7}, v[] = {1, 3, 4, 7, 8};
    double d = 0.85, want[9];
    weft_pagerank_params p = precise();
    for (int drop = 0; drop < 2; drop++) {
        double mean = drop ? 1 / 9.0 : 1 / (9 - d), jump = (1 - d) * mean;
        for (int i = 0; i < 9; i++) want[i] = i < 5 ? mean : jump;
        want[7] = jump * (1 + 2 * d) / (1 - d * d); /* x = jump + 2 d y, y = jump + d x / 2 */
        want[6] = want[8] = jump + d * want[7] / 2;
        weft_graph *g = graph_of(ctx, 9, 5, u, v, NULL, WEFT_WEIGHT_NONE, WEFT_UNDIRECTED);
        p.dangling = drop ? WEFT_DANGLING_DROP : WEFT_DANGLING_REDISTRIBUTE;
        expect_ranks(ctx, g, &p, want, 1e-12);
        weft_graph_free(g);
        weft_result *r = NULL;
        g = graph_of(ctx, 6, 3, u, v, NULL, WEFT_WEIGHT_NONE, WEFT_UNDIRECTED);
        REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
        CHECK(whole(r, "iterations") == 1);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* 0 -> 1 -> 2: dropped, the ranks are (1-d)/3 times 1, 1+d, 1+d+d^2; redistributed, in the same proportion, sum 1. */
TEST(dangling_rank_is_dropped_or_redistributed) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const weft_vid u[] = {0, 1}, v[] = {1, 2};
    double d = 0.85, want[3] = {0.05, 0.05 * (1 + d), 0.05 * (1 + d + d * d)};
    weft_graph *g = graph_of(ctx, 3, 2, u, v, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
    weft_pagerank_params p = precise();
    p.dangling = WEFT_DANGLING_DROP;
    expect_ranks(ctx, g, &p, want, 1e-12);
    double sum = want[0] + want[1] + want[2];
    for (int i = 0; i < 3; i++) want[i] /= sum;
    p.dangling = WEFT_DANGLING_REDISTRIBUTE;
    expect_ranks(ctx, g, &p, want, 1e-12);
    p.damping = 0;
    for (int i = 0; i < 3; i++) want[i] = 1 / 3.0;
    expect_ranks(ctx, g, &p, want, 1e-15);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* NetworkX 3.6.1: nx.pagerank(nx.karate_club_graph(), weight=None, tol=1e-15, max_iter=1000), vertices 0, 33, 32. */
TEST(the_karate_club_is_ranked_as_by_networkx) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_pagerank_params p = precise();
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK && weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
    CHECK_NEAR(rank_at(r, 0), 0.09699728538830414, 2e-12);
    CHECK_NEAR(rank_at(r, 33), 0.10091918233261697, 2e-12);
    CHECK_NEAR(rank_at(r, 32), 0.0716932260057476, 2e-12);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Every option against the reference, on random graphs with loops, dangling and lone vertices. */
TEST(random_graphs_are_ranked_as_by_the_formula) {
    weft_ctx *ctx = new_ctx(2, NULL);
    dice d = {7, 0};
    for (int round = 0; round < 96; round++) {
        weft_vid n = (weft_vid)(1 + roll(&d, 30));
        uint64_t m = roll(&d, 3 * n + 1);
        weft_vid u[100], v[100];
        float weights[100];
        double fine[100], restart[30], want[30];
        for (uint64_t e = 0; e < m; e++) {
            u[e] = (weft_vid)roll(&d, n);
            v[e] = (weft_vid)roll(&d, n);
            weights[e] = (float)roll(&d, 8) / 4;
            fine[e] = (double)weights[e] / 3;
        }
        for (weft_vid i = 0; i < n; i++) restart[i] = (double)roll(&d, 4) + (i == 0);
        weft_pagerank_params p = precise();
        p.precision = round & 1 ? WEFT_PRECISION_F64 : WEFT_PRECISION_F32;
        p.dangling = round & 2 ? WEFT_DANGLING_DROP : WEFT_DANGLING_REDISTRIBUTE;
        p.weights = (round & 4) != 0;
        p.restart = round & 8 ? restart : NULL;
        p.damping = round % 3 ? 0.85 : 0.5;
        p.iterations = round % 5 ? 0 : 3;
        if (!(round & 1)) p.tolerance = 2e-7;
        weft_graph *g =
            graph_of(ctx, n, m, u, v, round & 32 ? (void *)fine : weights,
                     round & 32 ? WEFT_WEIGHT_F64 : WEFT_WEIGHT_F32, round & 16 ? WEFT_UNDIRECTED : WEFT_DIRECTED);
        REQUIRE(g);
        reference(g, &p, p.iterations ? 3 : 250, want);
        expect_ranks(ctx, g, &p, want, round & 1 ? 1e-11 : 2e-6);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(whole_weights_share_like_parallel_edges) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const weft_vid u[] = {0, 0, 1, 2, 2}, v[] = {1, 2, 0, 0, 1};
    static const uint32_t weight[] = {3, 1, 1, 0, 2};
    static const weft_vid many_u[] = {0, 0, 0, 0, 1, 2}, many_v[] = {1, 1, 1, 2, 0, 1};
    weft_build_params keep = WEFT_BUILD_DEFAULTS;
    keep.duplicates = WEFT_DUPLICATES_KEEP;
    weft_pagerank_params p = precise();
    weft_graph *plain = NULL, *g = graph_of(ctx, 3, 5, u, v, weight, WEFT_WEIGHT_U32, WEFT_DIRECTED);
    weft_result *r = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, 3, 6, many_u, many_v, NULL, WEFT_WEIGHT_NONE, &keep, &plain));
    REQUIRE(weft_pagerank(ctx, plain, &p, &r) == WEFT_OK);
    p.weights = 1;
    expect_ranks(ctx, g, &p, weft_result_f64(r, "rank"), 1e-12);
    weft_result_free(r);
    weft_graph_free(plain);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(weights_that_cannot_be_used_are_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_result *r = NULL;
    p.weights = 1;
    weft_graph *plain = read_text(ctx, "1 2\n2 3\n", NULL), *negative = read_text(ctx, "10 20 1.5\n20 30 -2\n", NULL);
    REQUIRE(plain && negative);
    CHECK(weft_pagerank(ctx, plain, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "the graph has none");
    CHECK(weft_pagerank(ctx, negative, &p, &r) == WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "pagerank: the edge from 20 to 30 has weight -2, but");
    static const weft_vid u[] = {0, 1}, v[] = {1, 0};
    static const double beyond[][2] = {{1, 1e300}, {1, 1e-300}, {1, -1}};
    for (size_t i = 0; i < LENGTH(beyond); i++) {
        weft_graph *g = graph_of(ctx, 2, 2, u, v, beyond[i], WEFT_WEIGHT_F64, WEFT_DIRECTED);
        REQUIRE(g);
        CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), i < 2 ? "weights must be 0, or from 1e-200 to 1e200" : "numbers of 0 or more");
        weft_graph_free(g);
    }
    p.weights = 0;
    CHECK(weft_pagerank(ctx, negative, &p, &r) == WEFT_OK);
    weft_result_free(r);
    weft_graph_free(plain);
    weft_graph_free(negative);
    weft_ctx_free(ctx);
}

TEST(parameters_out_of_range_are_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = read_text(ctx, "1 2\n", NULL);
    weft_result *r = NULL;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    double restart[] = {1, -1};
    REQUIRE(g);
    p.damping = 1.5;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "damping");
    p.damping = 0.85;
    p.restart = restart;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "restart[1] is -1");
    restart[0] = restart[1] = 0;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "restart: the weights sum to 0");
    p.restart = NULL;
    p.precision = (weft_precision)7;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL);
    p.precision = WEFT_PRECISION_F16;
    CHECK(weft_pagerank(ctx, g, &p, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "f16 is refused: half precision does not converge on some graphs; use f32");
    CHECK(!r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(iterations_are_exact_or_stop_by_the_tolerance) {
    warnings w;
    weft_ctx *ctx = new_ctx(0, &w);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_generate_params gp = WEFT_GENERATE_DEFAULTS;
    gp.scale = 8; /* directed: both ways begin alike */
    REQUIRE(weft_generate(ctx, "rmat", &gp, NULL, &g) == WEFT_OK);
    p.iterations = 7;
    REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
    CHECK_U64(whole(r, "iterations"), 7);
    CHECK(real(r, "residual") > 1e-6 && verified(ctx, g, &p, r));
    double seventh = real(r, "residual");
    weft_result_free(r);
    p.iterations = 0, p.tolerance = seventh;
    REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
    CHECK_U64(whole(r, "iterations"), 7);
    CHECK_U64((uint64_t)w.count, 0);
    weft_result_free(r);
    p.max_iterations = 6;
    REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
    CHECK_U64(whole(r, "iterations"), 6);
    CHECK_HAS(w.text, "after 6 iterations");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_was_tampered_with) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK && !weft_pagerank(ctx, g, NULL, &r));
    float *rank = (float *)(uintptr_t)weft_result_f32(r, "rank"), kept = rank[3];
    weft_scalar *residual = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "residual");
    weft_scalar *iterations = (weft_scalar *)(uintptr_t)weft_result_scalar(r, "iterations");
    CHECK(verified(ctx, g, NULL, r));
    rank[3] = -kept;
    CHECK(!verified(ctx, g, NULL, r));
    rank[3] = kept * 1.001f;
    CHECK(!verified(ctx, g, NULL, r));
    rank[3] = rank[4], rank[4] = kept; /* the same sum, but no solution */
    CHECK(!verified(ctx, g, NULL, r));
    rank[4] = rank[3], rank[3] = kept;
    CHECK(verified(ctx, g, NULL, r));
    double true_residual = residual->value.f64;
    residual->value.f64 = 0.1;
    CHECK(!verified(ctx, g, NULL, r));
    residual->value.f64 = true_residual;
    iterations->value.u64 = 101;
    CHECK(!verified(ctx, g, NULL, r));
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    p.damping = 0.5;
    iterations->value.u64 = 20;
    CHECK(!verified(ctx, g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* What a rung of the lab answers with contributions in half precision. */
TEST(the_verifier_takes_three_digits_of_f16_and_no_fewer) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    weft_result *r = NULL;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    REQUIRE(weft_generate(ctx, "karate", NULL, NULL, &g) == WEFT_OK && !weft_pagerank(ctx, g, &p, &r));
    float *rank = (float *)(uintptr_t)weft_result_f32(r, "rank"), three = rank[3], four = rank[4];
    for (int much = 0; much < 2; much++) { /* so that the sum stays */
        float moved = three * (much ? 0.1F : 0.001F);
        rank[3] = three - moved;
        rank[4] = four + moved;
        p.precision = WEFT_PRECISION_F32;
        CHECK(!verified(ctx, g, &p, r));
        p.precision = WEFT_PRECISION_F16;
        CHECK(verified(ctx, g, &p, r) == !much);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(nstart_is_where_the_ranks_begin) {
    weft_ctx *ctx = new_ctx(2, NULL);
    static const weft_vid u[] = {0, 1, 2}, v[] = {1, 2, 0};
    static const double start[] = {6, 0, 2}, one_step[] = {0.05 + 0.85 * 0.25, 0.05 + 0.85 * 0.75, 0.05};
    weft_graph *g = graph_of(ctx, 3, 3, u, v, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
    weft_pagerank_params p = precise();
    p.iterations = 1;
    p.nstart = start;
    expect_ranks(ctx, g, &p, one_step, 1e-15);
    weft_result *r = NULL;
    static const double settled[] = {1, 1, 1};
    p.iterations = 0;
    p.nstart = settled; /* nothing is left to do */
    REQUIRE(weft_pagerank(ctx, g, &p, &r) == WEFT_OK);
    CHECK_U64(whole(r, "iterations"), 1);
    weft_result_free(r);
    static const double none[] = {0, 0, 0}, below[] = {1, -1, 1};
    p.nstart = none;
    CHECK_U64(weft_pagerank(ctx, g, &p, &r), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "pagerank: nstart: the weights sum to 0; they must have a finite sum above 0");
    p.nstart = below;
    CHECK_U64(weft_pagerank(ctx, g, &p, &r), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "pagerank: nstart[1] is -1, but must be a number of 0 or more");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(dangling_rank_goes_where_it_is_sent) {
    weft_ctx *ctx = new_ctx(2, NULL);
    static const weft_vid u[] = {0}, v[] = {1};
    static const double to[] = {0, 0, 5}, restart[] = {1, 0, 0};
    /* 0 -> 1, and what 1 and 2 hold goes to 2; a, b, c with restarts at 0: a = 0.15, b = 0.85 a, c = 0.85 (b + c) */
    double a = 0.15, b = 0.85 * a, want[] = {a, b, 0.85 * b / 0.15};
    weft_graph *g = graph_of(ctx, 3, 1, u, v, NULL, WEFT_WEIGHT_NONE, WEFT_DIRECTED);
    weft_pagerank_params p = precise();
    p.restart = restart;
    p.dangling_to = to;
    expect_ranks(ctx, g, &p, want, 1e-12);
    p.precision = WEFT_PRECISION_F32;
    p.tolerance = 1e-7;
    expect_ranks(ctx, g, &p, want, 1e-6);
    weft_result *r = NULL;
    p.dangling = WEFT_DANGLING_DROP;
    CHECK_U64(weft_pagerank(ctx, g, &p, &r), WEFT_EINVAL);
    CHECK_TEXT(weft_ctx_message(ctx), "pagerank: dangling rank is either dropped or goes to dangling_to");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
