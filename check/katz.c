/* katz: repeats the reported number of terms, by the definition, in double with compensated sums. All terms have one
 * sign, so errors are relative: a few ulps per term, and fixed point's truncation. Then the series continues until
 * its terms are negligible: it must stay within the bounds of the result.
 * The summation must have ended for a valid reason. */
#include "weft/katz.h"
#include "checks.h"

#include <math.h>

enum { MORE = 300 }; /* further terms after the reported ones */

typedef struct recomputation {
    const weft_graph *g;
    const weft_katz_params *params;
    weft_csr out;
    double *term;               /* n elements each of five arrays */
    double *sum, *lost;         /* of the next term; 0 between terms */
    double *score, *score_lost; /* sum of all terms */
    double widest, longest;     /* largest weighted in-degree; maximum in-degree */
    double alpha;               /* as reported */
    double largest;             /* largest value of the last term */
    double cut;                 /* bound of fixed point's truncation, relative to beta */
    check_watch *watch;
} recomputation;

typedef struct answer {
    const double *score, *upper;
    uint64_t iterations;
    double error, norm;
} answer;

static double weight_at(const recomputation *a, weft_eid e) {
    return a->params->weights ? check_weight(a->g, &a->out, e) : 1;
}

static double score_at(const recomputation *a, weft_vid v) { return a->score[v] + a->score_lost[v]; }

static void begin(recomputation *a) {
    const weft_csr *out = &a->out;
    for (weft_vid v = 0; v < out->vertices; v++) a->sum[v] = a->lost[v] = a->score_lost[v] = 0;
    for (weft_vid u = 0; u < out->vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            a->sum[out->targets[e]] += weight_at(a, e);
            a->lost[out->targets[e]]++;
        }
    for (weft_vid v = 0; v < out->vertices; v++) {
        a->widest = fmax(a->widest, a->sum[v]);
        a->longest = fmax(a->longest, a->lost[v]);
        a->term[v] = a->score[v] = a->params->beta;
        a->sum[v] = a->lost[v] = 0;
    }
    a->largest = a->params->beta;
}

/* Replaces the last term by the next. */
static void step(recomputation *a) {
    const weft_csr *out = &a->out;
    const weft_katz_params *p = a->params;
    a->cut += 0x1p-90 * a->alpha * a->longest * a->largest * a->widest / p->beta;
    for (weft_vid u = 0; u < out->vertices && !check_stops(a->watch, u); u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            check_add(&a->sum[v], &a->lost[v], a->term[u] * weight_at(a, e));
        }
    a->largest = 0;
    for (weft_vid v = 0; v < out->vertices; v++) {
        a->term[v] = a->alpha * (a->sum[v] + a->lost[v]);
        check_add(&a->score[v], &a->score_lost[v], a->term[v]);
        a->largest = fmax(a->largest, a->term[v]);
        a->sum[v] = a->lost[v] = 0;
    }
}

/* Largest relative error of a score. */
static double apart(const recomputation *a, const answer *r) {
    double off = 0;
    for (weft_vid v = 0; v < a->out.vertices; v++) {
        double score = r->score[v] * r->norm, difference = fabs(score - score_at(a, v)) / score_at(a, v);
        off = fmax(off, difference <= 1 ? difference : 1);
    }
    return off;
}

static int is_norm(const recomputation *a, const answer *r) {
    double sum = 0, lost = 0;
    if (!a->params->normalized || !a->out.vertices) return r->norm == 1;
    for (weft_vid v = 0; v < a->out.vertices; v++) check_add(&sum, &lost, r->score[v] * r->score[v]);
    return r->norm > 0 && fabs(sum + lost - 1) <= 1e-9;
}

/* The first vertex whose score exceeds a bound of the result by more than rounding explains, or n. */
static weft_vid beyond(const recomputation *a, const answer *r, double bound) {
    weft_vid v = 0;
    for (; v < a->out.vertices; v++) {
        double score = score_at(a, v), below = r->score[v] * r->norm, spare = bound * score;
        if (score > below + r->error * r->norm + spare) break;
        if (r->upper && !(score <= r->upper[v] * r->norm + spare)) break;
    }
    return v;
}

