/* toposort: levels and positions seen by eye, cycles told from what only lies behind them, and the sweeps. */
#include "order_support.h"
#include "weft/toposort.h"

static void expect(const char *arcs, uint64_t n, const char *level, const char *position, const char *cycle) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[1024];
    weft_graph *g = directed_of(ctx, n, arcs);
    weft_result *r = verified_run(ctx, "toposort", g, NULL);
    REQUIRE(r);
    CHECK_TEXT(column_text(r, "level", text, sizeof text), level);
    CHECK_TEXT(column_text(r, "position", text, sizeof text), position);
    CHECK_TEXT(column_text(r, "cycle", text, sizeof text), cycle);
    CHECK_U64(scalar_of(r, "acyclic"), !cycle[0]);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(small_graphs_have_the_levels_one_sees) {
    expect("", 0, "", "", "");
    expect("", 1, "0", "0", "");
    expect("", 3, "0 0 0", "0 1 2", "");
    expect("0>1 1>2 2>3", 4, "0 1 2 3", "0 1 2 3", "");
    expect("3>2 2>1 1>0", 4, "3 2 1 0", "3 2 1 0", "");
    expect("0>1 0>2 0>3", 4, "0 1 1 1", "0 1 2 3", "");
    expect("1>0 2>0 3>0", 4, "1 0 0 0", "3 0 1 2", "");
    expect("0>1 0>2 0>3 1>2 1>3 2>3", 4, "0 1 2 3", "0 1 2 3", "");
    expect("4>1 1>0 4>0 3>2", 5, "2 1 1 0 0", "4 2 3 0 1", "");
}

TEST(the_level_is_the_longest_path_not_the_shortest) { expect("0>3 0>1 1>2 2>3", 4, "0 1 2 3", "0 1 2 3", ""); }

TEST(what_is_on_or_behind_a_cycle_has_no_place) {
    expect("0>0", 1, "-", "-", "0");
    expect("0>1 1>0", 2, "- -", "- -", "0 1");
    expect("0>1 1>2 2>1 2>3 4>3", 5, "0 - - - 0", "0 - - - 1", "1 2");
    expect("0>1 1>1 1>2", 3, "0 - -", "0 - -", "1");
    expect("2>1 1>0 0>2 3>4", 5, "- - - 0 1", "- - - 0 1", "0 2 1");
}

TEST(parallel_arcs_count_once_for_the_level) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, 3, "0>1 0>1 1>2 1>2 1>2", WEFT_DIRECTED, WEFT_DUPLICATES_KEEP);
    weft_result *r = verified_run(ctx, "toposort", g, NULL);
    REQUIRE(r);
    CHECK_U64(scalar_of(r, "levels"), 3);
    CHECK_U64(scalar_of(r, "acyclic"), 1);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Either flag leaves out the other's column; the rest is the same, and so is what is written twice. */
