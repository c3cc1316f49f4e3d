/* Passing a batch through the adjacency lists and the trackers: see follow.h. */
#include "dynamic/follow.h"
#include "dynamic/batch.h"

#include <stdio.h>
#include <string.h>

void wfi_invalidate(weft_tracker *t, const char *format, ...) {
    WFI_FORMAT(t->reason, sizeof t->reason, format);
    t->valid = false;
}

bool wfi_spend(weft_tracker *t, uint64_t arcs) {
    t->spent += arcs;
    if (t->valid && t->spent > t->budget)
        wfi_invalidate(t, "the changes reached %llu arcs, as many as a run from scratch visits",
                       (unsigned long long)t->spent);
    return t->valid;
}

/* --- states ------------------------------------------------------------------------ */

static weft_status grow_state(weft_ctx *ctx, weft_tracker *t, weft_vid slots) {
    const wfi_follower *kind = t->kind;
    wfi_by_slot *s = t->state;
    weft_vid before = s->slots;
    if (slots <= before) return WEFT_OK;
    if (slots > s->capacity) {
        uint64_t capacity = wfi_slot_capacity(slots);
        for (const wfi_slot_array *a = kind->arrays; a < kind->arrays + kind->array_count; a++)
            if (a->each && wfi_widen_block(ctx, (char *)s + a->at, capacity, a->each)) return WEFT_ENOMEM;
        s->capacity = capacity;
    }
    weft_status st = kind->grown(ctx, s, before, slots);
    if (!st) s->slots = slots;
    return st;
}

weft_status wfi_state_begin(weft_ctx *ctx, weft_tracker *t) {
    wfi_state_end(t);
    if (!t->kind->state_bytes) return WEFT_OK;
    t->state = wfi_take_zeroed(ctx, 1, t->kind->state_bytes);
    return t->state ? grow_state(ctx, t, wfi_adjacency_of(t)->slots) : WEFT_ENOMEM;
}

void wfi_state_end(weft_tracker *t) {
    void *array;
    if (!t->state) return;
    for (size_t i = 0; i < t->kind->array_count; i++) {
        memcpy(&array, (const char *)t->state + t->kind->arrays[i].at, sizeof array);
        wfi_free(array);
    }
    wfi_free(t->state);
    t->state = NULL;
}

/* Chooses incremental or from scratch by a linear cost model, with a reason in words. */
static bool pays(uint64_t change_cost, uint64_t changes, uint64_t vertices, uint64_t arcs, char reason[256]) {
    uint64_t scratch = vertices + arcs;
    snprintf(reason, 256, "%llu change%s, at the cost of %llu arcs each, against %llu vertices and arcs",
             (unsigned long long)changes, wfi_plural(changes), (unsigned long long)change_cost,
             (unsigned long long)scratch);
    return changes <= 16 || changes * change_cost <= scratch;
}

/* --- one change -------------------------------------------------------------------- */

static weft_status log_undo(weft_ctx *ctx, wfi_following *f, const wfi_edge_change *c) {
    weft_status st = wfi_reserve_one(ctx, &f->undo, f->count, &f->capacity);
    if (st) return st;
    f->undo[f->count++] = *c;
    return WEFT_OK;
}

static void notify(weft_ctx *ctx, wfi_following *f, const wfi_edge_change *c) {
    for (weft_tracker *t = f->trackers; t; t = t->next)
        if (t->valid && t->kind->change) t->kind->change(ctx, t, c);
}

static weft_status ask(weft_ctx *ctx, wfi_following *f, const wfi_edge_change *c) {
    for (weft_tracker *t = f->trackers; t; t = t->next)
        if (t->how.refuse && t->kind->refuses(ctx, t, c)) return WEFT_EINVAL;
    return WEFT_OK;
}

/* Makes a change, with an undo record, and passes it on. */
static weft_status make(weft_ctx *ctx, wfi_following *f, const wfi_edge_change *c) {
    weft_status st = ask(ctx, f, c);
    if (!st) st = log_undo(ctx, f, c);
    if (st) return st;
    if (c->what == WEFT_CHANGE_INSERT && (st = wfi_adjacency_insert(ctx, &f->adjacency, c->u, c->v, c->after))) {
        f->count--;
        return st;
    }
    if (c->what == WEFT_CHANGE_DELETE) wfi_adjacency_delete(&f->adjacency, c->u, c->v);
    if (c->what == WEFT_CHANGE_WEIGHT) wfi_adjacency_weigh(&f->adjacency, c->u, c->v, c->after);
    notify(ctx, f, c);
    return WEFT_OK;
}

static weft_status change_edge(weft_ctx *ctx, wfi_following *f, weft_change what, weft_vid u, weft_vid v,
                               double weight) {
    double before = 1;
    bool there = wfi_adjacency_has(&f->adjacency, u, v, &before);
    wfi_edge_change c = {what, u, v, before, weight};
    if (what == WEFT_CHANGE_INSERT && there) c.what = WEFT_CHANGE_WEIGHT;
    if (what != WEFT_CHANGE_INSERT && !there) return WEFT_OK;
    if (c.what == WEFT_CHANGE_WEIGHT && (!f->adjacency.weighted || !memcmp(&before, &weight, sizeof weight)))
        return WEFT_OK;
    return make(ctx, f, &c);
}

