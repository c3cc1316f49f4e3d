/* weft_tracker: results from scratch or from the followed state. See follow.h. */
#include "dynamic/follow.h"

#include <stdio.h>
#include <string.h>

/* --- columns and scalars of results ----------------------------------------------- */

weft_status wfi_add_column(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, weft_vid n,
                           const void *data) {
    return weft_result_add_column(ctx, r,
                                  &(weft_column){sizeof(weft_column), name, type, WEFT_SHAPE_VERTICES, n, data, 0});
}

weft_status wfi_add_table(weft_ctx *ctx, weft_result *r, const char *name, weft_type type, size_t length,
                          const void *data) {
    return weft_result_add_column(ctx, r,
                                  &(weft_column){sizeof(weft_column), name, type, WEFT_SHAPE_TABLE, length, data, 0});
}

weft_status wfi_add_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value) {
    weft_scalar scalar = {sizeof scalar, name, WEFT_U64, {.u64 = value}};
    return weft_result_add_scalar(ctx, r, &scalar);
}

weft_status wfi_add_f64(weft_ctx *ctx, weft_result *r, const char *name, double value) {
    weft_scalar scalar = {sizeof scalar, name, WEFT_F64, {.f64 = value}};
    return weft_result_add_scalar(ctx, r, &scalar);
}

/* --- state shared by trackers ------------------------------------------------------- */

static weft_status need_map(weft_ctx *ctx, weft_dynamic *d) {
    wfi_following *f = d->following;
    if (f->mapped) return WEFT_OK;
    weft_status st = wfi_version_number(ctx, d->store->newest, &f->map.vertex, &f->map.order);
    f->mapped = !st;
    return st;
}

static weft_status need_adjacency(weft_ctx *ctx, weft_dynamic *d, const weft_graph *g) {
    wfi_following *f = d->following;
    if (f->adjacency.out) return WEFT_OK;
    return wfi_adjacency_load(ctx, &f->adjacency, g, f->map.order, d->store->newest->slots);
}

/* --- from scratch ------------------------------------------------------------------- */

static const weft_param_info *source_param(const weft_algorithm_info *a) {
    for (size_t i = 0; i < a->param_count; i++)
        if (weft_algorithm_param_at(a, i)->type == WEFT_PARAM_VERTEX) return weft_algorithm_param_at(a, i);
    return NULL;
}

/* Sets the source to a vertex of this snapshot. A source that was not given is chosen each time, as in a run. */
static weft_status place_source(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const wfi_slot_map *map) {
    const weft_param_info *param = source_param(t->algorithm);
    if (!param) return WEFT_OK;
    t->chosen = t->chosen || t->source == WEFT_NO_VERTEX;
    if (t->chosen) t->source = g->n ? wfi_slot_of(map, wfi_max_out_degree_vertex(ctx, g)) : WEFT_NO_VERTEX;
    bool any = t->source != WEFT_NO_VERTEX;
    if (any && !wfi_vertices_alive(&t->d->vertices, t->source))
        return wfi_fail(ctx, WEFT_ENOTFOUND, "%s: the source that is followed was removed", t->algorithm->name);
    weft_vid vertex = any ? wfi_vertex_of(map, t->source) : WEFT_NO_VERTEX;
    memcpy((char *)t->params + param->offset, &vertex, sizeof vertex);
    return WEFT_OK;
}

static weft_status run(weft_ctx *ctx, const weft_tracker *t, const weft_graph *g, weft_result **out) {
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, t->algorithm->name, g, t->params, &plan);
    if (!st) st = weft_plan_run(plan, out);
    weft_plan_free(plan);
    return st;
}

