/* The ladders on ranks: verified answers on any number of ranks, also where some have nothing; and bytes that are what the rungs say. */
#include "support.h"

#include "lab.h"
#include "ranks/coded.h"
#include "ranks/crew.h"
#include "weft/machine.h"
#include "weft/pagerank.h"

enum { ITERATIONS = 3 };
static const int rank_counts[] = {1, 2, 3, 4, 6};

typedef struct shape {
    const char *name, *text; /* an edge list, whose loops are dropped; or NULL: */
    const char *kind;        /* a generator */
    uint64_t n;
    double p;
    int directed;
} shape;

static const shape shapes[] = {
    {"no arcs", "1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n8 8\n9 9\n10 10\n", NULL, 0, 0, 1},
    {"one vertex", "5 5\n", NULL, 0, 0, 1},
    {"fewer vertices than ranks", "1 2\n2 3\n3 1\n", NULL, 0, 0, 1},
    {"one arc across", "1 2\n", NULL, 0, 0, 0},
    {"parallel arcs", "1 2\n1 2\n9 2\n9 12\n1 9\n9 12\n12 1\n", NULL, 0, 0, 1},
    {"a path", NULL, "path", 41, 0, 1},
    {"a star", NULL, "star", 70, 0, 0},
    {"complete", NULL, "complete", 40, 0, 0},
    {"two sparse directions", NULL, "er", 300, 0.01, 1},
    {"undirected", NULL, "er", 200, 0.03, 0},
    {"hubs", NULL, "ba", 400, 0, 0},
    {"R-MAT", NULL, "rmat", 0, 0, 1},
};

static weft_graph *make(weft_ctx *ctx, const shape *s) {
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = s->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    if (s->text) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.direction = build.direction;
        p.duplicates = WEFT_DUPLICATES_KEEP;
        p.loops = WEFT_LOOPS_DROP;
        return read_text(ctx, s->text, &p);
    }
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    if (s->n) p.n = s->n;
    if (s->p > 0) p.p = s->p;
    p.scale = 9;
    p.degree = 8;
    return weft_generate(ctx, s->kind, &p, &build, &g) ? NULL : g;
}

static const char *const names[] = {"ranks-pagerank", "ranks-bfs"};

/* The table is the caller's. */
static weft_status climb(weft_ctx *ctx, const char *name, const weft_graph *g, int ranks, uint64_t memory_limit,
                         lab_table *table) {
    const lab_ladder *ladder = lab_ladder_find(name);
    const weft_algorithm_info *a = weft_algorithm_find(ladder->algorithm);
    weft_machine none = {.size = sizeof none, .gpu_reason = "no GPU in this test"};
    lab_setup setup = {
        .ctx = ctx, .machine = &none, .runs = 1, .patience_s = 60, .ranks = ranks, .memory_limit = memory_limit};
    void *params = malloc(a->params_size);
    memcpy(params, a->params_standard, a->params_size);
    if (strcmp(ladder->algorithm, "pagerank") == 0) ((weft_pagerank_params *)params)->iterations = ITERATIONS;
    weft_status st = lab_measure(&setup, ladder, g, "g", params, table);
    free(params);
    return st;
}

static const lab_row *row_of(const lab_table *t, const char *rung) {
    for (size_t i = 0; i < t->row_count; i++)
        if (strcmp(t->rows[i].rung->name, rung) == 0) return &t->rows[i];
    HARNESS_FAIL("there is no %s", rung);
    return &t->rows[0];
}

#define CHECK_SENT(table, rung, bytes) CHECK_U64((uint64_t)row_of(table, rung)->sent, (uint64_t)(bytes))

static void check_rows(const lab_table *t, const shape *s, int ranks) {
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (row->status != LAB_VERIFIED)
            HARNESS_FAIL("%s, %s on %s, %d ranks: %s", t->ladder->name, row->rung->name, s->name, ranks, row->message);
        CHECK(row->checked == 1); /* the same bytes in each run, over memory and over the network */
        CHECK(row->network_ms > 0);
        CHECK(!(row->difference > 1e-6));
        if (ranks == 1) CHECK(row->sent == 0);
    }
}

