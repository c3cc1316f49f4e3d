/* Weak components, followed: a spanning forest with union-find labels.
 * An insert within a component changes nothing; between two components it links the smaller tree, rerooted at the
 * edge's end, below the other end. A deleted edge matters only if it is a tree edge: then two searches run in
 * lockstep from its ends, arc by arc. If one ends first, its side becomes a new component with a new label. If they
 * meet, an edge on the path between the ends crosses between the trees and replaces the deleted one.
 * Cost: the arcs of the smaller side, or of the search; the depth of trees is not bounded.
 * Encoding: parents of slots; a label number per slot; label numbers joined by union. */
#include "dynamic/follow.h"
#include "weft/components.h"

#include <string.h>

typedef struct state {
    wfi_by_slot all;     /* first */
    weft_vid *parent;    /* in the forest; WEFT_NO_VERTEX: a root */
    uint32_t *component; /* label number of each slot */
    uint32_t *joined;    /* per label number: itself, or the number it was joined to */
    uint32_t *size;      /* per representative label number: slots */
    uint32_t numbers;
    uint64_t number_capacity;
    /* Searches: side that reached a slot, predecessor, queues. */
    uint8_t *side; /* 0 between searches */
    weft_vid *from, *queue[2];
} state;

static uint32_t find(state *s, uint32_t a) {
    while (s->joined[a] != a) a = s->joined[a] = s->joined[s->joined[a]];
    return a;
}

static weft_status reserve_numbers(weft_ctx *ctx, state *s, uint64_t numbers) {
    if (numbers <= s->number_capacity) return WEFT_OK;
    uint64_t capacity = numbers + numbers / 2 + 64;
    if (wfi_widen(ctx, &s->joined, capacity) || wfi_widen(ctx, &s->size, capacity)) return WEFT_ENOMEM;
    s->number_capacity = capacity;
    return WEFT_OK;
}

static const wfi_slot_array arrays[] = {WFI_BY_SLOT(parent),   WFI_BY_SLOT(component), WFI_BY_SLOT(from),
                                        WFI_BY_SLOT(queue[0]), WFI_BY_SLOT(queue[1]),  WFI_BY_SLOT(side),
                                        WFI_OWN(joined),       WFI_OWN(size)};

/* New slots are roots. */
static weft_status grown(weft_ctx *ctx, void *given, weft_vid from, weft_vid to) {
    state *s = given;
    weft_status st = reserve_numbers(ctx, s, (uint64_t)s->numbers + to - from);
    for (weft_vid v = from; !st && v < to; v++) {
        s->parent[v] = WEFT_NO_VERTEX;
        s->side[v] = 0;
        s->component[v] = s->numbers;
        s->joined[s->numbers] = s->numbers;
        s->size[s->numbers++] = 1;
    }
    return st;
}

static const char *declines(const weft_tracker *t) {
    const weft_components_params *p = t->params;
    if (p->strong && t->d->store->directed) return "strong components are not followed: from scratch each time";
    return p->order ? "`order` is not followed: from scratch each time" : NULL;
}

/* Searches a whole component; the search tree becomes its tree. */
static void take_component(state *s, const wfi_adjacency *l, weft_vid root, uint32_t number) {
    weft_vid *queue = s->queue[0], v;
    uint64_t end_at = 0;
    queue[end_at++] = root;
    s->component[root] = number;
    for (uint64_t i = 0; i < end_at; i++)
        for (wfi_adjacency_walk w = wfi_adjacency_neighbours(l, queue[i]); wfi_adjacency_next(&w, &v);) {
            if (s->component[v] != UINT32_MAX) continue;
            s->component[v] = number;
            s->parent[v] = queue[i];
            queue[end_at++] = v;
        }
    s->size[number] = (uint32_t)end_at;
}

static weft_status load(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)ctx, (void)r, (void)map;
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    if (l->slots) memset(s->component, 0xff, (size_t)l->slots * sizeof *s->component);
    s->numbers = 0;
    for (weft_vid v = 0; v < l->slots; v++)
        if (s->component[v] == UINT32_MAX) take_component(s, l, v, s->numbers++);
    return WEFT_OK;
}

/* Makes v the root of its tree. Returns the number of steps. */
static uint64_t reroot(state *s, weft_vid v) {
    weft_vid below = WEFT_NO_VERTEX;
    uint64_t steps = 0;
    while (v != WEFT_NO_VERTEX) {
        weft_vid above = s->parent[v];
        s->parent[v] = below;
        below = v;
        v = above;
        steps++;
    }
    return steps;
}

static void join(weft_tracker *t, state *s, weft_vid u, weft_vid v) {
    uint32_t a = find(s, s->component[u]), b = find(s, s->component[v]);
    if (a == b) return;
    if (s->size[a] > s->size[b]) {
        join(t, s, v, u);
        return;
    }
    wfi_spend(t, reroot(s, u));
    s->parent[u] = v;
    s->joined[a] = b;
    s->size[b] += s->size[a];
}

static weft_vid root_of(const state *s, weft_vid v) {
    while (s->parent[v] != WEFT_NO_VERTEX) v = s->parent[v];
    return v;
}

