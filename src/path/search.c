/* The memory of bidirectional searches, and the distances along a path of vertices. */
#include "path/path.h"

#include <string.h>

void wfi_path_free(wfi_path *p) {
    wfi_free(p->vertices);
    wfi_free(p->distance);
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

weft_status wfi_path_open(weft_ctx *ctx, const weft_graph *g, bool weights, bool may_shut, wfi_path_search *s) {
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

void wfi_path_close(wfi_path_search *s) {
    wfi_free(s->shut);
    wfi_free(s->marks);
    for (int i = 0; i < 2; i++) {
        wfi_free(s->side[i].seen);
        wfi_free(s->side[i].parent);
        wfi_free(s->side[i].distance);
        wfi_free(s->side[i].queue);
        wfi_free(s->side[i].found);
        wfi_free(s->side[i].heap.at);
    }
}

/* The smallest weight of the arcs from u to v; there is one. */
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
