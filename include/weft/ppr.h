/* Personalised PageRank of many seeds: for each seed, the vertices that a random surfer visits most often who starts at
 * the seed and restarts there.
 * Table:   a row for each of the best vertices of each seed: seed, vertex (vertex), rank (f64); in the order of
 *   `seeds`, then by descending rank, then by vertex.  Ranks of 0 have no row.
 * Scalars: seeds (u64); the largest value over all seeds of iterations, residual (f64: L1 norm of the last change) and
 *   error (f64: bound on the error of a rank). */
#ifndef WEFT_PPR_H
#define WEFT_PPR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_ppr_params {
    size_t size;
    const weft_vid *seeds; /* a repeated seed repeats its rows; NULL: the vertex with the most out-arcs */
    size_t seed_count;
    uint64_t per_seed;       /* the most rows of a seed */
    double damping;          /* 0 ... 1 */
    double tolerance;        /* a seed is done when the L1 norm of its change is at most this */
    uint64_t max_iterations; /* the most iterations */
    uint64_t iterations;     /* > 0: exactly this number, whatever the tolerance */
    int weights;             /* rank leaves along arcs in proportion to their weights */
} weft_ppr_params;
#define WEFT_PPR_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_ppr_params, weights), NULL, 0, 10, 0.85, 1e-6, 100, 0, 0 }
WEFT_API weft_status weft_ppr(weft_ctx *ctx, const weft_graph *g, const weft_ppr_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
