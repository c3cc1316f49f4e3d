/* weft_graph_compare says where two graphs differ; weft_graph_fingerprint is equal for equal graphs and only there.
 * Ids other than dense ones are put into the graph by hand, so that nothing but src/graph is needed. */
#include "graph/graph.h"

#include "harness.h"

static weft_ctx *ctx;

typedef struct edge_list {
    size_t count;
    weft_vid from[8], to[8];
    uint32_t weight[8];
} edge_list;

static const edge_list triangle = {3, {0, 1, 2}, {1, 2, 0}, {5, 6, 7}};

static weft_graph *make(uint64_t n, const edge_list *e, bool weighted, weft_direction direction) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    weft_graph *g = NULL;
    if (!ctx && weft_ctx_new(&ctx)) return NULL;
    weft_graph_from_edges(ctx, n, e->count, e->from, e->to, weighted ? e->weight : NULL,
                          weighted ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_NONE, &build, &g);
    return g;
}

static void set_numbers(weft_graph *g, const int64_t *number) {
    g->ids.kind = WEFT_IDS_SPARSE;
    g->ids.base = 0;
    if (wfi_alloc(ctx, &g->ids.number, g->n) == WEFT_OK) memcpy(g->ids.number, number, g->n * sizeof *number);
}

static void set_names(weft_graph *g, const char *const *name) {
    size_t used = 0;
    g->ids.kind = WEFT_IDS_STRING;
    if (wfi_alloc(ctx, &g->ids.start, (size_t)g->n + 1) || wfi_alloc(ctx, &g->ids.text, 1000)) return;
    for (weft_vid v = 0; v < g->n; v++) {
        g->ids.start[v] = used;
        memcpy(g->ids.text + used, name[v], strlen(name[v]));
        used += strlen(name[v]);
    }
    g->ids.start[g->n] = used;
}

static uint64_t fingerprint(const weft_graph *g) {
    uint64_t print = 0;
    CHECK_U64(weft_graph_fingerprint(ctx, g, &print), WEFT_OK);
    return print;
}

/* Both graphs are freed. */
static void check_equal(weft_graph *a, weft_graph *b) {
    int equal = -1;
    REQUIRE(a && b);
    CHECK_U64(weft_graph_compare(ctx, a, b, &equal), WEFT_OK);
    CHECK_I64(equal, 1);
    CHECK_U64(fingerprint(a), fingerprint(b));
    weft_graph_free(a);
    weft_graph_free(b);
}

static void check_differ(weft_graph *a, weft_graph *b, const char *message) {
    int equal = -1;
    REQUIRE(a && b);
    CHECK_U64(weft_graph_compare(ctx, a, b, &equal), WEFT_OK);
    CHECK_I64(equal, 0);
    CHECK_TEXT(weft_ctx_message(ctx), message);
    CHECK(fingerprint(a) != fingerprint(b));
    weft_graph_free(a);
    weft_graph_free(b);
}

TEST(a_graph_equals_itself_built_again) {
    edge_list other_order = {3, {2, 0, 1}, {0, 1, 2}, {7, 5, 6}};
    check_equal(make(3, &triangle, true, WEFT_DIRECTED), make(3, &other_order, true, WEFT_DIRECTED));
    check_equal(make(0, &(edge_list){0}, false, WEFT_DIRECTED), make(0, &(edge_list){0}, false, WEFT_DIRECTED));
    check_equal(make(1, &(edge_list){0}, false, WEFT_UNDIRECTED), make(1, &(edge_list){0}, false, WEFT_UNDIRECTED));
}

TEST(counts_and_kinds_differ) {
    check_differ(make(3, &triangle, false, WEFT_DIRECTED), make(4, &triangle, false, WEFT_DIRECTED),
                 "the first graph has 3 vertices, the second 4");
    check_differ(make(3, &triangle, false, WEFT_DIRECTED), make(3, &triangle, false, WEFT_UNDIRECTED),
                 "the first graph is directed, the second undirected");
    check_differ(make(3, &triangle, false, WEFT_DIRECTED), make(3, &triangle, true, WEFT_DIRECTED),
                 "the first graph has no weights, the second whole weights");
}

TEST(the_first_arc_that_differs_is_named) {
    edge_list other = {3, {0, 1, 2}, {1, 0, 0}, {5, 6, 7}};
    check_differ(make(3, &triangle, false, WEFT_DIRECTED), make(3, &other, false, WEFT_DIRECTED),
                 "the second graph has an arc 1 -> 0 that the first lacks");
    edge_list fewer = {2, {0, 2}, {1, 0}, {0}};
    check_differ(make(3, &triangle, false, WEFT_DIRECTED), make(3, &fewer, false, WEFT_DIRECTED),
                 "the first graph has an arc 1 -> 2 that the second lacks");
    edge_list twice = {4, {0, 1, 2, 2}, {1, 2, 0, 0}, {0}};
    check_differ(make(3, &triangle, false, WEFT_DIRECTED), make(3, &twice, false, WEFT_DIRECTED),
                 "the second graph has an arc 2 -> 0 that the first lacks");
    edge_list last = {1, {2}, {2}, {0}};
    check_differ(make(3, &(edge_list){0}, false, WEFT_DIRECTED), make(3, &last, false, WEFT_DIRECTED),
                 "the second graph has an arc 2 -> 2 that the first lacks");
}

