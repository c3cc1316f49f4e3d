/* weft_dynamic_apply: a batch is resolved and sorted (resolve.c); then each dirty group either takes its changes as
 * deltas or is merged into a new block, in parallel, and the path above is copied (group.h, tree.c). After the
 * write-ahead log, the last step that can fail, the new root is published. Blocks of published versions are never
 * overwritten, so a rollback only frees new blocks and drops new deltas. */
#include "cuda/trail.h"
#include "dynamic/base_columns.h"
#include "dynamic/batch.h"
#include "dynamic/follow.h"
#include "dynamic/group.h"

#include <omp.h>

enum { FEW = 32, PIECES = 128 };

typedef struct merging {
    wfi_merge *part; /* one per thread */
    int parts;
    wfi_placed *list; /* all dirty groups, followed by space for two more lists */
    size_t groups;
    wfi_placed *placed; /* the merged groups; with many, scratch for the tree's nodes follows */
    size_t count;
    size_t each, pieces;    /* a team's pieces of the list: groups per piece, number of pieces; 0 pieces: one thread */
    bool merged_in[PIECES]; /* per piece: true if a group was merged; known for up to PIECES pieces */
    bool small;             /* part and list belong to b->small */
    bool timed;             /* the team size is chosen by measured times of small batches */
} merging;

/* True if the changes fit as deltas, which is not the case if vertices come or go. */
static bool fits_deltas(const wfi_batch *b, const wfi_group *old, const wfi_placed *p, uint64_t version) {
    return old && !b->changes.removed && old->alive == b->d->vertices.alive[p->group] &&
           wfi_deltas_fit(old, version, p->end - p->first);
}

/* Each group costs a chain of dependent cache misses: its place in the tree, its head, its starts and deltas, its
 * rows. So a few groups take each step together. */
static weft_status merge_few(wfi_batch *b, const wfi_version *now, wfi_merge *m, wfi_placed *placed, size_t count) {
    for (size_t i = 0; i < count; i++) __builtin_prefetch(wfi_group_place(now, placed[i].group));
    for (size_t i = 0; i < count; i++) {
        placed[i].fresh = wfi_group_at(now, placed[i].group);
        __builtin_prefetch(placed[i].fresh, 1);
    }
    for (size_t i = 0; i < count; i++) {
        placed[i].buffered = fits_deltas(b, placed[i].fresh, &placed[i], now->number + 1);
        if (placed[i].buffered) wfi_deltas_prefetch(&b->changes, &placed[i]);
    }
    wfi_deltas_write(m, placed, count);
    weft_status st = wfi_maker_reserve(&m->maker, 1);
    for (size_t i = 0; i < count && !st; i++) {
        if (placed[i].buffered) continue;
        if (wfi_cancelled(b->ctx)) return wfi_fail_cancelled(b->ctx);
        st = wfi_group_merge(m, placed[i].fresh, b->d->vertices.alive[placed[i].group], &placed[i]);
    }
    return st;
}

/* A single thread avoids OpenMP, which costs more than a few changes. */
static weft_status merge_groups(wfi_batch *b, const wfi_version *now, merging *all) {
    weft_status st = WEFT_OK;
    size_t groups = all->groups;
    if (all->parts == 1) {
        for (size_t i = 0; i < groups && !st; i += FEW)
            st = merge_few(b, now, all->part, all->list + i, wfi_min_u64(FEW, groups - i));
        return st;
    }
    _Atomic int status = WEFT_OK;
    size_t each = wfi_min_u64(FEW, 1 + groups / (4 * (size_t)all->parts)), pieces = (groups + each - 1) / each;
#pragma omp parallel for schedule(dynamic, 1) num_threads(all->parts)
    for (size_t i = 0; i < pieces; i++) {
        if (atomic_load_explicit(&status, memory_order_relaxed)) continue;
        wfi_placed *first = all->list + i * each;
        size_t count = wfi_min_u64(each, groups - i * each), buffered = 0;
        wfi_keep_status(&status, merge_few(b, now, &all->part[omp_get_thread_num()], first, count));
        for (size_t k = 0; k < count; k++) buffered += first[k].buffered;
        if (i < PIECES) all->merged_in[i] = buffered < count;
    }
    all->each = each;
    all->pieces = pieces;
    return (weft_status)atomic_load(&status);
}

