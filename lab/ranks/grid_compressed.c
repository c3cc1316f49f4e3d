/* Rung 5: rung 4 without what no arc needs. */
#include "sweeps.h"
#include "trade.h"

typedef struct state {
    sweeps s;
    block blocks[LAB_MOST_RANKS];
    trade sources[LAB_MOST_RANKS], targets[LAB_MOST_RANKS];
    float *shares_go, *shares_come; /* beside sources.asked, and block.entries.id */
    uint64_t *sums_go, *sums_come;  /* beside block.rows.id, and targets.asked */
} state;

/* --- excerpt --- */
static void expand(crew_rank *me, const state *t, float *shares) {
    const trade *d = &t->sources[me->rank];
    float *go = t->shares_go + (d->asked - t->sources[0].asked);
    for (uint64_t i = 0; i < d->asked_start[me->grid.rows]; i++) go[i] = t->s.share[d->asked[i]];
    crew_alltoall(me, me->along_column, sizeof *go, go, trade_asked(d, 0), shares, trade_listed(d, 0));
}

static void fold(crew_rank *me, const state *t, const uint64_t *sums) {
    const trade *d = &t->targets[me->rank];
    uint64_t *come = t->sums_come + (d->asked - t->targets[0].asked);
    crew_alltoall(me, me->along_row, sizeof *sums, sums, trade_listed(d, 0), come, trade_asked(d, 0));
    for (weft_vid v = cut_first(&t->s.cut, me->rank); v < cut_first(&t->s.cut, me->rank + 1); v++) t->s.sum[v] = 0;
    for (uint64_t i = 0; i < d->asked_start[me->grid.columns]; i++) t->s.sum[d->asked[i]] += come[i];
}

static void step(crew_rank *me, void *given) {
    const state *t = given;
    const block *b = &t->blocks[me->rank];
    float *shares = t->shares_come + (b->entries.id - t->blocks[0].entries.id);
    uint64_t *sums = t->sums_go + (b->rows.id - t->blocks[0].rows.id);
    expand(me, t, shares);
    for (weft_vid i = 0; i < b->rows.count; i++) {
        uint64_t sum = 0;
        for (weft_eid e = b->offsets[i]; e < b->offsets[i + 1]; e++) sum += sweeps_fixed(shares[b->entry[e]]);
        sums[i] = sum;
    }
    fold(me, t, sums);
}
/* --- end --- */

static void work(crew_rank *me, void *given) {
    const state *t = given;
    trade_announce(me, me->along_column, &t->sources[me->rank]);
    trade_announce(me, me->along_row, &t->targets[me->rank]);
    sweeps_loop(me, &t->s, step, given);
}

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_grid_of(r);
    size_t by_source = (size_t)r->in.vertices * (size_t)grid.rows,
           by_target = (size_t)r->in.vertices * (size_t)grid.columns;
    weft_status st = sweeps_open(r, grid, 1, &t.s);
    if (!st)
        st = cut_blocks(r, &t.s.cut, (block_order){.needed_only = true, .row_parts = 1, .entry_parts = 1}, t.blocks);
    if (!st) st = trade_take(r, &t.s.cut, t.blocks, false, t.sources);
    if (!st) st = trade_take(r, &t.s.cut, t.blocks, true, t.targets);
    t.shares_go = lab_take(r, by_source * sizeof *t.shares_go);
    t.shares_come = lab_take(r, by_source * sizeof *t.shares_come);
    t.sums_go = lab_take(r, by_target * sizeof *t.sums_go);
    t.sums_come = lab_take(r, by_target * sizeof *t.sums_come);
    if (st) return st;
    if (!t.shares_go || !t.shares_come || !t.sums_go || !t.sums_come) return WEFT_ENOMEM;
    return sweeps_close(&t.s, crew_run(r, grid, work, NULL, &t, sweeps_answer(&t.s)));
}

const lab_rung ranks_2d_compressed = {
    .name = "2d-compressed",
    .title = "2-D, only what blocks need",
    .against = "2d",
    .changed = "Only shares of sources that have an arc in the block come along the column, and only sums of targets "
               "that have one go along the row; who needs what is told once, 4 bytes each. The values are as they "
               "were, all their bits.",
    .wins = "Bytes: a block has 1 / R of the arcs, so that of a vertex of small degree most blocks know nothing. And "
            "rows without arcs are not walked.",
    .loses = "Graphs whose vertices all have many more arcs than there are ranks: everything is needed, and shares "
             "are gathered one by one.",
    .source = "lab/ranks/grid_compressed.c",
    .device = LAB_CPU,
    .adjust = sweeps_in_f32,
    .serves = sweeps_serve,
    .run = run,
};
