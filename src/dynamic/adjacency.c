/* See adjacency.h. Blocks are cut from chunks and freed to segregated free lists, one per power of two; a full row
 * moves to a block of twice the capacity. */
#include "dynamic/adjacency.h"
#include "core/search.h"

#include <string.h>

enum { LEAST = 4, CHUNK = 1 << 20 };

typedef struct wfi_chunk {
    struct wfi_chunk *next;
    char bytes[];
} wfi_chunk;

static size_t block_bytes(const wfi_adjacency *l, uint32_t capacity) {
    return capacity * (sizeof(weft_vid) + (l->weighted ? sizeof(double) : 0));
}

static unsigned class_of(uint32_t capacity) { return wfi_bits(capacity) - 1; }

static weft_vid *take_block(weft_ctx *ctx, wfi_adjacency *l, uint32_t capacity) {
    void **spare = &l->spare[class_of(capacity)];
    if (*spare) {
        void *block = *spare;
        memcpy(spare, block, sizeof *spare);
        return block;
    }
    size_t bytes = block_bytes(l, capacity);
    if (bytes > l->left) {
        size_t size = bytes > CHUNK / 4 ? bytes : CHUNK;
        wfi_chunk *chunk = wfi_take(ctx, sizeof *chunk + size, 1);
        if (!chunk) return NULL;
        if (size == bytes && l->chunk) { /* inserted after the current chunk, from which blocks are still cut */
            chunk->next = l->chunk->next;
            l->chunk->next = chunk;
            return (weft_vid *)(void *)chunk->bytes;
        }
        chunk->next = l->chunk;
        l->chunk = chunk;
        l->left = size;
    }
    /* cut from the end, so that `left` alone describes the rest */
    l->left -= bytes;
    return (weft_vid *)(void *)(l->chunk->bytes + l->left);
}

static weft_status reserve_row(weft_ctx *ctx, wfi_adjacency *l, wfi_adjacency_row *row, uint32_t count) {
    if (count <= row->capacity) return WEFT_OK;
    uint32_t capacity = LEAST;
    while (capacity < count) capacity *= 2;
    weft_vid *to = take_block(ctx, l, capacity);
    if (!to) return WEFT_ENOMEM;
    wfi_adjacency_row fresh = {to, row->count, capacity};
    if (row->count) memcpy(to, row->to, row->count * sizeof *to);
    if (row->count && l->weighted)
        memcpy(wfi_adjacency_weights(&fresh), wfi_adjacency_weights(row), row->count * sizeof(double));
    if (row->capacity) {
        void **spare = &l->spare[class_of(row->capacity)];
        memcpy(row->to, spare, sizeof *spare);
        *spare = row->to;
    }
    *row = fresh;
    return WEFT_OK;
}

uint32_t wfi_adjacency_place(const wfi_adjacency_row *row, weft_vid to) {
    return (uint32_t)wfi_lower_bound_u32(row->to, 0, row->count, to);
}

static void put(wfi_adjacency *l, wfi_adjacency_row *row, weft_vid to, double weight) {
    uint32_t at = wfi_adjacency_place(row, to), after = row->count++ - at;
    memmove(row->to + at + 1, row->to + at, after * sizeof *row->to);
    row->to[at] = to;
    if (!l->weighted) return;
    double *weights = wfi_adjacency_weights(row) + at;
    memmove(weights + 1, weights, after * sizeof *weights);
    *weights = weight;
}

static void drop(wfi_adjacency *l, wfi_adjacency_row *row, weft_vid to) {
    uint32_t at = wfi_adjacency_place(row, to), after = --row->count - at;
    memmove(row->to + at, row->to + at + 1, after * sizeof *row->to);
    if (l->weighted)
        memmove(wfi_adjacency_weights(row) + at, wfi_adjacency_weights(row) + at + 1, after * sizeof(double));
}

weft_status wfi_adjacency_insert(weft_ctx *ctx, wfi_adjacency *l, weft_vid u, weft_vid v, double weight) {
    bool twice = l->directed || u != v;
    weft_status st = reserve_row(ctx, l, &l->out[u], l->out[u].count + 1);
    if (!st && twice) st = reserve_row(ctx, l, &l->in[v], l->in[v].count + 1);
    if (st) return st;
    put(l, &l->out[u], v, weight);
    if (twice) put(l, &l->in[v], u, weight);
    l->arcs += l->directed || u == v ? 1 : 2;
    return WEFT_OK;
}

void wfi_adjacency_delete(wfi_adjacency *l, weft_vid u, weft_vid v) {
    drop(l, &l->out[u], v);
    if (l->directed || u != v) drop(l, &l->in[v], u);
    l->arcs -= l->directed || u == v ? 1 : 2;
}

