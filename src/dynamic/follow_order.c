/* cycle and toposort, followed by a dynamic topological order: every arc leads forward while arcs come and go; arcs
 * that close a cycle are kept separately, as a feedback arc set.
 * cycle: acyclic if there are no feedback arcs. Otherwise the cycle of the result is found from scratch; the order
 * stays valid. toposort: the level of a slot is one more than the highest level of its predecessors. A change of an
 * arc may change its target's level, which is propagated in topological order by a heap, so that each slot is visited
 * once. The first cycle ends following.
 * The order is Pearce and Kelly's [1]. An arc u -> v that leads backward starts two searches within the affected
 * region, between the places of v and u: forward from v, which meets u if there is a cycle, and backward from u. The
 * slots found are reordered among their own places: predecessors of u first, then successors of v. Feedback arcs may
 * lead backward: searches skip exactly the arcs that lead backward, so they need no list of feedback arcs.
 * [1] Pearce, Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", JEA 2006. */
#include "core/heap.h"
#include "core/scan.h"
#include "dynamic/follow.h"
#include "weft/toposort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arc {
    weft_vid u, v;
} arc;

typedef struct order {
    uint32_t *place; /* permutation: slot -> 0 ... slots - 1 */
    arc *feedback;   /* arcs that close a cycle with the others */
    size_t feedbacks, feedback_capacity;
    bool again;               /* an arc was deleted: feedback arcs may fit now */
    uint64_t looked;          /* visited arcs since the last reset */
    uint8_t *seen;            /* 0 between calls */
    weft_vid *from, *stack;   /* predecessors in the forward search; stack */
    uint64_t *ahead, *behind; /* place << 32 | slot of the slots found by the searches */
    weft_vid *cycle;          /* the last closed cycle, in order, from the arc's target */
    size_t length;
} order;

static void order_grown(order *o, weft_vid from, weft_vid to) {
    for (weft_vid v = from; v < to; v++) {
        o->place[v] = v;
        o->seen[v] = 0;
    }
}

/* --- initial order ---------------------------------------------------------------- */

/* Reverse postorder of a depth-first search. next[] is the first unvisited arc of a row. */
static void depth_first(order *o, const wfi_adjacency *l, uint32_t *next) {
    weft_vid *stack = o->stack, left = l->slots;
    for (weft_vid root = 0; root < l->slots; root++) {
        uint64_t top = 0;
        if (o->seen[root]) continue;
        o->seen[root] = 1;
        stack[top++] = root;
        while (top) {
            weft_vid u = stack[top - 1];
            if (next[u] == l->out[u].count) {
                o->place[u] = --left;
                top--;
                continue;
            }
            weft_vid v = l->out[u].to[next[u]++];
            if (o->seen[v]) continue;
            o->seen[v] = 1;
            stack[top++] = v;
        }
    }
    if (l->slots) memset(o->seen, 0, l->slots);
}

static weft_status add_feedback(weft_ctx *ctx, order *o, weft_vid u, weft_vid v) {
    weft_status st = wfi_reserve_one(ctx, &o->feedback, o->feedbacks, &o->feedback_capacity);
    if (st) return st;
    o->feedback[o->feedbacks++] = (arc){u, v};
    return WEFT_OK;
}

/* Orders all slots and collects feedback arcs. Needs an empty order. */
static weft_status order_load(weft_ctx *ctx, order *o, const wfi_adjacency *l) {
    uint32_t *next = NULL;
    weft_status st = wfi_alloc_zeroed(ctx, &next, l->slots);
    if (!st) depth_first(o, l, next);
    for (weft_vid u = 0; u < l->slots && !st; u++)
        for (uint32_t i = 0; i < l->out[u].count && !st; i++)
            if (o->place[l->out[u].to[i]] <= o->place[u]) st = add_feedback(ctx, o, u, l->out[u].to[i]);
    wfi_free(next);
    return st;
}

/* --- one arc ---------------------------------------------------------------------- */

static uint64_t with_place(const order *o, weft_vid v) { return (uint64_t)o->place[v] << 32 | v; }

/* Searches forward from v up to u's place. Returns the number of slots found; *closed: u is among them. */
static size_t search_forward(order *o, const wfi_adjacency *l, weft_vid v, weft_vid u, bool *closed) {
    size_t count = 0, top = 0;
    o->seen[v] = 1;
    o->stack[top++] = v;
    o->from[v] = WEFT_NO_VERTEX;
    *closed = false;
    while (top && !*closed) {
        weft_vid x = o->stack[--top];
        o->ahead[count++] = with_place(o, x);
        o->looked += 1 + l->out[x].count;
        for (uint32_t i = 0; i < l->out[x].count; i++) {
            weft_vid y = l->out[x].to[i];
            if (o->seen[y] || o->place[y] <= o->place[x] || o->place[y] > o->place[u]) continue;
            o->seen[y] = 1;
            o->from[y] = x;
            *closed = *closed || y == u;
            o->stack[top++] = y;
        }
    }
    while (top) o->ahead[count++] = with_place(o, o->stack[--top]);
    return count;
}

