/* Public accessors of descriptors, the check of params against a descriptor, and the copies of structs that params
 * point at, which a plan keeps. */
#include "run/algorithm.h"
#include "run/method.h"

#include <string.h>

/* --- descriptors -------------------------------------------------------------------------------- */

static const wfi_algorithm *of(const weft_algorithm_info *info) { return (const wfi_algorithm *)(const void *)info; }

size_t weft_algorithm_count(void) { return wfi_algorithm_total; }

const weft_algorithm_info *weft_algorithm_at(size_t i) {
    return i < wfi_algorithm_total ? &wfi_algorithms[i]->info : NULL;
}

const wfi_algorithm *wfi_algorithm_find(const char *name) {
    for (size_t i = 0; name && i < wfi_algorithm_total; i++)
        if (!strcmp(wfi_algorithms[i]->info.name, name)) return wfi_algorithms[i];
    return NULL;
}

const weft_algorithm_info *weft_algorithm_find(const char *name) {
    const wfi_algorithm *a = wfi_algorithm_find(name);
    return a ? &a->info : NULL;
}

const struct wfi_follower *wfi_follower_of(const weft_algorithm_info *algorithm) { return of(algorithm)->follower; }

const weft_param_info *weft_algorithm_param_at(const weft_algorithm_info *algorithm, size_t i) {
    return algorithm && i < algorithm->param_count ? &of(algorithm)->params[i] : NULL;
}

const weft_result_info *weft_algorithm_result_at(const weft_algorithm_info *algorithm, size_t i) {
    return algorithm && i < algorithm->result_count ? &of(algorithm)->results[i] : NULL;
}

/* --- params ------------------------------------------------------------------------------------- */

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
        weft_matrix *copy = &own[used++];
        *copy = (weft_matrix)WEFT_MATRIX_DEFAULTS;
        weft_status st = wfi_sized_in(ctx, a->params[i].name, given, copy, sizeof *copy);
        if (st) return st;
        memcpy(field, &copy, sizeof copy);
    }
    return WEFT_OK;
}

/* Checks every parameter against the range in its descriptor. */
static weft_status check_ranges(weft_ctx *ctx, const wfi_algorithm *a, const void *params) {
    for (size_t i = 0; i < a->info.param_count; i++) {
        const weft_param_info *p = &a->params[i];
        const char *at = (const char *)params + p->offset;
        double value;
        if (p->type == WEFT_PARAM_U64) {
            uint64_t x;
            memcpy(&x, at, sizeof x);
            value = (double)x;
        } else if (p->type == WEFT_PARAM_F64) {
            memcpy(&value, at, sizeof value);
        } else {
            continue;
        }
        if (!(value >= p->min && value <= p->max))
            return wfi_fail_parameter(ctx, p->name, "%s: %s is %g, but must lie between %g and %g", a->info.name,
                                      p->name, value, p->min, p->max);
    }
    return WEFT_OK;
}

/* Labels are below the number of vertices. */
static weft_status check_labels(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params) {
    for (size_t i = 0; i < a->info.param_count; i++) {
        const weft_param_info *p = &a->params[i];
        const weft_vid *label = NULL;
        if (p->type == WEFT_PARAM_LABELS) memcpy(&label, (const char *)params + p->offset, sizeof label);
        for (weft_vid v = 0; label && v < g->n; v++)
            if (label[v] >= g->n)
                return wfi_fail_parameter(ctx, p->name, "%s: %s: the label of vertex %u is %u, not below %u",
                                          a->info.name, p->name, v, label[v], g->n);
    }
    return WEFT_OK;
}

bool wfi_params_weigh(const wfi_algorithm *a, const void *params) {
    int value = a->info.weights && !*a->info.weights;
    for (size_t i = 0; a->info.weights && i < a->info.param_count; i++)
        if (!strcmp(a->params[i].name, a->info.weights))
            memcpy(&value, (const char *)params + a->params[i].offset, sizeof value);
    return value;
}

weft_status wfi_params_check(weft_ctx *ctx, const wfi_algorithm *a, const weft_graph *g, const void *params) {
    weft_status st = check_ranges(ctx, a, params);
    if (!st) st = check_labels(ctx, a, g, params);
    if (!st && !a->least_weights && wfi_params_weigh(a, params)) st = wfi_graph_refuse_ambiguous(ctx, a->info.name, g);
    if (!st && a->directed_only && !g->directed)
        st = wfi_fail(ctx, WEFT_EINVAL, "%s needs a directed graph: %s", a->info.name, a->directed_only);
    if (!st && a->operators && a->operators->weighted) {
        bool wanted = a->operators->weighted(params);
        if (!wanted) wfi_note_weights_unused(ctx, g, a->info.name);
        st = wfi_check_weights(ctx, g, a->info.name, wanted);
    }
    return !st && a->validate ? a->validate(ctx, g, params) : st;
}

weft_vid *wfi_params_open_source(const wfi_algorithm *a, void *params) {
    weft_vid *one = NULL;
    for (size_t i = 0; i < a->info.param_count; i++) {
        const weft_param_info *p = &a->params[i];
        char *at = (char *)params + p->offset;
        const weft_vid *list;
        if (p->type == WEFT_PARAM_VERTEX && !strcmp(p->name, "source")) one = (weft_vid *)(void *)at;
        if (p->type != WEFT_PARAM_VERTICES || strcmp(p->name, "sources")) continue;
        memcpy(&list, at, sizeof list);
        if (list) return NULL;
    }
    return one && *one == WEFT_NO_VERTEX ? one : NULL;
}

weft_status wfi_check_weights(weft_ctx *ctx, const weft_graph *g, const char *algorithm, int wanted) {
    if (!wanted || g->weight_type != WEFT_WEIGHT_NONE || !g->arcs) return WEFT_OK;
    return wfi_fail_parameter(ctx, "weights", "%s: weights are asked for, but the graph has none", algorithm);
}

weft_status wfi_check_not_negative(weft_ctx *ctx, const weft_graph *g, const char *algorithm) {
    weft_eid first = g->arcs;
    if (!wfi_weights_real(g->weight_type)) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(wfi_threads_for(ctx, g->arcs, 1 << 18))
    for (weft_eid e = 0; e < g->arcs; e++)
        if (wfi_weight_at(g->weight_type, g->out.weights, e) < 0 && e < first) first = e;
    return first < g->arcs ? wfi_refuse_weight(ctx, algorithm, g, first) : WEFT_OK;
}

void wfi_note_weights_unused(weft_ctx *ctx, const weft_graph *g, const char *algorithm) {
    if (g->weight_type != WEFT_WEIGHT_NONE && g->arcs && !wfi_ctx_weights_noted(ctx))
        wfi_note(ctx, "%s: the weights of the graph are not used; `weights` makes them count", algorithm);
}

weft_status wfi_check_vertices(weft_ctx *ctx, const weft_graph *g, const char *algorithm, const char *name,
                               const weft_vid *list, size_t count) {
    size_t length = strlen(name), stem = length - (name[length - 1] == 's');
    if (!list != !count)
        return wfi_fail_parameter(ctx, name, "%s: %s and %.*s_count go together: %zu of them, but %s array", algorithm,
                                  name, (int)stem, name, count, list ? "an" : "no");
    for (size_t i = 0; i < count; i++)
        if (list[i] >= g->n)
            return wfi_fail_parameter(ctx, name, "%s: %s[%zu] is vertex %u, but the graph has %u vertices", algorithm,
                                      name, i, list[i], g->n);
    return WEFT_OK;
}
