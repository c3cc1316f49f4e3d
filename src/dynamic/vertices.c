/* Ids of slots, in append-only lists (store.h), and slots of ids, by an open-addressing hash table for the writer
 * only. */
#include "core/scan.h"
#include "dynamic/dynamic.h"

#include <string.h>

enum { LEAST_CAPACITY = 64 };

wfi_slot_ids *wfi_slot_ids_keep(wfi_slot_ids *ids) {
    atomic_fetch_add(&ids->holders, 1);
    return ids;
}

void wfi_slot_ids_drop(wfi_slot_ids *ids) {
    if (!ids || atomic_fetch_sub(&ids->holders, 1) != 1) return;
    WFI_FREE(ids->number, ids->start, ids->text, ids);
}

static wfi_slot_ids *new_slot_ids(weft_ctx *ctx, const wfi_slot_ids *like, uint64_t capacity, uint64_t text_capacity) {
    wfi_slot_ids *ids = wfi_take_zeroed(ctx, 1, sizeof *ids);
    if (!ids) return NULL;
    atomic_init(&ids->holders, 1);
    ids->names = like->names;
    ids->dense = like->dense;
    ids->base = like->base;
    ids->capacity = capacity;
    ids->text_capacity = text_capacity;
    weft_status st;
    if (ids->names) {
        st = wfi_alloc(ctx, &ids->start, capacity + 1);
        if (!st) ids->start[0] = 0;
        if (!st) st = wfi_alloc(ctx, &ids->text, text_capacity);
    } else {
        st = wfi_alloc(ctx, &ids->number, capacity);
    }
    if (st) wfi_slot_ids_drop(ids);
    return st ? NULL : ids;
}

/* An empty list, or the ids of a graph. */
static wfi_slot_ids *slot_ids_new(weft_ctx *ctx, bool names, const weft_graph *base) {
    wfi_slot_ids like = {.names = names};
    if (!base) return new_slot_ids(ctx, &like, 0, 0);
    const wfi_ids *given = &base->ids;
    weft_vid n = base->n;
    like.names = given->kind == WEFT_IDS_STRING;
    if (given->kind == WEFT_IDS_DENSE) {
        like.dense = n;
        like.base = given->base;
        return new_slot_ids(ctx, &like, 0, 0);
    }
    wfi_slot_ids *ids = new_slot_ids(ctx, &like, n, like.names ? given->start[n] : 0);
    if (!ids) return NULL;
    if (ids->names) {
        memcpy(ids->start, given->start, ((size_t)n + 1) * sizeof *ids->start);
        memcpy(ids->text, given->text, (size_t)given->start[n]);
    } else {
        memcpy(ids->number, given->number, (size_t)n * sizeof *ids->number);
    }
    return ids;
}

/* Ensures space for one more id after `slots`, with `bytes` bytes of text, in the list or a larger one in its place.
 * The caller is the only writer. */
static weft_status reserve_slot_id(weft_ctx *ctx, wfi_slot_ids **place, weft_vid slots, size_t bytes) {
    wfi_slot_ids *old = *place;
    uint64_t used = slots - old->dense, text = old->names ? old->start[used] : 0;
    if (used < old->capacity && text + bytes <= old->text_capacity) return WEFT_OK;
    uint64_t capacity = used < old->capacity ? old->capacity : used + used / 2 + 64;
    uint64_t text_capacity = !old->names ? 0 : wfi_max_u64(old->text_capacity, text + text / 2 + bytes + 1024);
    wfi_slot_ids *ids = new_slot_ids(ctx, old, capacity, text_capacity);
    if (!ids) return WEFT_ENOMEM;
    if (ids->names) {
        memcpy(ids->start, old->start, (size_t)(used + 1) * sizeof *ids->start);
        memcpy(ids->text, old->text, (size_t)text);
    } else if (used) {
        memcpy(ids->number, old->number, (size_t)used * sizeof *ids->number);
    }
    wfi_slot_ids_drop(old);
    *place = ids;
    return WEFT_OK;
}

