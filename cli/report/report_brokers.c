/* Vertices between others: betweenness as a share of the pairs of other vertices, exactly where that is quick, else
 * from the paths of a sample of sources, with a bound on the error. Each source adds between 0 and 1 to another
 * vertex.  The mean of k of them, drawn without replacement (one less than k counts: a source may be the vertex
 * itself), is off by more than t with probability at most 2 exp(-2 k t^2) (Hoeffding, "Probability Inequalities for
 * Sums of Bounded Random Variables", Journal of the American Statistical Association 58, 1963); with probability 19/20
 * none of n vertices is, where that bound is 1 / 20n. */
#include "report/draw.h"
#include "report/graph_report.h"
#include "weft/betweenness.h"

#include <math.h>
#include <stdlib.h>

/* Arcs and vertices, times sources: some seconds on two cores. */
static const double most_path_work = 5e8;
enum { LEAST_SOURCES = 16, SEED = 1 };

/* The number of sources: all, or a sample. */
static weft_vid source_count(const report *r) {
    double each = (double)r->info.arcs + (double)r->info.vertices + 1;
    uint64_t most = (uint64_t)fmax(LEAST_SOURCES, most_path_work / each);
    return most < r->info.vertices ? (weft_vid)most : (weft_vid)r->info.vertices;
}

/* Draws `count` of the n vertices, each set equally likely.  random:K would draw some twice, and none without arcs. */
static void sample(weft_vid n, weft_vid count, weft_vid *sources) {
    uint64_t state = SEED;
    for (weft_vid v = 0, at = 0; at < count; v++)
        if (report_draw(&state) % (n - v) < count - at) sources[at++] = v;
}

static double largest(const weft_result *result) {
    const weft_column *c = weft_result_column(result, "betweenness");
    double most = 0;
    for (size_t v = 0; v < c->length; v++) most = fmax(most, ((const double *)c->data)[v]);
    return most;
}

int report_brokers(report *r) {
    weft_betweenness_params p = WEFT_BETWEENNESS_DEFAULTS;
    weft_vid n = (weft_vid)r->info.vertices, count = source_count(r), *sources = NULL;
    char how[240] = "exact";
    cli_text some, all;
    double error = 0;
    p.normalized = 1;
    if (count < n) {
        sources = cli_take(count, sizeof *sources);
        if (!sources) return EXIT_MEMORY;
        sample(n, count, sources);
        p.sources = sources;
        p.source_count = count;
        error = sqrt(log(40.0 * n) / (2.0 * (count - 1.0)));
        snprintf(how, sizeof how,
                 "an estimate, from the paths that begin at %s of %s vertices, drawn at random: in 19 of 20 cases no "
                 "value is off by more than %.2g",
                 cli_count(some, count), cli_count(all, n), error);
    }
    int code = report_run(r, "betweenness", &p, "betweenness, as a share of the pairs of other vertices", how,
                          &r->betweenness);
    free(sources);
    if (!code && error > largest(r->betweenness)) r->found.doubt = error;
    return code;
}
