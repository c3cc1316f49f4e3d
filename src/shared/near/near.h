/* How near vertices are: for each that is asked for, the sum over sources of the distances to it, or of their
 * reciprocals, and how many sources reach it; for closeness and harmonic centrality.  On CPU cores.
 * Three ways, in a file each:
 *   hops.c     exact, by hops: sums are integers, of reciprocals in fixed point, rounded once
 *   lengths.c  exact, by weights: each sum is that of one search, in the order of the vertices
 *   balls.c    estimates, by hops: sizes of neighbourhoods are what sketches in integers say
 * So no value depends on threads. */
#ifndef WFI_NEAR_H
#define WFI_NEAR_H

#include "core/heap.h"
#include "core/workspace.h"
#include "graph/graph.h"
#include "shared/many/many.h"

typedef struct wfi_near {
    const char *name; /* of the algorithm, and so of its progress */
    const weft_graph *g;
    const wfi_view *along, *back; /* distances are measured along the first, to the vertices that are asked for */
    bool harmonic;                /* reciprocals */
    bool factor;                  /* closeness is scaled, or harmonic centrality normalised */
    const weft_vid *of, *sources; /* NULL: all */
    uint64_t of_count, source_count;
    double *value;             /* of each vertex; NaN: it is not asked for */
    uint8_t *valued, *counted; /* marks of these lists, NULL where there is none */
} wfi_near;

/* What a vertex is worth: `reached` other vertices, whose distances, or their reciprocals, add up to `sum`. */
static inline double wfi_near_value(const wfi_near *t, double reached, double sum) {
    double others = (double)t->g->n - 1;
    if (!(sum > 0) || others < 1) return 0;
    if (t->harmonic) return t->factor ? sum / others : sum;
    return t->factor ? reached / sum * (reached / others) : reached / sum;
}

static inline bool wfi_near_asked(const wfi_near *t, weft_vid v) { return !t->valued || t->valued[v]; }
static inline bool wfi_near_counts(const wfi_near *t, weft_vid v) { return !t->counted || t->counted[v]; }

/* --- hops.c ----------------------------------------------------------------------------- */

/* Sums of distances, or of reciprocals in units of 2^-96. */
typedef struct wfi_near_sum {
    __extension__ unsigned __int128 sum;
    uint64_t reached;
} wfi_near_sum;

typedef struct wfi_near_hops {
    int at_once;      /* searches side by side, each of one thread; 1: threads share them */
    uint8_t *wanted;  /* scratch */
    weft_vid *order;  /* where searches begin */
    wfi_near_sum *at; /* of each vertex; where searches go back from those that are asked for, of each lane */
    wfi_many many;
} wfi_near_hops;

uint64_t wfi_near_hops_most(const wfi_near *t); /* searches */
int wfi_near_hops_at_once(const weft_ctx *ctx, const wfi_near *t);
void wfi_near_hops_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_near *t, int at_once, wfi_near_hops *h);
weft_status wfi_near_by_hops(weft_ctx *ctx, const wfi_near *t, wfi_near_hops *h);

/* --- lengths.c -------------------------------------------------------------------------- */

typedef struct wfi_near_lengths {
    int threads;
    double *distance;      /* of each thread n; infinity: not reached */
    wfi_heap_entry *queue; /* those that wait, as a heap */
    weft_vid *place;       /* in it */
} wfi_near_lengths;

void wfi_near_lengths_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_near *t, wfi_near_lengths *l);
weft_status wfi_near_by_lengths(weft_ctx *ctx, const wfi_near *t, const wfi_near_lengths *l);

/* --- balls.c ---------------------------------------------------------------------------- */

enum { WFI_NEAR_LEAST_REGISTERS = 16, WFI_NEAR_MOST_REGISTERS = 4096 };

typedef struct wfi_near_balls {
    uint64_t registers;
    uint8_t *now, *next;         /* the sketches: n times so many registers */
    uint8_t *changed, *changing; /* of vertices: in the last step, and in this one */
    double *size, *sum;          /* of a vertex's ball so far, and of distances or reciprocals */
    double *empty;               /* what so many empty registers weigh */
} wfi_near_balls;

void wfi_near_balls_lay_out(wfi_workspace *w, const wfi_near *t, uint64_t registers, wfi_near_balls *b);
weft_status wfi_near_by_balls(weft_ctx *ctx, const wfi_near *t, wfi_near_balls *b);

#endif
