/* cycle: yes or no on graphs where one sees it, short cycles found where there are longer ones, and the sweeps. */
#include "order_support.h"

static void expect(const char *arcs, uint64_t n, const char *cycle) {
    weft_ctx *ctx = new_ctx(0, NULL);
    char text[1024];
    weft_graph *g = directed_of(ctx, n, arcs);
    weft_result *r = verified_run(ctx, "cycle", g, NULL);
    REQUIRE(r);
    CHECK_TEXT(column_text(r, "cycle", text, sizeof text), cycle);
    CHECK_U64(scalar_of(r, "acyclic"), !cycle[0]);
    CHECK_U64(scalar_of(r, "length"), weft_result_column(r, "cycle")->length);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(graphs_without_a_cycle) {
    expect("", 0, "");
    expect("", 1, "");
    expect("0>1 1>2 0>2", 3, "");
    expect("2>1 1>0", 3, "");
    expect("0>1 2>1 2>3 3>0", 4, "");
    expect("1>0 2>0 1>3", 4, "");
}

TEST(graphs_with_one) {
    expect("0>0", 1, "0");
    expect("0>1 1>0", 2, "0 1");
    expect("2>1 1>0 0>2", 3, "0 2 1");
    expect("0>1 1>2 2>3 3>1 3>4", 5, "1 2 3");
    expect("4>3 3>2 2>4 0>1", 5, "2 4 3");
}

TEST(a_loop_is_the_shortest_and_the_smallest_is_named) { expect("0>1 1>0 3>3 2>2", 4, "2"); }

TEST(a_shorter_cycle_is_found_behind_a_longer_one) {
    expect("0>1 1>2 2>3 3>4 4>0 3>2", 5, "2 3");
    expect("0>1 1>2 2>3 3>4 4>5 5>0 1>4 4>0", 6, "0 1 4");
}

TEST(an_undirected_graph_is_refused) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = arcs_of(ctx, 3, "0>1 1>2", WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP);
    weft_result *r = NULL;
    CHECK(weft_cycle(ctx, g, NULL, &r) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "directed graph");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_plan_says_which_proof_will_do) {
    static const struct {
        const char *arcs, *method, *reason;
    } cases[] = {
        {"0>1 1>2", "look at the ids", "rise"},
        {"2>1 1>0", "look at the ids", "fall"},
        {"0>0 0>1", "find a loop", "loop"},
        {"0>1 2>1", "peel sources, search what is left", "neither"},
    };
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_graph *g = directed_of(ctx, 3, cases[i].arcs);
        weft_plan *plan = NULL;
        REQUIRE(weft_plan_new(ctx, "cycle", g, NULL, &plan) == WEFT_OK);
        CHECK_TEXT(weft_plan_method(plan), cases[i].method);
        CHECK_HAS(weft_plan_reason(plan), cases[i].reason);
        weft_plan_free(plan);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(the_verifier_refuses_what_is_wrong) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = directed_of(ctx, 4, "0>1 1>2 2>0 2>3"), *path = directed_of(ctx, 4, "0>1 1>2 2>3");
    weft_result *r = verified_run(ctx, "cycle", g, NULL), *none = verified_run(ctx, "cycle", path, NULL);
    REQUIRE(r && none);
    CHECK(refused(ctx, "cycle", path, NULL, r));
    CHECK(refused(ctx, "cycle", g, NULL, none));
    writable_u32(r, "cycle")[1] = 3;
    CHECK(refused(ctx, "cycle", g, NULL, r));
    writable_u32(r, "cycle")[1] = 7;
    CHECK(refused(ctx, "cycle", g, NULL, r));
    weft_result_free(r);
    weft_result_free(none);
    weft_graph_free(g);
    weft_graph_free(path);
    weft_ctx_free(ctx);
}

/* Random graphs with few arcs a vertex: cycles hide at the end of long ways. */
TEST(it_agrees_with_a_search_on_random_graphs) {
    weft_ctx *ctx = new_ctx(2, NULL);
    dice d = {11, 0};
    int cyclic = 0;
    for (int trial = 0; trial < 400; trial++) {
        weft_vid u[64], v[64];
        uint64_t n = 2 + roll(&d, 30), m = roll(&d, n + n / 4);
        for (uint64_t i = 0; i < m; i++) u[i] = (weft_vid)roll(&d, n), v[i] = (weft_vid)roll(&d, n);
        weft_build_params p = WEFT_BUILD_DEFAULTS;
        p.loops = trial % 4 ? WEFT_LOOPS_DROP : WEFT_LOOPS_KEEP;
        weft_graph *g = NULL;
        REQUIRE(weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &p, &g) == WEFT_OK);
        weft_result *r = verified_run(ctx, "cycle", g, NULL), *t = verified_run(ctx, "toposort", g, NULL);
        REQUIRE(r && t);
        CHECK_U64(scalar_of(r, "acyclic"), scalar_of(t, "acyclic"));
        cyclic += !scalar_of(r, "acyclic");
        weft_result_free(r);
        weft_result_free(t);
        weft_graph_free(g);
    }
    CHECK(cyclic > 40 && cyclic < 360);
    weft_ctx_free(ctx);
}

TEST(same_bytes_with_any_number_of_threads) { check_same_bytes_for_all_threads("cycle", WEFT_DIRECTED); }

TEST(a_run_can_be_stopped_anywhere) {
    check_cancelling("cycle", &(struct generated){"uniform", .n = 30000, .degree = 8, .p = NAN});
}

TEST(memory_is_what_the_plan_said) { check_peak("cycle", &shapes[1]); }

/* Counted apart: a graph has a cycle exactly when it has a loop or a strong component of two or more. */
TEST(real_graphs_answer_as_counted) {
    if (!shared_data()) SKIP("the shared data is not here");
    char path[4096];
    size_t bytes, checked = 0;
    snprintf(path, sizeof path, "%s/COUNTED.tsv", shared_data());
    char *text = read_file(path, &bytes), *line = text ? strchr(text, '\n') : NULL;
    REQUIRE(line);
    weft_ctx *ctx = new_ctx(0, NULL);
    for (char *next = line + 1; (line = strsep(&next, "\n")) && *line;) {
        char file[1024];
        unsigned long long loops, components;
        if (sscanf(line,
                   "%*[^\t]\t%1023[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%llu\t%*[^\t]\t%*[^\t]\t%*[^\t]\t"
                   "%*[^\t]\t%*[^\t]\t%llu",
                   file, &loops, &components) != 3)
            HARNESS_FAIL("%s", line);
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.build.direction = WEFT_DIRECTED;
        weft_graph *g = NULL;
        snprintf(path, sizeof path, "%s/%s", shared_data(), file);
        REQUIRE(weft_read(ctx, path, &p, &g) == WEFT_OK);
        weft_result *r = verified_run(ctx, "cycle", g, NULL);
        if (r && scalar_of(r, "acyclic") != (loops == 0 && components == 0)) HARNESS_FAIL("%s", file);
        weft_result_free(r);
        weft_graph_free(g);
        checked++;
    }
    CHECK(checked >= 29);
    weft_ctx_free(ctx);
    free(text);
}

TEST_MAIN()