/* Lists the merged groups among first ... end - 1. */
static size_t pick_merged(const merging *all, size_t first, size_t end, wfi_placed *to) {
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        if (!all->list[i].buffered) to[count++] = all->list[i];
    return count;
}

/* pick_merged by several threads; each first counts its share. */
static void pick_by_shares(merging *all, size_t shares) {
    size_t groups = all->groups;
#pragma omp parallel for schedule(static, 1) num_threads((int)shares)
    for (size_t s = 0; s < shares; s++) {
        size_t merged = 0;
        for (size_t i = groups * s / shares; i < groups * (s + 1) / shares; i++) merged += !all->list[i].buffered;
        all->part[s].merged_at = merged;
    }
    for (size_t s = 0; s < shares; s++) {
        size_t more = all->part[s].merged_at;
        all->part[s].merged_at = all->count;
        all->count += more;
    }
#pragma omp parallel for schedule(static, 1) num_threads((int)shares)
    for (size_t s = 0; s < shares; s++)
        pick_merged(all, groups * s / shares, groups * (s + 1) / shares, all->placed + all->part[s].merged_at);
}

/* For small batches merged by a team, where most groups took deltas: a scan of the whole list would wait for cache
 * lines that other cores wrote. So only pieces with a merged group are scanned. */
static void pick_by_pieces(merging *all) {
    for (size_t i = 0; i < all->pieces; i++)
        if (all->merged_in[i])
            all->count += pick_merged(all, i * all->each, wfi_min_u64((i + 1) * all->each, all->groups),
                                      all->placed + all->count);
}

/* Lists the merged groups for the tree. */
static void list_merged(const wfi_batch *b, merging *all) {
    size_t shares = (size_t)wfi_threads_for(b->ctx, all->groups, 1 << 13);
    if (shares > (size_t)all->parts) shares = (size_t)all->parts;
    if (shares > 1 && !all->small)
        pick_by_shares(all, shares);
    else if (all->small && all->pieces && all->pieces <= PIECES)
        pick_by_pieces(all);
    else
        all->count = pick_merged(all, 0, all->groups, all->placed);
}

/* Replaces the merged groups in the tree, in parallel if there are many. */
static weft_status place_groups(merging *all, wfi_version *draft) {
    enum { MANY = 512, MOST_THREADS = 256 };
    wfi_maker *maker[MOST_THREADS];
    if (all->small || all->parts == 1 || all->parts > MOST_THREADS || all->count < MANY)
        return wfi_tree_place(&all->part[0].maker, draft, all->placed, all->count);
    for (int i = 0; i < all->parts; i++) maker[i] = &all->part[i].maker;
    return wfi_tree_place_all(maker, all->parts, draft, all->placed, all->count, all->placed + all->groups);
}

