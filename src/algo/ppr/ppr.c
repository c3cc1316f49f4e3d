/* ppr: personalised PageRank of many seeds at once; the result is the best vertices of each seed.
 * Needs: any graph; a directed graph gets its transpose.
 * Method: seeds are computed side by side in lanes (ppr.h).  A seed is done when its ranks change by no more than the
 * tolerance; its best vertices become rows of the table, in the order of seeds, and the next seed takes its lane. */
#include "algo/ppr/ppr.h"
#include "ranks/spread.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { B = WFI_PPR_LANES };

typedef wfi_ppr_table table;

typedef struct figures {
    uint64_t iterations, open; /* open: seeds that did not meet the tolerance */
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

void wfi_ppr_lay_out(wfi_workspace *w, const weft_graph *g, const weft_ppr_params *p, table *t) {
    wfi_growth(w, bytes_most(g, p, sizeof(weft_vid)));
    wfi_growth(w, bytes_most(g, p, sizeof(weft_vid)));
    wfi_growth(w, bytes_most(g, p, sizeof(double)));
    wfi_array(w, &t->found, seeds_of(g, p));
    t->most = wfi_min_u64(p->per_seed, g->n);
}

static const char *const methods[] = {"16 seeds at once"};

void wfi_ppr_describe_plan(const weft_graph *g, const weft_ppr_params *p, const char *rows, wfi_choice *choice) {
    uint64_t seeds = seeds_of(g, p);
    snprintf(choice->reason, sizeof choice->reason, "%llu seed%s; %s", (unsigned long long)seeds, wfi_plural(seeds),
             rows);
}

/* --- lanes ------------------------------------------------------------------------------ */

static weft_status start(wfi_ppr_lanes *b, unsigned lane, weft_vid seed) {
    b->seed[lane] = seed;
    b->damping[lane] = 0;
    b->returns[lane] = 1;
    b->starts[lane] = true;
    return b->engine->start(b, seed);
}

static void stop(wfi_ppr_lanes *b, unsigned lane) {
    b->seed[lane] = WEFT_NO_VERTEX;
    b->damping[lane] = b->returns[lane] = 0;
}

static weft_status iterate(wfi_ppr_lanes *b) {
    wfi_ppr_totals t = {{0}, {0}};
    double d = b->p->damping;
    weft_status st = b->engine->iterate(b, &t);
    for (int l = 0; l < B && !st; l++) {
        if (b->seed[l] == WEFT_NO_VERTEX) continue;
        b->iterations[l] = b->starts[l] ? 0 : b->iterations[l] + 1;
        b->starts[l] = false;
        b->residual[l] = (double)t.change[l] / WFI_PPR_ONE;
        b->damping[l] = d;
        b->returns[l] = 1 - d + d * ((double)t.dangling[l] / WFI_PPR_ONE);
    }
    return st;
}

/* Bound on the error of a rank after a last change of `residual`.  A sum along m arcs is rounded (m / WFI_PPR_PIECE +
 * WFI_PPR_PIECE) times, a sum of weights m times, and a rank a few times more, each time by at most a factor of 2^-53,
 * and ranks sum to 1; each vertex truncates 2^-62 of the change and of dangling rank. */
static double error_after(const wfi_ppr_lanes *b, double residual) {
    double d = b->p->damping, arcs = (double)b->g->arcs;
    double times = (b->p->weights ? arcs : arcs / WFI_PPR_PIECE) + WFI_PPR_PIECE + 16;
    double rounded = times * 0x1p-53 + (double)b->g->n * 0x1p-61;
    return d < 1 ? (d * residual + rounded) / (1 - d) : (double)INFINITY;
}

/* --- run -------------------------------------------------------------------------------- */

typedef struct lane_slots {
    uint64_t number[B]; /* index of the seed in each lane */
    uint64_t next;      /* the first seed that was never in a lane */
    unsigned busy;
} lane_slots;

/* Gives seeds to idle lanes. */
static weft_status fill_lanes(wfi_ppr_lanes *b, const weft_vid *seeds, uint64_t count, lane_slots *s) {
    weft_status st = WEFT_OK;
    if (s->busy && b->engine->waits(b)) return st;
    if (!s->busy) b->engine->forget(b);
    for (unsigned l = 0; l < B && s->next < count && !st; l++) {
        if (b->seed[l] != WEFT_NO_VERTEX) continue;
        st = start(b, l, seeds[s->next]);
        s->number[l] = s->next++;
        s->busy++;
    }
    return st;
}

/* Lists the lanes that this iteration has finished. */
static unsigned find_done(const wfi_ppr_lanes *b, wfi_ppr_best done[B], figures *f) {
    const weft_ppr_params *p = b->p;
    uint64_t most = p->iterations ? p->iterations : p->max_iterations;
    unsigned count = 0;
    for (unsigned l = 0; l < B; l++) {
        if (b->seed[l] == WEFT_NO_VERTEX || !b->iterations[l]) continue;
        bool settled = b->residual[l] <= p->tolerance;
        if (b->iterations[l] < most && (!settled || p->iterations)) continue;
        done[count++].lane = l;
        f->open += !settled;
        f->residual = fmax(f->residual, b->residual[l]);
        f->iterations = wfi_max_u64(f->iterations, b->iterations[l]);
    }
    return count;
}

/* Writes the rows of finished seeds, and makes their lanes idle. */
static weft_status list_best(wfi_ppr_lanes *b, lane_slots *s, table *t, wfi_ppr_best *done, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        uint64_t at = s->number[done[i].lane] * t->most;
        done[i] = (wfi_ppr_best){done[i].lane, t->most, 0, t->vertex + at, t->rank + at};
    }
    weft_status st = count ? b->engine->best(b, done, count) : WEFT_OK;
    for (unsigned i = 0; i < count; i++) {
        t->found[s->number[done[i].lane]] = done[i].found;
        stop(b, done[i].lane);
    }
    s->busy -= count;
    return st;
}

