/* triangles and clustering, followed: the triangles of an edge are its ends' common neighbours, counted by a merge of
 * their sorted rows. State: triangles per slot; clustering, of undirected graphs, follows from these and the
 * degrees. */
#include "dynamic/follow.h"
#include "engines/triangles/triangles.h"
#include "weft/triangles.h"

typedef struct state {
    wfi_by_slot all; /* first */
    uint64_t *triangles, total;
} state;

static const wfi_slot_array arrays[] = {WFI_BY_SLOT(triangles)};

static weft_status grown(weft_ctx *ctx, void *given, weft_vid from, weft_vid to) {
    state *s = given;
    (void)ctx;
    for (weft_vid v = from; v < to; v++) s->triangles[v] = 0;
    return WEFT_OK;
}

static weft_status load_column(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)ctx;
    state *s = t->state;
    const uint64_t *column = weft_result_u64(r, "triangles");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++) s->triangles[wfi_slot_of(map, v)] = column[v];
    s->total = weft_result_scalar(r, "triangles")->value.u64;
    return WEFT_OK;
}

/* Each common neighbour gains or loses the same triangle as both ends. */
static void change(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    (void)ctx;
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    if (!wfi_is_simple(l, c)) return;
    uint64_t one = c->what == WEFT_CHANGE_INSERT ? 1 : (uint64_t)-1, common = 0, looked = 2;
    wfi_adjacency_walk a = wfi_adjacency_neighbours(l, c->u), b = wfi_adjacency_neighbours(l, c->v);
    weft_vid x, y;
    bool more = wfi_adjacency_next(&a, &x) && wfi_adjacency_next(&b, &y);
    while (more) {
        looked++;
        if (x == y) {
            common++;
            s->triangles[x] += one;
        }
        weft_vid behind = x < y ? x : y;
        if (x == behind) more = wfi_adjacency_next(&a, &x);
        if (y == behind && more) more = wfi_adjacency_next(&b, &y);
    }
    s->triangles[c->u] += one * common;
    s->triangles[c->v] += one * common;
    s->total += one * common;
    /* A run visits many more arcs than the graph has (pairs of neighbours), so fewer count here. */
    wfi_spend(t, looked / 8);
}

static weft_status answer(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const state *s = t->state;
    weft_vid n = t->d->store->newest->live;
    uint64_t *column = NULL;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) column[v] = s->triangles[wfi_slot_of(map, v)];
    if (!st) st = wfi_add_column(ctx, r, "triangles", WEFT_U64, n, column);
    if (!st) st = wfi_add_u64(ctx, r, "triangles", s->total);
    wfi_free(column);
    return st;
}

static const char *declines_edges(const weft_tracker *t) {
    return ((const weft_triangles_params *)t->params)->edges
               ? "the support of edges is not followed: from scratch each time"
               : NULL;
}

const wfi_follower wfi_follow_triangles = {
    .change_cost = 10,
    .declines = declines_edges,
    WFI_STATE,
    .load = load_column,
    .grown = grown,
    .change = change,
    .answer = answer,
};

/* --- clustering ------------------------------------------------------------------------ */

static const char *declines(const weft_tracker *t) {
    return t->d->store->directed ? "clustering of a directed graph is not followed: from scratch each time" : NULL;
}

/* Without a loop, which is in the row. */
static uint64_t degree_of(const wfi_adjacency *l, weft_vid slot) {
    double weight;
    return l->out[slot].count - (uint64_t)wfi_adjacency_has(l, slot, slot, &weight);
}

/* Triangles from coefficients: c d (d - 1) / 2, a whole number that doubles represent. */
static weft_status load_coefficients(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)ctx;
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    const double *c = weft_result_f64(r, "coefficient");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++) {
        weft_vid slot = wfi_slot_of(map, v);
        double d = (double)degree_of(l, slot), corners = c[v] * d * (d - 1) / 2;
        if (corners > 1e14) {
            wfi_invalidate(t, "too many triangles to derive their number from the coefficient");
            return WEFT_OK;
        }
        s->triangles[slot] = (uint64_t)(corners + 0.5);
        s->total += s->triangles[slot];
    }
    s->total /= 3;
    return WEFT_OK;
}

static weft_status answer_clustering(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const state *s = t->state;
    const wfi_adjacency *l = wfi_adjacency_of(t);
    weft_vid n = t->d->store->newest->live;
    double *column = NULL;
    wfi_clustering_totals totals = {.triangles = s->total};
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        weft_vid slot = wfi_slot_of(map, v);
        uint64_t d = degree_of(l, slot), sum = s->triangles[slot];
        column[v] = sum ? (double)(2 * sum) / (double)(d * (d - 1)) : 0;
        wfi_clustering_add(&totals, column[v], d);
    }
    if (!st) st = wfi_add_column(ctx, r, "coefficient", WEFT_F64, n, column);
    if (!st) st = wfi_add_f64(ctx, r, "average", wfi_clustering_average(&totals, n));
    if (!st) st = wfi_add_f64(ctx, r, "transitivity", wfi_clustering_transitivity(&totals));
    wfi_free(column);
    return st;
}

const wfi_follower wfi_follow_clustering = {
    .change_cost = 10,
    WFI_STATE,
    .declines = declines,
    .load = load_coefficients,
    .grown = grown,
    .change = change,
    .answer = answer_clustering,
};
