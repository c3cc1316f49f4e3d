/* cycle: yes or no on graphs where one sees it, short cycles found where there are longer ones, and the sweeps. */
#include "order_support.h"
#include "variants.h"

#include "algo/cycle/cycle.h"
#include "engines/kahn/kahn.h"
#include "weft/cycle.h"

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
        {"0>1 1>2", "look at the ids", "ascend"},
        {"2>1 1>0", "look at the ids", "descend"},
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

TEST(the_general_way_takes_no_short_cut_and_gives_the_same) {
    static const char *const arcs[] = {"0>1 1>2", "2>1 1>0", "0>0 0>1", "0>1 1>0 2>2", "0>1 1>2 2>1"};
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_cycle_params general = WEFT_CYCLE_DEFAULTS;
    general.general = 1;
    for (size_t i = 0; i < LENGTH(arcs); i++) {
        weft_graph *g = directed_of(ctx, 3, arcs[i]);
        weft_plan *plan = NULL;
        weft_result *r = NULL;
        REQUIRE(weft_plan_new(ctx, "cycle", g, &general, &plan) == WEFT_OK);
        CHECK_TEXT(weft_plan_method(plan), "peel sources, search what is left");
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        weft_result *quick = verified_run(ctx, "cycle", g, NULL);
        CHECK(quick != NULL && difference(quick, r) == NULL);
        weft_result_free(quick);
        weft_result_free(r);
        weft_plan_free(plan);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(the_method_follows_from_density_threads_and_memory) {
    const uint64_t all = UINT64_MAX, bits = (uint64_t)10000 * 157 * 8;
    static const char *const words[] = {"neither", "looked at once at most, and nothing is counted", "bit matrix"};
    static const struct {
        weft_vid n;
        weft_eid arcs;
        int threads;
        uint64_t room;
        wfi_cycle_method method;
        const char *why;
    } cases[] = {
        {10000, 25000000, 2, 0, WFI_CYCLE_PEEL, "only counters are within the memory limit"},
        {10000, 25000000, 2, 250000, WFI_CYCLE_WATCH, "bit matrix would be over the memory limit"},
        {10000, 25000000, 1, 90000, WFI_CYCLE_PEEL, "only counters are within the memory limit"},
        {4294967294u, 1000, 64, 0, WFI_CYCLE_PEEL, "neither"},
    };
    uint64_t bytes;
    const char *why;
    CHECK(wfi_cycle_pick(10000, 25000000, 2, all, &bytes, &why) == WFI_CYCLE_BITS);
    CHECK_HAS(why, words[2]);
    CHECK(bytes > bits && bytes < bits + bits / 10);
    CHECK(wfi_cycle_pick(10000, 25000000, 1, all, &bytes, &why) == WFI_CYCLE_WATCH);
    CHECK_HAS(why, words[1]);
    CHECK(wfi_cycle_pick(10000, 3200000, 2, all, &bytes, &why) == WFI_CYCLE_WATCH);
    CHECK(wfi_cycle_pick(10000, 3000000, 2, all, &bytes, &why) == WFI_CYCLE_PEEL);
    CHECK_HAS(why, words[0]);
    CHECK(bytes < 130000); /* counters, the queue, a bit a vertex, and a cycle through all */
    CHECK(wfi_cycle_pick(100, 9900, 2, all, &bytes, &why) == WFI_CYCLE_PEEL);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        CHECK(wfi_cycle_pick(cases[i].n, cases[i].arcs, cases[i].threads, cases[i].room, &bytes, &why) ==
              cases[i].method);
        CHECK_HAS(why, cases[i].why);
    }
}

/* Acyclic graphs under random ids, in every other one an arc turned round: both kinds of rows must see it. */
static weft_graph *turned(weft_ctx *ctx, uint64_t n, uint64_t in_ten, bool turn, uint64_t seed) {
    enum { MOST = 330 };
    static weft_vid u[MOST * MOST / 2], v[MOST * MOST / 2], id[MOST];
    dice d = {seed, 0};
    uint64_t m = 0;
    for (uint64_t i = 0; i < n; i++) id[i] = (weft_vid)i;
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = roll(&d, i);
        weft_vid held = id[i - 1];
        id[i - 1] = id[j];
        id[j] = held;
    }
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++)
            if (j == i + 1 || roll(&d, 10) < in_ten) u[m] = id[i], v[m++] = id[j];
    if (turn) {
        uint64_t from = 1 + roll(&d, n - 1);
        u[m] = id[from], v[m++] = id[roll(&d, from)];
    }
    weft_graph *g = NULL;
    CHECK(weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
    return g;
}

