/* eigenvector: descriptor and driver.  Definition: docs/algo; method: eigenvector_bodies.h. */
#include "weft/eigenvector.h"
#include "algo/eigenvector/eigenvector_bodies.h"
#include "run/method.h"

#include <inttypes.h>
#include <math.h>

WFI_STEPS(eigen_state, EIGEN_STEPS)

/* The driver's data beside the state of the bodies. */
typedef struct enclosed {
    eigen_state s; /* must be the first field */
    double low, high;
    double given; /* T of the values at the begin of an iteration */
    bool directed;
    bool uniform; /* all values are 1/n */
} enclosed;

/* The power of two nearest to x by ratio; the threshold is irrational, so that no sum of few digits lies on it. */
static double power_near(double x) {
    int exponent;
    (void)frexp(x * 1.4142135623730951, &exponent);
    return ldexp(1, exponent - 1);
}

/* The row sums of the weights, the scale and the shift. */
static weft_status measure_rows(wfi_ops *o, eigen_state *s, const weft_graph *g) {
    wfi_op_totals t = {.most = {0}};
    double widest, longest;
    int scale;
    if (o->weighted) wfi_ops_row_weights(o, "eigenvector", g, o->out, s->sums);
    weft_status st = wfi_measure_rows(o, o->out, s->sums, s->now, &widest, &longest);
    (void)frexp(widest, &scale);
    s->up = ldexp(1, scale);
    s->unit = ldexp(WFI_FIXED_ONE, -scale);
    s->start = o->n ? 1 / (double)o->n : 0;
    s->shift = 1;
    if (!o->weighted || st) return st;
    wfi_ops_vertices(o, &eigen_weigh_op, s, s->now);
    st = wfi_ops_total(o, s->now, &t);
    double mean = wfi_op_value(&t, EIGEN_GIVEN) * s->up * ((double)o->n / (double)g->arcs);
    if (!st && mean > 0) s->shift = power_near(mean);
    return st;
}

/* T of the current values, by the given step. */
static weft_status find_given(wfi_ops *o, enclosed *e, const wfi_op *step) {
    wfi_op_totals t = {.most = {0}};
    wfi_ops_vertices(o, step, &e->s, e->s.now);
    weft_status st = wfi_ops_total(o, e->s.now, &t);
    e->given = wfi_op_value(&t, EIGEN_GIVEN) * e->s.up;
    return st;
}

static weft_status begin(wfi_ops *o, void *state, bool *settled) {
    enclosed *e = state;
    weft_status st = find_given(o, e, &eigen_begin_op);
    e->uniform = true;
    *settled = !(e->given > 0); /* no arc counts */
    if (*settled) e->high = 0;
    return st;
}

static weft_status resumed(wfi_ops *o, void *state) { return find_given(o, state, &eigen_resume_op); }

static weft_status step(wfi_ops *o, void *state, double *residual) {
    enclosed *e = state;
    eigen_state *s = &e->s;
    wfi_op_totals t = {.most = {0}}, *swap = s->before;
    double d = e->given + s->shift, rounding = 1 - 0x1p-40;
    s->before = s->now;
    s->now = swap;
    o->alike = e->uniform ? s->start * (WFI_FIXED_ONE / d) : 0;
    e->uniform = false;
    weft_status st = wfi_ops_pull(o, &eigen_share_op, &eigen_pull_op, o->in, s, s->share, s->now, &t);
    if (st) return st;
    e->given = wfi_op_value(&t, EIGEN_GIVEN) * s->up;
    e->high = fmin(e->high, wfi_op_real(t.most[EIGEN_HIGH]));
    e->low = fmax(e->low, wfi_op_real(~t.most[EIGEN_LOW]));
    if (!e->directed)
        e->low =
            fmax(e->low, wfi_op_value(&t, EIGEN_XAX) * d / (wfi_op_value(&t, EIGEN_XX) + o->n * 0x1p-92) * rounding);
    *residual = wfi_op_value(&t, EIGEN_CHANGE);
    return WEFT_OK;
}