int wfi_slot_compare(const wfi_slot_ids *ids, weft_vid a, weft_vid b) {
    if (!ids->names) {
        int64_t x = wfi_slot_number(ids, a), y = wfi_slot_number(ids, b);
        return (x > y) - (x < y);
    }
    uint64_t p = ids->start[a], q = ids->start[b], long_a = ids->start[a + 1] - p, long_b = ids->start[b + 1] - q;
    int order = memcmp(ids->text + p, ids->text + q, (size_t)wfi_min_u64(long_a, long_b));
    return order ? order : (long_a > long_b) - (long_a < long_b);
}

/* --- the hash table ------------------------------------------------------------------------ */

static uint64_t hash_name(const char *text, size_t length) {
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return wfi_mix(h);
}

static uint64_t hash_id(const wfi_given_id *id) {
    return id->name ? hash_name(id->name, id->length) : wfi_mix((uint64_t)id->number);
}

static wfi_given_id id_of(const wfi_slot_ids *ids, weft_vid slot) {
    if (!ids->names) return (wfi_given_id){wfi_slot_number(ids, slot), NULL, 0};
    return (wfi_given_id){0, ids->text + ids->start[slot], (size_t)(ids->start[slot + 1] - ids->start[slot])};
}

static bool same_id(const wfi_slot_ids *ids, weft_vid slot, const wfi_given_id *id) {
    wfi_given_id have = id_of(ids, slot);
    return id->name ? have.length == id->length && !memcmp(have.name, id->name, id->length) : have.number == id->number;
}

weft_vid wfi_vertices_find(const wfi_vertices *v, const wfi_given_id *id) {
    uint64_t mask = v->index_capacity - 1;
    uint64_t dense = (uint64_t)id->number - (uint64_t)v->ids->base;
    if (!id->name && dense < v->ids->dense) return (weft_vid)dense;
    if (!v->index_capacity) return WEFT_NO_VERTEX;
    for (uint64_t at = hash_id(id) & mask; v->index[at]; at = (at + 1) & mask)
        if (same_id(v->ids, v->index[at] - 1, id)) return v->index[at] - 1;
    return WEFT_NO_VERTEX;
}

static void enter(wfi_vertices *v, weft_vid slot) {
    wfi_given_id id = id_of(v->ids, slot);
    uint64_t mask = v->index_capacity - 1, at = hash_id(&id) & mask;
    while (v->index[at]) at = (at + 1) & mask;
    v->index[at] = slot + 1;
}

static void enter_all(wfi_vertices *v) {
    if (!v->index_capacity) return;
    memset(v->index, 0, v->index_capacity * sizeof *v->index);
    for (weft_vid slot = v->ids->dense; slot < v->slots; slot++) enter(v, slot);
}

static weft_status reserve_index(weft_ctx *ctx, wfi_vertices *v, uint64_t entries) {
    if (entries * 2 <= v->index_capacity) return WEFT_OK;
    uint64_t capacity = LEAST_CAPACITY;
    while (capacity < entries * 2) capacity *= 2;
    uint32_t *index;
    if (wfi_alloc(ctx, &index, capacity)) return WEFT_ENOMEM;
    wfi_free(v->index);
    v->index = index;
    v->index_capacity = capacity;
    enter_all(v);
    return WEFT_OK;
}

static weft_status reserve_alive(weft_ctx *ctx, wfi_vertices *v, uint64_t slots) {
    if (slots <= v->alive_capacity) return WEFT_OK;
    uint64_t capacity = (slots + slots / 2 + 63) / 64 * 64;
    if (wfi_widen(ctx, &v->alive, capacity / 64)) return WEFT_ENOMEM;
    memset(v->alive + v->alive_capacity / 64, 0, (capacity - v->alive_capacity) / 8);
    v->alive_capacity = capacity;
    return WEFT_OK;
}

