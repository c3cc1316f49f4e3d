/* clustering: joined pairs of neighbours are enumerated and their arcs looked up in the graph, for every vertex of a
 * small graph and a sample of a large one. The average must be the mean of the column; transitivity must be the share
 * of closed wedges, exactly in a small graph, within the tolerance of random wedges in a large one. */
#include "weft/clustering.h"
#include "checks.h"

#include <math.h>

typedef struct answer {
    const double *coefficient;
    double average, transitivity;
    int fagiolo;
    double largest;   /* largest weight; 0: unweighted */
    weft_vid *common; /* n elements of scratch */
} answer;

/* Sum of the cube roots of the weights between two vertices, over the largest weight; in both directions in a
 * directed graph. */
static double roots_between(const weft_graph *g, const weft_csr *out, double largest, weft_vid u, weft_vid v) {
    double there = 0, back = 0;
    for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++)
        if (out->targets[e] == v) there += check_weight(g, out, e);
    for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1]; e++)
        if (out->targets[e] == u) back += check_weight(g, out, e);
    return weft_graph_directed(g) ? cbrt(there / largest) + cbrt(back / largest) : cbrt(there / largest);
}

/* Largest weight of a pair, with parallel arcs added up. */
static double largest_weight(const weft_graph *g, const weft_csr *out) {
    double largest = 0;
    for (weft_vid v = 0; v < out->vertices; v++)
        for (weft_eid e = out->offsets[v]; e < out->offsets[v + 1];) {
            weft_vid t = out->targets[e];
            double sum = 0;
            for (; e < out->offsets[v + 1] && out->targets[e] == t; e++) sum += check_weight(g, out, e);
            largest = fmax(largest, sum);
        }
    return largest;
}

/* Number of directions with an arc between two vertices: 0, 1 or 2. */
static unsigned arcs_between(const weft_graph *g, weft_vid u, weft_vid v) {
    return (unsigned)weft_graph_has_arc(g, u, v, NULL) + (unsigned)weft_graph_has_arc(g, v, u, NULL);
}

/* Coefficient of v by its definition; adds its closed wedges to *joined. An undirected graph stores both arcs of each
 * edge, for which LDBC's formula gives 2T/(d(d-1)). */
static double coefficient_of(const weft_graph *g, const check_simple *s, weft_vid v, const answer *a, double *joined) {
    int fagiolo = a->fagiolo;
    const weft_csr out = check_out(s->watch, g);
    double sum = 0, d = (double)check_simple_degree(s, v), ends = 0, both = 0;
    for (uint64_t i = s->offsets[v]; i < s->offsets[v + 1] && !check_stops(s->watch, 0); i++) {
        unsigned arcs_i = arcs_between(g, v, s->targets[i]);
        ends += arcs_i;
        both += arcs_i == 2;
        weft_vid x = s->targets[i];
        uint64_t common = check_simple_common(s, v, x, a->common);
        for (uint64_t k = 0; k < common; k++) {
            weft_vid y = a->common[k];
            if (y < x) continue;
            unsigned opposite = arcs_between(g, x, y);
            *joined += 1;
            if (a->largest > 0) {
                sum += (fagiolo ? 1 : 2) * roots_between(g, &out, a->largest, v, x) *
                       roots_between(g, &out, a->largest, v, y) * roots_between(g, &out, a->largest, x, y);
                continue;
            }
            sum += fagiolo ? opposite * arcs_i * arcs_between(g, v, y) : opposite;
        }
    }
    if (sum == 0) return 0;
    return fagiolo ? sum / (ends * (ends - 1) - 2 * both) : sum / (d * (d - 1));
}

static int near(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(b) + 1e-3); }

static int column_right(const weft_graph *g, const check_simple *s, const answer *a, uint64_t *recounted,
                        double *joined) {
    uint64_t spent = 0;
    weft_vid v = 0;
    for (*recounted = 0; check_simple_pick(s, *recounted, &spent, &v); (*recounted)++) {
        double want = coefficient_of(g, s, v, a, joined);
        if (near(a->coefficient[v], want)) continue;
        return check_wrong(s->watch, "vertex %s: coefficient is %.17g, but its neighbours give %.17g",
                           check_id(g, v).text, a->coefficient[v], want);
    }
    return 1;
}

static int scalars_right(const check_simple *s, const answer *a, double joined) {
    double sum = 0, wedges = (double)s->wedges[s->n];
    for (weft_vid v = 0; v < s->n; v++) {
        if (!(a->coefficient[v] >= 0 && a->coefficient[v] <= 1))
            return check_wrong(s->watch, "a coefficient is %g", a->coefficient[v]);
        sum += a->coefficient[v];
    }
    double mean = s->n ? sum / s->n : 0;
    if (!near(a->average, mean))
        return check_wrong(s->watch, "average is %.17g, but the mean of the column is %.17g", a->average, mean);
    int right = check_simple_exact(s) ? near(a->transitivity, wedges > 0 ? joined / wedges : 0)
                                      : check_simple_closed(s, a->transitivity);
    return right ||
           check_wrong(s->watch, "transitivity is %.17g, which is not the share of closed wedges", a->transitivity);
}

int weft_check_clustering(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    const weft_clustering_params *p = params;
    const weft_column *column = weft_result_column(result, "coefficient");
    const weft_scalar *average = weft_result_scalar(result, "average");
    const weft_scalar *transitivity = weft_result_scalar(result, "transitivity");
    answer a = {.coefficient = weft_result_f64(result, "coefficient")};
    if (!a.coefficient || !average || !transitivity || column->length != weft_graph_vertices(g))
        return check_wrong(w, "a column or a scalar is missing");
    a.average = average->value.f64;
    a.transitivity = transitivity->value.f64;
    a.fagiolo = weft_graph_directed(g) && p->directed_mode == WEFT_DIRECTED_FAGIOLO;
    weft_csr out = check_out(w, g);
    if (p->weights) a.largest = largest_weight(g, &out);
    check_simple s;
    if (!check_simple_make(g, w, &s) || !(a.common = check_take(w, s.n, sizeof *a.common))) return 0;
    uint64_t recounted = 0;
    double joined = 0;
    return column_right(g, &s, &a, &recounted, &joined) && scalars_right(&s, &a, joined) &&
           check_right(w, "%s %llu vertices recounted, average and transitivity fit",
                       check_simple_exact(&s) ? "all" : "a sample of", (unsigned long long)recounted);
}
