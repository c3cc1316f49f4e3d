#include "report/power_law.h"
#include "report/draw.h"

#include <math.h>
#include <stdlib.h>

#define STEEPEST 20.0

/* --- zeta ------------------------------------------------------------------------------------- */

/* The remainder of the sum from a on, by the Euler-Maclaurin formula, where power = a^-s. */
static double rest_of_sum(double s, double a, double power) {
    double b = 1 / (a * a), c = s * power / a;
    double terms = c / 12;
    c *= (s + 1) * (s + 2) * b;
    terms -= c / 720;
    c *= (s + 3) * (s + 4) * b;
    terms += c / 30240;
    c *= (s + 5) * (s + 6) * b;
    terms -= c / 1209600;
    c *= (s + 7) * (s + 8) * b;
    return power * a / (s - 1) + power / 2 + terms + c / 47900160;
}

enum { LARGE = 16 }; /* from here on the remainder is exact to the last digits */

double power_law_zeta(double s, double q) {
    double sum = 0;
    while (q < LARGE) sum += pow(q++, -s);
    return sum + rest_of_sum(s, q, pow(q, -s));
}

/* --- the fit ---------------------------------------------------------------------------------- */

/* The maximum of the likelihood, which is concave, by Newton's method.  mean: of the logarithms of the
 * data.  *curvature: of log zeta. */
static double likeliest(double mean, double xmin, double *curvature) {
    const double h = 1e-4;
    double alpha = 1 + 1 / (mean - log(xmin - 0.5));
    if (alpha > STEEPEST) alpha = STEEPEST;
    for (int round = 0; round < 50; round++) {
        if (alpha < 1 + 2 * h) alpha = 1 + 2 * h;
        double middle = log(power_law_zeta(alpha, xmin)), low = log(power_law_zeta(alpha - h, xmin));
        double high = log(power_law_zeta(alpha + h, xmin));
        *curvature = (high - 2 * middle + low) / (h * h);
        double step = (-mean - (high - low) / (2 * h)) / *curvature, most = (alpha - 1) / 2;
        if (step < -most) step = -most;
        alpha += step;
        if (alpha > STEEPEST) return STEEPEST;
        if (fabs(step) < 1e-9) break;
    }
    return alpha;
}

/* The largest difference between the shares of data and of the law at or above x, over all whole x; stops above
 * `enough`. */
static double distance(const power_law_data *d, size_t first, uint64_t tail, double alpha, double enough) {
    double zeta = power_law_zeta(alpha, (double)d->value[first]), farthest = 0;
    uint64_t left = tail;
    for (size_t i = first; i < d->length && farthest <= enough; i++) {
        double x = (double)d->value[i], power = pow(x, -alpha);
        double above = (x < LARGE ? power_law_zeta(alpha, x) : rest_of_sum(alpha, x, power)) / zeta;
        double before = fabs((double)left / (double)tail - above);
        left -= d->count[i];
        double after = fabs((double)left / (double)tail - (above - power / zeta));
        if (before > farthest) farthest = before;
        if (after > farthest) farthest = after;
    }
    return farthest;
}

static bool is_tried(uint64_t value, double last) {
    return value && (value <= POWER_LAW_DENSE || (double)value >= last * POWER_LAW_STEP);
}

void power_law_fit(const power_law_data *d, power_law *fit) {
    uint64_t tail = 0;
    double logs = 0, last = 0, curvature = 1;
    *fit = (power_law){.distance = 2, .p = (double)NAN};
    for (size_t i = 0; i < d->length; i++) {
        if (!d->value[i]) continue;
        tail += d->count[i];
        logs += (double)d->count[i] * log((double)d->value[i]);
    }
    for (size_t i = 0; i + 1 < d->length && tail >= POWER_LAW_LEAST; i++) {
        if (is_tried(d->value[i], last)) {
            double x = last = (double)d->value[i], alpha = likeliest(logs / (double)tail, x, &curvature);
            double far = distance(d, i, tail, alpha, fit->distance);
            if (far < fit->distance)
                *fit = (power_law){.found = true,
                                   .xmin = d->value[i],
                                   .tail = tail,
                                   .alpha = alpha,
                                   .error = 1 / sqrt(curvature * (double)tail),
                                   .distance = far,
                                   .p = (double)NAN};
        }
        if (!d->value[i]) continue;
        tail -= d->count[i];
        logs -= (double)d->count[i] * log((double)d->value[i]);
    }
    if (!fit->found) *fit = (power_law){.p = (double)NAN};
}

/* --- made-up data ----------------------------------------------------------------------------- */

typedef struct drawing {
    uint64_t state;
    double alpha;
    power_law_data *to;
} drawing;

static double uniform(drawing *w) { return ((double)(report_draw(&w->state) >> 11) + 0.5) * 0x1p-53; }