void wfi_adjacency_weigh(wfi_adjacency *l, weft_vid u, weft_vid v, double weight) {
    wfi_adjacency_weights(&l->out[u])[wfi_adjacency_place(&l->out[u], v)] = weight;
    wfi_adjacency_weights(&l->in[v])[wfi_adjacency_place(&l->in[v], u)] = weight;
}

weft_status wfi_adjacency_grow(weft_ctx *ctx, wfi_adjacency *l, weft_vid slots) {
    if (slots > l->capacity || !l->out) {
        uint64_t capacity = wfi_slot_capacity(slots);
        wfi_adjacency_row *out = wfi_resize(ctx, l->out, capacity, sizeof *out);
        if (!out) return WEFT_ENOMEM;
        if (l->in == l->out) l->in = out;
        l->out = out;
        if (l->directed) {
            wfi_adjacency_row *in = wfi_resize(ctx, l->in == out ? NULL : l->in, capacity, sizeof *in);
            if (!in) return WEFT_ENOMEM;
            l->in = in;
        }
        l->capacity = capacity;
    }
    for (; l->slots < slots; l->slots++) l->out[l->slots] = l->in[l->slots] = (wfi_adjacency_row){NULL, 0, 0};
    return WEFT_OK;
}

/* Transposes rows. Sources ascend, so the new rows do. */
static void turn(wfi_adjacency *l, const wfi_adjacency_row *from, wfi_adjacency_row *to) {
    for (weft_vid u = 0; u < l->slots; u++)
        for (uint32_t i = 0; i < from[u].count; i++) {
            wfi_adjacency_row *row = &to[from[u].to[i]];
            if (l->weighted) wfi_adjacency_weights(row)[row->count] = wfi_adjacency_weights(&from[u])[i];
            row->to[row->count++] = u;
        }
}

static weft_status load_rows(weft_ctx *ctx, wfi_adjacency *l, const weft_graph *g, const weft_vid *order) {
    const wfi_view *rows = &g->out;
    weft_status st = WEFT_OK;
    uint32_t *into = NULL;
    if (wfi_alloc_zeroed(ctx, &into, l->slots)) return WEFT_ENOMEM;
    for (weft_vid v = 0; v < g->n && !st; v++) {
        wfi_adjacency_row *row = &l->out[order ? order[v] : v];
        st = reserve_row(ctx, l, row, (uint32_t)(rows->offsets[v + 1] - rows->offsets[v]));
        for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1] && !st; e++) {
            weft_vid to = order ? order[rows->targets[e]] : rows->targets[e];
            if (l->weighted) wfi_adjacency_weights(row)[row->count] = wfi_weight_at(g->weight_type, rows->weights, e);
            row->to[row->count++] = to;
            into[to]++;
        }
    }
    for (weft_vid u = 0; u < l->slots && l->directed && !st; u++) st = reserve_row(ctx, l, &l->in[u], into[u]);
    wfi_free(into);
    return st;
}

/* Transposes rows until they ascend by slot instead of id. */
static weft_status sort_rows(weft_ctx *ctx, wfi_adjacency *l, bool in_order) {
    if (l->directed) {
        turn(l, l->out, l->in);
        if (in_order) return WEFT_OK;
        for (weft_vid u = 0; u < l->slots; u++) l->out[u].count = 0;
        turn(l, l->in, l->out);
        return WEFT_OK;
    }
    if (in_order) return WEFT_OK;
    wfi_adjacency other = {.weighted = l->weighted};
    weft_status st = wfi_adjacency_grow(ctx, &other, l->slots);
    for (weft_vid u = 0; u < l->slots && !st; u++) st = reserve_row(ctx, &other, &other.out[u], l->out[u].count);
    if (!st) {
        turn(l, l->out, other.out);
        wfi_adjacency swap = *l;
        other.arcs = l->arcs;
        *l = other;
        other = swap;
    }
    wfi_adjacency_end(&other);
    return st;
}

weft_status wfi_adjacency_load(weft_ctx *ctx, wfi_adjacency *l, const weft_graph *g, const weft_vid *order,
                               weft_vid slots) {
    *l = (wfi_adjacency){.directed = g->directed, .weighted = g->weight_type != WEFT_WEIGHT_NONE, .arcs = g->arcs};
    weft_status st = wfi_adjacency_grow(ctx, l, slots);
    if (!st) st = load_rows(ctx, l, g, order);
    if (!st) st = sort_rows(ctx, l, !order);
    if (st) wfi_adjacency_end(l);
    return st;
}

void wfi_adjacency_end(wfi_adjacency *l) {
    if (l->in != l->out) wfi_free(l->in);
    wfi_free(l->out);
    for (wfi_chunk *chunk = l->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        wfi_free(chunk);
    }
    *l = (wfi_adjacency){.slots = 0};
}