/* Drops the deltas of a failed batch. */
static void roll_back_deltas(const merging *all) {
    for (size_t i = 0; i < all->groups; i++)
        if (all->list[i].buffered) wfi_deltas_rollback(&all->list[i]);
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

static void add_lists(const merging *all, wfi_cow_block **lists) {
    for (int i = 0; i < all->parts; i++) {
        const wfi_maker *m = &all->part[i].maker;
        if (!m->superseded) continue;
        m->superseded_last->next = lists[i % WFI_LISTS];
        lists[i % WFI_LISTS] = m->superseded;
    }
}

static void publish(wfi_batch *b, const merging *all, wfi_version *draft) {
    add_up(b, all, draft);
    for (int i = 0; i < all->parts; i++) {
        wfi_maker_tidy(&all->part[i].maker);
        atomic_fetch_add(&draft->store->bytes, all->part[i].maker.bytes);
    }
    draft->ids = wfi_slot_ids_keep(b->d->vertices.ids);
    wfi_cow_block *lists[WFI_LISTS] = {NULL};
    add_lists(all, lists);
    wfi_base_columns_lose(draft->store->columns, b->d->vertices.flipped, b->d->vertices.flips, draft->number);
    wfi_version_publish(draft, lists, wfi_threads_for(b->ctx, all->count, 256));
}

/* Lists of groups and parts of threads: the dynamic graph's reusable ones if they are large enough. */
static weft_status take_buffers(wfi_batch *b, merging *all) {
    if (all->small) {
        all->list = b->small->placed;
        weft_status st = wfi_small_buffers_parts(b->ctx, b->small, all->parts);
        if (!st) all->part = b->small->part;
        return st;
    }
    weft_status st = wfi_list_take(b->ctx, b->d, 3 * all->groups, &all->list);
    return st ? st : wfi_alloc_zeroed(b->ctx, &all->part, (size_t)all->parts);
}

static weft_status list_groups(wfi_batch *b, const wfi_version *now, const wfi_version *draft, merging *all) {
    uint64_t *marks = NULL, *place = NULL, groups = wfi_groups_of(draft->slots);
    int shares = wfi_threads_for(b->ctx, b->changes.count, 1 << 13);
    weft_status st = wfi_dirty_marks(b, now, &marks);
    bool by_all = !marks && shares > 1;
    if (!st && by_all) st = wfi_alloc(b->ctx, &place, (size_t)shares + 1);
    if (st) goto done;
    all->small = b->small && !marks;
    all->groups = all->small ? b->changes.count
                  : by_all   ? wfi_dirty_count(b, place, shares)
                             : wfi_dirty_list(b, marks, groups, NULL);
    all->parts = wfi_threads_for(b->ctx, all->groups, 256);
    all->timed = all->small && all->parts > 1;
    if (all->timed) all->parts = wfi_team_choice_choose(&b->small->team, all->parts);
    st = take_buffers(b, all);
    if (st) goto done;
    if (by_all)
        wfi_dirty_fill(b, place, shares, all->list);
    else
        all->groups = wfi_dirty_list(b, marks, groups, all->list);
    all->placed = all->list + all->groups;
done:
    WFI_FREE(place, marks);
    return st;
}

static weft_status prepare(wfi_batch *b, const wfi_version *now, const wfi_version *draft, merging *all) {
    weft_status st = list_groups(b, now, draft, all);
    for (int i = 0; i < all->parts && !st; i++) {
        wfi_merge *m = &all->part[i];
        m->maker = (wfi_maker){.ctx = b->ctx,
                               .store = b->d->store,
                               .birth = draft->number,
                               .targets = m->maker.targets,
                               .weights = m->maker.weights,
                               .capacity = m->maker.capacity};
        m->changes = &b->changes;
        m->stats = (weft_batch_stats){.size = 0};
        m->arcs = m->loops = 0;
    }
    return st;
}

static void give_back(wfi_batch *b, merging *all, bool failed) {
    for (int i = 0; i < all->parts && all->part; i++) {
        if (failed) wfi_maker_rollback(&all->part[i].maker);
        if (all->small) continue;
        wfi_maker_end(&all->part[i].maker);
        wfi_free(all->part[i].edits);
    }
    if (all->small) return;
    wfi_free(all->part);
    wfi_list_give(b->d, all->list);
}

static weft_status merge_timed(wfi_batch *b, const wfi_version *now, merging *all) {
    double began = all->timed ? wfi_now_ms() : 0;
    weft_status st = merge_groups(b, now, all);
    if (all->timed) wfi_team_choice_learn(&b->small->team, all->parts, all->groups, 1e3 * (wfi_now_ms() - began));
    return st;
}

/* --- mirrors on the GPU -------------------------------------------------------------- */

static void step_of(const void *changes, uint64_t i, weft_vid *row, weft_vid *target, uint8_t *change,
                    const void **weight) {
    const wfi_batch *b = changes;
    const wfi_changes *c = &b->changes;
    uint32_t what = wfi_change_what(c, i);
    *row = (weft_vid)wfi_change_row(c, i);
    *target = wfi_change_target(c, i);
    *change = what & 3;
    if (c->weights) *weight = c->weights + (what >> 2) * b->d->store->weight;
}

/* Limit of an eighth of the arcs: larger trails do not pay. */
static void leave_trail(const wfi_batch *b, const wfi_version *draft) {
    wfi_arc_steps steps = {b->changes.count, step_of, b};
    if (wfi_numbered_as_slots(draft) && !b->changes.removed)
        wfi_trail_append(b->ctx, draft->store->trail, draft->number, &steps, draft->arcs / 8);
    else
        wfi_trail_break(draft->store->trail, draft->number);
}

static weft_status commit(wfi_batch *b) {
    wfi_version *now = b->d->store->newest; /* held by the dynamic graph, of which this is the only writer */
    wfi_version *draft = wfi_version_draft(b->ctx, b->d->store, now);
    if (!draft) return WEFT_ENOMEM;
    const wfi_vertices *v = &b->d->vertices;
    draft->slots = v->slots;
    draft->live = v->live;
    draft->ascending = v->ascending;
    merging all = {.parts = 0};
    leave_trail(b, draft);
    weft_status st = prepare(b, now, draft, &all);
    bool listed = !st;
    if (!st) st = merge_timed(b, now, &all);
    if (!st) list_merged(b, &all);
    if (!st) st = place_groups(&all, draft);
    if (!st && b->to_log) st = wfi_log_append(b->ctx, b->d, b->given); /* the last step that can fail */
    if (!st) publish(b, &all, draft);
    if (st && listed) roll_back_deltas(&all);
    give_back(b, &all, st != WEFT_OK);
    if (st) wfi_trail_undo(draft->store->trail, now->number);
    if (st) wfi_version_discard(draft);
    return st;
}

/* --- the call ------------------------------------------------------------------------ */

weft_status wfi_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *given, bool to_log,
                              weft_batch_stats *stats) {
    wfi_batch b = {.ctx = ctx, .d = d, .given = given, .to_log = to_log};
    bool sorted = false, on_gpu = d->store->on_gpu;
    weft_status st = wfi_batch_begin(&b);
    if (!st && !on_gpu && !d->store->sides) st = wfi_batch_direct(&b, &sorted);
    if (!st && !sorted) st = wfi_batch_resolve(&b);
    if (!st && !sorted) st = wfi_follow_batch(&b);
    if (!st && !sorted) st = wfi_batch_supersede(&b);
    if (!st && !sorted && !on_gpu) st = wfi_batch_sort(&b);
    if (!st) st = on_gpu ? wfi_gpu_commit(&b) : commit(&b);
    if (st) {
        wfi_follow_rollback(ctx, d);
        wfi_vertices_rollback(&d->vertices, d->store->newest);
    } else {
        wfi_follow_commit(d);
        wfi_vertices_commit(&d->vertices);
    }
    wfi_batch_end(&b);
    if (!st) *stats = b.stats;
    return st;
}

weft_status weft_dynamic_apply(weft_ctx *ctx, weft_dynamic *d, const weft_batch *batch, weft_batch_stats *stats) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, d, batch);
    weft_batch given = WEFT_BATCH_DEFAULTS;
    weft_batch_stats all;
    weft_status st = stats ? wfi_sized_check(ctx, "weft_batch_stats", stats) : WEFT_OK;
    if (!st) st = wfi_sized_in(ctx, "weft_batch", batch, &given, sizeof given);
    if (!st && d->log) st = wfi_log_writable(ctx, d->log);
    if (!st) st = wfi_batch_check(ctx, d, &given);
    if (!st) st = wfi_batch_check_weights(ctx, d, &given);
    if (!st) st = wfi_dynamic_apply(ctx, d, &given, d->log != NULL, &all);
    if (!st && stats) st = wfi_sized_out(ctx, "weft_batch_stats", &all, sizeof all, stats);
    wfi_warn_threads(ctx);
    return st;
}
