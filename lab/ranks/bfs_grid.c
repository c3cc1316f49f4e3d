/* BFS, rung 4: arcs in a grid.  A rank has those from the sources of its column to the targets of its row: frontiers are expanded along columns, what they
 * find is folded along rows. */
#include "searches.h"

typedef struct pair {
    weft_vid target, parent; /* target: counted from the first vertex of its rank */
} pair;

typedef struct state {
    searches s;
    block blocks[LAB_MOST_RANKS];
    weft_vid *gathered;        /* beside block.rows.id: the column's frontier */
    weft_vid *parent, *listed; /* beside block.entries.id: the smallest parent found in this level; who was found */
    pair *out, *in;            /* beside block.entries.id; as many for each vertex as there are columns */
} state;

/* --- excerpt --- */
/* The frontier of the column, as places among the rows of the block. */
static uint64_t expand(crew_rank *me, const state *t, weft_vid *gathered, const search_level *now) {
    const block *b = &t->blocks[me->rank];
    weft_vid first = cut_first(&t->s.cut, me->rank);
    uint64_t counts[LAB_MOST_RANKS] = {0}, start[LAB_MOST_RANKS + 1] = {0};
    crew_allgather_u64(me, me->along_column, now->count, counts);
    for (int k = 0; k < me->grid.rows; k++) start[k + 1] = start[k] + counts[k];
    for (uint64_t i = 0; i < now->count; i++) gathered[start[me->row] + i] = t->s.frontier[first + i] - first;
    crew_allgather(me, me->along_column, sizeof *gathered, gathered, start);
    for (int k = 0; k < me->grid.rows; k++)
        for (uint64_t i = start[k]; i < start[k + 1]; i++) gathered[i] += (weft_vid)b->rows.start[k];
    return start[me->grid.rows];
}

static uint64_t follow(const block *b, const weft_vid *places, uint64_t count, weft_vid *parent, weft_vid *listed) {
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        weft_vid u = b->rows.id[places[i]];
        for (weft_eid e = b->offsets[places[i]]; e < b->offsets[places[i] + 1]; e++) {
            weft_vid v = b->entry[e];
            if (parent[v] == WEFT_NO_VERTEX) listed[found++] = v;
            if (u < parent[v]) parent[v] = u;
        }
    }
    return found;
}

/* Each target that the block found, with one parent, to its rank. */
static uint64_t fold(crew_rank *me, const state *t, weft_vid *parent, const weft_vid *listed, uint64_t found,
                     uint32_t level) {
    const block *b = &t->blocks[me->rank];
    weft_vid first = cut_first(&t->s.cut, me->rank);
    pair *out = t->out + (b->entries.id - t->blocks[0].entries.id);
    pair *in = t->in + (size_t)first * (size_t)me->grid.columns;
    uint64_t go[LAB_MOST_RANKS + 1] = {0}, come[LAB_MOST_RANKS + 1] = {0}, count = 0, reached = 0;
    for (int o = 0; o < me->grid.columns; o++) {
        weft_vid begin = (weft_vid)b->entries.start[o], end = (weft_vid)b->entries.start[o + 1];
        for (uint64_t i = 0; i < found; i++)
            if (begin <= listed[i] && listed[i] < end) out[count++] = (pair){listed[i] - begin, parent[listed[i]]};
        go[o + 1] = count;
    }
    for (uint64_t i = 0; i < found; i++) parent[listed[i]] = WEFT_NO_VERTEX;
    crew_receive_starts(me, me->along_row, go, come);
    crew_alltoall(me, me->along_row, sizeof *out, out, go, in, come);
    for (uint64_t i = 0; i < come[me->grid.columns]; i++)
        if (searches_reach(&t->s, first + in[i].target, in[i].parent, level))
            t->s.frontier[first + reached++] = first + in[i].target;
    return reached;
}
/* --- end --- */

static uint64_t step(crew_rank *me, void *given, const search_level *now) {
    const state *t = given;
    const block *b = &t->blocks[me->rank];
    weft_vid *gathered = t->gathered + (b->rows.id - t->blocks[0].rows.id);
    size_t at = (size_t)(b->entries.id - t->blocks[0].entries.id);
    uint64_t count = expand(me, t, gathered, now);
    uint64_t found = follow(b, gathered, count, t->parent + at, t->listed + at);
    return fold(me, t, t->parent + at, t->listed + at, found, now->level);
}

static void work(crew_rank *me, void *given) {
    const state *t = given;
    const block *b = &t->blocks[me->rank];
    weft_vid *parent = t->parent + (b->entries.id - t->blocks[0].entries.id);
    for (weft_vid v = 0; v < b->entries.count; v++) parent[v] = WEFT_NO_VERTEX;
    searches_loop(me, &t->s, step, given);
}

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_grid_of(r);
    size_t by_source = (size_t)r->out.vertices * (size_t)grid.rows,
           by_target = (size_t)r->out.vertices * (size_t)grid.columns;
    weft_status st = searches_open(r, grid, 1, &t.s);
    if (!st) st = cut_blocks(r, &t.s.cut, (block_order){.sources = true, .row_parts = 1, .entry_parts = 1}, t.blocks);
    t.gathered = lab_take(r, by_source * sizeof *t.gathered);
    t.parent = lab_take(r, by_target * sizeof *t.parent);
    t.listed = lab_take(r, by_target * sizeof *t.listed);
    t.out = lab_take(r, by_target * sizeof *t.out);
    t.in = lab_take(r, by_target * sizeof *t.in);
    if (st || !t.gathered || !t.parent || !t.listed || !t.out || !t.in) return st ? st : WEFT_ENOMEM;
    return searches_close(&t.s, crew_run(r, grid, work, NULL, &t, searches_answer(&t.s)));
}

const lab_rung ranks_bfs_2d = {
    .name = "2d",
    .title = "2-D top-down: expand along columns, fold along rows",
    .against = "1d-push",
    .changed = "The frontier of a column is gathered along it as a list; what the block's arcs find is sent along the "
               "row, each target once a level (Buluc and Madduri, SC 2011).",
    .wins = "Against rung 1: a target that many arcs of a block lead to is one pair, and a rank talks to its row and "
            "its column only.",
    .loses = "Against rungs 2 and 3: targets that were found in earlier levels are sent again, with parents, where "
             "from the bottom up n bits do.",
    .source = "lab/ranks/bfs_grid.c",
    .device = LAB_CPU,
    .serves = searches_serve,
    .run = run,
};
