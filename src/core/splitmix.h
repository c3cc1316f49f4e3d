/* SplitMix64's output function [1] for CPU and GPU: a bijection, so that different keys never tie.
 * [1] Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014. */
#ifndef WFI_SPLITMIX_H
#define WFI_SPLITMIX_H

#include "core/core.h"

WFI_HOST_DEVICE static inline uint64_t wfi_splitmix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