TEST(the_first_weight_that_differs_is_named) {
    edge_list heavier = {3, {0, 1, 2}, {1, 2, 0}, {5, 60, 70}};
    check_differ(make(3, &triangle, true, WEFT_DIRECTED), make(3, &heavier, true, WEFT_DIRECTED),
                 "the arc 1 -> 2 weighs 6 in the first graph and 60 in the second");
}

TEST(differences_are_told_in_file_ids) {
    edge_list other = {3, {0, 1, 2}, {1, 0, 0}, {0}};
    static const int64_t number[] = {-5, 10, 99};
    weft_graph *a = make(3, &triangle, false, WEFT_DIRECTED), *b = make(3, &other, false, WEFT_DIRECTED);
    REQUIRE(a && b);
    set_numbers(a, number);
    set_numbers(b, number);
    check_differ(a, b, "the second graph has an arc 10 -> -5 that the first lacks");
}

TEST(a_list_of_consecutive_numbers_is_as_good_as_dense) {
    static const int64_t number[] = {4, 5, 6}, gap[] = {4, 5, 7};
    weft_graph *a = make(3, &triangle, false, WEFT_DIRECTED), *b = make(3, &triangle, false, WEFT_DIRECTED);
    a->ids.base = 4;
    set_numbers(b, number);
    check_equal(a, b);
    a = make(3, &triangle, false, WEFT_DIRECTED), b = make(3, &triangle, false, WEFT_DIRECTED);
    a->ids.base = 4;
    set_numbers(b, gap);
    check_differ(a, b, "vertex 2 (counted from 0) is called \"6\" in the first graph and \"7\" in the second");
    a = make(3, &triangle, false, WEFT_DIRECTED), b = make(3, &triangle, false, WEFT_DIRECTED);
    b->ids.base = 1;
    check_differ(a, b, "vertex 0 (counted from 0) is called \"0\" in the first graph and \"1\" in the second");
}

TEST(names_are_compared_by_their_bytes) {
    static const char *const one[] = {"anna", "bert", "c"}, *const two[] = {"anna", "bertha", "c"},
                             *const digits[] = {"0", "1", "2"};
    weft_graph *a = make(3, &triangle, false, WEFT_DIRECTED), *b = make(3, &triangle, false, WEFT_DIRECTED);
    set_names(a, one);
    set_names(b, one);
    check_equal(a, b);
    a = make(3, &triangle, false, WEFT_DIRECTED), b = make(3, &triangle, false, WEFT_DIRECTED);
    set_names(a, one);
    set_names(b, two);
    check_differ(a, b, "vertex 1 (counted from 0) is called \"bert\" in the first graph and \"bertha\" in the second");
    a = make(3, &triangle, false, WEFT_DIRECTED), b = make(3, &triangle, false, WEFT_DIRECTED);
    set_names(b, digits); /* the name "0" is not the number 0 */
    check_differ(a, b, "vertex 0 (counted from 0) is called \"0\" in the first graph and \"0\" in the second");
}

/* A ring with one chord moved: the difference lies far behind the first compared block. */
TEST(a_late_difference_in_a_large_graph_is_found_with_any_threads) {
    enum { N = 300000 };
    weft_vid *from = malloc(N * sizeof *from), *to = malloc(N * sizeof *to);
    weft_graph *a = NULL, *b = NULL;
    int equal;
    REQUIRE(ctx || weft_ctx_new(&ctx) == WEFT_OK);
    for (weft_vid v = 0; v < N; v++) from[v] = v, to[v] = (v + 1) % N;
    REQUIRE(weft_graph_from_edges(ctx, N, N, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &a) == WEFT_OK);
    to[290000] = 7;
    to[295000] = 8;
    REQUIRE(weft_graph_from_edges(ctx, N, N, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &b) == WEFT_OK);
    uint64_t print = fingerprint(a);
    for (int threads = 1; threads <= 7; threads += 2) {
        weft_ctx_set_threads(ctx, threads);
        CHECK_U64(weft_graph_compare(ctx, a, b, &equal), WEFT_OK);
        CHECK_I64(equal, 0);
        CHECK_TEXT(weft_ctx_message(ctx), "the second graph has an arc 290000 -> 7 that the first lacks");
        CHECK_U64(fingerprint(a), print);
        CHECK(fingerprint(b) != print);
    }
    weft_graph_free(a);
    weft_graph_free(b);
    free(from);
    free(to);
}

/* Made from the definitions of the digest and of the fingerprint by another program. */
TEST(a_fingerprint_is_the_same_everywhere) {
    weft_graph *g = make(3, &triangle, true, WEFT_DIRECTED);
    REQUIRE(g);
    CHECK_U64(fingerprint(g), 0x3272c341f0dbc3c4u);
    weft_graph_free(g);
}

TEST(wrong_calls_are_refused) {
    int equal;
    uint64_t print;
    weft_graph *g = make(3, &triangle, true, WEFT_DIRECTED);
    REQUIRE(g);
    CHECK_U64(weft_graph_compare(NULL, g, g, &equal), WEFT_EINVAL);
    CHECK_U64(weft_graph_compare(ctx, g, NULL, &equal), WEFT_EINVAL);
    CHECK_U64(weft_graph_compare(ctx, g, g, NULL), WEFT_EINVAL);
    CHECK_U64(weft_graph_fingerprint(ctx, NULL, &print), WEFT_EINVAL);
    CHECK_U64(weft_graph_fingerprint(ctx, g, NULL), WEFT_EINVAL);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    ctx = NULL;
}

TEST_MAIN()