/* Loads the state from a result. A failure invalidates the state, but not the result. */
static void load(weft_ctx *ctx, weft_tracker *t, const weft_graph *g, const weft_result *r, const wfi_slot_map *map) {
    const char *declined = t->kind->declines ? t->kind->declines(t) : NULL;
    if (declined) {
        wfi_invalidate(t, "%s", declined);
        return;
    }
    weft_status st = need_adjacency(ctx, t->d, g);
    t->valid = true;
    if (!st) st = wfi_state_begin(ctx, t);
    if (!st && t->kind->load) st = t->kind->load(ctx, t, r, map);
    if (!st) return;
    wfi_invalidate(t, "%s", weft_ctx_message(ctx));
    wfi_message_clear(ctx);
}

/* Computes a result from scratch, and the state from it. */
static weft_status refresh(weft_ctx *ctx, weft_tracker *t, weft_result **out) {
    weft_graph *g = NULL;
    weft_status st = weft_dynamic_snapshot(ctx, t->d, &g);
    if (!st) st = wfi_graph_ready(ctx, g);
    if (!st) st = need_map(ctx, t->d);
    const wfi_slot_map *map = &t->d->following->map;
    if (!st) st = place_source(ctx, t, g, map);
    if (!st) st = t->kind && t->kind->run ? t->kind->run(ctx, t, g, map, out) : run(ctx, t, g, out);
    if (!st && !t->valid && t->kind && t->kind->answer) load(ctx, t, g, *out, map);
    weft_graph_free(g);
    return st;
}

weft_status wfi_tracker_guards(weft_ctx *ctx, weft_tracker *t) {
    if (t->valid) return WEFT_OK;
    weft_result *r = NULL;
    weft_status st = refresh(ctx, t, &r);
    weft_result_free(r);
    if (st || t->valid) return st;
    return wfi_fail(ctx, WEFT_ENOMEM, "%s cannot follow this graph: %s", t->algorithm->name, t->reason);
}

/* --- the calls ------------------------------------------------------------------------ */

static weft_status answer(weft_ctx *ctx, weft_tracker *t, weft_result **out) {
    weft_status st = need_map(ctx, t->d);
    t->unanswered = false;
    if (!st) st = weft_result_new(ctx, out);
    if (!st) st = t->kind->answer(ctx, t, &t->d->following->map, *out);
    if (!st && t->valid && !t->unanswered) return WEFT_OK;
    weft_result_free(*out);
    *out = NULL;
    return st;
}

weft_status weft_tracker_result(weft_ctx *ctx, weft_tracker *t, weft_result **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, t, out);
    if (!t->d) return wfi_fail(ctx, WEFT_EINVAL, "weft_tracker_result: the dynamic graph was freed");
    weft_status st = t->valid ? answer(ctx, t, out) : WEFT_OK;
    if (st) return st;
    t->incremental = *out != NULL;
    if (t->incremental) {
        t->followed++;
        snprintf(t->reason, sizeof t->reason, "the changes were followed: %llu arc%s visited",
                 (unsigned long long)t->spent, wfi_plural(t->spent));
    } else {
        char reason[sizeof t->reason];
        memcpy(reason, t->reason, sizeof reason); /* why the state was lost, not the reason of loading */
        st = refresh(ctx, t, out);
        if (t->valid) memcpy(t->reason, reason, sizeof reason);
        t->recomputed += !st;
    }
    if (!st) t->version = wfi_batches_of(t->d, t->d->store->newest);
    return st;
}

weft_status weft_tracker_describe(weft_ctx *ctx, weft_tracker *t, weft_tracker_info *info) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, t, info);
    weft_tracker_info all = {sizeof all, t->version, t->incremental, t->followed, t->recomputed, t->error_bound, {0}};
    memcpy(all.reason, t->reason, sizeof all.reason);
    return wfi_sized_out(ctx, "weft_tracker_info", &all, sizeof all, info);
}

void weft_tracker_free(weft_tracker *t) {
    if (!t) return;
    if (t->d) {
        weft_tracker **at = &t->d->following->trackers;
        while (*at != t) at = &(*at)->next;
        *at = t->next;
    }
    wfi_state_end(t);
    WFI_FREE(t->params, t);
}

