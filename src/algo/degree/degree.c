/* degree: how many arcs leave, enter and touch each vertex, how many vertices have how many, and the sums of the arcs'
 * weights.  An undirected graph has one degree: all three columns are equal.  A loop counts once in `in` and once in
 * `out`.  Weights are added in the order of the row, in f64, from 0: a row is one thread's, so the sum is the same for
 * any number of them. */
#include "algo/degree/degree.h"
#include "ranks/spread.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 1 << 12 };

void wfi_degree_lay_out_part(wfi_workspace *w, const weft_graph *g, const weft_degree_params *p, weft_vid vertices,
                             wfi_degree_arrays *a) {
    bool in = p->mode != WEFT_SIDE_OUT, out = p->mode != WEFT_SIDE_IN, sums = p->strength;
    *a = (wfi_degree_arrays){0};
    if (in) wfi_column(w, "in", WEFT_U64, vertices, &a->in);
    if (out) wfi_column(w, "out", WEFT_U64, vertices, &a->out);
    if (in && out) wfi_column(w, "total", WEFT_U64, vertices, &a->total);
    if (in && sums) wfi_column(w, "in_strength", WEFT_F64, vertices, &a->in_strength);
    if (out && sums) wfi_column(w, "out_strength", WEFT_F64, vertices, &a->out_strength);
    if (in && out && sums) wfi_column(w, "strength", WEFT_F64, vertices, &a->strength);
    wfi_degree_counts_lay_out(w, g, &a->counts);
    uint64_t distinct = wfi_most_distinct_degrees(g);
    wfi_growth(w, 8 * distinct); /* the table's two columns */
    wfi_growth(w, 8 * distinct);
}

void wfi_degree_lay_out(wfi_workspace *w, const weft_graph *g, const weft_degree_params *p, wfi_degree_arrays *a) {
    wfi_degree_lay_out_part(w, g, p, g->n, a);
}

/* What the distribution is of. */
static const uint64_t *counted(const wfi_degree_arrays *a) { return a->total ? a->total : a->in ? a->in : a->out; }

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    (void)g;
    if ((unsigned)((const weft_degree_params *)params)->mode <= WEFT_SIDE_BOTH) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "degree: no such `mode`");
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    const weft_degree_params *p = params;
    bool sums_in = wfi_degree_sums_in(g, p), make = sums_in && wfi_need_in(&choice->space, ctx, g);
    bool count = p->mode != WEFT_SIDE_OUT && !sums_in && !wfi_in_at_hand(g);
    choice->method = wfi_degree_sums(g, p) ? WFI_DEGREE_SUMS : count ? WFI_DEGREE_COUNT : WFI_DEGREE_LENGTHS;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             make      ? "weights of incoming arcs are summed in rows, which have to be built"
             : sums_in ? "weights of incoming arcs are summed in rows, which are available"
             : count   ? "directed without a transpose: in-degrees are counted in one pass over the arcs"
             : p->mode == WEFT_SIDE_OUT ? "out-degrees are the lengths of rows"
                                        : "in-degrees are available as row lengths");
    wfi_degree_arrays a;
    wfi_degree_lay_out(&choice->space, g, p, &a);
}

weft_status wfi_degree_table(wfi_job *job, const wfi_degree_counts *counts) {
    size_t distinct = wfi_distinct_degrees(counts);
    uint64_t *degree, *count;
    wfi_grown_column(job->space, "degree", WEFT_U64, distinct, &degree);
    wfi_grown_column(job->space, "count", WEFT_U64, distinct, &count);
    if (!count) return WEFT_ENOMEM;
    wfi_list_degrees(counts, degree, count);
    uint64_t max = distinct ? degree[distinct - 1] : 0;
    return wfi_result_scalar_u64(job->ctx, job->result, "max_degree", max);
}

static double row_sum(const weft_graph *g, const wfi_view *rows, weft_vid v) {
    double sum = 0;
    if (g->weight_type == WEFT_WEIGHT_NONE) return (double)wfi_degree(rows, v);
    for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
        sum += wfi_weight_at(g->weight_type, rows->weights, e);
    return sum;
}

