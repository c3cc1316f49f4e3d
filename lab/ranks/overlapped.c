/* Rung 6: rung 5 in parts.  While one thread of a rank computes the sums of a part, another sends those of the part before, and the shares that become of
 * them.  Two sets of shares: those that are read, and those of the next iteration, which come meanwhile. */
#include "sweeps.h"
#include "trade.h"

enum { PARTS = CUT_MOST_PARTS };

typedef struct state {
    sweeps s;
    block blocks[LAB_MOST_RANKS];
    trade sources[LAB_MOST_RANKS], targets[LAB_MOST_RANKS];
    float *shares_go, *shares_come[2];
    uint64_t *sums_go, *sums_come;
} state;

/* --- excerpt --- */
static void fold(crew_rank *me, const state *t, int part) {
    const trade *d = &t->targets[me->rank];
    const block *b = &t->blocks[me->rank];
    const uint64_t *sums = t->sums_go + (b->rows.id - t->blocks[0].rows.id), *asked = trade_asked(d, part);
    uint64_t *come = t->sums_come + (d->asked - t->targets[0].asked);
    crew_alltoall(me, me->along_row, sizeof *sums, sums, trade_listed(d, part), come, asked);
    for (uint64_t i = asked[0]; i < asked[me->grid.columns]; i++) t->s.sum[d->asked[i]] += come[i];
}

static void expand(crew_rank *me, const state *t, int part, float *shares) {
    const trade *d = &t->sources[me->rank];
    const uint64_t *asked = trade_asked(d, part);
    float *go = t->shares_go + (d->asked - t->sources[0].asked);
    for (uint64_t i = asked[0]; i < asked[me->grid.rows]; i++) go[i] = t->s.share[d->asked[i]];
    crew_alltoall(me, me->along_column, sizeof *go, go, asked, shares, trade_listed(d, part));
}

static void compute(crew_rank *me, void *given) {
    const state *t = given;
    const block *b = &t->blocks[me->rank];
    uint64_t *sums = t->sums_go + (b->rows.id - t->blocks[0].rows.id);
    for (uint64_t done = 0; done < t->s.iterations; done++) {
        crew_await(me, CREW_TALKS, done + 1);
        if (me->status) return;
        const float *shares = t->shares_come[done % 2] + (b->entries.id - t->blocks[0].entries.id);
        for (int p = 0; p < PARTS; p++) {
            const uint64_t *start = b->rows.start + p * me->grid.columns;
            for (uint64_t i = start[0]; i < start[me->grid.columns]; i++) {
                uint64_t sum = 0;
                for (weft_eid e = b->offsets[i]; e < b->offsets[i + 1]; e++) sum += sweeps_fixed(shares[b->entry[e]]);
                sums[i] = sum;
            }
            crew_step(me, CREW_COMPUTES);
        }
    }
}

/* The sums of a part become ranks, and their shares go out for the next iteration. */
static void take_part(crew_rank *me, const state *t, int part, double base, float *shares) {
    const weft_vid *slice = &t->s.cut.start[me->rank * PARTS + part];
    for (weft_vid v = slice[0]; v < slice[1]; v++) t->s.sum[v] = 0;
    fold(me, t, part);
    sweeps_advance(&t->s, base, slice[0], slice[1]);
    sweeps_share(&t->s, slice[0], slice[1]);
    if (shares) expand(me, t, part, shares);
}

static void talk(crew_rank *me, void *given) {
    const state *t = given;
    weft_vid first = cut_first(&t->s.cut, me->rank), end = cut_first(&t->s.cut, me->rank + 1);
    size_t at = (size_t)(t->blocks[me->rank].entries.id - t->blocks[0].entries.id);
    trade_announce(me, me->along_column, &t->sources[me->rank]);
    trade_announce(me, me->along_row, &t->targets[me->rank]);
    sweeps_begin(&t->s, first, end);
    sweeps_share(&t->s, first, end);
    for (int p = 0; p < PARTS; p++) expand(me, t, p, t->shares_come[0] + at);
    for (uint64_t done = 0; done < t->s.iterations; done++) {
        uint64_t lost = sweeps_lost(&t->s, first, end);
        bool goes_on = crew_sum(me, &lost, 1), last = done + 1 == t->s.iterations;
        crew_step(me, CREW_TALKS);
        for (int p = 0; p < PARTS && goes_on; p++) {
            crew_await(me, CREW_COMPUTES, done * PARTS + (uint64_t)p + 1);
            take_part(me, t, p, sweeps_base(&t->s, lost), last ? NULL : t->shares_come[(done + 1) % 2] + at);
        }
        if (!goes_on) return;
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_grid_of(r);
    size_t n = r->in.vertices, by_source = n * (size_t)grid.rows, by_target = n * (size_t)grid.columns;
    weft_status st = sweeps_open(r, grid, PARTS, &t.s);
    block_order order = {.needed_only = true, .row_parts = PARTS, .entry_parts = PARTS};
    if (!st) st = cut_blocks(r, &t.s.cut, order, t.blocks);
    if (!st) st = trade_take(r, &t.s.cut, t.blocks, false, t.sources);
    if (!st) st = trade_take(r, &t.s.cut, t.blocks, true, t.targets);
    t.shares_go = lab_take(r, by_source * sizeof *t.shares_go);
    for (int i = 0; i < 2; i++) t.shares_come[i] = lab_take(r, by_source * sizeof *t.shares_come[i]);
    t.sums_go = lab_take(r, by_target * sizeof *t.sums_go);
    t.sums_come = lab_take(r, by_target * sizeof *t.sums_come);
    if (st) return st;
    if (!t.shares_go || !t.shares_come[0] || !t.shares_come[1] || !t.sums_go || !t.sums_come) return WEFT_ENOMEM;
    return sweeps_close(&t.s, crew_run(r, grid, talk, compute, &t, sweeps_answer(&t.s)));
}

const lab_rung ranks_overlapped = {
    .name = "overlapped",
    .title = "2-D compressed, sent in four parts while others are computed",
    .against = "2d-compressed",
    .changed = "Targets are in four parts. A second thread of each rank sends the sums of a part, and the shares that "
               "become of them, while the first computes the next part.",
    .wins = "Networks where sending takes about as long as computing: up to half of the time. The same bytes are sent.",
    .loses = "Over memory, where a second thread has nothing to wait for and there may be no core for it; and small "
             "graphs, whose messages are mostly delay: there are four times as many.",
    .source = "lab/ranks/overlapped.c",
    .device = LAB_CPU,
    .adjust = sweeps_in_f32,
    .serves = sweeps_serve,
    .run = run,
};
