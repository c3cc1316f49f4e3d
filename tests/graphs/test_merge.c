/* weft_graph_merge: small graphs by eye, each mode and each rule; ids of every kind, also of vertices in another
 * order; what it says of itself; what is refused; the same graph on any number of threads; memory that is not
 * there; stopping. */
#include "support.h"

static weft_graph *read_as(weft_ctx *ctx, const char *text, weft_direction direction) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = direction;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    return read_text(ctx, text, &p);
}

/* Reads the texts, merges them and describes the result, or says why not. */
static const char *merged_text(weft_ctx *ctx, weft_direction direction, weft_merge_params p, const char *const *texts,
                               size_t count) {
    static char text[1000];
    weft_graph *graphs[8] = {NULL}, *merged = NULL;
    for (size_t i = 0; i < count; i++) graphs[i] = read_as(ctx, texts[i], direction);
    weft_status st = weft_graph_merge(ctx, (const weft_graph *const *)graphs, count, &p, &merged);
    if (st)
        snprintf(text, sizeof text, "%s", weft_ctx_message(ctx));
    else
        graph_text(merged, text, sizeof text);
    CHECK(!st == (merged != NULL));
    weft_graph_free(merged);
    for (size_t i = 0; i < count; i++) weft_graph_free(graphs[i]);
    return text;
}

#define TEXTS(...) (const char *const[]){__VA_ARGS__}, LENGTH(((const char *const[]){__VA_ARGS__}))
static weft_merge_params how(weft_merge_mode mode, weft_duplicates duplicates) {
    weft_merge_params p = WEFT_MERGE_DEFAULTS;
    p.mode = mode;
    p.duplicates = duplicates;
    return p;
}

TEST(union_intersection_and_difference) {
    weft_ctx *ctx = new_ctx(2, NULL);
    static const struct {
        weft_direction direction;
        weft_merge_mode mode;
        const char *want;
    } rows[] = {
        {WEFT_DIRECTED, WEFT_MERGE_UNION, "directed none [1 2 3 4 9] 1>2 2>1 2>3 3>3 3>4 4>1 9>2"},
        {WEFT_DIRECTED, WEFT_MERGE_INTERSECTION, "directed none [2 3] 2>3"},
        {WEFT_DIRECTED, WEFT_MERGE_DIFFERENCE, "directed none [1 2 3 4] 1>2 3>3"},
        {WEFT_UNDIRECTED, WEFT_MERGE_UNION, "undirected none [1 2 3 4 9] 1-2 1-4 2-3 2-9 3-3 3-4"},
        {WEFT_UNDIRECTED, WEFT_MERGE_INTERSECTION, "undirected none [2 3] 2-3"},
        {WEFT_UNDIRECTED, WEFT_MERGE_DIFFERENCE, "undirected none [1 2 3 4] 3-3"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        CHECK_TEXT(merged_text(ctx, rows[i].direction, how(rows[i].mode, WEFT_DUPLICATES_DROP),
                               TEXTS("1 2\n2 3\n3 3\n3 4\n", "2 3\n9 2\n2 3\n", "2 1\n2 3\n3 4\n4 1\n")),
                   rows[i].want);
    weft_ctx_free(ctx);
}

/* A graph by itself, or with another that is empty. */
TEST(few_graphs_and_empty_ones) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *none = NULL, *one = read_as(ctx, "a b\n", WEFT_DIRECTED), *merged;
    char text[200];
    REQUIRE(!weft_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &none) && one);
    static const char *const want[] = {"directed none [a b] a>b", "directed none []", "directed none []"};
    static const char *const other[] = {"directed none [a b] a>b", "directed none []", "directed none [a b] a>b"};
    for (int mode = 0; mode < 3; mode++) {
        weft_merge_params p = how((weft_merge_mode)mode, WEFT_DUPLICATES_DROP);
        REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){none, one}, 2, &p, &merged));
        CHECK_TEXT(graph_text(merged, text, sizeof text), want[mode]);
        weft_graph_free(merged);
        REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){one, none}, 2, &p, &merged));
        CHECK_TEXT(graph_text(merged, text, sizeof text), other[mode]);
        weft_graph_free(merged);
        REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){one}, 1, &p, &merged));
        CHECK_TEXT(graph_text(merged, text, sizeof text), "directed none [a b] a>b");
        weft_graph_free(merged);
        REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){none, none}, 2, &p, &merged));
        CHECK_TEXT(graph_text(merged, text, sizeof text), "directed none []");
        weft_graph_free(merged);
    }
    weft_graph_free(none);
    weft_graph_free(one);
    weft_ctx_free(ctx);
}

