/* The top rungs: the library on virtual ranks, a context and a thread each, over memory and over the same network as the others.  What it does is
 * in docs/cluster.md; no line of it is here.  Kernels are weft_plan_run; making the plan and gathering the result on the first rank are not. */
#include "searched.h"
#include "searches.h"
#include "sweeps.h"

typedef struct state {
    const char *algorithm;
    crew_grid grid;
    weft_ctx *ctx[2][LAB_MOST_RANKS]; /* over memory, over the network */
    weft_result *whole[2];
    double run_ms[2];
    uint64_t sent[2];
} state;

/* --- excerpt --- */
static weft_status share_run(const crew_rank *me, state *t, weft_ctx *ctx) {
    weft_plan *plan = NULL;
    weft_result *part = NULL, *whole = NULL;
    uint64_t sent[LAB_MOST_RANKS];
    weft_status st = weft_ctx_set_grid(ctx, t->grid.rows, t->grid.columns);
    if (!st) st = weft_plan_new(ctx, t->algorithm, me->r->g, me->r->params, &plan);
    if (!st && t->grid.columns > 1) { /* a run that brings the arcs to their blocks, where the next finds them */
        st = weft_plan_run(plan, &part);
        weft_result_free(part);
        part = NULL;
    }
    double begin = lab_now_ms();
    if (!st) st = weft_plan_run(plan, &part);
    if (!me->rank) t->run_ms[me->network] = lab_now_ms() - begin;
    if (!st) st = weft_plan_ranks(plan, WEFT_RANK_SENT, sent);
    if (!st) st = weft_plan_gather(plan, part, &whole);
    for (int k = 0; k < me->ranks && !st && !me->rank; k++) t->sent[me->network] += sent[k];
    if (whole) t->whole[me->network] = whole;
    weft_result_free(part);
    weft_plan_free(plan);
    return st;
}
/* --- end --- */

static void work(crew_rank *me, void *given) {
    state *t = given;
    me->status = share_run(me, t, t->ctx[me->network][me->rank]);
}

static int stops(void *run) { return lab_stopped(run); }

static weft_status open_contexts(lab_run *r, state *t) {
    weft_status st = WEFT_OK;
    for (int i = 0; i < 2 && !st; i++) {
        for (int k = 0; k < crew_ranks(r) && !st; k++) {
            st = weft_ctx_new(&t->ctx[i][k]);
            if (!st) st = weft_ctx_set_threads(t->ctx[i][k], 1);
            if (!st) weft_ctx_set_cancel(t->ctx[i][k], stops, r);
        }
        if (!st)
            st = weft_ctx_set_virtual(t->ctx[i], crew_ranks(r), i ? LAB_NETWORK_DELAY : 0,
                                      i ? LAB_NETWORK_BANDWIDTH : 0);
    }
    return st;
}

/* The same bytes over both. */
static weft_status compare(const lab_run *r, const state *t) {
    uint64_t digest[2] = {0, 0};
    weft_status st = weft_result_digest(r->ctx, t->whole[0], &digest[0]);
    if (!st) st = weft_result_digest(r->ctx, t->whole[1], &digest[1]);
    return !st && (digest[0] != digest[1] || t->sent[0] != t->sent[1]) ? WEFT_EINVAL : st;
}

static weft_status run_library(lab_run *r, const char *algorithm, crew_grid grid) {
    state t = {.algorithm = algorithm, .grid = grid};
    weft_status st = open_contexts(r, &t);
    lab_reads(r, &r->out);
    lab_reads(r, &r->in);
    if (!st) st = crew_run(r, grid, work, NULL, &t, (crew_answer){{NULL, NULL}, {0, 0}});
    if (!st) st = compare(r, &t);
    r->part_ms[LAB_ALLOCATE] += r->part_ms[LAB_KERNELS] - t.run_ms[0];
    r->part_ms[LAB_KERNELS] = t.run_ms[0];
    r->network_ms = t.run_ms[1];
    r->sent = (double)t.sent[0];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < crew_ranks(r); k++) {
            if (!i && t.ctx[i][k]) r->library_bytes += weft_ctx_memory_peak(t.ctx[i][k]);
            weft_ctx_free(t.ctx[i][k]);
        }
    weft_result_free(t.whole[1]);
    r->result = t.whole[0];
    return st;
}

static weft_status rank_on(lab_run *r, crew_grid grid) {
    weft_status st = run_library(r, "pagerank", grid);
    const weft_scalar *done = st ? NULL : weft_result_scalar(r->result, "iterations");
    if (done) r->edges = (double)done->value.u64 * (double)r->in.arcs;
    return st;
}

static weft_status run_pagerank(lab_run *r) { return rank_on(r, crew_in_one_column(r)); }
static weft_status run_pagerank_2d(lab_run *r) { return rank_on(r, crew_grid_of(r)); }

static weft_status run_bfs(lab_run *r) {
    weft_status st = run_library(r, "bfs", crew_in_one_column(r));
    const uint32_t *level = st ? NULL : weft_result_u32(r->result, "level");
    if (level) r->edges = bfs_arcs_out(&r->out, level);
    return st;
}

static const char *serves_pagerank(lab_run *r) { return weft_ranks_refuse("pagerank", r->params); }
static const char *serves_bfs(lab_run *r) { return weft_ranks_refuse("bfs", r->params); }

const lab_rung ranks_engine = {
    .name = "engine",
    .title = "Engine: weft_pagerank() on ranks",
    .against = "1d-pull",
    .changed = "The library, as under mpirun with one thread a rank: rung 2's cut and bytes, and the residual of each "
               "iteration, so that it can stop when ranks no longer move.",
    .wins = "Everything that the rungs leave out: the same bytes of the answer as on one machine, f64, weights, "
            "restarts, checkpoints, failures that name their rank.",
    .loses = "Time, against rung 2: it adds up the change of each iteration, and agrees on it. Bytes, against rung 5.",
    .source = "lab/ranks/engine.c",
    .device = LAB_CPU,
    .serves = serves_pagerank,
    .run = run_pagerank,
};

const lab_rung ranks_engine_2d = {
    .name = "engine-2d",
    .title = "Engine: weft_pagerank() on a grid of ranks",
    .against = "engine",
    .changed = "The library with rung 4's grid, as with --grid: shares along columns, sums along rows. A run before "
               "has brought the arcs to their blocks.",
    .wins = "Bytes, from nine ranks or so on, and so time where links are slow.",
    .loses = "Time where they are not: sums are written, sent and added. Bytes, against rung 5. Bringing the arcs "
             "costs as much as some iterations, which the plan weighs.",
    .source = "lab/ranks/engine.c",
    .device = LAB_CPU,
    .serves = serves_pagerank,
    .run = run_pagerank_2d,
};

const lab_rung ranks_bfs_engine = {
    .name = "engine",
    .title = "Engine: weft_bfs() on ranks",
    .against = "1d-directions",
    .changed = "The library, as under mpirun with one thread a rank: both directions in 1-D; a vertex is told to its "
               "rank once, and no level sends what no rank asks for.",
    .wins = "Bytes and time against every rung below, on graphs with broad levels.",
    .loses = "Thousands of ranks, where bits of all n vertices on every rank are too many: there the grid is needed.",
    .source = "lab/ranks/engine.c",
    .device = LAB_CPU,
    .serves = serves_bfs,
    .run = run_bfs,
};
