/* Personalised PageRank of many seeds: for each, the vertices where a random surfer is most often who starts there and
 * returns there.
 * Table:   a row for each of the best vertices of each seed: seed, vertex (vertex), rank (f64), in the order of seeds,
 *   then by rank, the largest first, and of equal ranks the smallest vertex; only ranks above 0.
 * Scalars: seeds (u64), iterations, residual (f64: L1 norm of the last change), error (f64: no rank is off by more);
 *   of the seed with the most each. */
#ifndef WEFT_PPR_H
#define WEFT_PPR_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_ppr_params {
    size_t size;
    const weft_vid *seeds; /* one that stands there twice has its rows twice; NULL: the vertex with the most out-arcs */
    size_t seed_count;
    uint64_t per_seed;       /* rows of a seed, at most */
    double damping;          /* 0 ... 1 */
    double tolerance;        /* a seed is done when the L1 norm of its change is at most this */
    uint64_t max_iterations; /* stop after so many at the latest */
    uint64_t iterations;     /* > 0: exactly so many, whatever the tolerance */
    int weights;             /* rank leaves along arcs in proportion to their weights */
} weft_ppr_params;
#define WEFT_PPR_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_ppr_params, weights), NULL, 0, 10, 0.85, 1e-6, 100, 0, 0 }
WEFT_API weft_status weft_ppr(weft_ctx *ctx, const weft_graph *g, const weft_ppr_params *params, weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