TEST(weights_by_rule) {
    weft_ctx *ctx = new_ctx(1, NULL);
    static const struct {
        weft_duplicates rule;
        const char *want;
    } rows[] = {
        {WEFT_DUPLICATES_KEEP, "directed u32 [1 2 3] 1>2:3 1>2:4 1>2:3 1>2:8 2>3:5 2>3:5"},
        {WEFT_DUPLICATES_SUM, "directed u32 [1 2 3] 1>2:18 2>3:10"},
        {WEFT_DUPLICATES_MIN, "directed u32 [1 2 3] 1>2:3 2>3:5"},
        {WEFT_DUPLICATES_MAX, "directed u32 [1 2 3] 1>2:8 2>3:5"},
        {WEFT_DUPLICATES_MEAN, "directed f64 [1 2 3] 1>2:4.5 2>3:5"},
        {WEFT_DUPLICATES_COUNT, "directed u32 [1 2 3] 1>2:4 2>3:2"},
        {WEFT_DUPLICATES_DROP,
         "merge: 1 pair of vertices has parallel edges with different weights (the first from 1 to 2: 3, 4, 3, 8);"
         " choose the weight that counts: `duplicates=min|max|mean|sum|count|keep|refuse`"},
        {WEFT_DUPLICATES_REFUSE, "2 edges are listed more than once (the first from 1 to 2: 3, 4, 3, 8):"
                                 " `duplicates=min|max|mean|sum|count|keep` reads them"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        CHECK_TEXT(merged_text(ctx, WEFT_DIRECTED, how(WEFT_MERGE_UNION, rows[i].rule),
                               TEXTS("1 2 3\n1 2 4\n2 3 5\n", "1 2 3\n2 3 5\n1 2 8\n")),
                   rows[i].want);
    CHECK_TEXT(merged_text(ctx, WEFT_DIRECTED, how(WEFT_MERGE_UNION, WEFT_DUPLICATES_DROP),
                           TEXTS("1 2 3\n", "1 2 3\n2 1 4\n")),
               "directed u32 [1 2] 1>2:3 2>1:4");
    CHECK_TEXT(merged_text(ctx, WEFT_UNDIRECTED, how(WEFT_MERGE_INTERSECTION, WEFT_DUPLICATES_SUM),
                           TEXTS("x y 3\nz x 1\n", "y x 0.5\n")),
               "undirected f32 [x y] x-y:3.5");
    /* Of a difference the others' weights do not count. */
    CHECK_TEXT(merged_text(ctx, WEFT_DIRECTED, how(WEFT_MERGE_DIFFERENCE, WEFT_DUPLICATES_DROP),
                           TEXTS("1 2 3\n2 3 4\n", "2 3\n")),
               "directed u32 [1 2 3] 1>2:3");
    weft_ctx_free(ctx);
}

/* Numbers become a range where there are no gaps; vertices in another order count by their ids. */
TEST(ids_stay) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_merge_params p = WEFT_MERGE_DEFAULTS;
    CHECK_TEXT(merged_text(ctx, WEFT_DIRECTED, p, TEXTS("-7 -5\n", "-6 1000000000000\n")),
               "directed none [-7 -6 -5 1000000000000] -7>-5 -6>1000000000000");
    weft_graph *a = read_as(ctx, "5 7\n7 8\n", WEFT_DIRECTED), *b = read_as(ctx, "6 7\n8 7\n", WEFT_DIRECTED),
               *c = NULL, *merged = NULL;
    char text[200];
    REQUIRE(a && b && !weft_graph_relabel(ctx, b, (const weft_vid[]){2, 0, 1}, &c));
    REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){a, c}, 2, NULL, &merged));
    CHECK_TEXT(graph_text(merged, text, sizeof text), "directed none [5 6 7 8] 5>7 6>7 7>8 8>7");
    CHECK(weft_graph_id_kind(merged) == WEFT_IDS_DENSE);
    weft_vid v;
    CHECK(weft_graph_find(ctx, merged, "8", &v) == WEFT_OK && v == 3);
    weft_graph_free(merged);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(c);
    weft_ctx_free(ctx);
}

