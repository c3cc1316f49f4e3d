/* Operators: a step of an algorithm, written once, over all vertices or all rows, on CPU cores, on a GPU, and on the
 * cores or GPUs of ranks.
 *
 * An algorithm keeps what it computes with in a plain struct, its state: pointers to arrays that lie where it runs,
 * and numbers.  Its bodies are inline functions of the state and a vertex, for C and for device code (ops/bodies.h);
 * an operator calls them for many vertices.  The driver is C, and calls operators one after another:
 *
 *     wfi_ops_vertices(o, &share_op, &state, NULL);          each vertex puts what it passes on into state.share
 *     st = wfi_ops_gather(o, state.share, sizeof(double));   ranks: everybody has everybody's
 *     wfi_ops_rows(o, &pull_op, o->in, &state, state.total); each row is added up, and finished
 *     if (!st) st = wfi_ops_join(o, state.total);            ranks: the totals are those of all
 *
 * Rules of the bits: only integers cross threads, blocks and ranks (counts, maxima, sums in fixed point), so that
 * order does not matter; a sum in floating point stays within a row, in its order.  Bodies use no fma and no libm.
 *
 * Rules of failure: what a rank does by itself (vertices, rows) returns nothing; a failure is kept in `status`, later
 * steps do nothing, and the next collective call (gather, join) tells all ranks, which return the same status.  A
 * driver therefore makes the same calls on every rank, and looks at the statuses of the collective ones.  What fails or
 * is stopped after the last of them is found by its caller (wfi_ops_end). */
#ifndef WFI_OPS_H
#define WFI_OPS_H

#include "core/fixed.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* What a step adds up over all vertices or rows.  All begins at 0; a minimum is the maximum of the complements. */
enum { WFI_OP_SUMS = 4, WFI_OP_COUNTS = 4, WFI_OP_MOSTS = 4 };
typedef struct wfi_op_totals {
    wfi_fixed sum[WFI_OP_SUMS];    /* in fixed point: see core/fixed.h for what may be added */
    uint64_t count[WFI_OP_COUNTS]; /* added */
    uint64_t most[WFI_OP_MOSTS];   /* the largest */
} wfi_op_totals;
enum { WFI_OP_WORDS = sizeof(wfi_op_totals) / sizeof(uint64_t), WFI_OP_ADDED = 2 * WFI_OP_SUMS + WFI_OP_COUNTS };

WFI_HOST_DEVICE static inline void wfi_op_most(wfi_op_totals *t, int i, uint64_t x) {
    if (t->most[i] < x) t->most[i] = x;
}
/* Of numbers of 0 or more: their bits are in their order. */
WFI_HOST_DEVICE static inline uint64_t wfi_op_bits(double x) {
    union {
        double real;
        uint64_t bits;
    } u;
    u.real = x;
    return u.bits;
}
WFI_HOST_DEVICE static inline double wfi_op_real(uint64_t bits) {
    union {
        uint64_t bits;
        double real;
    } u;
    u.bits = bits;
    return u.real;
}
/* A sum, whether its limbs are settled or not. */
WFI_HOST_DEVICE static inline double wfi_op_value(const wfi_op_totals *t, int i) {
    wfi_fixed sum = t->sum[i];
    wfi_fixed_carry(&sum);
    return wfi_fixed_value(sum);
}

/* Both, on the host. */
void wfi_op_add(wfi_op_totals *all, const wfi_op_totals *more);

struct wfi_spread;
struct wfi_sell;
struct wfi_ops;
struct wfi_device_messages;
struct wfi_message_values;

struct wfi_row_group;

/* What the GPU does between steps (gpu.c). */
typedef struct wfi_ops_gpu {
    weft_status (*row_weights)(struct wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view *rows,
                               double *sum);
    weft_status (*gather)(struct wfi_ops *o, void *all, size_t each);
    weft_status (*read)(weft_ctx *ctx, void *to, const void *from, size_t bytes);
    weft_status (*write)(weft_ctx *ctx, void *to, const void *from, size_t bytes);
    /* o->sums = what comes along the arcs of each row; share: of each vertex of the graph, on the GPU. */
    weft_status (*add_rows)(struct wfi_ops *o, const wfi_view *rows, const double *share);
    weft_status (*repeats)(struct wfi_ops *o, const wfi_view *rows, wfi_op_totals *to);
    weft_status (*group_begin)(struct wfi_ops *o, const char *algorithm, const weft_graph *g,
                               struct wfi_row_group *group, double *widest);
    /* Of push.h: */
    weft_status (*gather_bytes)(struct wfi_ops *o, void *all, const uint64_t *start);
    weft_status (*fill)(weft_ctx *ctx, void *to, int byte, size_t bytes);
    weft_status (*count)(weft_ctx *ctx, uint64_t *there, uint64_t rest, uint64_t *value);
    weft_status (*messages)(weft_ctx *ctx, const struct wfi_spread *s, struct wfi_device_messages *m);
    weft_status (*deliver)(weft_ctx *ctx, const struct wfi_spread *s, weft_status mine, struct wfi_device_messages *m,
                           struct wfi_message_values values);
} wfi_ops_gpu;

