/* Two-way merge of a sorted run (a short row or a leaf) with the edits of a batch. Arcs between edits are copied up
 * to a position found by binary search. In an unweighted graph without removed vertices, the usual case of large
 * batches, arcs are copied one by one where edits are dense, and effects are counted without branches. */
#include "core/search.h"
#include "dynamic/group.h"

#include <string.h>

static bool is_removed(const wfi_merge *m, weft_vid row, weft_vid target) {
    const uint32_t *removed = m->changes->removed;
    return removed && (removed[row] || removed[target]);
}

/* An undirected edge is counted at its arc from the smaller slot. */
static bool counts(const wfi_merge *m, weft_vid row, weft_vid target) {
    return m->maker.store->directed || row <= target;
}

wfi_edit wfi_next_edit(wfi_merge *m, weft_vid row, uint64_t *i, uint64_t end) {
    const wfi_changes *c = m->changes;
    uint64_t arc = c->key[*i] >> c->shift;
    uint32_t what = wfi_change_what(c, *i);
    wfi_edit e = {.target = wfi_change_target(c, *i), .row = row % WFI_GROUP_ROWS, .asked = true, .change = what & 3};
    while (++*i < end && c->key[*i] >> c->shift == arc) {
        uint8_t next = wfi_change_what(c, *i) & 3;
        m->stats.superseded += counts(m, row, e.target);
        if (next == WEFT_CHANGE_WEIGHT && e.change == WEFT_CHANGE_DELETE) continue; /* nothing to reweight */
        what = wfi_change_what(c, *i);
        if (next != WEFT_CHANGE_WEIGHT || e.change != WEFT_CHANGE_INSERT) e.change = next;
    }
    e.fresh = what >> 2;
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

static size_t keep(wfi_merge *m, weft_vid row, const wfi_sorted_run *run, size_t from, size_t to, size_t end) {
    wfi_maker *maker = &m->maker;
    size_t weight = maker->store->weight;
    if (from == to) return end;
    if (!m->changes->removed) {
        memcpy(maker->targets + end, run->targets + from, (to - from) * sizeof *run->targets);
        if (weight) memcpy(maker->weights + end * weight, run->weights + from * weight, (to - from) * weight);
        return end + to - from;
    }
    for (; from < to; from++) {
        if (is_removed(m, row, run->targets[from]))
            lose_arc(m, row, run->targets[from]);
        else
            put_arc(maker, end++, run->targets[from], run->weights + from * weight);
    }
    return end;
}

static const char *fresh_weight(const wfi_merge *m, const wfi_edit *e) {
    return m->changes->weights + e->fresh * m->maker.store->weight;
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
    if (!weight || !memcmp(old, fresh_weight(m, e), weight)) {
        m->stats.already_there += count;
        return false;
    }
    m->stats.weights_changed += count;
    return true;
}

/* Appends the arc as edited to the scratch at `end`, unless it is deleted. `there` and `old`: existence and weight by
 * the rows. */
static size_t apply(wfi_merge *m, weft_vid row, const wfi_edit *e, bool there, const char *old, size_t end) {
    if (e->has_delta) {
        there = e->there;
        old = m->deltas[e->delta].weight;
    }
    if (there && is_removed(m, row, e->target)) {
        lose_arc(m, row, e->target);
        there = false;
    }
    if (e->asked && wfi_count_edit(m, row, e, there, old)) {
        there = e->change != WEFT_CHANGE_DELETE;
        old = m->maker.store->weight ? fresh_weight(m, e) : NULL;
    }
    if (!there) return end;
    put_arc(&m->maker, end, e->target, old);
    return end + 1;
}

static size_t first_not_below(const wfi_sorted_run *run, size_t low, weft_vid target) {
    return wfi_lower_bound_u32(run->targets, low, run->count, target);
}

/* Merge for unweighted graphs without removed vertices. */
static size_t merge_plain(wfi_merge *m, weft_vid row, const wfi_sorted_run *run, wfi_edits edits, size_t used) {
    const wfi_edit *e = edits.first, *end = edits.end;
    weft_vid *to = m->maker.targets + used;
    const weft_vid *from = run->targets, *stop = from + run->count;
    bool many = (size_t)(end - e) * 16 > run->count, directed = m->maker.store->directed;
    uint64_t inserted = 0, deleted = 0, had = 0, absent = 0;
    int64_t arcs = 0;
    for (; e < end; e++) {
        weft_vid target = e->target;
        if (many) {
            while (from < stop && *from < target) *to++ = *from++;
        } else {
            size_t copied = first_not_below(run, (size_t)(from - run->targets), target) - (size_t)(from - run->targets);
            memcpy(to, from, copied * sizeof *to);
            from += copied;
            to += copied;
        }
        bool there = from < stop && *from == target, counted = e->asked & (directed | (row <= target));
        bool deletes = e->change == WEFT_CHANGE_DELETE;
        from += there;
        there = e->has_delta ? e->there : there;
        inserted += counted & !deletes & !there;
        had += counted & !deletes & there;
        deleted += counted & deletes & there;
        absent += counted & deletes & !there;
        bool stays = e->asked ? !deletes : there;
        int more = (int)stays - (int)there;
        arcs += more;
        if (row == target) m->loops += more;
        *to = target;
        to += stays;
    }
    if (from < stop) memcpy(to, from, (size_t)(stop - from) * sizeof *to);
    m->stats.inserted += inserted;
    m->stats.already_there += had;
    m->stats.deleted += deleted;
    m->stats.absent += absent;
    m->arcs += arcs;
    return (size_t)(to - m->maker.targets) + (size_t)(stop - from);
}

weft_status wfi_run_merge(wfi_merge *m, weft_vid row, const wfi_sorted_run *run, wfi_edits edits, size_t *used) {
    const wfi_edit *e = edits.first, *end = edits.end;
    weft_status st = wfi_maker_reserve(&m->maker, *used + run->count + (size_t)(end - e));
    if (st) return st;
    size_t done = 0, at = *used, weight = m->maker.store->weight;
    if (!weight && !m->changes->removed) {
        *used = merge_plain(m, row, run, edits, at);
        return WEFT_OK;
    }
    for (; e < end; e++) {
        size_t here = first_not_below(run, done, e->target);
        at = keep(m, row, run, done, here, at);
        bool there = here < run->count && run->targets[here] == e->target;
        done = here + there;
        at = apply(m, row, e, there, there && weight ? run->weights + here * weight : NULL, at);
    }
    *used = keep(m, row, run, done, run->count, at);
    return WEFT_OK;
}
