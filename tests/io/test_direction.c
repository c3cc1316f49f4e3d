/* Who says that edges have a direction, and what is said where nobody does: the signs of an undirected graph, on any number of threads. */
#include "support.h"
#include "weft/path.h"

#include <string.h>

/* Edges i -> i+1 for i below `lines`, each also the other way round where `both`, with the weight w (and `back` for the way back) if it is > 0. */
static char *chain(int lines, bool both, int w, int back) {
    char *text = malloc((size_t)lines * 64 + 1), *at = text;
    if (!text) exit(1);
    *text = 0;
    for (int i = 0; i < lines; i++) {
        at += w ? sprintf(at, "%d %d %d\n", i, i + 1, w) : sprintf(at, "%d %d\n", i, i + 1);
        if (both) at += w ? sprintf(at, "%d %d %d\n", i + 1, i, back) : sprintf(at, "%d %d\n", i + 1, i);
    }
    return text;
}

typedef struct expected {
    weft_direction_from from;
    weft_direction_doubt doubt;
    const char *warning; /* a part of the only one; NULL: none */
} expected;

static const char may_be[] =
    "may be an undirected list; `direction=undirected` reads each line both ways, `direction=directed` silences this";
static const char twice[] = "each edge is listed twice; `direction=undirected` counts it once";
static const expected nothing = {WEFT_DIRECTION_ASSUMED, WEFT_DOUBT_NONE, NULL};
static const expected ascending = {WEFT_DIRECTION_ASSUMED, WEFT_DOUBT_ASCENDING, may_be};
static const expected both_ways = {WEFT_DIRECTION_ASSUMED, WEFT_DOUBT_TWICE, twice};
static const expected by_flag = {WEFT_DIRECTION_FROM_FLAG, WEFT_DOUBT_NONE, NULL};
static const expected by_file = {WEFT_DIRECTION_FROM_FILE, WEFT_DOUBT_NONE, NULL};

static void check_text(const char *what, const char *text, const weft_read_params *params, expected want) {
    for (int threads = 1; threads < 4; threads += 2) {
        warnings w;
        weft_ctx *ctx = new_ctx(threads, &w);
        weft_graph *g = read_text(ctx, text, params);
        weft_graph_info info = info_of(ctx, g);
        if (info.direction_from != want.from || weft_graph_direction_from(g) != want.from)
            HARNESS_FAIL("%s: the direction is from %d, expected %d", what, (int)info.direction_from, (int)want.from);
        if (info.direction_doubt != want.doubt)
            HARNESS_FAIL("%s: the doubt is %d, expected %d", what, (int)info.direction_doubt, (int)want.doubt);
        if (w.count != (want.warning != NULL) || (want.warning && !strstr(w.text, want.warning)))
            HARNESS_FAIL("%s: %d warnings: %s", what, w.count, w.text);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

static void check_chain(const char *what, int lines, bool both, int w, int back, const weft_read_params *params,
                        expected want) {
    char *text = chain(lines, both, w, back);
    check_text(what, text, params, want);
    free(text);
}

TEST(a_list_without_signs_is_read_in_silence) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    check_chain("31 lines", 31, false, 0, 0, NULL, nothing);
    check_text("one line back", "1 2\n2 3\n3 1\n", NULL, nothing);
    check_chain("weights that differ", 5, true, 3, 4, NULL, nothing);
    check_text("only loops", "1 1\n2 2\n", NULL, nothing);
    check_text("no edges", "# nothing\n", NULL, (expected){WEFT_DIRECTION_ASSUMED, WEFT_DOUBT_NONE, "no edges"});
    p.vertices = 5;
    check_text("isolated vertices", "1 2\n", &p, nothing);
}

TEST(ascending_lines_may_be_undirected) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    char *text = chain(40, false, 0, 0), *more = malloc(strlen(text) + 64);
    REQUIRE(more != NULL);
    check_chain("32 lines", 32, false, 0, 0, NULL, ascending);
    check_chain("weighted", 100000, false, 7, 0, NULL, ascending);
    p.duplicates = WEFT_DUPLICATES_KEEP;
    check_chain("parallel edges kept", 32, false, 0, 0, &p, ascending);
    sprintf(more, "%s7 7\n", text);
    check_text("a loop does not ascend", more, NULL, nothing);
    p.loops = WEFT_LOOPS_DROP;
    check_text("nor does one that was dropped", more, &p, nothing);
    sprintf(more, "%s40 3\n", text);
    check_text("nor does one line of many", more, NULL, nothing);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.ordered = 1;
    check_text("an order is asked for", text, &p, (expected){WEFT_DIRECTION_ASSUMED, WEFT_DOUBT_ASCENDING, NULL});
    p.ids = WEFT_READ_IDS_STRING; /* "9" > "10" */
    p.ordered = 0;
    check_text("names ascend by bytes", text, &p, nothing);
    free(more);
    free(text);
}

