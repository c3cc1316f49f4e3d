/* Rung 3: gaps, but a hash table for each vertex.  Should win: hubs, where nothing moves.  Should lose: scans, which also read what is
 * empty; memory. */
#include "dynamic.h"

#include <string.h>

typedef struct table {
    uint64_t at;
    uint32_t count, room; /* a power of two, at least half of it empty */
} table;

typedef struct tables {
    table *of;
    weft_vid *arena; /* WEFT_NO_VERTEX: empty */
    uint64_t used;
} tables;

static uint32_t room_for(uint64_t count) {
    uint32_t room = 4;
    while (room < 2 * count) room *= 2;
    return room;
}

static void open_table(tables *t, table *of, uint32_t room) {
    of->at = t->used;
    of->room = room;
    memset(t->arena + of->at, 0xff, room * sizeof *t->arena);
    t->used += room;
}

/* --- excerpt --- */
static bool put(const tables *t, const table *of, weft_vid v) {
    weft_vid *slot = t->arena + of->at;
    uint32_t mask = of->room - 1, at = v * 2654435761u >> 7 & mask;
    while (slot[at] != WEFT_NO_VERTEX && slot[at] != v) at = (at + 1) & mask;
    bool fresh = slot[at] != v;
    slot[at] = v;
    return fresh;
}

static void insert(tables *t, weft_vid u, weft_vid v) {
    table *of = &t->of[u], old = *of;
    if (2 * (of->count + 1) > of->room) { /* twice the size, elsewhere */
        open_table(t, of, 2 * old.room);
        for (uint32_t i = 0; i < old.room; i++)
            if (t->arena[old.at + i] != WEFT_NO_VERTEX) put(t, of, t->arena[old.at + i]);
    }
    of->count += put(t, of, v);
}
/* --- end --- */

static uint64_t arena_needed(const changing_stream *s) {
    const weft_eid *before = s->base.offsets, *after = s->r->out.offsets;
    uint64_t all = 0;
    for (weft_vid u = 0; u < s->n; u++) {
        uint64_t room = room_for(before[u + 1] - before[u]);
        for (all += room; room < 2 * (after[u + 1] - after[u]); all += room) room *= 2;
    }
    return all;
}

static const weft_vid *row_at(const void *store, weft_vid u, size_t *count, weft_vid *room) {
    const tables *t = store;
    const table *of = &t->of[u];
    *count = 0;
    for (uint32_t i = 0; i < of->room; i++)
        if (t->arena[of->at + i] != WEFT_NO_VERTEX) room[(*count)++] = t->arena[of->at + i];
    return room;
}

static weft_status run(lab_run *r) {
    changing_stream s;
    weft_status st = changing_open(r, &s);
    if (st) return st;
    tables t = {lab_take(r, s.n * sizeof *t.of), lab_take(r, (size_t)arena_needed(&s) * sizeof *t.arena), 0};
    if (!t.of || !t.arena) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid u = 0; u < s.n; u++) {
        size_t count;
        const weft_vid *targets = changing_row_of(&s.base, u, &count, NULL);
        open_table(&t, &t.of[u], room_for(count));
        for (size_t i = 0; i < count; i++) t.of[u].count += put(&t, &t.of[u], targets[i]);
    }
    lab_turn(r, LAB_KERNELS);
    for (size_t i = 0; i < s.count && (i % (1 << 16) || !lab_stopped(r)); i++) insert(&t, s.u[i], s.v[i]);
    return changing_close(&s, row_at, &t);
}

const lab_rung changing_hash = {
    .name = "hash",
    .title = "a hash table for each vertex",
    .against = "gaps",
    .changed = "A row is a table with open addressing, at most half full; a full one is copied to one of twice the "
               "size. An arc is found "
               "or put in a step or two, however long the row.",
    .wins = "Hubs, and asking whether an arc is there.",
    .loses = "Scans: half of what is read is empty, and rows are not in order. Memory, twice and more. No snapshots.",
    .source = "lab/dynamic/hash.c",
    .device = LAB_CPU,
    .serves = changing_serves,
    .run = run,
};
