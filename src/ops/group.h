/* Row group: the arcs of a vertex, both ways in a directed graph, summed by a key of their other ends; then the key
 * with the largest sum, of several the smallest.  What label propagation turns on.
 *
 * A step of that kind has these bodies (ops/bodies.h says how steps are made):
 *
 *     bool x_wants(const S *s, weft_vid k)                       is row k to be summed?
 *     x_row x_enter(const S *s, weft_vid k)                      what is read early of row k; x_row is a type
 *     weft_vid x_key(const S *s, weft_vid target)                below n
 *     void x_end(const S *s, weft_vid k, x_row row, weft_vid key, t)   WEFT_NO_VERTEX: no arc counts, or it was not
 *     wanted
 *
 * Rows without arcs are passed over.  A step reads nothing that it writes but through x_enter.
 * Method on CPU cores: few keys are sorted, more are summed in a hash table of the thread, which grows with the row so
 * that most fit into the first level of cache; those of a hub are summed by all threads together in one array.  On the
 * GPU: ops/group_tables.cuh.
 * Encoding: as whoever adds last sees all of a sum, no table is ever read through.  On CPU cores a candidate is one
 * number, (sum << 32) | ~key, so that the best is a maximum.  An arc counts 1, and sums have 32 bits; where arcs count
 * by their weights, these become integers, weight * unit with a power of two, and sums have 64 bits; 0 is no vote. */
#ifndef WFI_OPS_GROUP_H
#define WFI_OPS_GROUP_H

#include "core/workspace.h"
#include "ops/ops.h"

WFI_C_BEGIN

enum {
    WFI_GROUP_FEW = 16,       /* up to so many keys are sorted */
    WFI_GROUP_HUB = 1 << 14,  /* beyond so many all threads sum together */
    WFI_GROUP_SHARE = 1 << 12 /* arcs of a hub that are worth a thread */
};
enum { WFI_GROUP_KINDS = 12 }; /* of rows, by their lengths, on a GPU */

/* A run's own, in its state (run/method.h). */
typedef struct wfi_row_group {
    bool wide;   /* arcs count by their weights */
    double unit; /* a weight times this is an integer, and no sum exceeds 2^62 */

    int threads;          /* on CPU cores */
    uint64_t table, list; /* of a thread: slots, and places for those in use */
    char *slots;          /* for all threads: tables, all free between rows, ... */
    uint32_t *touched;    /* ... and which of their slots are in use */
    char *counts;         /* per key, 0 between hubs; without places if there can be no hub */
    weft_vid *hubs, hub_count;

    weft_vid *rows;                                          /* on a GPU: by kind, ... */
    uint32_t begin[WFI_GROUP_KINDS], count[WFI_GROUP_KINDS]; /* ... of which these are each */
    uint32_t table_slots;                                    /* of a block's largest table */
    bool allowed;                                            /* kernels may have such a table */
    wfi_op_totals *tallies;                                  /* 0 between steps */
    struct wfi_group_part *part;                             /* of rows that no table holds (group_tables.cuh) */
    uint64_t *best, *cursor;
} wfi_row_group;

/* Its arrays; wide is set.  A rank has as many vertices as the graph, at most. */
void wfi_group_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, wfi_row_group *group);
void wfi_group_lay_out_gpu(wfi_workspace *device, const weft_graph *g, weft_vid mine, wfi_row_group *group);
/* Tables are empty, sums 0, the rows listed, the unit found.  Weights below 0 are refused in the algorithm's name.
 * Collective. */
weft_status wfi_group_begin(wfi_ops *o, const char *algorithm, const weft_graph *g, wfi_row_group *group);

/* Arcs at a vertex of this rank; in: NULL, it is the same row. */
WFI_HOST_DEVICE static inline uint64_t wfi_group_degree(const wfi_view *out, const wfi_view *in, weft_vid k) {
    uint64_t arcs = out->offsets[(size_t)k + 1] - out->offsets[k];
    return in ? arcs + (in->offsets[(size_t)k + 1] - in->offsets[k]) : arcs;
}
static inline const wfi_view *wfi_group_in(const wfi_ops *o) { return o->in == o->out ? NULL : o->in; }

typedef weft_vid wfi_group_key(const void *state, weft_vid target);

/* A step: rows of a chunk that are no hubs, and one hub by all threads. */
typedef struct wfi_group_op {
    void (*rows)(wfi_ops *o, const wfi_row_group *group, const void *state, weft_vid from, weft_vid to, int thread,
                 wfi_op_totals *t);
    void (*hub)(wfi_ops *o, const wfi_row_group *group, const void *state, weft_vid k, wfi_op_totals *t);
    weft_status (*gpu)(wfi_ops *o, wfi_row_group *group, const void *state, wfi_op_totals *to);
} wfi_group_op;

/* All vertices of this rank; *to lies where the run does. */
void wfi_ops_group(wfi_ops *o, const wfi_group_op *op, wfi_row_group *group, const void *state, wfi_op_totals *to);

WFI_C_END

/* --- for the steps --- */

#ifdef __CUDACC__
#include "ops/group_tables.cuh"
#else

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
    extern weft_status x##_gpu(wfi_ops *o, wfi_row_group *group, const void *state, wfi_op_totals *to);               \
    static inline __attribute__((always_inline)) weft_vid x##_of(const void *s, weft_vid v) { return x##_key(s, v); } \
    static void x##_rows(wfi_ops *o, const wfi_row_group *group, const void *s, weft_vid k, weft_vid to, int thread,  \
                         wfi_op_totals *t) {                                                                          \
        for (; k < to; k++) {                                                                                         \
            uint64_t degree = wfi_group_degree(o->out, wfi_group_in(o), k);                                           \
            if (!degree || degree > WFI_GROUP_HUB) continue;                                                          \
            x##_row row = x##_enter(s, k);                                                                            \
            weft_vid key = WEFT_NO_VERTEX;                                                                            \
            if (x##_wants(s, k))                                                                                      \
                key = group->wide ? wfi_group_row_64(o, group, s, k, degree, thread, x##_of)                          \
                                  : wfi_group_row_32(o, group, s, k, degree, thread, x##_of);                         \
            x##_end(s, k, row, key, t);                                                                               \
        }                                                                                                             \
    }                                                                                                                 \
    static void x##_hub(wfi_ops *o, const wfi_row_group *group, const void *s, weft_vid k, wfi_op_totals *t) {        \
        x##_row row = x##_enter(s, k);                                                                                \
        weft_vid key = WEFT_NO_VERTEX;                                                                                \
        if (x##_wants(s, k))                                                                                          \
            key = group->wide ? wfi_group_hub_64(o, group, s, k, x##_of) : wfi_group_hub_32(o, group, s, k, x##_of);  \
        x##_end(s, k, row, key, t);                                                                                   \
    }                                                                                                                 \
    static const wfi_group_op x##_op = {x##_rows, x##_hub, WFI_WITH_CUDA(x##_gpu)};

#endif
#endif
