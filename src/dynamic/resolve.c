/* The first half of a batch: checks, ids to slots, and sorting of edge changes by row and target (LSD radix sort). */
#include "dynamic/batch.h"
#include "dynamic/slot_sides.h"

#include <math.h>
#include <string.h>

enum { SHARE = 1 << 14 };

/* --- checks, before any change ------------------------------------------------------ */

weft_status wfi_batch_check(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b) {
    if (b->count > (uint64_t)1 << 30)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: a batch has at most 2^30 changes, not %llu",
                        (unsigned long long)b->count);
    bool names = d->vertices.ids->names;
    bool given = names ? b->source_names && b->target_names : b->sources && b->targets;
    if (b->count && !given)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: the ids of this graph are %s, and batch lacks them",
                        names ? "names" : "whole numbers");
    if (b->weights && !d->store->weight)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: batch has weights, but this graph has none");
    for (uint64_t i = 0; i < b->count; i++) {
        unsigned change = b->changes ? b->changes[i] : WEFT_CHANGE_INSERT;
        if (change > WEFT_CHANGE_REMOVE_VERTEX)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu]: %u is not a weft_change",
                            (unsigned long long)i, change);
        bool weighs = change == WEFT_CHANGE_INSERT || change == WEFT_CHANGE_WEIGHT;
        if (change == WEFT_CHANGE_WEIGHT && !d->store->weight)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] is a weight, but this graph has none",
                            (unsigned long long)i);
        if (weighs && d->store->weight && !b->weights)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] needs a weight, and batch has none",
                            (unsigned long long)i);
        bool both = change <= WEFT_CHANGE_WEIGHT;
        if (names && (!b->source_names[i] || (both && !b->target_names[i])))
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: a name of changes[%llu] is NULL",
                            (unsigned long long)i);
        if (!b->changes && !names) break; /* all changes are alike */
    }
    return WEFT_OK;
}

/* True if the change has a weight. */
static bool weighs(const weft_batch *b, uint64_t i) {
    unsigned change = b->changes ? b->changes[i] : WEFT_CHANGE_INSERT;
    return change == WEFT_CHANGE_INSERT || change == WEFT_CHANGE_WEIGHT;
}

weft_status wfi_batch_check_weights(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b) {
    weft_weight_type type = d->store->weight_type;
    uint64_t first = UINT64_MAX;
    if (!b->weights || (type != WEFT_WEIGHT_F32 && type != WEFT_WEIGHT_F64)) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(wfi_threads_for(ctx, b->count, 1 << 16))
    for (uint64_t i = 0; i < b->count; i++)
        if (!isfinite(wfi_weight_at(type, b->weights, i)) && i < first && weighs(b, i)) first = i;
    if (first == UINT64_MAX) return WEFT_OK;
    return wfi_fail(
        ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu]: the weight %g is no %s, the type of this graph's weights",
        (unsigned long long)first, wfi_weight_at(type, b->weights, first), type == WEFT_WEIGHT_F32 ? "f32" : "f64");
}

/* --- ids ------------------------------------------------------------------------ */

static weft_change change_at(const wfi_batch *b, uint64_t i) {
    return b->given->changes ? (weft_change)b->given->changes[i] : WEFT_CHANGE_INSERT;
}

static wfi_given_id id_at(const wfi_batch *b, uint64_t i, bool source) {
    const weft_batch *given = b->given;
    if (!b->d->vertices.ids->names) return (wfi_given_id){source ? given->sources[i] : given->targets[i], NULL, 0};
    const char *name = source ? given->source_names[i] : given->target_names[i];
    return (wfi_given_id){0, name, strlen(name)};
}

/* --- slots ------------------------------------------------------------------ */

/* Looks up the ends of changes. Returns 1 if a change is not of an edge between existing vertices. */
static int look_up(wfi_batch *b, uint64_t first, uint64_t end) {
    const wfi_vertices *v = &b->d->vertices;
    const weft_batch *given = b->given;
    bool all = wfi_vertices_all_alive(v);
    int other = 0;
    for (uint64_t i = first; i < end; i++) {
        if (change_at(b, i) > WEFT_CHANGE_WEIGHT) {
            other = 1;
            continue;
        }
        weft_vid source = wfi_vertices_find_number(v, given->sources[i]);
        weft_vid target = wfi_vertices_find_number(v, given->targets[i]);
        bool there = source != WEFT_NO_VERTEX && target != WEFT_NO_VERTEX &&
                     (all || (wfi_vertices_alive(v, source) && wfi_vertices_alive(v, target)));
        bool dropped = source == target && b->d->loops == WEFT_LOOPS_DROP;
        bool within = there && b->d->store->sides && wfi_slot_sides_same(b->d->store->sides, source, target);
        other |= !there || dropped || within;
        b->source[i] = source;
        b->target[i] = target;
    }
    return other;
}

