/* Spaces of vertex pairs with a number for every pair, and two ways to choose edges from one: each pair with
 * probability p, or exactly m distinct pairs. */
#ifndef WFI_PAIRS_H
#define WFI_PAIRS_H

#include "gen/gen.h"

typedef enum wfi_space {
    WFI_TRIANGLE, /* u < v: pair v(v-1)/2 + u */
    WFI_ORDERED,  /* u != v: pair u(n-1) + v, one less when v > u */
    WFI_SQUARE    /* all: pair u*n + v */
} wfi_space;

typedef struct wfi_pair {
    uint32_t u, v;
} wfi_pair;

/* n <= 2^32 - 2, so the count fits. */
uint64_t wfi_space_count(wfi_space space, uint64_t n);
wfi_pair wfi_space_pair(wfi_space space, uint64_t n, uint64_t number);

/* Every pair of the space over run->vertices with probability p, 0 <= p <= 1. */
weft_status wfi_choose_by_probability(wfi_run *run, wfi_space space, double p);
/* m distinct pairs. */
weft_status wfi_choose_exactly(wfi_run *run, wfi_space space, uint64_t m);

#endif
