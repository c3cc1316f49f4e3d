/* Edge lists that are doubted: weights that lose digits, headers that ask for too much, and texts that may be something
 * else, or only look like it. */
#include "support.h"

/* Of whole weights beside a decimal one, wherever it stands and however large they are. */
TEST(whole_weights_that_are_rounded_are_counted) {
    static const struct {
        const char *text, *warning;
    } cases[] = {
        {"1 2 16777217\n1 3 0.5\n", "1 integer weight"},
        {"1 3 0.5\n1 2 16777217\n", "1 integer weight"},
        {"1 2 4294967297\n1 3 99999999999\n1 4 4294967296\n", "2 integer weights"},
        {"1 2 -16777217\n1 3 -16777216\n", "1 integer weight"},
        {"1 2 123456789012345678901234567890\n", "1 integer weight"},
        {"1 2 16777217\n1 3 4294967295\n", ""},
        {"1 2 0.1\n1 3 16777216\n1 4 -1\n1 5 1.1e20\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        warnings w;
        weft_ctx *ctx = new_ctx(1, &w);
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.weight_col = "3"; /* large numbers alone are taken for times */
        weft_graph *g = read_text(ctx, cases[i].text, &p);
        REQUIRE(g != NULL);
        CHECK_U64(w.count, *cases[i].warning != 0);
        if (!strstr(w.text, cases[i].warning)) HARNESS_FAIL("%s gives \"%s\"", cases[i].text, w.text);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* A header of a few bytes must not ask for gigabytes: the memory would be taken before anything could be doubted. */
TEST(a_header_with_far_more_vertices_than_edges_is_doubted) {
    static const char text[] = "# weft edge list undirected vertices 100000000 from 0\n0 1\n";
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK_U64(weft_ctx_set_memory_limit(ctx, 64 << 20), WEFT_OK);
    weft_graph *g = NULL;
    CHECK_U64(weft_read_memory(ctx, text, sizeof text - 1, "text", NULL, &g), WEFT_EINPUT);
    CHECK(strstr(weft_ctx_message(ctx), "100000000 vertices") != NULL);
    CHECK(strstr(weft_ctx_message(ctx), "`vertices=N`") != NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(counted_vertices_have_no_names) {
    weft_read_params params = WEFT_READ_DEFAULTS;
    params.vertices = 5;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "1 2\nada bob\n", &params);
    CHECK(g == NULL);
    CHECK(strstr(weft_ctx_message(ctx), "text:2:1: 'ada'") != NULL);
    params.ids = WEFT_READ_IDS_STRING;
    CHECK_U64(weft_read_memory(ctx, "1 2\n", 4, "text", &params, &g), WEFT_EINVAL);
    static const char numbers[] = "# weft edge list directed vertices 3 from 0\n0 2\n";
    static const char names[] = "# weft edge list directed vertices 3 from 0\na b\n";
    params.vertices = 0;
    CHECK_U64(weft_read_memory(ctx, numbers, sizeof numbers - 1, "text", &params, &g), WEFT_EINVAL);
    CHECK_U64(weft_read_memory(ctx, names, sizeof names - 1, "text", NULL, &g), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "numbers from 0 on");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Nearly any text would pass for an edge list of names. */
TEST(files_of_other_kinds_are_called_by_their_name) {
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"graph { a -- b; }\n", "DOT"},
        {"strict digraph \"G\" {\n a -> b\n}\n", "DOT"},
        {"<!DOCTYPE html>\n<html> <body>404 not found\n", "web page"},
        {"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<svg> </svg>\n", "XML"},
        {"BZh91AY&SY 1\n", "bzip2"},
        {"PK\x03\x04 x\n", "zip"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(ctx, cases[i].text, strlen(cases[i].text), "text", NULL, &g), WEFT_EUNSUPPORTED);
        if (!strstr(weft_ctx_message(ctx), cases[i].name))
            HARNESS_FAIL("%s: \"%s\"", cases[i].name, weft_ctx_message(ctx));
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(words_that_only_begin_like_other_kinds_are_names) {
    static const char *const texts[] = {
        "graph paper\npaper graph\n", "strict graph\n", "[a] [b]\n", "{a} {b}\n", "BZh9 x\n", "PK 5\n", "a \"->\"\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = read_text(ctx, texts[i], NULL);
        if (!g) HARNESS_FAIL("%s: %s", texts[i], weft_ctx_message(ctx));
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* What the caller says of lines that begin with # or % holds below a header, too, and without one. */
TEST(comments_are_what_the_caller_says) {
    static const struct {
        const char *text;
        weft_comment_use use;
        const char *want;
    } cases[] = {
        {"source,target\n1,2\n# a remark, here\n2,3\n", WEFT_COMMENTS_YES, "directed none [1 2 3] 1>2 2>3"},
        {"source,target\n#1,2\n%x\n2,3\n", WEFT_COMMENTS_YES, "directed none [2 3] 2>3"},
        {"source,target\na,b\n# c,d\n", WEFT_COMMENTS_NO, "directed none [# c a b d] # c>d a>b"},
        {"#love\tann\n#happy\tann\nbob\tann\n", WEFT_COMMENTS_NO,
         "directed none [#happy #love ann bob] #happy>ann #love>ann bob>ann"},
        {"#love\tann\n#happy\tann\nbob\tann\n", WEFT_COMMENTS_YES, "directed none [ann bob] bob>ann"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_ctx *ctx = new_ctx(2, NULL);
        char text[256];
        p.comments = cases[i].use;
        weft_graph *g = read_text(ctx, cases[i].text, &p);
        if (g)
            CHECK_TEXT(graph_text(g, text, sizeof text), cases[i].want);
        else
            HARNESS_FAIL("%s: %s", cases[i].text, weft_ctx_message(ctx));
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Behind the part of the file that is looked at first. */
TEST(lines_far_below_a_header_are_asked_about) {
    enum { ROWS = 20000 };
    char *text = malloc(16 * ROWS);
    REQUIRE(text);
    size_t used = (size_t)sprintf(text, "source,target\n");
    for (int i = 0; i < ROWS; i++) used += (size_t)sprintf(text + used, "%d,%d\n", i, i + 1);
    sprintf(text + used, "# a remark, here\n");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, text, NULL);
    CHECK(!g);
    CHECK_HAS(weft_ctx_message(ctx), "text:20002:1: a line that begins with # below the header");
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(text);
}

TEST(arrows_are_not_names) {
    weft_ctx *ctx = new_ctx(1, NULL);
    char text[256];
    weft_graph *g = read_text(ctx, "# c\n1 -> 2\n2->3\n", NULL);
    REQUIRE(g != NULL);
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 3] 1>2 2>3");
    weft_graph_free(g);
    static const char *const refused[] = {"# c\n1 -> 2 0.5\n", "# c\n1 -- 2\n", "# c\n1 <- 2\n2 <- 3\n", "# c\n1 -> 2 -> 3\n"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(read_text(ctx, refused[i], NULL) == NULL);
        CHECK_HAS(weft_ctx_message(ctx), "text:2:3: an arrow");
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
