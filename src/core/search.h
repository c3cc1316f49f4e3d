/* Binary search for host and GPU. Needs: ascending values, or a condition that is true up to some position and false
 * from there on. */
#ifndef WFI_SEARCH_H
#define WFI_SEARCH_H

#include "core/core.h"

/* Moves the variable `low` to the first position in low ... high - 1 where `holds`, an expression of `middle`, is
 * false; to `high` if there is none. Also changes the variable `high`, to the same position. */
#define WFI_BISECT(low, high, middle, holds)                   \
    while ((low) < (high)) {                                   \
        __typeof__(low) middle = (low) + ((high) - (low)) / 2; \
        if (holds)                                             \
            (low) = middle + 1;                                \
        else                                                   \
            (high) = middle;                                   \
    }

/* First position in low ... high - 1 with a value >= x; `high` if there is none. */
WFI_HOST_DEVICE static inline uint64_t wfi_lower_bound_u32(const uint32_t *sorted, uint64_t low, uint64_t high,
                                                           uint32_t x) {
    WFI_BISECT(low, high, middle, sorted[middle] < x);
    return low;
}

WFI_HOST_DEVICE static inline uint64_t wfi_lower_bound_u64(const uint64_t *sorted, uint64_t low, uint64_t high,
                                                           uint64_t x) {
    WFI_BISECT(low, high, middle, sorted[middle] < x);
    return low;
}

/* First position from `at` on with a value >= x; `end` if there is none. Galloping (exponential) search: fast for
 * near positions. */
static inline const uint32_t *wfi_seek_u32(const uint32_t *at, const uint32_t *end, uint32_t x) {
    size_t step = 1;
    while (step < (size_t)(end - at) && at[step] < x) {
        at += step;
        step *= 2;
    }
    const uint32_t *high = (size_t)(end - at) < step ? end : at + step;
    WFI_BISECT(at, high, middle, *middle < x);
    return at;
}

#ifdef __cplusplus
/* wfi_lower_bound for any types. */
template <class T, class I> WFI_HOST_DEVICE inline I wfi_lower_bound(const T *sorted, I low, I high, T x) {
    WFI_BISECT(low, high, middle, sorted[middle] < x);
    return low;
}

/* First position of x in low ... high - 1; `high` if it is absent. */
template <class T, class I> WFI_HOST_DEVICE inline I wfi_place_of(const T *sorted, I low, I high, T x) {
    I at = wfi_lower_bound(sorted, low, high, x);
    return at < high && sorted[at] == x ? at : high;
}

/* Last position in low ... high with a value <= x. Needs offsets[low] <= x. For offsets of rows: the row that
 * contains x. */
template <class T> WFI_HOST_DEVICE inline uint64_t wfi_row_among(const T *offsets, uint64_t low, uint64_t high, T x) {
    low++;
    high++;
    WFI_BISECT(low, high, middle, offsets[middle] <= x);
    return low - 1;
}
#endif
#endif