static weft_status run_seeds(wfi_ppr_lanes *b, const weft_vid *seeds, uint64_t count, table *t, figures *f) {
    lane_slots s = {.busy = 0};
    for (unsigned l = 0; l < B; l++) stop(b, l);
    weft_status st = b->engine->open(b);
    while (!st && (s.busy || s.next < count)) {
        wfi_ppr_best done[B];
        st = fill_lanes(b, seeds, count, &s);
        wfi_progress(b->ctx, "seeds", s.next - s.busy, count);
        if (!st) st = iterate(b);
        if (!st) st = list_best(b, &s, t, done, find_done(b, done, f));
    }
    return st;
}

/* Compacts the table; returns its number of rows. */
static uint64_t compact_rows(const weft_vid *seeds, uint64_t count, table *t) {
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
                 (unsigned long long)f->iterations, wfi_plural(f->iterations), (unsigned long long)f->open,
                 wfi_plural(f->open), f->residual, p->tolerance);
    weft_status st = wfi_column_of_grown(w, "seed", WEFT_VERTEX, (size_t)rows, t->seed);
    if (!st) st = wfi_column_of_grown(w, "vertex", WEFT_VERTEX, (size_t)rows, t->vertex);
    if (!st) st = wfi_column_of_grown(w, "rank", WEFT_F64, (size_t)rows, t->rank);
    return st ? st
              : WFI_TELL(job->ctx, job->result, WFI_U64("seeds", seeds), WFI_U64("iterations", f->iterations),
                         WFI_F64("residual", f->residual), WFI_F64("error", f->error));
}

