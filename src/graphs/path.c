/* weft_path: parameters, memory of bidirectional searches, distances along a path, and the result table. */
#include "graphs/path.h"
#include "run/algorithm.h"
#include "weft/path.h"

#include <math.h>

enum { MOST_PATHS = 1 << 20 };

void wfi_path_free(wfi_path *p) {
    WFI_FREE(p->vertices, p->distance);
    *p = (wfi_path){0};
}

static weft_status open_side(wfi_path_search *s, wfi_path_side *side) {
    weft_vid n = s->g->n;
    weft_status st = WEFT_OK;
    if (s->weights) {
        st = wfi_alloc_zeroed(s->ctx, &side->seen, n);
        if (!st) st = wfi_alloc(s->ctx, &side->parent, n);
        if (!st) st = wfi_alloc(s->ctx, &side->distance, n);
    } else {
        size_t most = s->both || side == s->side ? (size_t)n + 1 : 2;
        st = wfi_alloc(s->ctx, &side->queue, most);
        if (!st) st = wfi_alloc(s->ctx, &side->found, most);
    }
    return st;
}

/* may_shut: vertices may be shut in later searches. */
static weft_status open_search(weft_ctx *ctx, const weft_graph *g, bool weights, bool may_shut, wfi_path_search *s) {
    const wfi_view *in = wfi_in_at_hand(g);
    *s = (wfi_path_search){.ctx = ctx, .g = g, .weights = weights};
    s->both = in && !(weights && wfi_weights_real(g->weight_type));
    s->side[0].rows = &g->out;
    s->side[1].rows = in;
    weft_status st = may_shut ? wfi_alloc_zeroed(ctx, &s->shut, g->n) : WEFT_OK;
    if (!st && !weights) st = wfi_alloc_zeroed(ctx, &s->marks, wfi_path_mark_words(g->n));
    for (int i = 0; i < 2 && !st; i++) st = open_side(s, &s->side[i]);
    return st;
}

static void close_search(wfi_path_search *s) {
    WFI_FREE(s->shut, s->marks);
    for (int i = 0; i < 2; i++) {
        WFI_FREE(s->side[i].seen, s->side[i].parent, s->side[i].distance, s->side[i].queue, s->side[i].found,
                 s->side[i].heap.at);
    }
}

/* Smallest weight of the arcs u -> v. Needs at least one such arc. */
static double weight_between(const weft_graph *g, weft_vid u, weft_vid v) {
    weft_eid e = 0;
    weft_graph_has_arc(g, u, v, &e);
    double least = wfi_weight_at(g->weight_type, g->out.weights, e);
    for (e++; e < g->out.offsets[u + 1] && g->out.targets[e] == v; e++) {
        double w = wfi_weight_at(g->weight_type, g->out.weights, e);
        if (w < least) least = w;
    }
    return least;
}

void wfi_path_measure(const wfi_path_search *s, wfi_path *p) {
    p->distance[0] = 0;
    for (size_t i = 1; i < p->count; i++)
        p->distance[i] =
            p->distance[i - 1] + (s->weights ? weight_between(s->g, p->vertices[i - 1], p->vertices[i]) : 1);
}

weft_status wfi_path_alloc(weft_ctx *ctx, size_t count, wfi_path *p) {
    *p = (wfi_path){.count = count};
    weft_status st = wfi_alloc(ctx, &p->vertices, count);
    if (!st) st = wfi_alloc(ctx, &p->distance, count);
    if (st) wfi_path_free(p);
    return st;
}

weft_status wfi_path_find(wfi_path_search *s, weft_vid from, weft_vid to, const weft_vid *barred, size_t barred_count,
                          wfi_path *path) {
    wfi_path_bar bar = {from, barred, barred_count};
    *path = (wfi_path){0};
    s->number++;
    weft_status st = (s->weights ? wfi_path_by_weights : wfi_path_by_hops)(s, from, to, &bar, path);
    if (!st && path->count) wfi_path_measure(s, path);
    return st;
}

/* --- the call ----------------------------------------------------------------------- */

