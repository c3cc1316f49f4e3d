/* Random shortest paths (random_path.h).
 * Method: a search by levels from both ends, always a whole level of the side whose last one has fewer arcs; it counts
 * paths on the way [1].  While the sides have not met, the ends are farther apart than both have come.  So the first
 * level in which they meet has, between it and the other side's last one, an arc of each shortest path: such an arc is
 * drawn by the number of paths that lead along it, and from both its ends predecessors by theirs.
 * [1] Borassi, Natale, "KADABRA is an ADaptive Algorithm for Betweenness via Random Approximation", ESA 2016. */
#include "algo/betweenness/random_path.h"
#include "gen/random.h"

enum { FROM, TO };

typedef struct side {
    const wfi_view *rows, *back; /* along which it searches; towards its end */
    uint64_t begin, end;         /* of its last level in the queue; it has seen as many vertices as `end` says */
    uint64_t arcs;               /* of that level */
    int32_t level;               /* above 0, whichever side */
} side;

typedef struct search {
    wfi_random_paths *r;
    uint64_t number;
    uint32_t draws;
    side side[2];
} search;

static weft_vid *place(const wfi_random_paths *r, int i, uint64_t at) {
    return &r->queue[i == FROM ? at : r->n - 1 - at];
}

static int32_t mark(int i, int32_t level) { return i == FROM ? level : -level; }

static wfi_wide_double count_of(const wfi_seen *seen) { return (wfi_wide_double){seen->digits, seen->exponent}; }

/* Before so many arcs are looked at. */
static bool stops(wfi_random_paths *r, uint64_t arcs) { return wfi_poll(&r->poll, arcs + 1); }

static void begin(search *s, int i, weft_vid v) {
    side *d = &s->side[i];
    wfi_view const *const rows[] = {s->r->out, s->r->in};
    *d = (side){.rows = rows[i], .back = rows[1 - i], .end = 1, .level = 1};
    d->arcs = wfi_degree(d->rows, v);
    *place(s->r, i, 0) = v;
    s->r->seen[v] = (wfi_seen){1, 0, mark(i, 1)};
}

/* Goes on to the next level.  The number of paths that lead along arcs to the other side, 0 while there are none. */
static wfi_wide_double next_level(search *s, int i) {
    wfi_random_paths *r = s->r;
    side *d = &s->side[i];
    int32_t next = mark(i, d->level + 1), others = mark(i, -1);
    uint64_t end = d->end;
    wfi_wide_double across = {0, 0};
    d->arcs = 0;
    for (uint64_t at = d->begin; at < d->end; at++) {
        weft_vid u = *place(r, i, at);
        if (stops(r, wfi_degree(d->rows, u))) break;
        wfi_wide_double count = count_of(&r->seen[u]);
        for (weft_eid e = d->rows->offsets[u], stop = d->rows->offsets[u + 1]; e < stop; e++) {
            weft_vid v = d->rows->targets[e];
            wfi_seen *to = &r->seen[v];
            if (!to->level) {
                *to = (wfi_seen){count.digits, count.exponent, next};
                *place(r, i, end++) = v;
                d->arcs += wfi_degree(d->rows, v);
            } else if (to->level == next) {
                wfi_wide_double sum = wfi_wide_double_sum(count_of(to), count);
                *to = (wfi_seen){sum.digits, sum.exponent, next};
            } else if ((to->level > 0) == (others > 0)) {
                across = wfi_wide_double_sum(across, wfi_wide_double_product(count, count_of(to)));
            }
        }
    }
    d->begin = d->end;
    d->end = end;
    d->level++;
    return across;
}

/* --- drawing -------------------------------------------------------------------------- */

/* A random part of the whole, without the whole. */
static wfi_wide_double part_of(search *s, wfi_wide_double whole) {
    uint64_t bits = wfi_draw(s->r->seed, WFI_FOR_PATHS, ++s->draws, s->number).first >> 11;
    return wfi_wide_double_product(whole, wfi_wide_double_of((double)bits * 0x1p-53, 0));
}

/* The arc from side i, which has just gone on from begin ... end - 1 of its queue, to the other side. */
static void draw_across(search *s, int i, uint64_t begin, uint64_t end, wfi_wide_double across, weft_vid arc[2]) {
    wfi_random_paths *r = s->r;
    const wfi_view *rows = s->side[i].rows;
    wfi_wide_double part = part_of(s, across), sum = {0, 0};
    for (uint64_t at = begin; at < end; at++) {
        weft_vid u = *place(r, i, at);
        if (stops(r, wfi_degree(rows, u))) return;
        for (weft_eid e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            const wfi_seen *to = &r->seen[rows->targets[e]];
            if (mark(i, to->level) >= 0) continue;
            arc[i] = u;
            arc[1 - i] = rows->targets[e];
            sum = wfi_wide_double_sum(sum, wfi_wide_double_product(count_of(&r->seen[u]), count_of(to)));
            if (wfi_wide_double_above(sum, part)) return;
        }
    }
}

/* The vertex before v on a path to its end. */
static weft_vid draw_before(search *s, int i, weft_vid v) {
    const wfi_random_paths *r = s->r;
    const wfi_view *back = s->side[i].back;
    const wfi_seen *here = &r->seen[v];
    int32_t before = here->level - mark(i, 1);
    wfi_wide_double part = part_of(s, count_of(here)), sum = {0, 0};
    weft_vid drawn = v;
    for (weft_eid e = back->offsets[v]; e < back->offsets[v + 1]; e++) {
        const wfi_seen *to = &r->seen[back->targets[e]];
        if (to->level != before) continue;
        drawn = back->targets[e]; /* the last one, if rounding leaves the sum below the part */
        sum = wfi_wide_double_sum(sum, count_of(to));
        if (wfi_wide_double_above(sum, part)) break;
    }
    return drawn;
}

static void walk(search *s, int i, weft_vid v, uint64_t *tally) {
    for (; s->r->seen[v].level != mark(i, 1) && !stops(s->r, wfi_degree(s->side[i].back, v)); v = draw_before(s, i, v))
        __atomic_fetch_add(&tally[v], 1, __ATOMIC_RELAXED);
}

/* --- a path --------------------------------------------------------------------------- */

static void forget(const search *s) {
    for (int i = 0; i < 2; i++)
        for (uint64_t at = 0; at < s->side[i].end; at++) s->r->seen[*place(s->r, i, at)].level = 0;
}

void wfi_random_path(wfi_random_paths *r, uint64_t number, uint64_t *tally) {
    search s = {.r = r, .number = number};
    wfi_random bits = wfi_draw(r->seed, WFI_FOR_PATHS, 0, number);
    weft_vid from = (weft_vid)wfi_below(bits.first, r->n), to = (weft_vid)wfi_below(bits.second, r->n - 1), arc[2];
    wfi_wide_double across = {0, 0};
    begin(&s, FROM, from);
    begin(&s, TO, to + (to >= from));
    const side *d = s.side;
    while (!r->poll.stop && d[FROM].begin < d[FROM].end && d[TO].begin < d[TO].end) {
        int i = d[TO].arcs < d[FROM].arcs;
        uint64_t level = d[i].begin, end = d[i].end;
        across = next_level(&s, i);
        if (!(across.digits > 0)) continue;
        draw_across(&s, i, level, end, across, arc);
        if (!r->poll.stop) {
            walk(&s, FROM, arc[FROM], tally);
            walk(&s, TO, arc[TO], tally);
        }
        break;
    }
    forget(&s);
}
