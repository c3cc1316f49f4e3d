/* ppr: personalised PageRank of many seeds at once, of each the best vertices.  On CPU cores.  Needs: any graph; a
 * directed one gets its transpose.
 * Method: seeds side by side as lanes (lanes.h); a seed is done when its ranks change by no more than the tolerance,
 * and the next takes its lane.  What is kept of it is its best vertices: rows of the table, in the order of seeds. */
#include "algo/ppr/lanes.h"
#include "ranks/spread.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MUCH = 4 }; /* of the graph: one in so many vertices */

/* The table as it fills: of seed i, found[i] rows from i * most on. */
typedef struct table {
    weft_vid *seed, *vertex;
    double *rank;
    uint64_t *found, most;
} table;

typedef struct figures {
    uint64_t iterations, open; /* open: seeds that did not get to the tolerance */
    double residual, error;
} figures;

static uint64_t seeds_of(const weft_graph *g, const weft_ppr_params *p) {
    return !g->n ? 0 : p->seeds ? p->seed_count : 1;
}

static uint64_t rows_most(const weft_graph *g, const weft_ppr_params *p) {
    uint64_t rows;
    if (__builtin_mul_overflow(seeds_of(g, p), wfi_min_u64(p->per_seed, g->n), &rows)) return UINT64_MAX;
    return rows;
}

static uint64_t bytes_most(const weft_graph *g, const weft_ppr_params *p, uint64_t each) {
    uint64_t bytes;
    return __builtin_mul_overflow(rows_most(g, p), each, &bytes) ? UINT64_MAX / 8 : bytes;
}

static void lay_out(wfi_workspace *w, const weft_graph *g, const weft_ppr_params *p, wfi_ppr_lanes *b, table *t) {
    wfi_growth(w, bytes_most(g, p, sizeof(weft_vid)));
    wfi_growth(w, bytes_most(g, p, sizeof(weft_vid)));
    wfi_growth(w, bytes_most(g, p, sizeof(double)));
    wfi_array(w, &t->found, seeds_of(g, p));
    wfi_ppr_lanes_lay_out(w, g, p, b);
}

static const char *const methods[] = {"16 seeds at once"};

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    wfi_ppr_lanes b;
    table t;
    uint64_t seeds = seeds_of(g, params);
    bool transpose = wfi_need_in(&choice->space, ctx, g);
    lay_out(&choice->space, g, params, &b, &t);
    choice->method = methods[0];
    snprintf(choice->reason, sizeof choice->reason, "%llu seed%s; %s", (unsigned long long)seeds, wfi_s(seeds),
             !g->directed ? "undirected: the rows are their own transpose"
             : transpose  ? "the rows of incoming arcs will be made"
                          : "the rows of incoming arcs are available");
}

/* --- run -------------------------------------------------------------------------------- */

typedef struct seats {
    uint64_t number[WFI_PPR_LANES]; /* of the seed in each lane */
    uint64_t next;                  /* seed that no lane has had */
    unsigned busy;
} seats;

/* Idle lanes get seeds.  Where lanes go through much of the graph anyway, at once; else when all are idle, so that
 * they go through nothing but what the seeds of each round reach. */
static void seat(wfi_ppr_lanes *b, const weft_vid *seeds, uint64_t count, seats *s) {
    if (s->busy && b->known < b->g->n / MUCH) return;
    if (!s->busy) wfi_ppr_forget(b);
    for (unsigned l = 0; l < WFI_PPR_LANES && s->next < count; l++) {
        if (b->seed[l] != WEFT_NO_VERTEX) continue;
        wfi_ppr_start(b, l, seeds[s->next]);
        s->number[l] = s->next++;
        s->busy++;
    }
}

