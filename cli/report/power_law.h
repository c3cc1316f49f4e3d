/* Does the tail of a distribution of whole numbers follow a power law?
 * p(x) = x^-alpha / zeta(alpha, xmin) for x = xmin, xmin + 1, ...
 * Method [1]: for each xmin the alpha of largest likelihood; of all xmin the one whose fit is nearest to the data, by
 * the largest difference of the two cumulative distributions (Kolmogorov-Smirnov); then the same for made-up data,
 * which are drawn from the fit above xmin and from the data below it.  The share of those that are farther from their
 * own fit than the data are from theirs is p: up to 0.1 the data can hardly come from a power law.
 * Every xmin up to POWER_LAW_DENSE is tried, and beyond it steps of POWER_LAW_STEP.
 * [1] Clauset, Shalizi, Newman, "Power-law distributions in empirical data", SIAM Review 51(4), 2009. */
#ifndef WEFT_CLI_POWER_LAW_H
#define WEFT_CLI_POWER_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POWER_LAW_DENSE = 20, POWER_LAW_LEAST = 10 }; /* the latter: values in a tail */
#define POWER_LAW_STEP 1.08

/* Values, ascending, and the count of each; values of 0 are passed over. */
typedef struct power_law_data {
    uint64_t *value, *count;
    size_t length, capacity;
} power_law_data;

typedef struct power_law {
    bool found; /* else there is no tail with two values and POWER_LAW_LEAST observations, and the other fields are 0 */
    uint64_t xmin, tail; /* observations from xmin on */
    double alpha, error; /* its standard error */
    double distance;
    uint64_t replicates;
    double p; /* NaN without replicates */
} power_law;

void power_law_fit(const power_law_data *data, power_law *fit);
/* Computes p from a number of replicates; the same seed gives the same p.  stop (may be NULL) is asked before
 * each.  False: out of memory, or stopped. */
bool power_law_test(const power_law_data *data, uint64_t replicates, uint64_t seed, bool (*stop)(void), power_law *fit);

/* Sum of k^-s over k = q, q + 1, ...; s > 1, q >= 1 (Hurwitz). */
double power_law_zeta(double s, double q);
/* n values drawn from a power law with these parameters, into *to; free() its arrays.  False: out of memory. */
bool power_law_draw(double alpha, uint64_t xmin, uint64_t n, uint64_t seed, power_law_data *to);

#endif
