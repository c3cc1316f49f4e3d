/* betweenness from random shortest paths, with a bound of the error.  Needs: incoming rows.
 * Method: KADABRA [1] with checks at powers of two.  The part of all paths that leads through a vertex is the mean of
 * independent samples, each 0 or 1.  At a check each vertex has an interval around what was counted; when all of them
 * are narrow enough it ends.  The two sides of each interval at each check may fail with a probability that they were
 * given beforehand, and all together with 1 - confidence: so the bound holds at whichever check it ends.  Half of that
 * is shared evenly, half by the squares of how often paths lead through: the widest intervals are to be less wide.  How
 * often is seen from paths that count for nothing else.
 * Bits: counts are integers, and paths are numbered.  Bounds take products, quotients and square roots, which round
 * alike everywhere, and logarithms from integers (gen/skip.h); a factor makes intervals wider than rounding can make
 * them narrower.
 * [1] Borassi, Natale, "KADABRA is an ADaptive Algorithm for Betweenness via Random Approximation", ESA 2016. */
#include "algo/betweenness/betweenness.h"
#include "algo/betweenness/random_path.h"
#include "core/scan.h"
#include "gen/skip.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { AT_ONCE = 16, MOST_CHECKS = 63, SHARE = 1 << 14 };

/* Paths that decide what a vertex is given are numbered from here. */
static const uint64_t BEFOREHAND = (uint64_t)1 << 63;

typedef struct arrays {
    double *betweenness;
    uint64_t *tally;  /* paths that lead through */
    double *surprise; /* -ln of the probability that a side of the vertex's interval may fail with, at a check */
    wfi_seen *seen;   /* n for each thread */
    weft_vid *queue;  /* likewise */
    double *high;     /* with `apart`, in the order of values: where intervals end, ... */
    uint64_t *key;    /* ... what is sorted, ... */
    weft_vid *order;  /* ... and vertices */
    wfi_sort_scratch sort;
} arrays;

typedef struct sampling {
    wfi_job *job;
    const weft_betweenness_params *p;
    arrays a;
    int threads;
    double within;        /* the error that a part of the paths may have */
    unsigned first, last; /* checks are at 2^first ... 2^last samples */
    uint64_t samples, expected;
    double widest;  /* side of an interval at the last check */
    uint64_t apart; /* of the first so many the order was certain then */
} sampling;

/* --- plan ----------------------------------------------------------------------------- */

static void lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                    int threads, arrays *a) {
    uint64_t n = g->n;
    wfi_column(w, "betweenness", WEFT_F64, n, &a->betweenness);
    wfi_array(w, &a->tally, n);
    wfi_array(w, &a->surprise, n);
    wfi_array(w, &a->seen, (uint64_t)threads * n);
    wfi_array_within(w, &a->queue, (uint64_t)threads * n);
    if (!p->apart) return;
    wfi_array(w, &a->high, n);
    wfi_array(w, &a->key, n);
    wfi_array(w, &a->order, n);
    wfi_sort_lay_out(w, ctx, n, &a->sort);
}

void wfi_betweenness_plan_sampled(const weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *p,
                                  wfi_choice *choice) {
    wfi_workspace *w = &choice->space, empty = *w;
    arrays a;
    int threads = wfi_threads(ctx);
    wfi_need_in(w, ctx, g);
    lay_out(w, ctx, g, p, threads, &a);
    bool fits = wfi_workspace_fits(w, ctx);
    if (!fits && threads > 1) {
        *w = empty;
        wfi_need_in(w, ctx, g);
        lay_out(w, ctx, g, p, threads = 1, &a);
    }
    *WFI_DECIDED(int, choice) = threads;
    choice->method = threads > 1 ? WFI_BETWEEN_SAMPLED : WFI_BETWEEN_SAMPLED_ALONE;
    snprintf(choice->reason, sizeof choice->reason,
             "paths are drawn until no normalised value is off by more than %g, with probability %g%s", p->error,
             p->confidence, fits ? "" : "; the memory limit has room for the searches of one core");
}

/* --- probabilities --------------------------------------------------------------------- */

/* -ln(x) for 0 < x < 1, and a little more. */
static double surprise_of(const wfi_skipper *s, double x) {
    const double ln2 = 0.6931471805599454, more = 1 + 0x1p-40;
    int exponent;
    double digits = frexp(x, &exponent);
    double bits = ldexp((double)wfi_minus_log2(s, (uint64_t)ldexp(digits, 64) - 1), -57) - exponent;
    return bits * ln2 * more;
}

/* The least i for which 2^i is that much. */
static unsigned power_above(double x) {
    unsigned i = 0;
    while (i < MOST_CHECKS && ldexp(1, (int)i) < x) i++;
    return i;
}

