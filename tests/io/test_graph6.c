/* graph6, sparse6, digraph6: golden files, bad files with the character of their fault, the examples of the description. */
#include "format_support.h"
#include "io/io.h"

static const golden_file golden[] = {
    {"path.g6", "undirected none [0 1 2 3 4] 0-1 1-2 2-3 3-4", 4, NULL},
    {"header.g6", "undirected none [0 1 2 3] 0-1 0-3 1-2 2-3", 4, NULL},
    {"header.txt", "undirected none [0 1 2 3] 0-1 0-3 1-2 2-3", 4, NULL},
    {"no_vertices.g6", "undirected none []", 0, NULL},
    {"one_vertex.g6", "undirected none [0]", 0, NULL},
    {"no_edges.g6", "undirected none [0 1 2]", 0, NULL},
    {"sixty_three.g6", NULL, 62, NULL},
    {"no_newline.g6", "undirected none [0 1 2] 0-1 0-2 1-2", 3, NULL},
    {"crlf.g6", "undirected none [0 1 2] 0-1 0-2 1-2", 3, NULL},
    {"two_graphs.g6", "undirected none [0 1 2] 0-1 1-2", 2, "more than one graph"},
    {"sparse.s6", "undirected none [0 1 2 3 4 5 6] 0-1 0-2 1-2 5-6", 4, NULL},
    {"sparse_header.txt", "undirected none [0 1 2 3 4 5 6] 0-1 0-2 1-2 5-6", 4, NULL},
    {"sparse_in_g6.g6", "undirected none [0 1 2 3 4 5 6] 0-1 0-2 1-2 5-6", 4, NULL},
    {"sparse_empty.s6", "undirected none [0 1 2 3 4]", 0, NULL},
    {"loops.s6", "undirected none [0 1 2 3] 0-0 1-2 2-2", 3, NULL},
    {"padding.s6", "undirected none [0 1] 0-0", 1, NULL},
    {"parallel.s6", "undirected none [0 1 2] 0-1 1-2", 3, NULL},
    {"one_vertex_loop.s6", "undirected none [0] 0-0", 1, NULL},
    {"directed.d6", "directed none [0 1 2 3 4] 0>2 0>4 3>1 3>4", 4, NULL},
    {"directed_loop.d6", "directed none [0 1 2] 0>0 1>0 2>1", 3, NULL},
};

/* A star of 63 vertices is the smallest whose number takes four characters. */
static const char *star_text(char *to, size_t room) {
    to[0] = 0;
    append(to, room, "undirected none [0");
    for (int i = 1; i < 63; i++) append(to, room, " %d", i);
    append(to, room, "]");
    for (int i = 1; i < 63; i++) append(to, room, " 0-%d", i);
    return to;
}

TEST(golden_files_are_read_as_they_say) {
    golden_file files[LENGTH(golden)];
    char star[2048];
    for (size_t i = 0; i < LENGTH(golden); i++) {
        files[i] = golden[i];
        if (!files[i].graph) files[i].graph = star_text(star, sizeof star);
    }
    check_golden_files("graph6", files, LENGTH(files));
}

static const bad_file bad[] = {
    {"empty.g6", "1:1", "there is no graph in this file", 0},
    {"header_only.g6", "2:1", "there is no graph in this file", 0},
    {"short.g6", "1:1", "5 vertices needs 2 more characters, but there are 1", 0},
    {"long.g6", "1:1", "5 vertices needs 2 more characters, but there are 3", 0},
    {"byte_low.g6", "1:3", "a byte of value 33", 0},
    {"byte_high.g6", "1:3", "a byte of value 255", 0},
    {"blank_within.g6", "1:2", "a byte of value 32", 0},
    {"padding_set.g6", "1:2", "bits are set after the last pair", 0},
    {"size_cut.g6", "1:4", "ends within the number of vertices", 0},
    {"size_cut_long.g6", "1:8", "ends within the number of vertices", 0},
    {"size_huge.g6", "1:1", "68719476735 vertices are more than 2^32-2", 0},
    {"size_lies.g6", "1:1", "16777215 vertices needs 23456243864918 more characters", 0},
    {"header_differs.g6", "1:11", "the header says >>graph6<<", 0},
    {"incremental.s6", "1:1", "incremental sparse6", 0},
    {"beyond.s6", "1:3", "the edges run beyond vertex 2", 0},
    {"too_empty.s6", "1:2", "too sparse to be read as a graph", 0},
    {"digraph_short.d6", "1:2", "5 vertices needs 5 more characters, but there are 4", 0},
    {"not_graph6.g6", "1:1", "a byte of value 49", 0},
};

