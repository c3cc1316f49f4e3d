/* .gz and .zst: read and written through the library, recognised by content, several members one after the other, and
 * damage of every kind reported at the place where the decoded text ends. */
#include "support.h"

static const char *const extensions[] = {"gz", "zst"};

/* What every test needs: a folder and a context; `graph` is a graph of a few thousand edges. */
typedef struct bench {
    char folder[256];
    weft_ctx *ctx;
    weft_graph *graph;
} bench;

static bool set_up(bench *b, int threads, size_t edges) {
    *b = (bench){.ctx = new_ctx(threads, NULL)};
    weft_vid *u = malloc(edges * sizeof *u), *v = malloc(edges * sizeof *v);
    if (!u || !v || !make_temp(b->folder, sizeof b->folder)) exit(1);
    for (size_t i = 0; i < edges; i++) {
        u[i] = i < 1000 ? (weft_vid)i : (weft_vid)(random_at(1, i) % 1000); /* every vertex has an edge */
        v[i] = (weft_vid)(random_at(2, i) % 1000);
    }
    weft_status st = weft_graph_from_edges(b->ctx, 1000, edges, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &b->graph);
    free(u);
    free(v);
    if (st) HARNESS_FAIL("%s", weft_ctx_message(b->ctx));
    return st == WEFT_OK;
}

static void tear_down(bench *b) {
    weft_graph_free(b->graph);
    CHECK_U64(weft_ctx_memory_in_use(b->ctx), 0);
    weft_ctx_free(b->ctx);
    remove_temp(b->folder);
}

static const char *path_in(const bench *b, const char *name) {
    static char path[4][600];
    static int turn;
    char *to = path[turn++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", b->folder, name);
    return to;
}

static const char *with_ending(const char *stem, int which) {
    static char name[2][64];
    snprintf(name[which], sizeof name[which], "%s.%s", stem, extensions[which]);
    return name[which];
}

/* Text as a compressed file, by way of a graph: written by the library itself. */
static uint8_t *compressed(bench *b, const char *edges, int which, size_t *bytes) {
    weft_graph *g = read_text(b->ctx, edges, NULL);
    const char *path = path_in(b, with_ending("part.txt", which));
    if (!g || weft_write(b->ctx, g, path, NULL)) HARNESS_FAIL("%s", weft_ctx_message(b->ctx));
    weft_graph_free(g);
    return read_file(path, bytes);
}

static void check_same(bench *b, const char *path, const weft_graph *want) {
    weft_graph *g = NULL;
    if (weft_read(b->ctx, path, NULL, &g)) {
        HARNESS_FAIL("%s", weft_ctx_message(b->ctx));
        return;
    }
    int equal = 0;
    CHECK_U64(weft_graph_compare(b->ctx, want, g, &equal), WEFT_OK);
    if (!equal) HARNESS_FAIL("%s: %s", path, weft_ctx_message(b->ctx));
    weft_graph_free(g);
}

TEST(a_written_file_is_compressed_and_reads_back) {
    static const uint8_t magic[2][4] = {{0x1f, 0x8b}, {0x28, 0xb5, 0x2f, 0xfd}};
    bench b;
    REQUIRE(set_up(&b, 2, 5000));
    for (int which = 0; which < 2; which++)
        for (int level = 0; level <= 9; level += 3) {
            const char *path = path_in(&b, with_ending("graph.txt", which));
            weft_write_params p = WEFT_WRITE_DEFAULTS;
            p.level = level;
            CHECK_U64(weft_write(b.ctx, b.graph, path, &p), WEFT_OK);
            size_t bytes;
            uint8_t *data = read_file(path, &bytes);
            REQUIRE(data && bytes > 4);
            CHECK(memcmp(data, magic[which], which ? 4 : 2) == 0);
            free(data);
            check_same(&b, path, b.graph);
        }
    tear_down(&b);
}

TEST(a_level_that_does_not_exist_is_refused) {
    bench b;
    REQUIRE(set_up(&b, 1, 1000));
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    p.level = 1000;
    for (int which = 0; which < 2; which++) {
        CHECK_U64(weft_write(b.ctx, b.graph, path_in(&b, with_ending("graph.txt", which)), &p), WEFT_EINVAL);
        CHECK_HAS(weft_ctx_message(b.ctx), "level");
    }
    CHECK_U64(count_entries(b.folder), 0);
    tear_down(&b);
}

TEST(compression_is_seen_by_content) {
    bench b;
    REQUIRE(set_up(&b, 1, 3000));
    for (int which = 0; which < 2; which++) {
        const char *path = path_in(&b, with_ending("graph.txt", which));
        REQUIRE(weft_write(b.ctx, b.graph, path, NULL) == WEFT_OK);
        const char *bare = path_in(&b, "no_ending"), *wrong = path_in(&b, "wrong.csv");
        size_t bytes;
        void *data = read_file(path, &bytes);
        REQUIRE(data && write_file(bare, data, bytes) && write_file(wrong, data, bytes));
        check_same(&b, bare, b.graph);
        check_same(&b, wrong, b.graph);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(b.ctx, data, bytes, "in memory", NULL, &g), WEFT_OK);
        CHECK(g && fingerprint_of(b.ctx, g) == fingerprint_of(b.ctx, b.graph));
        weft_graph_free(g);
        free(data);
    }
    tear_down(&b);
}

