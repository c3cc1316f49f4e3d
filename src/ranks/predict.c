/* See predict.h.  The cost of a run is the sum of its steps: what the ranks of a group send each other, and what each
 * computes.  Nothing overlaps.
 *
 * Collective calls cost what their usual schedules do [1], which src/ranks/paced.c follows message by message.  Ranks
 * of one machine pool what goes to another: they share its links, then pass on among themselves.  Steps and bytes are
 * those of src/algo/NAME on ranks, in 2-D of grid.c.  How many levels and messages a search has, and how many roots
 * hang, are those of R-MAT graphs of 2^14 to 2^20 vertices.
 * [1] Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19 (2005). */
#include "ranks/predict.h"

#include <math.h>

const char *const wfi_predict_cut_names[CUTS] = {"1d", "2d"};

/* Ranks that take part in a call, `near` of them on each machine. */
typedef struct group {
    int ranks, near;
} group;

typedef struct tally {
    const wfi_predict_machine *m;
    const wfi_predict_run *run;
    wfi_predict_cost cost;
} tally;

static double doublings(double x) { return x > 1 ? ceil(log2(x)) : 0; }

static double machines(group g) { return ceil((double)g.ranks / g.near); }

static group group_of(int ranks, int near) { return (group){ranks, near < ranks ? (near > 1 ? near : 1) : ranks}; }

static group everybody(const tally *t) { return group_of(t->run->ranks, t->m->node); }

/* Messages to so many ranks of other machines and of this one, one after the other. */
static void delays(tally *t, double far, double near, double times) {
    t->cost.messages += times * (far + near);
    t->cost.delay_s += times * (far * t->m->far.delay + near * t->m->near.delay);
}

static void transfers(tally *t, double far, double near, double times) {
    if (far > 0) t->cost.transfer_s += times * far / t->m->far.bandwidth;
    if (near > 0) t->cost.transfer_s += times * near / t->m->near.bandwidth;
}

/* --- collective calls ---------------------------------------------------------------------- */

/* `bytes`, shared out evenly, become everybody's. */
static void allgather(tally *t, group g, double bytes, double times) {
    double there = machines(g), near = g.near;
    if (g.ranks < 2) return;
    t->cost.sent += times * bytes * (g.ranks - 1) * t->run->ranks / g.ranks;
    delays(t, doublings(there), doublings(near), times);
    transfers(t, bytes * (there - 1) / there / near, bytes * (near - 1) / near, times);
}

/* Each rank sends so many bytes, the same to each other one. */
static void alltoall(tally *t, group g, double bytes, double times) {
    double others = g.ranks - 1, near = g.near - 1;
    if (g.ranks < 2) return;
    t->cost.sent += times * bytes * t->run->ranks;
    delays(t, machines(g) - 1, near, times);
    transfers(t, bytes * (others - near) / others, bytes * near / others, times);
}

/* Each rank has so many bytes to be added up, and keeps its part of the sums. */
static void reduce_scatter(tally *t, group g, double bytes, double times) {
    alltoall(t, g, bytes * (g.ranks - 1) / g.ranks, times);
}

/* Ranks beyond a power of two have a message before the others, and one after.  What all agree on is not counted as
 * sent. */
static void allreduce(tally *t, double bytes, double times) {
    group g = everybody(t);
    double power = exp2(floor(log2(g.ranks))), near = doublings(g.near);
    double steps = log2(power) + (power < g.ranks ? 2 : 0), far = steps > near ? steps - near : 0;
    if (g.ranks < 2) return;
    delays(t, far, steps - far, times);
    transfers(t, bytes * far, bytes * (steps - far), times);
}

/* What each rank will send to each, a number. */
static void tell_counts(tally *t, double times) {
    double sent = t->cost.sent;
    alltoall(t, everybody(t), 8.0 * (t->run->ranks - 1), times);
    t->cost.sent = sent;
}

/* One rank has something for all others, of so many bytes in all. */
static void scatter(tally *t, double bytes) {
    group g = everybody(t);
    double others = g.ranks - 1, near = g.near - 1;
    if (g.ranks < 2) return;
    t->cost.sent += bytes;
    delays(t, machines(g) - 1, near, 1);
    transfers(t, bytes * (others - near) / others, bytes * near / others, 1);
}

/* So many pairs of ranks, one of which has something for the other, all at once. */
static void hand_over(tally *t, double pairs, double bytes) {
    bool far = t->m->far.bandwidth > 0;
    t->cost.sent += pairs * bytes;
    delays(t, far, !far, 1);
    transfers(t, far ? bytes : 0, far ? 0 : bytes, 1);
}