TEST(levels_and_order_can_be_had_alone) {
    static const char *const arcs[] = {"4>1 1>0 4>0 3>2", "0>1 1>2 2>1 2>3 4>3"};
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(arcs); i++) {
        weft_graph *g = directed_of(ctx, 5, arcs[i]);
        weft_result *all = verified_run(ctx, "toposort", g, NULL);
        REQUIRE(all);
        for (int flags = 1; flags < 4; flags++) {
            weft_toposort_params p = WEFT_TOPOSORT_DEFAULTS;
            char wanted[256], got[256];
            p.levels = flags & 1;
            p.order = flags >> 1;
            weft_result *r = verified_run(ctx, "toposort", g, &p);
            REQUIRE(r);
            CHECK(!weft_result_u32(r, "level") == !p.levels);
            CHECK(!weft_result_u32(r, "position") == !p.order);
            static const char *const columns[] = {"level", "position", "cycle"};
            for (size_t c = 0; c < LENGTH(columns); c++)
                if (weft_result_column(r, columns[c]))
                    CHECK_TEXT(column_text(r, columns[c], got, sizeof got),
                               column_text(all, columns[c], wanted, sizeof wanted));
            CHECK_U64(scalar_of(r, "levels"), scalar_of(all, "levels"));
            CHECK_U64(scalar_of(r, "acyclic"), scalar_of(all, "acyclic"));
            if (flags != 3) CHECK(refused(ctx, "toposort", g, NULL, r)); /* a column is missing */
            weft_result_free(r);
        }
        weft_result_free(all);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_a_wrong_order) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 6, "0>1 1>2 0>2 3>4 4>3 4>5");
    weft_toposort_params p = WEFT_TOPOSORT_DEFAULTS;
    p.order = 1;
    weft_result *r = verified_run(ctx, "toposort", g, &p);
    REQUIRE(r);
    uint32_t *position = writable_u32(r, "position");
    position[0] = 1, position[1] = 0; /* 0 -> 1 goes back */
    CHECK(refused(ctx, "toposort", g, &p, r));
    position[0] = 0, position[1] = 0; /* taken */
    CHECK(refused(ctx, "toposort", g, &p, r));
    position[1] = 1, position[2] = WEFT_UNREACHED; /* all its predecessors have a place */
    CHECK(refused(ctx, "toposort", g, &p, r));
    position[2] = 3; /* out of range */
    CHECK(refused(ctx, "toposort", g, &p, r));
    position[2] = 2, position[5] = 3; /* behind a cycle */
    CHECK(refused(ctx, "toposort", g, &p, r));
    position[5] = WEFT_UNREACHED;
    CHECK(!refused(ctx, "toposort", g, &p, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(an_undirected_graph_is_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, 3, "0>1 1>2", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_result *r = NULL;
    CHECK(weft_toposort(ctx, g, NULL, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "directed graph");
    CHECK(!r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_label_that_is_wrong_is_pointed_out) {
    warnings w;
    weft_ctx *ctx = new_ctx(0, &w);
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 5;
    REQUIRE(weft_generate(ctx, "dag", &p, NULL, &g) == WEFT_OK);
    weft_result *r = verified_run(ctx, "toposort", g, NULL);
    CHECK_U64(w.count, 0);
    weft_result_free(r);
    weft_graph_free(g);
    weft_read_params read = reading("dense");
    g = read_text(ctx, "2\n0 1\n1 0\nacyclic\n", &read);
    if (!g) SKIP("the text is not read as a labelled matrix");
    w.count = 0;
    r = verified_run(ctx, "toposort", g, NULL);
    CHECK_U64(w.count, 1);
    CHECK_HAS(w.text, "calls the graph acyclic");
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 6, "0>1 1>2 0>2 3>4 4>3 4>5");
    weft_result *r = verified_run(ctx, "toposort", g, NULL);
    REQUIRE(r);
    uint32_t *level = writable_u32(r, "level"), *position = writable_u32(r, "position"),
             *cycle = writable_u32(r, "cycle");
    level[2] = 3; /* no predecessor one below */
    CHECK(refused(ctx, "toposort", g, NULL, r));
    level[2] = 1; /* 1 -> 2 does not rise */
    CHECK(refused(ctx, "toposort", g, NULL, r));
    level[2] = 2;
    position[0] = 1, position[1] = 0;
    CHECK(refused(ctx, "toposort", g, NULL, r));
    position[0] = 0, position[1] = 0;
    CHECK(refused(ctx, "toposort", g, NULL, r));
    position[1] = 1;
    level[2] = position[2] = WEFT_UNREACHED; /* all its predecessors have a level */
    CHECK(refused(ctx, "toposort", g, NULL, r));
    level[2] = position[2] = 2;
    cycle[0] = 5;
    CHECK(refused(ctx, "toposort", g, NULL, r));
    cycle[0] = 3;
    CHECK(!refused(ctx, "toposort", g, NULL, r));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(same_bytes_with_any_number_of_threads) { check_same_bytes_for_all_threads("toposort", WEFT_DIRECTED); }

TEST(a_run_can_be_stopped_anywhere) {
    check_cancelling("toposort", &shapes[0]);
    check_cancelling("toposort", &shapes[2]);
}

TEST(memory_is_what_the_plan_said) {
    check_peak("toposort", &shapes[0]);
    check_peak("toposort", &shapes[3]);
}

TEST(real_dependencies_have_their_order) {
    if (!shared_data()) SKIP("the shared data is not here");
    static const struct {
        const char *file;
        int acyclic;
    } truths[] = {
        {"cran-deps/cran-2020-05-imports-depends-linkingto.el.zst", 1},
        {"cran-deps/cran-2020-05-with-suggests.el.zst", 0},
        {"debian-deps/debian-bookworm-depends.el.zst", 0},
        {"cit-dblp/cit-DBLP.edges.zst", 0},
        {"as-caida/as-caida20071105.csv.zst", 1},
        {"networkx/lanl_routes.edgelist", 1},
    };
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(truths); i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", shared_data(), truths[i].file);
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.direction = WEFT_DIRECTED;
        weft_graph *g = NULL;
        REQUIRE(weft_read(ctx, path, &p, &g) == WEFT_OK);
        weft_result *r = verified_run(ctx, "toposort", g, NULL);
        if (r && scalar_of(r, "acyclic") != (uint64_t)truths[i].acyclic) HARNESS_FAIL("%s", truths[i].file);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