static weft_status sum_weights(weft_ctx *ctx, const weft_graph *g, const wfi_degree_arrays *a) {
    const wfi_view *in = wfi_in_at_hand(g);
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, g->n + g->arcs, 4 * ROWS))
    for (weft_vid first = 0; first < g->n; first += ROWS) {
        weft_vid end = g->n - first < ROWS ? g->n : first + ROWS;
        if (wfi_cancelled(ctx)) continue;
        for (weft_vid v = first; v < end; v++) {
            double out = a->out_strength || !g->directed ? row_sum(g, &g->out, v) : 0;
            double into = !g->directed ? out : in && a->in_strength ? row_sum(g, in, v) : 0;
            if (!in && a->in_strength) into = (double)a->in[v]; /* only without weights */
            if (a->out_strength) a->out_strength[v] = out;
            if (a->in_strength) a->in_strength[v] = into;
            if (a->strength) a->strength[v] = g->directed ? into + out : out;
        }
    }
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

static weft_status run_cpu(wfi_job *job) {
    const weft_graph *g = job->g;
    wfi_degree_arrays a;
    wfi_degree_lay_out(job->space, g, job->params, &a);
    weft_status st = job->space->status;
    if (!st && a.in) st = wfi_degrees(job->ctx, g, WEFT_SIDE_IN, a.in);
    if (!st && a.out) st = wfi_degrees(job->ctx, g, WEFT_SIDE_OUT, a.out);
    if (!st && (a.in_strength || a.out_strength)) st = sum_weights(job->ctx, g, &a);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(job->ctx, g->n, 1 << 14))
    for (weft_vid v = 0; v < (a.total ? g->n : 0); v++) a.total[v] = g->directed ? a.in[v] + a.out[v] : a.out[v];
    wfi_count_degrees(job->ctx, counted(&a), g->n, &a.counts);
    return wfi_degree_table(job, &a.counts);
}

static const char *serves_ranks(const void *params) {
    return ((const weft_degree_params *)params)->strength ? "weights are summed on one rank only" : NULL;
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx;
    wfi_degree_arrays a;
    bool lengths = wfi_in_at_hand(spread->g) || ((const weft_degree_params *)params)->mode == WEFT_SIDE_OUT;
    choice->method = lengths ? WFI_DEGREE_LENGTHS : WFI_DEGREE_COUNT;
    choice->counts_in = !lengths;
    choice->sends = 0;
    wfi_degree_lay_out_part(&choice->space, spread->g, params, spread->vertices, &a);
}

/* Counts of this rank's vertices become those of all. */
static weft_status add_counts(weft_ctx *ctx, wfi_spread *s, wfi_degree_counts *counts) {
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t *start = s->start, sum = 0;
    weft_status st = wfi_allreduce(ctx, counts->small, (size_t)counts->smalls, WFI_SUM);
    if (!st) st = wfi_allgather_u64(ctx, counts->larges, start);
    if (st) return st;
    for (int r = 0; r < ranks; r++) {
        uint64_t larges = start[r];
        start[r] = sum * sizeof *counts->large;
        sum += larges;
    }
    start[ranks] = sum * sizeof *counts->large;
    if (counts->larges)
        memmove((char *)counts->large + start[me], counts->large, counts->larges * sizeof *counts->large);
    counts->larges = sum;
    st = wfi_allgather_figures(ctx, counts->large, start);
    wfi_sort_large_degrees(counts);
    return st;
}

weft_status wfi_degree_ranks_table(wfi_job *job, wfi_degree_arrays *a) {
    wfi_count_degrees(job->ctx, counted(a), job->spread->vertices, &a->counts);
    weft_status st = add_counts(job->ctx, job->spread, &a->counts);
    return st ? st : wfi_degree_table(job, &a->counts);
}

