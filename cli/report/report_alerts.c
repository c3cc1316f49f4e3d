/* Alerts for the reader of figures: signs that the graph is not as intended, or that a figure does not mean what its
 * name says.  Each is an object of "alerts" with a kind and a sentence; the page shows them at its top. */
#include "report/graph_report.h"

#include <stdlib.h>

enum { LEAST_VERTICES_FOR_HUBS = 100 }; /* with fewer edges some vertex always has a tenth of them */
static const double most_in_one_group = 0.98, hub_share = 0.1, isolated_share = 0.1;

static void alert(report *r, const char *kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void alert(report *r, const char *kind, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) return;
    json_open_object(r->j, NULL, true);
    json_text(r->j, "kind", kind);
    json_text(r->j, "text", text);
    json_close(r->j);
    free(text);
}

static double share(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

static void judge_reading(report *r) {
    const weft_graph_info *i = &r->info;
    cli_text a, b;
    /* If the direction was assumed, the reader has warned, and warnings become alerts below. */
    if (i->directed && r->found.one_way && r->found.mutual == r->found.one_way && !i->direction_doubt)
        alert(r, "reciprocated", "every arc has its reverse: each edge is listed twice; --undirected counts it once");
    if (r->found.negative)
        alert(
            r, "negative_weights",
            "%s of %s edges %s a negative weight; shortest paths by weight are refused, and sums of weights cancel out",
            cli_count(a, r->found.negative), cli_count(b, i->edges), r->found.negative == 1 ? "has" : "have");
    uint64_t merged = i->weights_merged + i->opposite_weights_merged;
    if (merged)
        alert(r, "parallel_edges",
              "%s pair%s of vertices had parallel edges with different weights, of which the smallest was kept; "
              "--duplicates sum "
              "adds them up",
              cli_count(a, merged), cli_s(merged));
}

static void judge_hub(report *r) {
    const uint64_t *degree = r->degree ? weft_result_u64(r->degree, "total") : NULL;
    weft_vid hub = 0;
    if (!degree || r->info.vertices < LEAST_VERTICES_FOR_HUBS) return;
    for (weft_vid v = 0; v < r->info.vertices; v++)
        if (degree[v] > degree[hub]) hub = v;
    if (share(degree[hub], r->info.edges) < hub_share) return;
    char *id = cli_id_text(r->g, hub, false);
    cli_text a, b;
    if (id)
        alert(r, "hub", "one vertex, %s, is an end of %.3g %% of the edges (%s of %s)", id,
              100 * share(degree[hub], r->info.edges), cli_count(a, degree[hub]), cli_count(b, r->info.edges));
    free(id);
}

static void judge_shape(report *r) {
    const weft_graph_info *i = &r->info;
    cli_text a, b;
    judge_hub(r);
    if (i->vertices > 1 && share(i->isolated, i->vertices) >= isolated_share)
        alert(r, "isolated",
              "%.3g %% of the vertices have no edges (%s of %s): ids with gaps, or a list of vertices with more than "
              "the edges name",
              100 * share(i->isolated, i->vertices), cli_count(a, i->isolated), cli_count(b, i->vertices));
    if (r->found.grouped > 1 && share(r->found.largest_group, r->found.grouped) >= most_in_one_group)
        alert(r, "one_group", "%.3g %% of the vertices drawn are in one community (%s of %s): Leiden found no division",
              100 * share(r->found.largest_group, r->found.grouped), cli_count(a, r->found.largest_group),
              cli_count(b, r->found.grouped));
}

/* What --quick leaves out or shortens. */
static void judge_work(report *r) {
    if (r->call->options.quick)
        alert(
            r, "quick",
            "--quick left out betweenness, hubs and authorities (HITS), triangles and clustering, the distances of all "
            "pairs, %s; the drawing has a third of its steps",
            r->community ? "the test of the power law, and the second search for communities"
                         : "the test of the power law, communities of all vertices");
    if (r->found.doubt > 0)
        alert(r, "estimate",
              "betweenness is an estimate, and the bound of its error, %.2g, is larger than every value: this order is "
              "not certain, though the values that lead are mostly much closer",
              r->found.doubt);
}

void report_alerts(report *r) {
    json_open_array(r->j, "alerts", false);
    judge_work(r);
    judge_reading(r);
    judge_shape(r);
    for (size_t i = 0; i < r->note_count; i++)
        if (r->notes[i].warning) alert(r, "warning", "%s", r->notes[i].text);
    json_close(r->j);
}
