/* bfs and sssp, followed: distances from one source.
 * Insert, or a smaller weight: the target may be nearer, and passes that on (Dijkstra from there).  Delete, or a larger
 * weight: slots that no tight arc from nearer by supports any longer are given up, one after the other; then they are
 * reached anew from their neighbours that were not.  A support from the same distance (weights of 0, or too small to
 * survive rounding) does not count, so slots that only support each other are given up too.  Distances are minima over
 * ways of sums along them, the same for any order of work.  Parents are looked for when a result is asked for, where a
 * distance or an arc has changed since.
 * [1] Ramalingam, Reps, "An incremental algorithm for a generalization of the shortest-path problem", J. Algorithms
 *     1996. */
#include "core/heap.h"
#include "dynamic/follow.h"

#include <math.h>
#include <string.h>

typedef struct state {
    weft_vid slots;
    uint64_t room;
    double *distance;
    weft_vid *parent; /* a slot */
    uint8_t *mark;    /* DIRTY, LOST */
    weft_vid *dirty, *lost;
    uint64_t dirties, losses;
    wfi_heap heap;
    bool unit; /* bfs: every arc counts 1 */
} state;

enum { DIRTY = 1, LOST = 2 };

#define TIES "weights of 0 decide between parents: that is found from scratch"

static void end(void *given) {
    state *s = given;
    wfi_free(s->distance);
    wfi_free(s->parent);
    wfi_free(s->mark);
    wfi_free(s->dirty);
    wfi_free(s->lost);
    wfi_free(s->heap.at);
    wfi_free(s);
}

static weft_status widen(weft_ctx *ctx, state *s, uint64_t room) {
    weft_vid **list[] = {&s->parent, &s->dirty, &s->lost};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        weft_vid *fresh = wfi_resize(ctx, *list[i], room, sizeof *fresh);
        if (!fresh) return WEFT_ENOMEM;
        *list[i] = fresh;
    }
    double *distance = wfi_resize(ctx, s->distance, room, sizeof *distance);
    if (!distance) return WEFT_ENOMEM;
    s->distance = distance;
    uint8_t *mark = wfi_resize(ctx, s->mark, room, 1);
    if (!mark) return WEFT_ENOMEM;
    s->mark = mark;
    s->room = room;
    return WEFT_OK;
}

static weft_status grow(weft_ctx *ctx, weft_tracker *t, weft_vid slots) {
    state *s = t->state;
    weft_status st = slots > s->room ? widen(ctx, s, (uint64_t)slots + slots / 2 + 64) : WEFT_OK;
    for (; !st && s->slots < slots; s->slots++) {
        s->distance[s->slots] = INFINITY;
        s->parent[s->slots] = WEFT_NO_VERTEX;
        s->mark[s->slots] = 0;
    }
    return st;
}

static weft_status begin(weft_ctx *ctx, weft_tracker *t) {
    if (t->state) end(t->state);
    if (!(t->state = wfi_take_zeroed(ctx, 1, sizeof(state)))) return WEFT_ENOMEM;
    ((state *)t->state)->unit = !strcmp(t->algorithm->name, "bfs");
    return grow(ctx, t, wfi_links_of(t)->slots);
}

static double weight_of(const state *s, const wfi_links *l, const wfi_link_row *row, uint32_t i) {
    return s->unit ? 1 : wfi_link_weight(l, row, i);
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
    wfi_lose(t, "out of memory");
    return false;
}

/* Its parent, and those of all that it leads to, may change. */
static void moved(weft_tracker *t, state *s, const wfi_links *l, weft_vid v) {
    make_dirty(s, v);
    for (uint32_t i = 0; i < l->out[v].count; i++) make_dirty(s, l->out[v].to[i]);
    wfi_spend(t, 1 + l->out[v].count);
}

static void set(weft_ctx *ctx, weft_tracker *t, state *s, weft_vid v, double distance) {
    s->distance[v] = distance;
    push(ctx, t, s, distance, v);
}

