/* Correlations of integers, from sums that are exact: the only roundings are those of the last steps, so that the bits
 * do not depend on the order of adding.  Products of two sums need 256 bits. */
#ifndef WFI_CORRELATE_H
#define WFI_CORRELATE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 wfi_sum;

/* a b - c d, rounded once. */
double wfi_products_apart(wfi_sum a, wfi_sum b, wfi_sum c, wfi_sum d);

/* Of `count` pairs: the sums of x, y, their squares and their products.  NaN if all x, or all y, are equal. */
typedef struct wfi_moments {
    wfi_sum x, y, xx, yy, xy;
} wfi_moments;
double wfi_correlation(uint64_t count, const wfi_moments *sum);

#endif
