/* Mixing of vertices, as weft mixing computes it: reciprocity, degree assortativity, the rich club. */
#include "report/graph_report.h"
#include "weft/mixing.h"

static void put_rich_club(report *r, const weft_result *result) {
    const uint64_t *degree = weft_result_u64(result, "degree"), *club = weft_result_u64(result, "club"),
                   *edges = weft_result_u64(result, "club_edges");
    const double *rich = weft_result_f64(result, "rich_club");
    report_table(r, "rich_club", (const char *const[]){"degree", "at_or_above", "edges_between", "share", NULL});
    for (size_t i = 0; i < weft_result_column(result, "degree")->length; i++) {
        report_row(r);
        json_u64(r->j, NULL, degree[i]);
        json_u64(r->j, NULL, club[i]);
        json_u64(r->j, NULL, edges[i]);
        json_f64(r->j, NULL, rich[i]);
        report_row_end(r);
    }
    report_table_end(r);
}

int report_mixing(report *r) {
    weft_mixing_params p = WEFT_MIXING_DEFAULTS;
    weft_result *result = NULL;
    p.transitivity = 0; /* that of clustering */
    report_section(r, "mixing");
    int code =
        report_run(r, "mixing", &p,
                   r->info.directed ? "reciprocity, degree assortativity (out-degree where an arc begins, in-degree "
                                      "where it ends), edges between those of high degree"
                                    : "degree assortativity, edges between those of high degree",
                   "exact", &result);
    if (code) return code;
    uint64_t mutual = weft_result_scalar(result, "mutual")->value.u64;
    r->found.one_way = r->info.arcs - r->info.self_loops;
    r->found.mutual = r->info.directed ? mutual : 0;
    report_values(r);
    if (r->info.directed) {
        json_f64(r->j, "reciprocity", weft_result_scalar(result, "reciprocity")->value.f64);
        json_u64(r->j, "mutual", mutual);
    }
    json_f64(r->j, "assortativity", weft_result_scalar(result, "assortativity")->value.f64);
    report_tables(r);
    put_rich_club(r, result);
    report_section_end(r);
    weft_result_free(result);
    return EXIT_DONE;
}
