/* k-core peeling on ranks: the kernels, for CPU cores and for GPUs.
 * Method: rounds of rising k; in a round waves, as Batagelj and Zaversnik's removal order allows: each rank removes its
 * vertices with k neighbours left, adds up the decrements of each neighbour, and sends their sum to the neighbour's
 * owner; neighbours that reach k are removed in the next wave.
 * [1] Montresor, De Pellegrini, Miorandi, "Distributed k-core decomposition", IEEE TPDS 24 (2013), takes the opposite
 *     way: falling estimates. */
#ifndef WFI_KCORE_BODIES_H
#define WFI_KCORE_BODIES_H

#include "ops/push.h"

enum { KCORE_LEAST = WFI_PUSH_QUEUED + 1 }; /* counter: the smallest remaining count; UINT64_MAX between steps */

typedef struct kcore_waves {
    wfi_view counts[2], counted_by[2]; /* as in kcore_cpu.c; without offsets: there is none */
    bool merged;                       /* a neighbour in both rows counts once */
    uint32_t k;
    uint32_t *core;      /* for each of this rank's vertices: neighbours left, then the core number */
    uint8_t *taken;      /* whether each of this rank's vertices is taken */
    uint32_t *decrement; /* decrement of each vertex of the graph, 0 between waves */
    wfi_push p;
} kcore_waves;

/* Counts the neighbours of a vertex; core is 0 before. */
WFI_HOST_DEVICE static inline void kcore_count(const kcore_waves *s, uint64_t k, unsigned lane, unsigned lanes) {
    uint32_t count = 0;
    wfi_push_near m = wfi_push_near_of(s->counts, k, s->p.first + (weft_vid)k, lane, lanes);
    while (wfi_push_next(&m)) count += s->merged ? 1 : m.ways;
    if (count) wfi_push_add(s->core + k, count);
}

WFI_HOST_DEVICE static inline void kcore_lowest(const kcore_waves *s, uint64_t k) {
    if (!s->taken[k]) wfi_push_lower(s->p.counts + KCORE_LEAST, s->core[k]);
}

WFI_HOST_DEVICE static inline void kcore_put(const kcore_waves *s, weft_vid k) {
    s->taken[k] = 1;
    wfi_push_put(&s->p, s->p.queue, k);
}

WFI_HOST_DEVICE static inline void kcore_take(const kcore_waves *s, uint64_t k) {
    if (!s->taken[k] && s->core[k] == s->k) kcore_put(s, (weft_vid)k);
}

WFI_HOST_DEVICE static inline void kcore_decrement(const kcore_waves *s, uint64_t i, unsigned lane, unsigned lanes) {
    weft_vid k = s->p.queue[i];
    wfi_push_near m = wfi_push_near_of(s->counted_by, k, s->p.first + k, lane, lanes);
    while (wfi_push_next(&m))
        if (!wfi_push_add(s->decrement + m.neighbour, s->merged ? 1 : m.ways)) wfi_push_address(&s->p, m.neighbour);
}

/* Clamped at k.  Several ranks may decrement a vertex: the decrement that brings it to k takes it. */
WFI_HOST_DEVICE static inline void kcore_receive(const kcore_waves *s, uint64_t i) {
    weft_vid at = s->p.m.received[2 * i] - s->p.first;
    uint32_t by = s->p.m.received[2 * i + 1], left = s->core[at], next;
    for (;;) {
        if (left <= s->k) return; /* taken */
        next = left - s->k > by ? left - by : s->k;
        uint32_t was = wfi_push_replace(s->core + at, left, next);
        if (was == left) break;
        left = was;
    }
    if (next == s->k) kcore_put(s, at);
}

#define KCORE_KERNELS(EACH, WARP) \
    WARP(kcore_count) EACH(kcore_lowest) EACH(kcore_take) WARP(kcore_decrement) EACH(kcore_receive)

#endif
