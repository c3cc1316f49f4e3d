/* See group.h. Two-way merge of sorted runs: rows are merged into the maker's scratch, which stays in the cache, and
 * copied to a block of their size. */
#include "dynamic/group.h"

#include <string.h>

/* A group under construction. */
typedef struct draft {
    uint32_t start[WFI_GROUP_ROWS + 1];
    wfi_long_row *rows[WFI_GROUP_ROWS];
    unsigned longs;
    uint64_t is_long;
    size_t used; /* scratch entries used by short rows */
} draft;

static void put_long(draft *d, unsigned r, wfi_long_row *row) {
    d->rows[d->longs++] = row;
    d->is_long |= (uint64_t)1 << r;
}

/* Capacity for deltas: about an eighth of the bytes of the short rows; the maximum for long rows. */
static size_t room_for_deltas(const draft *d) {
    size_t capacity = WFI_LEAST_DELTAS + d->used / 16 + d->longs * (WFI_MOST_DELTAS / 2);
    return capacity < WFI_MOST_DELTAS ? capacity : WFI_MOST_DELTAS;
}

static wfi_group *seal(wfi_maker *m, const draft *d, uint64_t alive) {
    size_t weight = m->store->weight, rows = d->longs * sizeof *d->rows, deltas = room_for_deltas(d);
    wfi_group *group = wfi_make(m, sizeof *group + wfi_deltas_bytes(deltas, weight) + rows +
                                       wfi_weights_after(d->used) + d->used * weight);
    if (!group) return NULL;
    group->delta_capacity = (uint16_t)deltas;
    group->weight = (uint16_t)weight;
    atomic_init(&group->deltas, 0);
    group->delta_filter = 0;
    group->alive = alive;
    group->is_long = d->is_long;
    memcpy(group->start, d->start, sizeof group->start);
    if (rows) memcpy(wfi_group_rows(group), d->rows, rows);
    if (!d->used) return group;
    memcpy(wfi_group_targets(group), m->targets, d->used * sizeof *m->targets);
    if (weight) memcpy(wfi_group_weights(group), m->weights, d->used * weight);
    return group;
}

/* Weights in the scratch; NULL if unweighted. */
static const char *weights_at(const wfi_maker *m, size_t at) {
    return m->store->weight ? m->weights + at * m->store->weight : NULL;
}

/* Ends row r, the last one in the scratch; long rows move out of it. */
static weft_status close_row(wfi_maker *m, draft *d, unsigned r, size_t end) {
    size_t begin = d->used, count = end - begin;
    d->used = end;
    if (count <= WFI_LONG_ROW) return WEFT_OK;
    wfi_long_row *row = wfi_long_row_make(m, m->targets + begin, weights_at(m, begin), count);
    if (!row) return WEFT_ENOMEM;
    put_long(d, r, row);
    d->used = begin;
    return WEFT_OK;
}

/* --- long rows --------------------------------------------------------------- */

static void give_up(wfi_maker *m, wfi_cow_block *block) {
    if (block->birth != m->birth) {
        wfi_supersede(m, block);
        return;
    }
    block->birth = 0;
    m->wasted = true;
}

/* Copies a long row that became short or sparse to the scratch. */
static weft_status gather(wfi_maker *m, wfi_long_row *row, size_t *used) {
    size_t weight = m->store->weight;
    weft_status st = wfi_maker_reserve(m, *used + row->arcs);
    if (st) return st;
    for (uint32_t i = 0; i < row->leaves; i++) {
        wfi_leaf *leaf = row->at[i].leaf;
        memcpy(m->targets + *used, leaf->targets, leaf->count * sizeof *leaf->targets);
        if (weight) memcpy(m->weights + *used * weight, wfi_leaf_weights(leaf), leaf->count * weight);
        *used += leaf->count;
        give_up(m, &leaf->head);
    }
    give_up(m, &row->head);
    return WEFT_OK;
}