/* Passes on all that waits in the heap. */
static void settle(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_links *l) {
    while (s->heap.count && t->stands) {
        wfi_heap_entry e = wfi_heap_pop(&s->heap);
        if (e.key > s->distance[e.slot]) continue;
        const wfi_link_row *row = &l->out[e.slot];
        moved(t, s, l, e.slot);
        for (uint32_t i = 0; i < row->count && t->stands; i++) {
            double through = e.key + weight_of(s, l, row, i);
            if (through < s->distance[row->to[i]]) set(ctx, t, s, row->to[i], through);
        }
    }
}

static bool is_supported(weft_tracker *t, const state *s, const wfi_links *l, weft_vid v) {
    const wfi_link_row *row = &l->in[v];
    wfi_spend(t, 1 + row->count);
    for (uint32_t i = 0; i < row->count; i++) {
        weft_vid u = row->to[i];
        if (s->distance[u] < s->distance[v] && !(s->mark[u] & LOST) &&
            s->distance[u] + weight_of(s, l, row, i) == s->distance[v])
            return true;
    }
    return false;
}

/* v lost a tight arc: all that is no longer supported is given up. */
static void lose_all(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_links *l, weft_vid v) {
    s->losses = 0;
    push(ctx, t, s, s->distance[v], v);
    while (s->heap.count && t->stands) {
        weft_vid x = wfi_heap_pop(&s->heap).slot;
        if (x == t->source || s->mark[x] & LOST || is_supported(t, s, l, x)) continue;
        s->mark[x] |= LOST;
        s->lost[s->losses++] = x;
        const wfi_link_row *row = &l->out[x];
        wfi_spend(t, row->count);
        for (uint32_t i = 0; i < row->count && t->stands; i++) {
            weft_vid y = row->to[i];
            if (!(s->mark[y] & LOST) && s->distance[x] + weight_of(s, l, row, i) == s->distance[y])
                push(ctx, t, s, s->distance[y], y);
        }
    }
}

static void find_again(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_links *l) {
    for (uint64_t i = 0; i < s->losses; i++) {
        moved(t, s, l, s->lost[i]);
        s->distance[s->lost[i]] = INFINITY;
    }
    for (uint64_t i = 0; i < s->losses; i++) {
        weft_vid v = s->lost[i];
        const wfi_link_row *row = &l->in[v];
        double best = INFINITY;
        for (uint32_t k = 0; k < row->count; k++) best = fmin(best, s->distance[row->to[k]] + weight_of(s, l, row, k));
        if (best < INFINITY && t->stands) set(ctx, t, s, v, best);
        s->mark[v] &= (uint8_t)~LOST;
    }
    settle(ctx, t, s, l);
}

static void nearer(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_links *l, weft_vid u, weft_vid v,
                   double weight) {
    make_dirty(s, v);
    if (!(s->distance[u] + weight < s->distance[v])) return;
    set(ctx, t, s, v, s->distance[u] + weight);
    settle(ctx, t, s, l);
}

static void farther(weft_ctx *ctx, weft_tracker *t, state *s, const wfi_links *l, weft_vid u, weft_vid v,
                    double weight) {
    make_dirty(s, v);
    if (isinf(s->distance[v]) || s->distance[u] + weight != s->distance[v]) return;
    lose_all(ctx, t, s, l, v);
    find_again(ctx, t, s, l);
}

static void change(weft_ctx *ctx, weft_tracker *t, const wfi_link_change *c) {
    const wfi_links *l = wfi_links_of(t);
    state *s = t->state;
    bool comes = c->what == WEFT_CHANGE_INSERT || (c->what == WEFT_CHANGE_WEIGHT && c->after < c->before);
    double before = s->unit ? 1 : c->before, after = s->unit ? 1 : c->after;
    if (c->what == WEFT_CHANGE_WEIGHT && s->unit) return;
    if (c->what != WEFT_CHANGE_DELETE && !(after >= 0)) {
        wfi_lose(t, "a weight is negative, or no number");
        return;
    }
    s->heap.count = 0;
    if (comes)
        nearer(ctx, t, s, l, c->u, c->v, after);
    else
        farther(ctx, t, s, l, c->u, c->v, before);
    if (l->directed || c->u == c->v || !t->stands) return;
    if (comes)
        nearer(ctx, t, s, l, c->v, c->u, after);
    else
        farther(ctx, t, s, l, c->v, c->u, before);
}