static size_t search_backward(order *o, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    size_t count = 0, top = 0;
    o->seen[u] = 1;
    o->stack[top++] = u;
    while (top) {
        weft_vid x = o->stack[--top];
        o->behind[count++] = with_place(o, x);
        o->looked += 1 + l->in[x].count;
        for (uint32_t i = 0; i < l->in[x].count; i++) {
            weft_vid y = l->in[x].to[i];
            if (o->seen[y] || o->place[y] >= o->place[x] || o->place[y] < o->place[v]) continue;
            o->seen[y] = 1;
            o->stack[top++] = y;
        }
    }
    return count;
}

static void forget(order *o, const uint64_t *list, size_t count) {
    for (size_t i = 0; i < count; i++) o->seen[(weft_vid)list[i]] = 0;
}

/* Merges the places of both lists and assigns them: first to those behind, then to those ahead. */
static void reorder(order *o, size_t behind, size_t ahead) {
    qsort(o->behind, behind, sizeof *o->behind, wfi_by_u64);
    qsort(o->ahead, ahead, sizeof *o->ahead, wfi_by_u64);
    size_t a = 0, b = 0, taken = 0;
    while (taken < behind + ahead) {
        bool first = b == ahead || (a < behind && o->behind[a] < o->ahead[b]);
        uint32_t place = (uint32_t)((first ? o->behind[a++] : o->ahead[b++]) >> 32);
        /* the stack is empty here, and large enough */
        o->stack[taken++] = place;
    }
    for (size_t i = 0; i < behind; i++) o->place[(weft_vid)o->behind[i]] = o->stack[i];
    for (size_t i = 0; i < ahead; i++) o->place[(weft_vid)o->ahead[i]] = o->stack[behind + i];
}

static void show_cycle(order *o, weft_vid u) {
    o->length = 0;
    for (weft_vid x = u; x != WEFT_NO_VERTEX; x = o->from[x]) o->cycle[o->length++] = x;
    for (size_t i = 0, k = o->length - 1; i < k; i++, k--) {
        weft_vid swap = o->cycle[i];
        o->cycle[i] = o->cycle[k];
        o->cycle[k] = swap;
    }
}

/* True if the arc fits the order, which is changed so that the arc leads forward; false, with the cycle in o->cycle,
 * if it closes one. */
static bool order_fits(order *o, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    bool closed;
    o->looked++;
    if (u == v) {
        o->cycle[0] = u;
        o->length = 1;
        return false;
    }
    if (o->place[u] < o->place[v]) return true;
    size_t ahead = search_forward(o, l, v, u, &closed);
    forget(o, o->ahead, ahead);
    if (closed) {
        show_cycle(o, u);
        return false;
    }
    size_t behind = search_backward(o, l, u, v);
    forget(o, o->behind, behind);
    reorder(o, behind, ahead);
    return true;
}

static weft_status order_insert(weft_ctx *ctx, order *o, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    return order_fits(o, l, u, v) ? WEFT_OK : add_feedback(ctx, o, u, v);
}

/* A deleted feedback arc may have been part of the cycle of another feedback arc. */
static void order_delete(order *o, weft_vid u, weft_vid v) {
    size_t i = 0;
    while (i < o->feedbacks && (o->feedback[i].u != u || o->feedback[i].v != v)) i++;
    if (i < o->feedbacks) o->feedback[i] = o->feedback[--o->feedbacks];
    o->again = true;
}

/* True if there is no cycle. Tries the feedback arcs again if an arc was deleted since the last call. */
static bool order_is_acyclic(order *o, const wfi_adjacency *l) {
    for (size_t i = 0; o->again && i < o->feedbacks;) {
        arc a = o->feedback[i];
        if (order_fits(o, l, a.u, a.v))
            o->feedback[i] = o->feedback[--o->feedbacks];
        else
            i++;
    }
    o->again = false;
    return !o->feedbacks;
}

/* --- trackers -------------------------------------------------------------------------- */

/* Each one is tried again after deletions: with more, a run from scratch is cheaper. */
enum { MOST_FEEDBACK = 1024 };

