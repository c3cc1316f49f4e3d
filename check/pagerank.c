/* pagerank: ranks are nonnegative; they sum to 1 (to at most 1 if dangling rank is dropped); and they solve the
 * equation: one more step, pushed along the outgoing arcs in double, changes them by at most the last step's change.
 * If a number of iterations was requested and the graph is small enough, all iterations are repeated. */
#include "weft/pagerank.h"
#include "checks.h"

#include <math.h>
#include <string.h>

/* Largest product of arcs and iterations for a full repetition. */
#define REPLAY_BELOW 2e8

typedef struct equation {
    const weft_graph *g;
    const weft_pagerank_params *p;
    double *restart, *dangling_to; /* each sums to 1 */
    double *rank, *next;
    double *dropped; /* compensation of next */
    check_watch *watch;
} equation;

/* Kahan's compensated sum (1965): a million plain additions would exceed the tolerance. */
static void add(double *sum, double *dropped, double x) {
    double term = x - *dropped, more = *sum + term;
    *dropped = (more - *sum) - term;
    *sum = more;
}

static double sum_of(const double *values, weft_vid n) {
    double sum = 0, dropped = 0;
    for (weft_vid v = 0; v < n; v++) add(&sum, &dropped, values[v]);
    return sum;
}

static int wrong(const equation *q, const char *what, double got, double most) {
    return check_wrong(q->watch, "%s is %.9g, but must not be above %.9g", what, got, most);
}

static double weight_of(const equation *q, const weft_csr *out, weft_eid e) {
    return q->p->weights ? check_weight(q->g, out, e) : 1;
}

/* next = (1 - d) restart + d (A rank + dangling dangling_to) */
static void step(const equation *q) {
    weft_csr out = check_out(q->watch, q->g);
    double dangling = 0, dangling_dropped = 0;
    memset(q->next, 0, out.vertices * sizeof *q->next);
    memset(q->dropped, 0, out.vertices * sizeof *q->dropped);
    for (weft_vid u = 0; u < out.vertices && !check_stops(q->watch, u); u++) {
        double parts = 0;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) parts += weight_of(q, &out, e);
        if (!(parts > 0)) add(&dangling, &dangling_dropped, q->rank[u]);
        for (weft_eid e = out.offsets[u]; parts > 0 && e < out.offsets[u + 1]; e++) {
            weft_vid v = out.targets[e];
            add(&q->next[v], &q->dropped[v], q->rank[u] * (weight_of(q, &out, e) / parts));
        }
    }
    if (q->p->dangling == WEFT_DANGLING_DROP) dangling = 0;
    double d = q->p->damping;
    for (weft_vid v = 0; v < out.vertices; v++)
        q->next[v] = (1 - d) * q->restart[v] + d * (q->next[v] + dangling * q->dangling_to[v]);
}

static double distance(const double *a, const double *b, weft_vid n) {
    double sum = 0;
    for (weft_vid v = 0; v < n; v++) sum += fabs(a[v] - b[v]);
    return sum;
}

/* The weights (NULL: equal) as shares of their sum. */
static int make_shares(const equation *q, const double *weight, double *share) {
    weft_vid n = weft_graph_vertices(q->g);
    double sum = 0;
    for (weft_vid v = 0; v < n; v++) sum += share[v] = weight ? weight[v] : 1;
    if (n && !(sum > 0)) return check_wrong(q->watch, "the given weights sum to %g", sum);
    for (weft_vid v = 0; v < n; v++) share[v] /= sum;
    return 1;
}

static int scalars_right(const equation *q, const weft_result *result, double slack, double *residual) {
    const weft_scalar *iterations = weft_result_scalar(result, "iterations"), *sum = weft_result_scalar(result, "sum"),
                      *change = weft_result_scalar(result, "residual");
    if (!iterations || !change || !sum) return check_wrong(q->watch, "a scalar is missing");
    double total = sum_of(q->rank, weft_graph_vertices(q->g));
    uint64_t done = iterations->value.u64, most = q->p->iterations ? q->p->iterations : q->p->max_iterations;
    *residual = change->value.f64;
    if (q->p->iterations ? done != most : done > most)
        return wrong(q, "the number of iterations", (double)done, (double)most);
    if (!(*residual >= 0) || (done<most && * residual> q->p->tolerance))
        return wrong(q, "the residual", *residual, q->p->tolerance);
    if (!(fabs(total - sum->value.f64) <= 1e-9))
        return wrong(q, "the difference between the sum and that of the ranks", fabs(total - sum->value.f64), 1e-9);
    if (q->p->dangling == WEFT_DANGLING_REDISTRIBUTE && weft_graph_vertices(q->g) && !(total >= 1 - slack))
        return wrong(q, "the difference of the sum of the ranks from 1", 1 - total, slack);
    /* Ranks with this residual may exceed the exact sum by that much. */
    double most_sum =
        1 + slack + (q->p->dangling == WEFT_DANGLING_DROP ? *residual / (1 - fmin(q->p->damping, 0.99)) : 0);
    return total <= most_sum ? 1 : wrong(q, "the sum of the ranks", total, most_sum);
}

