/* Random generators by definition: numbers of edges, degrees and structure.  The seeds are fixed, so a bound of five
 * standard deviations fails for a wrong distribution and not by chance. */
#include "gen.h"

TEST(er_by_probability_has_the_right_number_of_edges) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const double densities[] = {1e-4, 0.01, 0.3, 0.8};
    for (int i = 0; i < 4; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 2000, p.p = densities[i];
        weft_graph *g = make(ctx, "er", p);
        double pairs = 1999.0 * 1000, sigma = sqrt(pairs * p.p * (1 - p.p));
        weft_graph_info info = info_of(ctx, g);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 4000, p.m = 80000;
    weft_graph *g = make(ctx, "er", p), *arcs = make_with(ctx, "er", p, WEFT_DIRECTED);
    CHECK_U64(weft_graph_edges(g), 80000);
    CHECK_U64(info_of(ctx, g).self_loops, 0);
    CHECK_NEAR(degree_variance(g), 40, 4);
    CHECK_U64(weft_graph_arcs(arcs), 80000);
    CHECK_U64(info_of(ctx, arcs).self_loops, 0);
    CHECK(!all_arcs_go_up(arcs));
    weft_graph_free(g);
    weft_graph_free(arcs);
    weft_ctx_free(ctx);
}

TEST(rmat_fills_the_quadrants_as_asked) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = 12, p.degree = 64, p.unscrambled = 1;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    REQUIRE(!weft_generate(ctx, "rmat", &p, &build, &g));
    double m = (double)weft_graph_arcs(g);
    CHECK_U64(weft_graph_arcs(g), 64 << 12);
    CHECK(weft_graph_directed(g));
    static const double want[4] = {0.57, 0.19, 0.19, 0.05};
    weft_csr out = out_rows(g);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    for (uint64_t scale = 1; scale <= 13; scale++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.scale = scale;
        weft_graph *named = make(ctx, "rmat", p);
        p.unscrambled = 1;
        weft_graph *plain = make(ctx, "rmat", p);
        CHECK_U64(weft_graph_arcs(named), weft_graph_arcs(plain));
        for (weft_side side = WEFT_SIDE_OUT; side <= WEFT_SIDE_IN; side++) {
            uint64_t *value[2], *count[2];
            size_t length[2];
            REQUIRE(!weft_graph_degree_distribution(ctx, named, side, &value[0], &count[0], &length[0]));
            REQUIRE(!weft_graph_degree_distribution(ctx, plain, side, &value[1], &count[1], &length[1]));
            CHECK_U64(length[0], length[1]);
            CHECK(length[0] == length[1] && !memcmp(value[0], value[1], length[0] * sizeof *value[0]) &&
                  !memcmp(count[0], count[1], length[0] * sizeof *count[0]));
            for (int g = 0; g < 2; g++) weft_free(ctx, value[g]), weft_free(ctx, count[g]);
        }
        if (scale == 13)
            CHECK(degree(plain, 0) == info_of(ctx, plain).max_degree && degree(named, 0) < degree(plain, 0));
        weft_graph_free(named);
        weft_graph_free(plain);
    }
    weft_ctx_free(ctx);
}

TEST(rmat_takes_quadrants_at_their_limits) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 10000;
    weft_graph *g = make(ctx, "uniform", p);
    weft_graph_info info = info_of(ctx, g);
    CHECK(info.directed);
    CHECK_U64(info.records, 50000);
    CHECK_U64(info.edges + info.duplicates_dropped, 50000);
    CHECK_NEAR(info.self_loops, 5, 11);
    CHECK_NEAR(degree_variance(g), 5, 0.4);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(ba_vertices_join_k_different_older_ones) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const uint64_t ks[] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 20000, p.k = ks[i];
        weft_graph *g = make_with(ctx, "ba", p, WEFT_DIRECTED);
        weft_graph_info info = info_of(ctx, g);
        CHECK_U64(info.edges, p.k * (p.k + 1) / 2 + (p.n - p.k - 1) * p.k);
        CHECK_U64(info.duplicates_dropped + info.self_loops, 0);
        CHECK(info.label == WEFT_LABEL_ACYCLIC);
        weft_csr out = out_rows(g);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 1000, p.k = 6, p.p = 0;
    weft_graph *g = make(ctx, "smallworld", p);
    CHECK_U64(weft_graph_edges(g), 3000);
    for (weft_vid v = 0; v < 1000; v++)
        for (weft_vid step = 1; step <= 4; step++) CHECK(has(g, v, (v + step) % 1000) == (step <= 3));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(smallworld_rewires_the_share_it_is_asked_to) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const double shares[] = {0.1, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 10000, p.k = 10, p.p = shares[i];
        weft_graph *g = make_with(ctx, "smallworld", p, WEFT_DIRECTED);
        weft_csr out = out_rows(g);
        double moved = 0;
        for (weft_vid v = 0; v < 10000; v++)
            for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++)
                moved += (out.targets[e] + 10000 - v) % 10000 > 5;
        CHECK_U64(weft_graph_arcs(g), 50000);
        CHECK_NEAR(moved, 50000 * p.p, 5 * sqrt(50000 * p.p * (1 - p.p)));
        CHECK_U64(info_of(ctx, g).self_loops, 0);
        weft_graph_free(g);
        g = make(ctx, "smallworld", p);
        weft_graph_info info = info_of(ctx, g);
        CHECK_U64(info.edges + info.duplicates_dropped, 50000);
        CHECK_NEAR(info.duplicates_dropped, 100 * p.p * p.p / 8, 20);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(smallworld_keeps_the_ring_where_nothing_is_far) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
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

