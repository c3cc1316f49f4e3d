/* clustering on CPU cores, and the sums over triangles that directed graphs need. */
#ifndef WFI_CLUSTERING_CPU_H
#define WFI_CLUSTERING_CPU_H

#include "algo/algo.h"
#include "shared/triangles/oriented.h"

void wfi_clustering_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_clustering_run_cpu(wfi_job *job);

/* sums[r], n places: over the triangles of the vertex of rank r, ldbc: the arcs between its two other corners;
 * fagiolo: the product of the numbers of arcs on the three sides.  *total = triangles.  Needs o->arcs.
 * marks: n places for each thread. */
weft_status wfi_clustering_sums(weft_ctx *ctx, const wfi_oriented *o, weft_directed_mode mode, uint32_t *marks,
                                uint64_t *sums, uint64_t *total);
/* Threads that it may have on a view of no more than so many edges. */
int wfi_clustering_sums_threads(const weft_ctx *ctx, uint64_t edges);

#endif
