/* degree: how many arcs leave, enter and touch each vertex, and how many vertices have how many.
 * An undirected graph has one degree: all three columns are equal.  A loop counts once in `in` and once in `out`. */
#include "algo/degree/degree.h"
#include "algo/degree/degree_cuda.h"
#include "ranks/spread.h"

#include <stdio.h>
#include <string.h>

/* Columns of so many vertices, counters for the whole graph. */
static void lay_out(wfi_workspace *w, const weft_graph *g, weft_vid vertices, wfi_degree_arrays *a) {
    wfi_column(w, "in", WEFT_U64, vertices, &a->in);
    wfi_column(w, "out", WEFT_U64, vertices, &a->out);
    wfi_column(w, "total", WEFT_U64, vertices, &a->total);
    wfi_degree_counts_lay_out(w, g, &a->counts);
    uint64_t distinct = wfi_most_distinct_degrees(g);
    wfi_growth(w, 8 * distinct); /* the table's two columns */
    wfi_growth(w, 8 * distinct);
}

void wfi_degree_lay_out(wfi_workspace *w, const weft_graph *g, wfi_degree_arrays *a) { lay_out(w, g, g->n, a); }

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    (void)params;
    bool count = !wfi_in_at_hand(g);
    choice->method = count ? "count targets" : "row lengths";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             count ? "directed without a transpose: in-degrees are counted in one pass over the arcs"
                   : "in-degrees are available as row lengths");
    wfi_degree_arrays a;
    wfi_degree_lay_out(&choice->space, g, &a);
}

weft_status wfi_degree_table(wfi_job *job, const wfi_degree_counts *counts) {
    size_t distinct = wfi_distinct_degrees(counts);
    uint64_t *degree = wfi_grow(job->space, distinct, sizeof *degree);
    uint64_t *count = degree ? wfi_grow(job->space, distinct, sizeof *count) : NULL;
    if (!count) return WEFT_ENOMEM;
    wfi_list_degrees(counts, degree, count);
    uint64_t max = distinct ? degree[distinct - 1] : 0;
    weft_status st = wfi_column_of_grown(job->space, "degree", WEFT_U64, distinct, degree);
    if (!st) st = wfi_column_of_grown(job->space, "count", WEFT_U64, distinct, count);
    return st ? st : wfi_result_scalar_u64(job->ctx, job->result, "max_degree", max);
}

static weft_status run_cpu(wfi_job *job) {
    const weft_graph *g = job->g;
    wfi_degree_arrays a;
    wfi_degree_lay_out(job->space, g, &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_degrees(job->ctx, g, WEFT_SIDE_IN, a.in);
    if (!st) st = wfi_degrees(job->ctx, g, WEFT_SIDE_OUT, a.out);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(job->ctx, g->n, 1 << 14))
    for (weft_vid v = 0; v < g->n; v++) a.total[v] = g->directed ? a.in[v] + a.out[v] : a.out[v];
    wfi_count_degrees(job->ctx, a.total, g->n, &a.counts);
    return wfi_degree_table(job, &a.counts);
}

static void plan_ranks(const weft_ctx *ctx, const wfi_spread *spread, const void *params, wfi_choice *choice) {
    (void)ctx, (void)params;
    wfi_degree_arrays a;
    choice->method = wfi_in_at_hand(spread->g) ? "row lengths" : "count targets";
    lay_out(&choice->space, spread->g, spread->vertices, &a);
}

/* Counts of this rank's vertices become those of all. */
static weft_status add_counts(weft_ctx *ctx, wfi_spread *s, wfi_degree_counts *counts) {
    int ranks = s->comm->link.size, me = s->comm->link.rank;
    uint64_t *start = s->start, sum = 0;
    weft_status st = wfi_allreduce(ctx, s->comm, counts->small, (size_t)counts->smalls, WFI_SUM);
    if (!st) st = wfi_allgather_u64(ctx, s->comm, counts->larges, start);
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
    st = wfi_allgather(ctx, s->comm, counts->large, start);
    wfi_sort_large_degrees(counts);
    return st;
}

static weft_status run_ranks(wfi_job *job) {
    wfi_spread *s = job->spread;
    const wfi_part *part = &s->part[0];
    wfi_degree_arrays a;
    lay_out(job->space, s->g, s->vertices, &a);
    weft_status st = wfi_agree(job->ctx, s->comm, job->space->status);
    if (!st) st = wfi_spread_in_degrees(job->ctx, s, a.in);
    if (st) return st;
    for (weft_vid k = 0; k < s->vertices; k++) {
        a.out[k] = wfi_degree(&part->out, k);
        a.total[k] = s->g->directed ? a.in[k] + a.out[k] : a.out[k];
    }
    wfi_count_degrees(job->ctx, a.total, s->vertices, &a.counts);
    st = add_counts(job->ctx, s, &a.counts);
    return st ? st : wfi_degree_table(job, &a.counts);
}

static double model_bytes(const weft_graph *g, const void *params, const weft_result *result) {
    (void)params, (void)result;
    return (g->directed ? 40.0 : 32.0) * g->n;
}

static const weft_result_info results[] = {
    {"in", WEFT_U64, 1, "arcs that enter the vertex"},
    {"out", WEFT_U64, 1, "arcs that leave it"},
    {"total", WEFT_U64, 1, "the sum of both; in an undirected graph the degree"},
    {"degree", WEFT_U64, 2, "distribution: a total degree"},
    {"count", WEFT_U64, 2, "distribution: number of vertices that have it"},
    {"max_degree", WEFT_U64, 0, "the largest total degree"},
};
static const weft_degree_params standard = WEFT_DEGREE_DEFAULTS;

static const char *const methods[] = {
    "count targets",
    "row lengths",
};

const wfi_algorithm wfi_algorithm_degree = {
    .info = {.name = "degree",
             .help = "in-, out- and total degree of each vertex, and the distribution",
             .params_size = sizeof standard,
             .params_standard = &standard,
             .result_count = sizeof results / sizeof *results,
             .top_by = "total",
             .model = "8 a vertex and side (offset), 24 (in, out, total)",
             .methods = methods,
             .method_count = sizeof methods / sizeof *methods,
#ifdef WEFT_HAVE_CUDA
             .on_cuda = 1,
#endif
             .on_cpu = 1,
             .on_ranks = 1},
    .results = results,
    .cpu_cost = {4800, 21400, 21400, 0, 0},
    .gpu_cost = {90500, 46400, 46400, 0, 113000},
    .model_bytes = model_bytes,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
    .plan_ranks = plan_ranks,
    .run_ranks = run_ranks,
#ifdef WEFT_HAVE_CUDA
    .plan_cuda = wfi_degree_plan_cuda,
    .run_cuda = wfi_degree_cuda,
#endif
};

weft_status weft_degree(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *params, weft_result **out) {
    return wfi_run(ctx, "degree", g, params, out);
}
