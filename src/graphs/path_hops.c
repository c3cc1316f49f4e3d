/* A path with the fewest hops: bidirectional breadth-first search.
 * Method: level by level, always on the side whose frontier has fewer arcs. All levels but the current one are
 * complete on both sides, so the first vertex that both sides have seen lies on a shortest path.
 * Encoding: visited marks are two bits per vertex, which fit a core's cache, and the only random writes; rows are
 * prefetched a level ahead. Whether a vertex is new is unpredictable, so each one is written behind the queue's end,
 * and the end advances if it was new: no mispredicted branch, and the queue has one entry more than vertices. */
#include "graphs/path.h"

#include <string.h>

enum { POLL = 1 << 12, IN_A_WORD = 32 };

static unsigned shift_of(weft_vid v) { return 2 * (v % IN_A_WORD); }

size_t wfi_path_mark_words(weft_vid n) { return (size_t)n / IN_A_WORD + 1; }

/* Counts the arcs of the queue's last level and prefetches its rows. Their offsets were prefetched on discovery. */
static uint64_t count_arcs(const wfi_path_side *side) {
    uint64_t arcs = 0;
    for (size_t at = side->level; at < side->end; at++) {
        weft_vid v = side->queue[at];
        arcs += wfi_degree(side->rows, v);
        __builtin_prefetch(&side->rows->targets[side->rows->offsets[v]]);
    }
    return arcs;
}

/* Finds the next level; stops with *met at the first common vertex, which is then the last in the queue. plain: no
 * vertex is shut and no arc barred. */
static inline __attribute__((always_inline)) weft_status next_level(wfi_path_search *s, const wfi_path_bar *bar, int i,
                                                                    bool plain, bool *met) {
    wfi_path_side *side = &s->side[i];
    const wfi_view *rows = side->rows;
    uint64_t *marks = s->marks, own = (uint64_t)1 << i, others = (uint64_t)2 >> i, both = own | others;
    size_t level_end = side->end, end = side->end;
    for (size_t at = side->level; at < level_end; at++) {
        weft_vid u = side->queue[at];
        if (at % POLL == 0 && wfi_cancelled(s->ctx)) return wfi_fail_cancelled(s->ctx);
        for (weft_eid e = rows->offsets[u], stop = rows->offsets[u + 1]; e < stop; e++) {
            weft_vid v = rows->targets[e];
            uint64_t *word = &marks[v / IN_A_WORD], mark = *word >> shift_of(v);
            if (!plain && (mark & own || !wfi_path_may_go(s, bar, i, u, v))) continue;
            *word |= own << shift_of(v);
            side->queue[end] = v;
            side->found[end] = (uint32_t)at;
            end += !(mark & own);
            __builtin_prefetch(&rows->offsets[v]);
            if ((mark & both) != others) continue;
            side->end = end;
            *met = true;
            return WEFT_OK;
        }
    }
    side->level = level_end;
    side->end = end;
    side->arcs = count_arcs(side);
    return WEFT_OK;
}

static void begin(wfi_path_search *s, int i, weft_vid v) {
    wfi_path_side *side = &s->side[i];
    side->queue[0] = v;
    side->found[0] = 0;
    side->level = 0;
    side->end = 1;
    side->arcs = side->rows ? wfi_degree(side->rows, v) : 0;
    s->marks[v / IN_A_WORD] |= (uint64_t)1 << i << shift_of(v);
}

/* Zeros the marks of the vertices seen, or all marks if that is cheaper. */
static void clear_marks(wfi_path_search *s) {
    size_t words = wfi_path_mark_words(s->g->n);
    if (s->side[0].end + s->side[1].end > words / 8) {
        memset(s->marks, 0, words * sizeof *s->marks);
        return;
    }
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < s->side[i].end; k++) s->marks[s->side[i].queue[k] / IN_A_WORD] = 0;
}

static size_t place_of(const wfi_path_side *side, weft_vid v) {
    size_t at = side->end - 1;
    while (side->queue[at] != v) at--;
    return at;
}

static size_t steps_from(const wfi_path_side *side, size_t at) {
    size_t steps = 0;
    for (; at; at = side->found[at]) steps++;
    return steps;
}

/* Joins both halves of the path at the last vertex that side i found. */
static weft_status join(const wfi_path_search *s, int i, wfi_path *path) {
    size_t at[2];
    at[i] = s->side[i].end - 1;
    at[1 - i] = place_of(&s->side[1 - i], s->side[i].queue[at[i]]);
    size_t before = steps_from(&s->side[0], at[0]), after = steps_from(&s->side[1], at[1]);
    weft_status st = wfi_path_alloc(s->ctx, before + 1 + after, path);
    if (st) return st;
    for (size_t k = before + 1; k-- > 0; at[0] = s->side[0].found[at[0]]) path->vertices[k] = s->side[0].queue[at[0]];
    for (size_t k = before + 1; k < path->count; k++) {
        at[1] = s->side[1].found[at[1]];
        path->vertices[k] = s->side[1].queue[at[1]];
    }
    return WEFT_OK;
}

weft_status wfi_path_by_hops(wfi_path_search *s, weft_vid from, weft_vid to, const wfi_path_bar *bar, wfi_path *path) {
    const wfi_path_side *side = s->side;
    weft_status st = WEFT_OK;
    bool met = false, plain = !s->shut && !bar->count;
    begin(s, 0, from);
    begin(s, 1, to);
    while (!st && !met && side[0].level < side[0].end && (!s->both || side[1].level < side[1].end)) {
        int i = s->both && side[1].arcs < side[0].arcs;
        st = plain ? next_level(s, bar, i, true, &met) : next_level(s, bar, i, false, &met);
        if (!st && met) st = join(s, i, path);
    }
    clear_marks(s);
    return st;
}
