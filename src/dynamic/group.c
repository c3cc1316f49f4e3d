/* See group.h.  Rows are merged into the maker's scratch, which stays in the cache, and copied to a block of the right size. */
#include "dynamic/notes.h"

#include <string.h>

/* A group as far as it is known. */
typedef struct draft {
    uint32_t start[WFI_GROUP_ROWS + 1];
    wfi_long_row *rows[WFI_GROUP_ROWS];
    unsigned longs;
    uint64_t is_long;
    size_t used; /* of the scratch, by short rows */
} draft;

static void put_long(draft *d, unsigned r, wfi_long_row *row) {
    d->rows[d->longs++] = row;
    d->is_long |= (uint64_t)1 << r;
}

/* An eighth of the bytes of the rows, and of long rows as much as there may be. */
static size_t room_for_notes(const draft *d) {
    size_t room = WFI_LEAST_NOTES + d->used / 16 + d->longs * (WFI_MOST_NOTES / 2);
    return room < WFI_MOST_NOTES ? room : WFI_MOST_NOTES;
}

static wfi_group *seal(wfi_maker *m, const draft *d, uint64_t alive) {
    size_t weight = m->store->weight, rows = d->longs * sizeof *d->rows, notes = room_for_notes(d);
    wfi_group *group = wfi_make(m, sizeof *group + rows + wfi_weights_after(d->used) + (d->used * weight + 7) / 8 * 8 +
                                       notes * (sizeof(uint64_t) + weight));
    if (!group) return NULL;
    group->note_room = (uint16_t)notes;
    group->weight = (uint16_t)weight;
    atomic_init(&group->notes, 0);
    group->alive = alive;
    group->is_long = d->is_long;
    memcpy(group->start, d->start, sizeof group->start);
    if (rows) memcpy(group->rows, d->rows, rows);
    if (!d->used) return group;
    memcpy(wfi_group_targets(group), m->targets, d->used * sizeof *m->targets);
    if (weight) memcpy(wfi_group_weights(group), m->weights, d->used * weight);
    return group;
}

/* Weights in the scratch, where there are any. */
static const char *weights_at(const wfi_maker *m, size_t at) {
    return m->store->weight ? m->weights + at * m->store->weight : NULL;
}

/* Row r lies at the end of the scratch; long ones move out of it. */
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

/* --- spans: short rows and leaves -------------------------------------------- */

typedef struct span {
    const weft_vid *targets;
    const char *weights;
    size_t count;
} span;

static bool is_removed(const wfi_merge *m, weft_vid row, weft_vid target) {
    const uint32_t *removed = m->changes->removed;
    return removed && (removed[row] || removed[target]);
}

/* An undirected edge counts at its arc from the smaller slot. */
static bool counts(const wfi_merge *m, weft_vid row, weft_vid target) {
    return m->maker.store->directed || row <= target;
}

wfi_edit wfi_next_edit(wfi_merge *m, weft_vid row, uint64_t *i, uint64_t end) {
    const wfi_changes *c = m->changes;
    uint64_t arc = c->key[*i] >> c->shift;
    uint32_t what = wfi_change_what(c, *i);
    wfi_edit e = {.target = wfi_change_target(c, *i),
                  .row = row % WFI_GROUP_ROWS,
                  .asked = true,
                  .change = (weft_change)(what & 3)};
    while (++*i < end && c->key[*i] >> c->shift == arc) {
        weft_change next = (weft_change)(wfi_change_what(c, *i) & 3);
        m->stats.superseded += counts(m, row, e.target);
        if (next == WEFT_CHANGE_WEIGHT && e.change == WEFT_CHANGE_DELETE) continue; /* there is nothing to weight */
        what = wfi_change_what(c, *i);
        if (next != WEFT_CHANGE_WEIGHT || e.change != WEFT_CHANGE_INSERT) e.change = next;
    }
    if (m->maker.store->weight && e.change != WEFT_CHANGE_DELETE)
        e.fresh = c->weights + (what >> 2) * m->maker.store->weight;
    return e;
}

static void put_arc(wfi_maker *m, size_t at, weft_vid target, const char *weight) {
    m->targets[at] = target;
    if (m->store->weight) memcpy(m->weights + at * m->store->weight, weight, m->store->weight);
}

static void lose_arc(wfi_merge *m, weft_vid row, weft_vid target) {
    m->arcs--;
    m->loops -= row == target;
    m->stats.deleted += counts(m, row, target);
}