/* True if upper bounds are as near to the scores as the error says. */
static int near_scores(const recomputation *a, const answer *r) {
    for (weft_vid v = 0; r->upper && v < a->out.vertices; v++)
        if (!(r->upper[v] >= r->score[v] && r->upper[v] <= (r->score[v] + r->error) * (1 + 1e-12))) return 0;
    return 1;
}

static int ended(const recomputation *a, const answer *r) {
    const weft_katz_params *p = a->params;
    double most = 0;
    for (weft_vid v = 0; v < a->out.vertices; v++) most = fmax(most, r->score[v]);
    return r->iterations == p->max_iterations || r->error <= p->tolerance * most * (1 + 1e-12) ||
           a->largest < p->beta * 0x1p-99 || a->cut >= 1; /* then terms may vanish early */
}

static int refuse(const recomputation *a, const char *what, uint64_t iterations) {
    return check_wrong(a->watch, "%s after %llu term%s", what, (unsigned long long)iterations,
                       iterations == 1 ? "" : "s");
}

static int compare(recomputation *a, const answer *r) {
    const weft_katz_params *p = a->params;
    begin(a);
    int sums = a->widest > 0;
    double alpha = p->alpha > 0 ? p->alpha : 1 / (a->widest + 1);
    if (!(fabs(a->alpha - alpha) <= 1e-12 * alpha)) return refuse(a, "alpha is wrong", r->iterations);
    if (r->iterations > p->max_iterations || sums != (r->iterations > 0) || !(r->error >= 0) || !(r->norm > 0))
        return refuse(a, "the iteration cannot have ended", r->iterations);
    for (uint64_t i = 0; i < r->iterations && !check_stops(a->watch, 0); i++) step(a);
    double off = apart(a, r), bound = 1e-14 * ((double)r->iterations + 10) + a->cut;
    if (!(off <= bound))
        return check_wrong(a->watch, "after %llu terms a score is off by %.3g of it; at most %.3g can be explained",
                           (unsigned long long)r->iterations, off, bound);
    if (!is_norm(a, r)) return refuse(a, "the norm is wrong", r->iterations);
    if (!near_scores(a, r)) return refuse(a, "upper bounds are not within the error of the scores", r->iterations);
    if (!ended(a, r)) return refuse(a, "the iteration ended without a reason", r->iterations);
    int more = 0;
    for (; more < MORE && r->error < INFINITY && a->largest > 1e-6 * r->error * r->norm; more++) {
        step(a);
        if (check_stops(a->watch, 0)) return 0;
    }
    weft_vid v = beyond(a, r, bound);
    if (v < a->out.vertices)
        return check_wrong(a->watch, "with %d more terms vertex %u is above what the result allows", more, v);
    return check_right(
        a->watch,
        "%llu term%s again, by the definition: no score is off by more than %.3g of it, at most %.3g can be explained; "
        "with %d more all stay within the bounds",
        (unsigned long long)r->iterations, r->iterations == 1 ? "" : "s", off, bound, more);
}

int weft_check_katz(check_watch *w, const weft_graph *g, const void *given, const weft_result *result) {
    recomputation a = {.g = g, .params = given, .out = check_out(w, g), .watch = w};
    const weft_scalar *iterations = weft_result_scalar(result, "iterations"),
                      *error = weft_result_scalar(result, "error"), *norm = weft_result_scalar(result, "norm"),
                      *alpha = weft_result_scalar(result, "alpha");
    const weft_column *upper = weft_result_column(result, "upper");
    answer r = {.score = weft_result_f64(result, "score"), .upper = weft_result_f64(result, "upper")};
    size_t n = a.out.vertices;
    if (!r.score || !iterations || !error || !norm || !alpha || weft_result_column(result, "score")->length != n ||
        !upper != !a.params->bounds || (upper && (!r.upper || upper->length != n)))
        return check_wrong(w, "the result lacks a column or a scalar");
    r.iterations = iterations->value.u64;
    r.error = error->value.f64;
    r.norm = norm->value.f64;
    a.alpha = alpha->value.f64;
    double **arrays[] = {&a.term, &a.sum, &a.lost, &a.score, &a.score_lost};
    for (int i = 0; i < 5; i++) *arrays[i] = check_take(w, n, sizeof **arrays[i]);
    return !w->status && compare(&a, &r);
}
