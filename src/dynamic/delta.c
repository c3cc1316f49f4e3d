/* Delta records: see group.h. Encoding: version since the group's birth (24 bits), weft_change (2), row (6), target
 * (32). An append must know whether each arc exists: the binary searches of a batch's arcs run interleaved, each step
 * prefetched for all before the first needs it, so that their cache misses overlap. */
#include "dynamic/group.h"

#include <string.h>

enum { ARC_BITS = 38, STAMP_AT = 40 };
#define ARC_MASK (((uint64_t)1 << ARC_BITS) - 1)

static uint64_t arc_of(unsigned row, weft_vid target) { return (uint64_t)row << 32 | target; }
static uint64_t bit_of(uint64_t arc) { return (uint64_t)1 << (arc * 0x9e3779b97f4a7c15u >> 58); }
static weft_change what_of(uint64_t delta) { return (weft_change)(delta >> ARC_BITS & 3); }
static bool is_seen(const wfi_group *group, uint64_t delta, uint64_t version) {
    return group->head.birth + (delta >> STAMP_AT) <= version;
}
static unsigned deltas_of(const wfi_group *group) { return atomic_load_explicit(&group->deltas, memory_order_acquire); }
/* Atomic, for readers concurrent with the writer. */
static uint64_t delta_at(const wfi_group *group, unsigned i) {
    return __atomic_load_n(&group->delta[i], __ATOMIC_RELAXED);
}

/* Sorts visible deltas by row (counting sort), then by target and position, so that the last delta of an arc comes
 * last. */
static unsigned sort_deltas(const wfi_group *group, uint64_t version, uint64_t *sorted) {
    unsigned deltas = deltas_of(group), count = 0;
    uint8_t place[WFI_GROUP_ROWS + 1] = {0};
    uint64_t seen[WFI_MOST_DELTAS]; /* arc << 8 | position */
    for (unsigned i = 0; i < deltas; i++) {
        uint64_t delta = delta_at(group, i);
        if (!is_seen(group, delta, version)) continue;
        seen[count] = (delta & ARC_MASK) << 8 | i;
        place[(seen[count++] >> 40) + 1]++;
    }
    for (unsigned r = 0; r < WFI_GROUP_ROWS; r++) place[r + 1] = (uint8_t)(place[r + 1] + place[r]);
    for (unsigned i = 0; i < count; i++) sorted[place[seen[i] >> 40]++] = seen[i];
    for (unsigned i = 1; i < count; i++) {
        uint64_t key = sorted[i];
        unsigned at = i;
        for (; at && sorted[at - 1] > key; at--) sorted[at] = sorted[at - 1];
        sorted[at] = key;
    }
    return count;
}

unsigned wfi_deltas_list(const wfi_group *group, uint64_t version, wfi_delta *list) {
    uint64_t sorted[WFI_MOST_DELTAS];
    const uint64_t *delta = group->delta;
    const char *weights = wfi_delta_weights(group);
    unsigned kept = 0, count = sort_deltas(group, version, sorted);
    for (unsigned i = 0; i < count; i++) {
        if (i + 1 < count && sorted[i] >> 8 == sorted[i + 1] >> 8) continue;
        unsigned at = sorted[i] & 255;
        list[kept++] = (wfi_delta){(weft_vid)delta[at], (uint8_t)(delta[at] >> 32 & 63),
                                   what_of(delta[at]) != WEFT_CHANGE_DELETE, weights + at * group->weight};
    }
    return kept;
}

void wfi_deltas_count(const wfi_group *group, uint64_t version, int32_t more[WFI_GROUP_ROWS]) {
    unsigned deltas = deltas_of(group);
    memset(more, 0, WFI_GROUP_ROWS * sizeof *more);
    for (unsigned i = 0; i < deltas; i++) {
        uint64_t delta = delta_at(group, i);
        if (!is_seen(group, delta, version)) continue;
        weft_change what = what_of(delta);
        more[delta >> 32 & 63] += what == WEFT_CHANGE_INSERT ? 1 : what == WEFT_CHANGE_DELETE ? -1 : 0;
    }
}

/* --- current arcs ------------------------------------------------------------------ */

