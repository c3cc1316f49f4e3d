/* Rung 2: rebuild's rows, but each with room behind it.  Should win: a change moves one row, or its end.  Should lose: scans, as rows that
 * outgrew their room lie scattered; and there is no old state for a reader. */
#include "dynamic.h"

#include <string.h>

typedef struct gapped {
    uint64_t at;
    uint32_t count, room;
} gapped;

typedef struct gaps {
    gapped *rows;
    weft_vid *arena;
    uint64_t used;
} gaps;

static uint32_t first_room(uint64_t count) { return (uint32_t)(count + count / 4 + 2); }

/* --- excerpt --- */
static void insert(gaps *g, weft_vid u, weft_vid v) {
    gapped *row = &g->rows[u];
    if (row->count == row->room) { /* it moves to the end; what it leaves is not used again */
        memcpy(g->arena + g->used, g->arena + row->at, row->count * sizeof *g->arena);
        row->at = g->used;
        row->room *= 2;
        g->used += row->room;
    }
    weft_vid *targets = g->arena + row->at;
    uint32_t low = 0, high = row->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < row->count && targets[low] == v) return;
    memmove(targets + low + 1, targets + low, (row->count - low) * sizeof *targets);
    targets[low] = v;
    row->count++;
}
/* --- end --- */

/* What the arena will take is known: how rows grow does not depend on the order of arcs. */
static uint64_t arena_needed(const changing_stream *s) {
    const weft_eid *before = s->base.offsets, *after = s->r->out.offsets;
    uint64_t all = 0;
    for (weft_vid u = 0; u < s->n; u++) {
        uint64_t room = first_room(before[u + 1] - before[u]);
        for (all += room; room < after[u + 1] - after[u]; all += room) room *= 2;
    }
    return all;
}

static const weft_vid *row_at(const void *store, weft_vid u, size_t *count, weft_vid *room) {
    const gaps *g = store;
    (void)room;
    *count = g->rows[u].count;
    return g->arena + g->rows[u].at;
}

static weft_status run(lab_run *r) {
    changing_stream s;
    weft_status st = changing_open(r, &s);
    if (st) return st;
    gaps g = {lab_take(r, s.n * sizeof *g.rows), lab_take(r, (size_t)arena_needed(&s) * sizeof *g.arena), 0};
    if (!g.rows || !g.arena) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    for (weft_vid u = 0; u < s.n; u++) {
        size_t count;
        const weft_vid *targets = changing_row_of(&s.base, u, &count, NULL);
        g.rows[u] = (gapped){g.used, (uint32_t)count, first_room(count)};
        memcpy(g.arena + g.used, targets, count * sizeof *targets);
        g.used += g.rows[u].room;
    }
    lab_turn(r, LAB_KERNELS);
    for (size_t i = 0; i < s.count && (i % (1 << 16) || !lab_stopped(r)); i++) insert(&g, s.u[i], s.v[i]);
    return changing_close(&s, row_at, &g);
}

const lab_rung changing_gaps = {
    .name = "gaps",
    .title = "sorted rows with gaps behind them",
    .against = "rebuild",
    .changed =
        "Each row has room to grow, and moves to the end of the memory, with twice the room, when that is used up. "
        "An arc is put in its place by moving those after it.",
    .wins = "An arc costs a search and a move within one row. Rows stay sorted, for what intersects them.",
    .loses = "Hubs: half of a long row moves for each arc. Scans jump to rows that moved. Memory: the room, and what "
             "moved rows "
             "leave behind. No snapshots.",
    .source = "lab/dynamic/gaps.c",
    .device = LAB_CPU,
    .serves = changing_serves,
    .run = run,
};
