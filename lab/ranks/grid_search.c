/* See grid_search.h. */
#include "grid_search.h"

#include "coded.h"

#include <string.h>

static const weft_vid *slice_of(const grid_search *g, int rank, int part) {
    return &g->s.cut.start[rank * g->parts + part];
}

static uint64_t slice_span(const grid_search *g, int rank, int part) {
    const weft_vid *slice = slice_of(g, rank, part);
    return slice[1] - slice[0];
}

/* The rank at place k of this one's column, and at place o of its row. */
static int in_column(const crew_rank *me, int k) { return k * me->grid.columns + me->column; }
static int in_row(const crew_rank *me, int o) { return me->row * me->grid.columns + o; }

void grid_search_begin(const crew_rank *me, const grid_search *g) {
    const grid_rank *k = &g->rank[me->rank];
    for (weft_vid v = 0; v < k->b->entries.count; v++) k->found_in[v] = 0;
    g->rank[me->rank].next_count = 0;
}

/* --- along the column ------------------------------------------------------------------------ */

void grid_expand(crew_rank *me, const grid_search *g, int part, const search_level *now) {
    grid_rank *k = &g->rank[me->rank];
    const weft_vid *frontier = g->s.frontier + cut_first(&g->s.cut, me->rank), *slice = slice_of(g, me->rank, part);
    uint64_t count = 0, *counts = k->counts[part], start[LAB_MOST_RANKS + 1];
    for (uint64_t i = 0; i < now->count; i++)
        if (slice[0] <= frontier[i] && frontier[i] < slice[1]) k->own[count++] = frontier[i] - slice[0];
    crew_allgather_u64(me, me->along_column, count, counts);
    start[0] = k->b->rows.start[part * me->grid.rows];
    for (int o = 0; o < me->grid.rows; o++)
        start[o + 1] = start[o] + coded_words(counts[o], slice_span(g, in_column(me, o), part));
    coded_write(k->own, count, slice_span(g, me->rank, part), k->heard + start[me->row]);
    crew_allgather(me, me->along_column, sizeof *k->heard, k->heard, start);
}

/* --- in the block ----------------------------------------------------------------------------- */

static void find(grid_rank *k, weft_vid v, weft_vid u, uint32_t first_part, uint32_t now, int set) {
    const uint64_t *start = k->b->entries.start;
    if (k->found_in[v] == now) {
        if (u < k->parent[v]) k->parent[v] = u;
        return;
    }
    bool known = k->found_in[v] && (k->found_in[v] < first_part || k->parent[v] < u);
    if (known) return; /* it was told, in an earlier level or with a smaller parent */
    k->found_in[v] = now;
    k->parent[v] = u;
    int o = 0;
    while (start[o + 1] <= v) o++;
    k->found[set][start[o] + k->found_count[set][o]++] = v - (weft_vid)start[o];
}

/* For each owner the set, then the parents in its order. */
static void write_message(const crew_rank *me, const grid_search *g, grid_rank *k, int set) {
    uint32_t *at = k->message[set];
    for (int o = 0; o < me->grid.columns; o++) {
        uint64_t count = k->found_count[set][o], begin = k->b->entries.start[o];
        uint64_t span = cut_count(&g->s.cut, in_row(me, o)), words = coded_words(count, span);
        weft_vid *found = k->found[set] + begin;
        coded_write(found, count, span, at);
        coded_read(at, count, span, found);
        for (uint64_t i = 0; i < count; i++) at[words + i] = k->parent[begin + found[i]];
        at += words + count;
    }
}

void grid_follow(const crew_rank *me, const grid_search *g, int part, uint32_t level) {
    grid_rank *k = &g->rank[me->rank];
    const block *b = k->b;
    const uint64_t *begin = b->rows.start + part * me->grid.rows;
    const uint32_t *heard = k->heard + begin[0];
    uint32_t first_part = level * (uint32_t)g->parts + 1, now = first_part + (uint32_t)part;
    memset(k->found_count[part % 2], 0, sizeof k->found_count[part % 2]);
    for (int o = 0; o < me->grid.rows; o++) {
        uint64_t count = k->counts[part][o], span = slice_span(g, in_column(me, o), part);
        weft_vid *place = k->places + begin[o];
        coded_read(heard, count, span, place);
        heard += coded_words(count, span);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t row = begin[o] + place[i];
            for (weft_eid e = b->offsets[row]; e < b->offsets[row + 1]; e++)
                find(k, b->entry[e], b->rows.id[row], first_part, now, part % 2);
        }
    }
    write_message(me, g, k, part % 2);
}