static weft_status merge_leaf(wfi_merge *m, weft_vid row, wfi_leaf *leaf, wfi_edits edits, size_t used,
                              wfi_long_row *fresh) {
    wfi_maker *maker = &m->maker;
    wfi_sorted_run run = wfi_leaf_run(leaf);
    size_t after = used;
    weft_status st = wfi_run_merge(m, row, &run, edits, &after);
    if (st) return st;
    wfi_supersede(maker, &leaf->head);
    if (after == used) return WEFT_OK;
    uint32_t made =
        wfi_leaves_make(maker, maker->targets + used, weights_at(maker, used), after - used, fresh->at + fresh->leaves);
    fresh->leaves += made;
    fresh->arcs += after - used;
    return made ? WEFT_OK : WEFT_ENOMEM;
}

static weft_status merge_long(wfi_merge *m, weft_vid row, wfi_long_row *old, wfi_edits edits, draft *d) {
    wfi_maker *maker = &m->maker;
    const wfi_edit *e = edits.first, *end = edits.end;
    unsigned r = row % WFI_GROUP_ROWS;
    /* A leaf with c changes becomes at most 2 + c / WFI_LEAF_FILL leaves. */
    size_t most = 2 * (size_t)old->leaves + (size_t)(end - e) / WFI_LEAF_FILL + 2;
    wfi_long_row *fresh = wfi_make(maker, sizeof *fresh + most * sizeof *fresh->at);
    if (!fresh) return WEFT_ENOMEM;
    fresh->arcs = 0;
    fresh->leaves = 0;
    for (uint32_t l = 0; l < old->leaves; l++) {
        const wfi_edit *stop = e;
        while (stop < end && (l + 1 == old->leaves || stop->target < old->at[l + 1].first)) stop++;
        if (stop == e && !m->changes->removed) {
            fresh->at[fresh->leaves++] = old->at[l];
            fresh->arcs += old->at[l].leaf->count;
            continue;
        }
        weft_status st = merge_leaf(m, row, old->at[l].leaf, (wfi_edits){e, stop}, d->used, fresh);
        if (st) return st;
        e = stop;
    }
    wfi_supersede(maker, &old->head);
    if (fresh->arcs >= WFI_SHORT_AGAIN && fresh->arcs * 8 >= (uint64_t)fresh->leaves * WFI_LEAF_MOST) {
        put_long(d, r, fresh);
        return WEFT_OK;
    }
    size_t after = d->used;
    weft_status st = gather(maker, fresh, &after);
    return st ? st : close_row(maker, d, r, after);
}

/* --- groups ------------------------------------------------------------------- */

/* Copies the unchanged rows r ... end - 1. */
static weft_status keep_rows(wfi_maker *m, const wfi_group *old, unsigned r, unsigned end, draft *d) {
    if (!old) {
        for (; r < end; r++) d->start[r] = (uint32_t)d->used;
        return WEFT_OK;
    }
    size_t from = old->start[r], count = old->start[end] - from, weight = m->store->weight;
    weft_status st = wfi_maker_reserve(m, d->used + count);
    if (st) return st;
    memcpy(m->targets + d->used, wfi_group_targets(old) + from, count * sizeof *m->targets);
    if (weight) memcpy(m->weights + d->used * weight, (char *)wfi_group_weights(old) + from * weight, count * weight);
    for (; r < end; r++) {
        d->start[r] = (uint32_t)(d->used + old->start[r] - from);
        wfi_long_row *row = wfi_long_row_of(old, r);
        if (row) put_long(d, r, row);
    }
    d->used += count;
    return WEFT_OK;
}

static weft_status merge_row(wfi_merge *m, const wfi_group *old, weft_vid row, wfi_edits edits, draft *d) {
    unsigned r = row % WFI_GROUP_ROWS;
    wfi_long_row *was = old ? wfi_long_row_of(old, r) : NULL;
    d->start[r] = (uint32_t)d->used;
    if (was) return merge_long(m, row, was, edits, d);
    static const weft_vid nothing;
    wfi_sorted_run run = old ? wfi_short_row(old, r) : (wfi_sorted_run){&nothing, NULL, 0};
    size_t after = d->used;
    weft_status st = wfi_run_merge(m, row, &run, edits, &after);
    return st ? st : close_row(&m->maker, d, r, after);
}

