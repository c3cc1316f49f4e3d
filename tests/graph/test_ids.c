/* The ids of the file: text and number of a vertex, and the way back. */
#include "support.h"

static void check_there_and_back(weft_ctx *ctx, const weft_graph *g) {
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
        char text[256];
        size_t length = weft_graph_id_text(g, v, text, sizeof text);
        CHECK_U64(length, strlen(text));
        weft_vid back = WEFT_NO_VERTEX;
        CHECK_U64(weft_graph_find(ctx, g, text, &back), WEFT_OK);
        CHECK_U64(back, v);
    }
}

static void check_unknown(weft_ctx *ctx, const weft_graph *g, const char *text) {
    weft_vid v = 0;
    weft_status st = weft_graph_find(ctx, g, text, &v);
    if (st != WEFT_ENOTFOUND) HARNESS_FAIL("\"%s\" was found as vertex %u (status %d)", text, v, (int)st);
    CHECK(weft_ctx_message(ctx)[0] != 0);
}

TEST(dense_ids_are_counted_from_their_base) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "5 6\n7 8\n", NULL);
    REQUIRE(g != NULL);
    check_there_and_back(ctx, g);
    CHECK_I64(weft_graph_id(g, 0), 5);
    CHECK_I64(weft_graph_id(g, 3), 8);
    check_unknown(ctx, g, "4");
    check_unknown(ctx, g, "9");
    check_unknown(ctx, g, "-1");
    check_unknown(ctx, g, "");
    check_unknown(ctx, g, "5x");
    check_unknown(ctx, g, "alice");
    check_unknown(ctx, g, "4294967301"); /* 5 + 2^32 */
    check_unknown(ctx, g, "99999999999999999999999");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(dense_ids_end_with_the_largest_number) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "# weft edge list directed vertices 3 from 9223372036854775805\n", NULL);
    REQUIRE(g);
    CHECK_I64(weft_graph_id(g, 2), INT64_MAX);
    weft_graph_free(g);
    CHECK(!read_text(ctx, "# weft edge list directed vertices 4 from 9223372036854775805\n", NULL));
    CHECK_HAS(weft_ctx_message(ctx), "4 ids from 9223372036854775805 on do not fit in 64 bits with sign");
    weft_ctx_free(ctx);
}

TEST(sparse_ids_are_found_by_search) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "9223372036854775807 -9223372036854775808\n0 1000\n", NULL);
    REQUIRE(g != NULL);
    CHECK_U64(info_of(ctx, g).id_kind, WEFT_IDS_SPARSE);
    check_there_and_back(ctx, g);
    CHECK_I64(weft_graph_id(g, 0), INT64_MIN);
    CHECK_I64(weft_graph_id(g, 1), 0);
    CHECK_I64(weft_graph_id(g, 3), INT64_MAX);
    check_unknown(ctx, g, "1");
    check_unknown(ctx, g, "9223372036854775806");
    check_unknown(ctx, g, "9223372036854775808");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(names_are_found_by_their_bytes) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "beta alpha\nalpha Zürich\nalphabet beta\n", NULL);
    REQUIRE(g != NULL);
    CHECK_U64(info_of(ctx, g).id_kind, WEFT_IDS_STRING);
    check_there_and_back(ctx, g);
    char text[16];
    weft_graph_id_text(g, 0, text, sizeof text);
    CHECK_TEXT(text, "Zürich");
    CHECK_I64(weft_graph_id(g, 0), 0);
    CHECK_I64(weft_graph_id(g, 2), 0);
    check_unknown(ctx, g, "alph");
    check_unknown(ctx, g, "alphabets");
    check_unknown(ctx, g, "");
    check_unknown(ctx, g, "gamma");
    check_unknown(ctx, g, "AAA");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(id_text_behaves_like_snprintf) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = read_text(ctx, "abcdefgh x\n", NULL);
    REQUIRE(g != NULL);
    char text[16];
    memset(text, '#', sizeof text);
    CHECK_U64(weft_graph_id_text(g, 0, text, 4), 8);
    CHECK_TEXT(text, "abc");
    CHECK(text[4] == '#');
    CHECK_U64(weft_graph_id_text(g, 0, text, 9), 8);
    CHECK_TEXT(text, "abcdefgh");
    CHECK_U64(weft_graph_id_text(g, 0, text, 1), 8);
    CHECK_TEXT(text, "");
    CHECK_U64(weft_graph_id_text(g, 0, NULL, 0), 8);
    weft_graph_free(g);
    g = read_text(ctx, "123456 -7\n", NULL);
    REQUIRE(g != NULL);
    CHECK_U64(weft_graph_id_text(g, 1, NULL, 0), 6);
    CHECK_U64(weft_graph_id_text(g, 1, text, 3), 6);
    CHECK_TEXT(text, "12");
    CHECK_U64(weft_graph_id_text(g, 0, text, sizeof text), 2);
    CHECK_TEXT(text, "-7");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(ids_follow_their_vertices_when_relabelled) {
    static const char *const inputs[] = {"3 4\n4 5\n5 3\n3 5\n", "30 4\n4 500\n500 30\n30 500\n",
                                         "c d\nd e\ne c\nc e\n"};
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int i = 0; i < 3; i++) {
        weft_graph *g = read_text(ctx, inputs[i], NULL), *h = NULL;
        REQUIRE(g != NULL);
        weft_vid order[] = {2, 0, 1};
        REQUIRE(weft_graph_relabel(ctx, g, order, &h) == WEFT_OK);
        for (weft_vid k = 0; k < 3; k++) {
            char before[32], after[32];
            weft_graph_id_text(g, order[k], before, sizeof before);
            weft_graph_id_text(h, k, after, sizeof after);
            CHECK_TEXT(after, before);
        }
        check_there_and_back(ctx, h);
        check_unknown(ctx, h, "nobody");
        weft_graph_free(g);
        weft_graph_free(h);
    }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* Names from several threads' tables are merged into one order. */
TEST(many_names_are_numbered_in_byte_order) {
    enum { NAMES = 200000 };
    char *text = malloc((size_t)NAMES * 40);
    REQUIRE(text != NULL);
    size_t used = 0;
    for (uint64_t i = 0; i < NAMES; i++)
        used += (size_t)sprintf(text + used, "user-%" PRIx64 " u%" PRIu64 "\n", random_at(9, i) % 40000,
                                random_at(10, i) % 40000);
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        REQUIRE(weft_read_memory(ctx, text, used, "names", NULL, &g) == WEFT_OK);
        char a[64] = "", b[64];
        bool ascending = true;
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) {
            weft_graph_id_text(g, v, b, sizeof b);
            ascending = ascending && strcmp(a, b) < 0;
            memcpy(a, b, sizeof a);
        }
        CHECK(ascending);
        weft_vid u, v;
        char name[64];
        for (uint64_t i = 0; i < NAMES; i += 997) {
            snprintf(name, sizeof name, "user-%" PRIx64, random_at(9, i) % 40000);
            REQUIRE(weft_graph_find(ctx, g, name, &u) == WEFT_OK);
            snprintf(name, sizeof name, "u%" PRIu64, random_at(10, i) % 40000);
            REQUIRE(weft_graph_find(ctx, g, name, &v) == WEFT_OK);
            CHECK(weft_graph_has_arc(g, u, v, NULL));
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST_MAIN()
