/* What can be asked about a graph: statistics, transpose, arcs, order, relabelling, comparison; also by threads. */
#include "tiny.h"
#include "weft/degree.h"

#include <pthread.h>

/* count[k] of the distribution on `side`, for degree k. */
static uint64_t rows_of_degree(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t degree) {
    uint64_t *value, *count, found = 0;
    size_t length;
    if (weft_graph_degree_distribution(ctx, g, side, &value, &count, &length)) return UINT64_MAX;
    for (size_t i = 0; i < length; i++) {
        if (i) CHECK(value[i - 1] < value[i]);
        CHECK(count[i] > 0);
        if (value[i] == degree) found = count[i];
    }
    weft_free(ctx, value);
    weft_free(ctx, count);
    return found;
}

TEST(a_star_of_a_hundred) {
    weft_ctx *ctx = new_ctx(2, NULL);
    pair edges[99];
    for (weft_vid i = 0; i < 99; i++) edges[i] = (pair){0, i + 1};
    weft_graph *g = build(ctx, 100, edges, 99, NULL);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.max_degree, 99);
    CHECK_U64(info.max_in_degree, 1);
    CHECK_U64(info.median_degree, 0);
    CHECK_NEAR(info.mean_degree, 0.99, 1e-12);
    CHECK_NEAR(info.density, 99.0 / (100.0 * 99.0), 1e-12);
    CHECK_NEAR(info.skew, 1, 1e-12);
    CHECK_U64(rows_of_degree(ctx, g, WEFT_SIDE_OUT, 99), 1);
    CHECK_U64(rows_of_degree(ctx, g, WEFT_SIDE_OUT, 0), 99);
    CHECK_U64(rows_of_degree(ctx, g, WEFT_SIDE_IN, 1), 99);
    CHECK_U64(rows_of_degree(ctx, g, WEFT_SIDE_BOTH, 1), 99);
    CHECK_U64(rows_of_degree(ctx, g, WEFT_SIDE_AUTO, 1), UINT64_MAX);
    CHECK_U64(rows_of_degree(ctx, g, (weft_side)4, 1), UINT64_MAX);
    weft_graph_free(g);
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    g = build(ctx, 100, edges, 99, &p);
    REQUIRE(g != NULL);
    info = info_of(ctx, g);
    CHECK_U64(info.max_degree, 99);
    CHECK_U64(info.max_in_degree, 99);
    CHECK_U64(info.median_degree, 1);
    CHECK_NEAR(info.density, 99.0 / (100.0 * 99.0 / 2), 1e-12);
    CHECK_NEAR(info.skew, 0.5, 1e-12);
    CHECK_U64(rows_of_degree(ctx, g, WEFT_SIDE_BOTH, 99), 1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(a_complete_graph_and_a_cycle) {
    weft_ctx *ctx = new_ctx(2, NULL);
    pair edges[9 * 8];
    size_t count = 0;
    for (weft_vid u = 0; u < 9; u++)
        for (weft_vid v = 0; v < 9; v++)
            if (u != v) edges[count++] = (pair){u, v};
    weft_graph *g = build(ctx, 9, edges, count, NULL);
    REQUIRE(g != NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.edges, 72);
    CHECK_NEAR(info.density, 1, 0);
    CHECK_U64(info.median_degree, 8);
    weft_graph_free(g);
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    g = build(ctx, 9, edges, count, &p);
    REQUIRE(g != NULL);
    info = info_of(ctx, g);
    CHECK_U64(info.edges, 36);
    CHECK_U64(info.arcs, 72);
    CHECK_U64(info.duplicates_dropped, 36);
    CHECK_NEAR(info.density, 1, 0);
    weft_graph_free(g);
    pair ring[200];
    for (weft_vid i = 0; i < 200; i++) ring[i] = (pair){i, (i + 1) % 200};
    g = build(ctx, 200, ring, 200, NULL);
    REQUIRE(g != NULL);
    CHECK_NEAR(info_of(ctx, g).skew, 0.01, 1e-12);
    CHECK_U64(info_of(ctx, g).isolated, 0);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_transpose_of_a_path) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
    uint32_t w[] = {10, 20, 30, 40};
    weft_graph *g = build_weighted(ctx, 4, edges, LENGTH(edges), w, WEFT_WEIGHT_U32, NULL);
    REQUIRE(g != NULL);
    weft_csr in = {.size = sizeof in}, again = in;
    REQUIRE(weft_graph_in(ctx, g, &in) == WEFT_OK);
    CHECK(csr_fault(&in) == NULL);
    CHECK_U64(in.offsets[0], 0);
    CHECK_U64(in.offsets[1], 0);
    CHECK_U64(in.offsets[2], 1);
    CHECK_U64(in.offsets[3], 2);
    CHECK_U64(in.offsets[4], 4);
    CHECK_U64(in.targets[2], 0);
    CHECK_U64(in.targets[3], 2);
    CHECK_U64(((const uint32_t *)in.weights)[2], 40);
    CHECK_U64(((const uint32_t *)in.weights)[3], 30);
    REQUIRE(weft_graph_in(ctx, g, &again) == WEFT_OK);
    CHECK(again.targets == in.targets);
    weft_graph_free(g);
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    g = build(ctx, 4, edges, LENGTH(edges), &p);
    REQUIRE(g && weft_graph_in(ctx, g, &in) == WEFT_OK);
    CHECK(in.targets == out_rows(g).targets);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* So many arcs for so few vertices that each row has a bin of its own: there is nothing left to sort by. */
TEST(the_transpose_of_many_parallel_arcs) {
    enum { ARCS = 200000 };
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_build_params keep = WEFT_BUILD_DEFAULTS;
    keep.duplicates = WEFT_DUPLICATES_KEEP;
    weft_vid *u = malloc(ARCS * sizeof *u), *v = malloc(ARCS * sizeof *v);
    for (weft_vid i = 0; u && v && i < ARCS; i++) u[i] = i % 3, v[i] = i % 2;
    weft_graph *g = NULL;
    weft_csr in = {.size = sizeof in};
    CHECK_U64(weft_graph_from_edges(ctx, 3, ARCS, u, v, NULL, WEFT_WEIGHT_NONE, &keep, &g), WEFT_OK);
    CHECK_U64(weft_graph_in(ctx, g, &in), WEFT_OK);
    CHECK(!csr_fault(&in));
    CHECK_U64(in.offsets[1], ARCS / 2);
    CHECK_U64(in.offsets[2], ARCS);
    weft_graph_free(g);
    free(u);
    free(v);
    weft_ctx_free(ctx);
}

TEST(arcs_are_found_at_their_place) {
    weft_ctx *ctx = new_ctx(1, NULL);
    pair edges[] = {{0, 4}, {0, 1}, {0, 2}, {0, 2}, {3, 3}};
    weft_build_params p = rules(WEFT_DIRECTED, WEFT_DUPLICATES_KEEP, WEFT_LOOPS_KEEP);
    weft_graph *g = build(ctx, 5, edges, LENGTH(edges), &p);
    REQUIRE(g != NULL);
    weft_eid at = 99;
    CHECK(weft_graph_has_arc(g, 0, 2, &at));
    CHECK_U64(at, 1);
    CHECK(weft_graph_has_arc(g, 0, 4, &at));
    CHECK_U64(at, 3);
    CHECK(weft_graph_has_arc(g, 3, 3, NULL));
    CHECK(!weft_graph_has_arc(g, 4, 0, &at));
    CHECK(!weft_graph_has_arc(g, 0, 3, &at));
    CHECK(!weft_graph_has_arc(g, 5, 0, &at));
    CHECK(!weft_graph_has_arc(g, 0, WEFT_NO_VERTEX, &at));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_degree_order_begins_with_the_hub) {
    weft_ctx *ctx = new_ctx(2, NULL);
    pair edges[] = {{0, 3}, {1, 3}, {2, 3}, {3, 4}, {4, 1}};
    weft_graph *g = build(ctx, 6, edges, LENGTH(edges), NULL);
    const weft_vid *order;
    REQUIRE(g && weft_graph_degree_order(ctx, g, &order) == WEFT_OK);
    weft_vid want[] = {3, 1, 4, 0, 2, 5}; /* totals 1 2 1 4 2 0 */
    for (int i = 0; i < 6; i++) CHECK_U64(order[i], want[i]);
    weft_graph *h = NULL;
    REQUIRE(weft_graph_relabel(ctx, g, order, &h) == WEFT_OK);
    CHECK_U64(weft_graph_arcs(h), weft_graph_arcs(g));
    for (size_t i = 0; i < LENGTH(edges); i++) {
        weft_vid u = WEFT_NO_VERTEX, v = WEFT_NO_VERTEX;
        for (weft_vid k = 0; k < 6; k++) {
            if (order[k] == edges[i].u) u = k;
            if (order[k] == edges[i].v) v = k;
        }
        CHECK(weft_graph_has_arc(h, u, v, NULL));
    }
    for (weft_vid k = 0; k < 6; k++) CHECK_I64(weft_graph_id(h, k), weft_graph_id(g, order[k]));
    weft_graph_free(h);
    weft_vid twice[] = {0, 1, 2, 3, 4, 4}, outside[] = {0, 1, 2, 3, 4, 6};
    h = (weft_graph *)ctx;
    CHECK_U64(weft_graph_relabel(ctx, g, twice, &h), WEFT_EINVAL);
    CHECK(h == NULL);
    CHECK_U64(weft_graph_relabel(ctx, g, outside, &h), WEFT_EINVAL);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(compare_says_where_graphs_differ) {
    weft_ctx *ctx = new_ctx(2, NULL);
    const char *text[] = {"0 1 5\n1 2 6\n",        "0 1 5\n1 2 7\n", "0 1\n1 2\n",     "0 1 5\n2 1 6\n",
                          "0 1 5\n1 2 6\n2 3 1\n", "0 1 5\n1 3 6\n", "a b 5\nb c 6\n", "0 1 5.0\n1 2 6.0\n"};
    weft_graph *g[LENGTH(text)];
    for (size_t i = 0; i < LENGTH(text); i++) REQUIRE((g[i] = read_text(ctx, text[i], NULL)) != NULL);
    for (size_t i = 0; i < LENGTH(text); i++)
        for (size_t j = 0; j < LENGTH(text); j++) {
            int equal = -1;
            CHECK_U64(weft_graph_compare(ctx, g[i], g[j], &equal), WEFT_OK);
            if (equal != (i == j)) HARNESS_FAIL("\"%s\" against \"%s\": equal is %d", text[i], text[j], equal);
            if (!equal) CHECK(weft_ctx_message(ctx)[0] != 0);
            CHECK((fingerprint_of(ctx, g[i]) == fingerprint_of(ctx, g[j])) == (i == j));
        }
    for (size_t i = 0; i < LENGTH(text); i++) weft_graph_free(g[i]);
    weft_ctx_free(ctx);
}

TEST(a_hub_of_a_million) {
    enum { LEAVES = 1000000 };
    weft_vid *u = malloc(LEAVES * sizeof *u), *v = malloc(LEAVES * sizeof *v);
    REQUIRE(u && v);
    for (weft_vid i = 0; i < LEAVES; i++) {
        u[i] = 7;
        v[i] = LEAVES - i; /* 1 ... LEAVES, with 7 itself among them: one loop */
    }
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_build_params p = rules(WEFT_UNDIRECTED, WEFT_DUPLICATES_DROP, WEFT_LOOPS_KEEP);
    weft_graph *g = NULL;
    REQUIRE(weft_graph_from_edges(ctx, LEAVES + 1, LEAVES, u, v, NULL, WEFT_WEIGHT_NONE, &p, &g) == WEFT_OK);
    weft_csr out = out_rows(g);
    CHECK(csr_fault(&out) == NULL);
    weft_graph_info info = info_of(ctx, g);
    CHECK_U64(info.max_degree, LEAVES);
    CHECK_U64(info.arcs, 2 * (LEAVES - 1) + 1);
    CHECK_U64(info.self_loops, 1);
    CHECK_U64(info.isolated, 1);
    const weft_vid *order;
    CHECK_U64(weft_graph_degree_order(ctx, g, &order), WEFT_OK);
    CHECK_U64(order[0], 7);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(u);
    free(v);
}

/* What is made on first use is made once, whoever asks first. */
typedef struct visitor {
    const weft_graph *g;
    const weft_vid *in_targets, *order;
    uint64_t isolated, print, entering; /* entering: all in-degrees */
    bool degrees_first;
    int threads;
} visitor;

static uint64_t sum_of_in_degrees(weft_ctx *ctx, const weft_graph *g) {
    weft_result *r;
    uint64_t sum = 0;
    if (weft_degree(ctx, g, NULL, &r)) return 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) sum += weft_result_u64(r, "in")[v];
    weft_result_free(r);
    return sum;
}

static void *visit(void *user) {
    visitor *me = user;
    weft_ctx *ctx = new_ctx(me->threads, NULL);
    weft_csr in = {.size = sizeof in};
    weft_graph_info info = {.size = sizeof info};
    if (me->degrees_first) me->entering = sum_of_in_degrees(ctx, me->g);
    if (!weft_graph_in(ctx, me->g, &in)) me->in_targets = in.targets;
    if (!weft_graph_describe(ctx, me->g, &info)) me->isolated = info.isolated;
    if (weft_graph_degree_order(ctx, me->g, &me->order)) me->order = NULL;
    if (weft_graph_fingerprint(ctx, me->g, &me->print)) me->print = 0;
    if (!me->degrees_first) me->entering = sum_of_in_degrees(ctx, me->g);
    weft_ctx_free(ctx);
    return NULL;
}

TEST(threads_may_share_a_graph) {
    enum { VISITORS = 4, N = 3000, M = 40000 };
    static weft_vid u[M], v[M];
    for (uint64_t i = 0; i < M; i++) {
        u[i] = (weft_vid)(random_at(41, i) % N);
        v[i] = (weft_vid)(random_at(42, i) % N);
    }
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int round = 0; round < 10; round++) {
        weft_graph *g = NULL;
        REQUIRE(weft_graph_from_edges(ctx, N, M, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g) == WEFT_OK);
        visitor visitors[VISITORS];
        pthread_t thread[VISITORS];
        for (int i = 0; i < VISITORS; i++) {
            visitors[i] = (visitor){.g = g, .degrees_first = i % 2, .threads = 1 + round % 2};
            REQUIRE(pthread_create(&thread[i], NULL, visit, &visitors[i]) == 0);
        }
        for (int i = 0; i < VISITORS; i++) pthread_join(thread[i], NULL);
        for (int i = 0; i < VISITORS; i++) {
            CHECK(visitors[i].in_targets && visitors[i].in_targets == visitors[0].in_targets);
            CHECK(visitors[i].order && visitors[i].order == visitors[0].order);
            CHECK_U64(visitors[i].isolated, visitors[0].isolated);
            CHECK_U64(visitors[i].print, visitors[0].print);
            CHECK_U64(visitors[i].entering, weft_graph_arcs(g));
        }
        weft_graph_free(g);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST_MAIN()
