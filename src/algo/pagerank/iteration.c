/* What every backend's iteration has in common: its parts, where it begins, and what it tells at the end. */
#include "algo/pagerank/pagerank.h"

#include <math.h>

weft_vid wfi_pagerank_part(weft_vid n, bool whole) {
    uint64_t least = WFI_PAGERANK_PART, eighth = ((uint64_t)n + WFI_PAGERANK_PARTS - 1) / WFI_PAGERANK_PARTS;
    uint64_t size = (eighth + least - 1) / least * least;
    return (weft_vid)(whole ? n : wfi_min_u64(n, wfi_max_u64(size, least)));
}

bool wfi_pagerank_by_degree(const weft_graph *g, const weft_pagerank_params *p) {
    return !p->iterations && !g->directed && g->arcs && !p->restart && !p->weights;
}

/* Without restarts the walk on an undirected graph ends at ranks in proportion to the degree.  Vertices without arcs,
 * the teleport that they add to, and the vertices of pairs are known beforehand; what is left is shared by degree, so
 * that the ranks sum to what they will sum to in the end.  Nothing leaves a pair, so an error of its sum would fade
 * only with the damping: of an R-MAT graph of 2^20 vertices 378 are in pairs, and without them known 21 iterations
 * instead of 10 lead to 1e-6. */
wfi_pagerank_beginning wfi_pagerank_begin(const weft_graph *g, const weft_pagerank_params *p, weft_vid alone,
                                          weft_vid paired) {
    double n = (double)g->n, d = p->damping, a = (double)alone, two = (double)paired, arcs = (double)g->arcs - two;
    bool drop = p->dangling == WEFT_DANGLING_DROP;
    if (!wfi_pagerank_by_degree(g, p)) return (wfi_pagerank_beginning){1 / n, 0, 0};
    double mean = drop ? 1 / n : 1 / (n - d * a), flat = (1 - d) * mean, rest = n - a - two;
    double joined = (drop ? (n - a) / n : 1 - a * flat) - two * mean;
    return (wfi_pagerank_beginning){flat, arcs > 0 ? (joined - rest * flat) / arcs : 0, mean};
}

weft_status wfi_pagerank_scalars(weft_ctx *ctx, const weft_pagerank_params *p, uint64_t iterations, double residual,
                                 double sum, weft_result *result) {
    if (!p->iterations && !(residual <= p->tolerance))
        wfi_warn(ctx, "pagerank: after %llu iteration%s the ranks still change by %.3g, more than the tolerance %.3g",
                 (unsigned long long)iterations, iterations == 1 ? "" : "s", residual, p->tolerance);
    weft_status st = wfi_result_scalar_u64(ctx, result, "iterations", iterations);
    if (!st) st = wfi_result_scalar_f64(ctx, result, "residual", residual);
    if (!st) st = wfi_result_scalar_f64(ctx, result, "sum", sum);
    return st;
}
