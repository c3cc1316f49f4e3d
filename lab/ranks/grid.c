/* Rung 4: arcs in a grid.  A rank has those from the sources of its column to the targets of its row. */
#include "sweeps.h"

#include <string.h>

typedef struct state {
    sweeps s;
    block blocks[LAB_MOST_RANKS];
    float *shares;  /* beside block.entries.id */
    uint64_t *sums; /* beside block.rows.id */
} state;

/* --- excerpt --- */
static void step(crew_rank *me, void *given) {
    const state *t = given;
    const block *b = &t->blocks[me->rank];
    weft_vid first = cut_first(&t->s.cut, me->rank), count = cut_count(&t->s.cut, me->rank);
    float *shares = t->shares + (b->entries.id - t->blocks[0].entries.id);
    uint64_t *sums = t->sums + (b->rows.id - t->blocks[0].rows.id);
    if (count) memcpy(shares + b->entries.start[me->row], t->s.share + first, count * sizeof *shares);
    crew_allgather(me, me->along_column, sizeof *shares, shares, b->entries.start);
    for (weft_vid i = 0; i < b->rows.count; i++) {
        uint64_t sum = 0;
        for (weft_eid e = b->offsets[i]; e < b->offsets[i + 1]; e++) sum += sweeps_fixed(shares[b->entry[e]]);
        sums[i] = sum;
    }
    crew_reduce_scatter(me, me->along_row, sums, b->rows.start, t->s.sum + first);
}
/* --- end --- */

static void work(crew_rank *me, void *given) { sweeps_loop(me, &((state *)given)->s, step, given); }

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_grid_of(r);
    size_t n = r->in.vertices;
    weft_status st = sweeps_open(r, grid, 1, &t.s);
    if (!st) st = cut_blocks(r, &t.s.cut, (block_order){.row_parts = 1, .entry_parts = 1}, t.blocks);
    t.shares = lab_take(r, n * (size_t)grid.rows * sizeof *t.shares);
    t.sums = lab_take(r, n * (size_t)grid.columns * sizeof *t.sums);
    if (st || !t.shares || !t.sums) return st ? st : WEFT_ENOMEM;
    return sweeps_close(&t.s, crew_run(r, grid, work, NULL, &t, sweeps_answer(&t.s)));
}

const lab_rung ranks_2d = {
    .name = "2d",
    .title = "2-D: shares along columns, sums along rows",
    .against = "1d-pull",
    .changed = "Ranks stand in a grid, and each has the arcs from its column's vertices to its row's (Yoo et al., SC "
               "2005). Shares are gathered along the column, sums are added up along the row (reduce-scatter).",
    .wins = "Many ranks: each talks to about 2 sqrt(R) others in the place of R, and holds n / sqrt(R) values in the "
            "place of n.",
    .loses = "Few ranks. A sum is 8 bytes, a share 4: with R = rows x columns a rank sends 4 (rows - 1) + 8 (columns - "
             "1) bytes for each vertex of its own, against 4 (R - 1). For 2 x 2 the two are equal, and there are more "
             "messages and sums to add.",
    .source = "lab/ranks/grid.c",
    .device = LAB_CPU,
    .adjust = sweeps_in_f32,
    .serves = sweeps_serve,
    .run = run,
};