static weft_vid count_ascending(const wfi_slot_ids *ids, weft_vid slots) {
    weft_vid count = ids->dense ? ids->dense : slots != 0;
    while (count < slots && wfi_slot_compare(ids, count - 1, count) < 0) count++;
    return count;
}

weft_status wfi_vertices_open(weft_ctx *ctx, wfi_vertices *v, bool names, const weft_graph *base) {
    *v = (wfi_vertices){.ids = slot_ids_new(ctx, names, base)};
    if (!v->ids) return WEFT_ENOMEM;
    v->slots = v->live = base ? base->n : 0;
    v->ascending = count_ascending(v->ids, v->slots);
    weft_status st = reserve_alive(ctx, v, v->slots + (uint64_t)64);
    if (!st) st = reserve_index(ctx, v, v->slots - v->ids->dense);
    if (st) return st;
    memset(v->alive, 0xff, v->slots / 64 * sizeof *v->alive);
    if (v->slots % 64) v->alive[v->slots / 64] = ((uint64_t)1 << v->slots % 64) - 1;
    return WEFT_OK;
}

void wfi_vertices_close(wfi_vertices *v) {
    wfi_slot_ids_drop(v->ids);
    WFI_FREE(v->index, v->alive, v->flipped);
}

static void flip(wfi_vertices *v, weft_vid slot) {
    v->alive[slot / 64] ^= (uint64_t)1 << slot % 64;
    if (wfi_vertices_alive(v, slot))
        v->live++;
    else
        v->live--;
}

static weft_status log_flip(weft_ctx *ctx, wfi_vertices *v, weft_vid slot) {
    weft_status st = wfi_reserve_one(ctx, &v->flipped, v->flips, &v->flips_capacity);
    if (st) return st;
    v->flipped[v->flips++] = slot;
    flip(v, slot);
    return WEFT_OK;
}

static weft_status append(weft_ctx *ctx, wfi_vertices *v, const wfi_given_id *id) {
    weft_vid slot = v->slots;
    if (slot >= WEFT_NO_VERTEX - 1)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "at most 2^32-2 vertices, removed ones included");
    weft_status st = reserve_slot_id(ctx, &v->ids, slot, id->length);
    if (!st) st = reserve_alive(ctx, v, (uint64_t)slot + 1);
    if (!st) st = reserve_index(ctx, v, (uint64_t)slot + 1 - v->ids->dense);
    if (st) return st;
    wfi_slot_ids *ids = v->ids;
    weft_vid at = slot - ids->dense;
    if (ids->names) {
        memcpy(ids->text + ids->start[at], id->name, id->length);
        ids->start[at + 1] = ids->start[at] + id->length;
    } else {
        ids->number[at] = id->number;
    }
    v->slots++;
    enter(v, slot);
    if (v->ascending == slot && (!slot || wfi_slot_compare(ids, slot - 1, slot) < 0)) v->ascending++;
    return WEFT_OK;
}

weft_status wfi_vertices_add(weft_ctx *ctx, wfi_vertices *v, const wfi_given_id *id, weft_vid *slot) {
    *slot = wfi_vertices_find(v, id);
    weft_status st = WEFT_OK;
    if (*slot == WEFT_NO_VERTEX) {
        *slot = v->slots;
        st = append(ctx, v, id);
    }
    if (st || wfi_vertices_alive(v, *slot)) return st;
    return log_flip(ctx, v, *slot);
}

weft_status wfi_vertices_remove(weft_ctx *ctx, wfi_vertices *v, weft_vid slot) { return log_flip(ctx, v, slot); }

void wfi_vertices_rollback(wfi_vertices *v, const wfi_version *newest) {
    while (v->flips) flip(v, v->flipped[--v->flips]);
    if (v->slots == newest->slots) return;
    v->slots = newest->slots;
    v->ascending = newest->ascending;
    enter_all(v);
}

void wfi_vertices_commit(wfi_vertices *v) { v->flips = 0; }
