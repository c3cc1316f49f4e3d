/* LDBC Graphalytics: every example graph of the shared data with every reference output that comes with it, under the
 * benchmark's own rules: BFS and CDLP exact, WCC up to renaming, PR, LCC and SSSP within 1e-4 of each value.
 * One table; a reference output that no row of it uses is a failure.  Skipped by name where the data is not. */
#include "support.h"

#include "weft/bfs.h"
#include "weft/check.h"
#include "weft/clustering.h"
#include "weft/components.h"
#include "weft/labelprop.h"
#include "weft/pagerank.h"
#include "weft/sssp.h"

#define UNREACHABLE INT64_MAX /* LDBC's level of what a search does not reach */

typedef enum { BFS, CDLP, LCC, PR, SSSP, WCC, KINDS } kind;
typedef enum { EXACT, EQUIVALENT, WITHIN } rule;

static const struct {
    const char *algorithm, *column;
    rule rule;
} kinds[KINDS] = {
    [BFS] = {"bfs", "level", EXACT},
    [CDLP] = {"labelprop", "label", EXACT},
    [LCC] = {"clustering", "coefficient", WITHIN},
    [PR] = {"pagerank", "rank", WITHIN},
    [SSSP] = {"sssp", "distance", WITHIN},
    [WCC] = {"components", "component", EQUIVALENT},
};

/* A graph, a reference output, and the parameters in PARAMS.txt that belong to it. */
typedef struct example {
    kind kind;
    const char *input, *format, *output;
    bool undirected;
    const char *source;  /* BFS, SSSP */
    uint64_t iterations; /* CDLP, PR */
} example;

/* The example graphs come listed twice. */
#define EXAMPLE(kind, way, undirected, source, iterations)                                                           \
    {kind, "example/example-" way ".e", "ldbc", "example/example-" way "-" #kind, undirected, source, iterations}, { \
        kind, "example/example-" way "-input", "adjlist", "example/example-" way "-" #kind, undirected, source,      \
            iterations                                                                                               \
    }

static const example examples[] = {
    EXAMPLE(BFS, "directed", false, "1", 0),
    EXAMPLE(BFS, "undirected", true, "2", 0),
    {BFS, "bfs/dir-input", "adjlist", "bfs/dir-output", false, "1", 0},
    {BFS, "bfs/undir-input", "adjlist", "bfs/undir-output", true, "1", 0},
    EXAMPLE(CDLP, "directed", false, NULL, 2),
    EXAMPLE(CDLP, "undirected", true, NULL, 2),
    {CDLP, "cdlp/dir-input", "adjlist", "cdlp/dir-output", false, NULL, 5},
    {CDLP, "cdlp/undir-input", "adjlist", "cdlp/undir-output", true, NULL, 5},
    EXAMPLE(LCC, "directed", false, NULL, 0),
    EXAMPLE(LCC, "undirected", true, NULL, 0),
    {LCC, "lcc/dir-input", "adjlist", "lcc/dir-output", false, NULL, 0},
    {LCC, "lcc/undir-input", "adjlist", "lcc/undir-output", true, NULL, 0},
    EXAMPLE(PR, "directed", false, NULL, 2),
    EXAMPLE(PR, "undirected", true, NULL, 2),
    {PR, "pr/dir-input", "adjlist", "pr/dir-output", false, NULL, 14},
    {PR, "pr/undir-input", "adjlist", "pr/undir-output", true, NULL, 26},
    /* the adjacency lists have no weights */
    {SSSP, "example/example-directed.e", "ldbc", "example/example-directed-SSSP", false, "1", 0},
    {SSSP, "example/example-undirected.e", "ldbc", "example/example-undirected-SSSP", true, "2", 0},
    {SSSP, "sssp/dir-input.e", "ldbc", "sssp/dir-output", false, "1", 0},
    {SSSP, "sssp/undir-input.e", "ldbc", "sssp/undir-output", true, "1", 0},
    EXAMPLE(WCC, "directed", false, NULL, 0),
    EXAMPLE(WCC, "undirected", true, NULL, 0),
    {WCC, "wcc/dir-input", "adjlist", "wcc/dir-output", false, NULL, 0},
    {WCC, "wcc/undir-input", "adjlist", "wcc/undir-output", true, NULL, 0},
};

