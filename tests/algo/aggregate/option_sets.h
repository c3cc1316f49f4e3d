/* Option sets of aggregate: see tests/support/variants.h. */
#include "weft/aggregate.h"

/* One more way back. */
static inline weft_aggregate_params *add_backward(variants *list, const char *name, int op) {
    weft_aggregate_params *p = add_variant(list, name, 0);
    p->op = op;
    p->backward = 1;
    return p;
}

/* Features that are no round numbers, a few columns of them, in each type; and others that a maximum was taken of. */
static inline void aggregate_variants(variants *list, const weft_graph *g) {
    enum { WIDTH = 5, TYPES = 3 };
    weft_vid n = weft_graph_vertices(g);
    size_t count = (size_t)n * WIDTH;
    float *x = malloc((count + 1) * 3 * sizeof *x);
    if (!x) exit(1);
    float *forward = x + count;
    uint16_t *half = (uint16_t *)(forward + count), *upper = half + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = (float)(random_at(31, i) % 2000001) / 1000 - 1000;
        half[i] = weft_f16_of(x[i]);
        upper[i] = weft_bf16_of(x[i]);
        forward[i] = (float)(random_at(32, i) % 5); /* of which many are equal */
    }
    const weft_matrix *const features[TYPES] = {matrix_at(x, n, WIDTH, WEFT_F32), matrix_at(half, n, WIDTH, WEFT_F16),
                                                matrix_at(upper, n, WIDTH, WEFT_BF16)};
    list->input = x;
    add_variant(list, "mean", 0);
    ((weft_aggregate_params *)add_variant(list, "sum", 0))->op = WEFT_AGGREGATE_SUM;
    ((weft_aggregate_params *)add_variant(list, "max", 0))->op = WEFT_AGGREGATE_MAX;
    ((weft_aggregate_params *)add_variant(list, "gcn", 0))->normalize = WEFT_NORMALIZE_GCN;
    ((weft_aggregate_params *)add_variant(list, "self loops", 0))->self_loop = 1;
    add_backward(list, "back from a sum", WEFT_AGGREGATE_SUM);
    add_backward(list, "back from a mean", WEFT_AGGREGATE_MEAN)->self_loop = 1;
    add_backward(list, "back from gcn", WEFT_AGGREGATE_SUM)->normalize = WEFT_NORMALIZE_GCN;
    add_backward(list, "back from a maximum", WEFT_AGGREGATE_MAX)->self_loop = 1;
    add_variant(list, "mean of f16", 0);
    ((weft_aggregate_params *)add_variant(list, "gcn of bf16", 0))->normalize = WEFT_NORMALIZE_GCN;
    ((weft_aggregate_params *)add_variant(list, "max of bf16", 0))->op = WEFT_AGGREGATE_MAX;
    add_backward(list, "back from a mean of bf16", WEFT_AGGREGATE_MEAN);
    add_backward(list, "back from a maximum of f16", WEFT_AGGREGATE_MAX);
    for (size_t i = 0; i < list->count; i++) {
        weft_aggregate_params *p = (void *)list->at[i].params;
        const char *name = list->at[i].name;
        p->features = features[strstr(name, "bf16") ? 2 : strstr(name, "f16") ? 1 : 0];
        if (p->backward && p->op == WEFT_AGGREGATE_MAX) p->forward = matrix_at(forward, n, WIDTH, WEFT_F32);
    }
}