TEST(every_rung_is_right_on_any_number_of_ranks) {
    weft_ctx *ctx = new_ctx(1, NULL);
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        weft_graph *g = make(ctx, &shapes[i]);
        REQUIRE(g);
        for (size_t l = 0; l < LENGTH(names); l++)
            for (size_t k = 0; k < LENGTH(rank_counts); k++) {
                lab_table table = {0};
                weft_status st = climb(ctx, names[l], g, rank_counts[k], 0, &table);
                if (st) HARNESS_FAIL("%s on %s: %s", names[l], shapes[i].name, weft_ctx_message(ctx));
                CHECK(table.ranks == rank_counts[k]);
                CHECK_U64(table.row_count, l ? 7 : 8);
                check_rows(&table, &shapes[i], rank_counts[k]);
                lab_table_free(&table);
            }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* What the pages say, as formulas: a share is 4 bytes, a sum 8, and each goes to so many. */
TEST(pagerank_sends_the_bytes_that_the_rungs_say) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make(ctx, &shapes[LENGTH(shapes) - 1]);
    double n = (double)weft_graph_vertices(g);
    for (size_t k = 0; k < LENGTH(rank_counts); k++) {
        lab_table t = {0};
        int ranks = rank_counts[k];
        crew_grid grid = crew_grid_of(&(lab_run){.ranks = ranks});
        REQUIRE(!climb(ctx, "ranks-pagerank", g, ranks, 0, &t));
        CHECK_SENT(&t, "1d-pull", ITERATIONS * 4 * n * (ranks - 1));
        CHECK_SENT(&t, "2d", ITERATIONS * n * (4 * (grid.rows - 1) + 8 * (grid.columns - 1)));
        CHECK_SENT(&t, "engine", (ITERATIONS + 1) * 4 * n * (ranks - 1));
        CHECK_SENT(&t, "engine-2d", row_of(&t, "2d")->sent + 4 * n * (grid.rows - 1));
        CHECK(row_of(&t, "1d-needed")->sent <= (ITERATIONS + 1) * 4 * n * (ranks - 1));
        CHECK(row_of(&t, "2d-compressed")->sent <= row_of(&t, "2d")->sent + 4 * n * (grid.rows + grid.columns - 2));
        CHECK_SENT(&t, "overlapped", row_of(&t, "2d-compressed")->sent);
        lab_table_free(&t);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(searches_send_the_bytes_that_the_rungs_say) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = 64; /* whole bytes of bits */
    REQUIRE(!weft_generate(ctx, "complete", &p, NULL, &g));
    for (size_t k = 0; k < LENGTH(rank_counts); k++) {
        lab_table t = {0};
        int ranks = rank_counts[k];
        crew_grid grid = crew_grid_of(&(lab_run){.ranks = ranks});
        REQUIRE(!climb(ctx, "ranks-bfs", g, ranks, 0, &t));
        /* Vertex 0 finds all others, which find nothing: two levels, each with all bits. */
        CHECK_SENT(&t, "1d-pull", 2 * 8 * (ranks - 1));
        if (ranks > 1) CHECK(row_of(&t, "1d-push")->sent > 8 * 63 * 30);
        /* A block tells each target once in the search, and sets are at most two words. */
        double most = 4 * 64 * (grid.columns - 1) + 2 * 8 * ranks * (grid.rows + grid.columns - 2);
        CHECK(row_of(&t, "2d-compressed")->sent <= most);
        CHECK(row_of(&t, "2d-compressed")->sent <= row_of(&t, "2d")->sent);
        lab_table_free(&t);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Every rung fails whole, or has enough: no rank waits for one that got no memory. */
TEST(rungs_that_get_no_memory_fail_and_do_not_hang) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make(ctx, &shapes[LENGTH(shapes) - 1]);
    size_t failed = 0, verified = 0;
    for (size_t l = 0; l < LENGTH(names); l++)
        for (uint64_t limit = 512; limit < (uint64_t)1 << 20; limit *= 2) {
            lab_table t = {0};
            REQUIRE(!climb(ctx, names[l], g, 4, limit, &t));
            for (size_t i = 0; i < t.row_count; i++) {
                CHECK(t.rows[i].status == LAB_VERIFIED || t.rows[i].status == LAB_FAILED);
                failed += t.rows[i].status == LAB_FAILED;
                verified += t.rows[i].status == LAB_VERIFIED;
            }
            lab_table_free(&t);
        }
    CHECK(failed > 20 && verified > 20);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(grids_are_as_square_as_can_be) {
    static const int expected[][3] = {{1, 1, 1}, {2, 2, 1}, {3, 3, 1},  {4, 2, 2},  {5, 5, 1},
                                      {6, 3, 2}, {8, 4, 2}, {12, 4, 3}, {16, 4, 4}, {64, 8, 8}};
    for (size_t i = 0; i < LENGTH(expected); i++) {
        crew_grid grid = crew_grid_of(&(lab_run){.ranks = expected[i][0]});
        CHECK(grid.rows == expected[i][1] && grid.columns == expected[i][2]);
    }
}

TEST(a_set_is_read_as_it_was_written_and_is_never_longer_than_either) {
    enum { SPAN = 100 };
    uint32_t member[SPAN], words[SPAN], back[SPAN];
    for (uint64_t count = 0; count <= SPAN; count++) {
        for (uint64_t i = 0; i < count; i++) member[i] = (uint32_t)(i * SPAN / (count ? count : 1));
        CHECK(coded_words(count, SPAN) <= count && coded_words(count, SPAN) <= 4);
        coded_write(member, count, SPAN, words);
        memset(back, 0xff, sizeof back);
        coded_read(words, count, SPAN, back);
        CHECK(count == 0 || memcmp(member, back, count * sizeof *back) == 0);
    }
}

TEST_MAIN()
