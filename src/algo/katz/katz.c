/* katz: descriptor and driver.  Definition: docs/algo; method: katz_bodies.h. */
#include "weft/katz.h"
#include "algo/katz/katz_bodies.h"
#include "run/method.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

WFI_STEPS(katz_state, KATZ_STEPS)

/* The findings of a run. */
typedef struct finding {
    double missing;     /* upper bound of the missing part of any score */
    double lost;        /* part lost by rounding and fixed point, relative to a score */
    double longest;     /* row, in arcs */
    wfi_op_totals last; /* totals of the last term */
    uint64_t terms;
} finding;

static double most(const finding *f, int i) { return katz_largest(&f->last, i); }

/* Searches a certificate of divergence: a set of vertices that return to each of its members at least its score.
 * Members that get back less are removed until none is.  If all are removed, the terms are unchanged. */
static weft_status prove_divergence(wfi_ops *o, katz_state *s, double score) {
    wfi_op_totals t = {.most = {0}};
    if (!(score * s->widest < 0x1p1020)) return WEFT_OK; /* the caller reports scores that overflow */
    s->up = katz_above(score * s->widest);
    wfi_ops_vertices(o, &katz_mark_op, s, s->before);
    weft_status st = wfi_ops_total(o, s->before, &t);
    while (!st && t.count[KATZ_KEPT]) {
        st = wfi_ops_pull(o, &katz_share_kept_op, &katz_return_op, o->in, s, s->share, s->before, &t);
        if (st || !t.count[KATZ_KEPT] || t.count[KATZ_GONE]) continue;
        double eigenvalue = wfi_op_real(~t.most[KATZ_QUOTIENT]) * (1 - 0x1p-40);
        return wfi_fail(o->ctx, WEFT_EINVAL,
                        "katz: alpha %g is too large: the graph's largest eigenvalue is at least %.10g, and alpha must "
                        "be below 1 over it, %.6g or less",
                        s->alpha, eigenvalue, 1 / eigenvalue);
    }
    return st;
}

/* Adds the next term.  In the first one all shares are equal. */
static weft_status iterate(wfi_ops *o, katz_state *s, finding *f) {
    double term = most(f, KATZ_TERM), mu = 0x1p-40 * term / most(f, KATZ_SCORE), up = katz_above(term * s->widest);
    s->before = s->now;
    s->now = s->totals + (s->now == s->totals);
    o->alike = f->terms++ ? 0 : s->beta * (WFI_FIXED_ONE / up);
    weft_status st = wfi_ops_pull(o, &katz_share_op, &katz_pull_op, o->in, s, s->share, s->now, &f->last);
    o->alike = 0;
    double cut = s->alpha * f->longest * 0x1p-92 * up, score = most(f, KATZ_SCORE);
    f->lost += cut / s->beta + 0x1p-50;
    double r = most(f, KATZ_QUOTIENT), q = most(f, KATZ_TERM) / s->beta * (1 + 0x1p-45);
    bool converges = r < 1 && f->lost < 1, shrinks = q + f->lost < 1;
    s->tail[0] = converges ? r / (1 - r) / (1 - f->lost) : INFINITY;
    s->lost[0] = converges ? f->lost / (1 - f->lost) : INFINITY;
    s->tail[1] = shrinks ? q / (1 - q - f->lost) : INFINITY;
    s->lost[1] = shrinks ? f->lost / (1 - q - f->lost) : INFINITY;
    f->missing = katz_missing(s, most(f, KATZ_TERM) * (1 + 0x1p-39) + cut + mu * score, score);
    return st;
}

/* Iterates until the missing part is within the tolerance, or the terms underflow. */
static weft_status iterate_all(wfi_ops *o, katz_state *s, const weft_katz_params *p, finding *f) {
    weft_status st = WEFT_OK;
    uint64_t look = 16;
    bool settled = !(s->widest > 0);
    if (settled) f->missing = 0;
    while (!st && !settled && f->terms < p->max_iterations) {
        wfi_progress(o->ctx, "terms", f->terms, p->max_iterations);
        st = iterate(o, s, f);
        if (st) break;
        double term = most(f, KATZ_TERM), score = most(f, KATZ_SCORE);
        settled = f->missing <= p->tolerance * score || term < s->beta * 0x1p-100; /* such a term changes no score */
        /* the next term, or the score with it, may exceed the range of doubles */
        bool over = !(score * fmax(s->widest, 1) * fmax(s->alpha, 1) < 0x1p1000);
        bool looks = f->terms == look || over || f->terms == p->max_iterations;
        if (!settled && looks && term >= s->beta) st = prove_divergence(o, s, score);
        if (!st && over) st = wfi_fail(o->ctx, WEFT_EINVAL, "katz: alpha %g is too large: scores overflow", s->alpha);
        if (f->terms == look) look *= 2;
    }
    return st;
}

/* Divides the scores and the upper bounds by their norm, if requested. */
static weft_status finish(wfi_ops *o, katz_state *s, const weft_katz_params *p, finding *f) {
    double part = o->n ? 0.5 / katz_above((double)o->n) : 1;
    s->norm = 1;
    weft_status st = WEFT_OK;
    if (p->normalized) st = wfi_measure_norm(o, s->score, katz_above(most(f, KATZ_SCORE)), part, s->totals, &s->norm);
    if (s->upper) wfi_ops_vertices(o, &katz_bound_op, s, NULL);
    wfi_measure_divide(o, s->score, s->norm);
    f->missing /= s->norm;
    return st;
}