/* From the narrowest interval that there may be to the widest. */
static void choose_checks(sampling *s, const wfi_skipper *logarithm, double fails) {
    double n = s->job->g->n, likely = surprise_of(logarithm, fails / 2);
    double unlikely = surprise_of(logarithm, fails / (4 * n * MOST_CHECKS));
    s->first = power_above(2 * likely / s->within);
    s->last = power_above(unlikely / (2 * s->within * s->within));
    if (s->last < s->first) s->last = s->first;
}

typedef struct giving {
    sampling *s;
    const wfi_skipper *logarithm;
    double each, squares;
} giving;

static void give_some(void *state, uint64_t v, uint64_t end) {
    const giving *give = state;
    const arrays *a = &give->s->a;
    double n = give->s->job->g->n;
    for (; v < end; v++) {
        double square = (double)a->tally[v] * (double)a->tally[v];
        double part = give->squares > 0 ? 0.5 * square / give->squares + 0.5 / n : 1.0 / n;
        a->surprise[v] = surprise_of(give->logarithm, give->each * part);
    }
}

static weft_status give_probabilities(sampling *s, const wfi_skipper *logarithm, double fails) {
    const uint64_t *tally = s->a.tally;
    weft_vid n = s->job->g->n;
    giving give = {s, logarithm, fails / (2 * (double)(s->last - s->first + 1)), 0};
    for (weft_vid v = 0; v < n; v++) give.squares += (double)tally[v] * (double)tally[v];
    return wfi_spans(s->job->ctx, n, SHARE, wfi_threads_for(s->job->ctx, n, SHARE), give_some, &give);
}

/* --- intervals ------------------------------------------------------------------------- */

/* How far the probability may be above the mean, and below: where Chernoff's bounds of such a deviation, with the
 * variance no larger than the probability, or Hoeffding's, are e^-surprise.  The narrower may be taken: both fail for
 * means beyond some value, so one of them fails whenever the other does. */
static double above(double mean, double samples, double surprise) {
    double c = surprise / samples;
    return fmin(c + sqrt(c * c + 2 * mean * c), sqrt(c / 2));
}

static double below(double mean, double samples, double surprise) {
    double c = surprise / samples, third = 2 * c / 3;
    return fmin(sqrt(third * third + 2 * mean * c) - third, sqrt(c / 2));
}

static weft_status measure(sampling *s, double samples) {
    const arrays *a = &s->a;
    weft_ctx *ctx = s->job->ctx;
    double widest = 0;
    bool stop = false;
    weft_vid n = s->job->g->n;
#pragma omp parallel for schedule(dynamic, 1) reduction(max                         \
                                                        : widest) reduction(||      \
                                                                            : stop) \
    num_threads(wfi_threads_for(ctx, n, SHARE))
    for (uint64_t from = 0; from < n; from += SHARE) {
        stop = stop || wfi_cancelled(ctx);
        for (uint64_t v = from, end = wfi_min_u64(from + SHARE, n); v < end && !stop; v++)
            widest = fmax(widest, above((double)a->tally[v] / samples, samples, a->surprise[v]));
    }
    s->widest = widest;
    /* Its width goes with the root of the samples, or falls faster. */
    double more = s->widest / s->within;
    s->expected = (uint64_t)1 << wfi_min_u64(power_above(samples * more * more), s->last);
    return stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* Of how many of the first the intervals are above those of all that follow. */
static weft_status count_apart(sampling *s) {
    const arrays *a = &s->a;
    weft_vid n = s->job->g->n;
    double samples = (double)s->samples, highest = 0;
    if (!s->p->apart) return WEFT_OK;
    for (weft_vid v = 0; v < n; v++) {
        a->key[v] = ~a->tally[v];
        a->order[v] = v;
    }
    weft_status st = wfi_sort_pairs_in(s->job->ctx, &a->sort, a->key, a->order, n, 64);
    if (st) return st;
    for (weft_vid i = n; i-- > 0;) { /* the end of the highest interval from here on */
        double mean = (double)a->tally[a->order[i]] / samples;
        highest = fmax(highest, mean + above(mean, samples, a->surprise[a->order[i]]));
        a->high[i] = highest;
    }
    for (s->apart = 0; s->apart < s->p->apart && s->apart < n; s->apart++) {
        weft_vid v = a->order[s->apart];
        double mean = (double)a->tally[v] / samples, low = mean - below(mean, samples, a->surprise[v]);
        if (s->apart + 1 < n && low <= a->high[s->apart + 1]) break;
    }
    return WEFT_OK;
}

/* --- run ------------------------------------------------------------------------------ */

