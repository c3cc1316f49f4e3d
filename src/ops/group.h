/* Row group, on CPU cores: the arcs of a vertex, both ways in a directed graph, summed by a key of their other ends;
 * then the key with the largest sum, of several the smallest.  What label propagation, and moving between communities,
 * turn on.
 *
 * A step of that kind has these bodies (ops/bodies.h says how steps are made):
 *
 *     bool x_wants(const S *s, weft_vid k)                  is row k to be summed?
 *     weft_vid x_key(const S *s, weft_vid target)           below n
 *     void x_end(const S *s, weft_vid k, weft_vid key, t)   WEFT_NO_VERTEX: no arc counts, or it was not wanted
 *
 * Method: few keys are sorted, more are summed in a hash table of the thread, which grows with the row so that most
 * fit into the first level of cache; those of a hub are summed by all threads together in one array.
 * Encoding: a candidate is one number, (sum << 32) | ~key, so that the best is a maximum, and as whoever adds last
 * sees all of a sum, no table is ever read through.  An arc counts 1, and sums have 32 bits; where arcs count by their
 * weights, these become integers, weight * unit with a power of two, and sums have 64 bits; 0 is no vote. */
#ifndef WFI_OPS_GROUP_H
#define WFI_OPS_GROUP_H

#include "core/workspace.h"
#include "ops/ops.h"

enum {
    WFI_GROUP_FEW = 16,       /* up to so many keys are sorted */
    WFI_GROUP_HUB = 1 << 14,  /* beyond so many all threads sum together */
    WFI_GROUP_SHARE = 1 << 12 /* arcs of a hub that are worth a thread */
};

/* A run's own, beside its state. */
typedef struct wfi_row_group {
    int threads;
    bool wide;            /* arcs count by their weights */
    double unit;          /* a weight times this is an integer, and no sum exceeds 2^62 */
    uint64_t table, list; /* of a thread: slots, and places for those in use */
    char *slots;          /* for all threads: tables, all free between rows, ... */
    uint32_t *touched;    /* ... and which of their slots are in use */
    char *counts;         /* per key, 0 between hubs; without places if there can be no hub */
    weft_vid *hubs, hub_count;
} wfi_row_group;

/* Its arrays; threads and wide are set.  A rank has as many vertices as the graph, at most. */
void wfi_group_lay_out(wfi_workspace *w, const weft_graph *g, wfi_row_group *group);
int wfi_group_threads(const weft_ctx *ctx, const weft_graph *g);
/* Tables are empty, sums 0, the hubs listed, the unit found.  Weights below 0 are refused in the algorithm's name.
 * Collective. */
weft_status wfi_group_begin(wfi_ops *o, const char *algorithm, const weft_graph *g, wfi_row_group *group);

/* Arcs at a vertex of this rank. */
static inline uint64_t wfi_group_degree(const wfi_ops *o, weft_vid k) {
    uint64_t out = o->out->offsets[k + 1] - o->out->offsets[k];
    return o->in == o->out ? out : out + (o->in->offsets[k + 1] - o->in->offsets[k]);
}

typedef weft_vid wfi_group_key(const void *state, weft_vid target);

/* A step: rows of a chunk that are no hubs, and one hub by all threads. */
typedef struct wfi_group_op {
    void (*rows)(wfi_ops *o, const wfi_row_group *group, const void *state, weft_vid from, weft_vid to, int thread,
                 wfi_op_totals *t);
    void (*hub)(wfi_ops *o, const wfi_row_group *group, const void *state, weft_vid k, wfi_op_totals *t);
} wfi_group_op;

/* All vertices of this rank. */
void wfi_ops_group(wfi_ops *o, const wfi_group_op *op, const wfi_row_group *group, const void *state,
                   wfi_op_totals *to);

/* --- for the steps --- */

#define GROUP_NAME(x) wfi_group_##x##_32
#define GROUP_SUM     uint32_t
#define GROUP_BEST    uint64_t
#define GROUP_WIDE    0
#include "ops/group_rows.h"

__extension__ typedef unsigned __int128 wfi_group_best;
#define GROUP_NAME(x) wfi_group_##x##_64
#define GROUP_SUM     uint64_t
#define GROUP_BEST    wfi_group_best
#define GROUP_WIDE    1
#include "ops/group_rows.h"

#define WFI_OP_GROUP(x)                                                                                               \
    static inline __attribute__((always_inline)) weft_vid x##_of(const void *s, weft_vid v) { return x##_key(s, v); } \
    static void x##_rows(wfi_ops *o, const wfi_row_group *group, const void *s, weft_vid k, weft_vid to, int thread,  \
                         wfi_op_totals *t) {                                                                          \
        for (; k < to; k++) {                                                                                         \
            uint64_t degree = wfi_group_degree(o, k);                                                                 \
            if (degree > WFI_GROUP_HUB) continue;                                                                     \
            weft_vid key = WEFT_NO_VERTEX;                                                                            \
            if (degree && x##_wants(s, k))                                                                            \
                key = group->wide ? wfi_group_row_64(o, group, s, k, degree, thread, x##_of)                          \
                                  : wfi_group_row_32(o, group, s, k, degree, thread, x##_of);                         \
            x##_end(s, k, key, t);                                                                                    \
        }                                                                                                             \
    }                                                                                                                 \
    static void x##_hub(wfi_ops *o, const wfi_row_group *group, const void *s, weft_vid k, wfi_op_totals *t) {        \
        weft_vid key = WEFT_NO_VERTEX;                                                                                \
        if (x##_wants(s, k))                                                                                          \
            key = group->wide ? wfi_group_hub_64(o, group, s, k, x##_of) : wfi_group_hub_32(o, group, s, k, x##_of);  \
        x##_end(s, k, key, t);                                                                                        \
    }                                                                                                                 \
    static const wfi_group_op x##_op = {x##_rows, x##_hub};

#endif