/* Search for one arc and its weight; one of several interleaved binary searches. */
typedef struct question {
    wfi_edit edit;
    weft_vid row; /* slot of the row */
    bool open;    /* not answered by a delta; needs a search of the row */
    bool there;
    const wfi_long_row *leaves;  /* NULL for a short row */
    const weft_vid *first, *low; /* begin of the run, and of the part left to search */
    size_t count, left;          /* arcs in the run, and in the part left to search */
    const char *weights;         /* of the run; in the end, of the arc */
} question;

/* A part of at most NEAR targets is prefetched as a whole and counted instead of halved. */
enum { NEAR = 32, LINE = 64 / sizeof(weft_vid) };

static void prefetch_all(const weft_vid *targets, size_t count) {
    for (size_t i = 0; i < count; i += LINE) __builtin_prefetch(targets + i);
    if (count) __builtin_prefetch(targets + count - 1);
}

static void search_run(question *q, const weft_vid *targets, size_t count, const void *weights) {
    q->first = q->low = targets;
    q->count = q->left = count;
    q->weights = weights;
    if (count > NEAR)
        __builtin_prefetch(targets + count / 2);
    else
        prefetch_all(targets, count);
}

/* The filter answers for most arcs; otherwise all deltas are scanned without branches. */
static bool has_delta(const wfi_group *group, unsigned deltas, uint64_t arc) {
    uint64_t found = 0;
    if (!(group->delta_filter & bit_of(arc))) return false;
    for (unsigned i = 0; i < deltas; i++) found |= (group->delta[i] & ARC_MASK) == arc;
    return found;
}

/* Answers from the deltas, all of which are visible to the writer, or begins a search of the row. */
static void ask(question *q, const wfi_group *group, unsigned deltas) {
    unsigned r = q->edit.row;
    uint64_t arc = arc_of(r, q->edit.target);
    q->open = false;
    for (unsigned i = has_delta(group, deltas, arc) ? deltas : 0; i--;) {
        if ((group->delta[i] & ARC_MASK) != arc) continue;
        q->there = what_of(group->delta[i]) != WEFT_CHANGE_DELETE;
        q->weights = wfi_delta_weights(group) + i * group->weight;
        return;
    }
    q->open = true;
    q->leaves = wfi_long_row_of(group, r);
    if (q->leaves) {
        __builtin_prefetch(q->leaves);
        return;
    }
    const char *weights = group->weight ? (char *)wfi_group_weights(group) + group->start[r] * group->weight : NULL;
    search_run(q, wfi_group_targets(group) + group->start[r], group->start[r + 1] - group->start[r], weights);
}

/* The leaf that would contain the target. */
static const wfi_leaf *leaf_for(const wfi_long_row *row, weft_vid target) {
    uint32_t low = 0, count = row->leaves;
    while (count > 1) {
        uint32_t half = count / 2;
        bool right = row->at[low + half].first <= target;
        low += right ? half : 0;
        count = right ? count - half : half;
    }
    return row->at[low].leaf;
}

