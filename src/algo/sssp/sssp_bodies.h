/* Delta-stepping [1] on ranks: the kernels, for CPU cores and for GPUs.
 * Method: in a bucket each rank relaxes the arcs of its vertices until none of its distances falls; then the lengths
 * found for vertices of other ranks go to their owners, one message each.  Minima do not depend on the order.
 * Parents: a vertex offers itself along tight arcs to larger distances; along weights of 0, hop by hop, to equal
 * distances, by the rule of sssp_parents.c.
 * Encoding: distances are the bits of doubles, which order like the numbers since none is negative.
 * [1] Meyer, Sanders, "Delta-stepping: a parallelizable shortest path algorithm", J. Algorithms 49 (2003). */
#ifndef WFI_SSSP_BODIES_H
#define WFI_SSSP_BODIES_H

#include "ops/push.h"

/* Counters: length of `far`; the least distance in it, SSSP_INFINITE between steps; and the result of a step. */
enum { SSSP_FAR = WFI_PUSH_QUEUED + 1, SSSP_LEAST, SSSP_FOUND, SSSP_MOST };
enum { SSSP_IDLE = 0, SSSP_IS_NEAR, SSSP_IS_FAR }; /* where a vertex waits: nowhere, in the queue, or in `far` */
enum {
    SSSP_ORPHAN = 0,
    SSSP_HAS_PARENT,
    SSSP_ADOPTED
}; /* hops: no parent, a parent from an earlier hop, or a parent from this hop */
static const uint64_t SSSP_INFINITE = 0x7ff0000000000000ull; /* the bits of infinity */

typedef struct sssp_buckets {
    wfi_view out;
    weft_weight_type type;
    double bound, beyond; /* upper bound of the bucket; vertices farther than `beyond` are not reached */
    /* By vertex of the graph: the distance of this rank's vertices, the least length known here of the others. */
    uint64_t *best;
    uint32_t *state;        /* by vertex of this rank: where it waits; in hops, whether it has a parent */
    weft_vid *far, *kept;   /* rows of later buckets, some of which wait elsewhere by now; scratch for filtering them */
    uint32_t *is_addressed; /* a bit for each vertex of the graph */
    weft_vid *offer;  /* by vertex of the graph: the smallest candidate for its parent; WEFT_NO_VERTEX between steps */
    double *distance; /* the columns, by vertex of this rank */
    weft_vid *parent;
    weft_vid *sources, *targets;
    wfi_push p;
} sssp_buckets;

/* --- distances --- */

/* Row k has a shorter path: stores the length, and queues the row in the queue or in `far`. */
WFI_HOST_DEVICE static inline void sssp_reach(const sssp_buckets *s, weft_vid k, double length, weft_vid *list) {
    uint64_t bits = wfi_op_bits(length);
    if (wfi_push_least_wide(s->best + s->p.first + k, bits) <= bits) return;
    if (length < s->bound) {
        if (wfi_push_swap_in(s->state + k, SSSP_IS_NEAR) != SSSP_IS_NEAR) wfi_push_put(&s->p, list, k);
    } else if (wfi_push_replace(s->state + k, SSSP_IDLE, SSSP_IS_FAR) == SSSP_IDLE) {
        s->far[wfi_push_claim(s->p.counts + SSSP_FAR)] = k;
    }
}

WFI_HOST_DEVICE static inline void sssp_begin(const sssp_buckets *s, uint64_t v) { s->best[v] = SSSP_INFINITE; }

WFI_HOST_DEVICE static inline void sssp_source(const sssp_buckets *s, uint64_t i) {
    if (wfi_push_owns(&s->p, s->sources[i])) sssp_reach(s, s->sources[i] - s->p.first, 0, s->p.queue);
}

WFI_HOST_DEVICE static inline void sssp_nearest(const sssp_buckets *s, uint64_t i) {
    weft_vid k = s->far[i];
    if (s->state[k] == SSSP_IS_FAR) wfi_push_lower(s->p.counts + SSSP_LEAST, s->best[s->p.first + k]);
}

/* Moves row far[i] to the queue if its distance is below the bound, else to `kept`. */
WFI_HOST_DEVICE static inline void sssp_fill(const sssp_buckets *s, uint64_t i) {
    weft_vid k = s->far[i];
    if (s->state[k] != SSSP_IS_FAR) return;
    if (wfi_op_real(s->best[s->p.first + k]) < s->bound) {
        s->state[k] = SSSP_IS_NEAR;
        wfi_push_put(&s->p, s->p.queue, k);
    } else {
        s->kept[wfi_push_claim(s->p.counts + SSSP_FAR)] = k;
    }
}