static weft_status check(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to, const weft_path_params *p) {
    if (from >= g->n || to >= g->n)
        return wfi_fail(ctx, WEFT_EINVAL, "path: the graph has no vertex %u", from >= g->n ? from : to);
    weft_status st = wfi_check_weights(ctx, g, "path", p->weights);
    /* All arcs are checked: a negative one outside the search could make a shorter path. */
    if (!st && p->weights) st = wfi_check_not_negative(ctx, g, "path");
    if (st) return st;
    if (!p->count || p->count > MOST_PATHS)
        return wfi_fail(ctx, WEFT_EINVAL, "path: `count` must be from 1 to %d", MOST_PATHS);
    if (p->avoid_count) WFI_NEED_OR_RETURN(ctx, p->avoid);
    for (size_t i = 0; i < p->avoid_count; i++) {
        if (p->avoid[i] >= g->n) return wfi_fail(ctx, WEFT_EINVAL, "path: the graph has no vertex %u", p->avoid[i]);
        if (p->avoid[i] == from || p->avoid[i] == to)
            return wfi_fail(ctx, WEFT_EINVAL, "path: `avoid` contains an end of the path");
    }
    return WEFT_OK;
}

static weft_status tell(weft_ctx *ctx, const wfi_path *paths, size_t found, weft_result *r) {
    size_t rows = 0, at = 0;
    for (size_t i = 0; i < found; i++) rows += paths[i].count;
    uint32_t *path;
    weft_vid *vertex;
    double *distance;
    weft_status st = wfi_result_column(ctx, r, wfi_new_column("path", WEFT_U32, WEFT_SHAPE_TABLE, rows), &path);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("vertex", WEFT_VERTEX, WEFT_SHAPE_TABLE, rows), &vertex);
    if (!st) st = wfi_result_column(ctx, r, wfi_new_column("distance", WEFT_F64, WEFT_SHAPE_TABLE, rows), &distance);
    for (size_t i = 0; i < found && !st; i++)
        for (size_t k = 0; k < paths[i].count; k++, at++) {
            path[at] = (uint32_t)i;
            vertex[at] = paths[i].vertices[k];
            distance[at] = paths[i].distance[k];
        }
    return st ? st
              : WFI_TELL(ctx, r, WFI_U64("found", found), WFI_U64("hops", found ? paths[0].count - 1 : 0),
                         WFI_F64("length", found ? wfi_path_length(&paths[0]) : (double)INFINITY));
}

/* From a vertex to itself there is one loopless path. */
static weft_status find_all(wfi_path_search *s, weft_vid from, weft_vid to, const weft_path_params *p, wfi_path *paths,
                            size_t *found) {
    if (from != to) return wfi_path_several(s, from, to, (size_t)p->count, paths, found);
    weft_status st = wfi_path_alloc(s->ctx, 1, paths);
    if (st) return st;
    paths->vertices[0] = from;
    paths->distance[0] = 0;
    *found = 1;
    return WEFT_OK;
}

weft_status weft_path(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to, const weft_path_params *params,
                      weft_result **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    weft_path_params p = WEFT_PATH_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_path_params", params, &p, sizeof p);
    if (!st) st = check(ctx, g, from, to, &p);
    if (st) return st;
    wfi_path_search s = {0};
    wfi_path *paths = NULL;
    weft_result *r = NULL;
    size_t found = 0;
    st = wfi_alloc_zeroed(ctx, &paths, (size_t)p.count);
    if (!st) st = open_search(ctx, g, p.weights, p.avoid_count > 0 || p.count > 1, &s);
    for (size_t i = 0; i < p.avoid_count && !st; i++) s.shut[p.avoid[i]] = UINT32_MAX;
    if (!st) st = find_all(&s, from, to, &p, paths, &found);
    close_search(&s);
    if (!st && !(r = wfi_result_new(ctx, NULL))) st = WEFT_ENOMEM;
    if (!st) st = tell(ctx, paths, found, r);
    if (!st && !found && g->direction_from == WEFT_DIRECTION_ASSUMED)
        wfi_note(ctx, "edges were assumed to be directed: `direction=undirected` traverses them both ways");
    for (size_t i = 0; i < found; i++) wfi_path_free(&paths[i]);
    wfi_free(paths);
    if (st)
        weft_result_free(r);
    else
        *out = r;
    return st;
}
