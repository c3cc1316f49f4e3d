/* betweenness from random paths on real graphs: the largest difference from the values of all paths is below the bound,
 * with every seed.  Short as it is; WEFT_BETWEENNESS_SEEDS=20 takes six graphs, seeds 1 to 20 and an error of 0.001
 * (WEFT_BETWEENNESS_ERROR: another), and hours.  Skipped by name where the shared data is not. */
#include "triangle_support.h"
#include "weft/betweenness.h"

static const struct real {
    const char *file;
    weft_direction direction;
} reals[] = {
    {"networkit/power.graph", WEFT_UNDIRECTED}, /* the short version takes this one and the next */
    {"networkit/polblogs.graph", WEFT_UNDIRECTED},
    {"networkit/hep-th.graph.zst", WEFT_UNDIRECTED},
    {"networkit/PGPgiantcompo.graph.zst", WEFT_UNDIRECTED},
    {"wiki-vote/wiki-Vote.txt.zst", WEFT_DIRECTED},
    {"ego-facebook/facebook_combined.txt.gz", WEFT_UNDIRECTED},
};
enum { SHORT = 2 };

static weft_graph *read_real(weft_ctx *ctx, const struct real *k) {
    char path[4096];
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL;
    p.direction = k->direction;
    snprintf(path, sizeof path, "%s/%s", shared_data(), k->file);
    if (weft_read(ctx, path, &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static void check_seeds(const struct real *k, uint64_t seeds, double error) {
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = read_real(ctx, k);
    weft_betweenness_params p = WEFT_BETWEENNESS_DEFAULTS;
    weft_result *exact = NULL;
    REQUIRE(g);
    p.normalized = 1;
    REQUIRE(weft_betweenness(ctx, g, &p, &exact) == WEFT_OK);
    for (p.seed = 1; p.seed <= seeds; p.seed++) {
        weft_result *drawn = NULL;
        double worst = 0;
        p.error = error;
        REQUIRE(weft_betweenness(ctx, g, &p, &drawn) == WEFT_OK);
        const double *want = weft_result_f64(exact, "betweenness"), *got = weft_result_f64(drawn, "betweenness");
        for (weft_vid v = 0; v < weft_graph_vertices(g); v++) worst = fmax(worst, fabs(got[v] - want[v]));
        double bound = weft_result_scalar(drawn, "error")->value.f64;
        if (!(worst <= bound && bound <= error))
            HARNESS_FAIL("%s, seed %" PRIu64 ": off by %g, said %g, asked %g", k->file, p.seed, worst, bound, error);
        if (seeds > 1)
            printf("  %s, seed %" PRIu64 ": %" PRIu64 " paths, off by %g\n", k->file, p.seed,
                   weft_result_scalar(drawn, "samples")->value.u64, worst);
        weft_result_free(drawn);
    }
    weft_result_free(exact);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(true_errors_are_below_the_bound) {
    const char *given = getenv("WEFT_BETWEENNESS_SEEDS"), *error = getenv("WEFT_BETWEENNESS_ERROR");
    uint64_t seeds = given ? strtoull(given, NULL, 10) : 1;
    if (!shared_data()) SKIP("the shared data is not here");
    for (size_t i = 0; i < (given ? LENGTH(reals) : SHORT); i++)
        check_seeds(&reals[i], seeds, error ? strtod(error, NULL) : given ? 0.001 : 0.02);
}

TEST_MAIN()
