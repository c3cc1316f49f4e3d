/* Mean, sum or maximum of the feature vectors of the in-neighbours: the sparse part of a layer of a graph neural
 * network.  Each arc counts once; weights do not count.  No neighbours give zeros; a NaN among the values gives NaN.
 * Columns: f (a matrix as wide as the features, in their type).
 * Scalars: rows, width. */
#ifndef WEFT_AGGREGATE_H
#define WEFT_AGGREGATE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_aggregate_op { WEFT_AGGREGATE_SUM = 0, WEFT_AGGREGATE_MEAN, WEFT_AGGREGATE_MAX } weft_aggregate_op;
typedef enum weft_normalize {
    WEFT_NORMALIZE_NONE = 0,
    WEFT_NORMALIZE_GCN /* instead of the mean, the sum of x[u] / sqrt(d[u] d[v]), d = in-neighbours (Kipf, Welling) */
} weft_normalize;
typedef struct weft_aggregate_params {
    size_t size;
    weft_aggregate_op op;
    weft_normalize normalize;    /* not for the maximum */
    int self_loop;               /* a vertex without a loop counts among its own neighbours, once */
    const weft_matrix *features; /* required: row v belongs to vertex v */
    const weft_matrix *forward;  /* backward through a maximum: the features of the forward pass, of the same shape */
    int backward;                /* features is the gradient by a result; the answer is the gradient by its input */
    /* features and forward are in the memory of the context's GPU, written before the call, or by work on the stream of
     * weft_ctx_set_stream; only with WEFT_DEVICE_CUDA. */
    int features_on_device;
} weft_aggregate_params;
#define WEFT_AGGREGATE_DEFAULTS                                                                                        \
    {                                                                                                                  \
        WEFT_SIZE_UP_TO(weft_aggregate_params, features_on_device), WEFT_AGGREGATE_MEAN, WEFT_NORMALIZE_NONE, 0, NULL, \
            NULL, 0, 0                                                                                                 \
    }
WEFT_API weft_status weft_aggregate(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