/* --- results ------------------------------------------------------------------------- */

/* The smallest vertex with a tight arc from nearer by.  False: there is none, but v is reached. */
static bool find_parent(const weft_tracker *t, state *s, const wfi_links *l, const wfi_numbering *number, weft_vid v) {
    const wfi_link_row *row = &l->in[v];
    s->parent[v] = v == t->source ? v : WEFT_NO_VERTEX;
    if (v == t->source || isinf(s->distance[v])) return true;
    weft_vid smallest = WEFT_NO_VERTEX;
    for (uint32_t i = 0; i < row->count; i++) {
        weft_vid u = row->to[i];
        if (!(s->distance[u] < s->distance[v]) || s->distance[u] + weight_of(s, l, row, i) != s->distance[v]) continue;
        weft_vid vertex = wfi_vertex_of(number, u);
        if (vertex >= smallest) continue;
        smallest = vertex;
        s->parent[v] = u;
    }
    return smallest != WEFT_NO_VERTEX;
}

static weft_status add_parents(weft_ctx *ctx, weft_tracker *t, const wfi_numbering *number, weft_result *r) {
    state *s = t->state;
    weft_vid n = t->d->store->newest->live, *column = NULL;
    for (; s->dirties && t->stands; s->dirties--) {
        weft_vid v = s->dirty[s->dirties - 1];
        s->mark[v] &= (uint8_t)~DIRTY;
        if (!find_parent(t, s, wfi_links_of(t), number, v)) wfi_lose(t, TIES);
    }
    if (!t->stands) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        weft_vid parent = s->parent[wfi_slot_of(number, v)];
        column[v] = parent == WEFT_NO_VERTEX ? parent : wfi_vertex_of(number, parent);
    }
    if (!st) st = wfi_add_column(ctx, r, "parent", WEFT_VERTEX, WEFT_SHAPE_VERTICES, n, column);
    wfi_free(column);
    return st;
}

/* A parent at the same distance is one by the number of hops, which changes elsewhere can change. */
static void load_parents(weft_tracker *t, const weft_result *r, const wfi_numbering *number) {
    state *s = t->state;
    const weft_vid *parent = weft_result_u32(r, "parent");
    for (weft_vid v = 0; parent && v < t->d->store->newest->live; v++) {
        weft_vid slot = wfi_slot_of(number, v);
        if (parent[v] == WEFT_NO_VERTEX) continue;
        s->parent[slot] = wfi_slot_of(number, parent[v]);
        if (slot != t->source && !(s->distance[s->parent[slot]] < s->distance[slot])) wfi_lose(t, TIES);
    }
}

/* A graph without vertices has no source yet. */
static const char *no_source(const weft_tracker *t) {
    return t->source == WEFT_NO_VERTEX ? "there is no source yet" : NULL;
}

/* As wfi_busiest finds it: of equals the first vertex. */
static bool is_busiest(const weft_tracker *t, const wfi_numbering *number) {
    const wfi_link_row *rows = wfi_links_of(t)->out;
    weft_vid n = t->d->store->newest->live, vertex = wfi_vertex_of(number, t->source);
    uint32_t most = rows[t->source].count;
    for (weft_vid v = 0; v < n; v++) {
        uint32_t count = rows[wfi_slot_of(number, v)].count;
        if (count > most || (count == most && v < vertex)) return false;
    }
    return true;
}

static bool has_source(weft_tracker *t, const wfi_numbering *number) {
    if (!wfi_vertices_alive(&t->d->vertices, t->source))
        wfi_lose(t, "the source was removed");
    else if (t->chosen && !is_busiest(t, number))
        wfi_lose(t, "no source was given, and another vertex has the most edges now");
    return t->stands;
}

/* --- sssp -------------------------------------------------------------------------------- */

static weft_status load_sssp(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_numbering *number) {
    weft_status st = begin(ctx, t);
    if (st) return st;
    state *s = t->state;
    const double *distance = weft_result_f64(r, "distance");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++) s->distance[wfi_slot_of(number, v)] = distance[v];
    load_parents(t, r, number);
    return WEFT_OK;
}