static size_t keep(wfi_merge *m, weft_vid row, const span *s, size_t from, size_t to, size_t end) {
    wfi_maker *maker = &m->maker;
    size_t weight = maker->store->weight;
    if (from == to) return end;
    if (!m->changes->removed) {
        memcpy(maker->targets + end, s->targets + from, (to - from) * sizeof *s->targets);
        if (weight) memcpy(maker->weights + end * weight, s->weights + from * weight, (to - from) * weight);
        return end + to - from;
    }
    for (; from < to; from++) {
        if (is_removed(m, row, s->targets[from]))
            lose_arc(m, row, s->targets[from]);
        else
            put_arc(maker, end++, s->targets[from], s->weights + from * weight);
    }
    return end;
}

bool wfi_count_edit(wfi_merge *m, weft_vid row, const wfi_edit *e, bool there, const char *old) {
    size_t weight = m->maker.store->weight;
    bool count = counts(m, row, e->target);
    if (!there && e->change != WEFT_CHANGE_INSERT) {
        m->stats.absent += count;
        return false;
    }
    if (e->change == WEFT_CHANGE_DELETE) {
        lose_arc(m, row, e->target);
        return true;
    }
    if (!there) {
        m->arcs++;
        m->loops += row == e->target;
        m->stats.inserted += count;
        return true;
    }
    if (!weight || !memcmp(old, e->fresh, weight)) {
        m->stats.already_there += count;
        return false;
    }
    m->stats.weights_changed += count;
    return true;
}

/* The arc as it will be, in the scratch at `end`.  By the rows it is there or not, with the weight `old`. */
static size_t apply(wfi_merge *m, weft_vid row, const wfi_edit *e, bool there, const char *old, size_t end) {
    if (e->noted) {
        there = e->there;
        old = e->old;
    }
    if (there && is_removed(m, row, e->target)) {
        lose_arc(m, row, e->target);
        there = false;
    }
    if (e->asked) {
        if (wfi_count_edit(m, row, e, there, old)) old = e->fresh, there = e->change != WEFT_CHANGE_DELETE;
    }
    if (!there) return end;
    put_arc(&m->maker, end, e->target, old);
    return end + 1;
}

