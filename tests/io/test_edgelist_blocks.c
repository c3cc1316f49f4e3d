/* Edge lists larger than any block: the same graph with any number of threads, nothing lost where blocks meet, and what is
 * a property of the file, not of the block it is seen in. */
#include "support.h"

enum { LINES = 500000 };

/* Lines of very different lengths, comments and blank lines among them, so that cuts fall everywhere. */
static char *long_text(size_t *bytes, int style) {
    char *text = malloc((size_t)LINES * 64);
    if (!text) exit(1);
    size_t used = 0;
    for (uint64_t i = 0; i < LINES; i++) {
        uint64_t r = random_at(3, i), u = r % 50000, v = (r >> 20) % 50000;
        if (r >> 60 == 0) used += (size_t)sprintf(text + used, "# %0*d\n", (int)(r >> 40 & 31), 0);
        if (r >> 60 == 1) used += (size_t)sprintf(text + used, "\r\n");
        if (style == 0)
            used += (size_t)sprintf(text + used, "%" PRIu64 " %" PRIu64 "\n", u, v);
        else if (style == 1)
            used += (size_t)sprintf(text + used, "%" PRIu64 ",%" PRIu64 ",%.3f\r\n", u, v * v * v, (double)i / 8);
        else
            used += (size_t)sprintf(text + used, "n%" PRIu64 "\tname-%" PRIu64 "\n", u, v);
    }
    text[--used] = 0; /* no final newline */
    *bytes = used;
    return text;
}

TEST(several_blocks_read_alike_with_any_number_of_threads) {
    static const int threads[] = {1, 2, 3, 7};
    for (int style = 0; style < 3; style++) {
        size_t bytes;
        char *text = long_text(&bytes, style);
        uint64_t first = 0;
        for (int t = 0; t < 4; t++) {
            weft_ctx *ctx = new_ctx(threads[t], NULL);
            weft_graph *g = NULL;
            if (weft_read_memory(ctx, text, bytes, "long", NULL, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
            REQUIRE(g != NULL);
            CHECK_U64(info_of(ctx, g).records, LINES);
            uint64_t print = fingerprint_of(ctx, g);
            if (t == 0) first = print;
            if (print != first) HARNESS_FAIL("style %d: %d threads read another graph", style, threads[t]);
            weft_graph_free(g);
            weft_ctx_free(ctx);
        }
        free(text);
    }
}

/* The same numbers through the API: what the parser made of the text is what was printed. */
TEST(several_blocks_lose_nothing) {
    size_t bytes;
    char *text = long_text(&bytes, 0);
    weft_vid *u = malloc(LINES * sizeof *u), *v = malloc(LINES * sizeof *v);
    REQUIRE(u && v);
    for (uint64_t i = 0; i < LINES; i++) {
        uint64_t r = random_at(3, i);
        u[i] = (weft_vid)(r % 50000);
        v[i] = (weft_vid)((r >> 20) % 50000);
    }
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_graph *read = NULL, *built = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.vertices = 50000;
    CHECK_U64(weft_read_memory(ctx, text, bytes, "long", &p, &read), WEFT_OK);
    CHECK_U64(weft_graph_from_edges(ctx, 50000, LINES, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &built), WEFT_OK);
    REQUIRE(read && built);
    int equal = 0;
    CHECK_U64(weft_graph_compare(ctx, read, built, &equal), WEFT_OK);
    if (!equal) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    weft_graph_free(read);
    weft_graph_free(built);
    weft_ctx_free(ctx);
    free(u);
    free(v);
    free(text);
}

/* The type of a weight is a property of the file, not of the block that it stands in. */
TEST(one_decimal_at_the_end_makes_all_weights_decimal) {
    char *text = malloc((size_t)LINES * 24);
    REQUIRE(text != NULL);
    size_t used = 0;
    for (int i = 0; i < LINES; i++) used += (size_t)sprintf(text + used, "%d %d %d\n", i % 1000, i / 1000, i % 10);
    used += (size_t)sprintf(text + used, "0 1 0.5\n");
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(ctx, text, used, "long", NULL, &g), WEFT_OK);
        REQUIRE(g != NULL);
        CHECK_U64(weft_graph_weight_type(g), WEFT_WEIGHT_F32);
        weft_csr out = out_rows(g);
        weft_eid at;
        REQUIRE(weft_graph_has_arc(g, 3, 2, &at));
        CHECK_NEAR(weight_at(g, &out, at), 3, 0);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(text);
}

/* Ids stay narrow until one does not fit; that one may come late. */
TEST(one_huge_id_at_the_end_keeps_the_others) {
    char *text = malloc((size_t)LINES * 24);
    REQUIRE(text != NULL);
    size_t used = 0;
    for (int i = 0; i < LINES; i++) used += (size_t)sprintf(text + used, "%d %d\n", i % 1000, i / 1000);
    used += (size_t)sprintf(text + used, "-5 9000000000000000000\n");
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(ctx, text, used, "long", NULL, &g), WEFT_OK);
        REQUIRE(g != NULL);
        CHECK_U64(weft_graph_vertices(g), 1002);
        CHECK_U64(weft_graph_arcs(g), LINES + 1);
        CHECK_I64(weft_graph_id(g, 0), -5);
        CHECK_I64(weft_graph_id(g, 1001), 9000000000000000000);
        weft_vid u, v;
        CHECK_U64(weft_graph_find(ctx, g, "999", &u), WEFT_OK);
        CHECK_U64(weft_graph_find(ctx, g, "499", &v), WEFT_OK);
        CHECK(weft_graph_has_arc(g, u, v, NULL));
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST_MAIN()
