/* eigenvector: repeats the reported number of iterations, from 1/n, in double with compensated sums, by the
 * definition. All terms have one sign, so errors are relative, a few ulps per iteration. An upper bound of fixed
 * point's truncation is tracked per value; with long paths and no cycles it grows, because the smallest values feed
 * the largest.
 * Each vector on the way encloses the largest eigenvalue by its quotients: the interval of the result must match, or,
 * if values are so small that truncation affects them, intersect.
 * The iteration must have ended for a valid reason. */
#include "weft/eigenvector.h"
#include "checks.h"

#include <math.h>

typedef struct recomputation {
    const weft_graph *g;
    const weft_eigenvector_params *params;
    weft_csr out;
    double *x;          /* n elements each of five arrays */
    double *sum, *lost; /* 0 between iterations */
    double *off, *more; /* bound of the error of x, and its propagation along arcs; `more` is 0 between iterations */
    double doubt;       /* sum of `off` */
    double total;       /* sum of all weights */
    double shift;
    double uneven;    /* ratio of the largest and the smallest positive weight */
    double longest;   /* maximum in- or out-degree */
    double low, high; /* enclosure of the largest eigenvalue */
    double least;     /* smallest divisor of a quotient */
    check_watch *watch;
} recomputation;

static double weight_at(const recomputation *a, weft_eid e) {
    return a->params->weights ? check_weight(a->g, &a->out, e) : 1;
}

static void measure(recomputation *a) {
    const weft_csr *out = &a->out;
    double all = 0, rest = 0, most = 0, least = INFINITY;
    for (weft_vid u = 0; u < out->vertices && !check_stops(a->watch, u); u++) {
        a->longest = fmax(a->longest, (double)(out->offsets[u + 1] - out->offsets[u]));
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            double weight = weight_at(a, e);
            check_add(&all, &rest, weight);
            most = fmax(most, weight);
            if (weight > 0) least = fmin(least, weight);
            a->sum[out->targets[e]]++;
        }
    }
    for (weft_vid v = 0; v < out->vertices; v++) {
        a->longest = fmax(a->longest, a->sum[v]);
        a->sum[v] = 0;
    }
    a->total = all + rest;
    a->uneven = most > 0 ? most / least : 1;
    a->shift = 1;
    if (a->params->weights && a->total > 0)
        a->shift = exp2(round(log2(a->total / (double)out->offsets[out->vertices])));
}

/* Encloses the eigenvalue by the quotients of the vector and its image, the sums. */
static void enclose(recomputation *a) {
    double low = INFINITY, high = 0, xax = 0, xax_rest = 0, xx = 0, xx_rest = 0;
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        double x = a->x[v], image = a->sum[v] + a->lost[v], quotient = x > 0 ? image / x : INFINITY;
        low = fmin(low, x > 0 ? quotient : 0);
        high = fmax(high, quotient);
        a->least = fmin(a->least, x);
        check_add(&xax, &xax_rest, x * image);
        check_add(&xx, &xx_rest, x * x);
    }
    if (!weft_graph_directed(a->g)) low = fmax(low, (xax + xax_rest) / (xx + xx_rest));
    a->low = fmax(a->low, low);
    a->high = fmin(a->high, high);
}

/* One iteration; returns the L1 change. */
static double step(recomputation *a) {
    const weft_csr *out = &a->out;
    double all = 0, rest = 0, moved = 0, gone = 0, doubt = 0;
    for (weft_vid u = 0; u < out->vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            check_add(&a->sum[v], &a->lost[v], a->x[u] * weight_at(a, e));
            a->more[v] += a->off[u] * weight_at(a, e);
        }
    enclose(a);
    for (weft_vid v = 0; v < out->vertices; v++) {
        check_add(&a->sum[v], &a->lost[v], a->shift * a->x[v]);
        check_add(&all, &rest, a->sum[v] + a->lost[v]);
    }
    for (weft_vid v = 0; v < out->vertices; v++) {
        double value = (a->sum[v] + a->lost[v]) / (all + rest);
        int met = a->sum[v] + a->lost[v] > a->shift * a->x[v]; /* received by an arc, so its sum was truncated */
        check_add(&moved, &gone, fabs(value - a->x[v]));
        a->off[v] = (a->more[v] + a->shift * a->off[v]) / (all + rest) + (met ? a->longest * 0x1p-92 : 0);
        doubt += a->off[v];
        a->x[v] = value;
        a->sum[v] = a->lost[v] = a->more[v] = 0;
    }
    a->doubt = doubt;
    return moved + gone;
}

/* Euclidean norm. */
static double norm_of(const double *x, weft_vid n) {
    double sum = 0, lost = 0;
    for (weft_vid v = 0; v < n; v++) check_add(&sum, &lost, x[v] * x[v]);
    return sqrt(sum + lost);
}

