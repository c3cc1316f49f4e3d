/* weft_dynamic_apply.  A batch is resolved and sorted (resolve.c).  A group with room for its changes is put by, to have them noted
 * (notes.h); each other one is merged into a fresh one, by all threads, and the tree's nodes above those are copied.  Then, after the last
 * step that can fail, notes are made and the new root is published.  Nothing that a version shows is ever written, so a failure only
 * frees what was made. */
#include "core/sized.h"
#include "dynamic/batch.h"
#include "dynamic/follow.h"
#include "dynamic/notes.h"

#include <omp.h>
#include <string.h>

/* --- which groups --------------------------------------------------------------- */

static void mark(uint64_t *marks, uint64_t slot) {
    uint64_t group = slot / WFI_GROUP_ROWS;
    marks[group / 64] |= (uint64_t)1 << group % 64;
}

static bool span_has_removed(const uint32_t *removed, const weft_vid *targets, size_t count) {
    uint32_t any = 0;
    for (size_t i = 0; i < count; i++) any |= removed[targets[i]];
    return any != 0;
}

static bool group_has_removed(const uint32_t *removed, const wfi_group *group) {
    if (span_has_removed(removed, wfi_group_targets(group), group->start[WFI_GROUP_ROWS])) return true;
    for (unsigned i = 0; i < wfi_long_rows(group); i++)
        for (uint32_t l = 0; l < group->rows[i]->leaves; l++) {
            const wfi_leaf *leaf = group->rows[i]->at[l].leaf;
            if (span_has_removed(removed, leaf->targets, leaf->count)) return true;
        }
    const uint64_t *note = wfi_group_notes(group, group->weight);
    for (unsigned i = 0; i < group->notes; i++)
        if (removed[(weft_vid)note[i]]) return true;
    return false;
}

/* Incoming arcs of a directed graph are found by looking at all rows. */
static void mark_all_sources(weft_ctx *ctx, const wfi_version *now, const uint32_t *removed, uint64_t *marks) {
    uint64_t words = (wfi_groups_of(now->slots) + 63) / 64;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, now->arcs, 1 << 16))
    for (uint64_t word = 0; word < words; word++)
        for (unsigned bit = 0; bit < 64; bit++) {
            const wfi_group *group = wfi_group_at(now, word * 64 + bit);
            if (group && group_has_removed(removed, group)) marks[word] |= (uint64_t)1 << bit;
        }
}

static void mark_neighbours(const wfi_version *now, weft_vid slot, uint64_t *marks) {
    const wfi_group *group = wfi_group_at(now, slot / WFI_GROUP_ROWS);
    if (!group) return;
    unsigned r = slot % WFI_GROUP_ROWS;
    for (uint32_t i = group->start[r]; i < group->start[r + 1]; i++) mark(marks, wfi_group_targets(group)[i]);
    for (unsigned i = 0; i < group->notes; i++) mark(marks, (weft_vid)wfi_group_notes(group, group->weight)[i]);
    const wfi_long_row *row = wfi_long_row_of(group, r);
    for (uint32_t l = 0; row && l < row->leaves; l++)
        for (uint32_t i = 0; i < row->at[l].leaf->count; i++) mark(marks, row->at[l].leaf->targets[i]);
}

/* Groups that changes of vertices touch, as bits; NULL = none do. */
static weft_status mark_groups(wfi_batch *b, const wfi_version *now, uint64_t **marks) {
    const wfi_vertices *v = &b->d->vertices;
    *marks = NULL;
    if (!v->flips) return WEFT_OK;
    weft_status st = wfi_alloc_zeroed(b->ctx, marks, (wfi_groups_of(v->slots) + 63) / 64);
    if (st) return st;
    bool undirected = !b->d->store->directed;
    for (size_t i = 0; i < v->flips; i++) {
        mark(*marks, v->flipped[i]);
        if (b->removals && undirected) mark_neighbours(now, v->flipped[i], *marks);
    }
    if (b->removals && !undirected) mark_all_sources(b->ctx, now, b->changes.removed, *marks);
    return WEFT_OK;
}

static bool marked(const uint64_t *marks, uint64_t group) { return marks && marks[group / 64] >> group % 64 & 1; }

