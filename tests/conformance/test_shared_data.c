/* Every real graph of the shared data: vertices and records as its manifest says, edges as counted by a separate
 * program.  Skipped by name where the folder is not: WEFT_SHARED_DATA, or ../shared/data. */
#include "shared_tables.h"

/* The DIMACS header says 14 vertices, of which one has no arc; the manifest counted the 13 that occur. */
static bool counts_only_touched(const char *file) { return !strcmp(file, "gapbs/graphs/4.gr"); }

/* Values that are nan or infinite: such weights are refused at their place, and the graph is read without weights. */
static const struct {
    const char *file, *place;
} not_finite[] = {
    {"lagraph/comments_west0067.mtx", ":6:5: "}, {"lagraph/matrix_fp32.mtx", ":7:5: "},
    {"lagraph/matrix_fp64.mtx", ":7:5: "},       {"lagraph/skew_fp32.mtx", ":5:5: "},
    {"lagraph/skew_fp64.mtx", ":4:5: "},
};
enum { NOT_FINITE = sizeof not_finite / sizeof *not_finite };

static bool has_no_finite_weights(const char *file) {
    for (int i = 0; i < NOT_FINITE; i++)
        if (!strcmp(file, not_finite[i].file)) return true;
    return false;
}

static weft_read_params params_for(const table *t, size_t row) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    const char *file = field(t, row, "file");
    if (counts_isolated(file)) p.vertices = number(t, row, "nodes");
    if (has_no_finite_weights(file)) p.weights = WEFT_WEIGHTS_IGNORE;
    return p;
}

static weft_graph *read_row(weft_ctx *ctx, const table *t, size_t row, const weft_read_params *p) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", shared_data(), field(t, row, "file"));
    weft_graph *g = NULL;
    if (weft_read(ctx, path, p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

#define CHECK_COUNT(file, what, got, want)                                                            \
    do {                                                                                              \
        uint64_t g_ = (got), w_ = (want);                                                             \
        if (g_ != w_) HARNESS_FAIL("%s: %s: %" PRIu64 ", expected %" PRIu64, (file), (what), g_, w_); \
    } while (0)

TEST(vertices_and_records_are_those_of_the_manifest) {
    if (!shared_data()) SKIP("the shared data is not here");
    table t;
    REQUIRE(load_table("MANIFEST.tsv", &t));
    weft_ctx *ctx = new_ctx(0, NULL);
    size_t covered = 0, expected = 0;
    for (size_t row = 1; row < t.rows; row++) {
        const char *file = field(&t, row, "file");
        if (!is_number(field(&t, row, "nodes")) || !is_number(field(&t, row, "edges"))) continue;
        expected++;
        weft_read_params p = params_for(&t, row);
        weft_graph *g = read_row(ctx, &t, row, &p);
        if (!g) continue;
        weft_graph_info info = info_of(ctx, g);
        uint64_t vertices = counts_only_touched(file) ? info.vertices - info.isolated : info.vertices;
        CHECK_COUNT(file, "vertices", vertices, number(&t, row, "nodes"));
        CHECK_COUNT(file, "records", info.records, number(&t, row, "edges"));
        weft_csr out = out_rows(g);
        if (csr_fault(&out)) HARNESS_FAIL("%s: %s", file, csr_fault(&out));
        weft_graph_free(g);
        covered++;
    }
    CHECK_U64(covered, expected);
    CHECK(expected >= 149);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    free_table(&t);
}

TEST(edges_are_those_of_a_separate_count) {
    if (!shared_data()) SKIP("the shared data is not here");
    table t;
    REQUIRE(load_table("COUNTED.tsv", &t));
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t row = 1; row < t.rows; row++) {
        const char *file = field(&t, row, "file");
        uint64_t loops = number(&t, row, "loops");
        for (int undirected = 0; undirected < 2; undirected++) {
            weft_read_params p = params_for(&t, row);
            p.direction = undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
            weft_graph *g = read_row(ctx, &t, row, &p);
            if (!g) continue;
            weft_graph_info info = info_of(ctx, g);
            CHECK_COUNT(file, "vertices", info.vertices, number(&t, row, "nodes"));
            CHECK_COUNT(file, "records", info.records, number(&t, row, "lines"));
            CHECK_COUNT(file, "loops", info.self_loops, loops);
            if (undirected) {
                uint64_t simple = number(&t, row, "undirected_simple");
                CHECK_COUNT(file, "undirected edges", info.edges, simple + loops);
                CHECK_COUNT(file, "undirected arcs", info.arcs, 2 * simple + loops);
            } else {
                CHECK_COUNT(file, "directed edges", info.edges, number(&t, row, "distinct_directed"));
                CHECK_COUNT(file, "directed arcs", info.arcs, number(&t, row, "distinct_directed"));
            }
            CHECK_COUNT(file, "all records", info.edges + info.duplicates_dropped, info.records);
            weft_graph_free(g);
        }
    }
    weft_ctx_free(ctx);
    free_table(&t);
}

TEST(weights_that_are_not_finite_are_refused_at_their_place) {
    if (!shared_data()) SKIP("the shared data is not here");
    weft_ctx *ctx = new_ctx(0, NULL);
    for (int i = 0; i < NOT_FINITE; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", shared_data(), not_finite[i].file);
        weft_graph *g = NULL;
        CHECK_U64(weft_read(ctx, path, NULL, &g), WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), not_finite[i].place);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* Files without counts in the manifest that are graphs all the same, and those that must be refused by name. */
TEST(the_files_without_counts_are_read_or_refused) {
    if (!shared_data()) SKIP("the shared data is not here");
    static const struct {
        const char *file;
        weft_status status;
        uint64_t vertices, records;
    } cases[] = {
        {"lagraph/complex.mtx", WEFT_EUNSUPPORTED, 0, 0},
        {"networkit/foodweb-baydry.konect", WEFT_OK, 128, 2137},
        {"networkx/football.zip", WEFT_EUNSUPPORTED, 0, 0},
    };
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", shared_data(), cases[i].file);
        weft_graph *g = NULL;
        weft_status st = weft_read(ctx, path, NULL, &g);
        if (st != cases[i].status) HARNESS_FAIL("%s: status %d: %s", cases[i].file, (int)st, weft_ctx_message(ctx));
        if (g) {
            CHECK_COUNT(cases[i].file, "vertices", weft_graph_vertices(g), cases[i].vertices);
            CHECK_COUNT(cases[i].file, "records", info_of(ctx, g).records, cases[i].records);
        }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
