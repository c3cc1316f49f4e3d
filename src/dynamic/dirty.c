/* Dirty groups of a batch: the groups of its changes' rows and, if vertices come or go, the groups of these vertices
 * and those that lose an arc to a removed vertex. */
#include "dynamic/batch.h"

static void mark(uint64_t *marks, uint64_t slot) {
    uint64_t group = slot / WFI_GROUP_ROWS;
    marks[group / 64] |= (uint64_t)1 << group % 64;
}

static bool run_has_removed(const uint32_t *removed, const weft_vid *targets, size_t count) {
    uint32_t any = 0;
    for (size_t i = 0; i < count; i++) any |= removed[targets[i]];
    return any != 0;
}

static bool group_has_removed(const uint32_t *removed, const wfi_group *group) {
    if (run_has_removed(removed, wfi_group_targets(group), group->start[WFI_GROUP_ROWS])) return true;
    for (unsigned i = 0; i < wfi_long_rows(group); i++)
        for (uint32_t l = 0; l < wfi_group_rows(group)[i]->leaves; l++) {
            const wfi_leaf *leaf = wfi_group_rows(group)[i]->at[l].leaf;
            if (run_has_removed(removed, leaf->targets, leaf->count)) return true;
        }
    for (unsigned i = 0; i < group->deltas; i++)
        if (removed[(weft_vid)group->delta[i]]) return true;
    return false;
}

/* Incoming arcs of removed vertices in a directed graph are found by a scan of all rows. */
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
    for (unsigned i = 0; i < group->deltas; i++) mark(marks, (weft_vid)group->delta[i]);
    const wfi_long_row *row = wfi_long_row_of(group, r);
    for (uint32_t l = 0; row && l < row->leaves; l++)
        for (uint32_t i = 0; i < row->at[l].leaf->count; i++) mark(marks, row->at[l].leaf->targets[i]);
}

weft_status wfi_dirty_marks(wfi_batch *b, const wfi_version *now, uint64_t **marks) {
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

static bool marked(const uint64_t *marks, uint64_t group) { return marks[group / 64] >> group % 64 & 1; }
static uint64_t group_of(const wfi_changes *c, uint64_t i) { return wfi_change_row(c, i) / WFI_GROUP_ROWS; }
static bool begins_group(const wfi_changes *c, uint64_t i) { return !i || group_of(c, i) != group_of(c, i - 1); }

static uint64_t count_begun(const wfi_changes *c, uint64_t first, uint64_t end) {
    uint64_t begun = 0;
    for (uint64_t i = first; i < end; i++) begun += begins_group(c, i);
    return begun;
}

/* Lists the groups that begin among these changes; the last one ends with them. Whether a change begins a group is
 * unpredictable, so there is no branch: each change rewrites its group's entry. */
static uint64_t fill_begun(const wfi_changes *c, uint64_t first, uint64_t end, wfi_placed *to) {
    wfi_placed *at = to;
    uint64_t i = first, since = first, before;
    while (i < end && !begins_group(c, i)) i++;
    if (i == end) return 0;
    for (before = group_of(c, i) + 1; i < end; i++) {
        uint64_t group = group_of(c, i);
        bool begins = group != before;
        since = begins ? i : since;
        at += begins;
        at[-1] = (wfi_placed){group, NULL, since, i + 1, false};
        before = group;
    }
    return (uint64_t)(at - to);
}

/* Lists groups with changes and groups that are only marked. */
static size_t list_marked(const wfi_changes *c, const uint64_t *marks, uint64_t groups, wfi_placed *to) {
    size_t count = 0;
    uint64_t next = 0; /* first group that was not processed */
    for (uint64_t i = 0, end; i <= c->count; i = end) {
        bool last = i == c->count;
        uint64_t group = last ? groups : group_of(c, i);
        for (; next < group; next++) {
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

size_t wfi_dirty_list(const wfi_batch *b, const uint64_t *marks, uint64_t groups, wfi_placed *to) {
    const wfi_changes *c = &b->changes;
    if (marks) return list_marked(c, marks, groups, to);
    return (size_t)(to ? fill_begun(c, 0, c->count, to) : count_begun(c, 0, c->count));
}

/* --- in parallel, if no vertex comes or goes ------------------------------------------ */

size_t wfi_dirty_count(const wfi_batch *b, uint64_t *place, int shares) {
    const wfi_changes *c = &b->changes;
#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int s = 0; s < shares; s++)
        place[s] =
            count_begun(c, c->count * (uint64_t)s / (uint64_t)shares, c->count * ((uint64_t)s + 1) / (uint64_t)shares);
    wfi_exclusive_scan(b->ctx, place, (size_t)shares);
    return (size_t)place[shares];
}

void wfi_dirty_fill(const wfi_batch *b, const uint64_t *place, int shares, wfi_placed *to) {
    const wfi_changes *c = &b->changes;
#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int s = 0; s < shares; s++)
        fill_begun(c, c->count * (uint64_t)s / (uint64_t)shares, c->count * ((uint64_t)s + 1) / (uint64_t)shares,
                   to + place[s]);
    /* The last group of a share ends where the first group of a later share begins. */
    for (int s = 1; s < shares; s++)
        if (place[s]) to[place[s] - 1].end = place[s] < place[shares] ? to[place[s]].first : c->count;
}