/* All groups to merge, ascending, with their changes; counted first if `to` is NULL. */
static size_t list_groups(const wfi_batch *b, const uint64_t *marks, uint64_t groups, wfi_placed *to) {
    const wfi_changes *c = &b->changes;
    size_t count = 0;
    uint64_t next = 0; /* groups before it were looked at */
    for (uint64_t i = 0, end; i <= c->count; i = end) {
        bool last = i == c->count;
        uint64_t group = last ? groups : wfi_change_row(c, i) / WFI_GROUP_ROWS;
        for (; marks && next < group; next++) {
            if (!marked(marks, next)) continue;
            if (to) to[count] = (wfi_placed){next, NULL, i, i, false};
            count++;
        }
        if (last) break;
        uint64_t beyond = (group + 1) * WFI_GROUP_ROWS;
        for (end = i + 1; end < c->count && wfi_change_row(c, end) < beyond;) end++;
        if (to) to[count] = (wfi_placed){group, NULL, i, end, false};
        count++;
        next = group + 1;
    }
    return count;
}

/* --- merging ---------------------------------------------------------------------- */

typedef struct merging {
    wfi_merge *part; /* one for each thread */
    int parts;
    wfi_placed *placed;
    size_t count;
    wfi_placed *noted; /* of these, the groups in which the changes are only noted: placed->fresh is the group itself */
    size_t notes;
    bool keeps; /* part and placed are the dynamic graph's */
} merging;

/* Are a few changes noted beside the rows?  Not where vertices come or go. */
static bool is_noted(const wfi_batch *b, const wfi_group *old, const wfi_placed *p, uint64_t version) {
    return old && !b->changes.removed && old->alive == b->d->vertices.alive[p->group] &&
           wfi_notes_fit(old, version, p->end - p->first);
}

/* The groups that are to be noted in leave the list. */
static void part_noted(merging *all) {
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->placed[i].noted)
            all->noted[all->notes++] = all->placed[i];
        else
            all->placed[kept++] = all->placed[i];
    }
    all->count = kept;
}

static void take_share(const merging *all, int part, int parts) {
    enum { AHEAD = 6 };
    size_t end = all->notes * ((size_t)part + 1) / (size_t)parts;
    wfi_merge *m = &all->part[part];
    for (size_t i = all->notes * (size_t)part / (size_t)parts; i < end; i++) {
        const wfi_placed *p = &all->noted[i];
        if (i + 2 * AHEAD < end)
            __builtin_prefetch(
                &p[2 * AHEAD].fresh->start[wfi_change_row(m->changes, p[2 * AHEAD].first) % WFI_GROUP_ROWS]);
        if (i + AHEAD < end) wfi_notes_prefetch(m->changes, p[AHEAD].fresh, p[AHEAD].first);
        wfi_notes_take(m, p->fresh, p->first, p->end);
    }
}

static void take_notes(const merging *all) {
    if (all->parts == 1) {
        take_share(all, 0, 1);
        return;
    }
#pragma omp parallel for schedule(static, 1) num_threads(all->parts)
    for (int part = 0; part < all->parts; part++) take_share(all, part, all->parts);
}

/* `left`: places after it in the list, whose groups are brought closer. */
static weft_status merge_one(wfi_batch *b, const wfi_version *now, wfi_merge *m, wfi_placed *p, size_t left) {
    enum { AHEAD = 8 };
    wfi_group *old = wfi_group_at(now, p->group), *next = left > AHEAD ? wfi_group_at(now, p[AHEAD].group) : NULL;
    if (next) {
        __builtin_prefetch(next);
        __builtin_prefetch(&next->notes);
    }
    if (is_noted(b, old, p, now->number + 1)) {
        p->noted = true;
        p->fresh = old;
        return WEFT_OK;
    }
    weft_status st = wfi_maker_room(&m->maker, 1);
    if (!st && wfi_cancelled(b->ctx)) st = wfi_fail_cancelled(b->ctx);
    return st ? st : wfi_group_merge(m, old, b->d->vertices.alive[p->group], p);
}

