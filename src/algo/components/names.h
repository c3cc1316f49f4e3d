/* Names of colours, ranked by a hash of the vertex that bears them: the same on CPUs and GPUs. */
#ifndef WFI_COMPONENTS_NAMES_H
#define WFI_COMPONENTS_NAMES_H

#include "core/core.h"

/* One to one. */
WFI_HOST_DEVICE static inline uint32_t wfi_name_hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Is name a better than b?  No name is worse than any. */
WFI_HOST_DEVICE static inline bool wfi_name_better(weft_vid a, weft_vid b) {
    return b == WEFT_NO_VERTEX || (a != b && wfi_name_hash(a) < wfi_name_hash(b));
}

#endif
