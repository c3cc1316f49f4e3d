/* See links.h.  Blocks have room for 4, 8, 16, ... arcs and are cut from chunks; a row that is full moves to one of
 * twice the room, and leaves its block to others. */
#include "dynamic/links.h"

#include <string.h>

enum { LEAST = 4, CHUNK = 1 << 20 };

typedef struct wfi_chunk {
    struct wfi_chunk *next;
    char bytes[];
} wfi_chunk;

static size_t block_bytes(const wfi_links *l, uint32_t room) {
    return room * (sizeof(weft_vid) + (l->weighted ? sizeof(double) : 0));
}

static unsigned class_of(uint32_t room) { return wfi_bits(room) - 1; }

static weft_vid *take_block(weft_ctx *ctx, wfi_links *l, uint32_t room) {
    void **spare = &l->spare[class_of(room)];
    if (*spare) {
        void *block = *spare;
        memcpy(spare, block, sizeof *spare);
        return block;
    }
    size_t bytes = block_bytes(l, room);
    if (bytes > l->left) {
        size_t size = bytes > CHUNK / 4 ? bytes : CHUNK;
        wfi_chunk *chunk = wfi_take(ctx, sizeof *chunk + size, 1);
        if (!chunk) return NULL;
        if (size == bytes && l->chunk) { /* behind the one that is still cut from */
            chunk->next = l->chunk->next;
            l->chunk->next = chunk;
            return (weft_vid *)(void *)chunk->bytes;
        }
        chunk->next = l->chunk;
        l->chunk = chunk;
        l->left = size;
    }
    /* From the end, so that what is left needs no place of its own. */
    l->left -= bytes;
    return (weft_vid *)(void *)(l->chunk->bytes + l->left);
}

static weft_status row_room(weft_ctx *ctx, wfi_links *l, wfi_link_row *row, uint32_t count) {
    if (count <= row->room) return WEFT_OK;
    uint32_t room = LEAST;
    while (room < count) room *= 2;
    weft_vid *to = take_block(ctx, l, room);
    if (!to) return WEFT_ENOMEM;
    wfi_link_row fresh = {to, row->count, room};
    if (row->count) memcpy(to, row->to, row->count * sizeof *to);
    if (row->count && l->weighted) memcpy(wfi_link_weights(&fresh), wfi_link_weights(row), row->count * sizeof(double));
    if (row->room) {
        void **spare = &l->spare[class_of(row->room)];
        memcpy(row->to, spare, sizeof *spare);
        *spare = row->to;
    }
    *row = fresh;
    return WEFT_OK;
}