static weft_status tell(wfi_ops *o, const katz_state *s, const wfi_job *job, const finding *f) {
    const weft_katz_params *p = job->params;
    char lack[120] =
        "the missing part of the scores is unknown: alpha is too large or nearly so, or weights are too far apart";
    if (f->missing < INFINITY)
        snprintf(lack, sizeof lack, "the scores may still be too small by %.3g, more than the tolerance", f->missing);
    if (!(f->missing <= p->tolerance * (most(f, KATZ_SCORE) / s->norm)))
        wfi_warn(o->ctx, "katz: after %" PRIu64 " term%s %s", f->terms, wfi_plural(f->terms), lack);
    return WFI_TELL(o->ctx, job->result, WFI_U64("iterations", f->terms), WFI_F64("error", f->missing),
                    WFI_F64("norm", s->norm), WFI_F64("alpha", s->alpha));
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    katz_state *s = state;
    const weft_katz_params *p = job->params;
    finding f = {.missing = INFINITY};
    s->first = o->first;
    s->in = *o->in;
    s->beta = p->beta;
    s->now = s->totals + 1;
    if (o->weighted) wfi_ops_row_weights(o, "katz", job->g, o->out, s->term); /* first: refusals name outgoing arcs */
    if (o->weighted && job->g->directed) wfi_ops_row_weights(o, "katz", job->g, o->in, s->term);
    weft_status st = wfi_measure_rows(o, o->in, o->weighted ? s->term : NULL, s->now, &s->widest, &f.longest);
    s->alpha = p->alpha > 0 ? p->alpha : 1 / (s->widest + 1); /* no eigenvalue is above the largest row sum */
    if (!st) wfi_ops_vertices(o, &katz_begin_op, s, s->now);
    if (!st) st = wfi_ops_total(o, s->now, &f.last);
    if (!st) st = iterate_all(o, s, p, &f);
    if (!st) st = finish(o, s, p, &f);
    return st ? st : tell(o, s, job, &f);
}

/* --- descriptor ------------------------------------------------------------------------------------------ */

static bool weighted(const void *params) { return ((const weft_katz_params *)params)->weights; }
static bool bounds(const weft_graph *g, const void *p) { return (void)g, ((const weft_katz_params *)p)->bounds; }
static uint64_t iterations(const void *params) { return ((const weft_katz_params *)params)->max_iterations; }

#define AT(field) offsetof(katz_state, field)
static const wfi_array_info arrays[] = {
    {"score", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, AT(score), NULL, false},
    {"upper", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, AT(upper), bounds, false},
    {"term", WFI_ARRAY, WEFT_F64, WFI_OF_MINE, AT(term), NULL, false},
    {"share", WFI_ARRAY, WEFT_F64, WFI_OF_ALL, AT(share), NULL, false},
    {"totals", WFI_TOTALS, WEFT_U64, WFI_OF_TWO, AT(totals), NULL, false},
};
/* Half of the gathered values serve the proof of divergence. */
static const wfi_method method = {WFI_PULL_METHOD(katz_state, weft_katz_params), .gathered = 2 * sizeof(double),
                                  .factor = 0.1};

#define FIELD(name) offsetof(weft_katz_params, name)
static const weft_param_info params_info[] = {
    {"alpha", WEFT_PARAM_F64, FIELD(alpha), "0", 0, 1e9, NULL,
     "factor of a walk for each arc, below 1 over the largest eigenvalue; 0 = 1 over (the largest in-degree + 1)"},
    {"beta", WEFT_PARAM_F64, FIELD(beta), "1", 1e-9, 1e9, NULL, "the score of every vertex by itself"},
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-8", 0, 1, NULL,
     "stop when no score can grow by more than this part of the largest"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "1000", 1, 1e9, NULL,
     "stop after at most this many terms"},
    {"normalized", WEFT_PARAM_BOOL, FIELD(normalized), "yes", 0, 1, NULL, "scale the scores: their squares sum to 1"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "an arc counts by its weight"},
    {"bounds", WEFT_PARAM_BOOL, FIELD(bounds), "no", 0, 1, NULL, "a column with an upper bound of each score as well"},
};

static const weft_result_info results[] = {
    {"score", WEFT_F64, WEFT_SHAPE_VERTICES, "walks that end at the vertex, shorter ones counting more; a lower bound"},
    {"upper", WEFT_F64, WEFT_SHAPE_VERTICES, "with `bounds`: an upper bound of the score"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "terms summed after the first: walks up to this length count"},
    {"error", WEFT_F64, WEFT_SHAPE_SCALAR, "upper bound of the missing part of any score"},
    {"norm", WEFT_F64, WEFT_SHAPE_SCALAR, "the divisor of the scores: 1 if not normalized"},
    {"alpha", WEFT_F64, WEFT_SHAPE_SCALAR, "the alpha that was used"},
};

const wfi_algorithm wfi_algorithm_katz = {
    WFI_DESCRIBE(katz, (const weft_katz_params)WEFT_KATZ_DEFAULTS, results, wfi_pull_methods),
    WFI_PARAMS(params_info),
    .info.help = "Katz centrality: walks that end at a vertex, shorter ones counting more, with proven bounds",
    .info.top_by = "score",
    .info.weights = "weights",
    .info.model = "in an iteration 12 an arc (target, share), 56 a vertex (offset, share, term, score)",
    WFI_ON_OPERATORS(method),
    .on_request = (const char *const[]){"upper", NULL},
};