static weft_status run_ranks(wfi_job *job) {
    wfi_spread *s = job->spread;
    const wfi_part *part = &s->part[0];
    wfi_degree_arrays a;
    wfi_degree_lay_out_part(job->space, s->g, job->params, s->vertices, &a);
    weft_status st = wfi_agree(job->ctx, job->space->status);
    if (!st && a.in) st = wfi_spread_in_degrees(job->ctx, s, a.in);
    if (st) return st;
    for (weft_vid k = 0; k < s->vertices && a.out; k++) {
        a.out[k] = wfi_degree(&part->out, k);
        if (a.total) a.total[k] = s->g->directed ? a.in[k] + a.out[k] : a.out[k];
    }
    return wfi_degree_ranks_table(job, &a);
}

static uint64_t bytes_a_vertex(const void *params) {
    const weft_degree_params *p = params;
    return (wfi_degree_both(p) ? 3 : 1) * (p->strength ? 16u : 8u);
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    const weft_degree_params *p = params;
    double sides = g->directed && wfi_degree_both(p) ? 2 : 1;
    double weights = p->strength ? sides * (double)(g->arcs * wfi_weight_bytes(g->weight_type)) : 0;
    (void)result;
    return (8 * sides + (double)bytes_a_vertex(params)) * g->n + weights;
}

static const weft_param_info params_info[] = {
    {"mode", WEFT_PARAM_CHOICE, offsetof(weft_degree_params, mode), "all", 0, 0, "all|out|in",
     "all: three columns, and the distribution of their sum; in, out: that column alone, and its distribution"},
    {"strength", WEFT_PARAM_BOOL, offsetof(weft_degree_params, strength), "no", 0, 1, NULL,
     "sum the weights of the arcs as well; without weights each counts 1"},
};
static const weft_result_info results[] = {
    {"in", WEFT_U64, WEFT_SHAPE_VERTICES, "arcs that enter the vertex"},
    {"out", WEFT_U64, WEFT_SHAPE_VERTICES, "arcs that leave it"},
    {"total", WEFT_U64, WEFT_SHAPE_VERTICES, "the sum of both; in an undirected graph the degree"},
    {"in_strength", WEFT_F64, WEFT_SHAPE_VERTICES, "with `strength`: the weights of arcs that enter"},
    {"out_strength", WEFT_F64, WEFT_SHAPE_VERTICES, "with `strength`: the weights of arcs that leave"},
    {"strength", WEFT_F64, WEFT_SHAPE_VERTICES,
     "with `strength`: the sum of both; in an undirected graph the weighted degree"},
    {"degree", WEFT_U64, WEFT_SHAPE_TABLE, "distribution: a total degree, or that of `mode`"},
    {"count", WEFT_U64, WEFT_SHAPE_TABLE, "distribution: number of vertices that have it"},
    {"max_degree", WEFT_U64, WEFT_SHAPE_SCALAR, "the largest of these degrees"},
};

static const char *const methods[] = {
    "count targets",
    "row lengths",
    "row sums",
};

const wfi_algorithm wfi_algorithm_degree = {
    WFI_DESCRIBE(degree, (const weft_degree_params)WEFT_DEGREE_DEFAULTS, results, methods),
    WFI_PARAMS(params_info),
    .info.help = "in-, out- and total degree of each vertex, also weighted, and the distribution",
    .info.top_by = "total",
    .info.weights = "strength",
    .info.model = "8 a vertex and side (offset), 8 a column; with strength the weights",
    .model_bytes = model_bytes,
    .bytes_a_vertex = bytes_a_vertex,
    .validate = validate,
    WFI_ON_CPU(plan_cpu, run_cpu),
    .serves_ranks = serves_ranks,
    WFI_ON_RANKS(plan_ranks, run_ranks),
    WFI_ON_CUDA(wfi_degree_plan_cuda, wfi_degree_cuda),
    WFI_ON_RANKS_CUDA(wfi_degree_plan_ranks_cuda, wfi_degree_ranks_cuda),
    .follower = &wfi_follow_degree,
    .on_request = (const char *const[]){"in_strength", "out_strength", "strength", NULL},
    .sends_exactly = true,
};