static weft_status watch(weft_ctx *ctx, const weft_graph *g, bool bits, bool *acyclic) {
    wfi_workspace w = {0};
    wfi_watched_arrays a;
    wfi_watched_lay_out(&w, g->n, bits, wfi_threads(ctx), &a);
    weft_status st = wfi_workspace_take(ctx, &w);
    wfi_watched_lay_out(&w, g->n, bits, wfi_threads(ctx), &a);
    if (!st) st = wfi_watched_acyclic(ctx, g, bits, &a, acyclic);
    wfi_workspace_give(&w);
    return st;
}

TEST(watching_sees_what_peeling_sees) {
    static const uint64_t sizes[] = {2, 63, 64, 65, 200, 300};
    weft_ctx *ctx = new_ctx(3, NULL);
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (uint64_t trial = 0; trial < 12; trial++) {
            weft_graph *g = turned(ctx, sizes[i], trial % 6, trial % 2, 100 * i + trial);
            bool acyclic[2] = {trial % 2, trial % 2};
            for (int bits = 0; bits < 2; bits++) CHECK(watch(ctx, g, bits, &acyclic[bits]) == WEFT_OK);
            CHECK(acyclic[0] == !(trial % 2) && acyclic[1] == !(trial % 2));
            weft_graph_free(g);
        }
    weft_ctx_free(ctx);
}

/* One graph, the method changed by threads and by the memory limit: the plan says so, the answer is the same. */
TEST(all_methods_give_the_same_cycle) {
    weft_ctx *ctx = new_ctx(1, NULL);
    for (uint64_t turn = 0; turn < 2; turn++) {
        weft_graph *g = turned(ctx, 300, 5, turn, 7 + turn);
        static const struct {
            int threads;
            uint64_t room;
            const char *method;
        } ways[] = {{1, 0, "watching"}, {2, 0, "bit matrix"}, {2, 17500, "watching"}, {2, 12000, "peel sources"}};
        weft_result *r[LENGTH(ways)] = {NULL};
        for (size_t i = 0; i < LENGTH(ways); i++) {
            weft_plan *plan = NULL;
            weft_ctx_set_threads(ctx, ways[i].threads);
            weft_ctx_set_memory_limit(ctx, ways[i].room ? weft_ctx_memory_in_use(ctx) + ways[i].room : 0);
            REQUIRE(weft_plan_new(ctx, "cycle", g, NULL, &plan) == WEFT_OK);
            CHECK_HAS(weft_plan_method(plan), ways[i].method);
            REQUIRE(weft_plan_run(plan, &r[i]) == WEFT_OK);
            CHECK(same_results(r[0], r[i]));
            weft_plan_free(plan);
        }
        CHECK_U64(scalar_of(r[0], "acyclic"), !turn);
        for (size_t i = 0; i < LENGTH(ways); i++) weft_result_free(r[i]);
        weft_ctx_set_memory_limit(ctx, 0);
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

/* The bit matrix and watching, whose arrays and questions are their own. */
TEST(dense_graphs_keep_the_rules_too) {
    const struct generated dense = {"cyclic", .n = 1500, .degree = NAN, .p = 0.3};
    for (int bits = 0; bits < 2; bits++) {
        bool done = false;
        for (uint64_t allowed = 0; !done && allowed < 50; allowed++) {
            counting c = {.allowed = COUNT_ONLY};
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c);
            weft_graph *g = generate_shape(ctx, &dense, WEFT_DIRECTED);
            bool acyclic;
            c.allowed = atomic_load(&c.calls) + allowed;
            weft_status st = watch(ctx, g, bits, &acyclic);
            done = st == WEFT_OK;
            CHECK(st == WEFT_OK || st == WEFT_ENOMEM);
            weft_graph_free(g);
            CHECK_U64(atomic_load(&c.live_blocks), 0);
            weft_ctx_free(ctx);
        }
        CHECK(done);
        weft_ctx *ctx = new_ctx(2, NULL), *maker = new_ctx(2, NULL);
        weft_graph *g = turned(maker, 330, 9, false, 1);
        _Atomic int left = bits ? 3 : 0;
        bool acyclic;
        CHECK(watch(ctx, g, bits, &acyclic) == WEFT_OK);
        wfi_workspace w = {0};
        wfi_watched_lay_out(&w, 330, bits, 2, &(wfi_watched_arrays){0});
        CHECK_U64(weft_ctx_memory_peak(ctx), wfi_workspace_bytes(&w));
        weft_ctx_set_cancel(ctx, stop_after, &left);
        CHECK(watch(ctx, g, bits, &acyclic) == WEFT_ECANCELLED);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        weft_ctx_free(maker);
    }
}

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
        p.direction = WEFT_DIRECTED;
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
