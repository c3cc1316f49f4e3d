/* hits: repeats the reported number of iterations, from 1/n, in double with compensated sums, by the definition. All
 * terms have one sign, so errors are relative, a few ulps per iteration: the tolerance of the comparison.
 * The iteration must have ended for a valid reason. */
#include "weft/hits.h"
#include "checks.h"

#include <math.h>

typedef struct recomputation {
    const weft_graph *g;
    const weft_hits_params *params;
    weft_csr out;
    double *hub, *authority; /* n elements each of four arrays */
    double *sum, *lost;
    double largest; /* largest weight */
    check_watch *watch;
} recomputation;

static double weight_at(const recomputation *a, weft_eid e) {
    return a->params->weights ? check_weight(a->g, &a->out, e) : 1;
}

/* Normalises the sums into `to`; returns the L1 change. */
static double normalise(recomputation *a, double *to) {
    double all = 0, rest = 0, moved = 0, gone = 0;
    for (weft_vid v = 0; v < a->out.vertices; v++) check_add(&all, &rest, a->sum[v] + a->lost[v]);
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        double value = (a->sum[v] + a->lost[v]) / (all + rest);
        check_add(&moved, &gone, fabs(value - to[v]));
        to[v] = value;
        a->sum[v] = a->lost[v] = 0;
    }
    return moved + gone;
}

/* One iteration; returns the larger L1 change of hubs and authorities. The sums are 0 before and after. */
static double step(recomputation *a) {
    const weft_csr *out = &a->out;
    for (weft_vid u = 0; u < out->vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            check_add(&a->sum[v], &a->lost[v], a->hub[u] * (weight_at(a, e) / a->largest));
        }
    double moved = normalise(a, a->authority);
    for (weft_vid u = 0; u < out->vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++)
            check_add(&a->sum[u], &a->lost[u], a->authority[out->targets[e]] * (weight_at(a, e) / a->largest));
    return fmax(moved, normalise(a, a->hub));
}

static void find_largest(recomputation *a) {
    a->largest = 0;
    for (weft_vid u = 0; u < a->out.vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = a->out.offsets[u]; e < a->out.offsets[u + 1]; e++)
            a->largest = fmax(a->largest, weight_at(a, e));
}

static double apart(const double *x, const double *y, weft_vid n) {
    double sum = 0, lost = 0;
    for (weft_vid v = 0; v < n; v++) check_add(&sum, &lost, x[v] >= 0 && x[v] <= 1 + 1e-9 ? fabs(x[v] - y[v]) : 1);
    return sum + lost;
}

static int compare(recomputation *a, const double *hub, const double *authority, uint64_t iterations, double residual) {
    weft_vid n = a->out.vertices;
    const weft_hits_params *p = a->params;
    find_largest(a);
    int arcs = a->largest > 0;
    double moved = 0;
    for (weft_vid v = 0; v < n; v++) {
        a->hub[v] = a->authority[v] = arcs ? 1 / (double)n : 0;
        a->sum[v] = a->lost[v] = 0;
    }
    uint64_t most = p->iterations ? p->iterations : p->max_iterations;
    if (iterations > most || (arcs && !iterations) || (!arcs && iterations))
        return check_wrong(a->watch, "%llu iterations are impossible", (unsigned long long)iterations);
    for (uint64_t i = 0; i < iterations && !check_stops(a->watch, 0); i++) moved = step(a);
    double off = fmax(apart(hub, a->hub, n), apart(authority, a->authority, n));
    double bound = 1e-14 * ((double)iterations + 10);
    const char *s = iterations == 1 ? "" : "s";
    if (!(off <= bound) || !(fabs(moved - residual) <= bound))
        return check_wrong(
            a->watch,
            "after %llu iteration%s the values are off by %.3g in all, and the change by %.3g; at most %.3g can be "
            "explained",
            (unsigned long long)iterations, s, off, fabs(moved - residual), bound);
    if (p->iterations ? arcs && iterations != p->iterations : residual > p->tolerance && iterations < most)
        return check_wrong(a->watch, "the iteration ended after %llu iteration%s, with a change of %.3g",
                           (unsigned long long)iterations, s, residual);
    return check_right(
        a->watch,
        "%llu iteration%s again, by the definition: hubs and authorities differ by %.3g in all, at most %.3g can be "
        "explained",
        (unsigned long long)iterations, s, off, bound);
}

int weft_check_hits(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    recomputation a = {.g = g, .params = given, .out = check_out(w, g), .watch = w};
    const double *hub = weft_result_f64(result, "hub"), *authority = weft_result_f64(result, "authority");
    const weft_scalar *iterations = weft_result_scalar(result, "iterations"),
                      *residual = weft_result_scalar(result, "residual");
    size_t n = a.out.vertices;
    if (!hub || !authority || !iterations || !residual || weft_result_column(result, "hub")->length != n ||
        weft_result_column(result, "authority")->length != n)
        return check_wrong(w, "the result lacks a column or a scalar");
    double **arrays[] = {&a.hub, &a.authority, &a.sum, &a.lost};
    for (int i = 0; i < 4; i++) *arrays[i] = check_take(w, n, sizeof **arrays[i]);
    return !w->status && compare(&a, hub, authority, iterations->value.u64, residual->value.f64);
}