TEST(it_says_where_its_direction_is_from) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *flag = read_as(ctx, "1 2\n", WEFT_DIRECTED), *assumed = read_as(ctx, "2 3\n2 3\n", WEFT_AS_FILE),
               *merged;
    REQUIRE(flag && assumed);
    REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){flag, assumed}, 2, NULL, &merged));
    weft_graph_info info = info_of(ctx, merged);
    CHECK(info.direction_from == WEFT_DIRECTION_ASSUMED);
    CHECK_U64(info.records, 3);
    CHECK_U64(info.duplicates_dropped, 1);
    CHECK_TEXT(info.format, "memory");
    weft_graph_free(merged);
    REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){flag, flag}, 2, NULL, &merged));
    CHECK(weft_graph_direction_from(merged) == WEFT_DIRECTION_FROM_FLAG);
    weft_graph_free(merged);
    weft_graph_free(flag);
    weft_graph_free(assumed);
    weft_ctx_free(ctx);
}

TEST(attributes_are_left_out_and_that_is_said) {
    warnings said;
    weft_ctx *ctx = new_ctx(1, &said);
    weft_read_params p = reading("json");
    weft_graph *g = read_text(ctx,
                              "{\"directed\": true, \"nodes\": [{\"id\": 1, \"colour\": \"red\"}, {\"id\": 2}],"
                              " \"links\": [{\"source\": 1, \"target\": 2}]}",
                              &p);
    weft_graph *merged = NULL;
    weft_result *r = NULL;
    REQUIRE(g && weft_graph_attributes(g) == 1);
    said = (warnings){0, ""};
    REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const[]){g, g}, 2, NULL, &merged));
    CHECK_TEXT(said.text, "merge: attributes of vertices are left out\n");
    CHECK_U64(weft_graph_attributes(merged), 0);
    said = (warnings){0, ""};
    weft_ctx_set_note(ctx, note_warning, &said);
    REQUIRE(!weft_graph_changes(ctx, g, merged, NULL, &r));
    CHECK_TEXT(said.text, "attributes of vertices are not compared\n");
    CHECK_U64(weft_result_scalar(r, "equal")->value.u64, 1);
    weft_result_free(r);
    weft_graph_free(merged);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(what_cannot_be_merged_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *a = read_as(ctx, "1 2\n", WEFT_DIRECTED), *b = read_as(ctx, "1 2\n", WEFT_UNDIRECTED);
    weft_graph *names = read_as(ctx, "1 x\n", WEFT_DIRECTED), *weights = read_as(ctx, "1 2 3\n", WEFT_DIRECTED);
    weft_graph *unsaid = read_text(ctx, "1 2 3\n1 2 4\n", NULL), *out;
    REQUIRE(a && b && names && weights && unsaid);
    static const char *const want[] = {
        "merge: the first graph is directed, and graph 3 is not",
        "merge: the ids of the first graph are numbers, those of graph 3 names",
        "merge: graph 3 has weights, graph 1 has none",
    };
    const weft_graph *const third[] = {b, names, weights};
    for (int i = 0; i < 3; i++) {
        CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){a, a, third[i]}, 3, NULL, &out) == WEFT_EINVAL && !out);
        CHECK_HAS(weft_ctx_message(ctx), want[i]);
    }
    weft_merge_params p = how(WEFT_MERGE_UNION, WEFT_DUPLICATES_COUNT);
    CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){a, weights}, 2, &p, &out) == WEFT_OK);
    weft_graph_free(out);
    p = how(WEFT_MERGE_INTERSECTION, WEFT_DUPLICATES_REFUSE);
    CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){a, a}, 2, &p, &out) == WEFT_EINVAL && !out);
    CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){weights, unsaid}, 2, NULL, &out) == WEFT_EINVAL && !out);
    CHECK_HAS(weft_ctx_message(ctx), "choose the weight that counts");
    CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){a, NULL}, 2, NULL, &out) == WEFT_EINVAL && !out);
    CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){a}, 0, NULL, &out) == WEFT_EINVAL && !out);
    p = how((weft_merge_mode)3, WEFT_DUPLICATES_DROP);
    CHECK(weft_graph_merge(ctx, (const weft_graph *const[]){a}, 1, &p, &out) == WEFT_EINVAL && !out);
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(names);
    weft_graph_free(weights);
    weft_graph_free(unsaid);
    weft_ctx_free(ctx);
}