WFI_HOST_DEVICE static inline void sssp_put_off(const sssp_buckets *s, uint64_t i) {
    s->state[s->p.queue[i]] = SSSP_IS_FAR;
    s->far[wfi_push_claim(s->p.counts + SSSP_FAR)] = s->p.queue[i];
}

/* A vertex that falls while its arcs are relaxed must be queued again, so it is idle before they are: on a GPU all
 * vertices first, with one thread each vertex when it is taken. */
WFI_HOST_DEVICE static inline void sssp_wake(const sssp_buckets *s, uint64_t i) { s->state[s->p.queue[i]] = SSSP_IDLE; }

WFI_HOST_DEVICE static inline void sssp_relax(const sssp_buckets *s, uint64_t i, unsigned lane, unsigned lanes) {
    weft_vid k = s->p.queue[i];
#ifndef __CUDA_ARCH__
    s->state[k] = SSSP_IDLE;
#endif
    double distance = wfi_op_real(*(volatile uint64_t *)(s->best + s->p.first + k));
    for (weft_eid e = wfi_push_from(&s->out, k, lane), end = wfi_push_end(&s->out, k); e < end; e += lanes) {
        weft_vid v = s->out.targets[e];
        double length = distance + wfi_weight_at(s->type, s->out.weights, e);
        if (!(length < wfi_op_real(*(volatile uint64_t *)(s->best + v)))) continue;
        if (wfi_push_owns(&s->p, v)) {
            sssp_reach(s, v - s->p.first, length, s->p.next);
            continue;
        }
        uint32_t bit = 1u << v % 32;
        if (wfi_push_least_wide(s->best + v, wfi_op_bits(length)) <= wfi_op_bits(length)) continue;
        if (!(wfi_push_set(s->is_addressed + v / 32, bit) & bit)) wfi_push_address(&s->p, v);
    }
}

WFI_HOST_DEVICE static inline void sssp_forget(const sssp_buckets *s, uint64_t i) {
    s->is_addressed[s->p.m.addressed[i] / 32] = 0;
}

WFI_HOST_DEVICE static inline void sssp_hear(const sssp_buckets *s, uint64_t i) {
    const uint32_t *it = s->p.m.received + 3 * i;
    sssp_reach(s, it[0] - s->p.first, wfi_op_real((uint64_t)it[2] << 32 | it[1]), s->p.queue);
}

WFI_HOST_DEVICE static inline void sssp_farthest(const sssp_buckets *s, uint64_t i) {
    if (wfi_push_owns(&s->p, s->targets[i])) wfi_push_raise(s->p.counts + SSSP_MOST, s->best[s->targets[i]]);
}

/* Writes the column; counts reached vertices, and finds the largest distance. */
WFI_HOST_DEVICE static inline void sssp_write(const sssp_buckets *s, uint64_t k) {
    uint64_t *best = s->best + s->p.first + k;
    if (wfi_op_real(*best) > s->beyond) *best = SSSP_INFINITE;
    s->distance[k] = wfi_op_real(*best);
    if (*best == SSSP_INFINITE) return;
    wfi_push_claim(s->p.counts + SSSP_FOUND);
    wfi_push_raise(s->p.counts + SSSP_MOST, *best);
}

/* Does an arc lead to a vertex whose distance overflows a double?  Every rank has all distances. */
WFI_HOST_DEVICE static inline void sssp_beyond(const sssp_buckets *s, uint64_t k, unsigned lane, unsigned lanes) {
    uint64_t here = s->best[s->p.first + k];
    if (here == SSSP_INFINITE) return;
    for (weft_eid e = wfi_push_from(&s->out, k, lane), end = wfi_push_end(&s->out, k); e < end; e += lanes) {
        double length = wfi_op_real(here) + wfi_weight_at(s->type, s->out.weights, e);
        if (wfi_op_bits(length) == SSSP_INFINITE && s->best[s->out.targets[e]] == SSSP_INFINITE)
            wfi_push_raise(s->p.counts + SSSP_FOUND, 1);
    }
}

/* --- parents --- */

