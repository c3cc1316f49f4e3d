/* The interface of clustering's files. */
#ifndef WFI_CLUSTERING_H
#define WFI_CLUSTERING_H

#include "engines/triangles/triangles.h"
#include "run/algorithm.h"
#include "weft/clustering.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods. */
enum {
    WFI_CLUSTERING_ORIENTED,
    WFI_CLUSTERING_OPPOSITE,
    WFI_CLUSTERING_DIRECTED,
    WFI_CLUSTERING_LEAN,
    WFI_CLUSTERING_FETCHED,
    WFI_CLUSTERING_WEIGHTED
};
static inline int wfi_clustering_method_of(const weft_graph *g, const weft_clustering_params *p) {
    return !g->directed                             ? WFI_CLUSTERING_ORIENTED
           : p->directed_mode == WEFT_DIRECTED_LDBC ? WFI_CLUSTERING_OPPOSITE
                                                    : WFI_CLUSTERING_DIRECTED;
}

/* The scalars, from the totals of either backend. */
weft_status wfi_clustering_scalars(weft_ctx *ctx, uint64_t n, const wfi_clustering_totals *totals, weft_result *result);

/* The plan and the run with weights (clustering_weighted.c). */
void wfi_clustering_plan_weighted(const weft_ctx *ctx, const weft_graph *g, wfi_choice *choice);
weft_status wfi_clustering_run_weighted(wfi_job *job);

void wfi_clustering_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_clustering_cuda(wfi_job *job);

/* The coefficient of a vertex with `neighbours` neighbours, `both` of them by arcs there and back, from the sum over
 * its triangles.  Exact for fewer than 2^31 neighbours. */
static inline double wfi_clustering_coefficient(uint64_t neighbours, uint64_t both, uint64_t sum, bool directed,
                                                weft_directed_mode mode) {
    uint64_t ends = neighbours + both, numerator = directed ? sum : 2 * sum, pairs = neighbours * (neighbours - 1);
    if (!sum) return 0;
    if (directed && mode == WEFT_DIRECTED_FAGIOLO) pairs = ends * (ends - 1) - 2 * both;
    return (double)numerator / (double)pairs;
}

/* sums[r], n entries: over the triangles of the vertex of rank r, ldbc: the arcs between its two other corners;
 * fagiolo: the product of the numbers of arcs on the three sides.  *total = triangles.  Needs o->arcs.  marks: n words
 * for each thread. */
weft_status wfi_clustering_sums(weft_ctx *ctx, const wfi_oriented *o, weft_directed_mode mode, uint32_t *marks,
                                uint64_t *sums, uint64_t *total);
/* The number of threads for a view of at most `edges` edges. */
int wfi_clustering_sums_threads(const weft_ctx *ctx, uint64_t edges);
/* The same on the GPU (directed_cuda.cu): sums must be 0 before, and *total is added to.  A stage of its own. */
struct wfi_oriented_rows;
weft_status wfi_clustering_sums_cuda(weft_ctx *ctx, const struct wfi_oriented_rows *o, bool fagiolo,
                                     unsigned long long *sums, unsigned long long *total);

WFI_C_END
#endif