typedef struct state {
    wfi_by_slot all; /* first */
    order order;
    uint32_t *level; /* toposort only, as the following members */
    uint8_t *waits;  /* per slot: it is in the heap */
    wfi_heap heap;
} state;

enum { OF_CYCLE = 8 }; /* the first OF_CYCLE arrays are those of cycle */
static const wfi_slot_array arrays[] = {WFI_BY_SLOT(order.place), WFI_BY_SLOT(order.seen),  WFI_BY_SLOT(order.from),
                                        WFI_BY_SLOT(order.stack), WFI_BY_SLOT(order.ahead), WFI_BY_SLOT(order.behind),
                                        WFI_BY_SLOT(order.cycle), WFI_OWN(order.feedback),  WFI_BY_SLOT(level),
                                        WFI_BY_SLOT(waits),       WFI_OWN(heap.at)};

static weft_status grown(weft_ctx *ctx, void *given, weft_vid from, weft_vid to) {
    state *s = given;
    (void)ctx;
    order_grown(&s->order, from, to);
    for (weft_vid v = from; s->level && v < to; v++) s->level[v] = s->waits[v] = 0;
    return WEFT_OK;
}

static weft_status load_order(weft_ctx *ctx, weft_tracker *t) {
    state *s = t->state;
    weft_status st = order_load(ctx, &s->order, wfi_adjacency_of(t));
    if (!st && s->order.feedbacks > MOST_FEEDBACK && !t->how.refuse)
        wfi_invalidate(t, "%zu arcs close cycles, which is too many to try them one by one", s->order.feedbacks);
    return st;
}

static void give_up(weft_ctx *ctx, weft_tracker *t) {
    wfi_message_clear(ctx);
    wfi_invalidate(t, "out of memory");
}

/* --- cycle -------------------------------------------------------------------------- */

static weft_status load_cycle(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)r, (void)map;
    return load_order(ctx, t);
}

static void change_cycle(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    order *o = &((state *)t->state)->order;
    o->looked = 0;
    if (c->what == WEFT_CHANGE_DELETE) order_delete(o, c->u, c->v);
    if (c->what == WEFT_CHANGE_INSERT && order_insert(ctx, o, wfi_adjacency_of(t), c->u, c->v)) give_up(ctx, t);
    if (!wfi_spend(t, o->looked)) return;
    if (o->feedbacks > MOST_FEEDBACK && !t->how.refuse)
        wfi_invalidate(t, "%zu arcs close cycles, which is too many to try them one by one", o->feedbacks);
}

static weft_status answer_cycle(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    (void)map;
    order *o = &((state *)t->state)->order;
    if (!order_is_acyclic(o, wfi_adjacency_of(t))) {
        t->unanswered = true;
        snprintf(t->reason, sizeof t->reason, "there is a cycle, which is found from scratch");
        return WEFT_OK;
    }
    weft_status st = wfi_add_table(ctx, r, "cycle", WEFT_VERTEX, 0, NULL);
    if (!st) st = wfi_add_u64(ctx, r, "acyclic", 1);
    return st ? st : wfi_add_u64(ctx, r, "length", 0);
}

static int put_id(const wfi_slot_ids *ids, weft_vid slot, char *to, size_t size) {
    if (!ids->names) return snprintf(to, size, "%lld", (long long)wfi_slot_number(ids, slot));
    return snprintf(to, size, "%.*s", (int)(ids->start[slot + 1] - ids->start[slot]), ids->text + ids->start[slot]);
}

static bool refuses_cycle(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    order *o = &((state *)t->state)->order;
    const wfi_slot_ids *ids = t->d->vertices.ids;
    if (c->what != WEFT_CHANGE_INSERT || order_fits(o, wfi_adjacency_of(t), c->u, c->v)) return false;
    char text[640];
    size_t used = 0, last = sizeof text - 160;
    for (size_t i = 0; i < o->length && used < last; i++) {
        used += (size_t)put_id(ids, o->cycle[i], text + used, 80);
        used += (size_t)snprintf(text + used, 8, " -> ");
        if (used >= last && i + 2 < o->length) used += (size_t)snprintf(text + used, 8, "... -> ");
    }
    put_id(ids, c->v, text + used, 80);
    char u[80], v[80];
    put_id(ids, c->u, u, sizeof u);
    put_id(ids, c->v, v, sizeof v);
    wfi_fail(ctx, WEFT_EINVAL, "the edge %s -> %s closes a cycle of %zu: %s", u, v, o->length, text);
    return true;
}