TEST(edges_that_stand_twice_are_counted_twice) {
    check_text("the smallest", "a b\nb a\n", NULL, both_ways);
    check_chain("many", 100000, true, 0, 0, NULL, both_ways);
    check_chain("weighted", 40, true, 3, 3, NULL, both_ways);
    check_text("with a loop", "1 2\n2 1\n2 2\n", NULL, both_ways);
    check_text("a line again", "1 2\n2 1\n1 2\n", NULL, both_ways);
    check_text("numbers with gaps", "10 -5000000000\n-5000000000 10\n", NULL, both_ways);
    check_text("real weights", "1,2,0.5\n2,1,0.5\n", NULL, both_ways);
    char *text = chain(100000, true, 0, 0), *more = malloc(strlen(text) + 64);
    REQUIRE(more != NULL);
    sprintf(more, "%s99000 17\n", text);
    check_text("all but one", more, NULL, nothing);
    free(more);
    free(text);
}

TEST(who_says_it_is_not_asked) {
    weft_read_params directed = WEFT_READ_DEFAULTS, undirected = WEFT_READ_DEFAULTS;
    directed.direction = WEFT_DIRECTED;
    undirected.direction = WEFT_UNDIRECTED;
    check_chain("--directed", 40, false, 0, 0, &directed, by_flag);
    check_chain("--undirected", 40, true, 0, 0, &undirected, by_flag);
    check_text("SNAP", "# Directed graph: x\n1 2\n2 1\n", NULL, by_file);
    check_text("SNAP, of any graph", "# Directed graph (each unordered pair of nodes is saved once): x\n1 2\n2 1\n",
               NULL, both_ways);
    check_text("KONECT", "% asym unweighted\n1 2\n2 1\n", NULL, by_file);
    check_text("Matrix Market", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", NULL, by_file);
    check_text("a json document", "{\"links\": [{\"source\": 1, \"target\": 2}, {\"source\": 2, \"target\": 1}]}", NULL,
               both_ways);
    check_text("one that says it",
               "{\"directed\": true, \"links\": [{\"source\": 1, \"target\": 2}, {\"source\": 2, \"target\": 1}]}",
               NULL, by_file);
    check_text("and a flag against it", "# Undirected graph: x\n1 2\n2 3\n", &directed, by_flag);
}

TEST(graphs_that_come_of_others_have_their_direction) {
    warnings w;
    weft_ctx *ctx = new_ctx(1, &w);
    weft_graph *g = read_text(ctx, "1 2\n2 1\n2 3\n3 2\n", NULL), *other = NULL;
    const weft_vid order[] = {2, 0, 1};
    REQUIRE(g && !weft_graph_relabel(ctx, g, order, &other));
    CHECK_I64(weft_graph_direction_from(other), WEFT_DIRECTION_ASSUMED);
    CHECK_I64(info_of(ctx, other).direction_doubt, WEFT_DOUBT_TWICE);
    weft_graph_free(other);
    char folder[256], path[512];
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.weft", folder);
    REQUIRE(!weft_write(ctx, g, path, NULL) && !weft_read(ctx, path, NULL, &other));
    CHECK_I64(weft_graph_direction_from(other), WEFT_DIRECTION_FROM_FILE);
    weft_graph_free(other);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    REQUIRE(!weft_read(ctx, path, &p, &other));
    CHECK_I64(weft_graph_direction_from(other), WEFT_DIRECTION_FROM_FLAG);
    weft_graph_free(other);
    remove_temp(folder);
    weft_graph_free(g);
    const weft_vid ends[] = {0, 1};
    REQUIRE(!weft_graph_from_edges(ctx, 2, 1, ends, ends + 1, NULL, WEFT_WEIGHT_NONE, NULL, &g));
    CHECK_I64(weft_graph_direction_from(g), WEFT_DIRECTION_ASSUMED);
    weft_graph_free(g);
    REQUIRE(!weft_generate(ctx, "karate", NULL, NULL, &g));
    CHECK_I64(weft_graph_direction_from(g), WEFT_DIRECTION_FROM_FILE);
    weft_graph_free(g);
    CHECK_I64(w.count, 1);
    weft_ctx_free(ctx);
}

TEST(a_search_in_vain_names_the_direction) {
    warnings w, notes = {0, ""};
    weft_ctx *ctx = new_ctx(1, &w);
    weft_ctx_set_note(ctx, note_warning, &notes);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_result *r = NULL;
    for (int k = 0; k < 2; k++) {
        weft_graph *g = read_text(ctx, "1 2\n2 3\n", &p);
        CHECK(!weft_path(ctx, g, 2, 0, NULL, &r));
        weft_result_free(r);
        CHECK_I64(notes.count, 1); /* none for a direction that was asked for */
        CHECK(!weft_path(ctx, g, 0, 2, NULL, &r));
        weft_result_free(r);
        CHECK_I64(notes.count, 1);
        weft_graph_free(g);
        p.direction = WEFT_DIRECTED;
    }
    CHECK_HAS(notes.text, "`direction=undirected`");
    weft_ctx_free(ctx);
}

TEST_MAIN()