static weft_status draw(sampling *s, uint64_t begin, uint64_t end) {
    weft_ctx *ctx = s->job->ctx;
    const weft_graph *g = s->job->g;
    _Atomic bool stop = false;
    _Atomic uint64_t next = begin; /* threads take AT_ONCE at a time, until there are none or the run is to stop */
    bool counts = begin < BEFOREHAND;
#pragma omp parallel num_threads(s->threads)
    {
        uint64_t me = (uint64_t)omp_get_thread_num();
        wfi_random_paths r = {.poll = {.ctx = ctx}, .out = &g->out, .in = g->directed ? &g->in : &g->out, .n = g->n};
        r.seed = s->p->seed;
        r.seen = s->a.seen + me * g->n;
        r.queue = s->a.queue + me * g->n;
        for (uint64_t from; !atomic_load(&stop) && (from = atomic_fetch_add(&next, AT_ONCE)) < end;) {
            for (uint64_t i = from; i < end && i < from + AT_ONCE && !atomic_load(&stop); i++) {
                wfi_random_path(&r, i, s->a.tally);
                if (r.poll.stop) atomic_store(&stop, true);
            }
            if (me == 0 && counts) wfi_progress(ctx, "paths", from, wfi_max_u64(s->expected, end));
        }
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

static weft_status prepare(sampling *s) {
    const arrays *a = &s->a;
    uint64_t n = s->job->g->n;
    double fails = 1 - s->p->confidence;
    wfi_skipper logarithm;
    wfi_skipper_set(&logarithm, 0.5);
    memset(a->seen, 0, (uint64_t)s->threads * n * sizeof *a->seen);
    memset(a->tally, 0, n * sizeof *a->tally);
    s->within = s->p->error * (double)(n - 2) / (double)n * (1 - 0x1p-50);
    choose_checks(s, &logarithm, fails);
    uint64_t some = (uint64_t)1 << s->first;
    weft_status st = draw(s, BEFOREHAND, BEFOREHAND + some);
    if (!st) st = give_probabilities(s, &logarithm, fails);
    if (!st) st = measure(s, (double)some);
    if (!st) memset(a->tally, 0, n * sizeof *a->tally);
    return st;
}

static weft_status sample(sampling *s) {
    weft_status st = prepare(s);
    for (unsigned i = s->first; i <= s->last && !st; i++) {
        uint64_t next = (uint64_t)1 << i;
        st = draw(s, s->samples, next);
        s->samples = next;
        if (!st) st = measure(s, (double)next);
        if (!st) st = count_apart(s);
        if (s->widest <= s->within || (s->p->apart && s->apart >= wfi_min_u64(s->p->apart, s->job->g->n))) break;
    }
    return st;
}

/* The sampled order says nothing where every interval reaches down to 0. */
static void doubt(const sampling *s) {
    uint64_t most = 0;
    for (weft_vid v = 0; v < s->job->g->n; v++) most = wfi_max_u64(most, s->a.tally[v]);
    if (s->samples && !s->apart && s->widest * (double)s->samples > (double)most)
        wfi_note(s->job->ctx, "betweenness: the error is larger than every value: this order is not certain; a smaller "
                              "`error` draws more paths, and without `error` all are counted");
}

static weft_status tell(const sampling *s) {
    const weft_graph *g = s->job->g;
    weft_ctx *ctx = s->job->ctx;
    weft_result *r = s->job->result;
    double n = g->n, samples = (double)s->samples, pairs = s->p->normalized ? n / (n - 2) : n * (n - 1);
    double factor = pairs / (g->directed || s->p->normalized ? 1 : 2) / samples;
    double error = s->samples > 0 ? s->widest : 0;
    bool drawn = s->samples > 0;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, g->n, SHARE))
    for (weft_vid v = 0; v < g->n; v++) s->a.betweenness[v] = drawn ? (double)s->a.tally[v] * factor : 0;
    weft_status st =
        WFI_TELL(ctx, r, WFI_U64("samples", s->samples), WFI_F64("error", drawn ? error * (n / (n - 2)) : 0),
                 WFI_F64("value_error", drawn ? error * samples * factor : 0), WFI_F64("confidence", s->p->confidence));
    if (!st) doubt(s);
    return st || !s->p->apart ? st : wfi_result_scalar_u64(ctx, r, "apart", s->apart);
}

weft_status wfi_betweenness_run_sampled(wfi_job *job) {
    sampling s = {.job = job, .p = job->params};
    s.threads = *WFI_DECIDED(int, job->choice);
    lay_out(job->space, job->ctx, job->g, s.p, s.threads, &s.a);
    weft_status st = job->space->status;
    if (!st && job->g->n > 2) st = sample(&s);
    return st ? st : tell(&s);
}
