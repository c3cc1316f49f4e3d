/* Checks of a batch before anything is done with it. */
#include "dynamic/batch.h"

#include "graph/graph.h"

#include <math.h>

weft_status wfi_batch_check(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b) {
    if (b->count > (uint64_t)1 << 30)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: a batch has at most 2^30 changes, not %llu",
                        (unsigned long long)b->count);
    bool names = d->vertices.ids->names;
    bool given = names ? b->source_names && b->target_names : b->sources && b->targets;
    if (b->count && !given)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: the ids of this graph are %s, and batch lacks them",
                        names ? "names" : "whole numbers");
    if (b->weights && !d->store->weight)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: batch has weights, but this graph has none");
    for (uint64_t i = 0; i < b->count; i++) {
        unsigned change = b->changes ? b->changes[i] : WEFT_CHANGE_INSERT;
        if (change > WEFT_CHANGE_REMOVE_VERTEX)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] is %u, which is no weft_change",
                            (unsigned long long)i, change);
        bool weighs = change == WEFT_CHANGE_INSERT || change == WEFT_CHANGE_WEIGHT;
        if (change == WEFT_CHANGE_WEIGHT && !d->store->weight)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] is a weight, but this graph has none",
                            (unsigned long long)i);
        if (weighs && d->store->weight && !b->weights)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] needs a weight, and batch has none",
                            (unsigned long long)i);
        bool both = change <= WEFT_CHANGE_WEIGHT;
        if (names && (!b->source_names[i] || (both && !b->target_names[i])))
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: a name of changes[%llu] is NULL",
                            (unsigned long long)i);
        if (!b->changes && !names) break; /* all alike */
    }
    return WEFT_OK;
}

/* Does the change say a weight? */
static bool weighs(const weft_batch *b, uint64_t i) {
    unsigned change = b->changes ? b->changes[i] : WEFT_CHANGE_INSERT;
    return change == WEFT_CHANGE_INSERT || change == WEFT_CHANGE_WEIGHT;
}

weft_status wfi_batch_check_weights(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b) {
    weft_weight_type type = d->store->weight_type;
    uint64_t first = UINT64_MAX;
    if (!b->weights || (type != WEFT_WEIGHT_F32 && type != WEFT_WEIGHT_F64)) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(wfi_threads_for(ctx, b->count, 1 << 16))
    for (uint64_t i = 0; i < b->count; i++)
        if (!isfinite(wfi_weight_at(type, b->weights, i)) && i < first && weighs(b, i)) first = i;
    if (first == UINT64_MAX) return WEFT_OK;
    return wfi_fail(
        ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu]: the weight %g is no %s, the type of this graph's weights",
        (unsigned long long)first, wfi_weight_at(type, b->weights, first), type == WEFT_WEIGHT_F32 ? "f32" : "f64");
}
