/* Parameters and results as descriptors list them, and what a plan keeps of the structs that params point at. */
#include "algo/algo.h"

#include <string.h>

static const wfi_algorithm *of(const weft_algorithm_info *info) { return (const wfi_algorithm *)(const void *)info; }

const weft_param_info *weft_algorithm_param_at(const weft_algorithm_info *algorithm, size_t i) {
    return algorithm && i < algorithm->param_count ? &of(algorithm)->params[i] : NULL;
}

const weft_result_info *weft_algorithm_result_at(const weft_algorithm_info *algorithm, size_t i) {
    return algorithm && i < algorithm->result_count ? &of(algorithm)->results[i] : NULL;
}

weft_status wfi_params_own(weft_ctx *ctx, const wfi_algorithm *a, void *params, weft_matrix own[WFI_MOST_MATRICES]) {
    size_t used = 0;
    for (size_t i = 0; i < a->info.param_count; i++) {
        const weft_matrix *given;
        char *field = (char *)params + a->params[i].offset;
        if (a->params[i].type != WEFT_PARAM_MATRIX) continue;
        memcpy(&given, field, sizeof given);
        if (!given) continue;
        if (used == WFI_MOST_MATRICES)
            return wfi_fail(ctx, WEFT_EINVAL, "%s: more than %d matrices", a->info.name, WFI_MOST_MATRICES);
        weft_matrix *mine = &own[used++];
        *mine = (weft_matrix)WEFT_MATRIX_DEFAULTS;
        weft_status st = wfi_sized_in(ctx, a->params[i].name, given, mine, sizeof *mine);
        if (st) return st;
        memcpy(field, &mine, sizeof mine);
    }
    return WEFT_OK;
}

weft_status wfi_check_weights(weft_ctx *ctx, const weft_graph *g, const char *algorithm, int wanted) {
    if (!wanted || g->weight_type != WEFT_WEIGHT_NONE || !g->arcs) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "%s: weights are asked for, but the graph has none", algorithm);
}

void wfi_note_weights_unused(weft_ctx *ctx, const weft_graph *g, const char *algorithm) {
    if (g->weight_type != WEFT_WEIGHT_NONE && g->arcs && !wfi_ctx_weights_told(ctx))
        wfi_note(ctx, "%s: the weights of the graph are not used; `weights` makes them count", algorithm);
}

weft_status wfi_check_vertices(weft_ctx *ctx, const weft_graph *g, const char *algorithm, const char *name,
                               const weft_vid *list, size_t count) {
    if (!list != !count)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: %ss and %s_count go together: %zu of them, but %s array", algorithm,
                        name, name, count, list ? "an" : "no");
    for (size_t i = 0; i < count; i++)
        if (list[i] >= g->n)
            return wfi_fail(ctx, WEFT_EINVAL, "%s: %ss[%zu] is vertex %u, but the graph has %u vertices", algorithm,
                            name, i, list[i], g->n);
    return WEFT_OK;
}