/* Degrees inside and between communities, within five standard deviations; sizes; and that ids tell nothing. */
static void check_planted(weft_ctx *ctx, weft_generate_params p, weft_direction direction) {
    weft_graph *g = make_with(ctx, "planted", p, direction);
    weft_vid n = weft_graph_vertices(g);
    weft_csr out = out_rows(g);
    uint32_t *community = calloc(n, sizeof *community);
    uint64_t *size = calloc(p.communities, sizeof *size), *inside = calloc(p.communities, sizeof *inside);
    uint64_t between = 0, side_by_side = 0;
    REQUIRE(community && size && inside);
    REQUIRE(weft_planted_communities(ctx, &p, n, community) == WEFT_OK);
    for (weft_vid u = 0; u < n; u++) {
        REQUIRE(community[u] < p.communities);
        size[community[u]]++;
        side_by_side += u && community[u] == community[u - 1];
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            inside[community[u]] += community[u] == community[out.targets[e]];
            between += community[u] != community[out.targets[e]];
        }
    }
    double mean = p.mixing * p.degree * n;
    CHECK_NEAR((double)between, mean, 5 * sqrt(2 * mean));
    for (uint64_t c = 0; c < p.communities; c++) {
        mean = (1 - p.mixing) * p.degree * (double)size[c];
        CHECK_NEAR((double)inside[c], mean, 5 * sqrt(2 * mean) + 1);
        double harmonic = 0;
        for (uint64_t i = 1; i <= p.communities; i++) harmonic += p.power_law ? 1 / (double)i : 1;
        CHECK_NEAR((double)size[c], (double)n / harmonic / (p.power_law ? (double)(c + 1) : 1), 1.0001);
    }
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.self_loops + info.duplicates_dropped, 0);
    CHECK(side_by_side < n / 2);
    free(community);
    free(size);
    free(inside);
    weft_graph_free(g);
}

TEST(planted_has_the_edges_inside_and_between_communities_that_are_asked_for) {
    static const double mixing[] = {0, 0.1, 0.5, 1};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int i = 0; i < 16; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 20003, p.degree = 12, p.mixing = mixing[i % 4], p.seed = (uint64_t)i;
        p.communities = i % 3 ? 250 : 4;
        p.power_law = i % 3 == 2;
        check_planted(ctx, p, i / 8 ? WEFT_DIRECTED : WEFT_AS_FILE);
    }
    weft_ctx_free(ctx);
}

TEST(planted_communities_of_one_or_of_cliques) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 60, p.communities = 10, p.degree = 5, p.mixing = 0; /* six vertices with five neighbours each */
    weft_graph *g = make(ctx, "planted", p);
    CHECK_U64(weft_graph_edges(g), 10 * 15);
    weft_graph_free(g);
    p.communities = 60, p.mixing = 1; /* each alone: a random graph */
    check_planted(ctx, p, WEFT_AS_FILE);
    uint32_t one;
    CHECK(weft_planted_communities(ctx, &p, 1, &one) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "the graph has 60 vertices");
    weft_ctx_free(ctx);
}

TEST(dag_is_upper_triangular_with_the_density_asked_for) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 1000, p.p = 0.05;
    weft_graph *g = make(ctx, "dag", p), *edges = make_with(ctx, "dag", p, WEFT_UNDIRECTED);
    double pairs = 999.0 * 500;
    CHECK_NEAR(weft_graph_arcs(g), pairs * p.p, 5 * sqrt(pairs * p.p * (1 - p.p)));
    CHECK(all_arcs_go_up(g));
    CHECK(info_of(ctx, g).label == WEFT_LABEL_ACYCLIC);
    CHECK(info_of(ctx, edges).label == WEFT_LABEL_NONE);
    CHECK_U64(weft_graph_edges(edges), weft_graph_arcs(g));
    weft_graph_free(g);
    weft_graph_free(edges);
    weft_ctx_free(ctx);
}

/* Longest path by vertices, in topological order 0, 1, 2, ... */
static uint64_t longest_path(const weft_graph *g) {
    weft_csr out = out_rows(g);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    static const uint64_t depths[] = {1, 2, 7, 100, 999, 1000};
    for (int i = 0; i < 6; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.n = 1000, p.depth = depths[i], p.degree = 3;
        weft_graph *g = make(ctx, "dag", p);
        weft_csr in = {.size = sizeof in};
        REQUIRE(!weft_graph_in(ctx, g, &in));
        CHECK(all_arcs_go_up(g));
        CHECK_U64(longest_path(g), p.depth);
        uint64_t roots = 0;
        for (weft_vid v = 0; v < 1000; v++) roots += in.offsets[v + 1] == in.offsets[v];
        CHECK_U64(roots, 1000 / p.depth);
        CHECK(info_of(ctx, g).label == WEFT_LABEL_ACYCLIC);
        if (p.depth > 1) CHECK_U64(info_of(ctx, g).records, 3000);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(cyclic_is_a_random_matrix_with_its_diagonal) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 2000, p.p = 0.1;
    weft_graph *g = make(ctx, "cyclic", p);
    weft_graph_info info = info_of(ctx, g);
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

TEST_MAIN()
