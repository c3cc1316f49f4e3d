/* mixing: what all rows say, and what is made of it: on CPU cores and on the GPU the same integers, divided once. */
#ifndef WFI_MIXING_H
#define WFI_MIXING_H

#include "algo/mixing/correlate.h"
#include "graph/degrees.h"
#include "run/algorithm.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods. */
enum { WFI_MIXING_ORIENTED, WFI_MIXING_LOW_MEMORY, WFI_MIXING_NO_TRIANGLES };

/* Sums, and nothing else. */
typedef struct wfi_mixing_totals {
    wfi_moments degrees; /* over all arcs: out-degrees where they begin, in-degrees where they end */
    wfi_sum chance;      /* over all groups: arcs that leave it, times arcs that enter it */
    wfi_sum same, mutual, loops;
} wfi_mixing_totals;

/* On the host. */
typedef struct wfi_mixing_columns {
    double *mean, *reciprocity;
    /* Of the table: the degrees that occur, ascending, and how many vertices have each; of each the arcs whose smaller
     * degree it is, and in the end the edges of its club. */
    uint64_t *value, *count, *within, *club;
    double *rich;
    size_t distinct;
} wfi_mixing_columns;

/* The columns; those of the table grow. */
void wfi_mixing_lay_out(wfi_workspace *w, const weft_graph *g, wfi_mixing_columns *c);
/* The table; value and count are filled. */
weft_status wfi_mixing_list(wfi_workspace *w, const wfi_degree_counts *counts, wfi_mixing_columns *c);
/* The table and the scalars, from what was counted. */
weft_status wfi_mixing_tell(wfi_job *job, const wfi_mixing_columns *c, const wfi_mixing_totals *t, double transitivity);

void wfi_mixing_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_mixing_cuda(wfi_job *job);

WFI_C_END

#endif
