/* See cost.h.  The cost of a run is the sum of its steps: the bytes that the ranks of a group send each other, and the
 * work of each rank.  Nothing overlaps.
 *
 * Collective calls cost what their usual schedules do [1], which src/ranks/paced.c follows message by message.  Ranks
 * of one machine pool the bytes for another machine: they share its links, then pass the bytes on among themselves.
 * Steps and bytes are those of src/algo/pagerank on ranks, in 2-D of grid.c.
 * [1] Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19 (2005). */
#include "ranks/cost.h"

#include <math.h>

static double doublings(double x) { return x > 1 ? ceil(log2(x)) : 0; }

double wfi_cost_machines(wfi_cost_group g) { return ceil((double)g.ranks / g.near); }

static wfi_cost_group group_of(int ranks, int near) {
    return (wfi_cost_group){ranks, near < ranks ? (near > 1 ? near : 1) : ranks};
}

wfi_cost_group wfi_cost_everybody(const wfi_tally *t) { return group_of(t->run->ranks, t->m->node); }

void wfi_cost_delays(wfi_tally *t, double far, double near, double times) {
    t->cost.messages += times * (far + near);
    t->cost.delay_s += times * (far * t->m->far.delay + near * t->m->near.delay);
}

void wfi_cost_transfers(wfi_tally *t, double far, double near, double times) {
    if (far > 0) t->cost.transfer_s += times * far / t->m->far.bandwidth;
    if (near > 0) t->cost.transfer_s += times * near / t->m->near.bandwidth;
}

/* --- collective calls ---------------------------------------------------------------------- */

void wfi_cost_allgather(wfi_tally *t, wfi_cost_group g, double bytes, double times) {
    double there = wfi_cost_machines(g), near = g.near;
    if (g.ranks < 2) return;
    t->cost.sent += times * bytes * (g.ranks - 1) * t->run->ranks / g.ranks;
    wfi_cost_delays(t, doublings(there), doublings(near), times);
    wfi_cost_transfers(t, bytes * (there - 1) / there / near, bytes * (near - 1) / near, times);
}

void wfi_cost_alltoall(wfi_tally *t, wfi_cost_group g, double bytes, double times) {
    double others = g.ranks - 1, near = g.near - 1;
    if (g.ranks < 2) return;
    t->cost.sent += times * bytes * t->run->ranks;
    wfi_cost_delays(t, wfi_cost_machines(g) - 1, near, times);
    wfi_cost_transfers(t, bytes * (others - near) / others, bytes * near / others, times);
}

/* Each rank has so many bytes to be added up, and keeps its part of the sums. */
static void reduce_scatter(wfi_tally *t, wfi_cost_group g, double bytes, double times) {
    wfi_cost_alltoall(t, g, bytes * (g.ranks - 1) / g.ranks, times);
}

/* Ranks beyond a power of two have a message before the others, and one after. */
void wfi_cost_allreduce(wfi_tally *t, double bytes, double times) {
    wfi_cost_group g = wfi_cost_everybody(t);
    double power = exp2(floor(log2(g.ranks))), near = doublings(g.near);
    double steps = log2(power) + (power < g.ranks ? 2 : 0), far = steps > near ? steps - near : 0;
    if (g.ranks < 2) return;
    wfi_cost_delays(t, far, steps - far, times);
    wfi_cost_transfers(t, bytes * far, bytes * (steps - far), times);
}

void wfi_cost_tell_counts(wfi_tally *t, double times) {
    double sent = t->cost.sent;
    wfi_cost_alltoall(t, wfi_cost_everybody(t), 8.0 * (t->run->ranks - 1), times);
    t->cost.sent = sent;
}

/* --- work of each rank's own ----------------------------------------------------------------- */

double wfi_cost_crowding(const wfi_tally *t) {
    return t->m->cores && t->run->ranks > t->m->cores ? (double)t->run->ranks / t->m->cores : 1;
}

void wfi_cost_look_at(wfi_tally *t, double arcs, double vertices) {
    const wfi_cost_rate *r = &t->m->arcs;
    t->cost.compute_s += wfi_cost_crowding(t) * arcs / (vertices < t->m->large_from ? r->rate : r->large);
}

void wfi_cost_touch(wfi_tally *t, double bytes) { t->cost.compute_s += wfi_cost_crowding(t) * bytes / t->m->copy; }

double wfi_cost_id_bytes(double vertices) { return vertices < 0x1p32 ? 4 : 8; }

void wfi_cost_hold_rows(wfi_tally *t, int directions) {
    const wfi_cost_run *r = t->run;
    t->cost.memory += directions * (r->arcs * wfi_cost_id_bytes(r->vertices) + r->vertices * 8) / r->ranks;
}

