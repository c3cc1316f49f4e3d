/* mixing: all rows are traversed again, reverse arcs looked up, and correlations computed from deviations from the
 * mean in long double. Transitivity is the share of closed wedges: exactly in a small graph, within the tolerance of
 * random wedges in a large one. */
#include "weft/mixing.h"
#include "checks.h"

#include <inttypes.h>
#include <math.h>

typedef struct scene {
    const weft_graph *g;
    const weft_result *result;
    weft_csr out;
    uint64_t *in, *degree, *within; /* in, degree: by vertex; within: by degree */
    uint64_t *leave, *enter;        /* by group */
    uint64_t largest, mutual, loops;
    check_watch *watch;
} scene;

static int near(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : fabs(a - b) <= 1e-9 * (fabs(b) + 1e-3);
}

static int differs(const scene *s, const char *what, uint64_t at, double says, double is) {
    return check_wrong(s->watch, "%s, %" PRIu64 ": the result says %.17g, it is %.17g", what, at, says, is);
}

static uint64_t out_degree(const scene *s, weft_vid v) { return s->out.offsets[v + 1] - s->out.offsets[v]; }

static int set_up(scene *s) {
    weft_vid n = s->out.vertices;
    s->in = check_take(s->watch, n, sizeof *s->in);
    s->degree = check_take(s->watch, n, sizeof *s->degree);
    s->leave = check_take(s->watch, n, sizeof *s->leave);
    s->enter = check_take(s->watch, n, sizeof *s->enter);
    if (s->watch->status) return 0;
    for (weft_eid e = 0; e < s->out.arcs; e++) s->in[s->out.targets[e]]++;
    for (weft_vid v = 0; v < n; v++) {
        s->degree[v] = out_degree(s, v) + (weft_graph_directed(s->g) ? s->in[v] : 0);
        if (s->degree[v] > s->largest) s->largest = s->degree[v];
    }
    s->within = check_take(s->watch, s->largest, sizeof *s->within);
    return s->within != NULL;
}

/* Checks the columns and counts the inputs of the scalars. answered: number of each vertex's arcs, out and in, that
 * have a reverse. */
static int columns_right(scene *s, uint64_t *answered) {
    const weft_column *mean = weft_result_column(s->result, "neighbour_degree"),
                      *share = weft_result_column(s->result, "reciprocity");
    if (!mean || !share || mean->type != WEFT_F64 || share->type != WEFT_F64 || mean->length != s->out.vertices ||
        share->length != s->out.vertices)
        return check_wrong(s->watch, "a column is missing");
    const double *means = mean->data, *shares = share->data;
    for (weft_vid v = 0; v < s->out.vertices && !check_stops(s->watch, v); v++) {
        double sum = 0;
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) {
            weft_vid u = s->out.targets[e];
            sum += (double)out_degree(s, u);
            s->loops += u == v;
            if (u == v) continue;
            s->within[s->degree[u] < s->degree[v] ? s->degree[u] : s->degree[v]]++;
            if (!weft_graph_has_arc(s->g, u, v, NULL)) continue;
            s->mutual++;
            answered[v]++;
            answered[u]++;
        }
        double is = out_degree(s, v) ? sum / (double)out_degree(s, v) : 0;
        if (!near(means[v], is)) return differs(s, "neighbour_degree of vertex", v, means[v], is);
    }
    for (weft_vid v = 0; v < s->out.vertices; v++) {
        uint64_t ends = out_degree(s, v) + s->in[v];
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) ends -= s->out.targets[e] == v ? 2 : 0;
        double is = ends ? (double)answered[v] / (double)ends : (double)NAN;
        if (!near(shares[v], is)) return differs(s, "reciprocity of vertex", v, shares[v], is);
    }
    return 1;
}

static int scalar_right(const scene *s, const char *name, double is) {
    const weft_scalar *says = weft_result_scalar(s->result, name);
    if (!says) return check_wrong(s->watch, "%s is missing", name);
    double value = says->type == WEFT_U64 ? (double)says->value.u64 : says->value.f64;
    return near(value, is) ? 1 : differs(s, name, 0, value, is);
}

/* Arcs over possible arcs. */
static double share_of(uint64_t arcs, uint64_t vertices) {
    return (double)arcs / ((double)vertices * ((double)vertices - 1));
}

