/* degree: what the descriptor and the GPU version share. */
#ifndef WFI_DEGREE_H
#define WFI_DEGREE_H

#include "algo/algo.h"
#include "graph/degrees.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wfi_degree_arrays {
    uint64_t *in, *out, *total;
    wfi_degree_counts counts;
} wfi_degree_arrays;

/* Columns, counters and the table's bounds. */
void wfi_degree_lay_out(wfi_workspace *w, const weft_graph *g, wfi_degree_arrays *a);
/* The table and the scalar, once all is counted. */
weft_status wfi_degree_table(wfi_job *job, const wfi_degree_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