/* Arcs go to the ranks of the group that need them, any of these alike, with `each` bytes in all. */
static void bring(wfi_tally *t, wfi_cost_group g, double each) {
    const wfi_cost_run *r = t->run;
    double mine = r->arcs / r->ranks;
    wfi_cost_alltoall(t, g, mine * each * (g.ranks - 1) / g.ranks, 1);
    wfi_cost_tell_counts(t, each / 4);
    wfi_cost_touch(t, mine * 4 * each);
}

void wfi_cost_make_in(wfi_tally *t, double each) {
    if (t->run->in_missing && !t->run->again) bring(t, wfi_cost_everybody(t), each);
}

void wfi_cost_agree(wfi_tally *t, double times) { wfi_cost_allreduce(t, 8, times); }

/* --- PageRank ---------------------------------------------------------------------------------- */

/* Bytes of an arc that is brought to another rank: first its target, to count, then both ends. */
static double arc_bytes(const wfi_cost_run *r) { return 12 + r->weight; }

/* Values travel along columns in pairs, as sums do along rows. */
static void pagerank_on_grid(wfi_tally *t) {
    const wfi_cost_run *r = t->run;
    double n = r->vertices;
    int columns = t->cost.columns, rows = t->cost.rows;
    /* The ranks of a row of the grid are neighbours. */
    wfi_cost_group along_row = group_of(columns, t->m->node), along_column = group_of(rows, t->m->node / columns);
    if (!r->again) bring(t, along_column, arc_bytes(r));
    wfi_cost_agree(t, 5);
    wfi_cost_alltoall(t, along_column, r->value * n / r->ranks * (rows - 1), r->iterations + 1);
    reduce_scatter(t, along_row, r->sum * n / rows, r->iterations);
    wfi_cost_allreduce(t, 56, r->iterations + 2);
    wfi_cost_look_at(t, r->iterations * r->arcs / r->ranks, n / columns);
    wfi_cost_touch(t, r->iterations * 2 * r->sum * n / rows);
    t->cost.memory +=
        r->arcs / r->ranks * (wfi_cost_id_bytes(n) + r->weight) + 8 * n / r->ranks; /* arcs out of its vertices */
    t->cost.memory +=
        r->arcs / r->ranks * (wfi_cost_id_bytes(n / columns) + r->weight) + 8 * n / rows; /* arcs of its block */
    t->cost.memory += r->value * n / columns + 2 * r->sum * n / rows + 24 * n / r->ranks;
}

static void pagerank_in_ranges(wfi_tally *t) {
    const wfi_cost_run *r = t->run;
    double n = r->vertices, times = r->iterations + 1;
    wfi_cost_make_in(t, arc_bytes(r));
    wfi_cost_agree(t, 5);
    wfi_cost_allgather(t, wfi_cost_everybody(t), r->value * n, times);
    wfi_cost_allreduce(t, 56, times + 1);
    wfi_cost_look_at(t, r->iterations * (r->arcs / r->ranks), n);
    wfi_cost_hold_rows(t, r->in_missing ? 2 : 1);
    t->cost.memory += r->value * n + 24 * n / r->ranks;
}

static wfi_run_cost cost_on(const wfi_cost_machine *machine, const wfi_cost_run *run, int columns) {
    wfi_tally t = {machine, run, {.rows = run->ranks / columns, .columns = columns}};
    run->cut == CUT_2D ? pagerank_on_grid(&t) : pagerank_in_ranges(&t);
    return t.cost;
}

wfi_run_cost wfi_cost_pagerank(const wfi_cost_machine *machine, const wfi_cost_run *run) {
    bool choose = run->cut == CUT_2D && !run->columns;
    wfi_run_cost best = cost_on(machine, run, run->cut == CUT_2D && run->columns ? run->columns : 1);
    for (int columns = 2; choose && columns <= run->ranks; columns++) {
        if (run->ranks % columns) continue;
        wfi_run_cost c = cost_on(machine, run, columns);
        bool fits = c.memory <= machine->memory, best_fits = best.memory <= machine->memory;
        bool better =
            fits ? !best_fits || wfi_cost_seconds(&c) < wfi_cost_seconds(&best) : !best_fits && c.memory < best.memory;
        if (better) best = c;
    }
    return best;
}

/* --- machines ---------------------------------------------------------------------------------- */

/* Measured with one thread, on a symmetrised R-MAT graph of 2^24 vertices; links between two busy cores: 8 bytes in
 * 0.5 us, 8 KiB at 2 GB/s. */
#define XEON                                                                                            \
    .node = 16, .memory = 8e9, .near = {0.5e-6, 2e9}, .large_from = 0x1p24 + 1, .arcs = {186e6, 186e6}, \
    .copy = 99.5e9 / 16
const wfi_cost_machine wfi_cost_xeon = {XEON};
/* Between machines 80 % of a port of 100 Gb/s that 16 ranks share, and 20 us, are assumed. */
const wfi_cost_machine wfi_cost_xeons = {XEON, .far = {20e-6, 10e9 / 16}};
