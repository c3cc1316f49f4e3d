/* Cores, clustering and distances. */
#include "report/graph_report.h"
#include "weft/distances.h"

#include <stdlib.h>

/* Limits for seconds on two cores. */
static const double most_triangle_arcs = 2e7, most_pair_work = 3e10, most_search_work = 1e9;

int report_cores(report *r) {
    report_section(r, "cores");
    int code = report_run(r, "kcore", NULL, "core numbers", "exact", &r->core);
    if (code) return code;
    const uint32_t *core = weft_result_u32(r->core, "core");
    uint64_t degeneracy = weft_result_scalar(r->core, "degeneracy")->value.u64, left = r->info.vertices;
    uint64_t *count = cli_take(degeneracy + 1, sizeof *count);
    if (!count) return EXIT_MEMORY;
    for (weft_vid v = 0; v < r->info.vertices; v++) count[core[v]]++;
    report_values(r);
    report_scalars(r, r->core);
    json_u64(r->j, "innermost", r->info.vertices ? count[degeneracy] : 0);
    report_tables(r);
    report_table(r, "cores", (const char *const[]){"k", "core_number_k", "in_the_k_core", NULL});
    for (uint64_t k = count[0] ? 0 : 1; k <= degeneracy;
         k++) { /* all of them: the 2-core is there though nobody has core number 2 */
        report_row(r);
        json_u64(r->j, NULL, k);
        json_u64(r->j, NULL, count[k]);
        json_u64(r->j, NULL, left);
        report_row_end(r);
        left -= count[k];
    }
    report_table_end(r);
    report_section_end(r);
    free(count);
    return EXIT_DONE;
}

/* --- clustering ------------------------------------------------------------------------------- */

typedef struct bin {
    uint64_t from, to, vertices;
    double sum;
} bin;

static int put_clustering(report *r, const weft_result *result) {
    enum { MOST_BINS = 200 }; /* a third wider each: enough for any degree */
    const uint64_t *degree = weft_result_u64(r->degree, "total");
    const double *coefficient = weft_result_f64(result, "coefficient");
    bin *bins = cli_take(MOST_BINS, sizeof *bins);
    size_t count = 0;
    uint64_t largest = 0;
    if (!bins) return EXIT_MEMORY;
    for (weft_vid v = 0; v < r->info.vertices; v++)
        if (degree[v] > largest) largest = degree[v];
    for (uint64_t first = 2; first <= largest && count < MOST_BINS; first = report_bin_end(first))
        bins[count++] = (bin){first, report_bin_end(first) - 1, 0, 0};
    for (weft_vid v = 0; v < r->info.vertices; v++) {
        size_t low = 0, high = count;
        while (low + 1 < high) {
            size_t middle = (low + high) / 2;
            if (bins[middle].from <= degree[v])
                low = middle;
            else
                high = middle;
        }
        if (degree[v] < 2) continue;
        bins[low].vertices++;
        bins[low].sum += coefficient[v];
    }
    report_table(r, "by_degree", (const char *const[]){"from", "to", "vertices", "mean_coefficient", NULL});
    for (size_t i = 0; i < count; i++) {
        if (!bins[i].vertices) continue;
        report_row(r);
        json_u64(r->j, NULL, bins[i].from);
        json_u64(r->j, NULL, bins[i].to);
        json_u64(r->j, NULL, bins[i].vertices);
        json_f64(r->j, NULL, bins[i].sum / (double)bins[i].vertices);
        report_row_end(r);
    }
    report_table_end(r);
    free(bins);
    return EXIT_DONE;
}

int report_clustering(report *r) {
    weft_result *result = NULL;
    bool quick = r->call->options.quick;
    report_section(r, "clustering");
    if (quick || (double)r->info.arcs > most_triangle_arcs) {
        report_left_out(r, "%s; weft clustering FILE finds them all",
                        quick ? "triangles were not computed (--quick)"
                              : "finding all triangles of this many edges takes long");
        return EXIT_DONE;
    }
    int code = report_run(r, "clustering", NULL, "coefficients, their average, transitivity", "exact", &result);
    if (!code) code = report_run(r, "triangles", NULL, "triangles", "exact", &r->triangles);
    if (!code) {
        report_values(r);
        report_scalars(r, result);
        report_scalars(r, r->triangles);
        report_tables(r);
        code = put_clustering(r, result);
        report_section_end(r);
    }
    weft_result_free(result);
    return code;
}

/* --- distances -------------------------------------------------------------------------------- */

int report_distances(report *r) {
    weft_distances_params p = WEFT_DISTANCES_DEFAULTS;
    p.direction = WEFT_SIDE_BOTH;
    weft_result *result = NULL;
    double arcs = (double)r->info.arcs * (r->info.directed ? 2 : 1) + 1, searches = most_search_work / arcs;
    if (arcs * (double)p.all_pairs > most_pair_work) p.all_pairs = (uint64_t)(most_pair_work / arcs);
    if (searches < (double)p.searches) p.searches = searches < 16 ? 16 : (uint64_t)searches;
    if (r->call->options.quick) {
        p.all_pairs = 0;
        p.searches = 16;
    }
    report_section(r, "distances");
    int code =
        report_run(r, "distances", &p,
                   "diameter, radius, effective diameter and pairs by distance, of the largest weak component, in hops "
                   "and regardless of direction",
                   "exact where lower and upper bounds are equal, else bounds", &result);
    if (code) return code;
    const uint32_t *distance = weft_result_u32(result, "distance");
    const uint64_t *pairs = weft_result_u64(result, "pairs");
    size_t length = weft_result_column(result, "distance")->length;
    double sum = 0, all = 0;
    for (size_t i = 0; i < length; i++) all += (double)pairs[i];
    report_values(r);
    report_scalars(r, result);
    report_tables(r);
    report_table(r, "pairs", (const char *const[]){"distance", "pairs", "share_up_to", NULL});
    for (size_t i = 0; i < length; i++) {
        sum += (double)pairs[i];
        report_row(r);
        json_u64(r->j, NULL, distance[i]);
        json_u64(r->j, NULL, pairs[i]);
        json_f64(r->j, NULL, sum / all);
        report_row_end(r);
    }
    report_table_end(r);
    report_section_end(r);
    weft_result_free(result);
    return EXIT_DONE;
}