/* Largest difference of a score; invalid values of the result count as 1. */
static double apart(const double *score, const double *x, weft_vid n) {
    double norm = norm_of(x, n), off = 0;
    for (weft_vid v = 0; v < n; v++)
        off = fmax(off, score[v] >= 0 && score[v] <= 1 + 1e-9 ? fabs(score[v] - x[v] / norm) : 1);
    return off;
}

/* True if the interval matches the enclosure by the iterations. */
static int enclosed(const recomputation *a, double low, double high, double iterations, double bound) {
    double n = a->out.vertices;
    /* relative truncation of fixed point, of values or sums; small weights beside large ones lose more */
    double cut = 0x1p-90 * a->uneven * (a->longest * iterations / a->least + n * n);
    double apart = bound + 4e-12 + cut;
    if (!(low >= 0 && low <= high)) return 0;
    if (apart < 1e-3)
        return low <= a->low * (1 + apart) && low >= a->low * (1 - apart) && high <= a->high * (1 + apart) &&
               high >= a->high * (1 - apart);
    return low <= a->high * (1 + 1e-9) && high >= a->low * (1 - 1e-9);
}

typedef struct answer {
    const double *score;
    uint64_t iterations;
    double residual, low, high;
} answer;

static int refuse(const recomputation *a, const char *what, uint64_t iterations) {
    return check_wrong(a->watch, "%s after %llu iteration%s", what, (unsigned long long)iterations,
                       iterations == 1 ? "" : "s");
}

static int compare(recomputation *a, const answer *r) {
    weft_vid n = a->out.vertices;
    const weft_eigenvector_params *p = a->params;
    double moved = 0, bound = 1e-13 * ((double)r->iterations + 10);
    for (weft_vid v = 0; v < n; v++) {
        a->x[v] = 1 / (double)n;
        a->sum[v] = a->lost[v] = a->off[v] = a->more[v] = 0;
    }
    measure(a);
    if (r->iterations > p->max_iterations || (a->total > 0) != (r->iterations > 0))
        return refuse(a, "the iteration cannot have ended", r->iterations);
    for (uint64_t i = 0; i < r->iterations && !check_stops(a->watch, 0); i++) moved = step(a);
    double off = n ? apart(r->score, a->x, n) : 0;
    bound += n ? 4 * a->doubt / norm_of(a->x, n) : 0;
    if (n && !(fabs(norm_of(r->score, n) - 1) <= 1e-9)) return refuse(a, "the squares do not sum to 1", r->iterations);
    if (!(off <= bound) || !(fabs(moved - r->residual) <= bound))
        return check_wrong(
            a->watch,
            "after %llu iterations a score is off by %.3g, and the change by %.3g; at most %.3g can be explained",
            (unsigned long long)r->iterations, off, fabs(moved - r->residual), bound);
    if (r->iterations ? !enclosed(a, r->low, r->high, (double)r->iterations, bound) : r->low != 0 || r->high != 0)
        return check_wrong(
            a->watch,
            "the largest eigenvalue is said to lie in %.15g ... %.15g, the iterations enclose it in %.15g ... %.15g",
            r->low, r->high, a->low, a->high);
    if (r->residual > p->tolerance && r->iterations < p->max_iterations)
        return refuse(a, "the iteration ended without a reason", r->iterations);
    return check_right(
        a->watch,
        "%llu iteration%s again, by the definition: no score differs by more than %.3g, at most %.3g can be "
        "explained; the largest eigenvalue is enclosed",
        (unsigned long long)r->iterations, r->iterations == 1 ? "" : "s", off, bound);
}

int weft_check_eigenvector(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    recomputation a = {.g = g, .params = given, .out = check_out(w, g), .high = INFINITY, .least = 1, .watch = w};
    const weft_scalar *iterations = weft_result_scalar(result, "iterations"),
                      *residual = weft_result_scalar(result, "residual"),
                      *low = weft_result_scalar(result, "lambda_low"),
                      *high = weft_result_scalar(result, "lambda_high");
    answer r = {.score = weft_result_f64(result, "score")};
    size_t n = a.out.vertices;
    if (!r.score || !iterations || !residual || !low || !high || weft_result_column(result, "score")->length != n)
        return check_wrong(w, "the result lacks a column or a scalar");
    r.iterations = iterations->value.u64;
    r.residual = residual->value.f64;
    r.low = low->value.f64;
    r.high = high->value.f64;
    double **arrays[] = {&a.x, &a.sum, &a.lost, &a.off, &a.more};
    for (int i = 0; i < 5; i++) *arrays[i] = check_take(w, n, sizeof **arrays[i]);
    return !w->status && compare(&a, &r);
}
