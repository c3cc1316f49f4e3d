/* Degrees of all vertices, and how they are distributed. */
#ifndef WFI_DEGREES_H
#define WFI_DEGREES_H

#include "graph/graph.h"

/* degree[v] for all v.  In-degrees come from the transpose if it is there, else they are counted without making it.
 * In an undirected graph all three sides are the length of the row; a loop counts once per side. */
weft_status wfi_degrees(weft_ctx *ctx, const weft_graph *g, weft_side side, uint64_t *degree);

/* count[d] = number of entries of degree[] equal to d, for d = 0 ... *max; a block of *max + 1 places. */
weft_status wfi_degree_histogram(weft_ctx *ctx, const uint64_t *degree, weft_vid n, uint64_t **count, uint64_t *max);

#endif
