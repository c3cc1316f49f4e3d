/* Communities: Leiden's, their quality and sizes, and the largest with their leading vertices.  The graph of the
 * largest is drawn: report_circles.c. */
#include "report/graph_report.h"
#include "weft/leiden.h"

#include <stdlib.h>

static const double most_quick_arcs = 1e6;
static const double most_arcs = 5e7; /* some thirty passes over the arcs: seconds on two cores */
enum { MEMBERS = 5 };                /* vertices named for each listed community */

/* quality is in the order of parts. */
static void put_largest(report *r, const weft_result *quality, const report_part *parts, size_t listed) {
    const double *inside = weft_result_f64(quality, "internal"), *cut = weft_result_f64(quality, "cut"),
                 *conductance = weft_result_f64(quality, "conductance");
    report_table(r, "largest",
                 (const char *const[]){"community", "vertices", "share", "edges_inside", "edges_that_leave",
                                       "conductance", NULL});
    for (size_t i = 0; i < listed; i++) {
        report_row(r);
        json_vertex(r->j, r->g, NULL, parts[i].first);
        json_u64(r->j, NULL, parts[i].size);
        json_f64(r->j, NULL, parts[i].size / (double)r->info.vertices);
        json_f64(r->j, NULL, inside[i]);
        json_f64(r->j, NULL, cut[i]);
        json_f64(r->j, NULL, conductance[i]);
        report_row_end(r);
    }
    report_table_end(r);
}

/* The first vertices by PageRank of each, ties by vertex. */
static int put_members(report *r, const report_part *parts, size_t listed) {
    const float *rank = weft_result_f32(r->pagerank, "rank");
    weft_vid(*best)[MEMBERS] = cli_take(listed, sizeof *best);
    size_t *count = cli_take(listed, sizeof *count);
    int code = best && count ? EXIT_DONE : EXIT_MEMORY;
    for (weft_vid v = 0; v < r->info.vertices && !code; v++) {
        size_t c = r->community[v];
        if (c >= listed || (count[c] == MEMBERS && !(rank[v] > rank[best[c][MEMBERS - 1]]))) continue;
        size_t at = count[c] < MEMBERS ? count[c]++ : MEMBERS - 1;
        for (; at > 0 && rank[v] > rank[best[c][at - 1]]; at--) best[c][at] = best[c][at - 1];
        best[c][at] = v;
    }
    report_table(r, "members",
                 r->labels.texts ? (const char *const[]){"community", "id", "label", "pagerank", NULL}
                                 : (const char *const[]){"community", "id", "pagerank", NULL});
    for (size_t c = 0; c < listed && !code; c++)
        for (size_t k = 0; k < count[c]; k++) {
            report_row(r);
            json_vertex(r->j, r->g, NULL, parts[c].first);
            json_vertex(r->j, r->g, NULL, best[c][k]);
            if (r->labels.texts) json_text(r->j, NULL, r->labels.texts[best[c][k]]);
            json_f32(r->j, NULL, rank[best[c][k]]);
            report_row_end(r);
        }
    report_table_end(r);
    free(best);
    free(count);
    return code;
}

static int put_section(report *r, const weft_result *leiden, const weft_result *quality, const report_part *parts) {
    size_t alone = 0;
    report_circles drawn = {0};
    int code = report_circles_make(r, parts, &drawn);
    while (alone < r->communities && parts[r->communities - alone - 1].size == 1) alone++;
    if (!code) {
        report_values(r);
        report_scalars(r, leiden);
        json_scalar(r->j, weft_result_scalar(quality, "coverage"));
        json_u64(r->j, "alone", alone);
        report_tables(r);
        report_sizes(r, "sizes", "communities", parts, r->communities);
        put_largest(r, quality, parts, drawn.count);
        code = put_members(r, parts, drawn.count);
        report_circles_put(r, parts, &drawn);
        report_section_end(r);
    }
    report_circles_free(&drawn);
    return code;
}

int report_communities(report *r) {
    weft_result *leiden = NULL, *quality = NULL;
    report_part *parts = NULL;
    weft_vid n = weft_graph_vertices(r->g);
    report_section(r, "communities");
    bool quick = r->call->options.quick;
    if ((double)r->info.arcs > (quick ? most_quick_arcs : most_arcs)) {
        report_left_out(r, "finding communities of this many edges takes long%s; weft leiden FILE finds them",
                        quick ? " (--quick)" : "");
        return EXIT_DONE;
    }
    weft_leiden_params p = WEFT_LEIDEN_DEFAULTS;
    if (quick) p.iterations = 1;
    int code = report_run(r, "leiden", &p, "communities", "a local optimum of modularity", &leiden);
    if (code) return code;
    const weft_vid *label = weft_result_u32(leiden, "community");
    double began = cli_now_ms();
    weft_status st = weft_partition_quality(r->ctx, r->g, label, NULL, &quality);
    if (st) code = cli_fail_status(r->ctx, st);
    if (!code) report_counted(r, "edges inside, edges that leave, conductance", "sums over arcs", cli_now_ms() - began);
    if (!code && !(parts = report_parts(n, label, &r->communities))) code = EXIT_MEMORY;
    if (!code && !(r->community = report_numbers(n, label, parts, r->communities))) code = EXIT_MEMORY;
    if (!code) code = put_section(r, leiden, quality, parts);
    free(parts);
    weft_result_free(quality);
    weft_result_free(leiden);
    return code;
}