static weft_status remove_vertex(weft_ctx *ctx, wfi_following *f, weft_vid u) {
    weft_status st = WEFT_OK;
    for (const wfi_adjacency_row *row = &f->adjacency.out[u]; row->count && !st;)
        st = change_edge(ctx, f, WEFT_CHANGE_DELETE, u, row->to[row->count - 1], 1);
    for (const wfi_adjacency_row *row = &f->adjacency.in[u]; row->count && !st;)
        st = change_edge(ctx, f, WEFT_CHANGE_DELETE, row->to[row->count - 1], u, 1);
    return st;
}

/* --- a batch ------------------------------------------------------------------------ */

static weft_status grow(weft_ctx *ctx, wfi_following *f, weft_vid slots) {
    if (f->adjacency.slots >= slots) return WEFT_OK;
    weft_status st = wfi_adjacency_grow(ctx, &f->adjacency, slots);
    for (weft_tracker *t = f->trackers; t && !st; t = t->next)
        if (t->valid && t->state) st = grow_state(ctx, t, slots);
    return st;
}

/* Chooses the trackers that follow this batch; a tracker that refuses changes must follow. */
static weft_status choose(weft_ctx *ctx, weft_dynamic *d, uint64_t changes, bool *any) {
    *any = false;
    const wfi_version *now = d->store->newest;
    for (weft_tracker *t = d->following->trackers; t; t = t->next) {
        weft_status st = t->how.refuse ? wfi_tracker_guards(ctx, t) : WEFT_OK;
        if (st) return st;
        char reason[256];
        t->spent = 0;
        t->budget = t->how.refuse ? UINT64_MAX : 64 + now->live + (uint64_t)now->arcs;
        if (t->valid && !t->how.refuse && !pays(t->kind->change_cost, changes, now->live, now->arcs, reason))
            wfi_invalidate(t, "%s", reason);
        *any = *any || t->valid;
    }
    return WEFT_OK;
}

static weft_status walk(wfi_batch *b, wfi_following *f) {
    const weft_batch *given = b->given;
    weft_status st = WEFT_OK;
    size_t removal = 0;
    for (uint64_t i = 0; i < given->count && !st; i++) {
        if (i % 1024 == 0 && wfi_cancelled(b->ctx)) return wfi_fail_cancelled(b->ctx);
        if (removal < b->removals && b->removal[removal] == i) {
            st = remove_vertex(b->ctx, f, b->target[b->removal[removal++]]);
            continue;
        }
        if (b->source[i] == WEFT_NO_VERTEX) continue;
        weft_change what = given->changes ? (weft_change)given->changes[i] : WEFT_CHANGE_INSERT;
        double weight = given->weights && what != WEFT_CHANGE_DELETE
                            ? wfi_weight_at(b->d->store->weight_type, given->weights, i)
                            : 1;
        st = change_edge(b->ctx, f, what, b->source[i], b->target[i], weight);
    }
    return st;
}

weft_status wfi_follow_batch(wfi_batch *b) {
    wfi_following *f = b->d->following;
    if (!f || !f->trackers) return WEFT_OK;
    bool any;
    weft_status st = choose(b->ctx, b->d, b->given->count, &any);
    if (st) return st;
    if (!any || !f->adjacency.out) { /* without readers the lists are dropped and loaded again on demand */
        wfi_adjacency_end(&f->adjacency);
        return WEFT_OK;
    }
    st = grow(b->ctx, f, b->d->vertices.slots);
    if (!st) st = walk(b, f);
    if (st) wfi_follow_rollback(b->ctx, b->d);
    return st;
}

void wfi_follow_rollback(weft_ctx *ctx, weft_dynamic *d) {
    wfi_following *f = d->following;
    while (f && f->count) {
        wfi_edge_change c = f->undo[--f->count];
        if (c.what == WEFT_CHANGE_INSERT) {
            c.what = WEFT_CHANGE_DELETE;
            wfi_adjacency_delete(&f->adjacency, c.u, c.v);
        } else if (c.what == WEFT_CHANGE_DELETE) {
            c.what = WEFT_CHANGE_INSERT;
            wfi_adjacency_insert(ctx, &f->adjacency, c.u, c.v, c.before); /* cannot fail: rows keep their capacity */
        } else {
            wfi_adjacency_weigh(&f->adjacency, c.u, c.v, c.before);
        }
        double swap = c.before;
        c.before = c.after;
        c.after = swap;
        notify(ctx, f, &c);
    }
}

void wfi_follow_commit(weft_dynamic *d) {
    wfi_following *f = d->following;
    if (!f) return;
    f->count = 0;
    if (!d->vertices.flips) return;
    WFI_FREE(f->map.vertex, f->map.order);
    f->map = (wfi_slot_map){NULL, NULL};
    f->mapped = false;
}

void wfi_follow_end(weft_dynamic *d) {
    wfi_following *f = d->following;
    if (!f) return;
    for (weft_tracker *t = f->trackers; t; t = t->next) t->d = NULL;
    wfi_adjacency_end(&f->adjacency);
    WFI_FREE(f->map.vertex, f->map.order, f->undo, f);
    d->following = NULL;
}