/* Merges the batch's changes of the group with its deltas, by row and target, into m->edits. */
static weft_status list_edits(wfi_merge *m, const wfi_group *old, const wfi_placed *placed, size_t *count) {
    unsigned deltas = old ? wfi_deltas_list(old, UINT64_MAX, m->deltas) : 0, n = 0;
    uint64_t i = placed->first, most = placed->end - i + deltas;
    if (most > m->edits_capacity) {
        size_t capacity = (size_t)most + most / 2 + 256;
        if (wfi_widen(m->maker.ctx, &m->edits, capacity)) return WEFT_ENOMEM;
        m->edits_capacity = capacity;
    }
    wfi_edit *to = m->edits;
    while (n < deltas) {
        const wfi_delta *delta = &m->deltas[n];
        uint64_t delta_arc = (uint64_t)delta->row << 32 | delta->target, change = UINT64_MAX;
        weft_vid row = 0;
        if (i < placed->end) {
            row = (weft_vid)wfi_change_row(m->changes, i);
            change = (uint64_t)(row % WFI_GROUP_ROWS) << 32 | wfi_change_target(m->changes, i);
        }
        *to = change <= delta_arc ? wfi_next_edit(m, row, &i, placed->end)
                                  : (wfi_edit){.target = delta->target, .row = delta->row};
        if (delta_arc <= change) {
            to->has_delta = true;
            to->there = delta->there;
            to->delta = (uint8_t)n++;
        }
        to++;
    }
    while (i < placed->end) *to++ = wfi_next_edit(m, (weft_vid)wfi_change_row(m->changes, i), &i, placed->end);
    *count = (size_t)(to - m->edits);
    return WEFT_OK;
}

weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed) {
    draft d;
    d.longs = 0, d.is_long = 0, d.used = 0;
    uint64_t first_row = placed->group * WFI_GROUP_ROWS;
    size_t count = 0;
    weft_status st = list_edits(m, old, placed, &count);
    const wfi_edit *e = m->edits, *last = m->edits_capacity ? e + count : e;
    for (unsigned r = 0; r < WFI_GROUP_ROWS && !st;) {
        unsigned next = e < last ? e->row : WFI_GROUP_ROWS;
        if (next > r && !m->changes->removed) {
            st = keep_rows(&m->maker, old, r, next, &d);
            r = next;
            continue;
        }
        const wfi_edit *end = e;
        while (end < last && end->row == r) end++;
        st = merge_row(m, old, (weft_vid)(first_row + r), (wfi_edits){e, end}, &d);
        e = end;
        r++;
    }
    if (st) return st;
    d.start[WFI_GROUP_ROWS] = (uint32_t)d.used;
    placed->fresh = NULL;
    if (alive && !(placed->fresh = seal(&m->maker, &d, alive))) return WEFT_ENOMEM;
    if (old) wfi_supersede(&m->maker, &old->head);
    return WEFT_OK;
}

weft_status wfi_group_copy(wfi_maker *m, const weft_graph *g, wfi_placed *placed) {
    draft d;
    d.longs = 0, d.is_long = 0, d.used = 0;
    uint64_t first = placed->group * WFI_GROUP_ROWS;
    size_t weight = m->store->weight;
    uint64_t alive = 0;
    for (unsigned r = 0; r < WFI_GROUP_ROWS; r++) {
        d.start[r] = (uint32_t)d.used;
        if (first + r >= g->n) continue;
        alive |= (uint64_t)1 << r;
        weft_eid from = g->out.offsets[first + r];
        size_t count = (size_t)(g->out.offsets[first + r + 1] - from);
        const weft_vid *targets = g->out.targets + from;
        for (size_t k = 1; k < count; k++)
            if (targets[k - 1] == targets[k]) return WEFT_EINVAL;
        weft_status st = wfi_maker_reserve(m, d.used + count);
        if (st) return st;
        memcpy(m->targets + d.used, targets, count * sizeof *targets);
        if (weight) memcpy(m->weights + d.used * weight, (const char *)g->out.weights + from * weight, count * weight);
        st = close_row(m, &d, r, d.used + count);
        if (st) return st;
    }
    d.start[WFI_GROUP_ROWS] = (uint32_t)d.used;
    placed->fresh = seal(m, &d, alive);
    return placed->fresh ? WEFT_OK : WEFT_ENOMEM;
}
