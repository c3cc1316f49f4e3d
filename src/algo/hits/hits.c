/* hits: descriptor and driver.  Definition: docs/algo; method: hits_bodies.h. */
#include "weft/hits.h"
#include "algo/hits/hits_bodies.h"
#include "run/method.h"

#include <math.h>

WFI_STEPS(hits_state, HITS_STEPS)

/* The row sums of the weights, and the scale. */
static weft_status measure_rows(wfi_ops *o, hits_side *side, const weft_graph *g, bool weights) {
    double widest, longest;
    int scale;
    if (weights) wfi_ops_row_weights(o, "hits", g, &side->rows, side->sums);
    weft_status st = wfi_measure_rows(o, &side->rows, side->sums, side->total, &widest, &longest);
    (void)frexp(widest, &scale);
    side->up = ldexp(1, scale);
    side->unit = ldexp(WFI_FIXED_ONE, -scale);
    return st;
}

static weft_status begin(wfi_ops *o, void *state, bool *settled) {
    hits_state *s = state;
    wfi_op_totals total = {.most = {0}};
    s->start = o->n ? 1 / (double)o->n : 0;
    wfi_ops_vertices(o, &hits_begin_op, s, s->hubs.total);
    weft_status st = wfi_ops_total(o, s->hubs.total, &total);
    *settled = !(wfi_op_value(&total, HITS_GIVEN) > 0);
    s->start = 0;
    if (!st && *settled) wfi_ops_vertices(o, &hits_begin_op, s, s->hubs.total);
    return st;
}

static weft_status resumed(wfi_ops *o, void *state) {
    hits_state *s = state;
    wfi_ops_vertices(o, &hits_resume_op, s, s->hubs.total);
    return wfi_ops_join(o, s->hubs.total);
}

/* New values of one side from those of the other. */
static weft_status pull(wfi_ops *o, hits_state *s, const hits_side *from, const hits_side *to, const wfi_view *rows) {
    s->from = *from;
    s->to = *to;
    wfi_ops_vertices(o, &hits_share_op, s, NULL);
    weft_status st = wfi_ops_gather(o, s->share, sizeof *s->share);
    if (st) return st;
    wfi_ops_rows(o, &hits_pull_op, rows, s, to->total);
    return wfi_ops_join(o, to->total);
}

static weft_status step(wfi_ops *o, void *state, double *residual) {
    hits_state *s = state;
    wfi_op_totals all[2];
    weft_status st = pull(o, s, &s->hubs, &s->authorities, o->in);
    if (!st) st = pull(o, s, &s->authorities, &s->hubs, o->out);
    if (!st) st = wfi_ops_read(o, s->totals, 2, all);
    if (!st) *residual = fmax(wfi_op_value(&all[0], HITS_CHANGE), wfi_op_value(&all[1], HITS_CHANGE));
    return st;
}

static uint64_t iterations(const void *params) {
    const weft_hits_params *p = params;
    return p->iterations ? p->iterations : p->max_iterations;
}

static weft_status drive(wfi_ops *o, void *state, wfi_job *job) {
    hits_state *s = state;
    const weft_hits_params *p = job->params;
    const weft_graph *g = job->g;
    wfi_fixpoint f = {.doing = "hubs and authorities",
                      .most = iterations(p),
                      .tolerance = p->iterations ? -1 : p->tolerance,
                      .step = step,
                      .resumed = resumed};
    s->first = o->first;
    s->hubs.rows = *o->out;
    s->authorities.rows = *o->in;
    s->hubs.total = s->totals;
    s->authorities.total = s->totals + 1;
    if (!g->directed) s->authorities.sums = s->hubs.sums;
    weft_status st = measure_rows(o, &s->hubs, g, p->weights);
    if (!st) st = measure_rows(o, &s->authorities, g, p->weights && g->directed);
    if (!st) st = wfi_fixpoint_run(o, s, job, &f, begin);
    if (st) return st;
    if (!p->iterations && !(f.residual <= p->tolerance))
        wfi_warn(o->ctx, "hits: after %llu iteration%s the values still change by %.3g, more than the tolerance %.3g",
                 (unsigned long long)f.done, f.done == 1 ? "" : "s", f.residual, p->tolerance);
    return WFI_TELL(o->ctx, job->result, WFI_U64("iterations", f.done), WFI_F64("residual", f.residual));
}

