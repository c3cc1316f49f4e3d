/* k-core, followed by subcore traversal [1]: one edge changes core numbers by at most one, and only those equal to K,
 * the smaller core number of its ends. Insert: a search from the ends of core K visits slots of core K with more than
 * K neighbours of core >= K; candidates are evicted until each remaining one keeps more than K such neighbours; the
 * remaining ones rise. Delete: ends of core K with fewer than K such neighbours fall, and their neighbours of core K
 * are examined in turn.
 * [1] Sariyuce et al., "Streaming algorithms for k-core decomposition", VLDB 2013. */
#include "dynamic/follow.h"
#include "weft/kcore.h"

typedef struct state {
    wfi_by_slot all; /* first */
    uint32_t *core;
    uint32_t *support; /* of slots seen in this change: number of neighbours of core >= K */
    uint8_t *seen;     /* 0 between changes; SEEN, EVICTED */
    weft_vid *queue, *stack;
} state;

enum { SEEN = 1, EVICTED = 2 };

static const wfi_slot_array arrays[] = {WFI_BY_SLOT(core), WFI_BY_SLOT(support), WFI_BY_SLOT(seen), WFI_BY_SLOT(queue),
                                        WFI_BY_SLOT(stack)};

static weft_status grown(weft_ctx *ctx, void *given, weft_vid from, weft_vid to) {
    state *s = given;
    (void)ctx;
    for (weft_vid v = from; v < to; v++) s->core[v] = s->seen[v] = 0;
    return WEFT_OK;
}

static const char *declines(const weft_tracker *t) {
    const weft_kcore_params *p = t->params;
    return t->d->store->directed && p->mode != WEFT_CORE_NEIGHBOURS ? "only `mode` neighbours is followed" : NULL;
}

static weft_status load(weft_ctx *ctx, weft_tracker *t, const weft_result *r, const wfi_slot_map *map) {
    (void)ctx;
    state *s = t->state;
    const uint32_t *core = weft_result_u32(r, "core");
    for (weft_vid v = 0; v < t->d->store->newest->live; v++) s->core[wfi_slot_of(map, v)] = core[v];
    return WEFT_OK;
}

/* Number of neighbours of core >= k. */
static uint32_t count_support(weft_tracker *t, const state *s, const wfi_adjacency *l, weft_vid v, uint32_t k) {
    uint32_t count = 0, looked = 1;
    weft_vid x;
    for (wfi_adjacency_walk w = wfi_adjacency_neighbours(l, v); wfi_adjacency_next(&w, &x); looked++)
        count += s->core[x] >= k;
    wfi_spend(t, looked);
    return count;
}

static void see(weft_tracker *t, state *s, const wfi_adjacency *l, weft_vid v, uint32_t k, uint64_t *count) {
    s->seen[v] = SEEN;
    s->support[v] = count_support(t, s, l, v, k);
    s->queue[(*count)++] = v;
}

/* Evicts v and all slots whose support becomes too low by that. */
static void evict(state *s, const wfi_adjacency *l, weft_vid v, uint32_t k) {
    weft_vid *stack = s->stack;
    uint64_t top = 0;
    weft_vid x;
    s->seen[v] = EVICTED;
    stack[top++] = v;
    while (top) {
        weft_vid y = stack[--top];
        for (wfi_adjacency_walk w = wfi_adjacency_neighbours(l, y); wfi_adjacency_next(&w, &x);) {
            if (s->seen[x] != SEEN || --s->support[x] > k) continue;
            s->seen[x] = EVICTED;
            stack[top++] = x;
        }
    }
}

static void insert(weft_tracker *t, state *s, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    uint32_t k = s->core[u] < s->core[v] ? s->core[u] : s->core[v];
    uint64_t count = 0;
    weft_vid x;
    see(t, s, l, s->core[u] == k ? u : v, k, &count);
    if (s->core[u] == k && s->core[v] == k && !s->seen[v]) see(t, s, l, v, k, &count);
    for (uint64_t i = 0; i < count && t->valid; i++) {
        weft_vid y = s->queue[i];
        if (s->support[y] <= k) continue;
        for (wfi_adjacency_walk w = wfi_adjacency_neighbours(l, y); wfi_adjacency_next(&w, &x);)
            if (s->core[x] == k && !s->seen[x]) see(t, s, l, x, k, &count);
    }
    for (uint64_t i = 0; i < count && t->valid; i++)
        if (s->seen[s->queue[i]] == SEEN && s->support[s->queue[i]] <= k) evict(s, l, s->queue[i], k);
    for (uint64_t i = 0; i < count; i++) {
        if (t->valid) s->core[s->queue[i]] += s->seen[s->queue[i]] == SEEN;
        s->seen[s->queue[i]] = 0;
    }
}

static void delete (weft_tracker *t, state *s, const wfi_adjacency *l, weft_vid u, weft_vid v) {
    uint32_t k = s->core[u] < s->core[v] ? s->core[u] : s->core[v];
    uint64_t count = 0, top = 0;
    weft_vid *stack = s->stack, ends[] = {u, v}, x;
    for (unsigned i = 0; i < 2; i++) {
        if (s->core[ends[i]] != k || s->seen[ends[i]]) continue;
        see(t, s, l, ends[i], k, &count);
        if (s->support[ends[i]] < k) stack[top++] = ends[i], s->seen[ends[i]] = EVICTED;
    }
    for (; top && t->valid;) {
        weft_vid y = stack[--top];
        s->core[y] = k - 1;
        for (wfi_adjacency_walk w = wfi_adjacency_neighbours(l, y); wfi_adjacency_next(&w, &x);) {
            if (s->core[x] != k || s->seen[x] == EVICTED) continue;
            if (!s->seen[x])
                see(t, s, l, x, k, &count); /* y has fallen and is not counted */
            else
                s->support[x]--;
            if (s->support[x] < k) stack[top++] = x, s->seen[x] = EVICTED;
        }
    }
    for (uint64_t i = 0; i < count; i++) s->seen[s->queue[i]] = 0;
}

static void change(weft_ctx *ctx, weft_tracker *t, const wfi_edge_change *c) {
    (void)ctx;
    const wfi_adjacency *l = wfi_adjacency_of(t);
    state *s = t->state;
    if (!wfi_is_simple(l, c)) return;
    if (c->what == WEFT_CHANGE_INSERT)
        insert(t, s, l, c->u, c->v);
    else
        delete (t, s, l, c->u, c->v);
}

static weft_status answer(weft_ctx *ctx, weft_tracker *t, const wfi_slot_map *map, weft_result *r) {
    const state *s = t->state;
    const weft_kcore_params *p = t->params;
    weft_vid n = t->d->store->newest->live, *members = NULL, count = 0;
    uint32_t *core = NULL, most = 0;
    weft_status st = wfi_alloc(ctx, &core, n);
    if (!st) st = wfi_alloc(ctx, &members, n);
    for (weft_vid v = 0; v < n && !st; v++) {
        core[v] = s->core[wfi_slot_of(map, v)];
        if (core[v] > most) most = core[v];
        if (p->k && core[v] >= p->k) members[count++] = v;
    }
    if (!st) st = wfi_add_column(ctx, r, "core", WEFT_U32, n, core);
    if (!st) st = wfi_add_table(ctx, r, "members", WEFT_VERTEX, count, members);
    if (!st) st = wfi_add_u64(ctx, r, "degeneracy", most);
    WFI_FREE(core, members);
    return st;
}

const wfi_follower wfi_follow_kcore = {
    .change_cost = 100,
    WFI_STATE,
    .declines = declines,
    .load = load,
    .grown = grown,
    .change = change,
    .answer = answer,
};