const wfi_follower wfi_follow_cycle = {
    .change_cost = 50,
    .state_bytes = sizeof(state),
    .arrays = arrays,
    .array_count = OF_CYCLE,
    .load = load_cycle,
    .grown = grown,
    .change = change_cycle,
    .answer = answer_cycle,
    .refuses = refuses_cycle,
};

/* --- toposort ------------------------------------------------------------------------- */

static uint32_t level_of(const state *s, const wfi_adjacency *l, weft_vid v) {
    uint32_t level = 0;
    for (uint32_t i = 0; i < l->in[v].count; i++) {
        uint32_t before = s->level[l->in[v].to[i]] + 1;
        if (before > level) level = before;
    }
    return level;
}

static weft_status load_levels(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)map;
    if (!weft_result_scalar(r, "acyclic")->value.u64) {
        wfi_invalidate(t, "there is a cycle: levels are followed in acyclic graphs only");
        return WEFT_OK;
    }
    const wfi_adjacency *l = wfi_adjacency_of(t);
    weft_status st = load_order(ctx, t);
    if (st) return st;
    state *s = t->state;
    weft_vid *in_order = s->order.stack; /* the stack is empty between calls */
    for (weft_vid v = 0; v < l->slots; v++) in_order[s->order.place[v]] = v;
    for (weft_vid i = 0; i < l->slots; i++) s->level[in_order[i]] = level_of(s, l, in_order[i]);
    return WEFT_OK;
}

static void wait_for(weft_ctx *ctx, weft_tracker *t, state *s, weft_vid v) {
    if (s->waits[v]) return;
    s->waits[v] = 1;
    if (!wfi_heap_push(ctx, &s->heap, s->order.place[v], v)) give_up(ctx, t);
}

static void change_levels(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    if (c->what == WEFT_CHANGE_WEIGHT) return;
    s->order.looked = 0;
    if (c->what == WEFT_CHANGE_INSERT && !order_fits(&s->order, l, c->u, c->v)) {
        wfi_invalidate(t, "there is a cycle: levels are followed in acyclic graphs only");
        return;
    }
    if (!wfi_spend(t, s->order.looked)) return;
    wait_for(ctx, t, s, c->v);
    while (s->heap.count && t->valid) {
        weft_vid v = wfi_heap_pop(&s->heap).slot;
        uint32_t was = s->level[v];
        s->waits[v] = 0;
        wfi_spend(t, 1 + l->in[v].count + l->out[v].count);
        s->level[v] = level_of(s, l, v);
        if (s->level[v] == was) continue;
        for (uint32_t i = 0; i < l->out[v].count; i++) {
            weft_vid x = l->out[v].to[i];
            if (s->level[x] == was + 1 || s->level[x] <= s->level[v]) wait_for(ctx, t, s, x);
        }
    }
}

/* Positions by level, then by vertex. */
static weft_status add_positions(weft_ctx *ctx, const uint32_t *level, weft_vid n, uint32_t levels, weft_result *r) {
    uint32_t *position = NULL, *next = NULL;
    weft_status st = wfi_alloc(ctx, &position, n);
    if (!st) st = wfi_alloc_zeroed(ctx, &next, (size_t)levels + 1);
    for (weft_vid v = 0; v < n && !st; v++) next[level[v] + 1]++;
    for (uint32_t i = 1; i <= levels && !st; i++) next[i] += next[i - 1];
    for (weft_vid v = 0; v < n && !st; v++) position[v] = next[level[v]]++;
    if (!st) st = wfi_add_column(ctx, r, "position", WEFT_U32, n, position);
    WFI_FREE(position, next);
    return st;
}

static weft_status answer_levels(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const state *s = t->state;
    const weft_toposort_params *p = t->params;
    weft_vid n = t->d->store->newest->live;
    uint32_t *level = NULL, levels = 0;
    weft_status st = wfi_alloc(ctx, &level, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        level[v] = s->level[wfi_slot_of(map, v)];
        if (level[v] >= levels) levels = level[v] + 1;
    }
    if (!st && (p->levels || !p->order)) st = wfi_add_column(ctx, r, "level", WEFT_U32, n, level);
    if (!st && (p->order || !p->levels)) st = add_positions(ctx, level, n, levels, r);
    if (!st) st = wfi_add_table(ctx, r, "cycle", WEFT_VERTEX, 0, NULL);
    if (!st) st = wfi_add_u64(ctx, r, "acyclic", 1);
    if (!st) st = wfi_add_u64(ctx, r, "levels", levels);
    wfi_free(level);
    return st;
}

const wfi_follower wfi_follow_toposort = {
    .change_cost = 50,
    WFI_STATE,
    .load = load_levels,
    .grown = grown,
    .change = change_levels,
    .answer = answer_levels,
};
