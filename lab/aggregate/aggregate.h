/* Aggregation, what the rungs share: features where the user gives none, the answer, and what they do not serve.
 * Row v of the result is the mean (or sum) of the feature rows of v's in-neighbours; without any it is zeros. */
#ifndef WEFT_LAB_AGGREGATE_H
#define WEFT_LAB_AGGREGATE_H

#include "lab.h"
#include "weft/aggregate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aggregation {
    lab_run *r;
    weft_csr in;
    weft_vid n;
    size_t width;
    const float *x; /* n rows of `width` */
    float *f;       /* the result, in the same form */
    void *extra;    /* what else the rung asked for */
} aggregation;

/* Allocates; the rung turns to LAB_COPY_IN or LAB_KERNELS itself. */
weft_status aggregate_open(lab_run *r, size_t extra_bytes, aggregation *a);
weft_status aggregate_close(aggregation *a, double bytes);

/* What the sum of row v is multiplied by: 1 over the number of arcs for a mean, 0 without arcs (the blog divides by zero there). */
static inline float aggregate_share(const aggregation *a, weft_vid v) {
    weft_eid count = a->in.offsets[v + 1] - a->in.offsets[v];
    if (!count) return 0;
    return ((const weft_aggregate_params *)a->r->params)->op == WEFT_AGGREGATE_MEAN ? 1 / (float)count : 1;
}

size_t aggregate_width(const lab_run *r);

/* Sums and means of the in-neighbours as they are. */
const char *aggregate_serves(lab_run *r);

extern const lab_rung aggregate_columns, aggregate_transposed, aggregate_per_node, aggregate_vectorised,
    aggregate_engine;
extern const lab_rung aggregate_gpu_thread, aggregate_gpu_warp, aggregate_gpu_features, aggregate_gpu_vectorised,
    aggregate_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