/* All parameter structs of the six, so that one pointer serves plan and verifier. */
typedef union any_params {
    weft_bfs_params bfs;
    weft_labelprop_params labelprop;
    weft_clustering_params clustering;
    weft_pagerank_params pagerank;
    weft_sssp_params sssp;
    weft_components_params components;
} any_params;

static any_params params_of(const example *x, weft_vid source, weft_precision precision) {
    any_params p;
    switch (x->kind) {
    case BFS: p.bfs = (weft_bfs_params)WEFT_BFS_DEFAULTS, p.bfs.source = source; break;
    case SSSP: p.sssp = (weft_sssp_params)WEFT_SSSP_DEFAULTS, p.sssp.source = source; break;
    case CDLP:
        p.labelprop = (weft_labelprop_params)WEFT_LABELPROP_DEFAULTS;
        p.labelprop.max_iterations = x->iterations;
        break;
    case PR:
        p.pagerank = (weft_pagerank_params)WEFT_PAGERANK_DEFAULTS;
        p.pagerank.iterations = x->iterations;
        p.pagerank.precision = precision;
        break;
    case LCC: p.clustering = (weft_clustering_params)WEFT_CLUSTERING_DEFAULTS; break;
    default: p.components = (weft_components_params)WEFT_COMPONENTS_DEFAULTS; break;
    }
    return p;
}

static char *path_of(const char *file, char *to, size_t room) {
    snprintf(to, room, "%s/graphalytics-validation/%s", shared_data(), file);
    return to;
}

/* What is at vertex v, as LDBC would write it: a number, an id, or a level. */
static double real_at(const weft_column *c, weft_vid v) {
    return c->type == WEFT_F32 ? (double)((const float *)c->data)[v] : ((const double *)c->data)[v];
}

static int64_t whole_at(const weft_graph *g, const weft_column *c, weft_vid v) {
    uint32_t x = ((const uint32_t *)c->data)[v];
    if (c->type == WEFT_VERTEX) return weft_graph_id(g, x);
    return x == WEFT_UNREACHED ? UNREACHABLE : (int64_t)x;
}

/* Two labellings make the same classes when neither joins two vertices that the other keeps apart. */
static void check_equivalent(const char *file, weft_vid n, const int64_t *got, const int64_t *want) {
    for (weft_vid u = 0; u < n; u++)
        for (weft_vid v = 0; v < u; v++)
            if ((got[u] == got[v]) != (want[u] == want[v])) HARNESS_FAIL("%s: %u and %u", file, u, v);
}

static void compare_with_output(weft_ctx *ctx, const weft_graph *g, const weft_result *r, const example *x) {
    enum { MOST = 256 };
    char path[4096], id[64], value[64];
    size_t bytes;
    int used;
    weft_vid v, lines = 0, n = weft_graph_vertices(g);
    int64_t got[MOST], want[MOST];
    const weft_column *column = weft_result_column(r, kinds[x->kind].column);
    char *text = read_file(path_of(x->output, path, sizeof path), &bytes), *rest = text;
    REQUIRE(text && column && n <= MOST);
    for (; sscanf(rest, " %63s %63s%n", id, value, &used) == 2; rest += used, lines++) {
        REQUIRE(weft_graph_find(ctx, g, id, &v) == WEFT_OK);
        if (kinds[x->kind].rule == WITHIN) {
            double is = real_at(column, v), should = strtod(value, NULL);
            if (isinf(should) ? !isinf(is) : !(fabs(is - should) <= 1e-4 * fabs(should)))
                HARNESS_FAIL("%s from %s: vertex %s has %.9g, expected %s", x->output, x->input, id, is, value);
            continue;
        }
        got[v] = whole_at(g, column, v);
        want[v] = strtoll(value, NULL, 10);
        if (kinds[x->kind].rule == EXACT && got[v] != want[v])
            HARNESS_FAIL("%s from %s: vertex %s has %" PRId64 ", expected %s", x->output, x->input, id, got[v], value);
    }
    CHECK_U64(lines, n);
    if (kinds[x->kind].rule == EQUIVALENT && lines == n) check_equivalent(x->output, n, got, want);
    free(text);
}