/* One thread does without OpenMP, which costs it more than some changes. */
static weft_status merge_groups(wfi_batch *b, const wfi_version *now, merging *all) {
    _Atomic int status = WEFT_OK;
    weft_status st = WEFT_OK;
    if (all->parts == 1) {
        for (size_t i = 0; i < all->count && !st; i++)
            st = merge_one(b, now, all->part, &all->placed[i], all->count - 1 - i);
        return st;
    }
#pragma omp parallel for schedule(dynamic, 8) num_threads(all->parts)
    for (size_t i = 0; i < all->count; i++)
        if (!atomic_load_explicit(&status, memory_order_relaxed))
            wfi_keep_status(&status,
                            merge_one(b, now, &all->part[omp_get_thread_num()], &all->placed[i], all->count - 1 - i));
    return (weft_status)atomic_load(&status);
}

static void add_up(wfi_batch *b, const merging *all, wfi_version *draft) {
    weft_batch_stats *to = &b->stats;
    for (int i = 0; i < all->parts; i++) {
        const weft_batch_stats *s = &all->part[i].stats;
        to->inserted += s->inserted;
        to->deleted += s->deleted;
        to->weights_changed += s->weights_changed;
        to->already_there += s->already_there;
        to->absent += s->absent;
        to->superseded += s->superseded;
        draft->arcs = (weft_eid)((int64_t)draft->arcs + all->part[i].arcs);
        draft->loops = (uint64_t)((int64_t)draft->loops + all->part[i].loops);
    }
    to->version = wfi_batches_of(b->d, draft);
}

static wfi_block *all_superseded(const merging *all) {
    wfi_block *list = NULL;
    for (int i = 0; i < all->parts; i++)
        for (wfi_block *block = all->part[i].maker.superseded, *next; block; block = next) {
            next = block->next;
            block->next = list;
            list = block;
        }
    return list;
}

static void publish(wfi_batch *b, const merging *all, wfi_version *draft) {
    add_up(b, all, draft);
    for (int i = 0; i < all->parts; i++) {
        wfi_maker_tidy(&all->part[i].maker);
        atomic_fetch_add(&draft->store->bytes, all->part[i].maker.bytes);
    }
    draft->ids = wfi_slot_ids_keep(b->d->vertices.ids);
    wfi_version_publish(draft, all_superseded(all));
}

/* The lists of groups and the threads' parts, kept ones if they suffice. */
static weft_status make_room(wfi_batch *b, bool keeps, merging *all) {
    if (keeps) {
        all->placed = b->kept->placed;
        all->part = &b->kept->part;
        return WEFT_OK;
    }
    weft_status st = wfi_alloc(b->ctx, &all->placed, 2 * all->count);
    return st ? st : wfi_alloc_zeroed(b->ctx, &all->part, (size_t)all->parts);
}

static weft_status prepare(wfi_batch *b, const wfi_version *now, const wfi_version *draft, merging *all) {
    uint64_t *marks, groups = wfi_groups_of(draft->slots);
    weft_status st = mark_groups(b, now, &marks);
    if (st) return st;
    all->count = marks || !b->kept ? list_groups(b, marks, groups, NULL) : b->changes.count;
    all->parts = wfi_threads_for(b->ctx, all->count, 256);
    all->keeps = b->kept && !marks && all->parts == 1;
    st = make_room(b, all->keeps, all);
    if (!st) {
        all->count = list_groups(b, marks, groups, all->placed);
        all->noted = all->placed + all->count;
        for (int i = 0; i < all->parts; i++) {
            wfi_merge *m = &all->part[i];
            m->maker = (wfi_maker){.ctx = b->ctx,
                                   .store = b->d->store,
                                   .birth = draft->number,
                                   .targets = m->maker.targets,
                                   .weights = m->maker.weights,
                                   .room = m->maker.room};
            m->changes = &b->changes;
            m->stats = (weft_batch_stats){.size = 0};
            m->arcs = m->loops = 0;
        }
    }
    wfi_free(marks);
    return st;
}

static void give_back(merging *all, bool failed) {
    for (int i = 0; i < all->parts && all->part; i++) {
        if (failed) wfi_maker_undo(&all->part[i].maker);
        if (all->keeps) continue;
        wfi_maker_end(&all->part[i].maker);
        wfi_free(all->part[i].edits);
    }
    if (all->keeps) return;
    wfi_free(all->part);
    wfi_free(all->placed);
}

