/* The models of weft predict beside that of PageRank (src/ranks/cost.c), in the same steps.  Steps and bytes are those of
 * src/algo/NAME on ranks.  The number of levels and messages of a search, and of roots that have a parent, are those of
 * R-MAT graphs of 2^14 to 2^20 vertices. */
#include "ranks/predict_call.h"

#include <math.h>

/* One rank sends `bytes` in all to the others. */
static void scatter(wfi_tally *t, double bytes) {
    wfi_cost_group g = wfi_cost_everybody(t);
    double others = g.ranks - 1, near = g.near - 1;
    if (g.ranks < 2) return;
    t->cost.sent += bytes;
    wfi_cost_delays(t, wfi_cost_machines(g) - 1, near, 1);
    wfi_cost_transfers(t, bytes * (others - near) / others, bytes * near / others, 1);
}

/* In each of `pairs` pairs of ranks one sends `bytes` to the other, all pairs at once. */
static void hand_over(wfi_tally *t, double pairs, double bytes) {
    bool far = t->m->far.bandwidth > 0;
    t->cost.sent += pairs * bytes;
    wfi_cost_delays(t, far, !far, 1);
    wfi_cost_transfers(t, far ? bytes : 0, far ? 0 : bytes, 1);
}

/* The expected number of distinct vertices among `draws` uniform draws. */
static double distinct(double vertices, double draws) { return -vertices * expm1(-draws / vertices); }

static int directions(const wfi_cost_run *r) { return r->in_missing ? 2 : 1; }

static void bfs(wfi_tally *t, int levels) {
    const wfi_cost_run *r = t->run;
    double n = r->vertices, mine = r->arcs / r->ranks, pair = 8;
    int bottom_up = r->in_missing ? 0 : levels < 2 ? levels : 2, top_down = levels - bottom_up;
    double hub = fmin(4 * pow(n, 0.7), r->arcs); /* arcs of the first vertex */
    wfi_cost_agree(t, 6);
    wfi_cost_allreduce(t, 32, levels + 1);
    wfi_cost_tell_counts(t, top_down);
    wfi_cost_allgather(t, wfi_cost_everybody(t), n / 8, bottom_up);
    if (r->in_missing) {
        wfi_cost_alltoall(t, wfi_cost_everybody(t), pair * distinct(n, mine) * (r->ranks - 1) / r->ranks, 1);
        wfi_cost_delays(t, (top_down - 1) * (wfi_cost_machines(wfi_cost_everybody(t)) - 1),
                        (top_down - 1) * (wfi_cost_everybody(t).near - 1.0), 1);
    } else {
        scatter(t, pair * hub * (r->ranks - 1) / r->ranks);
    }
    wfi_cost_look_at(t, mine, n);
    wfi_cost_touch(t, levels * n / 2); /* bits of all vertices, and its own vertices that were found */
    wfi_cost_hold_rows(t, directions(r));
    t->cost.memory += n / 4 + 12 * n / r->ranks + 16 * (r->in_missing ? distinct(n, mine) : fmin(n, hub));
}

/* Every rank is sent the first parent of each vertex, and the roots that have a parent after the first arcs; then hardly
 * anything is left to merge, but ranks meet for it. */
static void components(wfi_tally *t, double gather) {
    const wfi_cost_run *r = t->run;
    double n = r->vertices, id = wfi_cost_id_bytes(n), parents = n / 6;
    wfi_cost_agree(t, 6);
    wfi_cost_allgather(t, wfi_cost_everybody(t), id * n, 1);
    wfi_cost_allgather(t, wfi_cost_everybody(t), 2 * id * parents, 1);
    wfi_cost_look_at(t, r->arcs / r->ranks, n);
    if (r->ranks > 1) t->cost.compute_s += wfi_cost_crowding(t) * 2 * n / gather; /* each rank its copy */
    for (int step = 1; step < r->ranks; step *= 2) {
        wfi_cost_tell_counts(t, 1);
        hand_over(t, ceil((double)(r->ranks - step) / (2 * step)), 0);
    }
    scatter(t, id * n * (r->ranks - 1) / r->ranks);
    wfi_cost_allreduce(t, 16, 1);
    wfi_cost_hold_rows(t, 1);
    t->cost.memory += 2 * id * n;
}

static void degree(wfi_tally *t) {
    const wfi_cost_run *r = t->run;
    wfi_cost_make_in(t, 4);
    wfi_cost_agree(t, r->in_missing ? 6 : 4);
    double sent = t->cost.sent;
    wfi_cost_allreduce(t, 8 * 4096, 1);
    wfi_cost_allgather(t, wfi_cost_everybody(t), 8.0 * r->ranks, 1);
    /* Vertices of degree 4,096 and more: of R-MAT graphs a sixteenth of what there can be. */
    wfi_cost_allgather(t, wfi_cost_everybody(t), 8 * r->arcs / 4096 / 16, 1);
    t->cost.sent = sent; /* the table is no part of it */
    wfi_cost_touch(t, 40 * r->vertices / r->ranks);
    wfi_cost_hold_rows(t, directions(r));
    t->cost.memory += 24 * r->vertices / r->ranks;
}

wfi_run_cost predict_cost(const predict_machine *machine, const predict_run *run) {
    wfi_cost_machine m = *machine->costs;
    m.arcs = machine->arcs[run->algorithm];
    wfi_tally t = {&m, &run->run, {.rows = run->run.ranks, .columns = 1}};
    switch (run->algorithm) {
    case PREDICT_PAGERANK: return wfi_cost_pagerank(&m, &run->run);
    case PREDICT_BFS: bfs(&t, run->levels); break;
    case PREDICT_COMPONENTS: components(&t, machine->gather); break;
    case PREDICT_DEGREE: degree(&t); break;
    case PREDICTED: break;
    }
    return t.cost;
}