TEST(plain_text_may_be_called_gz) {
    bench b;
    REQUIRE(set_up(&b, 1, 1000));
    const char *path = path_in(&b, "plain.txt.gz");
    REQUIRE(write_file(path, "0 1\n1 2\n", 8));
    weft_graph *g = NULL;
    CHECK_U64(weft_read(b.ctx, path, NULL, &g), WEFT_OK);
    if (g) CHECK_U64(weft_graph_arcs(g), 2);
    weft_graph_free(g);
    tear_down(&b);
}

TEST(members_one_after_the_other_are_one_text) {
    bench b;
    REQUIRE(set_up(&b, 1, 1000));
    for (int which = 0; which < 2; which++) {
        size_t one, two;
        uint8_t *first = compressed(&b, "1 2\n3 4\n", which, &one), *second = compressed(&b, "2 3\n4 1\n", which, &two);
        REQUIRE(first && second);
        uint8_t *both = malloc(one + two);
        REQUIRE(both != NULL);
        memcpy(both, first, one);
        memcpy(both + one, second, two);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(b.ctx, both, one + two, "both", NULL, &g), WEFT_OK);
        char text[256];
        if (g) CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 3 4] 1>2 2>3 3>4 4>1");
        weft_graph_free(g);
        free(first);
        free(second);
        free(both);
    }
    tear_down(&b);
}

TEST(zstd_frames_to_be_skipped_are_skipped) {
    static const uint8_t skip[] = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    bench b;
    REQUIRE(set_up(&b, 1, 1000));
    size_t bytes;
    uint8_t *part = compressed(&b, "1 2\n2 3\n", 1, &bytes), *all = malloc(2 * (bytes + sizeof skip));
    REQUIRE(part && all);
    memcpy(all, part, bytes);
    memcpy(all + bytes, skip, sizeof skip);
    memcpy(all + bytes + sizeof skip, part, bytes);
    weft_graph *g = NULL;
    CHECK_U64(weft_read_memory(b.ctx, all, 2 * bytes + sizeof skip, "frames", NULL, &g), WEFT_OK);
    if (g) CHECK_U64(info_of(b.ctx, g).records, 4);
    weft_graph_free(g);
    free(part);
    free(all);
    tear_down(&b);
}

TEST(several_blocks_of_compressed_text) {
    for (int threads = 1; threads <= 3; threads++) {
        bench b;
        REQUIRE(set_up(&b, threads, 800000));
        for (int which = 0; which < 2; which++) {
            const char *path = path_in(&b, with_ending("large.txt", which));
            REQUIRE(weft_write(b.ctx, b.graph, path, NULL) == WEFT_OK);
            check_same(&b, path, b.graph);
        }
        tear_down(&b);
    }
}

/* --- damage ------------------------------------------------------------------ */

/* A graph whose text is `lines` lines; cut or changed at `at`. */
static weft_status read_damaged(bench *b, const uint8_t *data, size_t bytes) {
    weft_graph *g = NULL;
    weft_status st = weft_read_memory(b->ctx, data, bytes, "damaged", NULL, &g);
    weft_graph_free(g);
    return st;
}

static void check_place(const bench *b) {
    unsigned long long line = 0, column = 0;
    const char *message = weft_ctx_message(b->ctx);
    if (sscanf(message, "damaged:%llu:%llu: ", &line, &column) != 2 || !line || !column)
        HARNESS_FAIL("\"%s\" names no line and column", message);
}