/* Lanes that this iteration has finished. */
static unsigned find_done(const wfi_ppr_lanes *b, unsigned done[WFI_PPR_LANES], figures *f) {
    const weft_ppr_params *p = b->p;
    uint64_t most = p->iterations ? p->iterations : p->max_iterations;
    unsigned count = 0;
    for (unsigned l = 0; l < WFI_PPR_LANES; l++) {
        if (b->seed[l] == WEFT_NO_VERTEX || !b->iterations[l]) continue;
        bool settled = b->residual[l] <= p->tolerance;
        if (b->iterations[l] < most && (!settled || p->iterations)) continue;
        done[count++] = l;
        f->open += !settled;
        f->residual = fmax(f->residual, b->residual[l]);
        f->iterations = wfi_max_u64(f->iterations, b->iterations[l]);
    }
    return count;
}

static weft_status run_seeds(wfi_ppr_lanes *b, const weft_vid *seeds, uint64_t count, table *t, figures *f) {
    seats s = {.busy = 0};
    weft_status st = wfi_ppr_lanes_open(b);
    while (!st && (s.busy || s.next < count)) {
        unsigned done[WFI_PPR_LANES], finished;
        seat(b, seeds, count, &s);
        wfi_progress(b->ctx, "seeds", s.next - s.busy, count);
        st = wfi_ppr_iterate(b);
        if (st) break;
        finished = find_done(b, done, f);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(b->ctx, b->known *finished, 1 << 14))
        for (unsigned i = 0; i < finished; i++) {
            uint64_t seed = s.number[done[i]], at = seed * t->most;
            t->found[seed] = wfi_ppr_best(b, done[i], t->most, t->vertex + at, t->rank + at);
        }
        for (unsigned i = 0; i < finished; i++) wfi_ppr_stop(b, done[i]);
        s.busy -= finished;
        if (atomic_load(&b->stop)) st = wfi_fail_cancelled(b->ctx);
    }
    return st;
}

/* Rows move up to those before; returns how many there are. */
static uint64_t close_up(const weft_vid *seeds, uint64_t count, table *t) {
    uint64_t rows = 0;
    for (uint64_t i = 0; i < count; i++) {
        memmove(t->vertex + rows, t->vertex + i * t->most, t->found[i] * sizeof *t->vertex);
        memmove(t->rank + rows, t->rank + i * t->most, t->found[i] * sizeof *t->rank);
        for (uint64_t end = rows + t->found[i]; rows < end; rows++) t->seed[rows] = seeds[i];
    }
    return rows;
}

static weft_status tell(wfi_job *job, table *t, uint64_t rows, const figures *f, uint64_t seeds) {
    const weft_ppr_params *p = job->params;
    wfi_workspace *w = job->space;
    if (f->open && !p->iterations)
        wfi_warn(job->ctx,
                 "ppr: after %llu iteration%s the ranks of %llu seed%s still change by up to %.3g, more than "
                 "the tolerance %.3g",
                 (unsigned long long)f->iterations, wfi_s(f->iterations), (unsigned long long)f->open, wfi_s(f->open),
                 f->residual, p->tolerance);
    weft_status st = wfi_column_of_grown(w, "seed", WEFT_VERTEX, (size_t)rows, t->seed);
    if (!st) st = wfi_column_of_grown(w, "vertex", WEFT_VERTEX, (size_t)rows, t->vertex);
    if (!st) st = wfi_column_of_grown(w, "rank", WEFT_F64, (size_t)rows, t->rank);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "seeds", seeds);
    if (!st) st = wfi_result_scalar_u64(job->ctx, job->result, "iterations", f->iterations);
    if (!st) st = wfi_result_scalar_f64(job->ctx, job->result, "residual", f->residual);
    return st ? st : wfi_result_scalar_f64(job->ctx, job->result, "error", f->error);
}

