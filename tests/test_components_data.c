/* components of the shared real graphs: as many, and as large, as a separate program counted; the reference labels of
 * cnr-2000 and of the LDBC examples, up to renaming.  Skipped by name where the data is not. */
#include "support.h"

#include "check.h"

#include <zstd.h>

static weft_components_params how(int strong) {
    weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
    p.strong = strong;
    return p;
}

static weft_result *run(weft_ctx *ctx, const weft_graph *g, int strong) {
    weft_components_params p = how(strong);
    weft_result *r = NULL;
    if (weft_components(ctx, g, &p, &r)) HARNESS_FAIL("components: %s", weft_ctx_message(ctx));
    return r;
}

static bool accepted(weft_ctx *ctx, const weft_graph *g, int strong, const weft_result *r, char *message) {
    weft_components_params p = how(strong);
    weft_check_report report;
    if (weft_check_find("components")(ctx, g, &p, r, &report)) HARNESS_FAIL("the verifier ran out of memory");
    if (message) strcpy(message, report.message);
    return report.passed;
}

static uint64_t scalar(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.u64; }

static char *shared_file(const char *name, size_t *bytes) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", shared_data(), name);
    return read_file(path, bytes);
}

/* Where a column of a line with tabs begins. */
static const char *tab_field(const char *line, int column) {
    for (; column > 0 && line; column--) line = strchr(line, '\t') ? strchr(line, '\t') + 1 : NULL;
    return line ? line : "";
}

TEST(real_graphs_have_the_components_that_a_separate_program_counted) {
    if (!shared_data()) SKIP("the shared data is not here");
    size_t bytes;
    int graphs = 0;
    char *text = shared_file("COUNTED.tsv", &bytes);
    REQUIRE(text);
    weft_ctx *ctx = new_ctx(0, NULL);
    CHECK(!strncmp(tab_field(text, 8), "wcc\tlargest_wcc\tscc\tlargest_scc\t", 32));
    for (char *line = strchr(text, '\n'); line && line[1]; line = strchr(line, '\n')) {
        line++;
        const char *name = tab_field(line, 1);
        char path[4096];
        snprintf(path, sizeof path, "%s/%.*s", shared_data(), (int)strcspn(name, "\t"), name);
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.build.direction = WEFT_DIRECTED;
        if (!strncmp(name, "debian", 6) || !strncmp(name, "cran", 4) || !strncmp(name, "law-dblp", 8))
            p.vertices = strtoull(tab_field(line, 3), NULL, 10);
        weft_graph *g = NULL;
        if (weft_read(ctx, path, &p, &g)) {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
            continue;
        }
        for (int strong = 0; strong < 2; strong++) {
            weft_result *r = run(ctx, g, strong);
            REQUIRE(r);
            uint64_t count = strtoull(tab_field(line, 8 + 2 * strong), NULL, 10);
            uint64_t largest = strtoull(tab_field(line, 9 + 2 * strong), NULL, 10);
            if (scalar(r, "count") != count || scalar(r, "largest") != largest)
                HARNESS_FAIL("%s, strong %d: %" PRIu64 " and %" PRIu64 ", expected %" PRIu64 " and %" PRIu64, path,
                             strong, scalar(r, "count"), scalar(r, "largest"), count, largest);
            char message[512];
            if (!accepted(ctx, g, strong, r, message)) HARNESS_FAIL("%s: %s", path, message);
            weft_result_free(r);
        }
        weft_graph_free(g);
        graphs++;
    }
    CHECK(graphs >= 29);
    free(text);
    weft_ctx_free(ctx);
}

/* Do two labellings make the same classes?  twin[] is scratch: their[l] for each of our labels, which must be one to
 * one; that every class of theirs has one label of ours follows from equal counts. */
static bool same_classes(size_t n, const weft_vid *ours, const uint32_t *theirs, uint32_t *twin) {
    for (size_t v = 0; v < n; v++) {
        if (ours[v] == v) twin[v] = theirs[v];
        if (twin[ours[v]] != theirs[v]) return false;
    }
    return true;
}

TEST(the_strong_components_of_cnr_2000_are_those_of_the_reference) {
    if (!shared_data()) SKIP("the shared data is not here");
    enum { N = 325557 };
    size_t bytes;
    char path[4096];
    char *packed = shared_file("web-cnr-2000/cnr-2000.scc.zst", &bytes);
    uint8_t *raw = malloc(4 * N);
    uint32_t *theirs = malloc(4 * N), *twin = malloc(4 * N);
    REQUIRE(packed && raw && theirs && twin);
    CHECK_U64(ZSTD_decompress(raw, 4 * N, packed, bytes), 4 * N);
    uint32_t classes = 0; /* their labels are 0 ... classes-1 */
    for (size_t v = 0; v < N; v++) {
        const uint8_t *b = raw + 4 * v;
        theirs[v] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        if (theirs[v] >= classes) classes = theirs[v] + 1;
    }
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = NULL;
    snprintf(path, sizeof path, "%s/web-cnr-2000/cnr-2000.el.zst", shared_data());
    REQUIRE(!weft_read(ctx, path, NULL, &g) && weft_graph_vertices(g) == N);
    weft_result *r = run(ctx, g, 1);
    REQUIRE(r);
    CHECK_U64(scalar(r, "count"), classes);
    CHECK(same_classes(N, weft_result_u32(r, "component"), theirs, twin));
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(packed);
    free(raw);
    free(theirs);
    free(twin);
}

TEST(the_ldbc_examples_have_their_weak_components) {
    if (!shared_data()) SKIP("the shared data is not here");
    static const struct {
        const char *input, *output;
        weft_direction direction;
    } files[] = {
        {"example/example-directed.e", "example/example-directed-WCC", WEFT_DIRECTED},
        {"example/example-undirected.e", "example/example-undirected-WCC", WEFT_UNDIRECTED},
        {"wcc/dir-input", "wcc/dir-output", WEFT_DIRECTED},
        {"wcc/undir-input", "wcc/undir-output", WEFT_UNDIRECTED},
    };
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(files); i++) {
        char path[4096];
        size_t bytes;
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.build.direction = files[i].direction;
        if (files[i].input[0] == 'w') p.format = "adjlist";
        weft_graph *g = NULL;
        snprintf(path, sizeof path, "%s/graphalytics-validation/%s", shared_data(), files[i].input);
        if (weft_read(ctx, path, &p, &g)) {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
            continue;
        }
        snprintf(path, sizeof path, "graphalytics-validation/%s", files[i].output);
        char *text = shared_file(path, &bytes), *at = text;
        weft_result *r = run(ctx, g, 0);
        REQUIRE(text && r);
        uint32_t theirs[32], twin[32], rows = 0;
        char id[32];
        unsigned component;
        for (int used; sscanf(at, "%31s %u%n", id, &component, &used) == 2; at += used, rows++) {
            weft_vid v;
            REQUIRE(!weft_graph_find(ctx, g, id, &v) && v < 32);
            theirs[v] = component;
        }
        CHECK_U64(rows, weft_graph_vertices(g));
        CHECK(same_classes(rows, weft_result_u32(r, "component"), theirs, twin));
        for (weft_vid v = 0; v < rows; v++) /* and the other way round: one label of ours for each of theirs */
            for (weft_vid u = 0; u < v; u++)
                CHECK((theirs[u] == theirs[v]) ==
                      (weft_result_u32(r, "component")[u] == weft_result_u32(r, "component")[v]));
        free(text);
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST_MAIN()
