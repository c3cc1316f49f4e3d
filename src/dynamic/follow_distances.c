/* bfs and sssp, followed: distances from one source, by Ramalingam and Reps [1].
 * Insert, or a smaller weight: Dijkstra from the target if its distance decreases. Delete, or a larger weight: slots
 * without a tight arc from a smaller distance are affected, one after the other; then Dijkstra reaches them again
 * from their unaffected neighbours. Support from an equal distance (weights of 0, or too small to survive rounding)
 * does not count, so slots that only support each other are affected, too. Distances are minima over paths of sums
 * along them, the same for any order of work. Parents are found when a result is requested, for slots near a changed
 * distance or arc.
 * [1] Ramalingam, Reps, "An incremental algorithm for a generalization of the shortest-path problem", J. Algorithms
 *     1996. */
#include "core/heap.h"
#include "dynamic/follow.h"
#include "weft/bfs.h"
#include "weft/sssp.h"

#include <math.h>

typedef struct state {
    wfi_by_slot all; /* first */
    double *distance;
    weft_vid *parent; /* a slot */
    uint8_t *mark;    /* DIRTY, AFFECTED */
    weft_vid *dirty, *affected;
    uint64_t dirties, affecteds;
    wfi_heap heap;
    bool unit; /* bfs: every arc has length 1 */
} state;

enum { DIRTY = 1, AFFECTED = 2 };

#define TIES "parents depend on weights of 0 and are found from scratch"

static const wfi_slot_array arrays[] = {WFI_BY_SLOT(distance), WFI_BY_SLOT(parent),   WFI_BY_SLOT(mark),
                                        WFI_BY_SLOT(dirty),    WFI_BY_SLOT(affected), WFI_OWN(heap.at)};

static weft_status grown(weft_ctx *ctx, void *given, weft_vid from, weft_vid to) {
    state *s = given;
    (void)ctx;
    for (weft_vid v = from; v < to; v++) {
        s->distance[v] = INFINITY;
        s->parent[v] = WEFT_NO_VERTEX;
        s->mark[v] = 0;
    }
    return WEFT_OK;
}

static double weight_of(const state *s, const wfi_adjacency *l, const wfi_adjacency_row *row, uint32_t i) {
    return s->unit ? 1 : wfi_adjacency_weight(l, row, i);
}

/* --- changes ------------------------------------------------------------------------ */

static void make_dirty(state *s, weft_vid v) {
    if (s->mark[v] & DIRTY) return;
    s->mark[v] |= DIRTY;
    s->dirty[s->dirties++] = v;
}

static bool push(weft_ctx *ctx, weft_tracker *t, state *s, double key, weft_vid v) {
    if (wfi_heap_push(ctx, &s->heap, key, v)) return true;
    wfi_message_clear(ctx);
    wfi_invalidate(t, "out of memory");
    return false;
}

/* Marks v and its out-neighbours, whose parents may change. */
static void moved(weft_tracker *t, state *s, const wfi_adjacency *l, weft_vid v) {
    make_dirty(s, v);
    for (uint32_t i = 0; i < l->out[v].count; i++) make_dirty(s, l->out[v].to[i]);
    wfi_spend(t, 1 + l->out[v].count);
}

static void set(weft_ctx *ctx, weft_tracker *t, state *s, weft_vid v, double distance) {
    s->distance[v] = distance;
    push(ctx, t, s, distance, v);
}

/* Runs Dijkstra until the heap is empty. */
static void propagate(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_adjacency *l) {
    while (s->heap.count && t->valid) {
        wfi_heap_entry e = wfi_heap_pop(&s->heap);
        if (e.key > s->distance[e.slot]) continue;
        const wfi_adjacency_row *row = &l->out[e.slot];
        moved(t, s, l, e.slot);
        for (uint32_t i = 0; i < row->count && t->valid; i++) {
            double through = e.key + weight_of(s, l, row, i);
            if (through < s->distance[row->to[i]]) set(ctx, t, s, row->to[i], through);
        }
    }
}

static bool is_supported(weft_tracker *t, const state *s, const wfi_adjacency *l, weft_vid v) {
    const wfi_adjacency_row *row = &l->in[v];
    wfi_spend(t, 1 + row->count);
    for (uint32_t i = 0; i < row->count; i++) {
        weft_vid u = row->to[i];
        if (s->distance[u] < s->distance[v] && !(s->mark[u] & AFFECTED) &&
            s->distance[u] + weight_of(s, l, row, i) == s->distance[v])
            return true;
    }
    return false;
}

/* After v lost a tight arc: collects v and the slots that lose their support by it. */
static void find_affected(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_adjacency *l, weft_vid v) {
    s->affecteds = 0;
    push(ctx, t, s, s->distance[v], v);
    while (s->heap.count && t->valid) {
        weft_vid x = wfi_heap_pop(&s->heap).slot;
        if (x == t->source || s->mark[x] & AFFECTED || is_supported(t, s, l, x)) continue;
        s->mark[x] |= AFFECTED;
        s->affected[s->affecteds++] = x;
        const wfi_adjacency_row *row = &l->out[x];
        wfi_spend(t, row->count);
        for (uint32_t i = 0; i < row->count && t->valid; i++) {
            weft_vid y = row->to[i];
            if (!(s->mark[y] & AFFECTED) && s->distance[x] + weight_of(s, l, row, i) == s->distance[y])
                push(ctx, t, s, s->distance[y], y);
        }
    }
}

