/* Parallel edges: what becomes of their weights by each rule, what is remembered where nobody chose one, and who is refused then. */
#include "support.h"
#include "weft/betweenness.h"
#include "weft/closeness.h"
#include "weft/degree.h"
#include "weft/distances.h"
#include "weft/harmonic.h"
#include "weft/pagerank.h"
#include "weft/path.h"
#include "weft/sssp.h"
#include "weft/subgraph.h"

#include <string.h>

static weft_read_params rule(weft_duplicates duplicates, weft_direction direction) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.duplicates = duplicates;
    p.direction = direction;
    return p;
}

static const char payments[] = "from,to,weight\nann,ben,10.5\nann,ben,2\nann,ben,4\nben,cid,1\n";

TEST(each_rule_makes_its_weight) {
    static const struct {
        const char *text;
        weft_duplicates duplicates;
        weft_direction direction;
        const char *graph;
    } cases[] = {
        {payments, WEFT_DUPLICATES_DROP, WEFT_DIRECTED, "directed f32 [ann ben cid] ann>ben:2 ben>cid:1"},
        {payments, WEFT_DUPLICATES_MIN, WEFT_DIRECTED, "directed f32 [ann ben cid] ann>ben:2 ben>cid:1"},
        {payments, WEFT_DUPLICATES_MAX, WEFT_DIRECTED, "directed f32 [ann ben cid] ann>ben:10.5 ben>cid:1"},
        {payments, WEFT_DUPLICATES_MEAN, WEFT_DIRECTED, "directed f64 [ann ben cid] ann>ben:5.5 ben>cid:1"},
        {payments, WEFT_DUPLICATES_SUM, WEFT_DIRECTED, "directed f32 [ann ben cid] ann>ben:16.5 ben>cid:1"},
        {payments, WEFT_DUPLICATES_COUNT, WEFT_DIRECTED, "directed u32 [ann ben cid] ann>ben:3 ben>cid:1"},
        {"1 2\n1 2\n2 3\n", WEFT_DUPLICATES_COUNT, WEFT_DIRECTED, "directed u32 [1 2 3] 1>2:2 2>3:1"},
        {"1 2\n2 1\n2 3\n3 3\n", WEFT_DUPLICATES_COUNT, WEFT_UNDIRECTED, "undirected u32 [1 2 3] 1-2:2 2-3:1 3-3:1"},
        {"1 2\n1 2\n2 3\n", WEFT_DUPLICATES_MEAN, WEFT_DIRECTED, "directed none [1 2 3] 1>2 2>3"},
        {"1 2 3\n1 2 4\n", WEFT_DUPLICATES_MEAN, WEFT_DIRECTED, "directed f64 [1 2] 1>2:3.5"},
        {"1 2 3\n2 1 5\n", WEFT_DUPLICATES_MAX, WEFT_UNDIRECTED, "undirected u32 [1 2] 1-2:5"},
        {"1 2 3\n2 3 5\n", WEFT_DUPLICATES_REFUSE, WEFT_DIRECTED, "directed u32 [1 2 3] 1>2:3 2>3:5"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (int threads = 1; threads < 4; threads += 2) {
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_read_params p = rule(cases[i].duplicates, cases[i].direction);
            char shown[256];
            weft_graph *g = read_text(ctx, cases[i].text, &p);
            if (strcmp(graph_text(g, shown, sizeof shown), cases[i].graph))
                HARNESS_FAIL("case %zu: read as \"%s\", expected \"%s\"", i, shown, cases[i].graph);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
}

TEST(what_nobody_chose_is_remembered) {
    static const struct {
        const char *text;
        weft_duplicates duplicates;
        weft_direction direction;
        uint64_t parallel, opposite;
        const char *note; /* NULL: none */
    } cases[] = {
        {payments, WEFT_DUPLICATES_DROP, WEFT_DIRECTED, 1, 0,
         "1 pair of vertices has parallel edges with different weights (the first from ann to ben: 10.5, 2, 4)"},
        {payments, WEFT_DUPLICATES_MIN, WEFT_DIRECTED, 0, 0, NULL},
        {"1 2 5\n1 2 5\n", WEFT_DUPLICATES_DROP, WEFT_DIRECTED, 0, 0, NULL},
        {"3 4 1\n1 2 5\n3 4 2\n1 2 7\n", WEFT_DUPLICATES_DROP, WEFT_DIRECTED, 2, 0,
         "2 pairs of vertices have parallel edges with different "
         "weights (the first from 1 to 2: 5, 7)"},
        {"1 2 5\n2 1 7\n", WEFT_DUPLICATES_DROP, WEFT_DIRECTED, 0, 0, NULL},
        {"1 2 5\n2 1 7\n", WEFT_DUPLICATES_DROP, WEFT_UNDIRECTED, 0, 1,
         "1 edge is listed in both directions with different weights (the first between 1 and 2: 5, 7)"},
        {"1 2 5\n2 1 5\n", WEFT_DUPLICATES_DROP, WEFT_UNDIRECTED, 0, 0, NULL},
        {"1 2 5\n1 2 7\n2 1 5\n2 1 7\n", WEFT_DUPLICATES_DROP, WEFT_UNDIRECTED, 1, 0,
         "(the first between 1 and 2: 5, 7, 5, 7)"},
        {"2 1 5\n2 1 7\n1 2 5\n3 3 1\n3 3 2\n", WEFT_DUPLICATES_DROP, WEFT_UNDIRECTED, 2, 1,
         "; 1 edge is listed in both directions"},
        {"1 2 1\n1 2 2\n1 2 3\n1 2 4\n1 2 5\n", WEFT_DUPLICATES_DROP, WEFT_DIRECTED, 1, 0, "1 to 2: 1, 2, 3, 4, ...)"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(3, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_read_params p = rule(cases[i].duplicates, cases[i].direction);
        weft_graph *g = read_text(ctx, cases[i].text, &p);
        weft_graph_info info = info_of(ctx, g);
        bool noted = strstr(notes.text, "the smallest was kept (`duplicates` decides)") != NULL;
        if (info.weights_merged != cases[i].parallel || info.opposite_weights_merged != cases[i].opposite)
            HARNESS_FAIL("case %zu: %" PRIu64 " and %" PRIu64 " merged", i, info.weights_merged,
                         info.opposite_weights_merged);
        if (noted != (cases[i].note != NULL) || (noted && !strstr(notes.text, cases[i].note)))
            HARNESS_FAIL("case %zu: the note is %s", i, notes.text);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* The lines of the first pair, where its file can be read a second time; NULL: none are named. */
TEST(a_file_that_can_be_read_again_has_lines) {
    static const struct {
        const char *name, *text, *words;
        weft_direction direction;
    } cases[] = {
        {"pay.csv", payments, "(the first from ann to ben, lines 2 and 3: 10.5, 2, 4)", WEFT_DIRECTED},
        {"ids.csv", "id,from,to,weight\n1,7,8,1\n2,7,9,3\n#7,7,9,1\n7,9,7,4\n8,\"7\", 9 ,5\n",
         "(the first from 7 to 9, lines 3 and 4: 3, 1, 5)", WEFT_DIRECTED},
        {"news.csv", "from,to,what,weight\na,b,\"two\nlines\",1\nb,c,,2\na,b,,3\n",
         "(the first from a to b, lines 2 and 5: 1, 3)", WEFT_DIRECTED},
        {"list.txt", "# u v w\n3 4 1\n1 2 5\n\n3 4 2\n12 2 1\n2 1 7\n1 2 6",
         "(the first between 1 and 2, lines 3 and 8: 5, 7, 6); 1 edge is listed in both directions with different "
         "weights (the first between 1 and 2, lines 3 and 7: 5, 7, 6)",
         WEFT_UNDIRECTED},
        {"ways.txt", "2 1 7\n2 1 7\n1 2 5\n2 1 6",
         "listed in both directions with different weights (the first between 1 and 2, "
         "lines 1 and 3: 7, 7, 5, 6)",
         WEFT_UNDIRECTED},
        {"g.mtx", "%%MatrixMarket matrix coordinate real general\n% ids: 5 6\n2 2 3\n1 2 5\n2 1 1\n1 2 6\n",
         "lines 4 and 6: 5, 6)", WEFT_DIRECTED},
        {"g.gr", "c 1 2 3\np sp 2 3\na 1 2 5\nc 1 2\na 2 1 5\na 1 2 4\n",
         "(the first from 1 to 2, lines 3 and 6: 5, 4)", WEFT_DIRECTED},
        {"tuples.txt", "(1, 2, 3)\n(1, 2, 4)\n", "(the first from 1 to 2: 3, 4)", WEFT_DIRECTED},
    };
    char folder[256], file[512];
    REQUIRE(make_temp(folder, sizeof folder));
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (int threads = 1; threads < 4; threads += 2) {
            warnings notes = {0, ""};
            weft_ctx *ctx = new_ctx(threads, NULL);
            weft_graph *g = NULL;
            weft_ctx_set_note(ctx, note_warning, &notes);
            weft_read_params p = rule(WEFT_DUPLICATES_DROP, cases[i].direction);
            snprintf(file, sizeof file, "%s/%s", folder, cases[i].name);
            REQUIRE(write_file(file, cases[i].text, strlen(cases[i].text)));
            CHECK(!weft_read(ctx, file, &p, &g));
            CHECK_HAS(notes.text, cases[i].words);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
    remove_temp(folder);
}

/* A block has a megabyte. */
TEST(lines_are_counted_over_blocks) {
    enum { LINES = 400000, LONGEST = 12 };
    char folder[256], file[512], *text = malloc(LINES * LONGEST), *end = text;
    warnings notes = {0, ""};
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_read_params p = rule(WEFT_DUPLICATES_DROP, WEFT_DIRECTED);
    weft_graph *g = NULL;
    REQUIRE(text && make_temp(folder, sizeof folder));
    for (int i = 1; i <= LINES; i++) end += sprintf(end, i == 199999 || i == 350000 ? "5 7 %d\n" : "%d 7 1\n", i);
    snprintf(file, sizeof file, "%s/g.txt", folder);
    REQUIRE(write_file(file, text, strlen(text)));
    weft_ctx_set_note(ctx, note_warning, &notes);
    CHECK(!weft_read(ctx, file, &p, &g));
    CHECK_HAS(notes.text, "(the first from 5 to 7, lines 5 and 199999: 1, 199999");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    remove_temp(folder);
    free(text);
}

/* Shortest paths take the smallest of parallel weights: ann to ben 2, ben to cid 1. */
static void check_searches(weft_ctx *ctx, const weft_graph *g) {
    weft_betweenness_params betweenness = WEFT_BETWEENNESS_DEFAULTS;
    weft_closeness_params closeness = WEFT_CLOSENESS_DEFAULTS;
    weft_harmonic_params harmonic = WEFT_HARMONIC_DEFAULTS;
    weft_distances_params distances = WEFT_DISTANCES_DEFAULTS;
    weft_result *r = NULL;
    betweenness.weights = closeness.weights = harmonic.weights = distances.weights = 1;
    REQUIRE(!weft_betweenness(ctx, g, &betweenness, &r));
    CHECK_NEAR(weft_result_f64(r, "betweenness")[1], 1, 0);
    weft_result_free(r);
    REQUIRE(!weft_closeness(ctx, g, &closeness, &r));
    CHECK_NEAR(weft_result_f64(r, "closeness")[2], 2 / (3.0 + 1), 0);
    weft_result_free(r);
    REQUIRE(!weft_harmonic(ctx, g, &harmonic, &r));
    CHECK_NEAR(weft_result_f64(r, "harmonic")[2], 1 / 3.0 + 1, 1e-15);
    weft_result_free(r);
    REQUIRE(!weft_distances(ctx, g, &distances, &r));
    CHECK_NEAR(weft_result_f64(r, "weighted_eccentricity")[0], 3, 0);
    weft_result_free(r);
}

/* Of a graph with a question, or without it where `chosen`. */
static void check_uses(bool chosen) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = rule(chosen ? WEFT_DUPLICATES_MIN : WEFT_DUPLICATES_DROP, WEFT_DIRECTED);
    weft_graph *g = read_text(ctx, payments, &p), *part = NULL;
    weft_status refused = chosen ? WEFT_OK : WEFT_EINVAL;
    weft_result *r = NULL;
    weft_degree_params degree = WEFT_DEGREE_DEFAULTS;
    weft_pagerank_params pagerank = WEFT_PAGERANK_DEFAULTS;
    weft_sssp_params sssp = WEFT_SSSP_DEFAULTS;
    weft_path_params path = WEFT_PATH_DEFAULTS;
    weft_subgraph_params sub = WEFT_SUBGRAPH_DEFAULTS;
    char folder[256], file[512];
    CHECK(!weft_degree(ctx, g, &degree, &r));
    weft_result_free(r);
    CHECK(!weft_pagerank(ctx, g, &pagerank, &r));
    weft_result_free(r);
    CHECK(!weft_sssp(ctx, g, &sssp, &r));
    weft_result_free(r);
    path.weights = 1;
    CHECK(!weft_path(ctx, g, 0, 2, &path, &r));
    weft_result_free(r);
    check_searches(ctx, g);
    degree.strength = 1;
    CHECK_U64(weft_degree(ctx, g, &degree, &r), refused);
    if (!chosen)
        CHECK_HAS(weft_ctx_message(ctx),
                  "degree: 1 pair of vertices has parallel edges with different weights (the first from ann to ben: "
                  "10.5, 2, 4); choose the weight that counts: `duplicates=min|max|mean|sum|count|keep|refuse`");
    weft_result_free(r);
    pagerank.weights = 1;
    CHECK_U64(weft_pagerank(ctx, g, &pagerank, &r), refused);
    weft_result_free(r);
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(file, sizeof file, "%s/g.weft", folder);
    CHECK_U64(weft_write(ctx, g, file, NULL), refused);
    CHECK(!weft_subgraph(ctx, g, &sub, &part, NULL));
    CHECK_U64(weft_write(ctx, part, file, NULL), refused);
    CHECK(access(file, F_OK) ? !chosen : chosen);
    weft_graph_free(part);
    snprintf(file, sizeof file, "%s/g.csr", folder); /* has no weights */
    CHECK(!weft_write(ctx, g, file, NULL));
    sub.min_weight = 2;
    CHECK_U64(weft_subgraph(ctx, g, &sub, &part, NULL), refused);
    weft_graph_free(part);
    remove_temp(folder);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(where_the_answer_depends_on_it_the_graph_is_refused) { check_uses(false); }
TEST(a_choice_is_an_answer) { check_uses(true); }

TEST(refuse_refuses_all_parallel_edges) {
    static const struct {
        const char *text;
        weft_direction direction;
        const char *message;
    } cases[] = {
        {"1 2\n1 2\n", WEFT_DIRECTED, "text: 1 edge is listed more than once (the first from 1 to 2): `duplicates=min"},
        {"3 4 1\n1 2 5\n3 4 1\n1 2 7\n", WEFT_DIRECTED,
         "text: 2 edges are listed more than once (the first from 1 to 2: 5, 7)"},
        {"1 2\n2 1\n", WEFT_UNDIRECTED, "text: 1 edge is listed more than once (the first between 1 and 2)"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_ctx *ctx = new_ctx(3, NULL);
        weft_read_params p = rule(WEFT_DUPLICATES_REFUSE, cases[i].direction);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(ctx, cases[i].text, strlen(cases[i].text), "text", &p, &g), WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), cases[i].message);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(arrays_and_stored_graphs_follow_the_rules) {
    weft_ctx *ctx = new_ctx(1, NULL);
    const weft_vid from[] = {0, 0, 1}, to[] = {1, 1, 2};
    const uint32_t weights[] = {5, 7, 1};
    const weft_eid offsets[] = {0, 1, 1};
    weft_build_params rules = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL, *back = NULL;
    char shown[256], folder[256], path[512];
    REQUIRE(!weft_graph_from_edges(ctx, 3, 3, from, to, weights, WEFT_WEIGHT_U32, &rules, &g));
    CHECK_U64(info_of(ctx, g).weights_merged, 0); /* no question of arrays */
    weft_graph_free(g);
    rules.duplicates = WEFT_DUPLICATES_COUNT;
    weft_arrays rows = WEFT_ARRAYS_DEFAULTS; /* rows that could be the graph's as they are, but for the weights */
    rows.vertices = 2;
    rows.edges = 1;
    rows.offsets = offsets;
    rows.targets = to;
    rows.weights = weights;
    rows.offset_type = WEFT_U64;
    rows.id_type = rows.weight_type = WEFT_U32;
    REQUIRE(!weft_graph_from_arrays(ctx, &rows, &rules, &g));
    CHECK_TEXT(graph_text(g, shown, sizeof shown), "directed u32 [0 1] 0>1:1");
    weft_graph_free(g);
    rules.duplicates = WEFT_DUPLICATES_KEEP;
    REQUIRE(!weft_graph_from_edges(ctx, 3, 3, from, to, weights, WEFT_WEIGHT_U32, &rules, &g));
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.weft", folder);
    REQUIRE(!weft_write(ctx, g, path, NULL));
    REQUIRE(!weft_read(ctx, path, NULL, &back));
    CHECK_U64(info_of(ctx, back).weights_merged, 1);
    weft_graph_free(back);
    weft_read_params p = rule(WEFT_DUPLICATES_MEAN, WEFT_AS_FILE);
    REQUIRE(!weft_read(ctx, path, &p, &back));
    CHECK_TEXT(graph_text(back, shown, sizeof shown), "directed f64 [0 1 2] 0>1:6 1>2:1");
    weft_graph_free(back);
    remove_temp(folder);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* What is built again of a .weft file names the edge by the file's ids. */
TEST(stored_parallel_edges_are_named_by_their_ids) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = rule(WEFT_DUPLICATES_KEEP, WEFT_DIRECTED);
    weft_graph *g = read_text(ctx, "cid ann 1\nann bob 5\nann bob 7\n", &p), *back = NULL;
    warnings notes = {0, ""};
    char folder[256], path[512];
    REQUIRE(g && make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.weft", folder);
    REQUIRE(!weft_write(ctx, g, path, NULL));
    weft_ctx_set_note(ctx, note_warning, &notes);
    REQUIRE(!weft_read(ctx, path, NULL, &back));
    CHECK_HAS(notes.text, "the first from ann to bob: 5, 7");
    snprintf(path, sizeof path, "%s/g.csv", folder);
    CHECK(weft_write(ctx, back, path, NULL) == WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "g.csv: 1 pair of vertices");
    weft_graph_free(back);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(columns_that_may_be_weights_are_named_and_not_taken) {
    static const char *const names[] = {"amount", "value", "count", "score", "distance", "Length", "rating"};
    for (size_t i = 0; i < LENGTH(names); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_read_params p = WEFT_READ_DEFAULTS;
        char text[64], advice[64];
        snprintf(text, sizeof text, "from,to,%s\na,b,3\n", names[i]);
        snprintf(advice, sizeof advice, "`weight_col=%s`", names[i]);
        weft_graph *g = read_text(ctx, text, NULL);
        CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_NONE);
        CHECK_HAS(notes.text, advice);
        weft_graph_free(g);
        p.weight_col = names[i];
        g = read_text(ctx, text, &p);
        CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_U32);
        weft_graph_free(g);
        notes = (warnings){0, ""};
        p = (weft_read_params)WEFT_READ_DEFAULTS;
        p.weights = WEFT_WEIGHTS_IGNORE;
        g = read_text(ctx, text, &p);
        CHECK(!strstr(notes.text, "weight_col"));
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
