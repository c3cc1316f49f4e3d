/* The ladder of aggregation, from the bottom up. */
#include "aggregate.h"

#include <stdlib.h>

static const lab_rung *const rungs[] = {&aggregate_columns,    &aggregate_transposed,   &aggregate_per_node,
                                        &aggregate_vectorised, &aggregate_engine,       &aggregate_gpu_thread,
                                        &aggregate_gpu_warp,   &aggregate_gpu_features, &aggregate_gpu_vectorised,
                                        &aggregate_engine_gpu};

enum { WIDTH = 64 };

/* Numbers in -1 ... 1 that depend on their place only: the same on every machine. */
static float value_at(uint64_t place) {
    uint64_t x = place * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return (float)(int32_t)(uint32_t)(x >> 32) * 0x1p-31f;
}

static weft_status fit(const weft_graph *g, void *params) {
    weft_aggregate_params *p = params;
    size_t n = weft_graph_vertices(g);
    if (p->features) return WEFT_OK;
    weft_matrix *made = malloc(sizeof *made + (n * WIDTH + 1) * sizeof(float)); /* the numbers follow the struct */
    if (!made) return WEFT_ENOMEM;
    float *x = (float *)(made + 1);
    for (size_t i = 0; i < n * WIDTH; i++) x[i] = value_at(i);
    *made = (weft_matrix){sizeof *made, x, n, WIDTH, WEFT_F32};
    p->features = made;
    return WEFT_OK;
}

static void unfit(void *params, const void *given) {
    weft_aggregate_params *p = params;
    const weft_aggregate_params *before = given;
    if (p->features != before->features) free((void *)(uintptr_t)p->features);
}

const lab_ladder lab_aggregate = {
    .name = "aggregate",
    .title = "Aggregating features, a layer of a graph neural network",
    .story = "Every vertex takes the mean of its in-neighbours' feature vectors, 64 numbers each: what a layer of a "
             "graph neural network does before its dense part. A row of "
             "features is 256 bytes, so a jump to a neighbour is paid for, if its whole row is taken. The ladder is "
             "about the order of three loops.",
    .algorithm = "aggregate",
    .column = "f",
    .graph = "rmat:scale=16,degree=16",
    .sized = "er:n=%s,degree=16",
    .sizes = "100,1000,10000,100000",
    .small = "100,1000",
    .fit = fit,
    .unfit = unfit,
    .rungs = rungs,
    .rung_count = sizeof rungs / sizeof *rungs,
};