static void repair(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_adjacency *l) {
    for (uint64_t i = 0; i < s->affecteds; i++) {
        moved(t, s, l, s->affected[i]);
        s->distance[s->affected[i]] = INFINITY;
    }
    for (uint64_t i = 0; i < s->affecteds; i++) {
        weft_vid v = s->affected[i];
        const wfi_adjacency_row *row = &l->in[v];
        double best = INFINITY;
        for (uint32_t k = 0; k < row->count; k++) best = fmin(best, s->distance[row->to[k]] + weight_of(s, l, row, k));
        if (best < INFINITY && t->valid) set(ctx, t, s, v, best);
        s->mark[v] &= (uint8_t)~AFFECTED;
    }
    propagate(ctx, t, s, l);
}

/* An arc to v was added or became lighter (nearer), or was deleted or became heavier. `through` is v's distance by
 * that arc. */
static void change_arc(weft_ctx *ctx, weft_tracker *t, bool nearer, weft_vid v, double through) {
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    make_dirty(s, v);
    if (nearer ? !(through < s->distance[v]) : isinf(s->distance[v]) || through != s->distance[v]) return;
    if (nearer) {
        set(ctx, t, s, v, through);
        propagate(ctx, t, s, l);
    } else {
        find_affected(ctx, t, s, l, v);
        repair(ctx, t, s, l);
    }
}

static void change(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    state *s = t->state;
    bool nearer = c->what == WEFT_CHANGE_INSERT || (c->what == WEFT_CHANGE_WEIGHT && c->after < c->before);
    double before = s->unit ? 1 : c->before, after = s->unit ? 1 : c->after;
    if (c->what == WEFT_CHANGE_WEIGHT && s->unit) return;
    if (c->what != WEFT_CHANGE_DELETE && !(after >= 0)) {
        wfi_invalidate(t, "a weight is negative or NaN");
        return;
    }
    s->heap.count = 0;
    double weight = nearer ? after : before;
    change_arc(ctx, t, nearer, c->v, s->distance[c->u] + weight);
    if (wfi_adjacency_of(t)->directed || c->u == c->v || !t->valid) return;
    change_arc(ctx, t, nearer, c->u, s->distance[c->v] + weight);
}

/* --- results ------------------------------------------------------------------------- */

/* Sets the parent of v: the smallest vertex with a tight arc from a smaller distance. False if there is none although
 * v is reached. */
static bool find_parent(const weft_tracker *t, state *s, const wfi_adjacency *l, const wfi_slot_map *map, weft_vid v) {
    const wfi_adjacency_row *row = &l->in[v];
    s->parent[v] = v == t->source ? v : WEFT_NO_VERTEX;
    if (v == t->source || isinf(s->distance[v])) return true;
    weft_vid smallest = WEFT_NO_VERTEX;
    for (uint32_t i = 0; i < row->count; i++) {
        weft_vid u = row->to[i];
        if (!(s->distance[u] < s->distance[v]) || s->distance[u] + weight_of(s, l, row, i) != s->distance[v]) continue;
        weft_vid vertex = wfi_vertex_of(map, u);
        if (vertex >= smallest) continue;
        smallest = vertex;
        s->parent[v] = u;
    }
    return smallest != WEFT_NO_VERTEX;
}

static weft_status add_parents(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    state *s = t->state;
    weft_vid n = t->d->store->newest->live, *column = NULL;
    for (; s->dirties && t->valid; s->dirties--) {
        weft_vid v = s->dirty[s->dirties - 1];
        s->mark[v] &= (uint8_t)~DIRTY;
        if (!find_parent(t, s, wfi_adjacency_of(t), map, v)) wfi_invalidate(t, TIES);
    }
    if (!t->valid) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        weft_vid parent = s->parent[wfi_slot_of(map, v)];
        column[v] = parent == WEFT_NO_VERTEX ? parent : wfi_vertex_of(map, parent);
    }
    if (!st) st = wfi_add_column(ctx, r, "parent", WEFT_VERTEX, n, column);
    wfi_free(column);
    return st;
}

/* A parent at the same distance was chosen by the number of hops, which distant changes can change. */
static void load_parents(weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    state *s = t->state;
    const weft_vid *parent = weft_result_u32(r, "parent");
    for (weft_vid v = 0; parent && v < t->d->store->newest->live; v++) {
        weft_vid slot = wfi_slot_of(map, v);
        if (parent[v] == WEFT_NO_VERTEX) continue;
        s->parent[slot] = wfi_slot_of(map, parent[v]);
        if (slot != t->source && !(s->distance[s->parent[slot]] < s->distance[slot])) wfi_invalidate(t, TIES);
    }
}