weft_status wfi_ppr_drive(wfi_job *job, wfi_ppr_lanes *b, table *t) {
    const weft_graph *g = job->g;
    const weft_ppr_params *p = job->params;
    figures f = {.error = 0};
    uint64_t seeds = seeds_of(g, p), rows = rows_most(g, p);
    weft_vid busiest = 0;
    b->ctx = job->ctx;
    b->g = g;
    b->p = p;
    weft_status st = job->space->status;
    if (!st && !(t->seed = wfi_grow(job->space, rows, sizeof *t->seed))) st = WEFT_ENOMEM;
    if (!st && !(t->vertex = wfi_grow(job->space, rows, sizeof *t->vertex))) st = WEFT_ENOMEM;
    if (!st && !(t->rank = wfi_grow(job->space, rows, sizeof *t->rank))) st = WEFT_ENOMEM;
    if (!st && seeds && !p->seeds) st = wfi_spread_max_out_degree_vertex(job->ctx, job->spread, &busiest);
    const weft_vid *list = p->seeds ? p->seeds : &busiest;
    if (!st) st = run_seeds(b, list, seeds, t, &f);
    if (seeds) f.error = error_after(b, f.residual);
    return st ? st : tell(job, t, compact_rows(list, seeds, t), &f, seeds);
}

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    const weft_ppr_params *p = params;
    weft_status st = wfi_check_weights(ctx, g, "ppr", p->weights);
    if (st) return st;
    if (!p->weights) wfi_note_weights_unused(ctx, g, "ppr");
    return wfi_check_vertices(ctx, g, "ppr", "seeds", p->seeds, p->seed_count);
}

/* --- descriptor ------------------------------------------------------------------------- */

/* The change falls by the factor `damping` in each iteration; on real graphs, much faster. */
static void work(const weft_graph *g, const void *params, wfi_work *w) {
    const weft_ppr_params *p = params;
    double seeds = p->seeds ? (double)p->seed_count : 1, most = (double)p->max_iterations;
    double enough = p->tolerance > 0 && p->tolerance < 1 && p->damping > 0 && p->damping < 1
                        ? 1 + log(p->tolerance) / log(p->damping) / 4
                        : most;
    (void)g;
    w->passes = ceil(seeds / B) * (p->iterations ? (double)p->iterations : fmin(enough, most));
    w->levels = w->passes;
}

#define FIELD(name) offsetof(weft_ppr_params, name)
static const weft_param_info params_info[] = {
    {"seeds", WEFT_PARAM_VERTICES, FIELD(seeds), "", 0, 0, NULL,
     "seeds: ids, ids in a file or K random vertices [the vertex with the most out-arcs]"},
    {"per-seed", WEFT_PARAM_U64, FIELD(per_seed), "10", 1, 1e18, NULL,
     "number of rows of each seed: its best vertices"},
    {"damping", WEFT_PARAM_F64, FIELD(damping), "0.85", 0, 1, NULL,
     "share of rank that follows arcs; the rest returns to the seed"},
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-6", 0, 2, NULL,
     "a seed is done when its ranks change by no more than this in total (L1)"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "100", 1, 1e9, NULL, "maximum number of iterations"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "0", 0, 1e9, NULL,
     "exact number of iterations, regardless of the tolerance; 0 = until the tolerance is met"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL,
     "rank leaves along arcs in proportion to their weights"},
};
static const weft_result_info results[] = {
    {"seed", WEFT_VERTEX, WEFT_SHAPE_TABLE, "the seeds in the given order, each repeated for its rows"},
    {"vertex", WEFT_VERTEX, WEFT_SHAPE_TABLE, "its best vertices, the best first"},
    {"rank", WEFT_F64, WEFT_SHAPE_TABLE, "share of the time that a random surfer from the seed spends at the vertex"},
    {"seeds", WEFT_U64, WEFT_SHAPE_SCALAR, "number of seeds"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "number of iterations done for the seed that took most"},
    {"residual", WEFT_F64, WEFT_SHAPE_SCALAR, "total change of the ranks in the last iteration (L1), the largest"},
    {"error", WEFT_F64, WEFT_SHAPE_SCALAR, "upper bound of the error of every rank"},
};
static const weft_ppr_params standard = WEFT_PPR_DEFAULTS;

const wfi_algorithm wfi_algorithm_ppr = {
    WFI_DESCRIBE(ppr, standard, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "personalised PageRank: the best vertices as seen from each of many seeds",
    .info.top_by = "rank",
    .info.rows_each = "per-seed",
    .info.weights = "weights",
    .info.model = "none: how much an iteration looks at depends on what the seeds have reached",
    WFI_ON_CPU(wfi_ppr_plan_cpu, wfi_ppr_run_cpu),
    WFI_ON_CUDA(wfi_ppr_plan_cuda, wfi_ppr_run_cuda),
    .validate = validate,
    .work = work,
};
