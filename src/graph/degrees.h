/* Degrees of all vertices, and how they are distributed. */
#ifndef WFI_DEGREES_H
#define WFI_DEGREES_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

/* degree[v] for all v.  In-degrees come from the transpose if it is there, else they are counted without building it.
 * In an undirected graph all three sides are the length of the row; a loop counts once per side. */
weft_status wfi_degrees(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t *degree);

/* How many vertices have which degree: a counter for each small degree, and a list of the large ones, of which there
 * cannot be many. */
typedef struct wfi_degree_counts {
    uint64_t *small;                     /* small[d]: vertices of degree d, for d < smalls */
    uint64_t *large;                     /* ascending, one for each vertex */
    uint64_t smalls, larges, most_large; /* most_large: that there can be */
} wfi_degree_counts;
void wfi_degree_counts_lay_out(wfi_workspace *w, const weft_graph *g, wfi_degree_counts *counts);

/* Of degrees of one side, or of both, of the graph that they were laid out for. */
void wfi_count_degrees(const weft_ctx *ctx, const uint64_t *degree, weft_vid n, wfi_degree_counts *counts);
/* Of a list that was filled elsewhere. */
void wfi_sort_large_degrees(wfi_degree_counts *counts);
/* No more can occur: k distinct degrees have at least k (k - 1) / 2 ends of arcs. */
uint64_t wfi_most_distinct_degrees(const weft_graph *g);
/* Degrees that occur; and each with its number of vertices, ascending. */
size_t wfi_distinct_degrees(const wfi_degree_counts *counts);
void wfi_list_degrees(const wfi_degree_counts *counts, uint64_t *value, uint64_t *count);

WFI_C_END
#endif