/* --- descriptor ------------------------------------------------------------------------------------------ */

static bool weighted(const void *params) { return ((const weft_hits_params *)params)->weights; }
static bool sums_out(const weft_graph *g, const void *params) { return (void)g, weighted(params); }
static bool sums_in(const weft_graph *g, const void *params) { return g->directed && weighted(params); }

#define AT(field) offsetof(hits_state, field)
static const wfi_array_info arrays[] = {
    {"hub", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, AT(hubs.value), NULL, true},
    {"authority", WFI_COLUMN, WEFT_F64, WFI_OF_MINE, AT(authorities.value), NULL, true},
    {"share", WFI_ARRAY, WEFT_F64, WFI_OF_ALL, AT(share), NULL, false},
    {"totals", WFI_TOTALS, WEFT_U64, WFI_OF_TWO, AT(totals), NULL, false},
    {"hubs.sums", WFI_ARRAY, WEFT_F64, WFI_OF_MINE, AT(hubs.sums), sums_out, false},
    {"authorities.sums", WFI_ARRAY, WEFT_F64, WFI_OF_MINE, AT(authorities.sums), sums_in, false},
};
static const wfi_method method = {.arrays = arrays,
                                  .array_count = WFI_LENGTH(arrays),
                                  .state_size = sizeof(hits_state),
                                  .sides = WFI_OUT_ROWS | WFI_IN_ROWS,
                                  .drive = drive,
                                  .weighted = weighted,
                                  .gathered = 2 * sizeof(double),
                                  .iterations = iterations,
                                  .sweeps = true,
                                  .arc_bytes = 24,
                                  .vertex_bytes = 80};

/* On typical graphs an iteration about halves the change. */
static void work(const weft_graph *g, const void *params, wfi_work *to) {
    const weft_hits_params *p = params;
    (void)g;
    double passes = p->iterations ? (double)p->iterations : wfi_steps_to(p->tolerance, 0.5, p->max_iterations);
    *to = (wfi_work){.passes = passes, .levels = passes};
}

#define FIELD(name) offsetof(weft_hits_params, name)
static const weft_param_info params_info[] = {
    {"tolerance", WEFT_PARAM_F64, FIELD(tolerance), "1e-8", 0, 2, NULL,
     "stop when the total changes (L1) of hubs and of authorities are at most this"},
    {"max-iterations", WEFT_PARAM_U64, FIELD(max_iterations), "100", 1, 1e9, NULL,
     "stop after at most this many iterations"},
    {"iterations", WEFT_PARAM_U64, FIELD(iterations), "0", 0, 1e9, NULL,
     "exactly this many iterations, whatever the tolerance; 0 = until the tolerance is met"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, "an arc counts by its weight"},
};

static const weft_result_info results[] = {
    {"hub", WEFT_F64, WEFT_SHAPE_VERTICES, "quality as a hub: points to good authorities; the values sum to 1"},
    {"authority", WEFT_F64, WEFT_SHAPE_VERTICES, "quality as an authority: good hubs point to it; the values sum to 1"},
    {"iterations", WEFT_U64, WEFT_SHAPE_SCALAR, "iterations done"},
    {"residual", WEFT_F64, WEFT_SHAPE_SCALAR,
     "the larger total change (L1) of hubs and authorities by the last iteration"},
};

const wfi_algorithm wfi_algorithm_hits = {
    WFI_DESCRIBE(hits, (const weft_hits_params)WEFT_HITS_DEFAULTS, results, wfi_pull_methods),
    WFI_PARAMS(params_info),
    .info.help = "hubs and authorities: good hubs point to good authorities",
    .info.top_by = "authority",
    .info.weights = "weights",
    .info.model = "in an iteration 12 an arc and side (target, share), 40 a vertex and side (offset, value, share)",
    WFI_ON_OPERATORS(method),
    .info.checkpoints = 1,
    .work = work,
    .sends_exactly = true,
};
