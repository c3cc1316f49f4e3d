/* Rung 1: a rank has the arcs out of its vertices.  It adds up what they bring to each target, anywhere, and sends the sums to the targets' ranks. */
#include "sweeps.h"

#include <string.h>

typedef struct told {
    uint32_t target, low, high; /* the sum in halves, so that one is 12 bytes */
} told;

typedef struct state {
    sweeps s;
    uint64_t *found; /* n for each rank */
    told *out, *in;  /* n for each rank: what goes; as many for each vertex as there are ranks: what comes */
} state;

/* --- excerpt --- */
static void add_up(const state *t, uint64_t *found, weft_vid first, weft_vid end) {
    const weft_csr *out = &t->s.r->out;
    memset(found, 0, t->s.n * sizeof *found);
    for (weft_vid u = first; u < end; u++) {
        uint64_t share = sweeps_fixed(t->s.share[u]);
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) found[out->targets[e]] += share;
    }
}

static void step(crew_rank *me, void *given) {
    const state *t = given;
    weft_vid first = cut_first(&t->s.cut, me->rank), end = cut_first(&t->s.cut, me->rank + 1);
    uint64_t *found = t->found + (size_t)me->rank * t->s.n, go[LAB_MOST_RANKS + 1] = {0},
             come[LAB_MOST_RANKS + 1] = {0};
    told *out = t->out + (size_t)me->rank * t->s.n, *in = t->in + (size_t)first * (size_t)me->ranks;
    add_up(t, found, first, end);
    uint64_t count = 0;
    for (int k = 0; k < me->ranks; k++) {
        for (weft_vid v = cut_first(&t->s.cut, k); v < cut_first(&t->s.cut, k + 1); v++)
            if (found[v] && k != me->rank) out[count++] = (told){v, (uint32_t)found[v], (uint32_t)(found[v] >> 32)};
        go[k + 1] = count;
    }
    crew_receive_starts(me, me->all, go, come);
    crew_alltoall(me, me->all, sizeof *out, out, go, in, come);
    for (weft_vid v = first; v < end; v++) t->s.sum[v] = found[v];
    for (uint64_t i = 0; i < come[me->ranks]; i++) t->s.sum[in[i].target] += (uint64_t)in[i].high << 32 | in[i].low;
}
/* --- end --- */

static void work(crew_rank *me, void *given) { sweeps_loop(me, &((state *)given)->s, step, given); }

static weft_status run(lab_run *r) {
    state t;
    crew_grid grid = crew_in_one_column(r);
    weft_status st = sweeps_open(r, grid, 1, &t.s);
    if (st) return st;
    size_t all = (size_t)t.s.n * (size_t)crew_ranks(r);
    t.found = lab_take(r, all * sizeof *t.found);
    t.out = lab_take(r, all * sizeof *t.out);
    t.in = lab_take(r, all * sizeof *t.in);
    lab_reads(r, &r->out);
    if (!t.found || !t.out || !t.in) return WEFT_ENOMEM;
    return sweeps_close(&t.s, crew_run(r, grid, work, NULL, &t, sweeps_answer(&t.s)));
}

const lab_rung ranks_push = {
    .name = "1d-push",
    .title = "1-D push: sums for targets anywhere, sent to their ranks",
    .changed = "The start, as one would write it: a rank has the rows of its own vertices, adds up what they bring to "
               "each target, and sends (target, sum), 12 bytes, for each target that it met and does not have.",
    .wins = "Graphs whose arcs stay within a rank: what is not met is not sent. And nobody needs incoming rows.",
    .loses = "R-MAT, where a rank meets most vertices: 12 bytes for each, and a sum is written to a random place for "
             "each arc, in an array of all n.",
    .source = "lab/ranks/push.c",
    .device = LAB_CPU,
    .adjust = sweeps_in_f32,
    .serves = sweeps_serve,
    .run = run,
};