/* Most batches only have edges between existing vertices with numeric ids: all threads look them up. False, with
 * nothing changed, for other batches. */
static bool all_are_there(wfi_batch *b) {
    const wfi_vertices *v = &b->d->vertices;
    const weft_batch *given = b->given;
    if (v->ids->names) return false;
    int other = 0, threads = wfi_threads_for(b->ctx, given->count, SHARE);
    if (threads == 1) return !look_up(b, 0, given->count);
#pragma omp parallel for schedule(static, 1) reduction(| : other) num_threads(threads)
    for (int s = 0; s < threads; s++)
        other |= look_up(b, given->count * (uint64_t)s / (uint64_t)threads,
                         given->count * ((uint64_t)s + 1) / (uint64_t)threads);
    return !other;
}

static weft_status remove_vertex(wfi_batch *b, uint64_t i, weft_vid slot) {
    weft_status st = wfi_reserve_one(b->ctx, &b->removal, b->removals, &b->removals_capacity);
    if (st) return st;
    b->removal[b->removals++] = (uint32_t)i;
    b->stats.vertices_removed++;
    b->target[i] = slot; /* kept for later; the source marks that no edge changes */
    return wfi_vertices_remove(b->ctx, &b->d->vertices, slot);
}

static weft_vid find_alive(const wfi_batch *b, uint64_t i, bool source) {
    wfi_given_id id = id_at(b, i, source);
    weft_vid slot = wfi_vertices_find(&b->d->vertices, &id);
    return slot != WEFT_NO_VERTEX && wfi_vertices_alive(&b->d->vertices, slot) ? slot : WEFT_NO_VERTEX;
}

/* *end describes the vertex. */
static weft_status add_end(wfi_batch *b, uint64_t i, bool source, weft_vid *slot, wfi_side_end *end) {
    wfi_given_id id = id_at(b, i, source);
    weft_vid live = b->d->vertices.live, slots = b->d->vertices.slots;
    weft_status st = wfi_vertices_add(b->ctx, &b->d->vertices, &id, slot);
    *end = (wfi_side_end){*slot, id, b->d->vertices.live != live, b->d->vertices.slots != slots};
    b->stats.vertices_added += end->added;
    return st;
}

static weft_status resolve_insert(wfi_batch *b, uint64_t i) {
    wfi_side_end end[2];
    weft_status st = add_end(b, i, true, &b->source[i], &end[0]);
    if (!st) st = add_end(b, i, false, &b->target[i], &end[1]);
    if (!st && b->d->store->sides) st = wfi_slot_sides_edge(b->ctx, b->d->store->sides, end);
    if (st || b->source[i] != b->target[i] || b->d->loops == WEFT_LOOPS_KEEP) return st;
    b->stats.loops_dropped++;
    b->source[i] = WEFT_NO_VERTEX;
    return WEFT_OK;
}

static weft_status resolve_one(wfi_batch *b, uint64_t i) {
    weft_change change = change_at(b, i);
    if (change == WEFT_CHANGE_INSERT) return resolve_insert(b, i);
    if (change == WEFT_CHANGE_ADD_VERTEX) {
        wfi_side_end end;
        weft_status st = add_end(b, i, true, &b->target[i], &end);
        b->source[i] = WEFT_NO_VERTEX;
        return st || !b->d->store->sides ? st : wfi_slot_sides_vertex(b->ctx, b->d->store->sides, &end);
    }
    b->source[i] = find_alive(b, i, true);
    if (change == WEFT_CHANGE_REMOVE_VERTEX) {
        weft_vid slot = b->source[i];
        b->source[i] = WEFT_NO_VERTEX;
        if (slot != WEFT_NO_VERTEX) return remove_vertex(b, i, slot);
    } else {
        b->target[i] = find_alive(b, i, false);
        if (b->source[i] != WEFT_NO_VERTEX && b->target[i] != WEFT_NO_VERTEX) return WEFT_OK;
        b->source[i] = WEFT_NO_VERTEX;
    }
    b->stats.absent++;
    return WEFT_OK;
}

