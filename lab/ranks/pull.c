/* Rung 2: a rank has the arcs into its vertices, and gets the shares of all vertices. */
#include "sweeps.h"

#include <string.h>

typedef struct state {
    sweeps s;
    float *shares; /* n for each rank */
    uint64_t start[LAB_MOST_RANKS + 1];
} state;

/* --- excerpt --- */
static void step(crew_rank *me, void *given) {
    const state *t = given;
    const weft_csr *in = &t->s.r->in;
    weft_vid first = cut_first(&t->s.cut, me->rank), count = cut_count(&t->s.cut, me->rank);
    float *shares = t->shares + (size_t)me->rank * t->s.n;
    if (count) memcpy(shares + first, t->s.share + first, count * sizeof *shares);
    crew_allgather(me, me->all, sizeof *shares, shares, t->start);
    for (weft_vid v = first; v < first + count; v++) {
        uint64_t sum = 0;
        for (weft_eid e = in->offsets[v]; e < in->offsets[v + 1]; e++) sum += sweeps_fixed(shares[in->targets[e]]);
        t->s.sum[v] = sum;
    }
}
/* --- end --- */

static void work(crew_rank *me, void *given) { sweeps_loop(me, &((state *)given)->s, step, given); }

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_in_one_column(r);
    weft_status st = sweeps_open(r, grid, 1, &t.s);
    if (st) return st;
    cut_starts(&t.s.cut, t.start);
    t.shares = lab_take(r, (size_t)t.s.n * (size_t)crew_ranks(r) * sizeof *t.shares);
    lab_reads(r, &r->in);
    if (!t.shares) return WEFT_ENOMEM;
    return sweeps_close(&t.s, crew_run(r, grid, work, NULL, &t, sweeps_answer(&t.s)));
}

const lab_rung ranks_pull = {
    .name = "1d-pull",
    .title = "1-D pull: everybody gets the shares of all vertices",
    .against = "1d-push",
    .changed = "A rank has the incoming rows of its vertices. Shares travel, not sums: an allgather of 4 bytes a "
               "vertex, which needs no ids and no counts. This is what the library does.",
    .wins = "4 bytes in the place of 12, and a sum is kept in a register, not in memory.",
    .loses = "Many ranks: each receives 4 (n - n / R) bytes an iteration, however little of it its rows look at, and "
             "holds all of it.",
    .source = "lab/ranks/pull.c",
    .device = LAB_CPU,
    .adjust = sweeps_in_f32,
    .serves = sweeps_serve,
    .run = run,
};
