/* How near vertices are: for each that is asked for, the sum over sources of the distances to it, or of their
 * reciprocals, and how many sources reach it; for closeness and harmonic centrality.  On CPU cores; near_cuda.h has the
 * GPU.
 * Three ways, in a file each:
 *   hops.c     exact, by hops: sums are integers, of reciprocals in fixed point, rounded once
 *   lengths.c  exact, by weights: each sum is that of one search, in the order of the vertices
 *   balls.c    estimates, by hops: sizes of neighbourhoods are what sketches in integers say
 * and first.c for the largest of those by hops, if no more are asked for.
 * So no value depends on threads. */
#ifndef WFI_CLOSENESS_NEAR_H
#define WFI_CLOSENESS_NEAR_H

#include "algo/closeness/sketch.h"
#include "algo/closeness/values.h"
#include "engines/dijkstra/dijkstra.h"
#include "engines/msbfs/msbfs.h"

/* --- hops.c ----------------------------------------------------------------------------- */

typedef struct wfi_closeness_hops {
    int at_once;           /* searches side by side, each of one thread; 1: threads share them */
    uint8_t *wanted;       /* scratch */
    weft_vid *order;       /* where searches begin */
    wfi_closeness_sum *at; /* of each vertex; where searches go back from those that are asked for, of each lane */
    wfi_msbfs many;
} wfi_closeness_hops;

int wfi_closeness_hops_at_once(const weft_ctx *ctx, const wfi_closeness *t);
void wfi_closeness_hops_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_closeness *t, int at_once,
                                wfi_closeness_hops *h);
weft_status wfi_closeness_by_hops(weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_hops *h);

/* --- lengths.c -------------------------------------------------------------------------- */

typedef struct wfi_closeness_lengths {
    int threads;
    wfi_lengths first; /* of each thread one */
} wfi_closeness_lengths;

void wfi_closeness_lengths_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_closeness *t,
                                   wfi_closeness_lengths *l);
weft_status wfi_closeness_by_lengths(weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_lengths *l);

/* --- balls.c ---------------------------------------------------------------------------- */

typedef struct wfi_closeness_balls {
    uint64_t registers;
    uint8_t *now, *next;         /* the sketches: n times so many registers */
    uint8_t *changed, *changing; /* of vertices: in the last step, and in this one */
    double *size, *sum;          /* of a vertex's ball so far, and of distances or reciprocals */
    double *empty;               /* what so many empty registers weigh */
} wfi_closeness_balls;

void wfi_closeness_balls_lay_out(wfi_workspace *w, const wfi_closeness *t, uint64_t registers, wfi_closeness_balls *b);
weft_status wfi_closeness_by_balls(weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_balls *b);

/* --- first.c ---------------------------------------------------------------------------- */

typedef struct wfi_closeness_ranked {
    double value;
    weft_vid v;
} wfi_closeness_ranked;

/* The largest t->first values, of equal ones those of the smallest vertices. */
typedef struct wfi_closeness_best {
    uint64_t most, count;
    wfi_closeness_ranked *at;
} wfi_closeness_best;

typedef struct wfi_closeness_first {
    int threads;
    weft_vid *order;  /* all vertices, as they are searched from */
    weft_vid *others; /* in its component */
    uint32_t *seen;   /* of each thread n */
    weft_vid *queue;
} wfi_closeness_first;

void wfi_closeness_best_lay_out(wfi_workspace *w, const wfi_closeness *t, wfi_closeness_best *b);
/* Of all values only these stay; returns how many. */
uint64_t wfi_closeness_keep_first(const wfi_closeness *t, wfi_closeness_best *b);

/* Of all vertices, from all sources.  *found: they have their values, and no other has one; else it gave up. */
void wfi_closeness_first_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_first *f);
weft_status wfi_closeness_by_pruning(weft_ctx *ctx, const wfi_closeness *t, const wfi_closeness_first *f,
                                     wfi_closeness_best *best, bool *found);

#endif