/* A vertex offers itself along tight arcs from a smaller distance, or (same) from an equal one. */
WFI_HOST_DEVICE static inline void sssp_offer_row(const sssp_buckets *s, weft_vid k, bool same, unsigned lane,
                                                  unsigned lanes) {
    weft_vid u = s->p.first + k;
    double here = wfi_op_real(s->best[u]);
    if (s->best[u] == SSSP_INFINITE) return;
    for (weft_eid e = wfi_push_from(&s->out, k, lane), end = wfi_push_end(&s->out, k); e < end; e += lanes) {
        weft_vid v = s->out.targets[e];
        double there = wfi_op_real(s->best[v]);
        if (s->best[v] == SSSP_INFINITE || (same ? here != there : !(here < there))) continue;
        if (here + wfi_weight_at(s->type, s->out.weights, e) != there) continue;
        if (wfi_push_least(s->offer + v, u) == WEFT_NO_VERTEX) wfi_push_address(&s->p, v);
    }
}
WFI_HOST_DEVICE static inline void sssp_offer(const sssp_buckets *s, uint64_t k, unsigned lane, unsigned lanes) {
    sssp_offer_row(s, (weft_vid)k, false, lane, lanes);
}
WFI_HOST_DEVICE static inline void sssp_offer_on(const sssp_buckets *s, uint64_t i, unsigned lane, unsigned lanes) {
    sssp_offer_row(s, s->p.queue[i], true, lane, lanes);
}

WFI_HOST_DEVICE static inline void sssp_adopt(const sssp_buckets *s, uint64_t i) {
    wfi_push_least(s->parent + (s->p.m.received[2 * i] - s->p.first), s->p.m.received[2 * i + 1]);
}

WFI_HOST_DEVICE static inline void sssp_own(const sssp_buckets *s, uint64_t i) {
    if (wfi_push_owns(&s->p, s->sources[i])) s->parent[s->sources[i] - s->p.first] = s->sources[i];
}

WFI_HOST_DEVICE static inline void sssp_count_orphans(const sssp_buckets *s, uint64_t k) {
    if (s->parent[k] == WEFT_NO_VERTEX && s->best[s->p.first + k] != SSSP_INFINITE)
        wfi_push_claim(s->p.counts + SSSP_FOUND);
}

/* Queues the vertices that have a parent. */
WFI_HOST_DEVICE static inline void sssp_first_hop(const sssp_buckets *s, uint64_t k) {
    bool has = s->parent[k] != WEFT_NO_VERTEX;
    s->state[k] = has ? SSSP_HAS_PARENT : SSSP_ORPHAN;
    if (has) wfi_push_put(&s->p, s->p.queue, (weft_vid)k);
}

/* Vertices without a parent before this hop adopt the smallest candidate, and are queued. */
WFI_HOST_DEVICE static inline void sssp_adopt_late(const sssp_buckets *s, uint64_t i) {
    weft_vid k = s->p.m.received[2 * i] - s->p.first;
    uint32_t was = wfi_push_replace(s->state + k, SSSP_ORPHAN, SSSP_ADOPTED);
    if (was == SSSP_HAS_PARENT) return;
    if (was == SSSP_ORPHAN) wfi_push_put(&s->p, s->p.queue, k);
    wfi_push_least(s->parent + k, s->p.m.received[2 * i + 1]);
}

WFI_HOST_DEVICE static inline void sssp_end_hop(const sssp_buckets *s, uint64_t i) {
    s->state[s->p.queue[i]] = SSSP_HAS_PARENT;
}

#define SSSP_KERNELS(EACH, WARP)                                                                            \
    EACH(sssp_begin)                                                                                        \
    EACH(sssp_source)                                                                                       \
    EACH(sssp_nearest)                                                                                      \
    EACH(sssp_fill)                                                                                         \
    EACH(sssp_put_off)                                                                                      \
    EACH(sssp_wake) WARP(sssp_relax) EACH(sssp_forget) EACH(sssp_hear) EACH(sssp_farthest) EACH(sssp_write) \
        WARP(sssp_beyond) WARP(sssp_offer) WARP(sssp_offer_on) EACH(sssp_adopt) EACH(sssp_own)              \
            EACH(sssp_count_orphans) EACH(sssp_first_hop) EACH(sssp_adopt_late) EACH(sssp_end_hop)

#endif
