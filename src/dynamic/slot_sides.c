/* See slot_sides.h. A byte per slot, in pieces that do not move while others are added: a thread that packs a
 * snapshot reads the sides of slots that existed when it was taken. */
#include "dynamic/slot_sides.h"
#include "attributes/sides.h"

#include <stdio.h>
#include <string.h>

enum { PIECE_BITS = 20, PIECES = 1 << (32 - PIECE_BITS) };

typedef struct wfi_slot_sides {
    wfi_sides *names; /* names only, without vertices */
    size_t length[2]; /* lengths of the names */
    bool named;       /* each id begins with its side's name */
    uint8_t *_Atomic piece[PIECES];
} slot_sides;

void wfi_slot_sides_free(slot_sides *s) {
    for (size_t i = 0; s && i < PIECES; i++) wfi_free(s->piece[i]);
    if (s) wfi_free(s->names);
    wfi_free(s);
}

static int side_at(const slot_sides *s, weft_vid slot) {
    return atomic_load_explicit(&s->piece[slot >> PIECE_BITS], memory_order_acquire)[slot & ((1u << PIECE_BITS) - 1)];
}

static weft_status put(weft_ctx *ctx, slot_sides *s, weft_vid slot, int side) {
    uint8_t *piece = s->piece[slot >> PIECE_BITS];
    if (!piece) {
        if (!(piece = wfi_take_zeroed(ctx, (size_t)1 << PIECE_BITS, 1))) return WEFT_ENOMEM;
        atomic_store_explicit(&s->piece[slot >> PIECE_BITS], piece, memory_order_release);
    }
    piece[slot & ((1u << PIECE_BITS) - 1)] = (uint8_t)side;
    return WEFT_OK;
}

/* The side whose name prefixes the id, or -1. */
static int side_named(const slot_sides *s, const char *name, size_t length) {
    for (int side = 0; name && side < 2; side++)
        if (length > s->length[side] + 1 && name[s->length[side]] == ':' &&
            !memcmp(name, s->names->name[side], s->length[side]))
            return side;
    return -1;
}

/* True if all of the base's ids are prefixed by their side's name. A graph with numeric ids, or without vertices, has
 * no such names. */
static bool all_named(const slot_sides *s, const weft_graph *g) {
    bool all = g->ids.kind == WEFT_IDS_STRING && g->n;
    for (weft_vid v = 0; v < g->n && all; v++)
        all = side_named(s, g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v])) ==
              wfi_side_of(g->sides, v);
    return all;
}

weft_status wfi_slot_sides_new(weft_ctx *ctx, const weft_graph *base, slot_sides **out) {
    *out = NULL;
    if (!base || !base->sides) return WEFT_OK;
    slot_sides *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return WEFT_ENOMEM;
    weft_status st = wfi_sides_new(ctx, 0, base->sides->name[0], base->sides->name[1], &s->names);
    for (int side = 0; side < 2 && !st; side++) s->length[side] = strlen(s->names->name[side]);
    for (weft_vid v = 0; v < base->n && !st; v++) st = put(ctx, s, v, wfi_side_of(base->sides, v));
    if (!st) s->named = all_named(s, base);
    if (st)
        wfi_slot_sides_free(s);
    else
        *out = s;
    return st;
}

bool wfi_slot_sides_same(const slot_sides *s, weft_vid u, weft_vid v) { return side_at(s, u) == side_at(s, v); }

/* --- vertices of batches ------------------------------------------------------------------------- */

typedef char id_text[80];

static const char *text_of(const wfi_given_id *id, id_text buffer) {
    if (id->name)
        snprintf(buffer, sizeof(id_text), "%.*s", (int)(id->length < 60 ? id->length : 60), id->name);
    else
        snprintf(buffer, sizeof(id_text), "%lld", (long long)id->number);
    return buffer;
}

static weft_status fail_no_side(weft_ctx *ctx, const slot_sides *s, const wfi_given_id *id) {
    id_text buffer;
    const char *text = text_of(id, buffer), *const *name = s->names->name;
    if (s->named)
        return wfi_fail(ctx, WEFT_EINVAL, "vertex '%s' is new: is it %s:%s or %s:%s?", text, name[0], text, name[1],
                        text);
    return wfi_fail(ctx, WEFT_EINVAL, "vertex '%s' is new, and no edge determines whether it is on the side %s or %s",
                    text, name[0], name[1]);
}

static weft_status assign(weft_ctx *ctx, slot_sides *s, const wfi_side_end *end, int side) {
    id_text buffer;
    if (!end->added) return WEFT_OK;
    if (end->fresh) return put(ctx, s, end->slot, side);
    if (side_at(s, end->slot) == side) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "vertex '%s' was on the side %s when it was removed, and would come back on %s",
                    text_of(&end->id, buffer), s->names->name[!side], s->names->name[side]);
}

weft_status wfi_slot_sides_vertex(weft_ctx *ctx, slot_sides *s, const wfi_side_end *end) {
    int side = side_named(s, end->id.name, end->id.length);
    return side < 0 && end->added ? fail_no_side(ctx, s, &end->id) : assign(ctx, s, end, side);
}

weft_status wfi_slot_sides_edge(weft_ctx *ctx, slot_sides *s, const wfi_side_end end[2]) {
    int side[2];
    id_text buffers[2];
    for (int k = 0; k < 2; k++) {
        side[k] = end[k].added ? side_named(s, end[k].id.name, end[k].id.length) : side_at(s, end[k].slot);
        if (side[k] < 0 && s->named) return fail_no_side(ctx, s, &end[k].id);
    }
    if (side[0] < 0) side[0] = side[1] < 0 ? 0 : 1 - side[1];
    if (side[1] < 0) side[1] = 1 - side[0];
    if (side[0] == side[1] || end[0].slot == end[1].slot)
        return wfi_fail(ctx, WEFT_EINVAL, "an edge from '%s' to '%s' would be within the side %s of a bipartite graph",
                        text_of(&end[0].id, buffers[0]), text_of(&end[1].id, buffers[1]), s->names->name[side[0]]);
    weft_status st = assign(ctx, s, &end[0], side[0]);
    return st ? st : assign(ctx, s, &end[1], side[1]);
}

weft_status wfi_slot_sides_copy(weft_ctx *ctx, const slot_sides *s, const weft_vid *order, weft_graph *g) {
    if (!s) return WEFT_OK;
    weft_status st = wfi_sides_new(ctx, g->n, s->names->name[0], s->names->name[1], &g->sides);
    for (weft_vid v = 0; v < g->n && !st; v++)
        if (side_at(s, order ? order[v] : v)) wfi_set_second_side(g->sides, v);
    return st;
}
