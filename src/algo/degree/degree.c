/* degree: how many arcs leave, enter and touch each vertex, and how many vertices have how many.
 * An undirected graph has one degree: all three columns are equal.  A loop counts once in `in` and once in `out`. */
#include "algo/degree/degree_cuda.h"
#include "graph/degrees.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct arrays {
    uint64_t *in, *out, *total;
    wfi_degree_counts counts;
} arrays;

static void lay_out(wfi_workspace *w, const weft_graph *g, arrays *a) {
    wfi_column(w, "in", WEFT_U64, g->n, &a->in);
    wfi_column(w, "out", WEFT_U64, g->n, &a->out);
    wfi_column(w, "total", WEFT_U64, g->n, &a->total);
    wfi_degree_counts_lay_out(w, g, &a->counts);
    uint64_t distinct = wfi_most_distinct_degrees(g);
    wfi_growth(w, 8 * distinct); /* the table's two columns */
    wfi_growth(w, 8 * distinct);
}

static void plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    (void)params;
    bool count = !wfi_in_at_hand(g);
    choice->method = count ? "count targets" : "row lengths";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             count ? "directed without a transpose: in-degrees are counted in one pass over the arcs"
                   : "in-degrees are available as row lengths");
    arrays a;
    lay_out(&choice->space, g, &a);
}

static weft_status add_table(wfi_job *job, const wfi_degree_counts *counts) {
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
    arrays a;
    lay_out(job->space, g, &a);
    weft_status st = job->space->status;
    if (!st) st = wfi_degrees(job->ctx, g, WEFT_SIDE_IN, a.in);
    if (!st) st = wfi_degrees(job->ctx, g, WEFT_SIDE_OUT, a.out);
    if (st) return st;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(job->ctx, g->n, 1 << 14))
    for (weft_vid v = 0; v < g->n; v++) a.total[v] = g->directed ? a.in[v] + a.out[v] : a.out[v];
    wfi_count_degrees(job->ctx, a.total, g->n, &a.counts);
    return add_table(job, &a.counts);
}

#ifdef WEFT_HAVE_CUDA
static int compare_vertices(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

/* The largest in-degree, from the target that occurs most in a sample of arcs spread evenly. */
static uint64_t guess_most_in(const weft_graph *g) {
    enum { SAMPLES = 4096 };
    weft_vid sample[SAMPLES];
    weft_eid step = g->arcs / SAMPLES + 1;
    size_t count = 0;
    uint64_t most = 0, run = 0;
    for (weft_eid e = 0; e < g->arcs; e += step) sample[count++] = g->out.targets[e];
    qsort(sample, count, sizeof *sample, compare_vertices);
    for (size_t i = 0; i < count; i++) {
        run = i && sample[i] == sample[i - 1] ? run + 1 : 1;
        most = wfi_max_u64(most, run);
    }
    return most * step;
}

/* The largest total degree, of which a directed graph without a transpose allows a guess only. */
static uint64_t guess_most(const weft_graph *g) {
    uint64_t most = 0;
    const wfi_rows *in = g->directed ? wfi_in_at_hand(g) : NULL;
    for (weft_vid v = 0; v < g->n; v++) most = wfi_max_u64(most, wfi_degree(&g->out, v) + (in ? wfi_degree(in, v) : 0));
    if (g->directed && !in) most += guess_most_in(g);
    return most;
}

/* The columns, and a counter for every total degree up to the largest. */
static uint64_t bytes_needed(const weft_graph *g, uint64_t most) { return 24ull * g->n + 8 * (most + 1); }

/* The table degree, count: only degrees that occur. */
static weft_status add_distribution(weft_ctx *ctx, const uint64_t *histogram, uint64_t max, weft_result *result) {
    uint64_t *degree, *count;
    size_t distinct = 0, at = 0;
    for (uint64_t d = 0; d <= max; d++) distinct += histogram[d] != 0;
    weft_status st = wfi_result_column(ctx, result, "degree", WEFT_U64, distinct, 2, &degree);
    if (!st) st = wfi_result_column(ctx, result, "count", WEFT_U64, distinct, 2, &count);
    for (uint64_t d = 0; !st && d <= max; d++) {
        if (!histogram[d]) continue;
        degree[at] = d;
        count[at++] = histogram[d];
    }
    return st ? st : wfi_result_scalar_u64(ctx, result, "max_degree", max);
}

static weft_status add_columns(weft_ctx *ctx, const weft_graph *g, weft_result *result, uint64_t **in, uint64_t **out,
                               uint64_t **total) {
    weft_status st = wfi_result_column(ctx, result, "in", WEFT_U64, g->n, 1, in);
    if (!st) st = wfi_result_column(ctx, result, "out", WEFT_U64, g->n, 1, out);
    return st ? st : wfi_result_column(ctx, result, "total", WEFT_U64, g->n, 1, total);
}

static void plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    (void)ctx;
    (void)params;
    uint64_t most = guess_most(g);
    choice->method = g->directed ? "count targets" : "row lengths";
    snprintf(choice->reason, sizeof choice->reason, "%s",
             g->directed ? "directed: in-degrees are counted in one pass over the arcs"
                         : "undirected: the rows have both directions");
    choice->host_bytes = bytes_needed(g, most);
    choice->device_bytes = wfi_degree_cuda_bytes(g, most);
}

static weft_status run_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const void *params = job->params;
    weft_result *result = job->result;
    (void)params;
    uint64_t *in, *out, *total, *histogram = NULL, max = 0;
    weft_status st = add_columns(ctx, g, result, &in, &out, &total);
    if (!st) st = wfi_degree_cuda(ctx, g, in, out, total, &histogram, &max);
    if (!st) st = add_distribution(ctx, histogram, max, result);
    wfi_free(histogram);
    return st;
}
#endif

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

const wfi_algorithm wfi_algorithm_degree = {
    .info = {.name = "degree",
             .help = "in-, out- and total degree of each vertex, and the distribution",
             .params_size = sizeof standard,
             .params_standard = &standard,
             .result_count = sizeof results / sizeof *results,
             .top_by = "total",
             .model = "8 a vertex and side (offset), 24 (in, out, total)",
#ifdef WEFT_HAVE_CUDA
             .on_cuda = 1,
#endif
             .on_cpu = 1},
    .results = results,
    .cpu_cost = {4800, 21400, 21400, 0, 0},
    .gpu_cost = {90500, 46400, 46400, 0, 113000},
    .model_bytes = model_bytes,
    .plan_cpu = plan_cpu,
    .run_cpu = run_cpu,
#ifdef WEFT_HAVE_CUDA
    .plan_cuda = plan_cuda,
    .run_cuda = run_cuda,
#endif
};

weft_status weft_degree(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *params, weft_result **out) {
    return wfi_run(ctx, "degree", g, params, out);
}
