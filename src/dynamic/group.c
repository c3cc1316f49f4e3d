/* See group.h.  Rows are merged into the maker's scratch, which stays in the cache, and copied to a block of the right size. */
#include "dynamic/group.h"

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

static wfi_group *seal(wfi_maker *m, const draft *d, uint64_t alive) {
    size_t weight = m->store->weight, rows = d->longs * sizeof *d->rows;
    wfi_group *group = wfi_make(m, sizeof *group + rows + wfi_weights_after(d->used) + d->used * weight);
    if (!group) return NULL;
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

typedef struct edit {
    weft_vid target;
    weft_change change;
    uint32_t at; /* position in the batch, for the weight */
} edit;

static bool is_removed(const wfi_merge *m, weft_vid row, weft_vid target) {
    const uint32_t *removed = m->changes->removed;
    return removed && (removed[row] || removed[target]);
}

/* An undirected edge counts at its arc from the smaller slot. */
static bool counts(const wfi_merge *m, weft_vid row, weft_vid target) {
    return m->maker.store->directed || row <= target;
}

static weft_vid target_at(const wfi_changes *c, uint64_t i) {
    return (weft_vid)(c->key[i] & (((uint64_t)1 << c->bits) - 1));
}

/* What the changes of one arc, from *i on, amount to. */
static edit next_edit(wfi_merge *m, weft_vid row, uint64_t *i, uint64_t end) {
    const wfi_changes *c = m->changes;
    uint64_t key = c->key[*i];
    edit e = {target_at(c, *i), (weft_change)(c->what[*i] & 3), c->what[*i] >> 2};
    while (++*i < end && c->key[*i] == key) {
        weft_change next = (weft_change)(c->what[*i] & 3);
        m->stats.superseded += counts(m, row, e.target);
        if (next == WEFT_CHANGE_WEIGHT && e.change == WEFT_CHANGE_DELETE) continue; /* there is nothing to weight */
        e.at = c->what[*i] >> 2;
        if (next != WEFT_CHANGE_WEIGHT || e.change != WEFT_CHANGE_INSERT) e.change = next;
    }
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

/* `old` is the weight of the arc, NULL if there is none. */
static size_t apply(wfi_merge *m, weft_vid row, edit e, const char *old, size_t end) {
    size_t weight = m->maker.store->weight;
    bool count = counts(m, row, e.target);
    if (e.change == WEFT_CHANGE_DELETE) {
        if (old)
            lose_arc(m, row, e.target);
        else
            m->stats.absent += count;
        return end;
    }
    if (!old && e.change == WEFT_CHANGE_WEIGHT) {
        m->stats.absent += count;
        return end;
    }
    const char *fresh = weight ? m->changes->weights + e.at * weight : NULL;
    if (!old) {
        m->arcs++;
        m->loops += row == e.target;
        m->stats.inserted += count;
    } else if (!weight || !memcmp(old, fresh, weight)) {
        m->stats.already_there += count;
    } else {
        m->stats.weights_changed += count;
    }
    put_arc(&m->maker, end, e.target, fresh);
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

/* A span and its changes go to the scratch at *used, which becomes their end. */
static weft_status merge_span(wfi_merge *m, weft_vid row, const span *s, uint64_t *i, uint64_t end, size_t *used) {
    weft_status st = wfi_maker_room(&m->maker, *used + s->count + (size_t)(end - *i));
    if (st) return st;
    size_t done = 0, at = *used, weight = m->maker.store->weight;
    while (*i < end) {
        edit e = next_edit(m, row, i, end);
        size_t here = first_not_below(s, done, e.target);
        at = keep(m, row, s, done, here, at);
        const char *old = here < s->count && s->targets[here] == e.target ? s->weights + here * weight : NULL;
        done = here + (old != NULL);
        if (old && is_removed(m, row, e.target)) {
            lose_arc(m, row, e.target);
            old = NULL;
        }
        at = apply(m, row, e, old, at);
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

static weft_status merge_leaf(wfi_merge *m, weft_vid row, wfi_leaf *leaf, uint64_t *i, uint64_t end, size_t used,
                              wfi_long_row *fresh) {
    wfi_maker *maker = &m->maker;
    span s = {leaf->targets, wfi_leaf_weights(leaf), leaf->count};
    size_t after = used;
    weft_status st = merge_span(m, row, &s, i, end, &after);
    if (st) return st;
    wfi_supersede(maker, &leaf->head);
    if (after == used) return WEFT_OK;
    uint32_t made =
        wfi_leaves_make(maker, maker->targets + used, weights_at(maker, used), after - used, fresh->at + fresh->leaves);
    fresh->leaves += made;
    fresh->arcs += after - used;
    return made ? WEFT_OK : WEFT_ENOMEM;
}

static weft_status merge_long(wfi_merge *m, weft_vid row, wfi_long_row *old, uint64_t *i, uint64_t end, draft *d) {
    wfi_maker *maker = &m->maker;
    unsigned r = row % WFI_GROUP_ROWS;
    /* A leaf of c changes becomes at most 2 + c / WFI_LEAF_FILL. */
    size_t most = 2 * (size_t)old->leaves + (size_t)(end - *i) / WFI_LEAF_FILL + 2;
    wfi_long_row *fresh = wfi_make(maker, sizeof *fresh + most * sizeof *fresh->at);
    if (!fresh) return WEFT_ENOMEM;
    fresh->arcs = 0;
    fresh->leaves = 0;
    for (uint32_t l = 0; l < old->leaves; l++) {
        uint64_t stop = *i;
        while (stop < end && (l + 1 == old->leaves || target_at(m->changes, stop) < old->at[l + 1].first)) stop++;
        if (stop == *i && !m->changes->removed) {
            fresh->at[fresh->leaves++] = old->at[l];
            fresh->arcs += old->at[l].leaf->count;
            continue;
        }
        weft_status st = merge_leaf(m, row, old->at[l].leaf, i, stop, d->used, fresh);
        if (st) return st;
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

static weft_status merge_row(wfi_merge *m, const wfi_group *old, weft_vid row, uint64_t *i, uint64_t end, draft *d) {
    unsigned r = row % WFI_GROUP_ROWS;
    wfi_long_row *was = old ? wfi_long_row_of(old, r) : NULL;
    d->start[r] = (uint32_t)d->used;
    if (was) return merge_long(m, row, was, i, end, d);
    span s = {NULL, NULL, 0};
    if (old) {
        size_t weight = m->maker.store->weight;
        s = (span){wfi_group_targets(old) + old->start[r], (char *)wfi_group_weights(old) + old->start[r] * weight,
                   old->start[r + 1] - old->start[r]};
    }
    size_t after = d->used;
    weft_status st = merge_span(m, row, &s, i, end, &after);
    return st ? st : close_row(&m->maker, d, r, after);
}

weft_status wfi_group_merge(wfi_merge *m, wfi_group *old, uint64_t alive, wfi_placed *placed) {
    const wfi_changes *c = m->changes;
    draft d;
    d.longs = 0, d.is_long = 0, d.used = 0;
    uint64_t i = placed->first, first_row = placed->group * WFI_GROUP_ROWS;
    weft_status st = WEFT_OK;
    for (unsigned r = 0; r < WFI_GROUP_ROWS && !st;) {
        unsigned next = i < placed->end ? (unsigned)((c->key[i] >> c->bits) - first_row) : WFI_GROUP_ROWS;
        if (next > r && !c->removed) {
            st = keep_rows(&m->maker, old, r, next, &d);
            r = next;
            continue;
        }
        uint64_t end = i;
        while (end < placed->end && c->key[end] >> c->bits == first_row + r) end++;
        st = merge_row(m, old, (weft_vid)(first_row + r), &i, end, &d);
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
