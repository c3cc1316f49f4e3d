/* bfs on ranks, direction-optimising search [1] by levels on a 1-D partition: the kernels, for CPU cores and for GPUs.
 * Method: top-down each rank keeps, for every target that was neither found nor sent before, the smallest of its
 * vertices with an arc to it, and sends that to the target's owner.  Bottom-up, if incoming rows are at hand, the
 * frontier is gathered as a bitmap, and each vertex that was not found looks for its first source in it.  Either way
 * the smallest parent wins, whatever the order.
 * [1] Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012. */
#ifndef WFI_BFS_BODIES_H
#define WFI_BFS_BODIES_H

#include "algo/bfs/bfs.h"
#include "ops/bodies.h"
#include "ops/push.h"

enum { BFS_ARCS = WFI_PUSH_QUEUED + 1, BFS_UNMET }; /* counters: arcs of the queue; targets without a level */

typedef struct bfs_rank_state {
    wfi_view out, in;
    uint32_t depth;
    uint32_t *level; /* the columns of this rank's vertices */
    weft_vid *parent;
    uint32_t *seen;  /* a bit for each vertex of the graph: found, or sent by this rank */
    uint32_t *front; /* the same, bottom-up: the frontier */
    weft_vid *offer; /* for each vertex: this rank's smallest vertex with an arc to it; WEFT_NO_VERTEX between levels */
    weft_vid *sources, *targets;
    bool ascends;        /* one thread goes through the queue in ascending order: the first offer to a target is the
                          * smallest */
    wfi_bfs_table table; /* the table, on the host */
    wfi_push p;
} bfs_rank_state;

WFI_HOST_DEVICE static inline bool bfs_has(const uint32_t *bits, weft_vid v) { return bits[v / 32] >> (v % 32) & 1; }
WFI_HOST_DEVICE static inline void bfs_set(uint32_t *bits, weft_vid v) { wfi_push_set(bits + v / 32, 1u << (v % 32)); }

/* Row k was found. */
WFI_HOST_DEVICE static inline void bfs_put(const bfs_rank_state *s, weft_vid k) {
    wfi_push_put(&s->p, s->p.queue, k);
    wfi_push_add_wide(s->p.counts + BFS_ARCS, s->out.offsets[k + (uint64_t)1] - s->out.offsets[k]);
    bfs_set(s->seen, s->p.first + k);
}

WFI_HOST_DEVICE static inline void bfs_seed(const bfs_rank_state *s, uint64_t i) {
    weft_vid v = s->sources[i], k = v - s->p.first;
    bfs_set(s->seen, v);
    if (!wfi_push_owns(&s->p, v) || wfi_push_replace(s->level + k, WEFT_UNREACHED, 0) != WEFT_UNREACHED) return;
    s->parent[k] = v;
    bfs_put(s, k);
}

WFI_HOST_DEVICE static inline void bfs_unmet(const bfs_rank_state *s, uint64_t i) {
    weft_vid v = s->targets[i];
    if (wfi_push_owns(&s->p, v) && s->level[v - s->p.first] == WEFT_UNREACHED) wfi_push_claim(s->p.counts + BFS_UNMET);
}

/* --- top-down --- */

WFI_HOST_DEVICE static inline void bfs_offer(const bfs_rank_state *s, uint64_t i, unsigned lane, unsigned lanes) {
    weft_vid k = s->p.queue[i];
    for (weft_eid e = wfi_push_from(&s->out, k, lane), end = wfi_push_end(&s->out, k); e < end; e += lanes) {
        weft_vid v = s->out.targets[e];
        if (bfs_has(s->seen, v)) continue; /* unless it ascends, no thread changes the bits meanwhile */
        if (wfi_push_least(s->offer + v, s->p.first + k) == WEFT_NO_VERTEX) wfi_push_address(&s->p, v);
        if (s->ascends) bfs_set(s->seen, v);
    }
}

WFI_HOST_DEVICE static inline void bfs_sent(const bfs_rank_state *s, uint64_t i) {
    bfs_set(s->seen, s->p.m.addressed[i]);
}

/* Pairs (vertex, parent): a new vertex gets this depth, and is queued. */
WFI_HOST_DEVICE static inline void bfs_take(const bfs_rank_state *s, uint64_t i) {
    weft_vid k = s->p.m.received[2 * i] - s->p.first;
    uint32_t was = wfi_push_replace(s->level + k, WEFT_UNREACHED, s->depth);
    if (was == WEFT_UNREACHED) bfs_put(s, k);
    if (was == WEFT_UNREACHED || was == s->depth) wfi_push_least(s->parent + k, s->p.m.received[2 * i + 1]);
}

/* --- bottom-up --- */

WFI_HOST_DEVICE static inline void bfs_wake(const bfs_rank_state *s, uint64_t i) {
    bfs_set(s->front, s->p.first + s->p.queue[i]);
}

WFI_HOST_DEVICE static inline void bfs_merge(const bfs_rank_state *s, uint64_t word) {
    s->seen[word] |= s->front[word];
}

/* Many threads run this, on CPU cores too, so it does not queue vertices. */
WFI_HOST_DEVICE static inline void bfs_look(const bfs_rank_state *s, weft_vid k, wfi_op_totals *t) {
    (void)t;
    if (s->level[k] != WEFT_UNREACHED) return;
    for (weft_eid e = wfi_push_from(&s->in, k, 0), end = wfi_push_end(&s->in, k); e < end; e++) {
        if (!bfs_has(s->front, s->in.targets[e])) continue;
        s->level[k] = s->depth;
        s->parent[k] = s->in.targets[e]; /* rows ascend: it is the smallest */
        return;
    }
}

WFI_HOST_DEVICE static inline void bfs_collect(const bfs_rank_state *s, uint64_t k) {
    if (s->level[k] == s->depth) bfs_put(s, (weft_vid)k);
}

#define BFS_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) VERTICES(bfs_look)
#define BFS_KERNELS(EACH, WARP) \
    EACH(bfs_seed)              \
    EACH(bfs_unmet) WARP(bfs_offer) EACH(bfs_sent) EACH(bfs_take) EACH(bfs_wake) EACH(bfs_merge) EACH(bfs_collect)

#endif