/* --- work of each rank's own ----------------------------------------------------------------- */

/* How much longer it takes because ranks share cores. */
static double crowded(const tally *t) {
    return t->m->cores && t->run->ranks > t->m->cores ? (double)t->run->ranks / t->m->cores : 1;
}

/* arcs, of which values are looked up among so many vertices */
static void look_at(tally *t, double arcs, double vertices) {
    const wfi_predict_rate *r = &t->m->arcs[t->run->algorithm];
    t->cost.compute_s += crowded(t) * arcs / (vertices < t->m->large_from ? r->rate : r->large);
}

static void touch(tally *t, double bytes) { t->cost.compute_s += crowded(t) * bytes / t->m->copy; }

/* Bytes of an id among so many vertices. */
static double id_bytes(double vertices) { return vertices < 0x1p32 ? 4 : 8; }

/* Of `vertices` those that `draws` hit, if each is as likely. */
static double distinct(double vertices, double draws) { return -vertices * expm1(-draws / vertices); }

static void hold_rows(tally *t, double ids_among) {
    const wfi_predict_run *r = t->run;
    double directions = r->in_missing && r->algorithm != PREDICT_COMPONENTS ? 2 : 1;
    t->cost.memory += directions * (r->arcs * id_bytes(ids_among) + r->vertices * 8) / r->ranks;
}

/* Arcs go to the ranks of the group that need them, any of these alike, with `each` bytes in all. */
static void bring(tally *t, group g, double each) {
    const wfi_predict_run *r = t->run;
    double mine = r->arcs / r->ranks;
    alltoall(t, g, mine * each * (g.ranks - 1) / g.ranks, 1);
    tell_counts(t, each / 4);
    touch(t, mine * 4 * each);
}

static void make_in(tally *t, double each) {
    if (t->run->in_missing && !t->run->again) bring(t, everybody(t), each);
}

/* The agreement that a step went well, and that one has memory. */
static void agree(tally *t, double times) { allreduce(t, 8, times); }

/* --- algorithms -------------------------------------------------------------------------------- */

/* Bytes of an arc that is brought to another rank: first its target, to count, then both ends. */
static double arc_bytes(const wfi_predict_run *r) { return 12 + r->weight; }

/* Values travel along columns in pairs, as sums do along rows. */
static void pagerank_on_grid(tally *t) {
    const wfi_predict_run *r = t->run;
    double n = r->vertices;
    int columns = t->cost.columns, rows = t->cost.rows;
    /* The ranks of a row of the grid are neighbours. */
    group along_row = group_of(columns, t->m->node), along_column = group_of(rows, t->m->node / columns);
    if (!r->again) bring(t, along_column, arc_bytes(r));
    agree(t, 5);
    alltoall(t, along_column, r->value * n / r->ranks * (rows - 1), r->iterations + 1);
    reduce_scatter(t, along_row, r->sum * n / rows, r->iterations);
    allreduce(t, 56, r->iterations + 2);
    look_at(t, r->iterations * r->arcs / r->ranks, n / columns);
    touch(t, r->iterations * 2 * r->sum * n / rows);
    t->cost.memory += r->arcs / r->ranks * (id_bytes(n) + r->weight) + 8 * n / r->ranks; /* arcs out of its vertices */
    t->cost.memory += r->arcs / r->ranks * (id_bytes(n / columns) + r->weight) + 8 * n / rows; /* arcs of its block */
    t->cost.memory += r->value * n / columns + 2 * r->sum * n / rows + 24 * n / r->ranks;
}

static void pagerank_in_ranges(tally *t) {
    const wfi_predict_run *r = t->run;
    double n = r->vertices, times = r->iterations + 1;
    make_in(t, arc_bytes(r));
    agree(t, 5);
    allgather(t, everybody(t), r->value * n, times);
    allreduce(t, 56, times + 1);
    look_at(t, r->iterations * (r->arcs / r->ranks), n);
    hold_rows(t, n);
    t->cost.memory += r->value * n + 24 * n / r->ranks;
}