uint32_t wfi_link_place(const wfi_link_row *row, weft_vid to) {
    uint32_t low = 0, high = row->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row->to[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put(wfi_links *l, wfi_link_row *row, weft_vid to, double weight) {
    uint32_t at = wfi_link_place(row, to), after = row->count++ - at;
    memmove(row->to + at + 1, row->to + at, after * sizeof *row->to);
    row->to[at] = to;
    if (!l->weighted) return;
    double *weights = wfi_link_weights(row) + at;
    memmove(weights + 1, weights, after * sizeof *weights);
    *weights = weight;
}

static void drop(wfi_links *l, wfi_link_row *row, weft_vid to) {
    uint32_t at = wfi_link_place(row, to), after = --row->count - at;
    memmove(row->to + at, row->to + at + 1, after * sizeof *row->to);
    if (l->weighted) memmove(wfi_link_weights(row) + at, wfi_link_weights(row) + at + 1, after * sizeof(double));
}

weft_status wfi_links_insert(weft_ctx *ctx, wfi_links *l, weft_vid u, weft_vid v, double weight) {
    bool twice = l->directed || u != v;
    weft_status st = row_room(ctx, l, &l->out[u], l->out[u].count + 1);
    if (!st && twice) st = row_room(ctx, l, &l->in[v], l->in[v].count + 1);
    if (st) return st;
    put(l, &l->out[u], v, weight);
    if (twice) put(l, &l->in[v], u, weight);
    l->arcs += l->directed || u == v ? 1 : 2;
    return WEFT_OK;
}

void wfi_links_delete(wfi_links *l, weft_vid u, weft_vid v) {
    drop(l, &l->out[u], v);
    if (l->directed || u != v) drop(l, &l->in[v], u);
    l->arcs -= l->directed || u == v ? 1 : 2;
}

void wfi_links_weigh(wfi_links *l, weft_vid u, weft_vid v, double weight) {
    wfi_link_weights(&l->out[u])[wfi_link_place(&l->out[u], v)] = weight;
    wfi_link_weights(&l->in[v])[wfi_link_place(&l->in[v], u)] = weight;
}

weft_status wfi_links_grow(weft_ctx *ctx, wfi_links *l, weft_vid slots) {
    if (slots > l->room || !l->out) {
        uint64_t room = (uint64_t)slots + slots / 2 + 64;
        wfi_link_row *out = wfi_resize(ctx, l->out, room, sizeof *out);
        if (!out) return WEFT_ENOMEM;
        if (l->in == l->out) l->in = out;
        l->out = out;
        if (l->directed) {
            wfi_link_row *in = wfi_resize(ctx, l->in == out ? NULL : l->in, room, sizeof *in);
            if (!in) return WEFT_ENOMEM;
            l->in = in;
        }
        l->room = room;
    }
    for (; l->slots < slots; l->slots++) l->out[l->slots] = l->in[l->slots] = (wfi_link_row){NULL, 0, 0};
    return WEFT_OK;
}

/* Turns rows round: sources ascend, so the fresh rows do. */
static void turn(wfi_links *l, const wfi_link_row *from, wfi_link_row *to) {
    for (weft_vid u = 0; u < l->slots; u++)
        for (uint32_t i = 0; i < from[u].count; i++) {
            wfi_link_row *row = &to[from[u].to[i]];
            if (l->weighted) wfi_link_weights(row)[row->count] = wfi_link_weights(&from[u])[i];
            row->to[row->count++] = u;
        }
}

static weft_status load_rows(weft_ctx *ctx, wfi_links *l, const weft_graph *g, const weft_vid *order) {
    const wfi_view *rows = &g->out;
    weft_status st = WEFT_OK;
    uint32_t *into = NULL;
    if (wfi_alloc_zeroed(ctx, &into, l->slots)) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < g->n && !st; v++) {
        wfi_link_row *row = &l->out[order ? order[v] : v];
        st = row_room(ctx, l, row, (uint32_t)(rows->offsets[v + 1] - rows->offsets[v]));
        for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1] && !st; e++) {
            weft_vid to = order ? order[rows->targets[e]] : rows->targets[e];
            if (l->weighted) wfi_link_weights(row)[row->count] = wfi_weight_at(g->weight_type, rows->weights, e);
            row->to[row->count++] = to;
            into[to]++;
        }
    }
    for (weft_vid u = 0; u < l->slots && l->directed && !st; u++) st = row_room(ctx, l, &l->in[u], into[u]);
    wfi_free(into);
    return st;
}

/* Rows are turned round until they are in the order of slots, not of ids. */
static weft_status sort_rows(weft_ctx *ctx, wfi_links *l, bool in_order) {
    if (l->directed) {
        turn(l, l->out, l->in);
        if (in_order) return WEFT_OK;
        for (weft_vid u = 0; u < l->slots; u++) l->out[u].count = 0;
        turn(l, l->in, l->out);
        return WEFT_OK;
    }
    if (in_order) return WEFT_OK;
    wfi_links other = {.weighted = l->weighted};
    weft_status st = wfi_links_grow(ctx, &other, l->slots);
    for (weft_vid u = 0; u < l->slots && !st; u++) st = row_room(ctx, &other, &other.out[u], l->out[u].count);
    if (!st) {
        turn(l, l->out, other.out);
        wfi_links swap = *l;
        other.arcs = l->arcs;
        *l = other;
        other = swap;
    }
    wfi_links_end(&other);
    return st;
}

weft_status wfi_links_load(weft_ctx *ctx, wfi_links *l, const weft_graph *g, const weft_vid *order, weft_vid slots) {
    *l = (wfi_links){.directed = g->directed, .weighted = g->weight_type != WEFT_WEIGHT_NONE, .arcs = g->arcs};
    weft_status st = wfi_links_grow(ctx, l, slots);
    if (!st) st = load_rows(ctx, l, g, order);
    if (!st) st = sort_rows(ctx, l, !order);
    if (st) wfi_links_end(l);
    return st;
}

void wfi_links_end(wfi_links *l) {
    if (l->in != l->out) wfi_free(l->in);
    wfi_free(l->out);
    for (wfi_chunk *chunk = l->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        wfi_free(chunk);
    }
    *l = (wfi_links){.slots = 0};
}