static uint64_t iterations(const void *params) { return ((const weft_eigenvector_params *)params)->max_iterations; }

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    enclosed *e = state;
    eigen_state *s = &e->s;
    const weft_eigenvector_params *p = job->params;
    wfi_fixpoint f = {.doing = "eigenvector",
                      .most = p->max_iterations,
                      .tolerance = p->tolerance,
                      .step = step,
                      .resumed = resumed,
                      .numbers = {&e->low, &e->high}};
    double norm;
    s->first = o->first;
    s->out = *o->out;
    s->in = *o->in;
    s->before = s->totals;
    s->now = s->totals + 1;
    e->high = INFINITY;
    e->directed = job->g->directed;
    weft_status st = measure_rows(o, s, job->g);
    if (!st) st = wfi_fixpoint_run(o, e, job, &f, begin);
    if (!st) st = wfi_measure_norm(o, s->score, 1, 1, s->before, &norm);
    if (st) return st;
    wfi_measure_divide(o, s->score, norm); /* so that the squares sum to 1 */
    if (!(f.residual <= p->tolerance))
        wfi_warn(o->ctx,
                 "eigenvector: after %" PRIu64
                 " iteration%s the values still change by %.3g, more than the tolerance %.3g; "
                 "the largest eigenvalue lies between %.6g and %.6g",
                 f.done, f.done == 1 ? "" : "s", f.residual, p->tolerance, e->low, e->high);
    return WFI_TELL(o->ctx, job->result, WFI_U64("iterations", f.done), WFI_F64("residual", f.residual),
                    WFI_F64("lambda_low", e->low), WFI_F64("lambda_high", e->high));
}

/* --- descriptor ------------------------------------------------------------------------------------------ */

static bool weighted(const void *params) { return ((const weft_eigenvector_params *)params)->weights; }
static bool sums(const weft_graph *g, const void *params) { return (void)g, weighted(params); }

#define AT(field) offsetof(enclosed, s.field)
static const wfi_array_info arrays[] = {
    {"score", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, AT(score), NULL, true},
    {"share", WFI_ARRAY, WEFT_F64, WFI_OF_ALL, AT(share), NULL, false},
    {"sums", WFI_ARRAY, WEFT_F64, WFI_OF_MINE, AT(sums), sums, false},
    {"totals", WFI_TOTALS, WEFT_U64, WFI_OF_TWO, AT(totals), NULL, false},
};
static const wfi_method method = {WFI_PULL_METHOD(enclosed, weft_eigenvector_params), .gathered = sizeof(double),
                                  .factor = 0.5};

#define FIELD(name) offsetof(weft_eigenvector_params, name)
static const weft_param_info params_info[] = {
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-8", 0, 2, NULL,
     "stop when the total change (L1) of the values, scaled to sum to 1, is at most this"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "1000", 1, 1e9, NULL,
     "stop after at most this many iterations"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "an arc counts by its weight"},
};

static const weft_result_info results[] = {
    {"score", WEFT_F64, WEFT_SHAPE_VERTICES,
     "the importance of the vertex, by the vertices that point to it; the squares sum to 1"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "iterations done"},
    {"residual", WEFT_F64, WEFT_SHAPE_SCALAR, "total change (L1) by the last iteration, of values that sum to 1"},
    {"lambda_low", WEFT_F64, WEFT_SHAPE_SCALAR, "lower bound of the largest eigenvalue"},
    {"lambda_high", WEFT_F64, WEFT_SHAPE_SCALAR, "upper bound of the largest eigenvalue"},
};

const wfi_algorithm wfi_algorithm_eigenvector = {
    WFI_DESCRIBE(eigenvector, (const weft_eigenvector_params)WEFT_EIGENVECTOR_DEFAULTS, results, wfi_pull_methods),
    WFI_PARAMS(params_info),
    .info.help =
        "eigenvector centrality: important vertices point to important vertices; with bounds of the eigenvalue",
    .info.top_by = "score",
    .info.weights = "weights",
    .info.model = "in an iteration 12 an arc (target, share), 56 a vertex (offsets, value, share)",
    WFI_ON_OPERATORS(method),
    .info.checkpoints = 1,
    .sends_exactly = true,
};
