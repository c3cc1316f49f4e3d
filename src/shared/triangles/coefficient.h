/* What clustering adds up over all vertices, and the scalars of the result from it.
 * Encoding: the average adds coefficients in fixed point, 62 bits behind the point, the upper and the lower 31 bits
 * apart, so that 2^32 of them cannot overflow and the order of adding does not matter. */
#ifndef WFI_COEFFICIENT_H
#define WFI_COEFFICIENT_H

#include <math.h>
#include <stdint.h>

enum { WFI_HALF = 31 };

typedef struct wfi_clustering_totals {
    uint64_t triangles, wedges;
    uint64_t upper, lower; /* of the sum of the coefficients */
} wfi_clustering_totals;

/* One vertex with its coefficient and degree. */
static inline void wfi_clustering_add(wfi_clustering_totals *t, double coefficient, uint64_t degree) {
    uint64_t fixed = (uint64_t)ldexp(coefficient, 2 * WFI_HALF);
    t->upper += fixed >> WFI_HALF;
    t->lower += fixed & (((uint64_t)1 << WFI_HALF) - 1);
    t->wedges += degree ? degree * (degree - 1) / 2 : 0;
}

static inline double wfi_clustering_average(const wfi_clustering_totals *t, uint64_t n) {
    return n ? (ldexp((double)t->upper, -WFI_HALF) + ldexp((double)t->lower, -2 * WFI_HALF)) / (double)n : 0;
}

static inline double wfi_clustering_transitivity(const wfi_clustering_totals *t) {
    return t->wedges ? (double)(3 * t->triangles) / (double)t->wedges : 0;
}

#endif