static void find_leaves(question *q, size_t count) {
    const wfi_leaf *leaf[2 * WFI_MOST_DELTAS];
    for (size_t i = 0; i < count; i++) {
        if (!q[i].open || !q[i].leaves) continue;
        leaf[i] = leaf_for(q[i].leaves, q[i].edit.target);
        __builtin_prefetch(leaf[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (q[i].open && q[i].leaves) search_run(&q[i], leaf[i]->targets, leaf[i]->count, wfi_leaf_weights(leaf[i]));
}

/* One step of each search; lists the searches that need another step. */
static size_t halve(question *q, uint8_t *far, size_t count) {
    size_t left = 0;
    for (size_t k = 0; k < count; k++) {
        question *x = &q[far[k]];
        size_t half = x->left / 2;
        bool right = x->low[half] < x->edit.target;
        x->low += right ? half + 1 : 0;
        x->left = right ? x->left - half - 1 : half;
        if (x->left > NEAR) {
            __builtin_prefetch(x->low + x->left / 2);
            far[left++] = far[k];
        } else {
            prefetch_all(x->low, x->left);
        }
    }
    return left;
}

/* Lower bound by counting, because branches would be unpredictable. */
static const weft_vid *lower_bound(const weft_vid *low, size_t left, weft_vid target) {
    unsigned below = 0;
    for (size_t i = 0; i < left; i++) below += low[i] < target;
    return low + below;
}

static void answer(question *q, size_t count, size_t weight) {
    uint8_t far[2 * WFI_MOST_DELTAS];
    size_t fars = 0;
    find_leaves(q, count);
    for (size_t i = 0; i < count; i++) {
        far[fars] = (uint8_t)i;
        fars += q[i].open && q[i].left > NEAR;
    }
    while (fars) fars = halve(q, far, fars);
    for (size_t i = 0; i < count; i++) {
        if (!q[i].open) continue;
        const weft_vid *low = lower_bound(q[i].low, q[i].left, q[i].edit.target);
        size_t at = (size_t)(low - q[i].first);
        q[i].there = at < q[i].count && *low == q[i].edit.target;
        if (weight) q[i].weights += at * weight;
    }
}

void wfi_deltas_prefetch(const wfi_changes *c, const wfi_placed *placed) {
    const wfi_group *group = placed->fresh;
    unsigned deltas = atomic_load_explicit(&group->deltas, memory_order_relaxed);
    uint64_t bits = 0;
    for (uint64_t i = placed->first; i < placed->end; i++) {
        unsigned row = wfi_change_row(c, i) % WFI_GROUP_ROWS;
        __builtin_prefetch(&group->start[row]);
        bits |= bit_of(arc_of(row, wfi_change_target(c, i)));
    }
    for (unsigned i = bits & group->delta_filter ? 0 : deltas; i <= deltas; i += 8)
        __builtin_prefetch(group->delta + i);
}

/* Appends the deltas of a group; edits without effect need none. */
static void write_group(wfi_merge *m, wfi_placed *p, const question *q, const question *end) {
    wfi_group *group = p->fresh;
    const char *weights = m->changes->weights;
    size_t weight = group->weight;
    unsigned before = deltas_of(group), deltas = before;
    uint64_t stamp = (m->maker.birth - group->head.birth) << STAMP_AT, filter = group->delta_filter;
    for (; q < end; q++) {
        if (!wfi_count_edit(m, q->row, &q->edit, q->there, q->weights)) continue;
        weft_change what = q->edit.change == WEFT_CHANGE_DELETE ? WEFT_CHANGE_DELETE
                           : q->there                           ? WEFT_CHANGE_WEIGHT
                                                                : WEFT_CHANGE_INSERT;
        uint64_t arc = arc_of(q->edit.row, q->edit.target);
        filter |= bit_of(arc);
        if (weight && what != WEFT_CHANGE_DELETE)
            memcpy(wfi_delta_weights(group) + deltas * weight, weights + q->edit.fresh * weight, weight);
        __atomic_store_n(&group->delta[deltas++], stamp | (uint64_t)what << ARC_BITS | arc, __ATOMIC_RELAXED);
    }
    p->end = p->first + (deltas - before);
    if (deltas == before) return;
    group->delta_filter = filter;
    atomic_store_explicit(&group->deltas, deltas, memory_order_release);
}

/* The filter keeps the bits of dropped deltas, which only costs extra scans. */
void wfi_deltas_rollback(const wfi_placed *placed) {
    wfi_group *group = placed->fresh;
    atomic_store_explicit(&group->deltas, deltas_of(group) - (unsigned)(placed->end - placed->first),
                          memory_order_release);
}

void wfi_deltas_write(wfi_merge *m, wfi_placed *placed, size_t groups) {
    question q[2 * WFI_MOST_DELTAS];
    size_t ends[WFI_MOST_DELTAS], count = 0, first = 0;
    for (size_t g = 0; g < groups; g++) {
        const wfi_placed *p = &placed[g];
        unsigned deltas = p->buffered ? deltas_of(p->fresh) : 0;
        for (uint64_t i = p->first; p->buffered && i < p->end; count++) {
            q[count].row = (weft_vid)wfi_change_row(m->changes, i);
            q[count].edit = wfi_next_edit(m, q[count].row, &i, p->end);
            ask(&q[count], p->fresh, deltas);
        }
        ends[g - first] = count;
        if (g + 1 < groups && count < WFI_MOST_DELTAS && g + 1 - first < WFI_MOST_DELTAS) continue;
        answer(q, count, m->maker.store->weight);
        for (size_t k = first; k <= g; k++)
            if (placed[k].buffered)
                write_group(m, &placed[k], q + (k > first ? ends[k - first - 1] : 0), q + ends[k - first]);
        first = g + 1;
        count = 0;
    }
}