/* A run, where it takes place. */
typedef struct wfi_ops {
    weft_ctx *ctx;
    const struct wfi_spread *spread; /* of ranks; of one that has all vertices too */
    const wfi_ops_gpu *gpu;          /* arrays of the state, views and totals lie there; NULL: on the host */
    bool weighted;                   /* an arc counts by its weight, where rows are added up */
    double alike;                    /* driver's: the share of every vertex in its next steps, 0: they differ */
    weft_vid n;                      /* vertices of the graph */
    weft_vid mine, first;            /* vertices of this rank, by which bodies go; and the first of them */
    weft_eid out_arcs, in_arcs;      /* of this rank's rows, on the GPU */
    const wfi_view *out, *in;        /* these rows; `in` of an undirected graph is `out`; NULL: not asked for */
    uint64_t *sums;                  /* on the GPU: two words for each row, 0 between steps */
    const struct wfi_sell *layout;   /* of the rows `in` on the GPU, for sweeps; NULL: there is none */
    double *moved;                   /* with it: room for the shares of all vertices */
    void *here;                      /* ranks' GPUs: room on the host for an array that is gathered */
    void *const *column;             /* of the result, on the host, in the order of the method's list */
    bool stop;                       /* atomically: the run is to end */
    weft_status status;              /* of this rank alone, until a collective call tells the others */
} wfi_ops;

/* Are rows added up by counting their arcs? */
WFI_HOST_DEVICE static inline bool wfi_ops_alike(const wfi_ops *o) { return o->alike > 0 && !o->weighted; }

/* A step: its bodies, compiled for CPU cores and for the GPU (ops/bodies.h).  For vertices the rows are NULL. */
typedef struct wfi_op {
    void (*cpu)(wfi_ops *o, const void *state, const wfi_view *rows, weft_vid from, weft_vid to, wfi_op_totals *t);
    weft_status (*gpu)(wfi_ops *o, const void *state, const wfi_view *rows, wfi_op_totals *to);
} wfi_op;

/* Each vertex of this rank; what is added up goes to *to, if it is not NULL, which lies where the run does. */
void wfi_ops_vertices(wfi_ops *o, const wfi_op *op, const void *state, wfi_op_totals *to);
/* Each row of a side: o->out or o->in. */
void wfi_ops_rows(wfi_ops *o, const wfi_op *op, const wfi_view *rows, const void *state, wfi_op_totals *to);
/* sum[k] = the weights of row k, added in their order in f64; a weight that shares cannot take
 * (engines/fixed_sums/takes.h) is refused in the algorithm's name. */
void wfi_ops_row_weights(wfi_ops *o, const char *algorithm, const weft_graph *g, const wfi_view *rows, double *sum);
/* count[0] of *to: does an arc of these rows repeat the one before it?  0: none does. */
void wfi_ops_repeats(wfi_ops *o, const wfi_view *rows, wfi_op_totals *to);

/* --- collective: all ranks call them, and return the same --- */

/* all[v] is there for this rank's vertices; now for all of the graph. */
weft_status wfi_ops_gather(wfi_ops *o, void *all, size_t each);
/* The totals become those of all ranks.  Alone this is only the status. */
weft_status wfi_ops_join(wfi_ops *o, wfi_op_totals *totals);
/* Joined totals, on the host.  A GPU has then taken the steps before. */
weft_status wfi_ops_read(wfi_ops *o, const wfi_op_totals *totals, size_t count, wfi_op_totals *here);
/* Join and read. */
weft_status wfi_ops_total(wfi_ops *o, wfi_op_totals *totals, wfi_op_totals *here);
/* What each vertex passes on, by the step `give` into shares, of f64; for all of the graph; rows added up by `pull`,
 * whose totals are read. */
weft_status wfi_ops_pull(wfi_ops *o, const wfi_op *give, const wfi_op *pull, const wfi_view *rows, const void *state,
                         double *share, wfi_op_totals *totals, wfi_op_totals *here);
/* Is the run to end? */
bool wfi_ops_stops(wfi_ops *o);

/* --- for whoever calls a driver (run/method.c) --- */

/* What this rank has to say after the driver, which returned `st`: a failure or a request to stop in the steps that no
 * collective call follows is no WEFT_OK.  The ranks agree on it afterwards. */
weft_status wfi_ops_end(const wfi_ops *o, weft_status st);

WFI_C_END
#endif
