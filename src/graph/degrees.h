/* Degrees of all vertices and their distribution. */
#ifndef WFI_DEGREES_H
#define WFI_DEGREES_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* Sets degree[v] for all v. In-degrees come from the transpose if it exists, else they are counted without it. In an
 * undirected graph all sides are the row's length; a loop counts once per side. */
weft_status wfi_degrees(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t *degree);

/* Histogram of degrees: counters for small degrees, a list of the few large ones. */
typedef struct wfi_degree_counts {
    uint64_t *small;                     /* small[d]: number of vertices of degree d < smalls */
    uint64_t *large;                     /* ascending, one entry per vertex */
    uint64_t smalls, larges, most_large; /* most_large: upper bound of larges */
} wfi_degree_counts;
void wfi_degree_counts_lay_out(wfi_workspace *w, const weft_graph *g, wfi_degree_counts *counts);

/* Counts degrees of one or both sides, of the graph given to wfi_degree_counts_lay_out. */
void wfi_count_degrees(const weft_ctx *ctx, const uint64_t *degree, weft_vid n, wfi_degree_counts *counts);
/* Sorts `large`, for counts made elsewhere. */
void wfi_sort_large_degrees(wfi_degree_counts *counts);
/* Upper bound of the number of distinct degrees: k distinct degrees need at least k (k - 1) / 2 arc ends. */
uint64_t wfi_most_distinct_degrees(const weft_graph *g);
/* Number of distinct degrees; list of these degrees, ascending, with their numbers of vertices. */
size_t wfi_distinct_degrees(const wfi_degree_counts *counts);
void wfi_list_degrees(const wfi_degree_counts *counts, uint64_t *value, uint64_t *count);

WFI_C_END
#endif
