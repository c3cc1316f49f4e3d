/* Rung 3: rung 2, but a rank gets only the shares that its rows look at. */
#include "sweeps.h"
#include "trade.h"

typedef struct state {
    sweeps s;
    block blocks[LAB_MOST_RANKS];
    trade trades[LAB_MOST_RANKS];
    float *goes;  /* beside trade.asked */
    float *comes; /* beside block.entries.id */
} state;

/* --- excerpt --- */
static void step(crew_rank *me, void *given) {
    const state *t = given;
    const trade *d = &t->trades[me->rank];
    const block *b = &t->blocks[me->rank];
    weft_vid first = cut_first(&t->s.cut, me->rank), end = cut_first(&t->s.cut, me->rank + 1);
    float *goes = t->goes + (d->asked - t->trades[0].asked);
    float *comes = t->comes + (b->entries.id - t->blocks[0].entries.id);
    for (uint64_t i = 0; i < d->asked_start[me->ranks]; i++) goes[i] = t->s.share[d->asked[i]];
    crew_alltoall(me, me->all, sizeof *goes, goes, trade_asked(d, 0), comes, trade_listed(d, 0));
    for (weft_vid v = first; v < end; v++) t->s.sum[v] = 0;
    for (weft_vid i = 0; i < b->rows.count; i++) {
        uint64_t sum = 0;
        for (weft_eid e = b->offsets[i]; e < b->offsets[i + 1]; e++) sum += sweeps_fixed(comes[b->entry[e]]);
        t->s.sum[b->rows.id[i]] = sum;
    }
}

static void work(crew_rank *me, void *given) {
    const state *t = given;
    trade_announce(me, me->all, &t->trades[me->rank]); /* ids, once */
    sweeps_loop(me, &t->s, step, given);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_in_one_column(r);
    weft_status st = sweeps_open(r, grid, 1, &t.s);
    size_t all = (size_t)r->in.vertices * (size_t)crew_ranks(r);
    if (!st)
        st = cut_blocks(r, &t.s.cut, (block_order){.needed_only = true, .row_parts = 1, .entry_parts = 1}, t.blocks);
    if (!st) st = trade_take(r, &t.s.cut, t.blocks, false, t.trades);
    t.goes = lab_take(r, all * sizeof *t.goes);
    t.comes = lab_take(r, all * sizeof *t.comes);
    if (st || !t.goes || !t.comes) return st ? st : WEFT_ENOMEM;
    return sweeps_close(&t.s, crew_run(r, grid, work, NULL, &t, sweeps_answer(&t.s)));
}

const lab_rung ranks_needed = {
    .name = "1d-needed",
    .title = "1-D pull, only what is needed",
    .against = "1d-pull",
    .changed = "Before the first iteration each rank tells the others which of their vertices its rows look at (4 "
               "bytes each, once); then only those shares are sent, by an alltoall.",
    .wins = "Whenever rows look at few of the others' vertices: meshes, webs in the order of their hosts, many ranks. "
            "Vertices without arcs out are never sent.",
    .loses = "Where a rank needs nearly all, as with random arcs and degree / R far above 1: then there is nothing to "
             "leave out, shares are gathered one by one, and an alltoall has R - 1 messages where an allgather has "
             "log R.",
    .source = "lab/ranks/needed.c",
    .device = LAB_CPU,
    .adjust = sweeps_in_f32,
    .serves = sweeps_serve,
    .run = run,
};