/* --- along the row ------------------------------------------------------------------------------ */

/* The set of one sender, behind which its parents are. */
static const uint32_t *reach(const crew_rank *me, const grid_search *g, grid_rank *k, const uint32_t *message,
                             uint64_t count, uint32_t level) {
    weft_vid first = cut_first(&g->s.cut, me->rank), span = cut_count(&g->s.cut, me->rank);
    const uint32_t *parents = message + coded_words(count, span);
    coded_read(message, count, span, k->own);
    for (uint64_t i = 0; i < count; i++)
        if (searches_reach(&g->s, first + k->own[i], parents[i], level)) k->next[k->next_count++] = first + k->own[i];
    return parents + count;
}

void grid_fold(crew_rank *me, const grid_search *g, int part, uint32_t level) {
    grid_rank *k = &g->rank[me->rank];
    uint64_t counts[LAB_MOST_RANKS + 1] = {0}, told[LAB_MOST_RANKS + 1] = {0}, go[LAB_MOST_RANKS + 1] = {0},
                                     come[LAB_MOST_RANKS + 1] = {0};
    for (int o = 0; o < me->grid.columns; o++) {
        uint64_t count = k->found_count[part % 2][o];
        counts[o + 1] = counts[o] + count;
        go[o + 1] = go[o] + count + coded_words(count, cut_count(&g->s.cut, in_row(me, o)));
    }
    crew_receive_starts(me, me->along_row, counts, told);
    for (int o = 0; o < me->grid.columns; o++) {
        uint64_t count = told[o + 1] - told[o];
        come[o + 1] = come[o] + count + coded_words(count, cut_count(&g->s.cut, me->rank));
    }
    crew_alltoall(me, me->along_row, sizeof *k->incoming, k->message[part % 2], go, k->incoming, come);
    const uint32_t *message = k->incoming;
    for (int o = 0; o < me->grid.columns; o++) message = reach(me, g, k, message, told[o + 1] - told[o], level);
}

uint64_t grid_turn(const crew_rank *me, const grid_search *g) {
    grid_rank *k = &g->rank[me->rank];
    uint64_t count = k->next_count;
    if (count) memcpy(g->s.frontier + cut_first(&g->s.cut, me->rank), k->next, count * sizeof *k->next);
    k->next_count = 0;
    return count;
}

/* --- memory ---------------------------------------------------------------------------------------- */

weft_status grid_search_open(lab_run *r, int parts, grid_search *g) {
    crew_grid grid = crew_grid_of(r);
    size_t n = r->out.vertices, each = sizeof(uint32_t), by_source = n * (size_t)grid.rows,
           by_target = n * (size_t)grid.columns;
    weft_status st = searches_open(r, grid, parts, &g->s);
    g->parts = parts;
    if (!st)
        st = cut_blocks(r, &g->s.cut, (block_order){.sources = true, .row_parts = parts, .entry_parts = 1}, g->blocks);
    g->rank = lab_take(r, (size_t)crew_ranks(r) * sizeof *g->rank);
    uint32_t *heard = lab_take(r, by_source * each), *places = lab_take(r, by_source * each);
    uint32_t *parent = lab_take(r, by_target * each), *found_in = lab_take(r, by_target * each);
    uint32_t *found = lab_take(r, 2 * by_target * each), *message = lab_take(r, 4 * by_target * each);
    uint32_t *own = lab_take(r, n * each), *next = lab_take(r, n * each);
    uint32_t *incoming = lab_take(r, 2 * by_target * each);
    if (st || !g->rank || !heard || !places || !parent || !found_in || !found || !message || !own || !next || !incoming)
        return st ? st : WEFT_ENOMEM;
    for (int i = 0; i < crew_ranks(r); i++) {
        const block *b = &g->blocks[i];
        size_t row = (size_t)(b->rows.id - g->blocks[0].rows.id), first = cut_first(&g->s.cut, i);
        size_t entry = (size_t)(b->entries.id - g->blocks[0].entries.id);
        g->rank[i] = (grid_rank){.b = b,
                                 .heard = heard + row,
                                 .places = places + row,
                                 .parent = parent + entry,
                                 .found_in = found_in + entry,
                                 .found = {found + entry, found + by_target + entry},
                                 .message = {message + 2 * entry, message + 2 * (by_target + entry)},
                                 .own = own + first,
                                 .next = next + first,
                                 .incoming = incoming + 2 * first * (size_t)grid.columns};
    }
    return WEFT_OK;
}