weft_status wfi_batch_supersede(wfi_batch *b) {
    wfi_changes *c = &b->changes;
    if (!b->removals) return WEFT_OK;
    weft_status st = wfi_alloc_zeroed(b->ctx, &c->removed, b->d->vertices.slots);
    if (st) return st;
    for (size_t k = 0; k < b->removals; k++) c->removed[b->target[b->removal[k]]] = b->removal[k] + 1;
    for (uint64_t i = 0; i < b->given->count; i++) {
        if (b->source[i] == WEFT_NO_VERTEX) continue;
        if (i + 1 >= c->removed[b->source[i]] && i + 1 >= c->removed[b->target[i]]) continue;
        b->source[i] = WEFT_NO_VERTEX;
        b->stats.superseded++;
    }
    return WEFT_OK;
}

weft_status wfi_batch_resolve(wfi_batch *b) {
    uint64_t count = b->given->count;
    weft_status st = b->lent ? WEFT_OK : wfi_alloc(b->ctx, &b->source, count);
    if (!st && !b->lent) st = wfi_alloc(b->ctx, &b->target, count);
    if (st) return st;
    if (all_are_there(b)) return WEFT_OK;
    for (uint64_t i = 0; i < count && !st; i++) {
        if (i % WFI_POLL_EVERY == 0 && wfi_cancelled(b->ctx)) return wfi_fail_cancelled(b->ctx);
        st = resolve_one(b, i);
    }
    return st;
}

/* --- sorting by row and target -------------------------------------------------------- */

static uint64_t arcs_of(const wfi_batch *b, uint64_t i) {
    if (b->source[i] == WEFT_NO_VERTEX) return 0;
    return b->d->store->directed || b->source[i] == b->target[i] ? 1 : 2;
}

static void put_key(const wfi_changes *c, uint64_t at, uint64_t u, uint64_t v, uint64_t i, weft_change change) {
    uint64_t key = u << c->bits | v;
    c->key[at] = c->what ? key : key << 2 | (uint64_t)change;
    if (c->what) c->what[at] = (uint32_t)i << 2 | (uint32_t)change;
}

static uint64_t put_arcs(const wfi_batch *b, uint64_t i, uint64_t at) {
    const wfi_changes *c = &b->changes;
    uint64_t count = arcs_of(b, i), u = b->source[i], v = b->target[i];
    weft_change change = change_at(b, i);
    if (count > 0) put_key(c, at, u, v, i, change);
    if (count > 1) put_key(c, at + 1, v, u, i, change);
    return at + count;
}

static uint64_t put_share(const wfi_batch *b, uint64_t first, uint64_t end, uint64_t at) {
    for (uint64_t i = first; i < end; i++) at = put_arcs(b, i, at);
    return at;
}

/* Fills the positions of each thread's share, in order, so that the result does not depend on the number of threads. */
static void fill(wfi_batch *b, uint64_t *place, int shares) {
    uint64_t count = b->given->count;
#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int s = 0; s < shares; s++) {
        uint64_t arcs = 0;
        for (uint64_t i = count * (uint64_t)s / (uint64_t)shares; i < count * ((uint64_t)s + 1) / (uint64_t)shares; i++)
            arcs += arcs_of(b, i);
        place[s] = arcs;
    }
    wfi_exclusive_scan(b->ctx, place, (size_t)shares);
    b->changes.count = place[shares];
#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int s = 0; s < shares; s++)
        put_share(b, count * (uint64_t)s / (uint64_t)shares, count * ((uint64_t)s + 1) / (uint64_t)shares, place[s]);
}

static wfi_sort_keys sort_keys_of(const wfi_changes *c) {
    return (wfi_sort_keys){c->key, c->what, c->count, c->shift, 2 * c->bits};
}