static weft_status run_cpu(wfi_job *job) {
    const weft_graph *g = job->g;
    const weft_ppr_params *p = job->params;
    wfi_ppr_lanes b = {.ctx = job->ctx, .g = g, .p = p};
    table t = {.most = wfi_min_u64(p->per_seed, g->n)};
    figures f = {.error = 0};
    uint64_t seeds = seeds_of(g, p), rows = rows_most(g, p);
    weft_vid busiest = 0;
    lay_out(job->space, g, p, &b, &t);
    weft_status st = job->space->status;
    if (!st && !(t.seed = wfi_grow(job->space, rows, sizeof *t.seed))) st = WEFT_ENOMEM;
    if (!st && !(t.vertex = wfi_grow(job->space, rows, sizeof *t.vertex))) st = WEFT_ENOMEM;
    if (!st && !(t.rank = wfi_grow(job->space, rows, sizeof *t.rank))) st = WEFT_ENOMEM;
    if (!st && seeds && !p->seeds) st = wfi_spread_busiest(job->ctx, job->spread, &busiest);
    const weft_vid *list = p->seeds ? p->seeds : &busiest;
    if (!st) st = run_seeds(&b, list, seeds, &t, &f);
    if (seeds) f.error = wfi_ppr_error(&b, f.residual);
    return st ? st : tell(job, &t, close_up(list, seeds, &t), &f, seeds);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_ppr_params *p = params;
    weft_status st = wfi_check_weights(ctx, g, "ppr", p->weights);
    if (st) return st;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "ppr");
    return wfi_check_vertices(ctx, g, "ppr", "seeds", p->seeds, p->seed_count);
}

/* --- descriptor ------------------------------------------------------------------------- */

/* The change falls by the damping in each iteration; on graphs that people have, much faster. */
static void work(const weft_graph *g, const void *params, wfi_work *w) {
    const weft_ppr_params *p = params;
    double seeds = p->seeds ? (double)p->seed_count : 1, most = (double)p->max_iterations;
    double enough = p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1
                        ? 1 + log(p->tolerance) / log(p->damping) / 4
                        : most;
    (void)g;
    w->passes = ceil(seeds / WFI_PPR_LANES) * (p->iterations ? (double)p->iterations : fmin(enough, most));
    w->levels = w->passes;
}

#define FIELD(name) offsetof(weft_ppr_params, name)
static const weft_param_info params_info[] = {
    {"seeds", WEFT_PARAM_VERTICES, FIELD(seeds), "", 0, 0, NULL,
     "whose ranks: ids, ids in a file or K random vertices [the vertex with the most out-arcs]"},
    {"per-seed", WEFT_PARAM_U64, FIELD(per_seed), "10", 1, 1e18, NULL, "rows of a seed: its so many best vertices"},
    {"damping", WEFT_PARAM_F64, FIELD(damping), "0.85", 0, 1, NULL,
     "share of rank that follows arcs; the rest returns to the seed"},
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-6", 0, 2, NULL,
     "a seed is done when its ranks change by no more than this in total (L1)"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "100", 1, 1e9, NULL,
     "stop after so many iterations at the latest"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "0", 0, 1e9, NULL,
     "exactly so many iterations, whatever the tolerance; 0 = until the tolerance is met"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL,
     "rank leaves along arcs in proportion to their weights"},
};
static const weft_result_info results[] = {
    {"seed", WEFT_VERTEX, WEFT_SHAPE_TABLE, "the seeds in the order given, each as often as it has rows"},
    {"vertex", WEFT_VERTEX, WEFT_SHAPE_TABLE, "its best vertices, the best first"},
    {"rank", WEFT_F64, WEFT_SHAPE_TABLE, "share of the time that a random surfer from the seed spends at the vertex"},
    {"seeds", WEFT_U64, WEFT_SHAPE_SCALAR, "number of seeds"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "number of iterations done for the seed that took most"},
    {"residual", WEFT_F64, WEFT_SHAPE_SCALAR, "total change of the ranks in the last iteration (L1), the largest"},
    {"error", WEFT_F64, WEFT_SHAPE_SCALAR, "no rank is off by more"},
};
static const weft_ppr_params standard = WEFT_PPR_DEFAULTS;

const wfi_algorithm wfi_algorithm_ppr = {
    WFI_DESCRIBE(ppr, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "personalised PageRank: the best vertices as seen from each of many seeds",
    .info.top_by = "rank",
    .info.model = "none: how much an iteration looks at depends on what the seeds have reached",
    .cpu_cost = {20000, 700000, 700000, 0, 0},
    .validate = validate,
    .work = work,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
};
