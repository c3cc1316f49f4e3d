/* cycle and toposort, followed by a dynamic topological order (order.h).
 * cycle: without feedback arcs there is none.  When there is one, the cycle to show is found from scratch; the order
 * stays valid.  toposort: the level of a slot is one more than the highest before it.  A change of an arc may change
 * its target's level, which is passed on in topological order by a heap, so that each slot is looked at once.  The
 * first cycle ends this. */
#include "core/heap.h"
#include "dynamic/follow.h"
#include "dynamic/order.h"

#include <stdio.h>
#include <string.h>

/* Each is tried again when arcs are deleted: with many of them a run from scratch is cheaper. */
enum { MOST_FEEDBACK = 1024 };

typedef struct state {
    wfi_by_slot all; /* first */
    wfi_order order;
    uint32_t *level; /* toposort only, as are the following */
    uint8_t *waits;  /* in the heap */
    wfi_heap heap;
} state;

enum { OF_CYCLE = 8 }; /* so many of these, the first, are of cycle */
static const wfi_slot_array arrays[] = {WFI_BY_SLOT(order.place), WFI_BY_SLOT(order.seen),  WFI_BY_SLOT(order.from),
                                        WFI_BY_SLOT(order.stack), WFI_BY_SLOT(order.ahead), WFI_BY_SLOT(order.behind),
                                        WFI_BY_SLOT(order.cycle), WFI_OWN(order.feedback),  WFI_BY_SLOT(level),
                                        WFI_BY_SLOT(waits),       WFI_OWN(heap.at)};

static weft_status grown(weft_ctx *ctx, void *given, weft_vid from, weft_vid to) {
    state *s = given;
    (void)ctx;
    wfi_order_grown(&s->order, from, to);
    for (weft_vid v = from; s->level && v < to; v++) s->level[v] = s->waits[v] = 0;
    return WEFT_OK;
}

static weft_status load_order(weft_ctx *ctx, weft_tracker *t) {
    state *s = t->state;
    weft_status st = wfi_order_load(ctx, &s->order, wfi_adjacency_of(t));
    if (!st && s->order.feedbacks > MOST_FEEDBACK && !t->how.refuse)
        wfi_invalidate(t, "%zu arcs close cycles: more than are tried one by one", s->order.feedbacks);
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
    wfi_order *o = &((state *)t->state)->order;
    o->looked = 0;
    if (c->what == WEFT_CHANGE_DELETE) wfi_order_delete(o, c->u, c->v);
    if (c->what == WEFT_CHANGE_INSERT && wfi_order_insert(ctx, o, wfi_adjacency_of(t), c->u, c->v)) give_up(ctx, t);
    if (!wfi_spend(t, o->looked)) return;
    if (o->feedbacks > MOST_FEEDBACK && !t->how.refuse)
        wfi_invalidate(t, "%zu arcs close cycles: more than are tried one by one", o->feedbacks);
}

static weft_status answer_cycle(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    (void)map;
    wfi_order *o = &((state *)t->state)->order;
    if (!wfi_order_is_acyclic(o, wfi_adjacency_of(t))) {
        t->unanswered = true;
        snprintf(t->reason, sizeof t->reason, "there is a cycle: the one to show is found from scratch");
        return WEFT_OK;
    }
    weft_status st = wfi_add_table(ctx, r, "cycle", WEFT_VERTEX, 0, NULL);
    if (!st) st = wfi_add_u64(ctx, r, "acyclic", 1);
    return st ? st : wfi_add_u64(ctx, r, "length", 0);
}

static int put_id(const wfi_slot_ids *ids, weft_vid slot, char *to, size_t room) {
    if (!ids->names) return snprintf(to, room, "%lld", (long long)wfi_slot_number(ids, slot));
    return snprintf(to, room, "%.*s", (int)(ids->start[slot + 1] - ids->start[slot]), ids->text + ids->start[slot]);
}

static bool refuses_cycle(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    wfi_order *o = &((state *)t->state)->order;
    const wfi_slot_ids *ids = t->d->vertices.ids;
    if (c->what != WEFT_CHANGE_INSERT || wfi_order_fits(o, wfi_adjacency_of(t), c->u, c->v)) return false;
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
        wfi_invalidate(t, "there is a cycle: levels are followed where there is none");
        return WEFT_OK;
    }
    const wfi_adjacency *l = wfi_adjacency_of(t);
    weft_status st = load_order(ctx, t);
    if (st) return st;
    state *s = t->state;
    weft_vid *in_order = s->order.stack; /* empty between calls */
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
    if (c->what == WEFT_CHANGE_INSERT && !wfi_order_fits(&s->order, l, c->u, c->v)) {
        wfi_invalidate(t, "there is a cycle: levels are followed where there is none");
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

/* By level, then by vertex. */
static weft_status add_positions(weft_ctx *ctx, const uint32_t *level, weft_vid n, uint32_t levels, weft_result *r) {
    uint32_t *position = NULL, *next = NULL;
    weft_status st = wfi_alloc(ctx, &position, n);
    if (!st) st = wfi_alloc_zeroed(ctx, &next, (size_t)levels + 1);
    for (weft_vid v = 0; v < n && !st; v++) next[level[v] + 1]++;
    for (uint32_t i = 1; i <= levels && !st; i++) next[i] += next[i - 1];
    for (weft_vid v = 0; v < n && !st; v++) position[v] = next[level[v]]++;
    if (!st) st = wfi_add_column(ctx, r, "position", WEFT_U32, n, position);
    wfi_free(position);
    wfi_free(next);
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
