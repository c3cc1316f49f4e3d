/* What every backend's iteration has in common: its parts, where it begins, and what it tells at the end. */
#include "algo/pagerank/pagerank.h"

weft_vid wfi_pagerank_part(weft_vid n, bool whole) {
    uint64_t least = WFI_PAGERANK_PART, eighth = ((uint64_t)n + WFI_PAGERANK_PARTS - 1) / WFI_PAGERANK_PARTS;
    uint64_t size = (eighth + least - 1) / least * least;
    return (weft_vid)(whole ? n : wfi_min_u64(n, wfi_max_u64(size, least)));
}

/* Without restarts the walk on an undirected graph ends at ranks in proportion to the degree.  Vertices without arcs, and the
 * teleport that they add to, are known beforehand; what is left is shared by degree, so that the ranks sum to what they
 * will sum to in the end. */
wfi_pagerank_beginning wfi_pagerank_begin(const weft_graph *g, const weft_pagerank_params *p, weft_vid alone) {
    double n = (double)g->n, d = p->damping, a = (double)alone;
    bool personal = (p->personalize && *p->personalize) || p->restart, drop = p->dangling == WEFT_DANGLING_DROP;
    if (p->iterations || g->directed || !g->arcs || personal || p->weights) return (wfi_pagerank_beginning){1 / n, 0};
    double flat = drop ? (1 - d) / n : (1 - d) / (n - d * a), joined = drop ? (n - a) / n : 1 - a * flat;
    return (wfi_pagerank_beginning){flat, (joined - (n - a) * flat) / (double)g->arcs};
}

weft_status wfi_pagerank_scalars(weft_ctx *ctx, const weft_pagerank_params *p, uint64_t iterations, double residual,
                                 double sum, weft_result *result) {
    if (!p->iterations && !(residual <= p->tolerance))
        wfi_warn(ctx, "pagerank: after %llu iterations the ranks still change by %.3g, more than the tolerance %.3g",
                 (unsigned long long)iterations, residual, p->tolerance);
    weft_status st = wfi_result_scalar_u64(ctx, result, "iterations", iterations);
    if (!st) st = wfi_result_scalar_f64(ctx, result, "residual", residual);
    if (!st) st = wfi_result_scalar_f64(ctx, result, "sum", sum);
    return st;
}