/* The searches met at the edge a - b, with a on u's side: replaces the deleted tree edge by an edge of the path u ...
 * v that crosses from u's tree (rooted at u) to the other. */
static void mend(weft_tracker *t, state *s, weft_vid u, weft_vid a, weft_vid b) {
    /* The path: from a back to u, and from b on to v. */
    while (root_of(s, b) == u) { /* b is in u's tree: the crossing is nearer to v */
        a = b;
        b = s->from[b];
    }
    while (root_of(s, a) != u) { /* a is in the other tree: the crossing is nearer to u */
        b = a;
        a = s->from[a];
    }
    wfi_spend(t, reroot(s, a));
    s->parent[a] = b;
}

/* Two searches in lockstep, sides 1 and 2: queue positions, and the meeting edge a - b with a on side 1. */
typedef struct lockstep {
    uint64_t at[2], end[2];
    weft_vid a, b;
} lockstep;

/* One step of a search: visits the neighbours of the next slot in its queue. True if it met the other search. */
static bool step(weft_tracker *t, state *s, const wfi_adjacency *l, unsigned me, lockstep *k) {
    weft_vid x = s->queue[me - 1][k->at[me - 1]++], v;
    wfi_spend(t, 1 + l->out[x].count + (l->directed ? l->in[x].count : 0));
    for (wfi_adjacency_walk w = wfi_adjacency_neighbours(l, x); wfi_adjacency_next(&w, &v);) {
        if (s->side[v] == me) continue;
        if (s->side[v]) {
            k->a = me == 1 ? x : v;
            k->b = me == 1 ? v : x;
            return true;
        }
        s->side[v] = (uint8_t)me;
        s->from[v] = x;
        s->queue[me - 1][k->end[me - 1]++] = v;
    }
    return false;
}

static void split(state *s, const weft_vid *list, uint64_t count) {
    uint32_t whole = find(s, s->component[list[0]]);
    s->size[whole] -= (uint32_t)count;
    s->joined[s->numbers] = s->numbers;
    s->size[s->numbers] = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) s->component[list[i]] = s->numbers;
    s->numbers++;
}

/* The forest's edge u - v is gone; u was the child and is now the root of its tree. */
static void cut(weft_tracker *t, state *s, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    lockstep k = {.end = {1, 1}};
    bool met = false;
    unsigned me = 1;
    s->queue[0][0] = u, s->side[u] = 1;
    s->queue[1][0] = v, s->side[v] = 2;
    for (; !met && t->valid && k.at[me - 1] < k.end[me - 1]; me = 3 - me) met = step(t, s, l, me, &k);
    if (met) mend(t, s, u, k.a, k.b);
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t q = 0; q < k.end[i]; q++) s->side[s->queue[i][q]] = 0;
    if (!met && t->valid) split(s, s->queue[me - 1], k.end[me - 1]); /* the search that was next had an empty queue */
}

static void change(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    if (!wfi_is_simple(l, c)) return;
    if (c->what == WEFT_CHANGE_INSERT) {
        join(t, s, c->u, c->v);
        return;
    }
    bool up = s->parent[c->u] == c->v, down = s->parent[c->v] == c->u;
    if (!up && !down) return;
    if (s->numbers > (uint64_t)8 * s->all.slots + 1024) {
        wfi_invalidate(t, "too many components came and went: they are labelled again");
        return;
    }
    if (reserve_numbers(ctx, s, (uint64_t)s->numbers + 1)) {
        wfi_message_clear(ctx);
        wfi_invalidate(t, "out of memory");
        return;
    }
    weft_vid child = up ? c->u : c->v;
    s->parent[child] = WEFT_NO_VERTEX;
    cut(t, s, l, child, up ? c->v : c->u);
}

static weft_status answer(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    state *s = t->state;
    weft_vid n = t->d->store->newest->live, *label = NULL, *smallest = NULL;
    uint64_t count = 0, largest = 0;
    weft_status st = wfi_alloc(ctx, &label, n);
    if (!st) st = wfi_alloc(ctx, &smallest, s->numbers);
    if (!st) memset(smallest, 0xff, (size_t)s->numbers * sizeof *smallest);
    for (weft_vid v = 0; v < n && !st; v++) {
        uint32_t mine = find(s, s->component[wfi_slot_of(map, v)]);
        if (smallest[mine] == WEFT_NO_VERTEX) {
            smallest[mine] = v;
            largest = wfi_max_u64(largest, s->size[mine]);
            count++;
        }
        label[v] = smallest[mine];
    }
    if (!st) st = wfi_add_column(ctx, r, "component", WEFT_VERTEX, n, label);
    if (!st) st = wfi_add_u64(ctx, r, "count", count);
    if (!st) st = wfi_add_u64(ctx, r, "largest", largest);
    WFI_FREE(label, smallest);
    return st;
}

const wfi_follower wfi_follow_components = {
    .change_cost = 40,
    WFI_STATE,
    .declines = declines,
    .load = load,
    .grown = grown,
    .change = change,
    .answer = answer,
};