static void run_example(const example *x, weft_precision precision) {
    char path[4096];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    weft_vid source = WEFT_NO_VERTEX;
    weft_read_params reading_params = reading(x->format);
    reading_params.direction = x->undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    if (weft_read(ctx, path_of(x->input, path, sizeof path), &reading_params, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    REQUIRE(g && (!x->source || weft_graph_find(ctx, g, x->source, &source) == WEFT_OK));
    any_params params = params_of(x, source, precision);
    const char *algorithm = kinds[x->kind].algorithm;
    REQUIRE(!weft_plan_new(ctx, algorithm, g, &params, &plan) && !weft_plan_run(plan, &r));
    compare_with_output(ctx, g, r, x);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    CHECK(weft_check(ctx, algorithm, g, &params, r, &report) == WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s: %s", x->output, report.message);
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void run_kind(kind which) {
    for (size_t i = 0; i < LENGTH(examples); i++) {
        if (examples[i].kind != which) continue;
        run_example(&examples[i], WEFT_PRECISION_F32);
        if (which == PR) run_example(&examples[i], WEFT_PRECISION_F64);
    }
}

#define NEEDS_DATA() \
    if (!shared_data()) SKIP("the shared data is not here")

TEST(bfs_levels_are_exact) {
    NEEDS_DATA();
    run_kind(BFS);
}

TEST(cdlp_labels_are_exact) {
    NEEDS_DATA();
    run_kind(CDLP);
}

TEST(lcc_coefficients_are_within_the_benchmarks_error) {
    NEEDS_DATA();
    run_kind(LCC);
}

TEST(pr_ranks_are_within_the_benchmarks_error) {
    NEEDS_DATA();
    run_kind(PR);
}

TEST(sssp_distances_are_within_the_benchmarks_error) {
    NEEDS_DATA();
    run_kind(SSSP);
}

TEST(wcc_components_are_the_same_up_to_renaming) {
    NEEDS_DATA();
    run_kind(WCC);
}

static bool is_used(const char *output) {
    for (size_t i = 0; i < LENGTH(examples); i++)
        if (!strcmp(examples[i].output, output)) return true;
    return false;
}

/* The folders hold inputs (-input, .v, .e) and reference outputs, nothing else. */
static bool is_input(const char *name) {
    size_t length = strlen(name);
    return strstr(name, "-input") || !strcmp(name + length - 2, ".v") || !strcmp(name + length - 2, ".e");
}

TEST(no_reference_output_is_left_out) {
    NEEDS_DATA();
    static const char *const folders[] = {"bfs", "cdlp", "example", "lcc", "pr", "sssp", "wcc"};
    int outputs = 0;
    for (size_t i = 0; i < LENGTH(folders); i++) {
        char path[4096], output[512];
        DIR *d = opendir(path_of(folders[i], path, sizeof path));
        REQUIRE(d);
        for (struct dirent *e; (e = readdir(d));) {
            if (e->d_name[0] == '.' || is_input(e->d_name)) continue;
            snprintf(output, sizeof output, "%s/%s", folders[i], e->d_name);
            if (!is_used(output)) HARNESS_FAIL("nothing is compared with %s", output);
            outputs++;
        }
        closedir(d);
    }
    CHECK_I64(outputs, 24); /* six algorithms, directed and undirected, the example and a graph of their own */
}

TEST_MAIN()
