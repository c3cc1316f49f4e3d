/* Importance of each vertex: the stationary distribution of a random surfer.
 * Columns: rank (f32 or f64).
 * Scalars: iterations, residual (L1 norm of the last change), sum. */
#ifndef WEFT_PAGERANK_H
#define WEFT_PAGERANK_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_dangling {
    WEFT_DANGLING_REDISTRIBUTE = 0, /* rank of vertices without out-arcs restarts: ranks sum to 1 */
    WEFT_DANGLING_DROP              /* their rank is lost */
} weft_dangling;
typedef enum weft_precision {
    WEFT_PRECISION_F32 = 0,
    WEFT_PRECISION_F64,
    WEFT_PRECISION_F16 /* reserved, and refused: half precision does not converge on some graphs */
} weft_precision;
typedef struct weft_pagerank_params {
    size_t size;
    double damping;          /* 0 ... 1 */
    double tolerance;        /* stop when the L1 norm of the change is at most this */
    uint64_t max_iterations; /* the most iterations */
    uint64_t iterations;     /* > 0: exactly this number, whatever the tolerance */
    const double *restart;   /* n weights: where restarts go, in proportion; NULL = uniform */
    int weights;             /* rank leaves along arcs in proportion to their weights */
    weft_dangling dangling;
    weft_precision precision;  /* of ranks and contributions; sums are in fixed point */
    const double *nstart;      /* n weights: initial ranks, in proportion; NULL = uniform */
    const double *dangling_to; /* n weights: where dangling rank goes; NULL = where restarts go.  Not with DROP */
} weft_pagerank_params;
#define WEFT_PAGERANK_DEFAULTS                                                                                       \
    {                                                                                                                \
        WEFT_SIZE_UP_TO(weft_pagerank_params, dangling_to), 0.85, 1e-6, 100, 0, NULL, 0, WEFT_DANGLING_REDISTRIBUTE, \
            WEFT_PRECISION_F32, NULL, NULL                                                                           \
    }
WEFT_API weft_status weft_pagerank(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                   weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