static size_t first_not_below(const span *s, size_t low, weft_vid target) {
    size_t high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->targets[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A span and its edits go to the scratch at *used, which becomes their end. */
static weft_status merge_span(wfi_merge *m, weft_vid row, const span *s, const wfi_edit *e, const wfi_edit *end,
                              size_t *used) {
    weft_status st = wfi_maker_room(&m->maker, *used + s->count + (size_t)(end - e));
    if (st) return st;
    size_t done = 0, at = *used, weight = m->maker.store->weight;
    for (; e < end; e++) {
        size_t here = first_not_below(s, done, e->target);
        at = keep(m, row, s, done, here, at);
        bool there = here < s->count && s->targets[here] == e->target;
        done = here + there;
        at = apply(m, row, e, there, there && weight ? s->weights + here * weight : NULL, at);
    }
    *used = keep(m, row, s, done, s->count, at);
    return WEFT_OK;
}

/* --- long rows --------------------------------------------------------------- */

static void give_up(wfi_maker *m, wfi_block *block) {
    if (block->birth != m->birth) {
        wfi_supersede(m, block);
        return;
    }
    block->birth = 0;
    m->wasted = true;
}

/* A row that became short, or one of leaves that are nearly empty, goes to the scratch as it is. */
static weft_status gather(wfi_maker *m, wfi_long_row *row, size_t *used) {
    size_t weight = m->store->weight;
    weft_status st = wfi_maker_room(m, *used + row->arcs);
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

static weft_status merge_leaf(wfi_merge *m, weft_vid row, wfi_leaf *leaf, const wfi_edit *e, const wfi_edit *end,
                              size_t used, wfi_long_row *fresh) {
    wfi_maker *maker = &m->maker;
    span s = {leaf->targets, wfi_leaf_weights(leaf), leaf->count};
    size_t after = used;
    weft_status st = merge_span(m, row, &s, e, end, &after);
    if (st) return st;
    wfi_supersede(maker, &leaf->head);
    if (after == used) return WEFT_OK;
    uint32_t made =
        wfi_leaves_make(maker, maker->targets + used, weights_at(maker, used), after - used, fresh->at + fresh->leaves);
    fresh->leaves += made;
    fresh->arcs += after - used;
    return made ? WEFT_OK : WEFT_ENOMEM;
}

static weft_status merge_long(wfi_merge *m, weft_vid row, wfi_long_row *old, const wfi_edit *e, const wfi_edit *end,
                              draft *d) {
    wfi_maker *maker = &m->maker;
    unsigned r = row % WFI_GROUP_ROWS;
    /* A leaf of c changes becomes at most 2 + c / WFI_LEAF_FILL. */
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
        weft_status st = merge_leaf(m, row, old->at[l].leaf, e, stop, d->used, fresh);
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

/* Rows r ... end - 1 stay as they are. */
static weft_status keep_rows(wfi_maker *m, const wfi_group *old, unsigned r, unsigned end, draft *d) {
    if (!old) {
        for (; r < end; r++) d->start[r] = (uint32_t)d->used;
        return WEFT_OK;
    }
    size_t from = old->start[r], count = old->start[end] - from, weight = m->store->weight;
    weft_status st = wfi_maker_room(m, d->used + count);
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

static weft_status merge_row(wfi_merge *m, const wfi_group *old, weft_vid row, const wfi_edit *e, const wfi_edit *end,
                             draft *d) {
    unsigned r = row % WFI_GROUP_ROWS;
    wfi_long_row *was = old ? wfi_long_row_of(old, r) : NULL;
    d->start[r] = (uint32_t)d->used;
    if (was) return merge_long(m, row, was, e, end, d);
    span s = {NULL, NULL, 0};
    if (old) {
        size_t weight = m->maker.store->weight;
        s = (span){wfi_group_targets(old) + old->start[r], (char *)wfi_group_weights(old) + old->start[r] * weight,
                   old->start[r + 1] - old->start[r]};
    }
    size_t after = d->used;
    weft_status st = merge_span(m, row, &s, e, end, &after);
    return st ? st : close_row(&m->maker, d, r, after);
}

/* What the batch wants of the group and what is noted there, by row and target.  Returns their number in *count. */
static weft_status list_edits(wfi_merge *m, const wfi_group *old, const wfi_placed *placed, size_t *count) {
    wfi_noted noted[WFI_MOST_NOTES];
    unsigned notes = old ? wfi_notes_list(old, UINT64_MAX, m->maker.store->weight, noted) : 0, n = 0;
    uint64_t i = placed->first, most = placed->end - i + notes;
    if (most > m->edits_room) {
        size_t room = (size_t)most + most / 2 + 256;
        wfi_edit *edits = wfi_resize(m->maker.ctx, m->edits, room, sizeof *edits);
        if (!edits) return WEFT_ENOMEM;
        m->edits = edits;
        m->edits_room = room;
    }
    wfi_edit *to = m->edits;
    while (n < notes || i < placed->end) {
        weft_vid row = i < placed->end ? (weft_vid)wfi_change_row(m->changes, i) : 0;
        uint64_t change =
            i < placed->end ? (uint64_t)(row % WFI_GROUP_ROWS) << 32 | wfi_change_target(m->changes, i) : UINT64_MAX;
        uint64_t note = n < notes ? (uint64_t)noted[n].row << 32 | noted[n].target : UINT64_MAX;
        if (change <= note)
            *to = wfi_next_edit(m, row, &i, placed->end);
        else
            *to = (wfi_edit){.target = noted[n].target, .row = noted[n].row};
        if (note <= change) {
            to->noted = true;
            to->there = noted[n].there;
            to->old = noted[n++].weight;
        }
        to++;
    }
    *count = (size_t)(to - m->edits);
    return WEFT_OK;
}

weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed) {
    draft d;
    d.longs = 0, d.is_long = 0, d.used = 0;
    uint64_t first_row = placed->group * WFI_GROUP_ROWS;
    size_t count = 0;
    weft_status st = list_edits(m, old, placed, &count);
    const wfi_edit *e = m->edits, *last = m->edits_room ? e + count : e;
    for (unsigned r = 0; r < WFI_GROUP_ROWS && !st;) {
        unsigned next = e < last ? e->row : WFI_GROUP_ROWS;
        if (next > r && !m->changes->removed) {
            st = keep_rows(&m->maker, old, r, next, &d);
            r = next;
            continue;
        }
        const wfi_edit *end = e;
        while (end < last && end->row == r) end++;
        st = merge_row(m, old, (weft_vid)(first_row + r), e, end, &d);
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
        weft_status st = wfi_maker_room(m, d.used + count);
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
