/* See grid.h.  The grid is chosen by the alpha-beta model of cost.h. */
#include "ranks/grid.h"

#include "ranks/cost.h"

#include <math.h>
#include <stdio.h>

/* --- communication ---------------------------------------------------------------------- */

static weft_vid range(const wfi_part *p, int rank) { return p->cut[rank + 1] - p->cut[rank]; }

/* The position of the values of a rank of this column among the values that the column sees. */
static uint64_t seen_of(const wfi_spread *s, const wfi_part *p, int rank) {
    uint64_t at = p->seen;
    for (int r = rank; r < s->comm->link.rank; r += s->columns) at -= range(p, r);
    for (int r = s->comm->link.rank; r < rank; r += s->columns) at += range(p, r);
    return at;
}

/* In step k a rank sends its values to the rank k rows further on: they arrive in their final place, without a copy. */
weft_status wfi_grid_gather(weft_ctx *ctx, const wfi_spread *s, const wfi_part *p, void *all, size_t each) {
    int ranks = s->comm->link.size, me = s->comm->link.rank, step = s->columns;
    uint64_t *send_start = s->comm->scratch, *receive_start = s->start, own = range(p, me) * each;
    const char *mine = (char *)all + p->seen * each;
    weft_status st = WEFT_OK;
    for (; step < ranks && !st; step += s->columns) {
        int to = (me + step) % ranks, from = (me + ranks - step) % ranks;
        uint64_t at = seen_of(s, p, from) * each, end = at + range(p, from) * each;
        for (int r = 0; r <= ranks; r++) {
            send_start[r] = r > to ? own : 0;
            receive_start[r] = r > from ? end : at;
        }
        st = wfi_alltoall(ctx, mine, send_start, all, receive_start);
    }
    return st;
}

weft_status wfi_grid_send_sums(weft_ctx *ctx, const wfi_spread *s, const wfi_part *p, const void *sums, size_t each,
                               void *received) {
    int ranks = s->comm->link.size, me = s->comm->link.rank, first = me - me % s->columns, end = first + s->columns;
    uint64_t *send_start = s->comm->scratch, *receive_start = s->start, own = range(p, me) * each;
    for (int r = 0; r <= ranks; r++) {
        int in_row = r < first ? first : r > end ? end : r;
        send_start[r] = (uint64_t)(p->cut[in_row] - p->in_first) * each;
        receive_start[r] = (uint64_t)(in_row - first) * own;
    }
    return wfi_alltoall(ctx, sums, send_start, received, receive_start);
}

uint64_t wfi_grid_values(const wfi_spread *s) {
    return (uint64_t)s->vertices * (uint64_t)(s->comm->link.size / s->columns - 1);
}

uint64_t wfi_grid_sums(const wfi_spread *s) {
    uint64_t sums = 0;
    for (size_t b = 0; b < s->blocks; b++) sums += s->part[b].in_end - s->part[b].in_first;
    return sums - s->vertices;
}

uint64_t wfi_grid_sums_capacity(const wfi_spread *s) {
    uint64_t most = 0;
    for (size_t b = 0; b < s->blocks; b++) most = wfi_max_u64(most, s->part[b].in_end - s->part[b].in_first);
    return most;
}

uint64_t wfi_grid_received_capacity(const wfi_spread *s) {
    uint64_t most = 0;
    for (size_t b = 0; b < s->blocks; b++) most = wfi_max_u64(most, s->part[b].end - s->part[b].first);
    return most * (uint64_t)s->columns;
}

/* --- the choice ---------------------------------------------------------------------------- */

/* The model's machine, the same on all ranks: the minimum of the figures that differ. */
static weft_status machine_of(weft_ctx *ctx, const wfi_comm *comm, wfi_cost_machine *m) {
    uint64_t least[] = {(uint64_t)comm->link.local_size, (uint64_t)wfi_threads(ctx)};
    weft_status st = wfi_allreduce(ctx, least, sizeof least / sizeof *least, WFI_MIN);
    if (st) return st;
    double near = (double)least[0], threads = (double)least[1];
    *m = near < comm->link.size ? wfi_cost_xeons : wfi_cost_xeon;
    m->memory = (double)INFINITY;       /* memory is checked by the plan */
    m->far.bandwidth *= m->node / near; /* ranks of a machine share its port */
    m->node = (int)near;
    m->copy *= threads;
    m->arcs.rate *= threads;
    m->arcs.large *= threads;
    if (comm->bandwidth > 0 || comm->delay > 0)
        m->near = (wfi_cost_link){comm->delay, comm->bandwidth > 0 ? comm->bandwidth : (double)INFINITY};
    return WEFT_OK;
}

/* seconds: by the model, of this grid and of the best other one. */
static void explain(const wfi_spread *s, const double seconds[2], int other_columns, char *why, size_t size) {
    char grid[96] = "1-D: each has the rows of a part of the vertices";
    int ranks = s->comm->link.size;
    bool asked = s->comm->columns > 0;
    if (s->columns > 1)
        snprintf(grid, sizeof grid, "a grid of %d ranges of targets x %d of sources", ranks / s->columns, s->columns);
    if (asked)
        snprintf(why, size, "%s, as requested; by the model %.3g s", grid, seconds[0]);
    else if (other_columns > 1 || s->columns > 1)
        snprintf(why, size, "%s; by the model %.3g s, and %.3g s in %s%d x %d", grid, seconds[0], seconds[1],
                 other_columns > 1 ? "a grid of " : "1-D, ", ranks / other_columns, other_columns);
    else
        snprintf(why, size, "%s; by the model %.3g s, and more in every grid", grid, seconds[0]);
}

weft_status wfi_grid_pick(weft_ctx *ctx, wfi_spread *s, const wfi_grid_load *load, char *why, size_t size) {
    wfi_comm *comm = s->comm;
    wfi_cost_machine machine;
    snprintf(why, size, "each has the rows of a part of the vertices");
    if (!load || comm->link.size == 1) {
        wfi_spread_set_columns(s, 1);
        return WEFT_OK;
    }
    weft_status st = machine_of(ctx, comm, &machine);
    if (st) return st;
    wfi_cost_run run = {.cut = CUT_1D,
                        .ranks = comm->link.size,
                        .vertices = (double)s->g->n,
                        .arcs = (double)s->g->arcs,
                        .in_missing = !wfi_in_at_hand(s->g),
                        .iterations = (int)ceil(load->iterations),
                        .value = (double)load->value,
                        .sum = (double)load->sum,
                        .weight = (double)wfi_weight_bytes(s->g->weight_type)};
    wfi_run_cost line = wfi_cost_pagerank(&machine, &run);
    run.cut = CUT_2D;
    run.columns = comm->columns > 1 ? comm->columns : 0;
    wfi_run_cost grid = wfi_cost_pagerank(&machine, &run);
    double in_line = wfi_cost_seconds(&line), in_grid = wfi_cost_seconds(&grid);
    bool two = comm->columns ? comm->columns > 1 : grid.columns > 1 && in_grid < in_line;
    wfi_spread_set_columns(s, two ? grid.columns : 1);
    explain(s, (const double[]){two ? in_grid : in_line, two ? in_line : in_grid}, two ? 1 : grid.columns, why, size);
    return WEFT_OK;
}
