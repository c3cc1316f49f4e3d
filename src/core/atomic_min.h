/* Atomic minimum. */
#ifndef WFI_ATOMIC_MIN_H
#define WFI_ATOMIC_MIN_H

#include <stdint.h>

static inline void wfi_atomic_min_u32(uint32_t *place, uint32_t value) {
    uint32_t now = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange_n(place, &now, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static inline void wfi_atomic_min_u64(uint64_t *place, uint64_t value) {
    uint64_t now = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange_n(place, &now, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

#endif
