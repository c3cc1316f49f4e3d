/* Pearson's correlation of integers (correlate.h). */
#include "algo/mixing/correlate.h"

#include <math.h>
#include <stdbool.h>

enum { LIMBS = 4, BITS = 64 };

typedef struct product {
    uint64_t limb[LIMBS]; /* the lowest first */
} product;

static uint64_t low(wfi_sum x) { return (uint64_t)x; }
static uint64_t high(wfi_sum x) { return (uint64_t)(x >> BITS); }

static product multiply(wfi_sum a, wfi_sum b) {
    wfi_sum first = (wfi_sum)low(a) * low(b), left = (wfi_sum)high(a) * low(b), right = (wfi_sum)low(a) * high(b),
            last = (wfi_sum)high(a) * high(b);
    wfi_sum second = (wfi_sum)high(first) + low(left) + low(right);
    wfi_sum third = (wfi_sum)high(second) + high(left) + high(right) + low(last);
    return (product){{low(first), low(second), low(third), high(third) + high(last)}};
}

static bool less(const product *a, const product *b) {
    int i = LIMBS - 1;
    while (i && a->limb[i] == b->limb[i]) i--;
    return a->limb[i] < b->limb[i];
}

/* a - b, which is not negative. */
static product subtract(const product *a, const product *b) {
    product c;
    bool borrow = false;
    for (int i = 0; i < LIMBS; i++) {
        c.limb[i] = a->limb[i] - b->limb[i] - borrow;
        borrow = a->limb[i] < b->limb[i] || (borrow && a->limb[i] == b->limb[i]);
    }
    return c;
}

/* The highest 64 bits; below those that a double keeps, the last says whether any bit under them is 1. */
static double rounded(const product *a) {
    int i = LIMBS - 1, shift = 0;
    while (i && !a->limb[i]) i--;
    uint64_t top = a->limb[i];
    if (!i) return (double)top;
    while (!(top >> (BITS - 1))) {
        top = top << 1 | (a->limb[i - 1] >> (BITS - 1 - shift) & 1);
        shift++;
    }
    bool rest = shift ? a->limb[i - 1] << shift != 0 : a->limb[i - 1] != 0;
    for (int k = 0; k + 1 < i; k++) rest |= a->limb[k] != 0;
    return ldexp((double)(top | rest), BITS * i - shift);
}

double wfi_products_apart(wfi_sum a, wfi_sum b, wfi_sum c, wfi_sum d) {
    product more = multiply(a, b), other = multiply(c, d);
    bool negative = less(&more, &other);
    product apart = negative ? subtract(&other, &more) : subtract(&more, &other);
    return negative ? -rounded(&apart) : rounded(&apart);
}

double wfi_correlation(uint64_t count, const wfi_moments *sum) {
    double together = wfi_products_apart(count, sum->xy, sum->x, sum->y),
           spread = sqrt(wfi_products_apart(count, sum->xx, sum->x, sum->x) *
                         wfi_products_apart(count, sum->yy, sum->y, sum->y));
    return spread > 0 ? fmin(fmax(together / spread, -1), 1) : (double)NAN;
}