static void two_graphs(weft_ctx *ctx, weft_direction direction, weft_graph *to[2]) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = direction;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    p.scale = 12;
    p.degree = 16;
    p.max_weight = 3;
    for (p.seed = 0; p.seed < 2; p.seed++)
        if (weft_generate(ctx, "rmat", &p, &build, &to[p.seed])) exit(1);
}

/* Every edge of the first is in the difference or has its ends joined in the intersection. */
TEST(the_same_graph_on_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    uint64_t print[2][3][LENGTH(threads)];
    for (size_t i = 0; i < LENGTH(threads); i++) {
        weft_ctx *ctx = new_ctx(threads[i], NULL);
        for (int k = 0; k < 2; k++) {
            weft_graph *g[2], *made[3];
            two_graphs(ctx, k ? WEFT_UNDIRECTED : WEFT_DIRECTED, g);
            for (int mode = 0; mode < 3; mode++) {
                weft_merge_params p = how((weft_merge_mode)mode, WEFT_DUPLICATES_SUM);
                REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const *)g, 2, &p, &made[mode]));
                print[k][mode][i] = fingerprint_of(ctx, made[mode]);
                CHECK_U64(print[k][mode][i], print[k][mode][0]);
            }
            weft_merge_params p = how(WEFT_MERGE_UNION, WEFT_DUPLICATES_SUM);
            weft_graph *alone;
            REQUIRE(!weft_graph_merge(ctx, (const weft_graph *const *)g, 1, &p, &alone));
            CHECK_U64(weft_graph_edges(made[1]) + weft_graph_edges(made[2]), weft_graph_edges(alone));
            weft_graph_free(alone);
            for (int mode = 0; mode < 3; mode++) weft_graph_free(made[mode]);
            for (int j = 0; j < 2; j++) weft_graph_free(g[j]);
        }
        weft_ctx_free(ctx);
    }
}

TEST(memory_that_is_not_there_is_said) {
    weft_ctx *ctx = new_ctx(1, NULL);
    counting heap = {.allowed = COUNT_ONLY};
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_graph *a = read_as(ctx, "a b 3\nb c 4\n", WEFT_DIRECTED), *b = read_as(ctx, "a b 2\nc d 1\n", WEFT_DIRECTED),
               *c = NULL;
    REQUIRE(a && b && !weft_graph_relabel(ctx, b, (const weft_vid[]){3, 2, 1, 0}, &c));
    for (int mode = 0; mode < 3; mode++) {
        weft_merge_params p = how((weft_merge_mode)mode, WEFT_DUPLICATES_MEAN);
        uint64_t failed = 0;
        for (weft_status st = WEFT_ENOMEM; st == WEFT_ENOMEM; failed++) {
            weft_graph *out;
            uint64_t blocks = heap.live_blocks;
            heap.allowed = atomic_load(&heap.calls) + failed;
            st = weft_graph_merge(ctx, (const weft_graph *const[]){a, c}, 2, &p, &out);
            heap.allowed = COUNT_ONLY;
            CHECK(st == WEFT_ENOMEM ? !out && heap.live_blocks == blocks : st == WEFT_OK);
            weft_graph_free(out);
        }
        CHECK(failed > 25);
    }
    weft_graph_free(a);
    weft_graph_free(b);
    weft_graph_free(c);
    weft_ctx_free(ctx);
}

TEST(a_request_to_stop_is_heard) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g[2];
    two_graphs(ctx, WEFT_DIRECTED, g);
    for (int mode = 0; mode < 3; mode++) {
        weft_merge_params p = how((weft_merge_mode)mode, WEFT_DUPLICATES_SUM);
        int stopped = 0;
        for (int after = 0; after < 100000; after = after * 2 + 1) {
            weft_graph *out;
            _Atomic int calls = after;
            weft_ctx_set_cancel(ctx, stop_after, (void *)&calls);
            weft_status st = weft_graph_merge(ctx, (const weft_graph *const *)g, 2, &p, &out);
            CHECK(st == WEFT_OK ? out != NULL : st == WEFT_ECANCELLED && !out);
            stopped += st == WEFT_ECANCELLED;
            weft_graph_free(out);
            if (!st) break;
        }
        CHECK(stopped > 2);
    }
    weft_ctx_set_cancel(ctx, NULL, NULL);
    weft_graph_free(g[0]);
    weft_graph_free(g[1]);
    weft_ctx_free(ctx);
}

TEST_MAIN()