/* A binomial variate of n trials with probability p: by inversion, from the mode outwards. */
static uint64_t binomial(drawing *w, uint64_t n, double p) {
    if (n == 0 || p <= 0) return 0;
    if (p >= 1) return n;
    double odds = p / (1 - p), most = (double)n, down = floor((most + 1) * p), up = down;
    if (down > most) down = up = most;
    double at_down =
        exp(lgamma(most + 1) - lgamma(down + 1) - lgamma(most - down + 1) + down * log(p) + (most - down) * log1p(-p));
    double at_up = at_down, u = uniform(w) - at_down;
    while (u > 0 && (down > 0 || up < most)) {
        if (up < most) {
            at_up *= (most - up) / (up + 1) * odds;
            up++;
            u -= at_up;
            if (u <= 0) return (uint64_t)up;
        }
        if (down > 0) {
            at_down *= down / ((most - down + 1) * odds);
            down--;
            u -= at_down;
        }
        if (at_up <= 0 && at_down <= 0) break; /* the rest of u is rounding error */
    }
    return (uint64_t)down;
}

static bool add(power_law_data *d, uint64_t value, uint64_t count) {
    if (!count) return true;
    if (d->length == d->capacity) {
        size_t capacity = d->capacity ? 2 * d->capacity : 256;
        uint64_t *values = realloc(d->value, capacity * sizeof *values);
        if (values) d->value = values;
        uint64_t *counts = realloc(d->count, capacity * sizeof *counts);
        if (counts) d->count = counts;
        if (!values || !counts) return false;
        d->capacity = capacity;
    }
    d->value[d->length] = value;
    d->count[d->length++] = count;
    return true;
}

/* Draws `count` values of the law from low up to below high; `at_low` is zeta(alpha, low), and at_high that of high, 0
 * where there is no upper end.  The interval is halved, and its values divided between the halves, until one value is
 * left: ascending, whatever their number. */
static bool draw_between(drawing *w, uint64_t low, uint64_t high, double at_low, double at_high, uint64_t count) {
    const uint64_t beyond = (uint64_t)1 << 60;
    if (!count) return true;
    if (high - low == 1 || low >= beyond) return add(w->to, low, count);
    uint64_t middle = at_high > 0 ? low + (high - low) / 2 : 2 * low;
    double at_middle = power_law_zeta(w->alpha, (double)middle);
    uint64_t lower = binomial(w, count, (at_low - at_middle) / (at_low - at_high));
    return draw_between(w, low, middle, at_low, at_middle, lower) &&
           draw_between(w, middle, high, at_middle, at_high, count - lower);
}

static bool draw_tail(drawing *w, uint64_t xmin, uint64_t count) {
    return draw_between(w, xmin, UINT64_MAX, power_law_zeta(w->alpha, (double)xmin), 0, count);
}

bool power_law_draw(double alpha, uint64_t xmin, uint64_t n, uint64_t seed, power_law_data *to) {
    drawing w = {seed, alpha, to};
    *to = (power_law_data){NULL, NULL, 0, 0};
    return draw_tail(&w, xmin, n);
}

/* Draws as many values as the data: each from the data below xmin or from the fit, with the data's proportions. */
static bool draw_replicate(drawing *w, const power_law_data *d, const power_law *fit, uint64_t below) {
    uint64_t tail = binomial(w, below + fit->tail, (double)fit->tail / (double)(below + fit->tail));
    uint64_t left = below + fit->tail - tail;
    w->to->length = 0;
    for (size_t i = 0; i < d->length && d->value[i] < fit->xmin; i++) {
        if (!d->value[i]) continue;
        uint64_t count = binomial(w, left, (double)d->count[i] / (double)below);
        if (!add(w->to, d->value[i], count)) return false;
        left -= count;
        below -= d->count[i];
    }
    return draw_tail(w, fit->xmin, tail);
}

bool power_law_test(const power_law_data *d, uint64_t replicates, uint64_t seed, bool (*stop)(void), power_law *fit) {
    power_law_data made = {NULL, NULL, 0, 0};
    uint64_t below = 0, farther = 0;
    bool fine = true;
    if (!fit->found || !replicates) return true;
    for (size_t i = 0; i < d->length && d->value[i] < fit->xmin; i++)
        if (d->value[i]) below += d->count[i];
    for (uint64_t k = 0; k < replicates && fine; k++) {
        power_law other;
        drawing w = {seed + k * 0xd1342543de82ef95u, fit->alpha, &made};
        fine = !(stop && stop()) && draw_replicate(&w, d, fit, below);
        if (!fine) break;
        power_law_fit(&made, &other);
        farther += other.found && other.distance >= fit->distance;
    }
    free(made.value);
    free(made.count);
    fit->replicates = replicates;
    fit->p = (double)farther / (double)replicates;
    return fine;
}
