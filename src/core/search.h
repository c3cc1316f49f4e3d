/* Binary search, for the host and for the GPU.  Needs: values that ascend, or a condition that holds up to some place
 * and nowhere behind it. */
#ifndef WFI_SEARCH_H
#define WFI_SEARCH_H

#include "core/core.h"

/* Moves the variable `low` to the first place of low ... high - 1 at which `holds`, an expression of `middle`, is
 * false; to `high` if it holds everywhere.  `high` is a variable as well, and ends where `low` does. */
#define WFI_BISECT(low, high, middle, holds)                   \
    while ((low) < (high)) {                                   \
        __typeof__(low) middle = (low) + ((high) - (low)) / 2; \
        if (holds)                                             \
            (low) = middle + 1;                                \
        else                                                   \
            (high) = middle;                                   \
    }

/* The first place in low ... high - 1 whose value is not below x; `high` if all are. */
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

/* The first place from `at` on that holds x or more; `end` if none does.  Galloping (exponential) search: near places
 * are found soon. */
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
/* The same for values and places of any type. */
template <class T, class I> WFI_HOST_DEVICE inline I wfi_lower_bound(const T *sorted, I low, I high, T x) {
    WFI_BISECT(low, high, middle, sorted[middle] < x);
    return low;
}

/* The first place of x there; `high` if it has none. */
template <class T, class I> WFI_HOST_DEVICE inline I wfi_place_of(const T *sorted, I low, I high, T x) {
    I at = wfi_lower_bound(sorted, low, high, x);
    return at < high && sorted[at] == x ? at : high;
}

/* The last place of low ... high whose value is not above x, which is that of `low` or more: of offsets, the row in
 * which x lies. */
template <class T> WFI_HOST_DEVICE inline uint64_t wfi_row_among(const T *offsets, uint64_t low, uint64_t high, T x) {
    low++;
    high++;
    WFI_BISECT(low, high, middle, offsets[middle] <= x);
    return low - 1;
}
#endif
#endif
