/* Strong components on ranks by colouring [1]: the kernels, for CPU cores and for GPUs.
 * Method: in a round every remaining vertex takes the best name among those of the vertices that reach it.  A vertex
 * that keeps its own name is a root, and its component are the vertices of its colour that reach it.  The next round
 * follows arcs inside a colour only.  Names are compared by a hash of the vertex, so that a chain of components is
 * halved, on average, whatever its order.  A name read while other threads improve it is passed on as it is: the
 * improved vertex is queued again.
 * [1] Orzan, "On Distributed Verification and Verified Distribution", thesis, Amsterdam 2004. */
#ifndef WFI_STRONG_BODIES_H
#define WFI_STRONG_BODIES_H

#include "ops/push.h"

enum { STRONG_FOUND = WFI_PUSH_QUEUED + 1, STRONG_MOST }; /* counters */

typedef struct strong_state {
    wfi_view out, in;
    weft_vid *colour;       /* best name that reaches each vertex of the graph, in this round, ... */
    weft_vid *kind;         /* ... and in the last; WEFT_NO_VERTEX: its component is known */
    uint8_t *marked;        /* whether each vertex of the graph reaches its root */
    weft_vid *label;        /* for this rank's vertices: the root, then the smallest vertex of the component */
    uint32_t *waits;        /* whether each of this rank's vertices is in the queue, or in the next one */
    uint32_t *is_addressed; /* a bit for each vertex of the graph */
    uint64_t *family;  /* for each vertex as a root: its members on this rank, and in the lower half the smallest of
                        * them */
    uint32_t *members; /* members on all ranks, for each of this rank's vertices as a root */
    wfi_push p;
} strong_state;

/* A bijective hash; no name is worse than any name. */
WFI_HOST_DEVICE static inline uint32_t strong_hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
WFI_HOST_DEVICE static inline bool strong_better(weft_vid a, weft_vid b) {
    return b == WEFT_NO_VERTEX || (a != b && strong_hash(a) < strong_hash(b));
}

WFI_HOST_DEVICE static inline void strong_put(const strong_state *s, weft_vid *list, weft_vid k) {
    if (!s->waits[k] && !wfi_push_set(s->waits + k, 1)) wfi_push_put(&s->p, list, k);
}

WFI_HOST_DEVICE static inline void strong_mention(const strong_state *s, weft_vid v) {
    uint32_t bit = 1u << v % 32;
    if (!(wfi_push_set(s->is_addressed + v / 32, bit) & bit)) wfi_push_address(&s->p, v);
}

/* True: this thread has given v a better name. */
WFI_HOST_DEVICE static inline bool strong_rename(const strong_state *s, weft_vid v, weft_vid name) {
    weft_vid old = *(volatile weft_vid *)(s->colour + v);
    while (strong_better(name, old)) {
        weft_vid was = wfi_push_replace(s->colour + v, old, name);
        if (was == old) return true;
        old = was;
    }
    return false;
}

/* Two threads may both find it unmarked: it is queued once. */
WFI_HOST_DEVICE static inline void strong_put_mark(const strong_state *s, weft_vid *list, weft_vid v) {
    if (*(volatile uint8_t *)(s->marked + v)) return;
    s->marked[v] = 1;
    strong_put(s, list, v - s->p.first);
}

/* Clears the flags of the queue before its names are passed on, which may queue some vertices again.  On a rank of one
 * thread each vertex is cleared at its turn (strong_turn): it is not queued again for a name that it will pass on
 * anyway. */
WFI_HOST_DEVICE static inline void strong_wake(const strong_state *s, uint64_t i) { s->waits[s->p.queue[i]] = 0; }
WFI_HOST_DEVICE static inline weft_vid strong_turn(const strong_state *s, uint64_t i) {
#ifndef __CUDA_ARCH__
    s->waits[s->p.queue[i]] = 0;
#endif
    return s->p.queue[i];
}

WFI_HOST_DEVICE static inline void strong_forget(const strong_state *s, uint64_t i) {
    s->is_addressed[s->p.m.addressed[i] / 32] = 0;
}

/* --- forward: names --- */

/* Gives each remaining vertex its own name; all have none before. */
WFI_HOST_DEVICE static inline void strong_name(const strong_state *s, uint64_t k) {
    weft_vid v = s->p.first + (weft_vid)k;
    if (s->kind[v] == WEFT_NO_VERTEX) return;
    s->colour[v] = v;
    strong_put(s, s->p.queue, (weft_vid)k);
}