/* A graph without vertices has no source yet. */
static const char *no_source(const weft_tracker *t) {
    return t->source == WEFT_NO_VERTEX ? "there is no source yet" : NULL;
}

/* True if the source is the vertex that wfi_max_out_degree_vertex would find. */
static bool has_max_out_degree(const weft_tracker *t, const wfi_slot_map *map) {
    const wfi_adjacency_row *rows = wfi_adjacency_of(t)->out;
    weft_vid n = t->d->store->newest->live, vertex = wfi_vertex_of(map, t->source);
    uint32_t most = rows[t->source].count;
    for (weft_vid v = 0; v < n; v++) {
        uint32_t count = rows[wfi_slot_of(map, v)].count;
        if (count > most || (count == most && v < vertex)) return false;
    }
    return true;
}

static bool has_source(weft_tracker *t, const wfi_slot_map *map) {
    if (!wfi_vertices_alive(&t->d->vertices, t->source))
        wfi_invalidate(t, "the source was removed");
    else if (t->chosen && !has_max_out_degree(t, map))
        wfi_invalidate(t, "no source was given, and another vertex has the most edges now");
    return t->valid;
}

/* --- sssp -------------------------------------------------------------------------------- */

static weft_status load_sssp(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)ctx;
    state *s = t->state;
    const double *distance = weft_result_f64(r, "distance");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++) s->distance[wfi_slot_of(map, v)] = distance[v];
    load_parents(t, r, map);
    return WEFT_OK;
}

static weft_status answer_sssp(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const state *s = t->state;
    const weft_sssp_params *p = t->params;
    weft_vid n = t->d->store->newest->live;
    uint64_t reached = 0;
    double *column = NULL, most = 0;
    if (!has_source(t, map)) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        column[v] = s->distance[wfi_slot_of(map, v)];
        if (isinf(column[v])) continue;
        reached++;
        most = fmax(most, column[v]);
    }
    if (!st) st = wfi_add_column(ctx, r, "distance", WEFT_F64, n, column);
    if (!st && p->parents) st = add_parents(ctx, t, map, r);
    if (!st) st = wfi_add_u64(ctx, r, "reached", reached);
    if (!st) st = wfi_add_f64(ctx, r, "max_distance", most);
    wfi_free(column);
    return st;
}

const wfi_follower wfi_follow_sssp = {
    .change_cost = 100,
    WFI_STATE,
    .declines = no_source,
    .load = load_sssp,
    .grown = grown,
    .change = change,
    .answer = answer_sssp,
};

/* --- bfs ---------------------------------------------------------------------------------- */

static const char *declines_bfs(const weft_tracker *t) {
    const weft_bfs_params *p = t->params;
    return p->max_depth ? "`max_depth` is not followed: from scratch each time" : no_source(t);
}

static weft_status load_bfs(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)ctx;
    state *s = t->state;
    s->unit = true;
    const uint32_t *level = weft_result_u32(r, "level");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++)
        if (level[v] != WEFT_UNREACHED) s->distance[wfi_slot_of(map, v)] = level[v];
    load_parents(t, r, map);
    return WEFT_OK;
}

/* The table is for several sources. */
static weft_status add_no_table(weft_ctx *ctx, weft_result *r) {
    weft_status st = wfi_add_table(ctx, r, "source", WEFT_VERTEX, 0, NULL);
    if (!st) st = wfi_add_table(ctx, r, "source_reached", WEFT_U64, 0, NULL);
    if (!st) st = wfi_add_table(ctx, r, "source_depth", WEFT_U64, 0, NULL);
    if (!st) st = wfi_add_table(ctx, r, "source_distances", WEFT_U64, 0, NULL);
    return st;
}

static weft_status answer_bfs(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const state *s = t->state;
    const weft_bfs_params *p = t->params;
    weft_vid n = t->d->store->newest->live;
    uint64_t reached = 0, depth = 0;
    uint32_t *column = NULL;
    if (!has_source(t, map)) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        double distance = s->distance[wfi_slot_of(map, v)];
        column[v] = isinf(distance) ? WEFT_UNREACHED : (uint32_t)distance;
        if (column[v] == WEFT_UNREACHED) continue;
        reached++;
        depth = wfi_max_u64(depth, column[v]);
    }
    if (!st) st = wfi_add_column(ctx, r, "level", WEFT_U32, n, column);
    if (!st && p->parents) st = add_parents(ctx, t, map, r);
    if (!st) st = add_no_table(ctx, r);
    if (!st) st = wfi_add_u64(ctx, r, "reached", reached);
    if (!st) st = wfi_add_u64(ctx, r, "depth", depth);
    wfi_free(column);
    return st;
}

const wfi_follower wfi_follow_bfs = {
    .change_cost = 100,
    WFI_STATE,
    .declines = declines_bfs,
    .load = load_bfs,
    .grown = grown,
    .change = change,
    .answer = answer_bfs,
};