/* Every occurring degree has its row, ascending. */
static int table_right(scene *s) {
    static const char *const names[] = {"degree", "count", "club", "club_edges"};
    const uint64_t *column[4];
    const double *rich = weft_result_f64(s->result, "rich_club");
    size_t rows = rich ? weft_result_column(s->result, "rich_club")->length : 0;
    for (int i = 0; i < 4; i++) {
        column[i] = weft_result_u64(s->result, names[i]);
        if (!rich || !column[i] || weft_result_column(s->result, names[i])->length != rows)
            return check_wrong(s->watch, "column %s is missing", names[i]);
    }
    uint64_t *has = check_take(s->watch, s->largest, sizeof *has), club = 0, arcs = 0,
             half = weft_graph_directed(s->g) ? 1 : 2;
    size_t row = rows;
    int right = 1;
    if (!has) return 0;
    for (weft_vid v = 0; v < s->out.vertices; v++) has[s->degree[v]]++;
    for (uint64_t d = s->largest + 1; right && d-- && !check_stops(s->watch, d);) {
        if (!has[d]) continue;
        club += has[d];
        arcs += s->within[d];
        right = row-- > 0 && column[0][row] == d && column[1][row] == has[d] && column[2][row] == club &&
                column[3][row] == arcs / half && near(rich[row], club > 1 ? share_of(arcs, club) : (double)NAN);
        if (!right) differs(s, "row of the table for degree", d, row < rows ? rich[row] : 0, share_of(arcs, club));
    }
    return right && row ? differs(s, "rows of the table", 0, (double)rows, (double)(rows - row)) : right;
}

/* Correlation over all arcs of the source's out-degree and the target's in-degree. */
static double correlation(const scene *s) {
    long double x = 0, y = 0, xx = 0, yy = 0, xy = 0, arcs = (long double)s->out.arcs;
    for (weft_vid v = 0; v < s->out.vertices; v++) {
        x += (long double)out_degree(s, v) * (long double)out_degree(s, v) / arcs;
        y += (long double)s->in[v] * (long double)s->in[v] / arcs;
    }
    for (weft_vid v = 0; v < s->out.vertices && !check_stops(s->watch, v); v++)
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++) {
            long double a = (long double)out_degree(s, v) - x, b = (long double)s->in[s->out.targets[e]] - y;
            xx += a * a;
            yy += b * b;
            xy += a * b;
        }
    long double spread = sqrtl(xx) * sqrtl(yy);
    return xx > 1e-12L * arcs && yy > 1e-12L * arcs ? (double)(xy / spread) : (double)NAN;
}

static double group_assortativity(const scene *s, const weft_vid *group) {
    long double same = 0, chance = 0, arcs = (long double)s->out.arcs;
    if (!group || !s->out.arcs) return (double)NAN;
    for (weft_vid v = 0; v < s->out.vertices; v++) {
        s->leave[group[v]] += out_degree(s, v);
        s->enter[group[v]] += s->in[v];
        for (weft_eid e = s->out.offsets[v]; e < s->out.offsets[v + 1]; e++)
            same += group[s->out.targets[e]] == group[v];
    }
    int one = 0;
    for (weft_vid k = 0; k < s->out.vertices; k++) {
        chance += (long double)s->leave[k] / arcs * ((long double)s->enter[k] / arcs);
        one |= s->leave[k] == s->out.arcs && s->enter[k] == s->out.arcs;
    }
    return one ? (double)NAN : (double)((same / arcs - chance) / (1 - chance));
}

static int transitivity_right(const scene *s) {
    const weft_scalar *says = weft_result_scalar(s->result, "transitivity");
    check_simple simple;
    if (!says || !check_simple_make(s->g, s->watch, &simple)) return 0;
    int right;
    if (check_simple_exact(&simple)) {
        double closed = 0, wedges = (double)simple.wedges[simple.n];
        for (weft_vid v = 0; v < simple.n && !check_stops(s->watch, v); v++)
            for (uint64_t i = simple.offsets[v]; i < simple.offsets[v + 1]; i++)
                closed += (double)check_simple_common(&simple, v, simple.targets[i], NULL) / 2;
        right = near(says->value.f64, wedges > 0 ? closed / wedges : 0);
    } else {
        right = check_simple_closed(&simple, says->value.f64);
    }
    return right ||
           check_wrong(s->watch, "transitivity is %.17g, which is not the share of closed wedges", says->value.f64);
}

int weft_check_mixing(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    const weft_mixing_params *p = given;
    scene s = {.g = g, .result = result, .out = check_out(w, g), .watch = w};
    weft_vid n = s.out.vertices;
    uint64_t *answered = check_take(w, n, sizeof *answered);
    if (!answered || !set_up(&s) || !columns_right(&s, answered) || !table_right(&s)) return 0;
    uint64_t arcs = s.out.arcs - s.loops;
    return scalar_right(&s, "density", n > 1 ? share_of(arcs, n) : 0) &&
           scalar_right(&s, "assortativity", correlation(&s)) &&
           scalar_right(&s, "group_assortativity", group_assortativity(&s, p->groups)) &&
           scalar_right(&s, "reciprocity", arcs ? (double)s.mutual / (double)arcs : (double)NAN) &&
           scalar_right(&s, "mutual", (double)s.mutual) &&
           (p->transitivity ? transitivity_right(&s) : scalar_right(&s, "transitivity", (double)NAN)) &&
           check_right(w, "%" PRIu64 " arcs gone through again, with their reverses; all figures are as counted",
                       s.out.arcs);
}
