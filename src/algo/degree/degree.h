/* degree: what the descriptor and the GPU version share. */
#ifndef WFI_DEGREE_H
#define WFI_DEGREE_H

#include "graph/degrees.h"
#include "run/algorithm.h"
#include "weft/degree.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods. */
enum { WFI_DEGREE_COUNT, WFI_DEGREE_LENGTHS, WFI_DEGREE_SUMS };

/* Columns that nobody asked for are NULL. */
typedef struct wfi_degree_arrays {
    uint64_t *in, *out, *total;
    double *in_strength, *out_strength, *strength;
    wfi_degree_counts counts;
} wfi_degree_arrays;

/* All columns, not those of one side. */
static inline bool wfi_degree_both(const weft_degree_params *p) {
    return p->mode != WEFT_SIDE_OUT && p->mode != WEFT_SIDE_IN;
}

/* Must weights be summed?  Without them strengths are degrees.  Over incoming arcs as well? */
static inline bool wfi_degree_sums(const weft_graph *g, const weft_degree_params *p) {
    return p->strength && g->weight_type != WEFT_WEIGHT_NONE;
}
static inline bool wfi_degree_sums_in(const weft_graph *g, const weft_degree_params *p) {
    return wfi_degree_sums(g, p) && g->directed && p->mode != WEFT_SIDE_OUT;
}

/* Columns, counters and the table's bounds. */
void wfi_degree_lay_out(wfi_workspace *w, const weft_graph *g, const weft_degree_params *p, wfi_degree_arrays *a);
/* The same with columns of so many vertices, those of a rank. */
void wfi_degree_lay_out_part(wfi_workspace *w, const weft_graph *g, const weft_degree_params *p, weft_vid vertices,
                             wfi_degree_arrays *a);
/* The table and the scalar of ranks, from their columns; together. */
weft_status wfi_degree_ranks_table(wfi_job *job, wfi_degree_arrays *a);
/* The table and the scalar, once all is counted. */
weft_status wfi_degree_table(wfi_job *job, const wfi_degree_counts *counts);

/* --- the GPU, and those of ranks --- */

void wfi_degree_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_degree_cuda(wfi_job *job);

struct wfi_spread;
void wfi_degree_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                wfi_choice *choice);
weft_status wfi_degree_ranks_cuda(wfi_job *job);

/* in[v] grows by the arcs of these rows that enter v. */
weft_status wfi_degree_count_targets(weft_ctx *ctx, const weft_vid *targets, weft_eid arcs, uint64_t *in);
/* length[k]: of row k. */
weft_status wfi_degree_lengths(weft_ctx *ctx, wfi_view rows, uint64_t *length);
/* total = in + out; in NULL: out. */
weft_status wfi_degree_add(weft_ctx *ctx, weft_vid count, const uint64_t *in, const uint64_t *out, uint64_t *total);

WFI_C_END
#endif