static int ranks_right(const equation *q) {
    for (weft_vid v = 0; v < weft_graph_vertices(q->g); v++) {
        if (q->rank[v] >= 0 && q->rank[v] <= 1 + 1e-6) continue;
        return check_wrong(q->watch, "vertex %s: the rank %g does not lie between 0 and 1", check_id(q->g, v).text,
                           q->rank[v]);
    }
    return 1;
}

/* Repeats the number of steps from the same start, in double. */
static int replay_right(equation *q, double slack) {
    weft_vid n = weft_graph_vertices(q->g);
    double work = (double)q->p->iterations * ((double)weft_graph_arcs(q->g) + n);
    double *got = q->rank;
    if (!q->p->iterations || work > REPLAY_BELOW) return 1;
    q->rank = check_take(q->watch, n, sizeof *q->rank);
    if (!q->rank || !make_shares(q, q->p->nstart, q->rank)) return 0;
    for (uint64_t i = 0; i < q->p->iterations && !q->watch->stopped; i++) {
        step(q);
        double *swap = q->rank;
        q->rank = q->next;
        q->next = swap;
    }
    double far = distance(q->rank, got, n);
    return far <= slack ? 1 : wrong(q, "the distance from the ranks after so many iterations", far, slack);
}

/* A half-precision contribution has 11 bits: its error is 2^-11 of it, or half a unit if it is tiny (1 stands for
 * 2^15 or n / 16, a unit for 2^-24). What one vertex loses restarts everywhere, so it counts twice. */
static double narrow_slack(const weft_graph *g) {
    double one = fmax(32768, exp2(ceil(log2(fmax(1, weft_graph_vertices(g)))) - 4));
    return 2 * (0x1p-11 + (double)weft_graph_arcs(g) * (0x1p-25 / one));
}

int weft_check_pagerank(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    weft_vid n = weft_graph_vertices(g);
    equation q = {.g = g, .p = params, .watch = w};
    const float *rank_32 = weft_result_f32(result, "rank");
    const double *rank_64 = weft_result_f64(result, "rank");
    int is_double = q.p->precision == WEFT_PRECISION_F64;
    if (is_double ? !rank_64 : !rank_32) return check_wrong(w, "the column rank is missing or has another precision");
    q.restart = check_take(w, n, sizeof *q.restart);
    q.dangling_to = check_take(w, n, sizeof *q.dangling_to);
    q.rank = check_take(w, n, sizeof *q.rank);
    q.next = check_take(w, n, sizeof *q.next);
    q.dropped = check_take(w, n, sizeof *q.dropped);
    if (w->status) return 0;
    /* A step rounds each rank and each share; earlier rounding errors fade with the damping. */
    double slack = (is_double ? 1e-12 : 4e-7), drift = slack, residual = 0, fades = 1 / (1 - fmin(q.p->damping, 0.99));
    if (q.p->precision == WEFT_PRECISION_F16) {
        slack += narrow_slack(g);
        if (q.p->dangling == WEFT_DANGLING_DROP || q.p->damping > 0.999) drift = slack;
    }
    for (weft_vid v = 0; v < n; v++) q.rank[v] = is_double ? rank_64[v] : (double)rank_32[v];
    const double *dangling_to = q.p->dangling_to ? q.p->dangling_to : q.p->restart;
    if (!make_shares(&q, q.p->restart, q.restart) || !make_shares(&q, dangling_to, q.dangling_to) || !ranks_right(&q) ||
        !scalars_right(&q, result, drift * fades, &residual))
        return 0;
    step(&q);
    double moved = distance(q.rank, q.next, n);
    if (!(moved <= residual + slack)) return wrong(&q, "the residual of the equation", moved, residual + slack);
    return replay_right(&q, slack * fades) &&
           check_right(w, "the ranks of %u vertices solve the equation within %.3g (L1), recomputed in double", n,
                       moved);
}
