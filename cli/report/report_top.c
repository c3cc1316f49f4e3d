/* The most important vertices by several measures: the vertices among the first by any measure, with all their
 * measures. */
#include "report/graph_report.h"
#include "weft/hits.h"
#include "weft/pagerank.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_HITS = 2000 }; /* HITS: grids and roads take more than its 100 iterations */
static const double most_iteration_work = 2e9, patient_work = 2e7; /* arcs times iterations */

typedef struct measure {
    const char *name;
    const weft_column *column;
} measure;

typedef struct leaders {
    measure measures[REPORT_MEASURES];
    size_t measure_count;
} leaders;

static void add_measure(leaders *l, const char *name, const weft_result *result, const char *column) {
    if (result) l->measures[l->measure_count++] = (measure){name, weft_result_column(result, column)};
}

static int ascending(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

static double value_of(const weft_column *c, weft_vid v) {
    switch (c->type) {
    case WEFT_U64: return (double)((const uint64_t *)c->data)[v];
    case WEFT_U32: return ((const uint32_t *)c->data)[v];
    case WEFT_F32: return (double)((const float *)c->data)[v];
    default: return ((const double *)c->data)[v];
    }
}

/* Ties by PageRank, the first measure, then by vertex. */
static bool leads(const leaders *l, const weft_column *by, weft_vid a, weft_vid b) {
    const weft_column *columns[] = {by, l->measures[0].column};
    for (size_t i = 0; i < 2; i++) {
        double x = value_of(columns[i], a), y = value_of(columns[i], b);
        if (x != y) return x > y;
    }
    return a < b;
}

/* r->leaders: without duplicates. */
static void find_leaders(report *r, leaders *l) {
    size_t all = 0, kept = 0;
    for (size_t i = 0; i < l->measure_count; i++) {
        const weft_column *by = l->measures[i].column;
        weft_vid *best = r->leaders + all;
        size_t count = 0;
        for (weft_vid v = 0; v < r->info.vertices; v++) {
            if (count == REPORT_LEADERS && !leads(l, by, v, best[count - 1])) continue;
            size_t at = count < REPORT_LEADERS ? count++ : count - 1;
            for (; at > 0 && leads(l, by, v, best[at - 1]); at--) best[at] = best[at - 1];
            best[at] = v;
        }
        all += count;
    }
    qsort(r->leaders, all, sizeof *r->leaders, ascending);
    for (size_t i = 0; i < all; i++)
        if (!i || r->leaders[i] != r->leaders[i - 1]) r->leaders[kept++] = r->leaders[i];
    r->leader_count = kept;
}

static void put_value(json *j, const weft_column *c, weft_vid v) {
    if (c->type == WEFT_U64)
        json_u64(j, NULL, ((const uint64_t *)c->data)[v]);
    else if (c->type == WEFT_U32)
        json_u64(j, NULL, ((const uint32_t *)c->data)[v]);
    else if (c->type == WEFT_F32)
        json_f32(j, NULL, ((const float *)c->data)[v]);
    else
        json_f64(j, NULL, ((const double *)c->data)[v]);
}

static void put_leaders(report *r, const leaders *l) {
    const char *columns[REPORT_MEASURES + 3] = {"id"};
    size_t first = 1;
    if (r->labels.texts) columns[first++] = "label";
    for (size_t i = 0; i < l->measure_count; i++) columns[first + i] = l->measures[i].name;
    report_table(r, "vertices", columns);
    for (size_t i = 0; i < r->leader_count; i++) {
        weft_vid v = r->leaders[i];
        report_row(r);
        json_vertex(r->j, r->g, NULL, v);
        if (r->labels.texts) json_text(r->j, NULL, r->labels.texts[v]);
        for (size_t k = 0; k < l->measure_count; k++) put_value(r->j, l->measures[k].column, v);
        report_row_end(r);
    }
    report_table_end(r);
}

static void put_scalars(report *r, const char *name, const weft_result *result) {
    if (!result) return;
    json_open_object(r->j, name, true);
    report_scalars(r, result);
    json_close(r->j);
}

/* --quick leaves out betweenness and HITS. */
int report_top(report *r) {
    leaders l = {.measure_count = 0};
    bool quick = r->call->options.quick;
    weft_pagerank_params p = WEFT_PAGERANK_DEFAULTS;
    weft_hits_params h = WEFT_HITS_DEFAULTS;
    double most = most_iteration_work / ((double)r->info.arcs + 1);
    if (most < 10) most = 10;
    if (most < (double)p.max_iterations) p.max_iterations = h.max_iterations = (uint64_t)most;
    if (patient_work / (double)(r->info.arcs + 1) > (double)h.max_iterations)
        h.max_iterations = (uint64_t)fmin(MOST_HITS, patient_work / (double)(r->info.arcs + 1));
    report_section(r, "top");
    int code = report_run(r, "pagerank", &p, "pagerank", "to the tolerance, as 32-bit floats", &r->pagerank);
    if (!code && !quick) code = report_brokers(r);
    if (!code && !quick) code = report_run(r, "hits", &h, "hub and authority", "to the tolerance", &r->hits);
    if (code) return code;
    add_measure(&l, "pagerank", r->pagerank, "rank");
    add_measure(&l, "betweenness", r->betweenness, "betweenness");
    if (r->info.directed) {
        add_measure(&l, "in_degree", r->degree, "in");
        add_measure(&l, "out_degree", r->degree, "out");
        add_measure(&l, "authority", r->hits, "authority");
        add_measure(&l, "hub", r->hits, "hub");
    } else {
        add_measure(&l, "degree", r->degree, "total");
        add_measure(&l, "hub", r->hits, "hub");
    }
    add_measure(&l, "core", r->core, "core");
    add_measure(&l, "triangles", r->triangles, "triangles");
    find_leaders(r, &l);
    report_values(r);
    put_scalars(r, "pagerank", r->pagerank);
    put_scalars(r, "betweenness", r->betweenness);
    put_scalars(r, "hits", r->hits);
    report_tables(r);
    put_leaders(r, &l);
    report_section_end(r);
    return EXIT_DONE;
}