TEST(bad_files_are_refused_at_their_fault) { check_bad_files("graph6", bad, LENGTH(bad)); }

TEST(the_examples_of_the_description) {
    weft_read_params p = reading("graph6");
    check_read("DQc", &p, "undirected none [0 1 2 3 4] 0-2 0-4 1-3 3-4");
    check_read(":Fa@x^", &p, "undirected none [0 1 2 3 4 5 6] 0-1 0-2 1-2 5-6");
    check_read("&DI?AO?", &p, "directed none [0 1 2 3 4] 0>2 0>4 3>1 3>4");
}

TEST(direction_can_be_asked_for) {
    weft_read_params p = reading("graph6");
    p.direction = WEFT_DIRECTED;
    check_read("Bw", &p, "directed none [0 1 2] 0>1 0>2 1>0 1>2 2>0 2>1");
    check_read(":CEI", &p, "directed none [0 1 2 3] 0>0 1>2 2>1 2>2");
    p.direction = WEFT_UNDIRECTED;
    check_read("&DI?AO?", &p, "undirected none [0 1 2 3 4] 0-2 0-4 1-3 3-4");
}

TEST(there_are_no_weights) {
    weft_read_params p = reading("graph6");
    p.weights = WEFT_WEIGHTS_REQUIRE;
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!read_text(ctx, "DQc", &p));
    CHECK_HAS(weft_ctx_message(ctx), "text:1:1: no weights here");
    weft_ctx_free(ctx);
}

static int sniff(const char *text, const char *name) {
    return wfi_format_sure(wfi_format_named("graph6"), text, strlen(text), name);
}

TEST(a_header_or_the_name_is_needed) {
    CHECK_I64(sniff(">>graph6<<DQc\n", "x.txt"), 3);
    CHECK_I64(sniff(">>sparse6<<:Fa@x^\n", "x"), 3);
    CHECK_I64(sniff(">>digraph6<<&DI?AO?\n", "x"), 3);
    CHECK_I64(sniff("DQc\n", "x.g6"), 2);
    CHECK_I64(sniff(":Fa@x^\n", "x.s6"), 2);
    CHECK_I64(sniff("DQc\n", "x.txt"), 0);
    CHECK_I64(sniff(":Fa@x^\n", "x"), 0);
    CHECK_I64(sniff("", "x"), 0);
}

/* Written here by the definition, read back bit by bit. */
TEST(random_matrices_come_back) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        dice d = {seed, 0};
        unsigned n = (unsigned)roll(&d, 90);
        char *text = malloc(n * n / 6 + 64), *want = malloc(64 + 12 * n * n);
        REQUIRE(text && want);
        size_t used = 0, room = 64 + 12 * n * n, wrote = 0;
        text[used++] = '&';
        if (n > 62) {
            text[used++] = 126;
            text[used++] = 63;
            text[used++] = (char)(63 + (n >> 6));
            text[used++] = (char)(63 + (n & 63));
        } else {
            text[used++] = (char)(63 + n);
        }
        for (unsigned i = 0; i < n * n; i++) {
            if (i % 6 == 0) text[used++] = 63;
            if (roll(&d, 3)) continue;
            text[used - 1] = (char)(63 + ((text[used - 1] - 63) | 1 << (5 - i % 6)));
            wrote += (size_t)snprintf(want + wrote, room - wrote, " %u>%u", i / n, i % n);
        }
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_read_params p = reading("graph6");
        weft_graph *g = NULL;
        CHECK(!weft_read_memory(ctx, text, used, "made.d6", &p, &g));
        if (g) {
            char *shown = malloc(room + 12 * n + 64);
            REQUIRE(shown != NULL);
            want[wrote] = 0;
            graph_text(g, shown, room + 12 * n + 64);
            CHECK_TEXT(strchr(shown, ']') + 1, want);
            free(shown);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
        free(text);
        free(want);
    }
}

TEST_MAIN()
