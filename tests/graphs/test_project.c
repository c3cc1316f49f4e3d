/* weft_graph_project: small graphs by eye, both sides and all weights; ids and attributes follow, columns of edges do
 * not; the same on any number of threads; what is refused; memory that is not there.  tests/project/reference.py
 * compares with NetworkX. */
#include "support.h"

#include "weft/experimental.h"

static weft_graph *read_pairs(weft_ctx *ctx, const char *text, int sides, const char *keep) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    p.sides = sides;
    p.keep = keep;
    weft_graph *g = NULL;
    if (weft_read_memory(ctx, text, strlen(text), "pairs.csv", &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* "ann-bob 1, bob-cyd 0.5" */
static const char *edges_text(weft_ctx *ctx, const weft_graph *g, char *to, size_t room) {
    weft_csr rows = {.size = sizeof rows};
    size_t used = 0;
    to[0] = 0;
    if (weft_graph_out(ctx, g, &rows)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    for (weft_vid u = 0; u < rows.vertices; u++)
        for (weft_eid e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            char from[32], other[32];
            weft_vid v = rows.targets[e];
            if (v < u) continue;
            weft_graph_id_text(g, u, from, sizeof from);
            weft_graph_id_text(g, v, other, sizeof other);
            double w = weft_graph_weight_type(g) == WEFT_WEIGHT_U32 ? ((const uint32_t *)rows.weights)[e]
                                                                    : ((const double *)rows.weights)[e];
            used += (size_t)snprintf(to + used, room - used, "%s%s-%s %g", used ? ", " : "", from, other, w);
        }
    return to;
}

static void expect(const char *text, int sides, int side, weft_project_weights weights, const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    char got[512];
    weft_graph *g = read_pairs(ctx, text, sides, NULL), *made = NULL;
    weft_project_params p = WEFT_PROJECT_DEFAULTS;
    p.side = side;
    p.weights = weights;
    if (weft_graph_project(ctx, g, &p, &made, NULL)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    CHECK_TEXT(made ? edges_text(ctx, made, got, sizeof got) : "", want);
    CHECK(!weft_graph_directed(made) && !weft_graph_sides(made, NULL, NULL));
    weft_graph_free(made);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(two_are_joined_by_what_they_share) {
    static const char papers[] = "author,paper\nann,p1\nbob,p1\nbob,p2\ncyd,p1\ncyd,p2\ndan,p3\n";
    expect(papers, 1, 0, WEFT_PROJECT_COUNT, "ann-bob 1, ann-cyd 1, bob-cyd 2");
    expect(papers, 1, 0, WEFT_PROJECT_JACCARD, "ann-bob 0.5, ann-cyd 0.5, bob-cyd 1");
    expect(papers, 1, 0, WEFT_PROJECT_NEWMAN, "ann-bob 0.5, ann-cyd 0.5, bob-cyd 1.5");
    expect(papers, 1, 1, WEFT_PROJECT_COUNT, "p1-p2 2");
    /* Without sides the smallest vertex of each component is on the first. */
    expect("1 11\n2 11\n12 5\n12 6\n", 2, 0, WEFT_PROJECT_COUNT, "1-2 1, 5-6 1");
    expect("1 11\n2 11\n2 12\n", 2, 1, WEFT_PROJECT_COUNT, "11-12 1");
    /* Parallel edges are one. */
    expect("1 11\n1 11\n11 1\n2 11\n", 2, 0, WEFT_PROJECT_NEWMAN, "1-2 1");
}

TEST(ids_and_attributes_follow_and_columns_of_edges_do_not) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_pairs(ctx, "user,item,day\n7,1,5\n7,2,5\n9,2,6\n", 1, "day"), *named = NULL, *made = NULL;
    REQUIRE(g);
    int64_t ages[4] = {0, 0, 30, 40};
    weft_attribute age = WEFT_ATTRIBUTE_DEFAULTS, got = {.size = sizeof got};
    age.name = "age";
    age.type = WEFT_ATTRIBUTE_WHOLE;
    age.count = 4;
    age.values = ages;
    CHECK_U64(weft_graph_edge_columns(g), 1);
    REQUIRE(!weft_graph_with_attributes(ctx, g, (const weft_attribute *const[]){&age}, 1, &named));
    weft_project_info info = {.size = sizeof info};
    REQUIRE(!weft_graph_project(ctx, named, NULL, &made, &info));
    CHECK_U64(weft_graph_vertices(made), 2);
    CHECK_U64(info.vertices, 2);
    CHECK_U64(info.edges, 1);
    CHECK_U64(info.others, 2);
    CHECK_U64(info.wedges, 2);
    CHECK(info.bytes > 0);
    CHECK(weft_graph_id(made, 0) == 7 && weft_graph_id(made, 1) == 9);
    CHECK_U64(weft_graph_edge_columns(made), 0);
    REQUIRE(!weft_graph_attribute(ctx, made, "age", &got));
    CHECK(((const int64_t *)got.values)[0] == 30 && ((const int64_t *)got.values)[1] == 40);
    weft_graph_free(made);
    weft_graph_free(named);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(directions_do_not_count_and_a_given_side_does) {
    static const weft_vid u[] = {0, 3, 1, 2}, v[] = {2, 0, 3, 1};
    static const uint32_t sides[] = {1, 1, 0, 0}, crossed[] = {0, 1, 0, 1}, strange[] = {0, 0, 2, 1};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL, *made = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_project_params p = WEFT_PROJECT_DEFAULTS;
    char text[64];
    build.direction = WEFT_DIRECTED;
    REQUIRE(!weft_graph_from_edges(ctx, 4, 4, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
    p.sides = sides;
    REQUIRE(!weft_graph_project(ctx, g, &p, &made, NULL));
    CHECK_TEXT(edges_text(ctx, made, text, sizeof text), "2-3 2");
    weft_graph_free(made);
    p.sides = crossed;
    CHECK(weft_graph_project(ctx, g, &p, &made, NULL) == WEFT_EINVAL && !made &&
          strstr(weft_ctx_message(ctx), "within a side"));
    p.sides = strange;
    CHECK(weft_graph_project(ctx, g, &p, &made, NULL) == WEFT_EINVAL && strstr(weft_ctx_message(ctx), "not 0 or 1"));
    p.sides = NULL;
    p.side = 2;
    CHECK(weft_graph_project(ctx, g, &p, &made, NULL) == WEFT_EINVAL && !made);
    p.side = 0;
    p.weights = (weft_project_weights)3;
    CHECK(weft_graph_project(ctx, g, &p, &made, NULL) == WEFT_EINVAL && !made);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(an_odd_cycle_is_refused_and_shown) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_pairs(ctx, "10 20\n20 30\n30 10\n", 2, NULL), *made = NULL;
    CHECK(weft_graph_project(ctx, g, NULL, &made, NULL) == WEFT_EINVAL && !made);
    CHECK(strstr(weft_ctx_message(ctx), "odd cycle of 3 goes 10 - 20 - 30"));
    weft_graph_free(g);
    g = read_pairs(ctx, "", 2, NULL);
    CHECK(!weft_graph_project(ctx, g, NULL, &made, NULL) && weft_graph_vertices(made) == 0);
    weft_graph_free(made);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* 300 and 200 vertices with 4,000 edges between them. */
static weft_graph *random_pairs(weft_ctx *ctx) {
    enum { EDGES = 4000 };
    static weft_vid u[EDGES], v[EDGES];
    uint64_t state = 1;
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = WEFT_UNDIRECTED;
    for (int i = 0; i < EDGES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        u[i] = (weft_vid)(state >> 33) % 300;
        state = state * 6364136223846793005u + 1442695040888963407u;
        v[i] = 300 + (weft_vid)(state >> 33) % 200;
    }
    if (weft_graph_from_edges(ctx, 500, EDGES, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

TEST(the_same_bits_on_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    for (int weights = 0; weights < 3; weights++) {
        uint64_t print[LENGTH(threads)];
        for (size_t t = 0; t < LENGTH(threads); t++) {
            weft_ctx *ctx = new_ctx(threads[t], NULL);
            weft_graph *g = random_pairs(ctx), *made = NULL;
            weft_project_params p = WEFT_PROJECT_DEFAULTS;
            p.weights = (weft_project_weights)weights;
            REQUIRE(!weft_graph_project(ctx, g, &p, &made, NULL));
            REQUIRE(!weft_graph_fingerprint(ctx, made, &print[t]));
            CHECK(print[t] == print[0]);
            weft_graph_free(made);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
    }
}

TEST(it_counts_before_it_takes_memory) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = random_pairs(ctx), *made = NULL;
    weft_project_info info = {.size = sizeof info}, again = {.size = sizeof again};
    REQUIRE(!weft_graph_project(ctx, g, NULL, NULL, &info));
    CHECK(info.edges > 10000 && info.bytes > 8 * info.edges);
    uint64_t before = weft_ctx_memory_in_use(ctx);
    weft_ctx_restart_memory_peak(ctx);
    REQUIRE(!weft_graph_project(ctx, g, NULL, &made, &again));
    CHECK_U64(again.edges, info.edges);
    CHECK_U64(again.bytes, info.bytes);
    CHECK(weft_ctx_memory_peak(ctx) - before <= info.bytes + info.bytes / 8);
    weft_graph_free(made);
    REQUIRE(!weft_ctx_set_memory_limit(ctx, before + info.bytes / 2));
    CHECK(weft_graph_project(ctx, g, NULL, &made, NULL) == WEFT_ENOMEM && !made);
    CHECK(strstr(weft_ctx_message(ctx), "over the memory limit"));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_graph *g = read_pairs(ctx, "ann p1\nbob p1\nbob p2\ncyd p2\n", 2, NULL);
    uint64_t failed = 0;
    REQUIRE(g);
    for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
        weft_graph *made;
        uint64_t blocks = heap.live_blocks;
        heap.allowed = atomic_load(&heap.calls) + failed;
        st = weft_graph_project(ctx, g, NULL, &made, NULL);
        heap.allowed = COUNT_ONLY;
        CHECK(st == WEFT_ENOMEM ? !made && heap.live_blocks == blocks : st == WEFT_OK);
        weft_graph_free(made);
    }
    CHECK(failed > 15);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