WFI_HOST_DEVICE static inline void strong_pass_on(const strong_state *s, uint64_t i, unsigned lane, unsigned lanes) {
    weft_vid k = strong_turn(s, i), name = *(volatile weft_vid *)(s->colour + s->p.first + k);
    weft_vid kind = s->kind[s->p.first + k];
    for (weft_eid e = wfi_push_from(&s->out, k, lane), end = wfi_push_end(&s->out, k); e < end; e += lanes) {
        weft_vid v = s->out.targets[e];
        if (s->kind[v] != kind || !strong_rename(s, v, name)) continue;
        if (wfi_push_owns(&s->p, v))
            strong_put(s, s->p.next, v - s->p.first);
        else
            strong_mention(s, v);
    }
}

WFI_HOST_DEVICE static inline void strong_hear_name(const strong_state *s, uint64_t i) {
    const uint32_t *it = s->p.m.received + 2 * i;
    if (strong_rename(s, it[0], it[1])) strong_put(s, s->p.queue, it[0] - s->p.first);
}

/* --- backward: vertices that reach the root --- */

WFI_HOST_DEVICE static inline void strong_mark(const strong_state *s, uint64_t k) {
    weft_vid v = s->p.first + (weft_vid)k;
    if (s->colour[v] == v) strong_put_mark(s, s->p.queue, v);
}

WFI_HOST_DEVICE static inline void strong_look_back(const strong_state *s, uint64_t i, unsigned lane, unsigned lanes) {
    weft_vid k = strong_turn(s, i), colour = s->colour[s->p.first + k];
    for (weft_eid e = wfi_push_from(&s->in, k, lane), end = wfi_push_end(&s->in, k); e < end; e += lanes) {
        weft_vid u = s->in.targets[e];
        if (s->colour[u] != colour || *(volatile uint8_t *)(s->marked + u)) continue;
        if (wfi_push_owns(&s->p, u)) {
            strong_put_mark(s, s->p.next, u);
        } else {
            s->marked[u] = 1; /* its owner gets a message */
            strong_mention(s, u);
        }
    }
}

WFI_HOST_DEVICE static inline void strong_hear_mark(const strong_state *s, uint64_t i) {
    strong_put_mark(s, s->p.queue, s->p.m.received[2 * i]);
}

WFI_HOST_DEVICE static inline void strong_end_round(const strong_state *s, uint64_t i) {
    weft_vid v = (weft_vid)i;
    if (s->marked[v] && wfi_push_owns(&s->p, v)) s->label[v - s->p.first] = s->colour[v];
    s->kind[v] = s->marked[v] ? WEFT_NO_VERTEX : s->colour[v];
    if (s->kind[v] != WEFT_NO_VERTEX) wfi_push_claim(s->p.counts + STRONG_FOUND);
}

/* --- labels: each root receives the smallest vertex and the size of its component on each rank --- */

WFI_HOST_DEVICE static inline void strong_no_family(const strong_state *s, uint64_t v) {
    s->family[v] = WEFT_NO_VERTEX;
}

WFI_HOST_DEVICE static inline void strong_gather_family(const strong_state *s, uint64_t k) {
    uint32_t *half = (uint32_t *)(s->family + s->label[k]);
    wfi_push_least(half, s->p.first + (weft_vid)k);
    if (!wfi_push_add(half + 1, 1)) wfi_push_address(&s->p, s->label[k]);
}

/* Collects the smallest in `kind`, which is WEFT_NO_VERTEX before. */
WFI_HOST_DEVICE static inline void strong_hear_family(const strong_state *s, uint64_t i) {
    const uint32_t *it = s->p.m.received + 3 * i;
    wfi_push_least(s->kind + it[0], it[1]);
    wfi_push_add(s->members + (it[0] - s->p.first), it[2]);
}

WFI_HOST_DEVICE static inline void strong_relabel(const strong_state *s, uint64_t k) {
    s->label[k] = s->kind[s->label[k]];
    if (s->members[k]) wfi_push_claim(s->p.counts + STRONG_FOUND);
    wfi_push_raise(s->p.counts + STRONG_MOST, s->members[k]);
}

#define STRONG_KERNELS(EACH, WARP)                                                                              \
    EACH(strong_wake)                                                                                           \
    EACH(strong_forget)                                                                                         \
    EACH(strong_name)                                                                                           \
    WARP(strong_pass_on) EACH(strong_hear_name) EACH(strong_mark) WARP(strong_look_back) EACH(strong_hear_mark) \
        EACH(strong_end_round) EACH(strong_no_family) EACH(strong_gather_family) EACH(strong_hear_family)       \
            EACH(strong_relabel)

#endif