/* Sorts a few keys in place. */
static weft_status sort_small(wfi_batch *b) {
    wfi_changes *c = &b->changes;
    enum { FEW = 24 };
    c->count = put_share(b, 0, b->given->count, 0);
    if (c->count > FEW) return wfi_sort_bits_in(b->ctx, &b->small->sort, sort_keys_of(c));
    for (uint64_t i = 1; i < c->count; i++) {
        uint64_t key = c->key[i], at = i;
        uint32_t what = c->what ? c->what[i] : 0;
        for (; at && c->key[at - 1] >> c->shift > key >> c->shift; at--) {
            c->key[at] = c->key[at - 1];
            if (c->what) c->what[at] = c->what[at - 1];
        }
        c->key[at] = key;
        if (c->what) c->what[at] = what;
    }
    return WEFT_OK;
}

static weft_status sort_keys(wfi_batch *b) {
    const wfi_changes *c = &b->changes;
    return wfi_sort_bits_in(b->ctx, &b->large->sort, sort_keys_of(c));
}

static weft_status sort_large(wfi_batch *b) {
    wfi_changes *c = &b->changes;
    uint64_t most = b->given->count * (b->d->store->directed ? 1 : 2), *place = NULL;
    int shares = wfi_threads_for(b->ctx, b->given->count, SHARE);
    weft_status st = wfi_large_buffers_take(b, most);
    if (!st) st = wfi_alloc(b->ctx, &place, (size_t)shares + 1);
    if (!st) {
        fill(b, place, shares);
        WFI_FREE(b->source, b->target);
        b->source = b->target = NULL;
        st = c->count > 1 ? sort_keys(b) : WEFT_OK;
    }
    wfi_free(place);
    return st;
}

static void shape_keys(wfi_batch *b) {
    weft_vid slots = b->d->vertices.slots;
    b->changes.bits = slots > 1 ? wfi_bits(slots - 1) : 1;
    b->changes.weights = b->given->weights;
    b->changes.shift = !b->d->store->weight && 2 * b->changes.bits + 2 <= 64 ? 2 : 0;
    if (b->changes.shift) b->changes.what = NULL;
}

weft_status wfi_batch_sort(wfi_batch *b) {
    shape_keys(b);
    return b->small ? sort_small(b) : sort_large(b);
}

/* --- resolving and sorting in one pass ------------------------------------------------ */

/* Returns 1 if a change is not of an edge between existing vertices, or of a loop that is one arc where other edges
 * are two. */
static int put_direct(const wfi_batch *b, uint64_t first, uint64_t end) {
    const wfi_vertices *v = &b->d->vertices;
    bool directed = b->d->store->directed, plain_loops = directed && b->d->loops == WEFT_LOOPS_KEEP;
    bool all = wfi_vertices_all_alive(v);
    for (uint64_t i = first; i < end; i++) {
        weft_change change = change_at(b, i);
        if (change > WEFT_CHANGE_WEIGHT) return 1;
        weft_vid source = wfi_vertices_find_number(v, b->given->sources[i]);
        weft_vid target = wfi_vertices_find_number(v, b->given->targets[i]);
        if (source == WEFT_NO_VERTEX || target == WEFT_NO_VERTEX || (source == target && !plain_loops)) return 1;
        if (!all && !(wfi_vertices_alive(v, source) && wfi_vertices_alive(v, target))) return 1;
        put_key(&b->changes, directed ? i : 2 * i, source, target, i, change);
        if (!directed) put_key(&b->changes, 2 * i + 1, target, source, i, change);
    }
    return 0;
}

weft_status wfi_batch_direct(wfi_batch *b, bool *done) {
    wfi_changes *c = &b->changes;
    uint64_t count = b->given->count, most = count * (b->d->store->directed ? 1 : 2);
    int other = 0, shares = wfi_threads_for(b->ctx, count, SHARE);
    *done = false;
    if (b->small || b->d->vertices.ids->names || b->d->following) return WEFT_OK;
    shape_keys(b);
    weft_status st = wfi_large_buffers_take(b, most);
    if (st) return st;
#pragma omp parallel for schedule(static, 1) reduction(| : other) num_threads(shares)
    for (int s = 0; s < shares; s++)
        other |= put_direct(b, count * (uint64_t)s / (uint64_t)shares, count * ((uint64_t)s + 1) / (uint64_t)shares);
    if (other) return WEFT_OK;
    c->count = most;
    *done = true;
    return sort_keys(b);
}
