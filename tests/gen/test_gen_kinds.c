/* Generators without chance by definition: grid, torus, path, cycle, star, complete, tree, karate; and weights. */
#include "gen.h"

TEST(grids_join_neighbours) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
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
    CHECK(all_arcs_go_up(arcs) && info_of(ctx, arcs).label == WEFT_LABEL_ACYCLIC);
    CHECK(info_of(ctx, g).label == WEFT_LABEL_NONE);
    weft_graph_free(g);
    weft_graph_free(arcs);
    p.columns = 0, p.layers = 0;
    g = make(ctx, "grid", p);
    CHECK_U64(weft_graph_vertices(g), 9);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_torus_has_no_border) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const struct {
        uint64_t rows, columns, layers, degree, out_degree;
    } shapes[] = {{5, 7, 0, 4, 2}, {3, 4, 5, 6, 3}, {2, 5, 0, 3, 2}, {2, 2, 2, 3, 3}, {1, 6, 0, 2, 1}, {1, 1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        weft_generate_params p = WEFT_GENERATE_DEFAULTS;
        p.rows = shapes[i].rows, p.columns = shapes[i].columns, p.layers = shapes[i].layers, p.torus = 1;
        weft_graph *g = make(ctx, "grid", p), *arcs = make_with(ctx, "grid", p, WEFT_DIRECTED);
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
            CHECK_U64(degree(g, v), shapes[i].degree);
            CHECK_U64(degree(arcs, v), shapes[i].out_degree);
        }
        weft_graph_info info = info_of(ctx, g);
        CHECK_U64(info.duplicates_dropped + info.self_loops, 0);
        CHECK(info_of(ctx, arcs).label == WEFT_LABEL_NONE);
        weft_graph_free(g);
        weft_graph_free(arcs);
    }
    weft_ctx_free(ctx);
}

TEST(graphs_without_chance_are_what_their_names_say) {
    weft_ctx *ctx = new_ctx(0, NULL);
    static const char *const kinds[] = {"path", "cycle", "star", "complete", "tree"};
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 40, p.k = 3;
    for (int i = 0; i < 5; i++)
        for (int directed = 0; directed < 2; directed++) {
            weft_graph *g = make_with(ctx, kinds[i], p, directed ? WEFT_DIRECTED : WEFT_AS_FILE);
            for (weft_vid u = 0; u < 40; u++)
                for (weft_vid v = 0; v < 40; v++) {
                    weft_vid low = u < v ? u : v, high = u < v ? v : u;
                    bool closing = i == 1 && low == 0 && high == 39;
                    bool edge = i < 2    ? high == low + 1 || closing
                                : i == 2 ? low == 0 && high > 0
                                : i == 3 ? low != high
                                         : high > 0 && low == (high - 1) / 3;
                    bool right_way = !directed || (closing ? u == 39 : u < v);
                    CHECK(has(g, u, v) == (edge && right_way));
                }
            weft_label want = !directed ? WEFT_LABEL_NONE : i == 1 ? WEFT_LABEL_CYCLIC : WEFT_LABEL_ACYCLIC;
            CHECK(info_of(ctx, g).label == want);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = make(ctx, "karate", (weft_generate_params)WEFT_GENERATE_DEFAULTS);
    weft_graph_info info = info_of(ctx, g);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = make(ctx, "karate", (weft_generate_params)WEFT_GENERATE_DEFAULTS);
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
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 2000, p.max_weight = 20;
    weft_graph *g = make(ctx, "er", p);
    CHECK(weft_graph_weight_type(g) == WEFT_WEIGHT_U32);
    weft_csr out = out_rows(g);
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
    CHECK(info_of(ctx, g).max_weight > 4e9);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