static weft_status answer_sssp(weft_ctx *ctx, weft_tracker *t, const wfi_numbering *number, weft_result *r) {
    const state *s = t->state;
    const weft_sssp_params *p = t->params;
    weft_vid n = t->d->store->newest->live;
    uint64_t reached = 0;
    double *column = NULL, most = 0;
    if (!has_source(t, number)) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        column[v] = s->distance[wfi_slot_of(number, v)];
        if (isinf(column[v])) continue;
        reached++;
        most = fmax(most, column[v]);
    }
    if (!st) st = wfi_add_column(ctx, r, "distance", WEFT_F64, WEFT_SHAPE_VERTICES, n, column);
    if (!st && p->parents) st = add_parents(ctx, t, number, r);
    if (!st) st = wfi_add_u64(ctx, r, "reached", reached);
    if (!st) st = wfi_add_f64(ctx, r, "max_distance", most);
    wfi_free(column);
    return st;
}

const wfi_follower wfi_follow_sssp = {.algorithm = "sssp",
                                      .change_cost = 100,
                                      .declines = no_source,
                                      .load = load_sssp,
                                      .grow = grow,
                                      .change = change,
                                      .answer = answer_sssp,
                                      .end = end};

/* --- bfs ---------------------------------------------------------------------------------- */

static const char *declines_bfs(const weft_tracker *t) {
    const weft_bfs_params *p = t->params;
    return p->max_depth ? "`max_depth` is not followed: from scratch each time" : no_source(t);
}

static weft_status load_bfs(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_numbering *number) {
    weft_status st = begin(ctx, t);
    if (st) return st;
    state *s = t->state;
    const uint32_t *level = weft_result_u32(r, "level");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++)
        if (level[v] != WEFT_UNREACHED) s->distance[wfi_slot_of(number, v)] = level[v];
    load_parents(t, r, number);
    return WEFT_OK;
}

/* The table is for several sources. */
static weft_status add_no_table(weft_ctx *ctx, weft_result *r) {
    weft_status st = wfi_add_column(ctx, r, "source", WEFT_VERTEX, WEFT_SHAPE_TABLE, 0, NULL);
    if (!st) st = wfi_add_column(ctx, r, "source_reached", WEFT_U64, WEFT_SHAPE_TABLE, 0, NULL);
    if (!st) st = wfi_add_column(ctx, r, "source_depth", WEFT_U64, WEFT_SHAPE_TABLE, 0, NULL);
    if (!st) st = wfi_add_column(ctx, r, "source_distances", WEFT_U64, WEFT_SHAPE_TABLE, 0, NULL);
    return st;
}

static weft_status answer_bfs(weft_ctx *ctx, weft_tracker *t, const wfi_numbering *number, weft_result *r) {
    const state *s = t->state;
    const weft_bfs_params *p = t->params;
    weft_vid n = t->d->store->newest->live;
    uint64_t reached = 0, depth = 0;
    uint32_t *column = NULL;
    if (!has_source(t, number)) return WEFT_OK;
    weft_status st = wfi_alloc(ctx, &column, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        double distance = s->distance[wfi_slot_of(number, v)];
        column[v] = isinf(distance) ? WEFT_UNREACHED : (uint32_t)distance;
        if (column[v] == WEFT_UNREACHED) continue;
        reached++;
        depth = wfi_max_u64(depth, column[v]);
    }
    if (!st) st = wfi_add_column(ctx, r, "level", WEFT_U32, WEFT_SHAPE_VERTICES, n, column);
    if (!st && p->parents) st = add_parents(ctx, t, number, r);
    if (!st) st = add_no_table(ctx, r);
    if (!st) st = wfi_add_u64(ctx, r, "reached", reached);
    if (!st) st = wfi_add_u64(ctx, r, "depth", depth);
    wfi_free(column);
    return st;
}

const wfi_follower wfi_follow_bfs = {.algorithm = "bfs",
                                     .change_cost = 100,
                                     .declines = declines_bfs,
                                     .load = load_bfs,
                                     .grow = grow,
                                     .change = change,
                                     .answer = answer_bfs,
                                     .end = end};