TEST(a_stream_cut_short_is_refused_wherever_it_is_cut) {
    for (int threads = 1; threads <= 2; threads++) {
        bench b;
        REQUIRE(set_up(&b, threads, 3000));
        for (int which = 0; which < 2; which++) {
            const char *path = path_in(&b, with_ending("graph.txt", which));
            REQUIRE(weft_write(b.ctx, b.graph, path, NULL) == WEFT_OK);
            size_t bytes;
            uint8_t *data = read_file(path, &bytes);
            REQUIRE(data && bytes > 64);
            for (size_t cut = 20; cut < bytes; cut += cut + 24 < bytes ? 97 : 1) {
                weft_status st = read_damaged(&b, data, cut);
                if (st != WEFT_EINPUT)
                    HARNESS_FAIL("%s cut at %zu of %zu: status %d", extensions[which], cut, bytes, (int)st);
                check_place(&b);
            }
            free(data);
        }
        tear_down(&b);
    }
}

/* Enough text that the cut falls behind whole blocks: the place must be where the decoded text ends. */
TEST(a_large_stream_cut_short_names_a_late_line) {
    bench b;
    REQUIRE(set_up(&b, 2, 900000));
    for (int which = 0; which < 2; which++) {
        const char *path = path_in(&b, with_ending("graph.txt", which));
        REQUIRE(weft_write(b.ctx, b.graph, path, NULL) == WEFT_OK);
        size_t bytes;
        uint8_t *data = read_file(path, &bytes);
        REQUIRE(data != NULL);
        CHECK_U64(read_damaged(&b, data, bytes - bytes / 8), WEFT_EINPUT);
        check_place(&b);
        unsigned long long line = 0;
        sscanf(weft_ctx_message(b.ctx), "damaged:%llu:", &line);
        if (line < weft_graph_arcs(b.graph) / 2) HARNESS_FAIL("too early: %s", weft_ctx_message(b.ctx));
        free(data);
    }
    tear_down(&b);
}

TEST(a_wrong_checksum_or_length_is_refused) {
    bench b;
    REQUIRE(set_up(&b, 1, 3000));
    const char *path = path_in(&b, "graph.txt.gz");
    REQUIRE(weft_write(b.ctx, b.graph, path, NULL) == WEFT_OK);
    size_t bytes;
    uint8_t *data = read_file(path, &bytes);
    REQUIRE(data && bytes > 64);
    for (size_t back = 1; back <= 8; back++) { /* CRC-32 and length: the last eight bytes */
        data[bytes - back] ^= 0x10;
        CHECK_U64(read_damaged(&b, data, bytes), WEFT_EINPUT);
        check_place(&b);
        data[bytes - back] ^= 0x10;
    }
    CHECK_U64(read_damaged(&b, data, bytes), WEFT_OK);
    free(data);
    tear_down(&b);
}

/* A changed byte inside either breaks the stream, which must be said, or is noticed by the checksum. */
TEST(a_changed_byte_is_noticed) {
    bench b;
    REQUIRE(set_up(&b, 1, 3000));
    const char *path = path_in(&b, "graph.txt.gz");
    REQUIRE(weft_write(b.ctx, b.graph, path, NULL) == WEFT_OK);
    size_t bytes;
    uint8_t *data = read_file(path, &bytes);
    REQUIRE(data && bytes > 64);
    for (size_t at = 40; at < bytes - 8; at += 131) {
        data[at] ^= 0x55;
        weft_status st = read_damaged(&b, data, bytes);
        if (st != WEFT_EINPUT) HARNESS_FAIL("byte %zu changed: status %d", at, (int)st);
        data[at] ^= 0x55;
    }
    free(data);
    tear_down(&b);
}

TEST(only_a_magic_number_is_refused) {
    static const uint8_t gz[] = {0x1f, 0x8b, 8}, zst[] = {0x28, 0xb5, 0x2f, 0xfd};
    bench b;
    REQUIRE(set_up(&b, 1, 1000));
    CHECK_U64(read_damaged(&b, gz, sizeof gz), WEFT_EINPUT);
    CHECK_U64(read_damaged(&b, zst, sizeof zst), WEFT_EINPUT);
    tear_down(&b);
}

TEST_MAIN()