static void bfs(tally *t) {
    const wfi_predict_run *r = t->run;
    double n = r->vertices, mine = r->arcs / r->ranks, told = 8;
    int bottom_up = r->in_missing ? 0 : r->levels < 2 ? r->levels : 2, top_down = r->levels - bottom_up;
    double hub = fmin(4 * pow(n, 0.7), r->arcs); /* arcs of the first vertex */
    agree(t, 6);
    allreduce(t, 32, r->levels + 1);
    tell_counts(t, top_down);
    allgather(t, everybody(t), n / 8, bottom_up);
    if (r->in_missing) {
        alltoall(t, everybody(t), told * distinct(n, mine) * (r->ranks - 1) / r->ranks, 1);
        delays(t, (top_down - 1) * (machines(everybody(t)) - 1), (top_down - 1) * (everybody(t).near - 1.0), 1);
    } else {
        scatter(t, told * hub * (r->ranks - 1) / r->ranks);
    }
    look_at(t, mine, n);
    touch(t, r->levels * n / 2); /* bits of all vertices, and who of its own was found */
    hold_rows(t, n);
    t->cost.memory += n / 4 + 12 * n / r->ranks + 16 * (r->in_missing ? distinct(n, mine) : fmin(n, hub));
}

/* Everybody gets to know under whom each vertex hangs first, and which roots hang after the first arcs; then hardly
 * anything is left to merge, but ranks meet for it. */
static void components(tally *t) {
    const wfi_predict_run *r = t->run;
    double n = r->vertices, id = id_bytes(n), hung = n / 6;
    agree(t, 6);
    allgather(t, everybody(t), id * n, 1);
    allgather(t, everybody(t), 2 * id * hung, 1);
    look_at(t, r->arcs / r->ranks, n);
    if (r->ranks > 1) t->cost.compute_s += crowded(t) * 2 * n / t->m->gather; /* each rank its copy */
    for (int step = 1; step < r->ranks; step *= 2) {
        tell_counts(t, 1);
        hand_over(t, ceil((double)(r->ranks - step) / (2 * step)), 0);
    }
    scatter(t, id * n * (r->ranks - 1) / r->ranks);
    allreduce(t, 16, 1);
    hold_rows(t, n);
    t->cost.memory += 2 * id * n;
}

static void degree(tally *t) {
    const wfi_predict_run *r = t->run;
    make_in(t, 4);
    agree(t, r->in_missing ? 6 : 4);
    double sent = t->cost.sent;
    allreduce(t, 8 * 4096, 1);
    allgather(t, everybody(t), 8.0 * r->ranks, 1);
    /* Vertices of degree 4,096 and more: of R-MAT graphs a sixteenth of what there can be. */
    allgather(t, everybody(t), 8 * r->arcs / 4096 / 16, 1);
    t->cost.sent = sent; /* the table is no part of it */
    touch(t, 40 * r->vertices / r->ranks);
    hold_rows(t, r->vertices);
    t->cost.memory += 24 * r->vertices / r->ranks;
}

/* ------------------------------------------------------------------------------------------- */

bool wfi_predict_knows(wfi_predicted algorithm, wfi_predict_cut cut) {
    return cut == CUT_1D || algorithm == PREDICT_PAGERANK;
}

static wfi_predict_cost cost_on(const wfi_predict_machine *machine, const wfi_predict_run *run, int columns) {
    tally t = {machine, run, {.rows = run->ranks / columns, .columns = columns}};
    switch (run->algorithm) {
    case PREDICT_PAGERANK: run->cut == CUT_2D ? pagerank_on_grid(&t) : pagerank_in_ranges(&t); break;
    case PREDICT_BFS: bfs(&t); break;
    case PREDICT_COMPONENTS: components(&t); break;
    case PREDICT_DEGREE: degree(&t); break;
    case PREDICT_NONE:
    case PREDICTED: break;
    }
    return t.cost;
}

/* Of the grids that fit into memory the fastest; the least if none does. */
wfi_predict_cost wfi_predict(const wfi_predict_machine *machine, const wfi_predict_run *run) {
    bool choose = run->cut == CUT_2D && !run->columns;
    wfi_predict_cost best = cost_on(machine, run, run->cut == CUT_2D && run->columns ? run->columns : 1);
    for (int columns = 2; choose && columns <= run->ranks; columns++) {
        if (run->ranks % columns) continue;
        wfi_predict_cost c = cost_on(machine, run, columns);
        bool fits = c.memory <= machine->memory, best_fits = best.memory <= machine->memory;
        bool better = fits ? !best_fits || wfi_predict_seconds(&c) < wfi_predict_seconds(&best)
                           : !best_fits && c.memory < best.memory;
        if (better) best = c;
    }
    return best;
}