static weft_status commit(wfi_batch *b) {
    wfi_version *now = b->d->store->newest; /* held by the dynamic graph, whose only writer this is */
    wfi_version *draft = wfi_version_draft(b->ctx, b->d->store, now);
    if (!draft) return WEFT_ENOMEM;
    const wfi_vertices *v = &b->d->vertices;
    draft->slots = v->slots;
    draft->live = v->live;
    draft->ascending = v->ascending;
    merging all = {.parts = 0};
    weft_status st = prepare(b, now, draft, &all);
    if (!st) st = merge_groups(b, now, &all);
    if (!st) part_noted(&all);
    if (!st) st = wfi_tree_place(&all.part[0].maker, draft, all.placed, all.count);
    if (!st && b->to_log) st = wfi_log_append(b->ctx, b->d, b->given); /* the last that can fail */
    if (!st) take_notes(&all);
    if (!st) publish(b, &all, draft);
    give_back(&all, st != WEFT_OK);
    if (st) wfi_version_discard(draft);
    return st;
}

/* --- the call ---------------------------------------------------------------------- */

static weft_status check(weft_ctx *ctx, const weft_dynamic *d, const weft_batch *b) {
    if (b->count > (uint64_t)1 << 30)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: a batch has at most 2^30 changes, not %llu",
                        (unsigned long long)b->count);
    bool names = d->vertices.ids->names;
    bool given = names ? b->source_names && b->target_names : b->sources && b->targets;
    if (b->count && !given)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: the ids of this graph are %s, and batch lacks them",
                        names ? "names" : "whole numbers");
    if (b->weights && !d->store->weight)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: batch has weights, but this graph has none");
    for (uint64_t i = 0; i < b->count; i++) {
        unsigned change = b->changes ? b->changes[i] : WEFT_CHANGE_INSERT;
        if (change > WEFT_CHANGE_REMOVE_VERTEX)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] is %u, which is no weft_change",
                            (unsigned long long)i, change);
        bool weighs = change == WEFT_CHANGE_INSERT || change == WEFT_CHANGE_WEIGHT;
        if (change == WEFT_CHANGE_WEIGHT && !d->store->weight)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] is a weight, but this graph has none",
                            (unsigned long long)i);
        if (weighs && d->store->weight && !b->weights)
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: changes[%llu] needs a weight, and batch has none",
                            (unsigned long long)i);
        bool both = change <= WEFT_CHANGE_WEIGHT;
        if (names && (!b->source_names[i] || (both && !b->target_names[i])))
            return wfi_fail(ctx, WEFT_EINVAL, "weft_dynamic_apply: a name of changes[%llu] is NULL",
                            (unsigned long long)i);
        if (!b->changes && !names) break; /* all alike */
    }
    return WEFT_OK;
}

weft_status wfi_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *given, bool to_log,
                              weft_batch_stats *stats) {
    weft_status st = check(ctx, d, given);
    if (st) return st;
    wfi_batch b = {.ctx = ctx, .d = d, .given = given, .to_log = to_log};
    st = wfi_batch_begin(&b);
    if (!st) st = wfi_batch_resolve(&b);
    if (!st) st = wfi_follow_batch(&b);
    if (!st) st = wfi_batch_sort(&b);
    if (!st) st = commit(&b);
    if (st) {
        wfi_follow_undo(ctx, d);
        wfi_vertices_undo(&d->vertices, d->store->newest);
    } else {
        wfi_follow_settle(d);
        wfi_vertices_settle(&d->vertices);
    }
    wfi_batch_end(&b);
    if (!st) *stats = b.stats;
    return st;
}

weft_status weft_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch, weft_batch_stats *stats) {
    WFI_BEGIN(ctx);
    WFI_NEED(ctx, d);
    WFI_NEED(ctx, batch);
    weft_batch given = WEFT_BATCH_DEFAULTS;
    weft_batch_stats all;
    weft_status st = stats ? wfi_sized_check(ctx, "weft_batch_stats", stats) : WEFT_OK;
    if (!st) st = wfi_sized_in(ctx, "weft_batch", batch, &given, sizeof given);
    if (!st && d->log) st = wfi_log_writable(ctx, d->log);
    if (!st) st = wfi_dynamic_apply(ctx, d, &given, d->log != NULL, &all);
    if (!st && stats) st = wfi_sized_out(ctx, "weft_batch_stats", &all, sizeof all, stats);
    wfi_tell_threads(ctx);
    return st;
}