/* Arrays by vertex cannot be followed: vertex numbers may change with every batch. */
static weft_status check_params(weft_ctx *ctx, const weft_tracker *t) {
    for (size_t i = 0; i < t->algorithm->param_count; i++) {
        const weft_param_info *param = weft_algorithm_param_at(t->algorithm, i);
        const void *list = NULL;
        if (param->type != WEFT_PARAM_VERTICES && param->type != WEFT_PARAM_WEIGHTS &&
            param->type != WEFT_PARAM_MATRIX && param->type != WEFT_PARAM_LABELS && param->type != WEFT_PARAM_PAIRS)
            continue;
        memcpy(&list, (const char *)t->params + param->offset, sizeof list);
        if (list)
            return wfi_fail(
                ctx, WEFT_EUNSUPPORTED,
                "weft_dynamic_track: `%s` goes by the numbers of vertices, which may change with every batch",
                param->name);
    }
    if (t->how.warm && !(t->kind && t->kind->warms))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_track: `warm` is for pagerank, not for %s", t->algorithm->name);
    if (t->how.refuse && !(t->kind && t->kind->refuses))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_track: `refuse` is for cycle, not for %s", t->algorithm->name);
    return WEFT_OK;
}

/* Keeps the slot of the given source, which must be a vertex of the current graph. */
static weft_status keep_source(weft_ctx *ctx, weft_tracker *t) {
    const weft_param_info *param = source_param(t->algorithm);
    weft_vid vertex, n = t->d->store->newest->live;
    if (!param) return WEFT_OK;
    memcpy(&vertex, (const char *)t->params + param->offset, sizeof vertex);
    if (vertex == WEFT_NO_VERTEX) return WEFT_OK;
    if (vertex >= n)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_track: %s is vertex %u, but the graph has %u vertices",
                        param->name, vertex, n);
    weft_status st = need_map(ctx, t->d);
    if (!st) t->source = wfi_slot_of(&t->d->following->map, vertex);
    return st;
}

static weft_status fill(weft_ctx *ctx, weft_tracker *t, const void *params, const weft_track_params *how) {
    const weft_algorithm_info *a = t->algorithm;
    t->how = (weft_track_params)WEFT_TRACK_DEFAULTS;
    t->source = WEFT_NO_VERTEX;
    t->kind = wfi_follower_of(a);
    snprintf(t->reason, sizeof t->reason, "%s",
             t->kind ? "the first result" : "this algorithm is always run from scratch");
    if (!(t->params = wfi_take(ctx, a->params_size, 1))) return WEFT_ENOMEM;
    memcpy(t->params, a->params_standard, a->params_size);
    weft_status st = wfi_sized_in(ctx, a->name, params, t->params, a->params_size);
    if (!st) st = wfi_sized_in(ctx, "weft_track_params", how, &t->how, sizeof t->how);
    if (!st) st = check_params(ctx, t);
    if (!st && t->d->following == NULL && !(t->d->following = wfi_take_zeroed(ctx, 1, sizeof *t->d->following)))
        st = WEFT_ENOMEM;
    return st ? st : keep_source(ctx, t);
}

weft_status weft_dynamic_track(weft_ctx *ctx, weft_dynamic *d, const char *algorithm, const void *params,
                               const weft_track_params *how, weft_tracker **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, d, algorithm, out);
    const weft_algorithm_info *a = weft_algorithm_find(algorithm);
    if (!a) return wfi_fail(ctx, WEFT_ENOTFOUND, "no algorithm is called '%s'", algorithm);
    weft_tracker *t = wfi_take_zeroed(ctx, 1, sizeof *t);
    if (!t) return WEFT_ENOMEM;
    t->d = d;
    t->algorithm = a;
    weft_status st = fill(ctx, t, params, how);
    if (st) {
        t->d = NULL;
        weft_tracker_free(t);
        return st;
    }
    t->next = d->following->trackers;
    d->following->trackers = t;
    st = t->how.refuse ? wfi_tracker_guards(ctx, t) : WEFT_OK;
    if (st)
        weft_tracker_free(t);
    else
        *out = t;
    return st;
}
